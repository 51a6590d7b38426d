//! Lock: access to ranks that take no part (MPI-4.1 §12.5.3), and flush (§12.5.4). How a lock is taken:
//! [`super::ticket`].
//!
//! Deviation 1: lock_all takes the shared lock of a target at the first access to it, not before (MPI-4.1 §12.5.3 lets
//! locks be taken late). So it costs nothing for ranks that are not accessed.
//! Deviation 2: where operations at the target are messages, as over TCP, a lock is asked for by the first operation
//! that is no short put, by a flush, by an epoch within this one, or by the end of the epoch (the same clause).
//! Deviation 3: there is no `MPI_MODE_NOCHECK`: it would let a program without `unsafe` break the memory of others.

use super::ticket::{force, release, release_all, take, want};
use super::{Epoch, Reach, kind, lend};
use crate::watch::{Guard, Place};
use crate::window::core::WindowCore;
use crate::window::{Passive, Window};
use crate::{Error, Lock, Plain, Rank, Result};
use farside_events::{AccessKind, Call, LockKind};
use std::panic::Location;

/// An epoch between lock and unlock: access to one rank.
pub type LockEpoch<'scope, 'env, T, E = Error> = Epoch<'scope, 'env, T, kind::Lock<E>>;

/// An epoch between lock_all and unlock_all: access to all ranks.
pub type LockAllEpoch<'scope, 'env, T, E = Error> = Epoch<'scope, 'env, T, kind::LockAll<E>>;

impl<T: Plain, E: From<Error>> Window<T, Passive, E> {
    /// Locks the memory of a rank, lends an epoch to a function, completes its operations at the target, and unlocks
    /// (`MPI_Win_lock` and `MPI_Win_unlock`, MPI-4.1 §12.5.3). Not collective; the target takes no part. Epochs at
    /// different targets may be open within one another.
    ///
    /// The lock keeps operations on that memory apart, and orders them. Over a network it may be taken later than here,
    /// so that an epoch with nothing but short puts is one round trip. A program that uses it to keep something else
    /// apart calls [`Epoch::flush`] first: when that returns, the lock is held.
    ///
    /// # Errors
    /// What the function returns; no such rank; this process holds a lock there already; a rank is lost.
    ///
    /// ```
    /// farside::simulate(3, |world| {
    ///     let window = farside::Window::<u64>::allocate(world, 1)?.into_passive()?;
    ///     for _ in 0..5 {
    ///         window.lock(0, farside::Lock::Exclusive, |epoch| {
    ///             let mut count = [0];
    ///             epoch.remote(|batch| batch.get(&mut count, 0, 0))?;
    ///             count[0] += 1;
    ///             epoch.remote(|batch| batch.put(&count, 0, 0))
    ///         })?;
    ///     }
    ///     let window = window.into_active()?;
    ///     assert!(world.rank() != 0 || window.local()? == [15]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn lock<'env, F, R>(&'env self, target: Rank, lock: Lock, function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope LockEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        let (window, place) = (self.core(), Location::caller());
        let call = tell_lock(window, place, target, lock);
        want(window, target, lock, place)?;
        drop(call);
        window.enter()?;
        let unlock = Unlock { window, target };
        let result = lend(window, (Reach::One(target), place), function, || {
            window.flush_before_release(target)
        });
        std::mem::forget(unlock);
        let call = tell_unlock(window, place, target);
        let released = release(window, target).and_then(|()| window.settle_after_release());
        let unlocked = window.guard(released);
        drop(call);
        window.tell_fetched(Some(target));
        super::first_error(result, unlocked)
    }

    /// Opens an epoch in which all ranks can be accessed, each under a shared lock; completes its operations at the
    /// targets and unlocks (`MPI_Win_lock_all` and `MPI_Win_unlock_all`, MPI-4.1 §12.5.3). Not collective.
    ///
    /// # Errors
    /// What the function returns; a rank is lost.
    ///
    /// ```
    /// farside::simulate(4, |world| {
    ///     let mut window = farside::Window::<u64>::allocate(world, 1)?.into_passive()?;
    ///     window.lock_all(|epoch| {
    ///         let ticket = epoch.fetch(farside::Operation::Sum, 1, 0, 0)?.wait()?;
    ///         assert!(ticket < 4);
    ///         Ok(())
    ///     })?;
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn lock_all<'env, F, R>(&'env mut self, function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope LockAllEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        let (window, place) = (self.core(), Location::caller());
        window.enter()?;
        drop(window.call(place, |watch| Call::LockAll {
            win: watch.win,
            assertions: farside_events::Assertions::default(),
        }));
        let unlock = UnlockAll { window };
        let result = lend(window, (Reach::Demand, place), function, || window.flush());
        std::mem::forget(unlock);
        let call = window.call(place, |watch| Call::UnlockAll { win: watch.win });
        let unlocked = window.guard(release_all(window));
        drop(call);
        window.tell_fetched(None);
        super::first_error(result, unlocked)
    }

    /// Locks the own memory exclusively and lends it, as plain elements (MPI-4.1 §12.7: a local access in passive
    /// target communication needs a lock). Not collective. Nobody else has access meanwhile, for all access is by
    /// locks.
    ///
    /// # Errors
    /// What the function returns; a rank is lost.
    ///
    /// ```
    /// # farside::simulate(2, |world| {
    /// # let mut window = farside::Window::<u64>::allocate(world, 3)?.into_passive()?;
    /// window.lock_local(|elements| {
    ///     elements.fill(7);
    ///     Ok(())
    /// })?;
    /// # window.free() })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn lock_local<R>(&mut self, function: impl FnOnce(&mut [T]) -> Result<R, E>) -> Result<R, E> {
        let (window, place) = (self.core(), Location::caller());
        window.check()?;
        let me = window.group.rank();
        let call = tell_lock(window, place, me, Lock::Exclusive);
        take(window, me, Lock::Exclusive, place)?;
        drop(call);
        let unlock = Unlock { window, target: me };
        let (base, length) = (window.base().cast::<T>(), window.own_length());
        window.tell_lent(AccessKind::Store, "lock_local", base.cast(), length, place);
        // SAFETY: own memory, aligned and valid. Every access of every rank to a passive window is under a lock at the
        // target, and this rank holds the only one; it has lent no cells, for it is borrowed mutably.
        let result = function(unsafe { std::slice::from_raw_parts_mut(base, length) });
        std::mem::forget(unlock);
        let call = tell_unlock(window, place, me);
        let unlocked = window.guard(release(window, me));
        drop(call);
        super::first_error(result, unlocked)
    }
}

impl<'scope, T: Plain, K: kind::Passive> Epoch<'scope, '_, T, K> {
    /// Completes all operations of this rank to a target there, and locally (`MPI_Win_flush`, MPI-4.1 §12.5.4). Buffers
    /// that operations borrow stay borrowed; [`Epoch::remote`] gives them back.
    ///
    /// # Errors
    /// No access to the rank; it is lost.
    #[inline(always)]
    #[track_caller]
    pub fn flush(&self, target: Rank) -> Result<()> {
        self.admit(target)?;
        let call = self.tell_flush(Location::caller(), Some(target), false);
        self.window.flush_to(target)?;
        drop(call);
        self.window.tell_fetched(Some(target));
        Ok(())
    }

    /// Completes all operations of this rank at all targets, and locally (`MPI_Win_flush_all`, MPI-4.1 §12.5.4).
    ///
    /// # Errors
    /// A rank is lost.
    #[inline(always)]
    #[track_caller]
    pub fn flush_all(&self) -> Result<()> {
        // Also without an operation: from here on a lock is had.
        force(self.window)?;
        let call = self.tell_flush(Location::caller(), None, false);
        if !self.window.pending.settle() {
            self.window.flush()?;
        }
        drop(call);
        self.window.tell_fetched(None);
        Ok(())
    }

    /// Completes all operations of this rank to a target locally (`MPI_Win_flush_local`, MPI-4.1 §12.5.4). Buffers stay
    /// borrowed; [`Epoch::local`] gives them back.
    ///
    /// # Errors
    /// No access to the rank; it is lost.
    #[inline]
    #[track_caller]
    pub fn flush_local(&self, target: Rank) -> Result<()> {
        self.admit(target)?;
        let call = self.tell_flush(Location::caller(), Some(target), true);
        let world = self.window.group.world_rank(target)?;
        self.window.fabric().flush_local(self.window.scope, Some(world))?;
        drop(call);
        self.window.tell_fetched(Some(target));
        Ok(())
    }

    /// Completes all operations of this rank locally (`MPI_Win_flush_local_all`, MPI-4.1 §12.5.4).
    ///
    /// # Errors
    /// A rank is lost.
    #[inline]
    #[track_caller]
    pub fn flush_local_all(&self) -> Result<()> {
        let call = self.tell_flush(Location::caller(), None, true);
        self.window.flush_local()?;
        drop(call);
        self.window.tell_fetched(None);
        Ok(())
    }

    /// Makes loads and stores of this process and accesses of others to its memory agree (`MPI_Win_sync`, MPI-4.1
    /// §12.5.4): a memory barrier.
    #[track_caller]
    pub fn sync(&self) {
        drop(
            self.window
                .call(Location::caller(), |watch| Call::Sync { win: watch.win }),
        );
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    }

    /// Lends an epoch within the epoch, at the end of which all operations of this rank are complete *at their
    /// targets*: buffers are free again, and others see what was put (`MPI_Win_flush_all`, MPI-4.1 §12.5.4). See also
    /// [`Epoch::local`].
    ///
    /// # Errors
    /// What the function returns; a rank is lost.
    #[inline(always)]
    #[track_caller]
    pub fn remote<'outer, F, R>(&'outer self, function: F) -> Result<R, K::Error>
    where
        F: for<'inner> FnOnce(&'inner Epoch<'inner, 'outer, T, K>) -> Result<R, K::Error>,
    {
        let place = Location::caller();
        let epoch = Epoch::<T, K>::open(self.window, self.reach, self.opened);
        let closing = super::Closing { window: self.window };
        let result = function(&epoch);
        std::mem::forget(closing);
        let call = self.tell_flush(place, None, false);
        if self.window.pending.settle() {
            drop(call);
            self.window.tell_fetched(None);
            return result;
        }
        let closed = force(self.window).and_then(|()| self.window.flush());
        if closed.is_err() {
            self.window.give_up();
        }
        drop(call);
        self.window.tell_fetched(None);
        super::first_error(result, closed)
    }
}

/// A lock is waited for, if somebody watches.
fn tell_lock(window: &WindowCore, place: Place, target: Rank, lock: Lock) -> Option<Guard<'_>> {
    window.call(place, |watch| Call::Lock {
        win: watch.win,
        target: watch.world_rank(target),
        kind: match lock {
            Lock::Shared => LockKind::Shared,
            Lock::Exclusive => LockKind::Exclusive,
        },
        assertions: farside_events::Assertions::default(),
    })
}

/// A lock, whose operations are complete, is given back, if somebody watches.
fn tell_unlock(window: &WindowCore, place: Place, target: Rank) -> Option<Guard<'_>> {
    window.call(place, |watch| Call::Unlock {
        win: watch.win,
        target: watch.world_rank(target),
    })
}

/// Unlocks when the function of an epoch panics: others wait for it. The operations were completed before.
struct Unlock<'a> {
    window: &'a WindowCore,
    target: Rank,
}

impl Drop for Unlock<'_> {
    fn drop(&mut self) {
        let _ = release(self.window, self.target);
    }
}

/// As [`Unlock`], for all.
struct UnlockAll<'a> {
    window: &'a WindowCore,
}

impl Drop for UnlockAll<'_> {
    fn drop(&mut self) {
        let _ = release_all(self.window);
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::Error;

    /// Operations that could not be completed may still arrive, so nobody gets the memory to itself.
    #[test]
    fn a_lock_under_which_operations_are_on_their_way_is_not_given_back() -> Result<()> {
        crate::simulate(1, |world| {
            let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
            let result = window.lock(0, Lock::Exclusive, |_| {
                window.core().give_up();
                Ok(())
            });
            assert_eq!(result, Err(Error::Broken("window")));
            assert!(window.core().peer(0)?.held.get().is_some());
            Ok(())
        })?;
        Ok(())
    }
}
