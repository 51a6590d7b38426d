//! Post, start, complete, wait: the n-th exposure epoch of a target for an origin meets the n-th access epoch.

use crate::gate::{Gate, Gone, Moment};
use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// The epochs of all windows.
#[derive(Debug, Default)]
pub(crate) struct Exposure {
    windows: HashMap<WinId, OfWindow>,
}

/// Those of one window.
#[derive(Debug, Default)]
struct OfWindow {
    /// By target and origin.
    pairs: HashMap<(Rank, Rank), Pair>,
    /// The groups that processes expose their parts to.
    exposed: HashMap<Rank, Vec<Rank>>,
    /// The open access epochs.
    started: HashMap<Rank, Access>,
}

/// How many epochs there were between a target and an origin.
#[derive(Debug, Default)]
struct Pair {
    posted: u64,
    started: u64,
    completed: u64,
    waited: u64,
    last_post: Option<Moment>,
    last_complete: Option<Moment>,
}

/// An access epoch: its targets, with the number of the exposure epoch it meets, and whether results come from there.
#[derive(Debug, Default)]
struct Access(Vec<(Rank, u64, bool)>);

impl Exposure {
    pub(crate) fn post(&mut self, win: WinId, target: Rank, group: &[Rank], at: Moment) {
        let window = self.windows.entry(win).or_default();
        for origin in group {
            let pair = window.pairs.entry((target, *origin)).or_default();
            pair.posted += 1;
            pair.last_post = Some(at);
        }
        window.exposed.insert(target, group.to_vec());
    }

    pub(crate) fn start(&mut self, win: WinId, origin: Rank, group: &[Rank]) {
        let window = self.windows.entry(win).or_default();
        let mut access = Access::default();
        for target in group {
            let pair = window.pairs.entry((*target, origin)).or_default();
            access.0.push((*target, pair.started, false));
            pair.started += 1;
        }
        window.started.insert(origin, access);
    }

    /// An operation brings a result from a target.
    pub(crate) fn read(&mut self, win: WinId, origin: Rank, target: Rank) {
        let access = self
            .windows
            .get_mut(&win)
            .and_then(|window| window.started.get_mut(&origin));
        if let Some(access) = access {
            let of_target = access.0.iter_mut().filter(|(other, ..)| *other == target);
            of_target.for_each(|(_, _, reads)| *reads = true);
        }
    }

    /// `MPI_Win_complete` is called.
    pub(crate) fn complete(&mut self, win: WinId, origin: Rank, at: Moment) {
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let targets = window.started.get(&origin).map_or(&[][..], |access| &access.0);
        for (target, ..) in targets {
            let pair = window.pairs.entry((*target, origin)).or_default();
            pair.completed += 1;
            pair.last_complete = Some(at);
        }
    }

    /// Whether complete may return: what it brings comes from after the posts.
    pub(crate) fn completed(&self, win: WinId, origin: Rank, gone: &Gone) -> Gate {
        let reads = self.reads(win, origin);
        Gate::until(
            reads
                .into_iter()
                .all(|(target, number, pair)| pair.posted > number || gone.has(target)),
        )
    }

    /// Complete returns; gives the posts that it knows of.
    pub(crate) fn leave_complete(&mut self, win: WinId, origin: Rank, causes: &mut Vec<Moment>) {
        let last = |(_, number, pair): (Rank, u64, &Pair)| {
            // A later post says nothing of this one's time.
            (pair.posted == number + 1).then_some(pair.last_post)?
        };
        causes.extend(self.reads(win, origin).into_iter().filter_map(last));
        if let Some(window) = self.windows.get_mut(&win) {
            window.started.remove(&origin);
        }
    }

    /// Whether wait may return: all origins have completed.
    pub(crate) fn waited(&self, win: WinId, target: Rank, gone: &Gone) -> Gate {
        let come = |(origin, pair): (Rank, Option<&Pair>)| {
            gone.has(origin) || pair.is_some_and(|pair| pair.completed > pair.waited)
        };
        Gate::until(self.origins(win, target).all(come))
    }

    /// Wait returns; gives the calls of complete that it knows of.
    pub(crate) fn leave_wait(&mut self, win: WinId, target: Rank, causes: &mut Vec<Moment>) {
        let only = |(_, pair): (Rank, Option<&Pair>)| {
            pair.filter(|pair| pair.completed == pair.waited + 1)
                .and_then(|pair| pair.last_complete)
        };
        causes.extend(self.origins(win, target).filter_map(only));
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        for origin in window.exposed.remove(&target).unwrap_or_default() {
            if let Some(pair) = window.pairs.get_mut(&(target, origin)) {
                pair.waited += 1;
            }
        }
    }

    /// A window is gone at all its members.
    pub(crate) fn close(&mut self, win: WinId) {
        self.windows.remove(&win);
    }

    /// The targets that the access epoch of a process reads, and the numbers of their exposure epochs.
    fn reads(&self, win: WinId, origin: Rank) -> Vec<(Rank, u64, &Pair)> {
        let Some(window) = self.windows.get(&win) else {
            return Vec::new();
        };
        let access = window.started.get(&origin).map_or(&[][..], |access| &access.0);
        let reads = access.iter().filter(|(_, _, reads)| *reads);
        reads
            .filter_map(|(target, number, _)| Some((*target, *number, window.pairs.get(&(*target, origin))?)))
            .collect()
    }

    /// The origins that a process exposes its part to.
    fn origins(&self, win: WinId, target: Rank) -> impl Iterator<Item = (Rank, Option<&Pair>)> {
        let window = self.windows.get(&win).into_iter();
        window.flat_map(move |window| {
            let origins = window.exposed.get(&target).into_iter().flatten();
            origins.map(move |origin| (*origin, window.pairs.get(&(target, *origin))))
        })
    }
}
