//! Notices of puts: one is taken only after its put was issued.

use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// Notices that were not taken, of the crate `farside`.
#[derive(Debug, Default)]
pub(super) struct Notices {
    /// The origins of the puts, by window, target and number.
    given: HashMap<(WinId, Rank, u32), Vec<Rank>>,
}

impl Notices {
    /// A put is issued that gives one.
    pub(super) fn give(&mut self, win: WinId, target: Rank, origin: Rank, number: u32) {
        self.given.entry((win, target, number)).or_default().push(origin);
    }

    /// Whether there is one that was not taken.
    pub(super) fn has(&self, win: WinId, target: Rank, source: Option<Rank>, number: u32) -> bool {
        let given = self.given.get(&(win, target, number));
        given.is_some_and(|given| source.map_or(!given.is_empty(), |source| given.contains(&source)))
    }

    /// One is taken.
    pub(super) fn take(&mut self, win: WinId, target: Rank, source: Option<Rank>, number: u32) {
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
