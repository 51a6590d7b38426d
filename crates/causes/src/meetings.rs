//! Calls that several processes make together: collectives, fences, the freeing of windows.
//!
//! Who leaves such a call waits for those to enter it of whom it learns something: all in a barrier, the root of a
//! broadcast, lower ranks in a scan.

use crate::gate::{Gate, Gone, Latest, Moment};
use farside_events::{CommId, Direction, Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// Which call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Meeting {
    /// The collective with this number on a communicator.
    Collective(CommId, u64),
    /// The fence with this number on a window.
    Fence(WinId, u64),
    /// `MPI_Win_free`.
    Free(WinId),
}

/// One that is in progress.
#[derive(Debug, Default)]
struct State {
    entered: HashMap<Rank, Moment>,
    latest: Latest,
    /// The direction of a collective, as each process gave it.
    directions: HashMap<Rank, Direction>,
    left: usize,
}

/// All that are in progress.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    running: HashMap<Meeting, State>,
    /// Fences that each process has called on a window.
    fences: HashMap<WinId, HashMap<Rank, u64>>,
}

impl Meetings {
    /// A process enters its next fence on a window; gives that fence's number.
    pub(crate) fn fence(&mut self, win: WinId, rank: Rank, at: Moment) -> Meeting {
        let called = self.fences.entry(win).or_default().entry(rank).or_default();
        let fence = Meeting::Fence(win, *called);
        *called += 1;
        self.enter(fence, rank, Direction::All, at);
        fence
    }

    /// A process enters a call.
    pub(crate) fn enter(&mut self, meeting: Meeting, rank: Rank, direction: Direction, at: Moment) {
        let state = self.running.entry(meeting).or_default();
        state.entered.insert(rank, at);
        state.latest.add(at);
        if direction != Direction::All {
            state.directions.insert(rank, direction);
        }
    }

    /// Whether a process may leave a call of these members.
    pub(crate) fn gate(&self, meeting: Meeting, rank: Rank, members: &[Rank], gone: &Gone) -> Gate {
        let Some(state) = self.running.get(&meeting) else {
            return Gate::Open;
        };
        let come = |member: &Rank| state.entered.contains_key(member) || gone.has(*member);
        let before = || members.iter().take_while(|member| **member != rank);
        Gate::until(match state.directions.get(&rank) {
            None => state.entered.len() >= members.len() || (!gone.is_empty() && members.iter().all(come)),
            Some(Direction::ToRoot(root)) => *root != rank || members.iter().all(come),
            Some(Direction::FromRoot(root)) => *root == rank || !members.contains(root) || come(root),
            Some(Direction::Prefix) => before().all(come),
            Some(Direction::FromNeighbors(sources)) => {
                sources.iter().filter(|source| members.contains(source)).all(come)
            }
            Some(Direction::All | Direction::Nothing) => true,
        })
    }

    /// A process leaves a call of these members; gives what it waited for.
    pub(crate) fn leave(&mut self, meeting: Meeting, rank: Rank, members: &[Rank], causes: &mut Vec<Moment>) {
        let Some(state) = self.running.get_mut(&meeting) else {
            return;
        };
        match state.directions.get(&rank) {
            None => causes.extend(state.latest.all()),
            Some(Direction::FromRoot(root)) => causes.extend(state.entered.get(root)),
            Some(Direction::ToRoot(root)) if *root == rank => causes.extend(state.latest.all()),
            _ => {}
        }
        state.left += 1;
        if state.left >= members.len() {
            self.running.remove(&meeting);
        }
    }

    /// A window is gone at all its members.
    pub(crate) fn close(&mut self, win: WinId) {
        self.fences.remove(&win);
    }

    /// Whether nobody is in this call any more.
    pub(crate) fn is_over(&self, meeting: Meeting) -> bool {
        !self.running.contains_key(&meeting)
    }
}
