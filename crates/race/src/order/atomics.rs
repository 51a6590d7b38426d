//! Flags and counters: order through atomic operations on window memory.
//!
//! A process that fetches a location with an accumulate call (fetch_and_op, compare_and_swap, get_accumulate of one
//! element) and sees the value that another process' accumulate left there knows that this call was issued, and all
//! that its process did before (Hoefler et al. 2014, §3.2, and Fig. 8a for polling).
//!
//! Time and value decide which updates were seen: an update that was complete before the fetch was issued was seen; one
//! that overlaps with it was seen if the value says so. For `MPI_REPLACE` the value must be the operand. For other
//! operators it was seen unless the location is known to be untouched: a fetch that changes nothing had brought the
//! same value before the update was issued, and no other update can have come in between. Times of two clocks tell
//! nothing: such operations overlap.
//!
//! A thread that waits until a word is as it wants it, and learns nothing else of it, knows an update of a counter only
//! if the word would not be so without that update and those that know of it: else the update may come later in
//! another run. So "at least 1" shows nothing of either of two that add 1, whatever the word holds by then, but what
//! the threads of both knew.
//!
//! Deviations:
//! 1. An update that replaced the value of another process does not cut the order from earlier updates of other
//!    operators (C++ would end their release sequence).
//! 2. Overlapping updates of a counter are told apart only by "untouched"; of several overlapping ones all count (a
//!    value can come back: a lock is taken and given back), and so does one where no value from before it is known. So
//!    a race may go unnoticed in such a run, and none is reported that is none.
//! 3. A word that is replaced was as its waiter wants it by any value that it was set to, of which its waiter did not
//!    know before: it may have been set to an earlier one by the time of its wait in another run. What its owner stored
//!    there itself is not known, so that it is taken for what the waiter does not want.

use super::threads::Knowledge;
use super::{Edge, Threads};
use crate::finding::Link;
use crate::interface::Rules as _;
use crate::record::{Batches, Op};
use crate::stamp::Stamp;
use farside_clocks::{Component, VectorClock};
use farside_events::{AccumulateOp, Condition, OperationId, OperationKind, Rank};
use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::rc::Rc;

/// An accumulate to a single element.
///
/// Programs that scatter accumulates over large tables have millions: what many have in common lies in [`Issue`].
#[derive(Clone, Debug)]
struct Update {
    by: Rc<Issue>,
    issued: Stamp,
    operand: Option<u64>,
    component: Component,
    operator: Option<AccumulateOp>,
    /// It stands for earlier ones of its thread, too, which are not kept.
    stands_for_earlier: bool,
}

/// What an update comes from. Updates have it in common that one operation stands for, and between which their thread
/// learned nothing.
#[derive(Debug)]
struct Issue {
    clock: VectorClock,
    /// Its process, and its place in the sequence.
    mark: (Rank, u64),
    /// `None` for a store to the memory of a neighbour.
    op: Option<Rc<Op>>,
    /// Operations of its process that are done at the same target before it, complete or not.
    before: Batches,
}

/// What a thread issued while it did and learned nothing else that others can learn of.
#[derive(Debug, Default)]
struct Recent {
    since: Knowledge,
    issues: Vec<Rc<Issue>>,
}

#[derive(Debug, Default)]
struct Location {
    updates: Vec<Update>,
    /// What the last fetch found; most locations are never fetched.
    found: Option<Box<Found>>,
}

/// A value that a fetch brought.
#[derive(Clone, Copy, Debug)]
struct Found {
    value: u64,
    /// When the fetch was issued.
    issued: Stamp,
    /// When the value was there.
    brought: Stamp,
    /// The fetch left the value as it was.
    only_reads: bool,
}

impl Update {
    /// A thread of its target has seen it.
    fn is_seen_by(&self, threads: &mut Threads, component: Component) {
        let brought = self.by.op.as_ref().and_then(|op| op.brought());
        if brought.is_none() && self.by.before.is_empty() {
            return;
        }
        let at = threads.tick(component);
        self.by.before.iter().for_each(|batch| _ = batch.notice(at));
        brought.into_iter().for_each(|op| op.notice(at));
    }

    /// Whether the word can have been left as it is by it, or by others on top of it.
    fn may_have_left(&self, word: &Word) -> bool {
        let mask = mask(word.size);
        self.sets()
            .is_none_or(|operand| operand & mask == word.value & mask)
    }

    /// The value that it sets the word to, if it takes the place of whatever was there.
    fn sets(&self) -> Option<u64> {
        self.operand
            .filter(|_| self.operator == Some(AccumulateOp::Replace))
    }

    /// Whether a thread with this clock knows that it was issued.
    fn is_known_to(&self, clock: &VectorClock) -> bool {
        match &self.by.op {
            Some(op) => clock.covers(op.issued()),
            None => self.by.clock.is_known_by(clock),
        }
    }

    /// Whether its thread knew the other update when it issued this one.
    fn knows(&self, other: &Self) -> bool {
        other.is_known_to(&self.by.clock)
    }

    fn is_complete_before(&self, time: Stamp) -> bool {
        let op = self.by.op.as_ref();
        op.is_some_and(|op| op.is_complete_before(time))
    }
}

impl Location {
    /// Whether a thread that waited for the word, and found what this update may have left, shows by that that it was
    /// done.
    fn is_shown(&self, update: &Update, word: &Word) -> bool {
        let addend = |update: &Update| {
            update
                .operand
                .filter(|_| update.operator == Some(AccumulateOp::Sum))
        };
        match (update.operator, update.operand, word.until) {
            (Some(AccumulateOp::Sum), Some(own), Some(until)) => {
                let without = word.value.wrapping_sub(own);
                if update.stands_for_earlier || !until.holds(without, word.size) {
                    return true;
                }
                let others = || self.updates.iter().filter(|other| !std::ptr::eq(*other, update));
                let builds_on = |other: &Update| addend(other).is_some() || update.knows(other);
                if !others().all(builds_on) {
                    return true;
                }
                let later = others().filter(|other| other.knows(update)).filter_map(addend);
                let without = later.fold(without, u64::wrapping_sub);
                !until.holds(without, word.size)
            }
            _ => true,
        }
    }

    /// The updates of which one, no matter which, was enough for a thread with this clock that waited for the word: all
    /// that it did not know set the word, and these to what it waited for. `None` if it is not so, or only one is.
    fn any_of(&self, component: Component, clock: &VectorClock, word: &Word) -> Option<Vec<&Update>> {
        let until = word.until?;
        let is_new = |update: &&Update| update.component != component && !update.is_known_to(clock);
        let mut able = Vec::new();
        for update in self.updates.iter().filter(is_new) {
            if until.holds(update.sets()?, word.size) {
                able.push(update);
            }
        }
        (able.len() > 1 && able.iter().any(|update| update.may_have_left(word))).then_some(able)
    }

    /// Whether a fetch that brings `value` shows that this update of the location was not done yet.
    fn is_untouched_by(&self, update: &Update, value: u64, fetch: &Fetch) -> bool {
        let of_fetch = |other: &Update| other.component == fetch.component && other.issued == fetch.issued;
        self.found.as_ref().is_some_and(|found| {
            found.only_reads
                && found.value == value
                && found.brought.is_before(update.issued)
                && self.updates.iter().all(|other| {
                    std::ptr::eq(other, update) || of_fetch(other) || other.is_complete_before(found.issued)
                })
        })
    }
}

/// A word of a thread's own memory that it has waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    address: u64,
    size: u32,
    value: u64,
    /// All that the thread knows of the value.
    until: Option<Condition>,
}

impl Word {
    /// So many bytes at an address, in which a thread found a value.
    pub(crate) fn new(address: u64, size: u32, value: u64, until: Option<Condition>) -> Self {
        Self {
            address,
            size,
            value,
            until,
        }
    }
}

/// A fetch whose value is still to come.
#[derive(Debug)]
struct Fetch {
    component: Component,
    location: (Rank, u64),
    issued: Stamp,
    size: u32,
    only_reads: bool,
}

/// Single-element updates and pending fetches.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    locations: HashMap<(Rank, u64), Location>,
    /// By rank of the process, in the order of the calls.
    fetches: Vec<VecDeque<(OperationId, Fetch)>>,
    /// By component.
    recent: Vec<Recent>,
    /// Updates, and those that were left when some were forgotten.
    kept: (usize, usize),
}

/// An operation on one element: where, and what it does there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleElement {
    location: (Rank, u64),
    size: u32,
    operator: Option<AccumulateOp>,
    operand: Option<u64>,
    fetches: bool,
}

impl SingleElement {
    /// `None` as operator stands for compare-and-swap.
    pub(crate) fn new(
        location: (Rank, u64),
        size: u32,
        operator: Option<AccumulateOp>,
        operand: Option<u64>,
        fetches: bool,
    ) -> Self {
        Self {
            location,
            size,
            operator,
            operand,
            fetches,
        }
    }
}

/// Orders that a value shows.
pub(crate) type Edges = SmallVec<[Edge; 4]>;

/// Updates kept of one thread at one location: later ones imply earlier ones once they are complete.
const KEPT_A_THREAD: usize = 4;
/// The same of additions that bring no value, where words are waited for: whoever waits for less than a counter comes
/// to knows the earlier ones.
const KEPT_OF_ADDITIONS: usize = 32;
/// Issues of a thread that are looked through for one that an update has in common with others.
const RECENT_ISSUES: usize = 16;
/// Updates up to which none is forgotten.
const MANY: usize = 1024;

impl Updates {
    /// An operation on a single element was issued at this time, and others are done at its target before it. What its
    /// thread did so far becomes known to whoever sees the element.
    pub(crate) fn issue(
        &mut self,
        threads: &mut Threads,
        component: Component,
        id: OperationId,
        (op, before): (&Rc<Op>, Batches),
        element: &SingleElement,
        time: Stamp,
    ) {
        let only_reads = element.operator == Some(AccumulateOp::NoOp);
        if element.fetches {
            let fetch = Fetch {
                component,
                location: element.location,
                issued: time,
                size: element.size,
                only_reads,
            };
            self.expect(op.rank(), id, fetch);
        }
        if !only_reads {
            let update = Update {
                by: self.by(threads, component, op, before),
                issued: time,
                operand: element.operand,
                component,
                operator: element.operator,
                stands_for_earlier: false,
            };
            self.add(element.location, update);
        }
        threads.publish(component);
    }

    /// A thread stored, by an atomic instruction, to a word in the memory of another process.
    pub(crate) fn store(
        &mut self,
        threads: &mut Threads,
        component: Component,
        location: (Rank, u64),
        mark: (Rank, u64),
    ) {
        let by = Issue {
            clock: threads.clock(component).clone(),
            mark,
            op: None,
            before: Batches::new(),
        };
        let update = Update {
            by: Rc::new(by),
            issued: Stamp::default(),
            operand: None,
            component,
            operator: None,
            stands_for_earlier: false,
        };
        self.add(location, update);
        threads.publish(component);
    }

    /// A thread has waited for a word of its own memory, and found a value there.
    pub(crate) fn seen(&mut self, threads: &mut Threads, component: Component, word: &Word) -> Vec<Edge> {
        let rank = threads.rank(component);
        let Some(location) = self.locations.get(&(rank, word.address)) else {
            return Vec::new();
        };
        let any = location.any_of(component, threads.clock(component), word);
        let is_any = any.is_some();
        let found = any.unwrap_or_else(|| {
            let updates = location.updates.iter();
            updates.filter(|update| update.may_have_left(word)).collect()
        });
        let all_know = |update: &Update| {
            let mut others = found.iter().filter(|other| !std::ptr::eq(**other, update));
            others.all(|other| other.knows(update))
        };
        let (shown, open): (Vec<&Update>, Vec<&Update>) = found.iter().partition(|update| match is_any {
            true => all_know(update),
            false => location.is_shown(update, word),
        });
        let mut seen = Vec::new();
        for update in &shown {
            // Of its own updates a thread learns that they have arrived, and nothing else.
            if update.component != component {
                threads.acquire_by_chance(component, &update.by.clock);
                seen.push((update.by.mark, Link::Value));
            }
            if let Some(op) = &update.by.op {
                op.notice(threads.tick(component));
            }
            update.is_seen_by(threads, component);
        }
        if is_any {
            // Any one of them was there: what is known in all these cases. One that all know shows no less.
            let known = found.iter().map(|update| update.by.clock.clone());
            if let Some(known) = known.reduce(|known, other| known.met(&other)) {
                threads.acquire_by_chance(component, &known);
            }
            return seen;
        }
        // Without each of the others, the rest was there: what is known in all these cases.
        let without = |late: &&Update| {
            let mut clock = VectorClock::default();
            for update in shown.iter().chain(&open) {
                if !std::ptr::eq(*update, *late) && !update.knows(late) {
                    clock.join(&update.by.clock);
                }
            }
            clock
        };
        let known = open.iter().map(without).reduce(|known, other| known.met(&other));
        if let Some(known) = known {
            threads.acquire_by_chance(component, &known);
        }
        seen
    }

    /// A fetch brings no value: its call has failed.
    pub(crate) fn withdraw(&mut self, rank: Rank, id: OperationId) {
        self.take(rank, id);
    }

    /// The value of a fetch is there at this time.
    pub(crate) fn fetched(
        &mut self,
        threads: &mut Threads,
        rank: Rank,
        id: OperationId,
        (value, time): (u64, Stamp),
    ) -> Edges {
        let Some(fetch) = self.take(rank, id) else {
            return Edges::new();
        };
        let location = self.locations.entry(fetch.location).or_default();
        let mask = mask(fetch.size);
        let value = value & mask;
        let mut seen_from = Edges::new();
        let others = location.updates.iter();
        let is_none = |update: &Update| update.by.op.as_ref().is_some_and(|op| op.is_withdrawn());
        let others = others.filter(|update| update.component != fetch.component && !is_none(update));
        for update in others {
            let seen = match (update.operator, update.operand) {
                (Some(AccumulateOp::Replace), Some(operand)) => operand & mask == value,
                // Compare-and-swap, or an operator that builds on the old value.
                _ => {
                    update.is_complete_before(fetch.issued)
                        || !location.is_untouched_by(update, value, &fetch)
                }
            };
            if seen {
                // The thread that takes the value may be another than the one that asked for it, which is meant.
                threads.learn(fetch.component, &update.by.clock);
                if fetch.location.0 == rank {
                    update.is_seen_by(threads, fetch.component);
                }
                if update.by.mark.0 != rank {
                    seen_from.push((update.by.mark, Link::Value));
                }
            }
        }
        let is_older = |found: &Found| found.issued != fetch.issued && !fetch.issued.is_before(found.issued);
        if location.found.as_deref().is_none_or(is_older) {
            let found = Found {
                value,
                issued: fetch.issued,
                brought: time,
                only_reads: fetch.only_reads,
            };
            match &mut location.found {
                Some(last) => **last = found,
                none => *none = Some(Box::new(found)),
            }
        }
        threads.has_acquired(fetch.component);
        seen_from
    }

    /// Forgets updates that all threads know.
    pub(crate) fn forget(&mut self, floor: &VectorClock) {
        self.locations.retain(|_, location| {
            location.updates.retain(|update| !update.is_known_to(floor));
            !location.updates.is_empty()
        });
        let kept = self
            .locations
            .values()
            .map(|location| location.updates.len())
            .sum();
        self.kept = (kept, kept);
    }

    /// Whether so much has come that forgetting is worth its while.
    pub(crate) fn have_grown(&self) -> bool {
        self.kept.0 > 2 * self.kept.1 + MANY
    }

    /// What an update of an operation comes from, with others if it has it in common with them.
    fn by(&mut self, threads: &Threads, component: Component, op: &Rc<Op>, before: Batches) -> Rc<Issue> {
        let index = component as usize;
        if index >= self.recent.len() {
            self.recent.resize_with(index + 1, Recent::default);
        }
        let recent = &mut self.recent[index];
        let now = threads.knowledge(component);
        if recent.since != now {
            recent.since = now;
            recent.issues.clear();
        }
        let is_of = |issue: &&Rc<Issue>| issue.op.as_ref().is_some_and(|other| Rc::ptr_eq(other, op));
        if let Some(issue) = recent.issues.iter().find(is_of) {
            return Rc::clone(issue);
        }
        let issue = Rc::new(Issue {
            clock: threads.clock(component).clone(),
            mark: op.mark(),
            op: Some(Rc::clone(op)),
            before,
        });
        if recent.issues.len() < RECENT_ISSUES {
            recent.issues.push(Rc::clone(&issue));
        }
        issue
    }

    fn expect(&mut self, rank: Rank, id: OperationId, fetch: Fetch) {
        let index = rank.0 as usize;
        if index >= self.fetches.len() {
            self.fetches.resize_with(index + 1, VecDeque::new);
        }
        let waiting = &mut self.fetches[index];
        let place = waiting.partition_point(|(other, _)| *other < id);
        waiting.insert(place, (id, fetch));
    }

    fn take(&mut self, rank: Rank, id: OperationId) -> Option<Fetch> {
        let waiting = self.fetches.get_mut(rank.0 as usize)?;
        let place = waiting.binary_search_by_key(&id, |(other, _)| *other).ok()?;
        waiting.remove(place).map(|(_, fetch)| fetch)
    }

    fn add(&mut self, place: (Rank, u64), update: Update) {
        let component = update.component;
        let adds = update.by.op.as_ref().is_some_and(|op| {
            let only_adds =
                op.kind() == OperationKind::Accumulate && update.operator == Some(AccumulateOp::Sum);
            only_adds && op.interface().waits_for_words()
        });
        let location = self.locations.entry(place).or_default();
        location.updates.push(update);
        self.kept.0 += 1;
        let own = |update: &Update| update.component == component;
        let most = match adds {
            true => KEPT_OF_ADDITIONS,
            false => KEPT_A_THREAD,
        };
        if location.updates.iter().filter(|update| own(update)).count() > most
            && let Some(oldest) = location.updates.iter().position(own)
        {
            location.updates.remove(oldest);
            self.kept.0 -= 1;
            if let Some(next) = location.updates.iter_mut().find(|update| own(update)) {
                next.stands_for_earlier = true;
            }
        }
    }
}

/// The bits of so many bytes.
fn mask(size: u32) -> u64 {
    if size >= 8 {
        u64::MAX
    } else {
        (1 << (8 * size)) - 1
    }
}
