//! A detector as one of several judges of a job: which memory it has, and what it learns from the others.

use super::Detector;
use crate::record::{HeldLocks, LockEpoch, Op};
use crate::report::Moment;
use crate::shards::{Part, Shard};
use crate::{Ending, Options};
use farside_events::Rank;
use std::rc::Rc;

impl Detector {
    /// One of several judges of a job (see `crate::shards`); its outcome is that of [`Detector::part`].
    pub fn of_shard(options: Options, shard: Shard) -> Self {
        let mut detector = Self {
            shard: Some(shard),
            ..Self::new(options)
        };
        detector.locks.tell_others();
        detector
    }

    /// Ends the stream for one of several judges. Others do not wait for it any more.
    pub fn part(mut self, ending: &Ending) -> Part {
        let whole = self.shard.as_ref().is_some_and(|shard| !shard.is_cut_off());
        self.conclude(if whole { ending } else { &Ending::Broken });
        self.part_so_far()
    }

    /// What one of several judges found so far, for the case that it is not heard of any more: races have no advice
    /// yet.
    pub fn part_so_far(&self) -> Part {
        let sent = self.shard.as_ref().map(Shard::sent).unwrap_or_default();
        let found = self.report.parts(|sides| self.locks.leaves_open(sides));
        Part::new(found, self.counts.clone(), sent, self.options.first)
    }

    /// Nothing more is judged: other judges do not wait for this one.
    pub(super) fn retire(&mut self) {
        if let Some(shard) = &mut self.shard {
            shard.leave();
        }
    }

    /// Says whether one of several judges can still judge, and where it is.
    #[inline]
    pub(super) fn begin(&mut self, rank: Rank) -> bool {
        let Some(shard) = &self.shard else {
            return true;
        };
        self.elsewhere = !shard.owns(rank);
        self.report.begin(Moment::new(self.counts.events, self.elsewhere));
        !shard.is_cut_off()
    }

    /// Whether this judge has the memory of a process.
    #[inline]
    pub(super) fn owns(&self, rank: Rank) -> bool {
        self.shard.as_ref().is_none_or(|shard| shard.owns(rank))
    }

    /// Whether the process can access memory that this judge has.
    #[inline]
    pub(super) fn looks_at(&self, rank: Rank) -> bool {
        self.owns(rank) || self.windows.has_neighbours(rank)
    }

    /// After accesses of a process to what lies in its address space.
    #[inline]
    pub(super) fn agree_on_accesses(&mut self, rank: Rank) {
        if self.shard.is_some() {
            let owner = (!self.windows.has_neighbours(rank)).then_some(rank);
            let locks = self.locks.held(rank).clone();
            self.agree(owner, &locks);
        }
    }

    /// After the target side of an operation.
    #[inline]
    pub(super) fn agree_on_target(&mut self, op: &Op) {
        if self.shard.is_some() {
            let locks = self.locks.held(op.rank()).clone();
            self.agree(Some(op.target()), &locks);
        }
    }

    /// The locks of a process, if judges must know of them later.
    #[inline]
    pub(super) fn locks_of_judges(&self, rank: Rank) -> HeldLocks {
        let held = self.shard.as_ref().map(|_| self.locks.held(rank).clone());
        held.unwrap_or_default()
    }

    /// Several judges: all learn which order followed from accesses under these locks to the memory of `owner`, or, if
    /// it is not given, of several.
    pub(super) fn agree(&mut self, owner: Option<Rank>, locks: &[Rc<LockEpoch>]) {
        let Some(shard) = &mut self.shard else {
            return;
        };
        if !self.locks.may_order(locks) {
            // Else judges would not know the same.
            return assert!(self.locks.has_told_all(), "order follows where none can");
        }
        for derived in shard.exchange(owner, self.locks.take_derived()) {
            self.locks.take_in(&mut self.threads, derived);
        }
        self.elsewhere |= shard.is_cut_off();
    }
}
