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

use crate::detector::Detector;
use crate::explain::{explanation, message, party};
use crate::finding::{Told, Turned};
use crate::job::Job;
use crate::record::{AccessEpoch, Record};
use crate::trail::{KEPT, Meeting, Step, StepKind};
use crate::window::WindowState;
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::Role;
use farside_events::{Call, Rank, ThreadId, WinId};
use farside_findings::{MissingOrder, Rule};
use repair::Repair;
use std::collections::HashMap;
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
    /// In the order in which they were seen.
    sides: [Side; 2],
    /// The second knew that the first was issued.
    ordered: bool,
    /// Up to which of its steps the second knew the thread of the first.
    known: u64,
    steps: Vec<(Component, Vec<Step>)>,
}

/// All races, and whom to follow for them.
#[derive(Debug, Default)]
pub(crate) struct Races {
    all: Vec<Race>,
    followed: HashMap<Component, Vec<usize>>,
    /// Race and side, by component and place.
    repeated: HashMap<(Component, crate::Site), Vec<(usize, usize)>>,
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
    fn note_meeting(&mut self, component: Component, step: Step, meets: impl Fn(&Meeting, Rank) -> bool) {
        let ranks = [0, 1].map(|side| self.sides[side].record.access.rank);
        for (side, other) in [(0, ranks[1]), (1, ranks[0])] {
            let side = &mut self.sides[side];
            if side.issued.component == component
                && side.next.is_none()
                && step.mark > side.mark
                && step.meeting().is_some_and(|meeting| meets(&meeting, other))
            {
                side.next = Some(step);
            }
        }
    }

    /// Which side comes first, if the events tell.
    fn first(&self) -> Option<usize> {
        let [old, new] = &self.sides;
        if self.ordered || self.is_of_one_thread() {
            return Some(0);
        }
        let exposed = |side: &Side, other: &Side| {
            side.record.operation().is_some_and(|op| {
                op.epoch == AccessEpoch::Start
                    && op.target == other.record.access.rank
                    && matches!(other.record.access.role, Role::Local | Role::LocalAtomic)
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
            let same = |step: &Step| step.site == side.record.site && step.time < side.issued.time;
            side.record.operation().map(|_| steps.clone().any(same))
        };
        Some(before(second).unwrap_or(false) && !before(first).unwrap_or(false))
    }

    /// The last calls before the two sides in which their processes met, one and the same.
    fn met_last(&self) -> Option<[crate::Site; 2]> {
        let before = |side: &Side| {
            let mark = side.mark;
            let steps = self.steps(side.issued.component).iter().rev();
            steps.filter(move |step| step.mark < mark)
        };
        let [old, new] = &self.sides;
        before(old).find_map(|step| {
            let meeting = step.meeting()?;
            let same = |other: &&Step| other.meeting().is_some_and(|other| other.is(&meeting));
            Some([step.site, before(new).find(same)?.site])
        })
    }
}

impl Races {
    fn open(&mut self, race: Race) {
        let index = self.all.len();
        for (component, _) in &race.steps {
            self.followed.entry(*component).or_default().push(index);
        }
        for (number, side) in race.sides.iter().enumerate() {
            let place = (side.issued.component, side.record.site);
            self.repeated.entry(place).or_default().push((index, number));
        }
        self.all.push(race);
    }

    /// An access is made; `clock` is what is known before it.
    pub(crate) fn repeat(&mut self, record: &Record, clock: &VectorClock) {
        if self.all.is_empty() {
            return;
        }
        let Some(sides) = self.repeated.get(&(record.component(), record.site)) else {
            return;
        };
        for &(race, number) in sides {
            let other = self.all[race].sides[1 - number].first;
            let side = &mut self.all[race].sides[number];
            if side.next.is_none() && record.mark.get() > side.mark && clock.covers(other) {
                side.again = true;
            }
        }
    }

    fn step(&mut self, component: Component, step: Step, meets: impl Fn(&Meeting, Rank) -> bool) {
        let Some(followed) = self.followed.get_mut(&component) else {
            return;
        };
        let all = &mut self.all;
        followed.retain(|&race| {
            let race = &mut all[race];
            race.note_meeting(component, step, &meets);
            let Some((_, steps)) = race.steps.iter_mut().find(|(other, _)| *other == component) else {
                return false;
            };
            steps.push(step);
            steps.len() < 2 * KEPT
        });
    }
}

impl Detector {
    /// A thread takes a step.
    pub(crate) fn step(&mut self, component: Component, call: &Call, site: crate::Site) {
        let rank = site.rank;
        let windows = &self.windows;
        let fences = |win: WinId| {
            let state = windows.get(&win).and_then(|window| window.epochs.get(&rank));
            state.map_or(0, |state| state.fences)
        };
        let kind = StepKind::of(call, fences);
        let name = crate::deadlock::static_name(call)
            .map_or("MPI call", |(name, _)| self.options.interface.name(name));
        self.take_step(component, kind, name, site);
    }

    /// The same for an operation.
    pub(crate) fn operation_step(&mut self, component: Component, name: &'static str, site: crate::Site) {
        self.take_step(component, StepKind::Operation, name, site);
    }

    fn take_step(&mut self, component: Component, kind: StepKind, name: &'static str, site: crate::Site) {
        let step = Step {
            mark: self.timeline.advance(),
            time: self.job.thread(component).time,
            site,
            name,
            kind,
        };
        self.trail.push(component, step);
        let (job, windows) = (&self.job, &self.windows);
        self.races.step(component, step, |meeting, rank| {
            meets(job, windows, meeting, rank)
        });
    }

    /// Keeps what advice on a race needs.
    pub(crate) fn follow_race(
        &mut self,
        finding: usize,
        rule: Rule,
        old: &Rc<Record>,
        new: &Rc<Record>,
        clock: &VectorClock,
    ) {
        let side = |record: &Rc<Record>| Side {
            record: Rc::clone(record),
            issued: record.issued.get(),
            first: if clock.covers(record.first.get()) {
                record.issued.get()
            } else {
                record.first.get()
            },
            mark: record.mark.get(),
            next: None,
            again: false,
        };
        let first_threads = [old, new]
            .into_iter()
            .filter_map(|record| record.operation())
            .filter_map(|op| self.job.components.get(&(op.target, ThreadId(0))).copied());
        let mut components: Vec<Component> = [old.component(), new.component()]
            .into_iter()
            .chain(first_threads)
            .collect();
        components.sort_unstable();
        components.dedup();
        let steps = |component| (component, self.trail.of(component).collect());
        let mut race = Race {
            finding,
            rule,
            ordered: clock.covers(old.issued.get()),
            known: clock.get(old.component()),
            sides: [side(old), side(new)],
            steps: components.iter().copied().map(steps).collect(),
        };
        for component in components {
            for step in self.trail.of(component) {
                race.note_meeting(component, step, |meeting, rank| {
                    meets(&self.job, &self.windows, meeting, rank)
                });
            }
        }
        self.races.open(race);
    }

    /// Writes the advice, now that everything is known.
    pub(crate) fn advise_on_races(&mut self) {
        let interface = self.options.interface;
        for race in std::mem::take(&mut self.races).all {
            let first = race.first();
            let repair = |first: usize| Repair::new(interface, &race, first).suggestion();
            let turned = || Turned {
                since: race.met_last(),
                told: race.told_from_second(repair(1)),
            };
            match first {
                Some(0) => self.findings.advise(race.finding, repair(0)),
                Some(_) => {
                    let told = race.told_from_second(repair(1));
                    self.findings.turn(race.finding, told);
                }
                None => {
                    self.findings.advise(race.finding, repair(0));
                    self.findings.may_turn(race.finding, turned());
                }
            }
        }
    }
}

impl Race {
    /// What the finding says if the second side is the one that should come first.
    fn told_from_second(&self, suggestion: crate::RawSuggestion) -> Told {
        let [old, new] = &self.sides;
        let consistency = new.record.operation().is_some();
        Told {
            message: message(self.rule, &new.record, &old.record),
            parties: vec![party(&new.record), party(&old.record)],
            missing: MissingOrder {
                happens_before: true,
                consistency_order: consistency,
                explanation: explanation(&new.record, &old.record, true, consistency),
            },
            suggestion,
        }
    }
}

/// Whether `rank` takes part in a meeting.
fn meets(job: &Job, windows: &HashMap<WinId, WindowState>, meeting: &Meeting, rank: Rank) -> bool {
    let group = match meeting {
        Meeting::Collective(comm, _) => job.communicators.get(comm),
        Meeting::Fence { win, .. } | Meeting::Free(win) => {
            windows.get(win).and_then(|window| window.members.as_ref())
        }
    };
    group.is_none_or(|group| group.contains(&rank))
}
