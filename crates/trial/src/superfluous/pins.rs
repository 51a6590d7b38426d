//! What keeps synchronisation in its place for reasons that the detector does not judge.
//!
//! - Memory is attached to a window, or a process gets its part of one by itself: who uses it has to come after that.
//!   A call in which processes meet stays if it is the first that all pass after such a change, or among those up to
//!   it; likewise before memory is detached.
//! - A collective call on an active set (OpenSHMEM) has work arrays that all must have initialised, or have done with:
//!   what comes before it, since all met last, stays.
//! - A receive from any source takes the message that comes first. If one process got messages of several in this way,
//!   all that orders processes stays.
//! - Atomic instructions on memory that processes share are not followed by their values.

use farside_events::{PostId, Rank};
use farside_findings::Reason;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;

/// See the module's head.
#[derive(Debug, Default)]
pub(super) struct Pins {
    /// Processes whose memory has changed since all met last.
    changed: HashSet<Rank>,
    /// Meetings of each process since all met last, that one included.
    lately: HashMap<Rank, Vec<usize>>,
    /// Receives from any source, and the last of each process.
    open: HashSet<(Rank, PostId)>,
    last: HashMap<Rank, bool>,
    sources: HashMap<Rank, BTreeSet<Rank>>,
    /// The end of a process takes its memory away.
    ends: bool,
    shared: bool,
    atomic: bool,
}

impl Pins {
    /// A process has memory that it had not.
    pub(super) fn attach(&mut self, rank: Rank) {
        self.changed.insert(rank);
    }

    /// Likewise; its end takes it away, and waits for nobody.
    pub(super) fn attach_until_end(&mut self, rank: Rank) {
        self.ends = true;
        self.attach(rank);
    }

    /// Whether the end of a process takes memory away that others may still use.
    pub(super) fn leaves_memory(&self) -> bool {
        self.ends
    }

    /// It will not have some any more; gives the meetings that may order its use before that.
    pub(super) fn detach(&mut self, rank: Rank) -> Vec<usize> {
        self.changed.insert(rank);
        self.lately(rank)
    }

    /// Its meetings since all met last, that one included.
    pub(super) fn lately(&self, rank: Rank) -> Vec<usize> {
        self.lately.get(&rank).cloned().unwrap_or_default()
    }

    /// It comes to a meeting, of everybody or of some; says whether that has to stay.
    pub(super) fn meet(&mut self, rank: Rank, visit: usize, everybody: bool) -> bool {
        let lately = self.lately.entry(rank).or_default();
        if everybody {
            lately.clear();
        }
        lately.push(visit);
        match everybody {
            true => self.changed.remove(&rank),
            false => self.changed.contains(&rank),
        }
    }

    /// A receive is posted.
    pub(super) fn post(&mut self, rank: Rank, post: PostId, any: bool) {
        self.last.insert(rank, any);
        if any {
            self.open.insert((rank, post));
        }
    }

    /// It has brought a message.
    pub(super) fn receive(&mut self, rank: Rank, post: PostId, source: Option<Rank>) {
        if self.open.remove(&(rank, post)) {
            self.sources.entry(rank).or_default().extend(source);
        }
    }

    /// A blocking receive, the last that was posted, has brought a message.
    pub(super) fn receive_blocking(&mut self, rank: Rank, source: Option<Rank>) {
        if self.last.get(&rank) == Some(&true) {
            self.sources.entry(rank).or_default().extend(source);
        }
    }

    /// A window has, or has not, memory that several processes see.
    pub(super) fn share(&mut self, shared: bool) {
        self.shared |= shared;
    }

    /// Memory is accessed, by atomic instructions or others.
    pub(super) fn access_atomically(&mut self, atomic: bool) {
        self.atomic |= atomic;
    }

    /// Why all stays that orders processes, if it has to.
    pub(super) fn of_all(&self) -> Option<Reason> {
        if self.sources.values().any(|sources| sources.len() > 1) {
            return Some(Reason::AnySource);
        }
        (self.shared && self.atomic).then_some(Reason::AtomicInstructions)
    }
}
