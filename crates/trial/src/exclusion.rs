//! A lock of the threads of a process around parts of the program that have none: who is in one of them, and who has to
//! wait.
//!
//! The lock is the innermost one: in a section a thread waits for nobody, so that nobody waits for ever. A section in
//! which the run shows that a thread waits, or which it does not come to the end of, is none: then nothing is said.
//!
//! Which of two sections comes first is open. So what an operation needs for the one order, it must have for the other
//! one, too: where a section ends, all that was issued in it must be complete, as far as the race asks for it.
//!
//! A thread that comes to a section while another one is in its own is held back, with all that it does from then on,
//! until that one has come to its end. Whoever learned of what it did meanwhile in the run does not in the changed one:
//! an order may be lost by that, and never gained.

use crate::spots::Spot;
use farside_events::{Call, Event, EventKind, Operation, OperationKind, Rank, ThreadId};
use rustc_hash::FxHashMap as HashMap;

/// The lock of each process.
#[derive(Debug, Default)]
pub(crate) struct Exclusion {
    locks: HashMap<Rank, Lock>,
    /// A thread would wait in a section, or leave one with an operation that is not complete.
    is_broken: bool,
}

/// A lock, and who wants it.
#[derive(Debug, Default)]
struct Lock {
    /// Who has it, and where it is given back.
    owner: Option<(ThreadId, Spot)>,
    /// What the owner has issued in its section and not completed.
    pending: Vec<Operation>,
    /// What is held back, with the number of each event in the run.
    held: Vec<(u64, Event)>,
}

impl Exclusion {
    /// Takes an event of a thread if it has to wait; `begins` says whether the event begins a section.
    pub(crate) fn hold_back(&mut self, rank: Rank, event: (u64, Event), begins: bool) -> Option<Event> {
        let lock = self.locks.entry(rank).or_default();
        let thread = event.1.thread;
        let is_held = lock.held.iter().any(|(_, held)| held.thread == thread);
        let is_taken = lock.owner.is_some_and(|(owner, _)| owner != thread);
        if is_held || begins && is_taken {
            lock.held.push(event);
            return None;
        }
        Some(event.1)
    }

    /// What may go on now that nobody has the lock: everything that was held back, in its order.
    pub(crate) fn free(&mut self, rank: Rank) -> Vec<(u64, Event)> {
        match self.locks.get_mut(&rank) {
            Some(lock) if lock.owner.is_none() => std::mem::take(&mut lock.held),
            _ => Vec::new(),
        }
    }

    /// A thread comes to one of these places; whether it takes the lock.
    pub(crate) fn takes(
        &mut self,
        (rank, thread): (Rank, ThreadId),
        sections: &[[Spot; 2]],
        to: &[Spot],
    ) -> bool {
        let Some([_, end]) = sections.iter().find(|[from, _]| to.contains(from)) else {
            return false;
        };
        let lock = self.locks.entry(rank).or_default();
        if lock.owner.is_some() {
            return false;
        }
        lock.owner = Some((thread, *end));
        true
    }

    /// A thread has done what it does at a place; whether it gives the lock back.
    pub(crate) fn gives(&mut self, rank: Rank, thread: ThreadId, at: Spot) -> bool {
        match self.locks.get_mut(&rank) {
            Some(lock) if lock.owner == Some((thread, at)) => {
                lock.owner = None;
                self.is_broken |= !lock.pending.is_empty();
                lock.pending.clear();
                true
            }
            _ => false,
        }
    }

    /// A thread does something: in a section it only issues and completes operations; at their targets if `remotely`.
    pub(crate) fn note(&mut self, (rank, thread): (Rank, ThreadId), kind: &EventKind, remotely: bool) {
        let lock = self.locks.get_mut(&rank);
        let Some(lock) = lock.filter(|lock| lock.owner.is_some_and(|(owner, _)| owner == thread)) else {
            return;
        };
        let pending = &mut lock.pending;
        // What only reads is over where its bytes are.
        let is_enough = |op: &Operation| !remotely || op.kind == OperationKind::Get;
        match kind {
            EventKind::Operation(operation) => pending.push(operation.clone()),
            EventKind::OperationRequestDone { request } => {
                pending.retain(|op| op.request != Some(*request) || !is_enough(op));
            }
            EventKind::Enter { call, .. } => match call {
                Call::Flush {
                    win,
                    target,
                    local,
                    channel,
                } => {
                    let is_meant = |op: &Operation| {
                        let of_channel = channel.is_none_or(|channel| channel == op.channel);
                        op.win == *win && (target.is_none() || op.target == *target) && of_channel
                    };
                    pending.retain(|op| !(is_meant(op) && (!local || is_enough(op))));
                }
                Call::Unlock { win, target } => {
                    pending.retain(|op| op.win != *win || op.target != Some(*target));
                }
                Call::UnlockAll { win } => pending.retain(|op| op.win != *win),
                Call::Completion { .. } | Call::Sync { .. } => {}
                _ => self.is_broken = true,
            },
            EventKind::Acquire { .. } | EventKind::Seen { .. } | EventKind::ThreadEnd => {
                self.is_broken = true;
            }
            _ => {}
        }
    }

    /// The number of the first event that is held back.
    pub(crate) fn first_held(&self) -> Option<u64> {
        let held = self.locks.values().filter_map(|lock| lock.held.first());
        held.map(|(number, _)| *number).min()
    }

    /// Whether every section came to its end with all complete, and nobody had to wait in one.
    pub(crate) fn is_over(&self) -> bool {
        let is_free = |lock: &Lock| lock.owner.is_none() && lock.held.is_empty();
        !self.is_broken && self.locks.values().all(is_free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{ObjectId, StackId};

    const RANK: Rank = Rank(0);

    fn event(thread: u64, kind: EventKind) -> Event {
        let thread = ThreadId(thread as _);
        Event {
            time: 0,
            thread,
            kind,
        }
    }

    #[test]
    fn who_comes_later_waits_until_the_section_ends() {
        let [first, last] = [Spot::default(), Spot::numbered(1)];
        let sections = [[first, last]];
        let mut exclusion = Exclusion::default();
        let [one, other] = [0, 1].map(|thread| event(thread, EventKind::Exit).thread);
        assert!(exclusion.takes((RANK, one), &sections, &[first]));
        let begins = |number| (number, event(1, EventKind::Exit));
        assert!(exclusion.hold_back(RANK, begins(5), true).is_none());
        assert!(exclusion.hold_back(RANK, begins(6), false).is_none());
        assert!(
            exclusion
                .hold_back(RANK, (7, event(2, EventKind::Exit)), false)
                .is_some()
        );
        assert!(exclusion.free(RANK).is_empty() && exclusion.first_held() == Some(5));
        assert!(!exclusion.gives(RANK, other, last) && !exclusion.gives(RANK, one, first));
        assert!(exclusion.gives(RANK, one, last));
        let numbers: Vec<u64> = exclusion.free(RANK).iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [5, 6]);
        assert!(exclusion.is_over());
    }

    #[test]
    fn what_may_wait_is_no_section() {
        let sections = [[Spot::default(), Spot::numbered(1)]];
        let call = |call| EventKind::Enter {
            call,
            stack: StackId::UNKNOWN,
        };
        let flush = Call::Completion {
            name: "MPI_Wait".into(),
        };
        let waits = EventKind::Acquire { object: ObjectId(1) };
        for (kind, is_over) in [(call(flush), true), (call(Call::Finalize), false), (waits, false)] {
            let mut exclusion = Exclusion::default();
            let thread = event(0, EventKind::Exit).thread;
            assert!(exclusion.takes((RANK, thread), &sections, &[Spot::default()]));
            exclusion.note((RANK, thread), &kind, true);
            assert!(!exclusion.is_over());
            assert!(exclusion.gives(RANK, thread, Spot::numbered(1)));
            assert_eq!(exclusion.is_over(), is_over);
        }
    }
}
