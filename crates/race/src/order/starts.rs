//! Starts as if each waited for its posts, which the standard allows where the library at hand does not do it.
//!
//! "The call to `MPI_WIN_START` can block until the matching call to `MPI_WIN_POST` occurs at all target processes"
//! (MPI-4.1 §12.5.2). With a library that does so, a post is called only once the starts before it have met theirs.
//! Starts that would wait for each other are found here, in a run in which they did not.
//!
//! Promise: what is told follows from what the program waits for whatever happens: messages, collective calls, its own
//! order. Not told: circles through locks, atomic updates and receives from any source, which may go another way; a
//! start with `MPI_MODE_NOCHECK` waits for nobody.

use super::Threads;
use crate::finding::Site;
use farside_clocks::{Epoch, VectorClock};
use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// Starts whose posts are not all there, and posts that wait for starts.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    open: Vec<Open>,
    /// The starts that a post waits for whose own start was not called yet, by window, target, origin and number.
    ahead: HashMap<(WinId, Rank, Rank, u64), Vec<u64>>,
    last: u64,
}

/// A start that waits.
#[derive(Debug)]
struct Open {
    id: u64,
    win: WinId,
    rank: Rank,
    site: Site,
    at: Epoch,
    /// How often chance had ordered threads before it.
    chances: u64,
    posts: BTreeMap<Rank, Awaited>,
}

/// A post that a start waits for: its number, and once it was called, the starts that it waits for itself.
#[derive(Debug)]
struct Awaited {
    number: u64,
    after: Option<Vec<u64>>,
}

/// A start that would wait for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    origin: Rank,
    target: Rank,
    site: Site,
}

impl Stuck {
    /// Who starts.
    pub(crate) fn origin(&self) -> Rank {
        self.origin
    }

    /// Whose post it waits for.
    pub(crate) fn target(&self) -> Rank {
        self.target
    }

    /// Where the start stands.
    pub(crate) fn site(&self) -> Site {
        self.site
    }
}

impl Starts {
    /// A process calls a start for these targets; with each comes the number of the post that it meets, and whether
    /// that was called. Gives the starts that wait for each other from now on.
    pub(super) fn start(
        &mut self,
        (win, rank, site): (WinId, Rank, Site),
        (at, chances): (Epoch, u64),
        targets: &[(Rank, u64, bool)],
    ) -> Vec<Stuck> {
        self.last += 1;
        let id = self.last;
        let posts = targets.iter().map(|&(target, number, called)| {
            let ahead = self.ahead.remove(&(win, target, rank, number));
            let after = called.then(|| ahead.unwrap_or_default());
            (target, Awaited { number, after })
        });
        let posts = posts.collect();
        self.open.push(Open {
            id,
            win,
            rank,
            site,
            at,
            chances,
            posts,
        });
        self.settle();
        self.break_circle(id)
    }

    /// The starts that whoever knows `clock` has waited for.
    pub(super) fn before(&self, clock: &VectorClock, threads: &Threads) -> Vec<u64> {
        let waits = |start: &&Open| start.chances == threads.chances() && clock.covers(start.at);
        self.open.iter().filter(waits).map(|start| start.id).collect()
    }

    /// A process calls a post that meets the start of this number of an origin, after these starts. Gives the starts
    /// that wait for each other from now on.
    pub(super) fn post(
        &mut self,
        (win, target, origin): (WinId, Rank, Rank),
        number: u64,
        after: &[u64],
    ) -> Vec<Stuck> {
        let met = self.open.iter_mut().find_map(|start| {
            let is_its = start.win == win && start.rank == origin;
            let awaited = start.posts.get_mut(&target).filter(|_| is_its)?;
            (awaited.number == number).then_some((start.id, awaited))
        });
        let Some((id, awaited)) = met else {
            if !after.is_empty() {
                self.ahead.insert((win, target, origin, number), after.to_vec());
            }
            return Vec::new();
        };
        awaited.after = Some(after.to_vec());
        self.settle();
        self.break_circle(id)
    }

    /// A window is freed.
    pub(super) fn close(&mut self, win: WinId) {
        self.open.retain(|start| start.win != win);
        self.ahead.retain(|(of, ..), _| *of != win);
        self.settle();
    }

    /// Whether a start still waits.
    fn is_open(&self, id: u64) -> bool {
        self.open.iter().any(|start| start.id == id)
    }

    /// Lets those go on whose posts have all been called, by processes that were free to do so.
    fn settle(&mut self) {
        loop {
            let waits = |awaited: &Awaited| match &awaited.after {
                Some(after) => after.iter().any(|id| self.is_open(*id)),
                None => true,
            };
            let free = |start: &Open| !start.posts.values().any(waits);
            let left: Vec<u64> = self
                .open
                .iter()
                .filter(|start| !free(start))
                .map(|start| start.id)
                .collect();
            if left.len() == self.open.len() {
                break;
            }
            self.open.retain(|start| left.contains(&start.id));
        }
    }

    /// The starts on a way from one back to itself, each of which waits for a process that is in the next one. Each is
    /// told once: the first waits no longer.
    fn break_circle(&mut self, first: u64) -> Vec<Stuck> {
        let mut way: Vec<(u64, Stuck)> = Vec::new();
        let mut seen = vec![];
        if !self.leads_to(first, first, &mut seen, &mut way) {
            return Vec::new();
        }
        if let Some(start) = self.open.iter_mut().find(|start| start.id == first)
            && let Some((_, stuck)) = way.last()
            && let Some(awaited) = start.posts.get_mut(&stuck.target)
        {
            awaited.after = Some(Vec::new());
        }
        self.settle();
        way.into_iter().rev().map(|(_, stuck)| stuck).collect()
    }

    /// Whether a start waits for the last one, by the way that is added, the first last.
    fn leads_to(&self, from: u64, last: u64, seen: &mut Vec<u64>, way: &mut Vec<(u64, Stuck)>) -> bool {
        if seen.contains(&from) {
            return false;
        }
        seen.push(from);
        let Some(start) = self.open.iter().find(|start| start.id == from) else {
            return false;
        };
        for (&target, awaited) in &start.posts {
            for &next in awaited.after.iter().flatten() {
                if next == last || self.leads_to(next, last, seen, way) {
                    let stuck = Stuck {
                        origin: start.rank,
                        target,
                        site: start.site,
                    };
                    way.push((from, stuck));
                    return true;
                }
            }
        }
        false
    }
}
