//! Advice on races: which order was meant, and the call that makes it.
//!
//! Source: Hoefler et al. 2014, §3.3.2: of two conflicting accesses one must happen before the other and be complete
//! before it. Which one, the definition leaves open; a repair in either direction removes the race. In a loop one of
//! the two directions is there already, from each round to the next or within each round, and advice for it would
//! propose what the program has. So, of accesses x and y:
//!
//! 1. If the second knows that the first was issued, that is the direction: what is missing is completion, before the
//!    call by which the second learned of it. A thread's own accesses are the simplest case.
//! 2. Against a local access of the process that an operation between start and complete is directed to, the operation
//!    comes first: the epoch's end is what makes it visible.
//! 3. Else both came after the last call in which their processes met, and before the next one: in one round, or in
//!    part of one. If until then x is done again by its thread, knowing y, and not y by its own, knowing x, then order
//!    from y to x exists from round to round (messages made it), and order from x to y is missing; and the other way
//!    round.
//! 4. Else program order within the round decides: the sources are read round and round, from the call where the
//!    processes met last (`source_order`). So a load that follows a barrier comes before the put that stands
//!    above that barrier: that put is the next round's.
//! 5. Else the order in which they were seen.
//!
//! What is proposed (`repair`) is what is not there. An operation that is complete in time is not completed again; a
//! local flush that should be a flush is to be replaced, and what ends an epoch too late is to be moved. All of that is
//! known only when the next steps of both threads are, so advice is written at the end of the run, from what was kept
//! of the steps around each race.
//!
//! Limits: a race is told by the first pair of accesses that was met. Of the steps of a thread, [`KEPT`] before it and
//! as many after it are known. Without lines and without functions in common, 4 is silent.

mod repair;
mod scene;

use super::Groups;
use super::explain::everything_missing;
use super::tally::Tally;
use super::trail::{KEPT, Step};
use crate::finding::{Name, RawSuggestion, Site, Told, Turned};
use crate::interface::Rules;
use crate::order::Threads;
use crate::record::{AccessEpoch, Record};
use farside_clocks::{Component, Epoch, VectorClock};
use farside_events::{Interface, ThreadId};
use farside_findings::Rule;
use repair::Repair;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// An access of a race. The record may become younger later.
#[derive(Debug)]
struct Side {
    record: Rc<Record>,
    issued: Epoch,
    /// When it, or one like it that it took the place of, was first issued unknown to the other.
    first: Epoch,
    mark: u64,
    /// The first call after it in which its process met that of the other.
    next: Option<Step>,
    /// Until then it was done again by its thread, which knew the other.
    again: bool,
}

/// A race, and what the threads concerned did around it.
#[derive(Debug)]
struct Race {
    /// Index of the finding.
    finding: usize,
    rule: Rule,
    /// Of its window.
    interface: Interface,
    /// In the order in which they were seen.
    sides: [Side; 2],
    /// The second knew that the first was issued.
    ordered: bool,
    /// Up to which of its steps the second knew the thread of the first.
    known: u64,
    steps: Vec<(Component, Vec<Step>)>,
}

/// All races, and which threads to follow for them.
#[derive(Debug, Default)]
pub(super) struct Advice {
    all: Vec<Race>,
    followed: HashMap<Component, Vec<usize>>,
    /// Race and side, by component and place.
    repeated: HashMap<(Component, Site), Vec<(usize, usize)>>,
}

impl Race {
    fn is_of_one_thread(&self) -> bool {
        self.sides[0].issued.component == self.sides[1].issued.component
    }

    fn steps(&self, component: Component) -> &[Step] {
        let known = self.steps.iter().find(|(other, _)| *other == component);
        known.map_or(&[], |(_, steps)| steps.as_slice())
    }

    /// Whether a step of a thread is the first after its side in which both processes meet.
    fn note_meeting(&mut self, component: Component, step: Step, groups: Groups<'_>) {
        let ranks = [0, 1].map(|side| self.sides[side].record.rank());
        for (side, other) in [(0, ranks[1]), (1, ranks[0])] {
            let side = &mut self.sides[side];
            if side.issued.component == component
                && side.next.is_none()
                && step.mark() > side.mark
                && step
                    .meeting()
                    .is_some_and(|meeting| groups.meets(&meeting, other))
            {
                side.next = Some(step);
            }
        }
    }

    /// Whether a side is what a call writes in which all members meet.
    fn is_by_a_meeting(&self, side: &Side) -> bool {
        let mut steps = self.steps(side.issued.component).iter().rev();
        let last = steps.find(|step| step.mark() <= side.mark);
        let by_a_call = matches!(side.record.name(), Name::Text(_));
        by_a_call && last.is_some_and(|step| step.meeting().is_some())
    }

    /// Which side comes first, if the events tell.
    fn first(&self) -> Option<usize> {
        let [old, new] = &self.sides;
        if self.is_of_one_thread() {
            // What a collective call writes is compared when others return from it, and was issued when it was entered.
            return Some(usize::from(new.mark < old.mark));
        }
        if self.ordered {
            return Some(0);
        }
        let exposed = |side: &Side, other: &Side| {
            side.record.operation().is_some_and(|op| {
                op.epoch() == AccessEpoch::Start
                    && op.target() == other.record.rank()
                    && other.record.is_local()
            })
        };
        match (exposed(old, new), exposed(new, old)) {
            (true, false) => return Some(0),
            (false, true) => return Some(1),
            _ => {}
        }
        match (old.again, new.again) {
            (true, false) => Some(0),
            (false, true) => Some(1),
            _ => None,
        }
    }

    /// Whether a loop leads from the first to the second, where rule 3 says that the first comes first; `None` if the
    /// sources tell.
    fn next_round(&self, first: &Side, second: &Side) -> Option<bool> {
        if self.is_of_one_thread() || self.ordered || first.again == second.again {
            return None;
        }
        // The first pair of accesses is the one that is met: if one side was there before, the other is of that round.
        let before = |side: &Side| {
            let steps = self.steps(side.issued.component).iter();
            let same = |step: &Step| step.site() == side.record.site() && step.time() < side.issued.time;
            side.record.operation().map(|_| steps.clone().any(same))
        };
        Some(before(second).unwrap_or(false) && !before(first).unwrap_or(false))
    }

    /// The last calls before the two sides in which their processes met, one and the same.
    fn met_last(&self) -> Option<[Site; 2]> {
        let before = |side: &Side| {
            let mark = side.mark;
            let steps = self.steps(side.issued.component).iter().rev();
            steps.filter(move |step| step.mark() < mark)
        };
        let [old, new] = &self.sides;
        before(old).find_map(|step| {
            let meeting = step.meeting()?;
            let same = |other: &&Step| other.meeting().is_some_and(|other| other.is(&meeting));
            Some([step.site(), before(new).find(same)?.site()])
        })
    }
}

impl Advice {
    /// A thread makes an access from a place in its code, at `mark` in the sequence; `clock` is what is known before.
    pub(super) fn repeat(&mut self, place: (Component, Site), mark: u64, clock: &VectorClock) {
        if self.all.is_empty() {
            return;
        }
        let Some(sides) = self.repeated.get(&place) else {
            return;
        };
        for &(race, number) in sides {
            let other = self.all[race].sides[1 - number].first;
            let side = &mut self.all[race].sides[number];
            if side.next.is_none() && mark > side.mark && clock.covers(other) {
                side.again = true;
            }
        }
    }

    /// A thread takes a step.
    pub(super) fn step(&mut self, component: Component, step: Step, groups: Groups<'_>) {
        let Some(followed) = self.followed.get_mut(&component) else {
            return;
        };
        let all = &mut self.all;
        followed.retain(|&race| {
            let race = &mut all[race];
            race.note_meeting(component, step, groups);
            let Some((_, steps)) = race.steps.iter_mut().find(|(other, _)| *other == component) else {
                return false;
            };
            steps.push(step);
            steps.len() < 2 * KEPT
        });
    }

    /// Keeps what advice on a race needs, of which the second access knows `clock`; `steps` gives the last steps of a
    /// thread.
    pub(super) fn follow(
        &mut self,
        (finding, rule, interface): (usize, Rule, Interface),
        [old, new]: [&Rc<Record>; 2],
        clock: &VectorClock,
        threads: &Threads,
        steps: impl Fn(Component) -> Vec<Step>,
        groups: Groups<'_>,
    ) {
        let side = |record: &Rc<Record>| Side {
            record: Rc::clone(record),
            issued: record.issued(),
            first: if clock.covers(record.first()) {
                record.issued()
            } else {
                record.first()
            },
            mark: record.mark(),
            next: None,
            again: false,
        };
        let operations = [old, new].into_iter().filter_map(|record| record.operation());
        let first_threads = operations.filter_map(|op| threads.find(op.target(), ThreadId(0)));
        let mut components: Vec<Component> = [old.component(), new.component()]
            .into_iter()
            .chain(first_threads)
            .collect();
        components.sort_unstable();
        components.dedup();
        let mut race = Race {
            finding,
            rule,
            interface,
            ordered: old.is_issued_before(clock),
            known: clock.get(old.component()),
            sides: [side(old), side(new)],
            steps: components
                .iter()
                .map(|&component| (component, steps(component)))
                .collect(),
        };
        for component in components {
            for step in steps(component) {
                race.note_meeting(component, step, groups);
            }
        }
        // What the call itself orders comes too late: others may write from when the first of them enters it.
        race.ordered &= !(interface.hands_memory_in() && race.is_by_a_meeting(&race.sides[1]));
        self.open(race);
    }

    /// Writes the advice, now that everything is known.
    pub(super) fn write(self, tally: &mut Tally) {
        for race in self.all {
            let repair = |first: usize| Repair::new(&race, first).suggestion();
            tally.show(race.finding, scene::scene(&race));
            match race.first() {
                Some(0) => tally.advise(race.finding, repair(0)),
                Some(_) => tally.turn(race.finding, race.told_from_second(repair(1))),
                None => {
                    tally.advise(race.finding, repair(0));
                    let turned = Turned {
                        since: race.met_last(),
                        told: race.told_from_second(repair(1)),
                    };
                    tally.may_turn(race.finding, turned);
                }
            }
        }
    }

    fn open(&mut self, race: Race) {
        let index = self.all.len();
        for (component, _) in &race.steps {
            self.followed.entry(*component).or_default().push(index);
        }
        for (number, side) in race.sides.iter().enumerate() {
            let place = (side.issued.component, side.record.site());
            self.repeated.entry(place).or_default().push((index, number));
        }
        self.all.push(race);
    }
}

impl Race {
    /// What the finding says if the second side is the one that should come first.
    fn told_from_second(&self, suggestion: RawSuggestion) -> Told {
        let [old, new] = &self.sides;
        Told {
            parties: vec![new.record.party(), old.record.party()],
            missing: everything_missing(&new.record),
            suggestion,
        }
    }
}
