//! The last command: the one that comes before the delayed event, and after something that happened after it.

use super::Delay;
use super::accesses::Access;
use super::layout::{LATE_READ, LATE_WRITTEN, Layout};
use super::offers::{Late, Offer};
use crate::issue::Issued;

impl Delay {
    /// The parts of popa and popb with which a command closes a cycle, if it does.
    pub(super) fn last(&self, state: &[u32], rank: usize, offer: &Offer) -> Option<(u8, u8)> {
        let event = Layout::delayed(state).filter(|_| !offer.polls())?;
        let [first, second] = self.accesses(rank, &offer.issued);
        let first = first?;
        let conflicts = |access: Access| access.address == event.address && (access.writes || event.writes);
        let after = state[self.layout.after(rank)] != 0;
        // Its events that come before all that is late happen after the delayed event by what was in time.
        let in_time = |access: Access| {
            let seen = state[self.layout.accessed(access.address)] & !(LATE_READ | LATE_WRITTEN);
            seen & super::layout::WRITTEN != 0 || (access.writes && seen != 0)
        };
        let queued = match &offer.issued {
            Issued::Remote(remote) => self.queued(state, rank, remote),
            _ => Late::default(),
        };
        if conflicts(first)
            && !queued.popa
            && (after || in_time(first) || second.is_some_and(|second| self.after(state, second)))
        {
            // popb comes last of all.
            return Some((0, if second.is_some() { 2 } else { 0 }));
        }
        let second = second?;
        (conflicts(second) && !queued.popb && (after || in_time(first) || in_time(second))).then_some((0, 0))
    }
}
