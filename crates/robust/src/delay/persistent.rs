//! Processes that can go first (partial-order reduction).
//!
//! A set of processes is persistent in a state if no other process can access, before one of them moves, what one of
//! their next commands accesses, with a conflict. Whatever the others do then commutes with these commands, and can as
//! well come after them. A process at a barrier is in no such set but that of all, since the barrier is a step of all.
//!
//! Why this holds for what else a state has: whether a command happens after the delayed event, and which of its events
//! are late, depends on what was accessed where it accesses, and on the queues of its own process; both are the same
//! when something without a conflict comes before it. A wait depends on its own process. A command that delays its
//! event may come earlier likewise: what then comes after it has no conflict with it, and is neither late nor after it
//! on its account. And a last command of one of these processes, which is one of their next commands, is one now if it
//! is one later; one of another process stays one, since nothing that happened after the delayed event is ever
//! forgotten. (Commands that are not possible now are looked at too, since they may be last commands, or polls that end
//! later.)

use super::Delay;
use super::offers::Process;

impl Delay {
    /// The processes of a smallest persistent set that was found; none if it is that of all.
    pub(super) fn persistent(&self, state: &[u32], processes: &[Process]) -> Option<Vec<usize>> {
        let mut best: Option<Vec<usize>> = None;
        for rank in 0..processes.len() {
            if processes[rank].moves()
                && let Some(found) = self.closure(state, processes, rank)
                && best.as_ref().is_none_or(|best| found.len() < best.len())
            {
                let alone = found.len() == 1;
                best = Some(found);
                if alone {
                    break;
                }
            }
        }
        best
    }

    fn closure(&self, state: &[u32], processes: &[Process], first: usize) -> Option<Vec<usize>> {
        let mut found = vec![first];
        let mut next = 0;
        while let Some(&rank) = found.get(next) {
            if processes[rank].at_barrier {
                return None;
            }
            for other in 0..processes.len() {
                if !found.contains(&other) && processes[other].may_move() && {
                    let control = state[self.layout.control(other)] as usize;
                    let near = self.futures.near(other, control);
                    processes[rank].offers.iter().any(|offer| {
                        self.accesses(rank, &offer.issued)
                            .into_iter()
                            .flatten()
                            .any(|access| near.conflicts(access))
                    })
                } {
                    found.push(other);
                }
            }
            next += 1;
        }
        (found.len() < processes.len()).then_some(found)
    }
}
