//! Changed events in an order that could have been.
//!
//! Events are handed on in the order of the run. A process that waits in an added call for others is held back, and
//! with it whoever waits for what it would have done by then: that is what gates tell (`farside-causes`). As long as
//! nobody is held back, the order is that of the run. Who waited until a word fulfils a condition may find another
//! value there that does, if what it found in the run comes later now.

use crate::holders::{Holders, Wait};
use farside_causes::{Gate, Gates, Moment};
use farside_events::{AccumulateOp, Event, EventKind, Operation, OperationKind, Rank};
use farside_race::Detector;
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An event, and how it came into the stream.
#[derive(Debug)]
pub(crate) struct Item {
    event: Event,
    /// It is of an added call.
    added: bool,
}

impl Item {
    /// An event of the run, or of an added call.
    pub(crate) fn new(event: Event, added: bool) -> Self {
        Self { event, added }
    }

    /// The event.
    pub(crate) fn event_mut(&mut self) -> &mut Event {
        &mut self.event
    }
}

/// Processes wait for each other, and nobody is left whom they wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck;

/// Hands events on to a detector.
pub(crate) struct Replay {
    judge: Detector,
    gates: Gates,
    causes: Vec<Moment>,
    /// What is held back, with the number of the event of the run that it comes from.
    held: BTreeMap<Rank, VecDeque<(u64, Item)>>,
    /// By process.
    clocks: HashMap<Rank, u32>,
    /// The last time that was handed on, by clock.
    last: HashMap<u32, u64>,
    /// Calls of the program may have to wait, too.
    strict: bool,
    /// Who would wait in other orders; `None` where nobody takes a lock.
    holders: Option<Box<Holders>>,
}

impl Replay {
    /// The times of processes belong to these clocks, and to clock 0 where nothing is said.
    pub(crate) fn new(clocks: &[(Rank, u32)], judge: Detector) -> Self {
        Self {
            judge,
            gates: Gates::default(),
            causes: Vec::new(),
            held: BTreeMap::new(),
            clocks: clocks.iter().copied().collect(),
            last: HashMap::default(),
            strict: false,
            holders: None,
        }
    }

    /// Calls of the program may have to wait where they did not.
    pub(crate) fn strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// Some take locks, which they may do in another order.
    pub(crate) fn with_locks(self, has_locks: bool) -> Self {
        let holders = has_locks.then(Box::default);
        Self { holders, ..self }
    }

    /// Those who would wait for ever if locks were taken in another order.
    pub(crate) fn waits(&self) -> Option<&BTreeSet<Wait>> {
        self.holders.as_ref().map(|holders| holders.waits())
    }

    /// What has judged them.
    pub(crate) fn judge(&self) -> &Detector {
        &self.judge
    }

    /// The same, to be told of the end.
    pub(crate) fn judge_mut(&mut self) -> &mut Detector {
        &mut self.judge
    }

    /// The number of the first event that is held back.
    pub(crate) fn first_held(&self) -> Option<u64> {
        let heads = self.held.values().filter_map(|queue| queue.front());
        heads.map(|(number, _)| *number).min()
    }

    /// Whether those who are held back wait for ever if nobody but them does anything any more: what they wait for is
    /// no value, which may have lain there.
    pub(crate) fn is_stuck(&self, mut others: impl Iterator<Item = Rank>) -> bool {
        let waits = |(rank, queue): (&Rank, &VecDeque<(u64, Item)>)| {
            let gate = queue.front().map(|(_, item)| self.gate(*rank, &item.event));
            gate.is_some_and(|gate| !matches!(gate, Gate::Open | Gate::Value))
        };
        !self.held.is_empty()
            && others.all(|rank| self.held.contains_key(&rank))
            && self.held.iter().all(waits)
    }

    /// What comes of the event of this number in the run, one after the other.
    pub(crate) fn push(&mut self, number: u64, rank: Rank, item: Item) {
        let free = self.held.is_empty();
        if free && (!(item.added || self.strict) || self.gate(rank, &item.event) == Gate::Open) {
            self.hand_on(rank, item.event);
            return;
        }
        self.held.entry(rank).or_default().push_back((number, item));
        if !free {
            self.release();
        }
    }

    /// No event comes any more.
    pub(crate) fn finish(&mut self) -> Result<(), Stuck> {
        self.release();
        while !self.held.is_empty() {
            // A value that nobody leaves any more lay there.
            let lay_there = |(rank, queue): (&Rank, &VecDeque<(u64, Item)>)| {
                let (_, item) = queue.front()?;
                let waits = self.gate(*rank, &item.event) == Gate::Value;
                (waits && !self.is_left_by_others(*rank, &item.event)).then_some(*rank)
            };
            let rank = self.held.iter().find_map(lay_there).ok_or(Stuck)?;
            self.hand_on_first(rank);
            self.release();
        }
        if let Some(holders) = &mut self.holders {
            holders.finish();
        }
        Ok(())
    }

    /// Whether another process would leave the value that the event has seen, if it were not held back itself.
    fn is_left_by_others(&self, rank: Rank, event: &Event) -> bool {
        let (of, seen) = match event.kind {
            EventKind::Seen { value, .. } => (Some(rank), value),
            EventKind::Fetched { value, .. } => (None, value),
            _ => return false,
        };
        let leaves = |operation: &Operation| {
            let is_there = of.is_none() || operation.target == of;
            let is_it = match (operation.kind, operation.operator) {
                (OperationKind::Get, _) => false,
                (OperationKind::Put, _) | (_, Some(AccumulateOp::Replace)) => operation.operand == Some(seen),
                _ => true,
            };
            is_there && is_it
        };
        let others = self.held.iter().filter(|(other, _)| **other != rank);
        others
            .flat_map(|(_, queue)| queue)
            .any(|(_, item)| matches!(&item.event.kind, EventKind::Operation(operation) if leaves(operation)))
    }

    /// Hands on what nothing holds back any more, what comes first in the run first.
    fn release(&mut self) {
        while let Some(rank) = self.next() {
            self.hand_on_first(rank);
        }
    }

    fn next(&self) -> Option<Rank> {
        let heads = self
            .held
            .iter()
            .filter_map(|(rank, queue)| Some((*rank, queue.front()?)));
        let open = heads.filter(|(rank, (_, item))| self.gate(*rank, &item.event) == Gate::Open);
        open.min_by_key(|(_, (number, _))| *number).map(|(rank, _)| rank)
    }

    fn gate(&self, rank: Rank, event: &Event) -> Gate {
        match self.gates.gate(rank, event) {
            Gate::Value if self.found_instead(rank, event).is_some() => Gate::Open,
            gate => gate,
        }
    }

    /// Another value than in the run that a wait may find now.
    fn found_instead(&self, rank: Rank, event: &Event) -> Option<u64> {
        let EventKind::Seen {
            address,
            size,
            until: Some(until),
            ..
        } = event.kind
        else {
            return None;
        };
        self.gates.fulfils(rank, (address, size), until)
    }

    fn hand_on_first(&mut self, rank: Rank) {
        let Some(queue) = self.held.get_mut(&rank) else {
            return;
        };
        let first = queue.pop_front();
        if queue.is_empty() {
            self.held.remove(&rank);
        }
        if let Some((_, Item { mut event, .. })) = first {
            let is_late = self.gates.gate(rank, &event) == Gate::Value;
            let found = self.found_instead(rank, &event).filter(|_| is_late);
            if let (Some(found), EventKind::Seen { value, .. }) = (found, &mut event.kind) {
                *value = found;
            }
            self.hand_on(rank, event);
        }
    }

    fn hand_on(&mut self, rank: Rank, mut event: Event) {
        let clock = self.clocks.get(&rank).copied().unwrap_or(0);
        let last = self.last.entry(clock).or_default();
        event.time = event.time.max(*last);
        *last = event.time;
        let moment = match &self.holders {
            Some(holders) => holders.moment(rank),
            None => Moment::new(clock as usize, event.time),
        };
        self.gates.pass(rank, &event, moment, &mut self.causes);
        if let Some(holders) = &mut self.holders {
            holders.pass(rank, &event, &self.causes, &self.gates);
        }
        self.causes.clear();
        self.judge.event(rank, &event);
    }
}
