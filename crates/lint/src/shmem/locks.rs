//! Who has which lock, and who waits for it (OpenSHMEM 1.5 §9.12).
//!
//! Promise: who waits gets a lock in the order of arrival, as §9.12.1 says of `shmem_set_lock`.

use farside_events::WinId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::VecDeque;

/// A lock, by the object and the distance of its word.
pub(super) type Lock = (WinId, i64);

/// A thread, by its process and its number there.
pub(super) type Applicant = (u32, usize);

/// All locks of the job.
#[derive(Debug, Default)]
pub(super) struct Locks {
    used: HashMap<Lock, State>,
}

#[derive(Debug, Default)]
struct State {
    holder: Option<u32>,
    /// In the order of arrival.
    waiting: VecDeque<Applicant>,
}

impl Locks {
    /// A thread asks for a lock and waits where it has to; gives the process that comes before it, if one does.
    pub(super) fn ask(&mut self, lock: Lock, applicant: Applicant) -> Option<u32> {
        let state = self.used.entry(lock).or_default();
        if !state.waiting.contains(&applicant) {
            state.waiting.push_back(applicant);
        }
        let first = state.waiting.front().copied().filter(|first| *first != applicant);
        let before = state.holder.or(first.map(|(rank, _)| rank));
        if before.is_none() {
            state.waiting.pop_front();
            state.holder = Some(applicant.0);
        }
        before
    }

    /// A process takes a lock that nobody has or waits for; whether it could.
    pub(super) fn try_to_take(&mut self, lock: Lock, rank: u32) -> bool {
        let state = self.used.entry(lock).or_default();
        let is_free = state.holder.is_none() && state.waiting.is_empty();
        if is_free {
            state.holder = Some(rank);
        }
        is_free
    }

    /// Its holder gives a lock back.
    pub(super) fn clear(&mut self, lock: Lock) {
        if let Some(state) = self.used.get_mut(&lock) {
            state.holder = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: Lock = (WinId(3), 8);

    #[test]
    fn who_comes_first_is_served_first() {
        let mut locks = Locks::default();
        assert_eq!(locks.ask(LOCK, (0, 0)), None);
        assert_eq!(locks.ask(LOCK, (1, 0)), Some(0));
        assert_eq!(locks.ask(LOCK, (2, 0)), Some(0));
        locks.clear(LOCK);
        // Who had it comes again, before the one who waits has gone on.
        assert_eq!(locks.ask(LOCK, (0, 0)), Some(1));
        assert_eq!(locks.ask(LOCK, (2, 0)), Some(1));
        assert!(!locks.try_to_take(LOCK, 0));
        assert_eq!(locks.ask(LOCK, (1, 0)), None);
        locks.clear(LOCK);
        assert_eq!(locks.ask(LOCK, (0, 0)), Some(2));
        assert_eq!(locks.ask(LOCK, (2, 0)), None);
    }
}
