//! Whether a cycle can still be closed.
//!
//! The last command is one of a process that can still access the address of the delayed event, and that has happened
//! after it, or can come to: by an access in conflict with one that has. Processes that wait for what is delayed, or that
//! cannot go on, stay where they are for ever, and nobody passes a barrier then.

use super::Delay;
use super::futures::Accesses;
use super::layout::{LATE_WRITTEN, Layout, WRITTEN};
use super::offers::Process;
use crate::delay::futures::Access;

impl Delay {
    /// Whether no last command can come; `state` has a delayed event.
    pub(super) fn hopeless(&self, state: &[u32], processes: &[Process]) -> bool {
        let Some(event) = Layout::delayed(state) else {
            return false;
        };
        let passes = processes
            .iter()
            .all(|process| process.at_barrier || process.moves());
        // What each can still access; one that cannot go on, only as the last command.
        let mut reach: Vec<Accesses> = Vec::with_capacity(processes.len());
        for (rank, process) in processes.iter().enumerate() {
            let control = state[self.layout.control(rank)] as usize;
            reach.push(if passes {
                self.futures.far(rank, control).clone()
            } else if process.moves() {
                self.futures.near(rank, control).clone()
            } else {
                let mut next = Accesses::empty(self.futures.width);
                for offer in &process.offers {
                    for access in self.accesses(rank, &offer.issued).into_iter().flatten() {
                        next.insert(access);
                    }
                }
                next
            });
        }
        let ends = |rank: usize| reach[rank].conflicts(event);
        if passes {
            return !(0..processes.len()).any(ends);
        }
        let mut seen = self.seen(state);
        let mut after: Vec<bool> = (0..processes.len())
            .map(|rank| state[self.layout.after(rank)] != 0)
            .collect();
        let mut old = vec![false; processes.len()];
        loop {
            let mut changed = false;
            for rank in 0..processes.len() {
                after[rank] |= reach[rank].meets(&seen);
                if after[rank] && !old[rank] {
                    if ends(rank) {
                        return false;
                    }
                    (old[rank], changed) = (true, true);
                    if processes[rank].moves() {
                        seen.extend(&reach[rank]);
                    }
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// The accesses that happened after the delayed event.
    fn seen(&self, state: &[u32]) -> Accesses {
        let mut seen = Accesses::empty(self.futures.width);
        for address in 0..self.layout.ranks * self.layout.cells {
            let word = state[self.layout.accessed(address)];
            if word != 0 {
                seen.insert(Access {
                    address,
                    writes: word & (WRITTEN | LATE_WRITTEN) != 0,
                });
            }
        }
        seen
    }
}
