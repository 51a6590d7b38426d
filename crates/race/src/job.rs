//! Who is in the job: its size, its communicators, and who makes a call.

use crate::finding::{CallKind, RawParty, Site};
use crate::stamp::Stamp;
use farside_clocks::Component;
use farside_events::{CommId, Rank, ThreadId};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// The processes of the job and their groups.
#[derive(Debug, Default)]
pub(crate) struct Job {
    size: u32,
    communicators: HashMap<CommId, Arc<[Rank]>>,
    /// By rank; a process that is not here has clock 0.
    clocks: Vec<u32>,
}

impl Job {
    /// A process says how many there are.
    pub(crate) fn expect(&mut self, size: u32) {
        self.size = self.size.max(size);
    }

    /// A process has another clock than 0.
    pub(crate) fn set_clock(&mut self, rank: Rank, clock: u32) {
        let index = rank.0 as usize;
        if index >= self.clocks.len() {
            self.clocks.resize(index + 1, 0);
        }
        self.clocks[index] = clock;
    }

    /// A time of the clock of a process.
    pub(crate) fn stamp(&self, rank: Rank, time: u64) -> Stamp {
        Stamp::new(self.clock(rank), time)
    }

    /// Which clock a process has.
    pub(crate) fn clock(&self, rank: Rank) -> u32 {
        let clock = self.clocks.get(rank.0 as usize).copied();
        clock.unwrap_or(0)
    }

    /// Whether there is more than one clock.
    pub(crate) fn has_several_clocks(&self) -> bool {
        self.clocks.iter().any(|clock| *clock != 0)
    }

    /// A communicator exists.
    pub(crate) fn define(&mut self, comm: CommId, members: &[Rank]) {
        self.communicators.entry(comm).or_insert_with(|| members.into());
    }

    /// The number of processes.
    pub(crate) fn size(&self) -> u32 {
        self.size
    }

    /// The processes of a communicator, if it is known.
    pub(crate) fn members(&self, comm: CommId) -> Option<&Arc<[Rank]>> {
        self.communicators.get(&comm)
    }
}

/// A thread that is in a call, and where the call stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    component: Component,
    thread: ThreadId,
    site: Site,
}

impl Caller {
    pub(crate) fn new(component: Component, thread: ThreadId, site: Site) -> Self {
        Self {
            component,
            thread,
            site,
        }
    }

    pub(crate) fn component(&self) -> Component {
        self.component
    }

    pub(crate) fn rank(&self) -> Rank {
        self.site.rank
    }

    pub(crate) fn thread(&self) -> ThreadId {
        self.thread
    }

    pub(crate) fn site(&self) -> Site {
        self.site
    }

    /// The call as a party of a finding.
    pub(crate) fn party(&self, call: CallKind, target: Option<Rank>) -> RawParty {
        RawParty::call(call, self.site, self.thread, target)
    }
}

/// Places in the order of all that the detector does, as the events come.
#[derive(Debug, Default)]
pub(crate) struct Sequence(u64);

impl Sequence {
    /// The next place.
    pub(crate) fn advance(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}
