//! Windows and the epochs of each process on them.

use crate::finding::Site;
use crate::locks::LockEpoch;
use crate::record::{Op, Record};
use farside_clocks::{Epoch, Gathering, VectorClock};
use farside_events::{AccumulateHints, Assertions, Rank, StackId, WindowFlavor};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// A window of the job.
#[derive(Debug, Default)]
pub(crate) struct WindowState {
    pub(crate) members: Option<Arc<[Rank]>>,
    pub(crate) name: Option<String>,
    pub(crate) parts: HashMap<Rank, Part>,
    /// Attached memory of dynamic windows: start -> size.
    pub(crate) attached: HashMap<Rank, BTreeMap<u64, (u64, Site)>>,
    pub(crate) epochs: HashMap<Rank, EpochState>,
    pub(crate) fences: HashMap<u64, Fence>,
    pub(crate) free: Fence,
    pub(crate) pairs: HashMap<(Rank, Rank), Pair>,
    /// Lock epochs: the last of each process and target (`None`: all targets).
    pub(crate) locks: HashMap<(Rank, Option<Rank>), Rc<LockEpoch>>,
    pub(crate) nocheck_used: bool,
}

/// One process' part.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) disp_unit: u32,
    pub(crate) flavor: WindowFlavor,
    pub(crate) accumulates: AccumulateHints,
    pub(crate) stack: StackId,
}

/// A fence (or the freeing) of a window in progress.
#[derive(Debug, Default)]
pub(crate) struct Fence {
    pub(crate) gathered: Gathering,
    /// What each process knew when it entered, and its assertions; kept where the fence need not be a barrier.
    pub(crate) entered: HashMap<Rank, FenceEntry>,
    pub(crate) left: usize,
    /// Operations that must wait for their target to enter this fence.
    pub(crate) deferred: HashMap<Rank, Vec<Deferred>>,
    pub(crate) mismatch_reported: bool,
    /// The process that entered first; the assertions of the others are compared with its.
    pub(crate) first: Option<Rank>,
}

/// One process' part in a fence.
#[derive(Clone, Debug)]
pub(crate) struct FenceEntry {
    pub(crate) clock: Option<VectorClock>,
    pub(crate) assertions: Assertions,
    pub(crate) site: Site,
}

/// The target side of an operation that takes effect only after its target has opened the exposure epoch.
#[derive(Clone, Debug)]
pub(crate) struct Deferred {
    pub(crate) parts: Vec<(Range<u64>, Rc<Record>)>,
    pub(crate) clock: VectorClock,
}

impl Deferred {
    /// The operation.
    pub(crate) fn operation(&self) -> Option<Rc<Op>> {
        self.parts
            .first()
            .and_then(|(_, record)| record.operation())
            .map(Rc::clone)
    }
}

/// Post/start/complete/wait between one target and one origin; key is (target, origin).
#[derive(Debug, Default)]
pub(crate) struct Pair {
    /// Exposure epochs opened by the target, and access epochs opened by the origin, so far.
    pub(crate) posted: u64,
    pub(crate) started: u64,
    /// Posts not yet waited for, with their number.
    pub(crate) posts: VecDeque<(u64, Post)>,
    pub(crate) completes: VecDeque<Completed>,
    pub(crate) deferred: VecDeque<(u64, Deferred)>,
    pub(crate) last_start: Option<Site>,
    /// Whether it gave `MPI_MODE_NOCHECK`.
    pub(crate) last_start_nocheck: bool,
    pub(crate) last_post: Option<Site>,
}

/// An exposure epoch for one origin.
#[derive(Clone, Debug)]
pub(crate) struct Post {
    pub(crate) clock: VectorClock,
    pub(crate) at: Epoch,
    pub(crate) assertions: Assertions,
    pub(crate) site: Site,
}

/// An access epoch that its origin has completed.
#[derive(Debug)]
pub(crate) struct Completed {
    pub(crate) clock: VectorClock,
    pub(crate) ops: Vec<Rc<Op>>,
    pub(crate) mark: (Rank, u64),
}

/// The epochs of one process on one window.
#[derive(Debug, Default)]
pub(crate) struct EpochState {
    /// Fences called so far.
    pub(crate) fences: u64,
    /// The last fence, if it opened an epoch that nothing has ended yet.
    pub(crate) fence: Option<FenceEpoch>,
    /// A fence with `MPI_MODE_NOSUCCEED` was the last synchronisation.
    pub(crate) nosucceed: Option<(Site, Assertions)>,
    /// Access epoch by start: target -> number of the exposure epoch that it meets.
    pub(crate) started: Option<(Site, BTreeMap<Rank, u64>)>,
    /// Exposure epochs in which complete, which is under way, gets results: target and number.
    pub(crate) read_from: Vec<(Rank, u64)>,
    /// What their posts tell.
    pub(crate) told_by_posts: VectorClock,
    /// Exposure epoch by post.
    pub(crate) posted: Option<(Site, Vec<Rank>)>,
    pub(crate) locked: BTreeMap<Rank, Rc<LockEpoch>>,
    pub(crate) locked_all: Option<Rc<LockEpoch>>,
    /// A store to the own part since the last synchronisation on the window.
    pub(crate) stored: Option<Rc<Record>>,
    pub(crate) freed: bool,
}

/// An epoch between two fences.
#[derive(Clone, Debug)]
pub(crate) struct FenceEpoch {
    pub(crate) index: u64,
    pub(crate) site: Site,
    /// The first operation issued in it.
    pub(crate) used: Option<Site>,
}

impl WindowState {
    /// Where it was created, on its lowest rank.
    pub(crate) fn creation(&self) -> Option<Site> {
        let lowest = self.parts.iter().min_by_key(|(rank, _)| **rank);
        lowest.map(|(&rank, part)| Site {
            rank,
            pc: None,
            stack: part.stack,
        })
    }

    /// Number of processes in the group; 0 if it is not known.
    pub(crate) fn group_size(&self) -> usize {
        self.members.as_ref().map_or(0, |members| members.len())
    }

    /// Processes of the group that have not entered `fence`.
    pub(crate) fn absent_from(&self, fence: &Fence) -> Vec<Rank> {
        let entered: HashSet<Rank> = fence.entered.keys().copied().collect();
        self.members
            .iter()
            .flat_map(|members| members.iter().copied())
            .filter(|rank| !entered.contains(rank))
            .collect()
    }

    /// The attached region of a dynamic window that holds `address`.
    pub(crate) fn attachment(&self, rank: Rank, address: u64) -> Option<Range<u64>> {
        let (&start, &(size, _)) = self.attached.get(&rank)?.range(..=address).next_back()?;
        (address < start.saturating_add(size)).then(|| start..start.saturating_add(size))
    }
}
