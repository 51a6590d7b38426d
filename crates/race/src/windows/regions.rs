//! What one process attaches to one window (`MPI_Win_attach`), and what it has detached.
//!
//! Source: MPI-4.1 §12.2.4.

use super::Outside;
use crate::finding::Site;
use farside_clocks::{Epoch, VectorClock};
use farside_events::{Rank, ThreadId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// Where something is done, by which thread, and when.
pub(crate) type Moment = (Site, ThreadId, Epoch);

/// Attached memory.
#[derive(Clone, Copy, Debug)]
struct Attached {
    size: u64,
    /// Where, by whom and when it was attached.
    at: Moment,
}

/// Memory that is attached no more.
#[derive(Clone, Copy, Debug)]
struct Detached {
    start: u64,
    region: Attached,
    /// Where, by whom and when it was detached.
    at: Moment,
}

/// What a process has detached last is kept, so many regions of a window.
const DETACHED: usize = 1024;

/// What processes may have seen of each other through window memory, without being ordered after it.
///
/// Who reads an address comes after the call that attached what lies there, by whatever it reads it: that call was over
/// before the address was written. So what is read here orders no access to memory, but the attaching before it.
///
/// Deviation: what a process was brought may have lain anywhere in the memory that it was fetched from.
#[derive(Debug, Default)]
pub(super) struct Sights {
    /// Something was attached: most jobs attach nothing.
    is_needed: bool,
    /// What those know that wrote to the memory of a process.
    contents: HashMap<Rank, VectorClock>,
    /// What those know that wrote what a process fetched.
    seen: HashMap<Rank, VectorClock>,
    /// From whose memory a process fetches what it may not have yet.
    pending: HashMap<Rank, HashSet<Rank>>,
}

impl Sights {
    /// Something is attached.
    pub(super) fn begin(&mut self) {
        self.is_needed = true;
    }

    /// An operation is issued by an origin that knows what `clock` does; what it does with the memory of its target.
    pub(super) fn carry(
        &mut self,
        [rank, target]: [Rank; 2],
        clock: &VectorClock,
        [reads, writes]: [bool; 2],
    ) {
        if !self.is_needed {
            return;
        }
        if reads {
            self.fetch(rank, target);
            self.pending.entry(rank).or_default().insert(target);
        }
        if writes {
            let contents = self.contents.entry(target).or_default();
            contents.join(clock);
            if let Some(seen) = self.seen.get(&rank) {
                contents.join(seen);
            }
        }
    }

    /// A process completes what it fetches from a target, or from all.
    pub(super) fn complete(&mut self, rank: Rank, target: Option<Rank>) {
        let Some(pending) = self.pending.get_mut(&rank) else {
            return;
        };
        let done = match target {
            Some(target) => pending.take(&target).into_iter().collect(),
            None => std::mem::take(pending),
        };
        done.into_iter().for_each(|target| self.fetch(rank, target));
    }

    fn fetch(&mut self, rank: Rank, target: Rank) {
        if let Some(contents) = self.contents.get(&target) {
            self.seen.entry(rank).or_default().join(contents);
        }
    }

    /// What an origin knows that knows what a clock does.
    pub(super) fn origin<'c>(&'c self, rank: Rank, clock: &'c VectorClock) -> Origin<'c> {
        let seen = [&self.seen, &self.contents].map(|clocks| clocks.get(&rank));
        Origin { clock, seen }
    }
}

/// What the origin of an operation knows of regions.
#[derive(Clone, Copy)]
pub(super) struct Origin<'c> {
    clock: &'c VectorClock,
    /// What it may have read, in what it fetched and in its own memory.
    seen: [Option<&'c VectorClock>; 2],
}

impl Origin<'_> {
    /// Whether it knows of what was attached then.
    fn knows(&self, since: Epoch) -> bool {
        let mut seen = self.seen.iter().flatten();
        self.clock.covers(since) || seen.any(|clock| clock.covers(since))
    }
}

/// The regions of a process that a window holds, and those that it held.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// By its start.
    attached: BTreeMap<u64, Attached>,
    /// The latest last.
    detached: VecDeque<Detached>,
}

impl Regions {
    /// Attaches memory.
    ///
    /// # Errors
    ///
    /// Where some of it was attached that still is.
    pub(super) fn attach(&mut self, start: u64, size: u64, at: Moment) -> Result<(), Site> {
        let end = start.saturating_add(size);
        let mut before = self.attached.range(..end);
        let overlap = before
            .next_back()
            .filter(|(first, other)| first.saturating_add(other.size) > start);
        if let (Some((_, other)), true) = (overlap, size > 0) {
            return Err(other.at.0);
        }
        self.attached.insert(start, Attached { size, at });
        Ok(())
    }

    /// Detaches the memory that begins here; whether there is some.
    pub(super) fn detach(&mut self, start: u64, at: Moment) -> bool {
        let Some(region) = self.attached.remove(&start) else {
            return false;
        };
        if self.detached.len() == DETACHED {
            self.detached.pop_front();
        }
        self.detached.push_back(Detached { start, region, at });
        true
    }

    /// The memory that is attached from an address on.
    pub(super) fn at(&self, start: u64) -> Option<Range<u64>> {
        let region = self.attached.get(&start)?;
        Some(start..start.saturating_add(region.size))
    }

    /// Whether nothing is attached.
    pub(super) fn is_empty(&self) -> bool {
        self.attached.is_empty()
    }

    /// Whether one attached region holds these bytes.
    pub(super) fn hold(&self, bytes: &Range<u64>) -> bool {
        self.attachment(bytes).is_some()
    }

    /// How these bytes are not attached, or are not known to be by the origin.
    pub(super) fn unattached(&self, bytes: &Range<u64>, origin: Origin<'_>) -> Option<Outside> {
        let clock = origin.clock;
        let attached = self.attachment(bytes).map(|region| region.at);
        if attached.is_some_and(|(.., since)| origin.knows(since)) {
            return None;
        }
        let before = self.detached(bytes, clock).map(|before| before.at);
        let late = before.filter(|(.., since)| attached.is_none() || !clock.covers(*since));
        let bytes = bytes.clone();
        Some(match (late, attached) {
            (Some((site, thread, since)), _) => Outside::Detached(bytes, site, thread, clock.covers(since)),
            (None, Some((site, thread, _))) => Outside::AttachedUnknown(bytes, site, thread),
            (None, None) => Outside::Unattached(bytes),
        })
    }

    /// What held these bytes and is detached: the last of which those who know what `clock` does know that it was
    /// attached.
    fn detached(&self, bytes: &Range<u64>, clock: &VectorClock) -> Option<&Detached> {
        let holds = |detached: &&Detached| {
            let end = detached.start.saturating_add(detached.region.size);
            detached.start <= bytes.start && bytes.end <= end && clock.covers(detached.region.at.2)
        };
        self.detached.iter().rev().find(holds)
    }

    /// The attached region that holds these bytes.
    fn attachment(&self, bytes: &Range<u64>) -> Option<&Attached> {
        let (start, region) = self.attached.range(..=bytes.start).next_back()?;
        let end = start.saturating_add(region.size);
        (bytes.start < end && bytes.end <= end).then_some(region)
    }
}
