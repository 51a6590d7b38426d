//! Fences and the freeing of windows: what they order (MPI-4.1 §12.5.1, §12.2.5).
//!
//! A fence completes the operations of its process at origin and target and is a barrier, unless
//! `MPI_MODE_NOPRECEDE` says that there is nothing to complete: such a fence need not wait for anyone. Then an
//! operation of the epoch that it opens takes effect only after its target has entered the fence.

use super::{Promise, Threads};
use crate::record::{Arrival, Op};
use farside_clocks::{Component, Gathering, VectorClock};
use farside_events::{Assertions, Rank, WinId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The fences of all windows.
#[derive(Debug, Default)]
pub(crate) struct Fences {
    windows: HashMap<WinId, OfWindow>,
}

/// The fences of one window that are in progress, or whose epoch is.
#[derive(Debug, Default)]
struct OfWindow {
    /// How many each process has called.
    called: HashMap<Rank, u64>,
    running: HashMap<u64, Fence>,
    free: Free,
}

/// One fence.
#[derive(Debug, Default)]
struct Fence {
    gathered: Gathering,
    entered: HashMap<Rank, Entry>,
    left: usize,
    /// Operations that must wait for their target to enter this fence.
    deferred: HashMap<Rank, Vec<Arrival>>,
    /// The process that entered first; the assertions of the others are compared with its, until one differs.
    first: Option<Rank>,
    differs: bool,
}

/// One process' part in a fence.
#[derive(Clone, Debug)]
struct Entry {
    /// What it knew when it entered; kept where the fence need not be a barrier.
    clock: Option<VectorClock>,
    promise: Promise,
}

/// The freeing of a window.
#[derive(Debug, Default)]
struct Free {
    gathered: Gathering,
    entered: HashSet<Rank>,
    left: usize,
}

/// What entering a fence brings about.
#[derive(Debug, Default)]
pub(crate) struct Entered {
    ready: Vec<Arrival>,
    unlike: Option<(Rank, Promise)>,
}

impl Entered {
    /// The process that entered first, if it gave other assertions and nobody else has so far.
    pub(crate) fn unlike(&self) -> Option<(Rank, Promise)> {
        self.unlike
    }

    /// Operations that take effect now.
    pub(crate) fn into_ready(self) -> Vec<Arrival> {
        self.ready
    }
}

impl Fences {
    /// A window exists.
    pub(crate) fn open(&mut self, win: WinId) {
        self.windows.entry(win).or_default();
    }

    /// A window is freed.
    pub(crate) fn close(&mut self, win: WinId) {
        self.windows.remove(&win);
    }

    /// How many fences a process has called on a window: the number of its next one.
    pub(crate) fn called(&self, win: WinId, rank: Rank) -> u64 {
        let window = self.windows.get(&win);
        let called = window.and_then(|window| window.called.get(&rank));
        called.copied().unwrap_or(0)
    }

    /// Who has entered a fence; `None` if it is over or unknown.
    pub(crate) fn entered(&self, win: WinId, number: u64) -> Option<impl Fn(Rank) -> bool + '_> {
        let fence = self.windows.get(&win)?.running.get(&number)?;
        Some(|rank| fence.entered.contains_key(&rank))
    }

    /// Who has begun to free a window; `None` if it is unknown.
    pub(crate) fn freeing(&self, win: WinId) -> Option<impl Fn(Rank) -> bool + '_> {
        let window = self.windows.get(&win)?;
        Some(|rank| window.free.entered.contains(&rank))
    }

    /// A process, whose operations are complete, enters its next fence on the window.
    pub(crate) fn enter(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        promise: Promise,
    ) -> Entered {
        let rank = threads.rank(component);
        let clock = threads.release(component);
        let Some(window) = self.windows.get_mut(&win) else {
            return Entered::default();
        };
        let called = window.called.entry(rank).or_default();
        let fence = window.running.entry(*called).or_default();
        *called += 1;
        let first = *fence.first.get_or_insert(rank);
        fence.gathered.add(&clock);
        let kept = promise.assertions().noprecede.then_some(clock);
        let entry = Entry {
            clock: kept.clone(),
            promise,
        };
        fence.entered.insert(rank, entry);
        let mut ready = fence.deferred.remove(&rank).unwrap_or_default();
        if let Some(clock) = &kept {
            ready.iter_mut().for_each(|access| access.wait_for(clock));
        }
        let key = |assertions: Assertions| (assertions.noprecede, assertions.nosucceed);
        let other = fence.entered.get(&first).map(|entry| entry.promise);
        let unlike = other
            .filter(|other| !fence.differs && key(other.assertions()) != key(promise.assertions()))
            .map(|other| (first, other));
        fence.differs |= unlike.is_some();
        Entered { ready, unlike }
    }

    /// A process leaves a fence of a window with so many members.
    pub(crate) fn leave(
        &mut self,
        threads: &mut Threads,
        component: Component,
        (win, number): (WinId, u64),
        assertions: Assertions,
        members: usize,
    ) {
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let Some(fence) = window.running.get_mut(&number) else {
            return;
        };
        let learned = (!assertions.noprecede).then(|| threads.joined(&mut fence.gathered));
        fence.left += 1;
        // The epoch that this fence opened may still need its entries until all have left the next one.
        let over = fence.left >= members && members > 0;
        if over && let Some(before) = number.checked_sub(1) {
            window.running.remove(&before);
        }
        if let Some(clock) = learned {
            threads.acquire(component, &clock);
        }
    }

    /// An operation of the epoch that a fence opened: given back with what its target gave to that fence, or kept until
    /// the target enters it.
    pub(crate) fn arrive(
        &mut self,
        number: u64,
        op: &Op,
        mut access: Arrival,
    ) -> Option<(Arrival, Option<Promise>)> {
        let window = self.windows.get_mut(&op.win());
        let Some(fence) = window.and_then(|window| window.running.get_mut(&number)) else {
            return Some((access, None));
        };
        let Some(entry) = fence.entered.get(&op.target()) else {
            fence.deferred.entry(op.target()).or_default().push(access);
            return None;
        };
        if let Some(clock) = &entry.clock {
            access.wait_for(clock);
        }
        Some((access, Some(entry.promise)))
    }

    /// A process, whose operations are complete, begins to free the window. Others wait for it, or its info says that
    /// nobody locks the window, so that they need not (MPI-4.1 §12.2.5).
    pub(crate) fn enter_free(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        is_awaited: bool,
    ) {
        let clock = threads.release(component);
        if let Some(window) = self.windows.get_mut(&win) {
            if is_awaited {
                window.free.gathered.add(&clock);
            }
            window.free.entered.insert(threads.rank(component));
        }
    }

    /// The window with so many members is freed at a process; whether it is at all of them. `None` if there is no such
    /// window.
    pub(crate) fn leave_free(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        members: usize,
    ) -> Option<bool> {
        let free = &mut self.windows.get_mut(&win)?.free;
        free.left += 1;
        threads.acquire_all(component, &mut free.gathered);
        Some(free.left >= members && members > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Site;
    use farside_events::{StackId, ThreadId};

    const WIN: WinId = WinId(7);

    fn promise(rank: u32, noprecede: bool) -> Promise {
        let assertions = Assertions {
            noprecede,
            ..Assertions::default()
        };
        Promise::new(Site::of_call(Rank(rank), StackId(1)), assertions)
    }

    /// Both of two processes call a fence; whether the first knows afterwards what the second did before.
    fn orders(noprecede: bool) -> bool {
        let mut threads = Threads::default();
        let mut fences = Fences::default();
        fences.open(WIN);
        let both = [0, 1].map(|rank| threads.component(Rank(rank), ThreadId(0)));
        let before = threads.now(both[1]);
        for (rank, component) in [0, 1].into_iter().zip(both) {
            let promise = promise(rank, noprecede);
            assert_eq!(fences.called(WIN, Rank(rank)), 0);
            let entered = fences.enter(&mut threads, component, WIN, promise);
            assert!(entered.unlike().is_none());
        }
        let assertions = promise(0, noprecede).assertions();
        fences.leave(&mut threads, both[0], (WIN, 0), assertions, 2);
        threads.clock(both[0]).covers(before)
    }

    #[test]
    fn a_fence_is_a_barrier_unless_nothing_precedes() {
        assert!(orders(false));
        assert!(!orders(true));
    }

    #[test]
    fn a_difference_in_assertions_is_told_once() {
        let mut threads = Threads::default();
        let mut fences = Fences::default();
        fences.open(WIN);
        let unlike = [false, true, true]
            .into_iter()
            .enumerate()
            .map(|(rank, noprecede)| {
                let rank = rank as u32;
                let component = threads.component(Rank(rank), ThreadId(0));
                let entered = fences.enter(&mut threads, component, WIN, promise(rank, noprecede));
                entered.unlike().map(|(first, _)| first)
            });
        let unlike: Vec<_> = unlike.collect();
        assert_eq!(unlike, [None, Some(Rank(0)), None]);
        let entered = fences.entered(WIN, 0).expect("a fence in progress");
        assert!(entered(Rank(2)) && !entered(Rank(3)));
    }
}
