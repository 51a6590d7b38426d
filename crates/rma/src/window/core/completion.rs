//! How the operations that are pending on a window are completed (see [`super::pending`]): where this rank did them
//! itself, by a fence and a look at their target; by the transport else, or by the design of the fence.

use super::WindowCore;
use crate::fence::deferred;
use crate::fence::way::Way;
use crate::flags::Meeting;
use crate::pool::Slot;
use crate::watch::Place;
use crate::{Rank, Result};
use farside_fabric::Ticket;
use farside_fabric::direct::full_fence;
use std::any::Any;

/// Cells of operands that may wait for a completion before one is forced.
const LEFT: usize = 1024;

impl WindowCore {
    /// Completes what this rank wrote itself.
    pub(super) fn complete_written(&self) -> Result<()> {
        if !self.pending.written.get() {
            return Ok(());
        }
        let near = self.pending.near.get();
        // SAFETY: the endpoint lives.
        if near.way.is_none_or(|way| !unsafe { way.settle() }) {
            self.flush_by_transport(near.rank)?;
        }
        self.pending.written.set(false);
        Ok(())
    }

    #[cold]
    fn flush_by_transport(&self, rank: Rank) -> Result<()> {
        let world = self.group.world_rank(rank)?;
        Ok(self.fabric().flush(self.scope, Some(world))?)
    }

    /// Gives back a cell whose operation was started: now, or when it is complete.
    pub(crate) fn leave(&self, slot: Slot, ticket: Ticket) -> Result<()> {
        if ticket == Ticket::DONE {
            self.pending.pool.give_back(slot);
        } else if self.pending.pool.leave(slot) > LEFT {
            self.flush_local()?;
        }
        Ok(())
    }

    /// Keeps a buffer until all operations are complete.
    pub(crate) fn adopt(&self, buffer: Box<dyn Any>) {
        self.pending.orphans.borrow_mut().push(buffer);
    }

    /// Completes all operations locally.
    #[inline]
    pub(crate) fn flush_local(&self) -> Result<()> {
        if self.pending.passed.get() {
            self.hurry()?;
            self.fabric().flush_local(self.scope, None)?;
            self.pending.completed();
        }
        Ok(())
    }

    /// Completes all operations locally, and those at their targets of which these learn nothing: what the targets of
    /// others learn, the fence waits for there.
    pub(crate) fn complete_unsignalled(&self) -> Result<()> {
        let unsignalled = self.record.take_unsignalled();
        self.complete_written()?;
        if self.pending.passed.get() {
            let fabric = self.fabric();
            if unsignalled || self.pending.has_atomics() {
                self.core().wait(|| Ok(fabric.is_flushed(self.scope)?))?;
            } else {
                self.core().wait(|| Ok(fabric.is_flushed_locally(self.scope)?))?;
            }
        }
        self.pending.completed_everywhere();
        Ok(())
    }

    /// A fence epoch begins, in which operations go the way of the window's design.
    pub(crate) fn open_record(&self) {
        let way = self.design.way();
        if way != Way::Direct {
            self.pending.forget_admitted();
        }
        self.record.open(way);
    }

    /// Completes what is queued for the fence, if somebody wants it earlier.
    fn hurry(&self) -> Result<()> {
        match self.record.deferred() {
            Some(deferred) if self.record.is_deferred() => deferred.hurry(),
            _ => Ok(()),
        }
    }

    /// Waits until an operation is complete locally.
    pub(crate) fn complete(&self, ticket: Ticket, place: Place) -> Result<()> {
        if deferred::is_queued(ticket) {
            self.record.check()?;
            return self.hurry();
        }
        self.core()
            .complete(&|| self.waiting("a completion", Some(place), []), ticket)
    }

    /// Whether an operation is complete locally.
    pub(crate) fn is_complete(&self, ticket: Ticket) -> Result<bool> {
        match self.record.deferred() {
            Some(deferred) if deferred::is_queued(ticket) => {
                self.record.check()?;
                deferred.test(ticket)
            }
            _ => Ok(ticket == Ticket::DONE || self.fabric().test(ticket)?),
        }
    }

    /// Completes all operations at their targets.
    #[inline(always)]
    pub(crate) fn flush(&self) -> Result<()> {
        if self.pending.settle() {
            return Ok(());
        }
        self.flush_by_all_means()
    }

    /// As [`WindowCore::flush`], when the lock of `target` is about to be released: where this rank did the operations
    /// itself, the release makes them visible, and where it does not overtake them, its answer says that they are; then
    /// [`WindowCore::settle_after_release`] does the rest.
    #[inline]
    pub(crate) fn flush_before_release(&self, target: Rank) -> Result<()> {
        let near = self.pending.near.get();
        if self.pending.is_passed() || near.rank != target || near.way.is_none() {
            return self.flush_but_before_release(target);
        }
        self.pending.any.set(false);
        Ok(())
    }

    #[inline(never)]
    fn flush_but_before_release(&self, target: Rank) -> Result<()> {
        if self.late.is_wanted() {
            // All operations are puts that are kept until the lock is taken.
            self.pending.completed_everywhere();
            return Ok(());
        }
        if self.pending.settle() {
            return Ok(());
        }
        self.complete_written()?;
        if self.pending.passed.get() {
            let world = self.group.world_rank(target)?;
            if self.fabric().flush_before_flag(self.scope, world)? {
                self.pending.completed_everywhere();
            }
        }
        self.pending.any.set(false);
        Ok(())
    }

    /// After the release of a lock, which was an atomic update: wakes the target, if it sleeps and something was
    /// written there.
    #[inline]
    pub(crate) fn settle_after_release(&self) -> Result<()> {
        if self.pending.passed.get() {
            return self.flush_by_all_means();
        }
        if !self.pending.written.get() {
            return Ok(());
        }
        let near = self.pending.near.get();
        // SAFETY: the endpoint lives as long as the window.
        if near.way.is_none_or(|way| !unsafe { way.settle_after_update() }) {
            self.flush_by_transport(near.rank)?;
        }
        self.pending.written.set(false);
        Ok(())
    }

    /// As [`WindowCore::flush`], when all ranks are about to meet: a target that sleeps wakes when all have come, and
    /// need not before. A loss is found in the meeting.
    #[inline]
    pub(crate) fn flush_before_meeting(&self) -> Result<()> {
        if self.pending.is_passed() {
            return self.flush();
        }
        if self.pending.written.replace(false) {
            full_fence();
        }
        self.pending.any.set(false);
        Ok(())
    }

    /// All ranks meet, and the operations of this one are complete at their targets before these have left.
    #[inline]
    pub(crate) fn flush_and_meet(&self, meeting: Meeting) -> Result<()> {
        if !self.pending.is_passed() {
            self.flush_before_meeting()?;
            return self.meet(meeting);
        }
        self.complete_written()?;
        self.meet_after(meeting)?;
        self.pending.completed_everywhere();
        Ok(())
    }

    /// A completion failed midway: it may have been called off before it came to all operations, by the time limit, by
    /// a rank in another collective call, or by a loss elsewhere. After this, none touches a buffer any more, and the
    /// window is broken.
    #[cold]
    pub(crate) fn give_up(&self) {
        self.break_off_epoch();
        self.condition.give_up();
        // Not by `Core::wait`, which has the limit. If this fails, the transport has given up what it names, which is
        // all (promise 8 of `Fabric`).
        let _ = self.fabric().flush_local(self.scope, None);
    }

    /// An epoch is left midway: nothing is started in it any more, and the window is broken.
    #[cold]
    pub(crate) fn break_off_epoch(&self) {
        self.break_off();
        self.record.abandon();
        self.pending.forget_admitted();
    }

    #[inline(never)]
    fn flush_by_all_means(&self) -> Result<()> {
        self.complete_written()?;
        if self.pending.passed.get() {
            self.fabric().flush(self.scope, None)?;
            self.pending.completed();
            self.pending.passed.set(false);
            self.pending.passed_atomics.set(false);
        }
        self.pending.any.set(false);
        Ok(())
    }

    /// Completes all operations to a rank there.
    #[inline(always)]
    pub(crate) fn flush_to(&self, rank: Rank) -> Result<()> {
        if self.pending.near.get().rank == rank && self.pending.settle() {
            return Ok(());
        }
        self.flush_by_transport(rank)
    }
}
