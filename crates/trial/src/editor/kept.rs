//! Locks that a thread keeps where it leaves the function that has taken them, or goes back to where it took them.

use super::{Editor, Moment};
use crate::cut::order;
use crate::edit::{Edit, Where};
use crate::spots::{Spot, Spots};
use farside_events::{Call, EventKind, Outcome, Rank, StackId, WinId};
use farside_race::Places;
use std::cmp::Ordering;

/// A lock of one target that a thread has: and where it took it.
pub(super) struct Kept {
    win: WinId,
    target: Rank,
    at: Spot,
}

impl<P: Places> Editor<'_, P> {
    /// A thread calls something: what it has locked then, as far as edits ask for it.
    pub(super) fn note_lock(&mut self, at: Moment, spot: Spot, call: &Call) {
        match *call {
            Call::Lock { win, target, .. } if self.gives_back(spot) => {
                let kept = Kept {
                    win,
                    target,
                    at: spot,
                };
                self.thread(at).kept = Some(kept);
            }
            Call::Unlock { win, target } => {
                let is_it = |kept: &mut Kept| (kept.win, kept.target) == (win, target);
                self.thread(at).kept.take_if(is_it);
            }
            _ => {}
        }
    }

    fn gives_back(&self, spot: Spot) -> bool {
        self.at_statement(spot, |edit| match edit {
            Edit::Add {
                place: Where::Leaving(lock),
                ..
            } => Some(*lock),
            _ => None,
        })
    }

    /// A thread comes to these places: what it keeps is given back if it has left the function for them.
    pub(super) fn give_back(&mut self, at: Moment, spots: &[Spot]) {
        let is_left = |known: &Spots, kept: &mut Kept| {
            let is_there = |spot: &Spot| is_below(known, kept.at, *spot);
            !spots.iter().any(is_there)
        };
        let known = &*self.spots;
        let thread = self.known.threads.entry((at.rank, at.thread)).or_default();
        let Some(Kept { win, target, .. }) = thread.kept.take_if(|kept| is_left(known, kept)) else {
            return;
        };
        let (call, stack) = (Call::Unlock { win, target }, StackId::UNKNOWN);
        self.put(at, EventKind::Enter { call, stack });
        self.put(at, EventKind::Leave(Outcome::Done));
    }
}

/// Whether a place is reached below another one in the text, in the same call of the function that has that one.
pub(crate) fn is_below(spots: &Spots, lock: Spot, place: Spot) -> bool {
    let (lock, place) = (spots.stack(lock), spots.stack(place));
    let Some((own, callers)) = lock.split_first() else {
        return false;
    };
    let Some(depth) = place.len().checked_sub(callers.len() + 1) else {
        return false;
    };
    place[depth + 1..] == *callers && order(&place[depth], own) == Some(Ordering::Greater)
}
