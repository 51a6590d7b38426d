//! What a run did, kept to be judged again.

use crate::excuses;
use crate::work::Work;
use farside_events::{Call, Event, EventKind, OperationKind, Rank, ThreadId};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a recording that are kept at the most.
const LIMIT: usize = 64 << 20;

/// The events of all processes of a job, each after what it acquires; see [`farside_race::Detector`].
///
/// Limit: of a run with more than 64 MiB of events nothing is kept ([`Recording::is_whole`]).
#[derive(Debug, Default)]
pub struct Recording {
    bytes: Vec<u8>,
    events: u64,
    /// What it takes to judge all of them.
    weight: u64,
    /// By rank: the number of the event after its last one.
    ends: Vec<u64>,
    /// Which clock the times of each process belong to.
    clocks: Vec<(Rank, u32)>,
    lost: bool,
    /// How much was read.
    read: AtomicU64,
    depends_on_order: bool,
    has_locks: bool,
    has_threads: bool,
    has_excuses: bool,
}

impl Recording {
    /// The times of a process belong to this clock; to clock 0, if nothing is said.
    pub fn set_clock(&mut self, rank: Rank, clock: u32) {
        self.clocks.push((rank, clock));
    }

    /// Keeps the next event.
    pub fn push(&mut self, rank: Rank, event: &Event) {
        self.depends_on_order |= event.kind.depends_on_order();
        self.has_locks |= takes_a_lock(&event.kind);
        self.has_threads |= event.thread != ThreadId(0);
        self.has_excuses |= excuses::need(&event.kind);
        if self.lost || farside_race::is_idle(&event.kind) {
            return;
        }
        if self.bytes.len() > LIMIT || matches!(event.kind, EventKind::Withheld { .. }) {
            return self.give_up();
        }
        let bytes = std::mem::take(&mut self.bytes);
        match postcard::to_extend(&(rank, event), bytes) {
            Ok(bytes) => {
                (self.bytes, self.events) = (bytes, self.events + 1);
                self.weight += weight(&event.kind);
                let index = rank.0 as usize;
                if self.ends.len() <= index {
                    self.ends.resize(index + 1, 0);
                }
                self.ends[index] = self.events;
            }
            Err(_) => self.give_up(),
        }
    }

    /// Keeps nothing any more.
    fn give_up(&mut self) {
        (self.bytes, self.lost) = (Vec::new(), true);
    }

    /// Whether something was done that goes another way if processes come in another order
    /// ([`EventKind::depends_on_order`]).
    #[must_use]
    pub fn depends_on_order(&self) -> bool {
        self.depends_on_order
    }

    /// Whether a process may take a lock.
    pub(crate) fn has_locks(&self) -> bool {
        self.has_locks
    }

    /// Whether a process has several threads.
    pub(crate) fn has_threads(&self) -> bool {
        self.has_threads
    }

    /// Whether something is right by what the order of the run was.
    pub(crate) fn has_excuses(&self) -> bool {
        self.has_excuses
    }

    /// Whether it has all events of the run.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.lost
    }

    /// How many events it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.events
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events == 0
    }

    /// Which clock the times of each process belong to, where that was said.
    pub(crate) fn clocks(&self) -> &[(Rank, u32)] {
        &self.clocks
    }

    /// Its events.
    pub(crate) fn events(&self) -> Events<'_> {
        Events {
            rest: &self.bytes,
            number: 0,
            read: &self.read,
        }
    }

    /// What it takes to judge it once.
    #[must_use]
    pub fn weight(&self) -> Work {
        Work::of(self.weight)
    }

    /// How much was read of it so far, again and again.
    #[must_use]
    pub fn work(&self) -> Work {
        Work::of(self.read.load(Ordering::Relaxed))
    }

    /// Its events with their numbers, until so much was done: `None` says that it is.
    pub(crate) fn events_until(&self, until: Work) -> impl Iterator<Item = Option<(u64, Rank, Event)>> {
        let numbered = (0..).zip(self.events());
        numbered.map(move |(number, (rank, event))| {
            let is_late = self.work() > until;
            (!is_late).then_some((number, rank, event))
        })
    }

    /// Whether a process does something from this event on.
    pub(crate) fn goes_on(&self, rank: Rank, number: u64) -> bool {
        let end = self.ends.get(rank.0 as usize);
        end.is_some_and(|end| *end > number)
    }

    /// How many processes have events.
    pub(crate) fn processes(&self) -> u32 {
        u32::try_from(self.ranks().count()).unwrap_or(u32::MAX)
    }

    /// The processes that have events.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = Rank> {
        let ranks = (0..).map(Rank).zip(&self.ends);
        ranks.filter(|(_, end)| **end > 0).map(|(rank, _)| rank)
    }
}

/// Whether a process may take a lock: an epoch, or a word that an atomic operation takes.
fn takes_a_lock(kind: &EventKind) -> bool {
    match kind {
        EventKind::Enter { call, .. } => matches!(call, Call::Lock { .. } | Call::LockAll { .. }),
        EventKind::Operation(operation) => matches!(
            operation.kind,
            OperationKind::GetAccumulate | OperationKind::FetchAndOp | OperationKind::CompareAndSwap
        ),
        _ => false,
    }
}

/// The events of a recording from some place on.
#[derive(Clone, Debug)]
pub(crate) struct Events<'r> {
    rest: &'r [u8],
    number: u64,
    read: &'r AtomicU64,
}

impl Events<'_> {
    /// The number of the next one, from 0.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

/// What it takes to judge an event: one may tell of many accesses.
fn weight(kind: &EventKind) -> u64 {
    let accesses = match kind {
        EventKind::Accesses(runs) => runs.len(),
        EventKind::Scattered(sets) => sets.len(),
        _ => 0,
    };
    accesses.max(1) as u64
}

impl Iterator for Events<'_> {
    type Item = (Rank, Event);

    fn next(&mut self) -> Option<Self::Item> {
        let (next, rest) = postcard::take_from_bytes(self.rest).ok()?;
        (self.rest, self.number) = (rest, self.number + 1);
        let (_, Event { kind, .. }): &(Rank, Event) = &next;
        self.read.fetch_add(weight(kind), Ordering::Relaxed);
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::ThreadId;

    fn event(kind: EventKind) -> Event {
        Event {
            time: 7,
            thread: ThreadId(1),
            kind,
        }
    }

    #[test]
    fn what_was_kept_comes_again() {
        let mut recording = Recording::default();
        let events = [EventKind::ThreadEnd, EventKind::Exit, EventKind::ThreadEnd].map(event);
        for (rank, event) in (0..).map(Rank).zip(&events) {
            recording.push(rank, event);
        }
        // Nobody judges the end of a process.
        let kept = vec![(Rank(0), events[0].clone()), (Rank(2), events[2].clone())];
        assert_eq!(recording.events().collect::<Vec<_>>(), kept);
        assert!(recording.is_whole() && recording.len() == 2);
    }

    #[test]
    fn whoever_has_done_enough_is_told_so() {
        let mut recording = Recording::default();
        for _ in 0..9 {
            recording.push(Rank(0), &event(EventKind::ThreadEnd));
        }
        let numbers = |until| {
            let events = recording.events_until(until);
            events
                .map(|next| next.map(|(number, ..)| number))
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(Work::ALL), (0..9).map(Some).collect::<Vec<_>>());
        assert_eq!(recording.work(), Work::of(9));
        let some = numbers(recording.work() + Work::of(3));
        assert_eq!((some[2], some[3]), (Some(2), None));
    }

    #[test]
    fn accesses_that_stay_elsewhere_are_missing() {
        let mut recording = Recording::default();
        recording.push(Rank(0), &event(EventKind::Withheld { runs: 1 }));
        assert!(!recording.is_whole() && recording.is_empty());
    }
}
