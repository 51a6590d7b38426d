//! Post, start, complete, wait: which start meets which post, and what that orders (MPI-4.1 §12.5.2).
//!
//! An operation of an access epoch takes effect at its target only after the matching post; it is complete at the
//! origin after complete, and at the target after the wait that matches. Start and complete themselves need not wait
//! for the target, so that they order nothing for the origin; but a result comes from after the post.

use super::starts::{Starts, Stuck};
use super::{Edge, Promise, Threads};
use crate::finding::{Link, Site};
use crate::record::{Arrival, Op};
use farside_clocks::{Component, Epoch, VectorClock};
use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Which post a start meets, on all windows.
#[derive(Debug, Default)]
pub(crate) struct Exposure {
    windows: HashMap<WinId, OfWindow>,
    starts: Starts,
}

/// The pairs of one window, by target and origin.
#[derive(Debug, Default)]
struct OfWindow {
    pairs: HashMap<(Rank, Rank), Pair>,
    /// The access epochs that are open: for each target the number of the exposure epoch that it meets.
    started: HashMap<Rank, BTreeMap<Rank, u64>>,
    /// Processes in complete.
    reading: HashMap<Rank, Reading>,
}

/// What a process gets results from in a complete that is under way.
#[derive(Debug, Default)]
struct Reading {
    /// Exposure epochs: target and number.
    from: Vec<(Rank, u64)>,
    /// What their posts tell.
    told: VectorClock,
}

/// The epochs between one target and one origin.
#[derive(Debug, Default)]
pub(crate) struct Pair {
    /// Exposure epochs opened by the target, and access epochs opened by the origin, so far.
    posted: u64,
    started: u64,
    /// Posts not yet waited for, with their number.
    posts: VecDeque<(u64, Post)>,
    completes: VecDeque<Completed>,
    deferred: VecDeque<(u64, Arrival)>,
    /// The last start, and whether it gave `MPI_MODE_NOCHECK`.
    last_start: Option<(Site, bool)>,
    last_post: Option<Site>,
}

/// An exposure epoch for one origin.
#[derive(Clone, Debug)]
struct Post {
    clock: VectorClock,
    at: Epoch,
    promise: Promise,
}

/// An access epoch that its origin has completed.
#[derive(Debug)]
struct Completed {
    clock: VectorClock,
    ops: Vec<Rc<Op>>,
    mark: (Rank, u64),
}

/// What a post brings about.
#[derive(Debug, Default)]
pub(crate) struct Posted {
    ready: Vec<Arrival>,
    unlike: Vec<(Rank, Site)>,
    stuck: Vec<Vec<Stuck>>,
}

impl Posted {
    /// Starts that the post meets and that differ from it in `MPI_MODE_NOCHECK`: origin and place.
    pub(crate) fn unlike(&self) -> &[(Rank, Site)] {
        &self.unlike
    }

    /// Starts that would wait for each other if they waited for their posts.
    pub(crate) fn stuck(&self) -> &[Vec<Stuck>] {
        &self.stuck
    }

    /// Operations that take effect now.
    pub(crate) fn into_ready(self) -> Vec<Arrival> {
        self.ready
    }
}

impl Pair {
    /// Exposure epochs opened by the target so far.
    pub(crate) fn posted(&self) -> u64 {
        self.posted
    }

    /// Access epochs opened by the origin so far.
    pub(crate) fn started(&self) -> u64 {
        self.started
    }

    /// Where the last access epoch was opened.
    pub(crate) fn last_start(&self) -> Option<Site> {
        self.last_start.map(|(site, _)| site)
    }

    /// Where the last exposure epoch was opened.
    pub(crate) fn last_post(&self) -> Option<Site> {
        self.last_post
    }

    /// Whether a completed access epoch was not waited for.
    pub(crate) fn is_completed(&self) -> bool {
        !self.completes.is_empty()
    }

    /// The post that the next start meets, if it was called.
    pub(crate) fn next_post(&self) -> Option<Promise> {
        self.next().map(|post| post.promise)
    }

    /// Whether a thread that knows `clock` knows that the post which the next start meets was called.
    pub(crate) fn next_post_is_known(&self, clock: &VectorClock) -> bool {
        self.next().is_some_and(|post| clock.covers(post.at))
    }

    fn next(&self) -> Option<&Post> {
        let mut posts = self.posts.iter();
        posts
            .find(|(number, _)| *number == self.started)
            .map(|(_, post)| post)
    }
}

impl Exposure {
    /// A window exists.
    pub(crate) fn open(&mut self, win: WinId) {
        self.windows.entry(win).or_default();
    }

    /// A window is freed.
    pub(crate) fn close(&mut self, win: WinId) {
        self.windows.remove(&win);
        self.starts.close(win);
    }

    /// Whether there is such a window.
    pub(crate) fn knows(&self, win: WinId) -> bool {
        self.windows.contains_key(&win)
    }

    /// The pairs of a window, by target and origin.
    pub(crate) fn pairs(&self, win: WinId) -> impl Iterator<Item = ((Rank, Rank), &Pair)> {
        let window = self.windows.get(&win).into_iter();
        window.flat_map(|window| window.pairs.iter().map(|(ranks, pair)| (*ranks, pair)))
    }

    /// The epochs between a target and an origin.
    pub(crate) fn pair(&self, win: WinId, target: Rank, origin: Rank) -> Option<&Pair> {
        self.windows.get(&win)?.pairs.get(&(target, origin))
    }

    /// A process opens an exposure epoch.
    pub(crate) fn post(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        group: &[Rank],
        promise: Promise,
    ) -> Posted {
        let rank = threads.rank(component);
        let after = self.starts.before(threads.clock(component), threads);
        let at = threads.tick(component);
        let clock = threads.release(component);
        let mut done = Posted::default();
        let Some(window) = self.windows.get_mut(&win) else {
            return done;
        };
        for &origin in group {
            let pair = window.pairs.entry((rank, origin)).or_default();
            let number = pair.posted;
            pair.posted += 1;
            if let Some(reading) = window.reading.get_mut(&origin)
                && reading.from.contains(&(rank, number))
            {
                reading.told.join(&clock);
            }
            if pair.started == pair.posted
                && let Some((start, nocheck)) = pair.last_start
                && nocheck != promise.assertions().nocheck
            {
                done.unlike.push((origin, start));
            }
            pair.last_post = Some(promise.site());
            let stuck = self.starts.post((win, rank, origin), number, &after);
            done.stuck.extend(Some(stuck).filter(|stuck| !stuck.is_empty()));
            let post = Post {
                clock: clock.clone(),
                at,
                promise,
            };
            pair.posts.push_back((number, post));
            while let Some((_, mut access)) = pair.deferred.pop_front_if(|(wanted, _)| *wanted <= number) {
                access.wait_for(&clock);
                done.ready.push(access);
            }
        }
        done
    }

    /// A process opens an access epoch. Gives the starts that would wait for each other if they waited for their posts.
    pub(crate) fn start(
        &mut self,
        threads: &Threads,
        component: Component,
        win: WinId,
        group: &[Rank],
        promise: Promise,
    ) -> Vec<Stuck> {
        let (rank, nocheck) = (threads.rank(component), promise.assertions().nocheck);
        let Some(window) = self.windows.get_mut(&win) else {
            return Vec::new();
        };
        let mut targets = BTreeMap::new();
        let mut posts = Vec::new();
        for &target in group {
            let pair = window.pairs.entry((target, rank)).or_default();
            targets.insert(target, pair.started);
            posts.push((target, pair.started, pair.posted > pair.started));
            pair.started += 1;
            pair.last_start = Some((promise.site(), nocheck));
        }
        window.started.insert(rank, targets);
        if nocheck {
            return Vec::new();
        }
        let when = (threads.now(component), threads.chances());
        self.starts.start((win, rank, promise.site()), when, &posts)
    }

    /// An operation of an access epoch: given back with the post that it meets, or kept until that is called.
    pub(crate) fn arrive(&mut self, op: &Op, mut access: Arrival) -> Option<(Arrival, Option<Promise>)> {
        let Some(window) = self.windows.get_mut(&op.win()) else {
            return Some((access, None));
        };
        let started = window.started.get(&op.rank());
        let number = started.and_then(|targets| targets.get(&op.target()).copied());
        let pair = window.pairs.entry((op.target(), op.rank())).or_default();
        let number = number.unwrap_or(pair.started.saturating_sub(1));
        if pair.posted <= number {
            pair.deferred.push_back((number, access));
            return None;
        }
        let mut posts = pair.posts.iter();
        let post = posts.find(|(posted, _)| *posted == number).map(|(_, post)| post);
        if let Some(post) = post {
            access.wait_for(&post.clock);
        }
        Some((access, post.map(|post| post.promise)))
    }

    /// A process ends its access epoch, at `mark` in the sequence, with these operations; from the targets in `read` it
    /// gets results.
    pub(crate) fn complete(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        (ops, read): (Vec<Rc<Op>>, Vec<Rank>),
        mark: u64,
    ) {
        let rank = threads.rank(component);
        let clock = threads.release(component);
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let mut reading = Reading::default();
        for (target, number) in window.started.remove(&rank).unwrap_or_default() {
            let pair = window.pairs.entry((target, rank)).or_default();
            if read.contains(&target) {
                reading.from.push((target, number));
                for (_, post) in pair.posts.iter().filter(|(posted, _)| *posted == number) {
                    reading.told.join(&post.clock);
                }
            }
            let ops = ops.iter().filter(|op| op.target() == target).cloned();
            pair.completes.push_back(Completed {
                clock: clock.clone(),
                ops: ops.collect(),
                mark: (rank, mark),
            });
        }
        window.reading.insert(rank, reading);
    }

    /// Complete returned: what was read is there.
    pub(crate) fn leave_complete(&mut self, threads: &mut Threads, component: Component, win: WinId) {
        let rank = threads.rank(component);
        if let Some(window) = self.windows.get_mut(&win) {
            let reading = window.reading.remove(&rank).unwrap_or_default();
            threads.acquire(component, &reading.told);
        }
    }

    /// The exposure epoch of a process for a group is over: gives the operations that are done now at their target, and
    /// since which moment.
    pub(crate) fn wait(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        group: &[Rank],
    ) -> (Vec<Rc<Op>>, Epoch, Vec<Edge>) {
        let rank = threads.rank(component);
        let mut completed = Vec::new();
        if let Some(window) = self.windows.get_mut(&win) {
            for &origin in group {
                let pair = window.pairs.entry((rank, origin)).or_default();
                pair.posts.pop_front();
                completed.extend(pair.completes.pop_front());
            }
        }
        for access in &completed {
            threads.acquire(component, &access.clock);
        }
        let at = threads.tick(component);
        let edges = completed
            .iter()
            .map(|access| (access.mark, Link::Complete))
            .collect();
        let ops = completed.into_iter().flat_map(|access| access.ops).collect();
        (ops, at, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{Assertions, StackId, ThreadId};

    const WIN: WinId = WinId(7);

    #[test]
    fn a_start_meets_the_post_of_the_same_number() {
        let (target, origin) = (Rank(0), Rank(1));
        let mut threads = Threads::default();
        let component = threads.component(target, ThreadId(0));
        let other = threads.component(origin, ThreadId(0));
        let mut exposure = Exposure::default();
        exposure.open(WIN);
        let site = |rank, line| Site::of_call(rank, StackId(line));
        let nocheck = Assertions {
            nocheck: true,
            ..Assertions::default()
        };
        let post = |exposure: &mut Exposure, threads: &mut Threads, line, assertions| {
            let promise = Promise::new(site(target, line), assertions);
            let posted = exposure.post(threads, component, WIN, &[origin], promise);
            posted.unlike().to_vec()
        };
        let none = Assertions::default();
        // The post comes first, with an assertion.
        assert!(post(&mut exposure, &mut threads, 1, nocheck).is_empty());
        let met = exposure.pair(WIN, target, origin).and_then(Pair::next_post);
        assert_eq!(met.map(|met| met.site()), Some(site(target, 1)));
        exposure.start(
            &threads,
            other,
            WIN,
            &[target],
            Promise::new(site(origin, 2), none),
        );
        assert!(
            exposure
                .pair(WIN, target, origin)
                .and_then(Pair::next_post)
                .is_none()
        );
        // The start comes first: the post finds that it differs.
        exposure.start(
            &threads,
            other,
            WIN,
            &[target],
            Promise::new(site(origin, 3), none),
        );
        let unlike = post(&mut exposure, &mut threads, 4, nocheck);
        assert_eq!(unlike, [(origin, site(origin, 3))]);
        assert!(
            exposure
                .pairs(WIN)
                .all(|(_, pair)| pair.posted() == pair.started())
        );
    }
}
