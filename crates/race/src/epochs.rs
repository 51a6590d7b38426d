//! Which epochs are open, and where each was opened, without what they order (`order`).
//!
//! Source: MPI-4.1 §12.5. A fence opens an epoch only if operations follow it, so that a lock or start after an unused
//! fence is no error. Lock epochs are kept in `order::locks`.

use crate::finding::{CallKind, Site, Spot};
use crate::job::Caller;
use crate::order::{Locks, Promise};
use crate::record::{AccessEpoch, Record};
use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// The epochs of all processes on all windows.
#[derive(Debug, Default)]
pub(crate) struct Epochs {
    windows: HashMap<WinId, HashMap<Rank, State>>,
}

/// The epochs of one process on one window.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The last fence, if it opened an epoch that nothing has ended yet.
    fence: Option<FenceEpoch>,
    /// A fence with `MPI_MODE_NOSUCCEED` was the last synchronisation.
    nosucceed: Option<Promise>,
    started: Option<(Site, Vec<Rank>)>,
    posted: Option<(Site, Vec<Rank>)>,
    /// Where the last access epoch was ended since then.
    completed: Option<Site>,
    /// Where it was last asked since then whether the exposure epoch is over.
    tested: Option<Site>,
    /// A store to the own part since the last synchronisation on the window.
    stored: Option<Rc<Record>>,
}

/// An epoch between two fences.
#[derive(Clone, Debug)]
struct FenceEpoch {
    number: u64,
    site: Site,
    used: bool,
}

impl State {
    /// Where the fence stands whose epoch has operations.
    pub(crate) fn used_fence(&self) -> Option<Site> {
        self.fence
            .as_ref()
            .filter(|fence| fence.used)
            .map(|fence| fence.site)
    }

    /// The number of the fence whose epoch is open.
    pub(crate) fn fence(&self) -> Option<u64> {
        self.fence.as_ref().map(|fence| fence.number)
    }

    /// The fence that promised that no operation follows.
    pub(crate) fn nosucceed(&self) -> Option<Promise> {
        self.nosucceed
    }

    /// Where the access epoch was opened.
    pub(crate) fn started(&self) -> Option<Site> {
        self.started.as_ref().map(|(site, _)| *site)
    }

    /// The target of the access epoch, if it has only one.
    pub(crate) fn only_target(&self) -> Option<Rank> {
        match self.started.as_ref()?.1.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Where the exposure epoch was opened.
    pub(crate) fn posted(&self) -> Option<Site> {
        self.posted.as_ref().map(|(site, _)| *site)
    }

    /// After what the end of the open exposure epoch belongs: after that of the own access epoch meanwhile, for which
    /// others may wait; else somewhere after its beginning.
    pub(crate) fn end_of_exposure(&self) -> Option<Spot> {
        let (posted, _) = self.posted.as_ref()?;
        let completed = self.completed.map(|site| Spot::of_call(CallKind::Complete, site));
        Some(completed.unwrap_or_else(|| Spot::of_call(CallKind::Post, *posted)))
    }

    /// The test that said that the open exposure epoch is not over, the last of them.
    pub(crate) fn test_of_exposure(&self) -> Option<Spot> {
        let tested = self.tested.filter(|_| self.posted.is_some())?;
        Some(Spot::of_call(CallKind::Test, tested))
    }

    /// A store to the own part since the last synchronisation on the window.
    pub(crate) fn stored(&self) -> Option<&Rc<Record>> {
        self.stored.as_ref()
    }
}

impl Epochs {
    /// A window exists.
    pub(crate) fn open(&mut self, win: WinId) {
        self.windows.entry(win).or_default();
    }

    /// A window is freed.
    pub(crate) fn close(&mut self, win: WinId) {
        self.windows.remove(&win);
    }

    /// The epochs of a process on a window.
    pub(crate) fn of(&self, win: WinId, rank: Rank) -> Option<&State> {
        self.windows.get(&win)?.get(&rank)
    }

    /// The first process that exposes its part of the window.
    pub(crate) fn exposed(&self, win: WinId) -> Option<(Rank, Site)> {
        let states = self.windows.get(&win)?.iter();
        let posted = states.filter_map(|(rank, state)| Some((*rank, state.posted()?)));
        posted.min_by_key(|(rank, _)| *rank)
    }

    /// For whom a process exposes its part.
    pub(crate) fn exposed_to(&self, win: WinId, rank: Rank) -> &[Rank] {
        let posted = self.of(win, rank).and_then(|state| state.posted.as_ref());
        posted.map_or(&[], |(_, group)| group)
    }

    /// The epoch that covers an operation to a target, if there is one.
    pub(crate) fn cover(
        &mut self,
        locks: &Locks,
        win: WinId,
        rank: Rank,
        target: Rank,
    ) -> Option<AccessEpoch> {
        let Some(window) = self.windows.get_mut(&win) else {
            return Some(AccessEpoch::Fence);
        };
        if let Some(epoch) = locks.epoch(win, rank, target) {
            return Some(epoch);
        }
        let state = window.entry(rank).or_default();
        if let Some((_, group)) = &state.started {
            return group.contains(&target).then_some(AccessEpoch::Start);
        }
        if locks.singles(win, rank).next().is_some() {
            return None;
        }
        state.fence.as_mut().map(|fence| {
            fence.used = true;
            AccessEpoch::Fence
        })
    }

    /// A process enters its fence of this number.
    pub(crate) fn fence(&mut self, win: WinId, rank: Rank, number: u64, promise: Promise) {
        let opens = !promise.assertions().nosucceed;
        if let Some(state) = self.state(win, rank) {
            state.stored = None;
            state.fence = opens.then_some(FenceEpoch {
                number,
                site: promise.site(),
                used: false,
            });
            state.nosucceed = (!opens).then_some(promise);
        }
    }

    /// A process opens an exposure epoch.
    pub(crate) fn post(&mut self, win: WinId, caller: &Caller, group: &[Rank]) {
        if let Some(state) = self.state(win, caller.rank()) {
            state.posted = Some((caller.site(), group.to_vec()));
            (state.completed, state.tested) = (None, None);
            // A fence epoch has no other synchronisation before its operations (Hoefler et al. 2014, §3.1 (5)).
            state.fence = None;
            state.stored = None;
        }
    }

    /// A process opens an access epoch.
    pub(crate) fn start(&mut self, win: WinId, caller: &Caller, group: &[Rank]) {
        if let Some(state) = self.state(win, caller.rank()) {
            state.started = Some((caller.site(), group.to_vec()));
            state.stored = None;
            state.fence = None;
            state.nosucceed = None;
        }
    }

    /// A process ends its access epoch, if there is one, or the window is unknown.
    pub(crate) fn complete(&mut self, win: WinId, caller: &Caller) -> bool {
        let Some(state) = self.state(win, caller.rank()) else {
            return true;
        };
        let was_open = state.started.take().is_some();
        if was_open {
            state.completed = Some(caller.site());
        }
        was_open
    }

    /// A process asks whether its exposure epoch is over.
    pub(crate) fn test(&mut self, win: WinId, caller: &Caller) {
        if let Some(state) = self.state(win, caller.rank()) {
            state.tested = Some(caller.site());
        }
    }

    /// A process ends its exposure epoch, if there is one: for whom it was.
    pub(crate) fn wait(&mut self, win: WinId, rank: Rank) -> Option<Vec<Rank>> {
        let state = self.state(win, rank)?;
        state.stored = None;
        state.posted.take().map(|(_, group)| group)
    }

    /// A process calls a lock.
    pub(crate) fn lock(&mut self, win: WinId, rank: Rank) {
        if let Some(state) = self.state(win, rank) {
            state.stored = None;
            state.fence = None;
            state.nosucceed = None;
        }
    }

    /// A process calls an unlock.
    pub(crate) fn unlock(&mut self, win: WinId, rank: Rank) {
        if let Some(state) = self.state(win, rank) {
            state.stored = None;
        }
    }

    /// A store to window memory of `owner`, for assertions that there is none.
    pub(crate) fn stored(&mut self, win: WinId, owner: Rank, record: &Rc<Record>) {
        if let Some(state) = self.state(win, owner) {
            state.stored.get_or_insert_with(|| Rc::clone(record));
        }
    }

    /// Whether there is such a window.
    pub(crate) fn knows(&self, win: WinId) -> bool {
        self.windows.contains_key(&win)
    }

    fn state(&mut self, win: WinId, rank: Rank) -> Option<&mut State> {
        Some(self.windows.get_mut(&win)?.entry(rank).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{Assertions, StackId, ThreadId};

    const WIN: WinId = WinId(7);
    const OWN: Rank = Rank(0);

    fn caller(line: u64) -> Caller {
        Caller::new(0, ThreadId(0), Site::of_call(OWN, StackId(line)))
    }

    fn fence(epochs: &mut Epochs, nosucceed: bool) {
        let assertions = Assertions {
            nosucceed,
            ..Assertions::default()
        };
        epochs.fence(WIN, OWN, 0, Promise::new(caller(1).site(), assertions));
    }

    #[test]
    fn a_fence_covers_everybody_until_another_epoch_begins() {
        let (mut epochs, locks) = (Epochs::default(), Locks::default());
        assert_eq!(epochs.cover(&locks, WIN, OWN, Rank(1)), Some(AccessEpoch::Fence));
        epochs.open(WIN);
        assert_eq!(epochs.cover(&locks, WIN, OWN, Rank(1)), None);
        fence(&mut epochs, false);
        let used = |epochs: &Epochs| epochs.of(WIN, OWN).and_then(State::used_fence).is_some();
        assert!(!used(&epochs));
        assert_eq!(epochs.cover(&locks, WIN, OWN, Rank(1)), Some(AccessEpoch::Fence));
        assert!(used(&epochs));
        epochs.start(WIN, &caller(2), &[Rank(2)]);
        assert_eq!(epochs.cover(&locks, WIN, OWN, Rank(2)), Some(AccessEpoch::Start));
        assert_eq!(epochs.cover(&locks, WIN, OWN, Rank(1)), None);
        assert!(epochs.complete(WIN, &caller(4)) && !epochs.complete(WIN, &caller(5)));
    }

    #[test]
    fn a_fence_that_nothing_follows_covers_nothing() {
        let (mut epochs, locks) = (Epochs::default(), Locks::default());
        epochs.open(WIN);
        fence(&mut epochs, true);
        assert_eq!(epochs.cover(&locks, WIN, OWN, Rank(1)), None);
        assert!(epochs.of(WIN, OWN).and_then(State::nosucceed).is_some());
        epochs.post(WIN, &caller(3), &[Rank(1)]);
        assert_eq!(epochs.exposed(WIN), Some((OWN, caller(3).site())));
        assert_eq!(epochs.wait(WIN, OWN), Some(vec![Rank(1)]));
        assert_eq!(epochs.wait(WIN, OWN), None);
    }

    #[test]
    fn an_exposure_ends_after_the_own_access_epoch() {
        let mut epochs = Epochs::default();
        epochs.open(WIN);
        let end = |epochs: &Epochs| epochs.of(WIN, OWN).and_then(State::end_of_exposure);
        epochs.post(WIN, &caller(1), &[Rank(1)]);
        assert_eq!(
            end(&epochs),
            Some(Spot::of_call(CallKind::Post, caller(1).site()))
        );
        epochs.start(WIN, &caller(2), &[Rank(1)]);
        epochs.complete(WIN, &caller(3));
        assert_eq!(
            end(&epochs),
            Some(Spot::of_call(CallKind::Complete, caller(3).site()))
        );
        epochs.wait(WIN, OWN);
        epochs.post(WIN, &caller(5), &[Rank(1)]);
        assert_eq!(
            end(&epochs),
            Some(Spot::of_call(CallKind::Post, caller(5).site()))
        );
    }
}
