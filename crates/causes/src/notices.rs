//! Notices of puts, and flags that they set: one is taken, or seen, only after its put was issued.

use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// Notices that were not taken, of the crate `farside`.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    /// The origins of the puts, by window, target and number.
    given: HashMap<(WinId, Rank, u32), Vec<Rank>>,
    /// How much more often a flag was set than taken, by window, owner and number.
    flags: HashMap<(WinId, Rank, u32), i64>,
}

impl Notices {
    /// A put is issued that gives one.
    pub(crate) fn give(&mut self, win: WinId, target: Rank, origin: Rank, number: u32) {
        self.given.entry((win, target, number)).or_default().push(origin);
    }

    /// An operation is issued that sets a flag of this process, in this window.
    pub(crate) fn set(&mut self, win: WinId, owner: Rank, number: u32) {
        *self.flags.entry((win, owner, number)).or_default() += 1;
    }

    /// Its owner takes a flag.
    pub(crate) fn unset(&mut self, win: WinId, owner: Rank, number: u32) {
        *self.flags.entry((win, owner, number)).or_default() -= 1;
    }

    /// Whether a flag is set, as far as operations were handed on.
    pub(crate) fn is_set(&self, win: WinId, owner: Rank, number: u32) -> bool {
        self.flags
            .get(&(win, owner, number))
            .is_some_and(|count| *count > 0)
    }

    /// Whether there is one that was not taken.
    pub(crate) fn has(&self, win: WinId, target: Rank, source: Option<Rank>, number: u32) -> bool {
        let given = self.given.get(&(win, target, number));
        given.is_some_and(|given| source.map_or(!given.is_empty(), |source| given.contains(&source)))
    }

    /// One is taken.
    pub(crate) fn take(&mut self, win: WinId, target: Rank, source: Option<Rank>, number: u32) {
        let key = (win, target, number);
        let Some(given) = self.given.get_mut(&key) else {
            return;
        };
        let meant = given
            .iter()
            .position(|origin| source.is_none_or(|source| *origin == source));
        if let Some(place) = meant {
            given.remove(place);
        }
        if given.is_empty() {
            self.given.remove(&key);
        }
    }
}
