//! Epochs: the stretches of a program in which operations may be started.
//!
//! An epoch is lent to a function, as `std::thread::scope` lends a scope, and closed when the function returns: then
//! all its operations are complete. The lifetime `'scope` of the epoch is that of all buffers that operations borrow,
//! and it outlasts the function. That is why a buffer cannot be touched in the epoch while an operation is pending,
//! whatever is dropped, forgotten or returned early on the way.
//!
//! If the function panics, the operations of this rank are completed before the panic goes on, and the window is broken
//! off.

mod direct;
pub(crate) mod fence;
mod halves;
pub(crate) mod lock;
pub(crate) mod pscw;
pub(crate) mod ticket;

use crate::element::Element;
use crate::watch::{Guard, Place};
use crate::window::cells::Cells;
use crate::window::core::WindowCore;
use crate::{Error, Plain, Rank, Result};
use farside_events::Call;
use std::marker::PhantomData;
use std::panic::Location;

pub use fence::{Assertions, FenceEpoch, Fences};
pub use halves::{HalfEpoch, Halves};
pub use lock::{LockAllEpoch, LockEpoch};
pub use pscw::{AccessEpoch, ExposureEpoch};

mod sealed {
    pub trait Sealed {}
    pub trait Flushes {}
}

/// The kinds of epochs, as types. Each says what a function fails with to which such an epoch is lent:
/// [`Window::with_error`](crate::Window::with_error).
pub mod kind {
    use super::sealed::{Flushes, Sealed};
    use crate::Error;
    use std::convert::Infallible;
    use std::marker::PhantomData;

    /// Between two fences.
    #[derive(Debug)]
    pub struct Fence<E = Error>(Infallible, PhantomData<E>);
    /// Between start and complete.
    #[derive(Debug)]
    pub struct Access<E = Error>(Infallible, PhantomData<E>);
    /// Between lock and unlock.
    #[derive(Debug)]
    pub struct Lock<E = Error>(Infallible, PhantomData<E>);
    /// Between lock_all and unlock_all.
    #[derive(Debug)]
    pub struct LockAll<E = Error>(Infallible, PhantomData<E>);

    /// A kind of epochs in which operations can be started.
    pub trait Kind: Sealed {
        /// What functions fail with to which an epoch is lent.
        type Error: From<Error>;
    }
    /// A kind of passive target epochs: with flush (MPI-4.1 §12.5.4).
    pub trait Passive: Kind + Flushes {}

    impl<E> Sealed for Fence<E> {}
    impl<E> Sealed for Access<E> {}
    impl<E> Sealed for Lock<E> {}
    impl<E> Sealed for LockAll<E> {}
    impl<E: From<Error>> Kind for Fence<E> {
        type Error = E;
    }
    impl<E: From<Error>> Kind for Access<E> {
        type Error = E;
    }
    impl<E: From<Error>> Kind for Lock<E> {
        type Error = E;
    }
    impl<E: From<Error>> Kind for LockAll<E> {
        type Error = E;
    }
    impl<E> Flushes for Lock<E> {}
    impl<E> Flushes for LockAll<E> {}
    impl<E: From<Error>> Passive for Lock<E> {}
    impl<E: From<Error>> Passive for LockAll<E> {}
}

use kind::Kind;

/// An epoch on a window of elements `T`. Operations are its methods.
///
/// `'scope` is the time until all operations of the epoch are complete: what they borrow is borrowed for it. `'env` is
/// what outlasts it. Both are those of [`std::thread::Scope`].
pub struct Epoch<'scope, 'env: 'scope, T: Plain, K: Kind> {
    pub(crate) window: &'env WindowCore,
    reach: Reach<'env>,
    /// Where the program opened it.
    opened: Place,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
    kind: PhantomData<(T, fn() -> K)>,
}

/// To whom an epoch gives access.
#[derive(Clone, Copy)]
pub(crate) enum Reach<'a> {
    All,
    One(Rank),
    /// Sorted.
    Some(&'a [Rank]),
    /// Not sorted.
    Listed(&'a [Rank]),
    /// All, with a lock taken at the first access.
    Demand,
}

impl<'scope, 'env, T: Plain, K: Kind> Epoch<'scope, 'env, T, K> {
    /// The only place where epochs come from. The caller completes all operations of the window before `'scope` can
    /// end: after the function to which the epoch is lent, also when it panics.
    fn open(window: &'env WindowCore, reach: Reach<'env>, opened: Place) -> Self {
        Self {
            window,
            reach,
            opened,
            scope: PhantomData,
            env: PhantomData,
            kind: PhantomData,
        }
    }

    /// Whether the epoch gives access to a target that is near (see [`crate::window::core::pending`]).
    #[inline(always)]
    pub(crate) fn admits_near(&self, target: Rank) -> bool {
        match self.reach {
            Reach::One(rank) => rank == target,
            _ => true,
        }
    }

    /// Refuses a target to which the epoch gives no access.
    #[track_caller]
    pub(crate) fn admit(&self, target: Rank) -> Result<()> {
        self.admit_put(target)?;
        match self.reach {
            Reach::One(_) => ticket::force(self.window),
            _ => Ok(()),
        }
    }

    /// As [`Epoch::admit`], for a put: it is kept until the lock is there, if that is granted late.
    #[track_caller]
    pub(crate) fn admit_put(&self, target: Rank) -> Result<()> {
        let admitted = match self.reach {
            Reach::All => true,
            Reach::One(rank) => rank == target,
            Reach::Some(ranks) => ranks.binary_search(&target).is_ok(),
            Reach::Listed(ranks) => ranks.contains(&target),
            Reach::Demand => return ticket::demand(self.window, target),
        };
        if admitted {
            Ok(())
        } else {
            Err(self.no_access(target))
        }
    }

    #[cold]
    #[track_caller]
    fn no_access(&self, target: Rank) -> Error {
        Error::NotInEpoch {
            target,
            call: Location::caller(),
            epoch: self.opened,
        }
    }

    /// Refuses the own memory in a passive target epoch, in which others may be there, without a lock of it.
    #[track_caller]
    pub(crate) fn admit_own(&self) -> Result<()> {
        let target = self.window.group.rank();
        match self.reach {
            Reach::One(_) if self.window.peer(target)?.held.get().is_none() => Err(self.no_access(target)),
            Reach::Demand => ticket::demand(self.window, target),
            _ => Ok(()),
        }
    }

    /// Lends an epoch within the epoch, at the end of which all operations of this rank on the window are complete
    /// *locally*: buffers that were lent to operations of the inner epoch are free again (`MPI_Win_flush_local_all`,
    /// MPI-4.1 §12.5.4; here in active target epochs too). Their effect at targets may still be on its way.
    ///
    /// # Errors
    /// What the function returns; a rank is lost.
    ///
    /// ```
    /// # farside::simulate(2, |world| {
    /// # let mut window = farside::Window::<u64>::allocate(world, 2)?;
    /// let mut buffer = [1u64];
    /// window.fence(|epoch| {
    ///     for step in 0..2 {
    ///         buffer[0] = 10 + step as u64;
    ///         epoch.local(|batch| batch.put(&buffer, 0, step))?; // the buffer can be written again
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(world.rank() != 0 || window.local()? == [10, 11], true);
    /// # Ok(()) })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn local<'outer, F, R>(&'outer self, function: F) -> Result<R, K::Error>
    where
        F: for<'inner> FnOnce(&'inner Epoch<'inner, 'outer, T, K>) -> Result<R, K::Error>,
    {
        let place = Location::caller();
        let epoch = Epoch::<T, K>::open(self.window, self.reach, self.opened);
        let closing = Closing { window: self.window };
        let result = function(&epoch);
        std::mem::forget(closing);
        let call = self.tell_flush(place, None, true);
        let mut closed = Ok(());
        if self.window.pending.is_passed() {
            closed = self.window.flush_local();
            if closed.is_err() {
                self.window.give_up();
            }
        }
        drop(call);
        self.window.tell_fetched(None);
        first_error(result, closed)
    }

    /// A flush of the program's begins, if somebody watches.
    #[inline]
    pub(crate) fn tell_flush(&self, place: Place, target: Option<Rank>, local: bool) -> Option<Guard<'_>> {
        self.window.call(place, |watch| Call::Flush {
            win: watch.win,
            target: target.map(|rank| watch.world_rank(rank)),
            local,
            channel: None,
        })
    }

    /// Waits until an own element is as wanted: for what another rank writes into it, and flushes, during the epoch
    /// (MPI-4.1 §12.7, the unified model; paper 004, section 3.5). What else it wrote before may be read then as well,
    /// if it flushed in between.
    ///
    /// # Errors
    /// Out of bounds; a rank is lost; time ran out.
    #[track_caller]
    pub fn wait_until(&self, index: usize, wanted: impl FnMut(T) -> bool) -> Result<T>
    where
        T: Element,
    {
        wait_until(self.window, index, wanted)
    }
}

/// Waits until an own element is as wanted.
#[track_caller]
pub(crate) fn wait_until<T: Element>(
    window: &WindowCore,
    index: usize,
    mut wanted: impl FnMut(T) -> bool,
) -> Result<T> {
    // SAFETY: own memory, valid as long as the window; callers see to it that no reference to it exists.
    let cells = unsafe {
        Cells::<T>::new(
            window,
            window.base().cast(),
            window.own_length(),
            window.group.rank(),
        )
    };
    let call = window.call(Location::caller(), |_| Call::Completion {
        name: "wait_until".into(),
    });
    let mut value = cells.look(index)?;
    if !wanted(value) {
        let place = Location::caller();
        window
            .core()
            .wait_in(&|| window.waiting("wait_until", Some(place), []), || {
                value = cells.look(index)?;
                Ok(wanted(value))
            })?;
    }
    drop(call);
    if window.watch.is_some() {
        // SAFETY: in bounds, by the look above.
        let address = unsafe { window.base().cast::<T>().add(index) };
        window.tell_seen(address.cast(), bytemuck::bytes_of(&value));
    }
    Ok(value)
}

/// Completes what is pending when the function of an epoch panics: its buffers are about to go.
struct Closing<'a> {
    window: &'a WindowCore,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.window.break_off_epoch();
        if ticket::force(self.window)
            .and_then(|()| self.window.flush())
            .is_err()
        {
            self.window.give_up();
        }
    }
}

/// Lends an epoch to a function and closes it afterwards. `close` completes all operations of this rank, or fails; then
/// what it left is completed locally here, or the transport has given it up.
#[inline]
fn lend<'env, T, K, F, R>(
    window: &'env WindowCore,
    (reach, opened): (Reach<'env>, Place),
    function: F,
    close: impl FnOnce() -> Result<()>,
) -> Result<R, K::Error>
where
    T: Plain,
    K: Kind,
    F: for<'scope> FnOnce(&'scope Epoch<'scope, 'env, T, K>) -> Result<R, K::Error>,
{
    if !matches!(reach, Reach::All | Reach::One(_)) {
        window.pending.forget_admitted();
    }
    let epoch = Epoch::open(window, reach, opened);
    let closing = Closing { window };
    let result = function(&epoch);
    std::mem::forget(closing);
    // Of what contexts of other threads could not complete, nobody is told that it is.
    let closed = window.check_completed().and_then(|()| close());
    if closed.is_err() {
        window.give_up();
    }
    window.leave_epoch();
    first_error(result, closed)
}

/// The error of the function, else that of the close.
#[inline]
fn first_error<R, E: From<Error>>(result: Result<R, E>, closed: Result<()>) -> Result<R, E> {
    let value = result?;
    closed?;
    Ok(value)
}
