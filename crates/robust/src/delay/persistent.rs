//! Processes that can go first (partial-order reduction).
//!
//! A set of processes is persistent in a state if no other process can access, before one of them moves, what one of their
//! next commands accesses, with a conflict. Whatever the others do then commutes with these commands, and can as well come
//! behind them. A process at a barrier is in no such set but that of all, since the barrier is a step of all.

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
                if !found.contains(&other) && processes[other].moves() && {
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
