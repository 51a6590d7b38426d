//! Post, start, complete, wait: ranks expose their memory to some others, which access it (MPI-4.1 §12.5.2).
//!
//! A post adds one to a word at each origin, a complete adds one to a word at each target; each word has one writer,
//! and carries a number that only grows, so that a put of 8 bytes does. Memory: two words for each rank of the window.

use super::{Epoch, Reach, kind, lend};
use crate::notify::{self, Notice};
use crate::watch::{Guard, Place};
use crate::window::core::WindowCore;
use crate::window::{Active, Window};
use crate::{Element, Error, Plain, Rank, Result};
use farside_events::{Call, Outcome};
use farside_fabric::{Put, Signal};
use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// An epoch between start and complete: access to the ranks that were named.
pub type AccessEpoch<'scope, 'env, T, E = Error> = Epoch<'scope, 'env, T, kind::Access<E>>;

/// An exposure of the own memory, between post and wait. It is lent as `&mut`, so that one access at a time is open in
/// it.
pub struct ExposureEpoch<'env, T, E = Error> {
    window: &'env WindowCore,
    origins: &'env [Rank],
    /// Where it was posted.
    place: Place,
    /// The check was told that it is over.
    over: Cell<bool>,
    elements: PhantomData<(T, fn() -> E)>,
}

impl<T: Plain, E: From<Error>> Window<T, Active, E> {
    /// Accesses the memory of some ranks: waits until all of them have posted to this one, lends an epoch to a
    /// function, and completes its operations (`MPI_Win_start` and `MPI_Win_complete`, MPI-4.1 §12.5.2). Not
    /// collective: the targets call [`Window::post`].
    ///
    /// # Errors
    /// What the function returns; a rank out of range or named twice; a rank is lost, or time ran out.
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<u8>::allocate(world, 4)?;
    ///     if world.rank() == 0 {
    ///         window.start(&[1], |epoch| epoch.put(&[1, 2, 3, 4], 1, 0))?;
    ///     } else {
    ///         window.post(&[0], |_| Ok(()))?;
    ///         assert_eq!(window.local()?, [1, 2, 3, 4]);
    ///     }
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn start<'env, F, R>(&'env mut self, targets: &'env [Rank], function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope AccessEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        access(self.core(), targets, function, Location::caller())
    }

    /// Exposes the own memory to some ranks, lends the exposure to a function, and waits until all of them have
    /// completed their accesses (`MPI_Win_post` and `MPI_Win_wait`, MPI-4.1 §12.5.2). Not collective: the origins call
    /// [`Window::start`], or [`ExposureEpoch::start`] if they are targets as well. The call does not wait for them
    /// before the function runs.
    ///
    /// # Errors
    /// What the function returns; a rank out of range or named twice; a rank is lost, or time ran out.
    ///
    /// ```
    /// farside::simulate(3, |world| {
    ///     let mut window = farside::Window::<u32>::allocate(world, 1)?;
    ///     let (me, size) = (world.rank(), world.size());
    ///     let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    ///     window.post(&[previous], |exposure| {
    ///         exposure.start(&[next], |epoch| epoch.put_value(me, next, 0))
    ///     })?;
    ///     assert_eq!(window.local()?, [previous]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn post<R>(
        &mut self,
        origins: &[Rank],
        function: impl FnOnce(&mut ExposureEpoch<'_, T, E>) -> Result<R, E>,
    ) -> Result<R, E> {
        let (window, place) = (self.core(), Location::caller());
        sorted(window, origins)?;
        window.enter()?;
        let call = window.call(place, |watch| Call::Post {
            win: watch.win,
            group: watch.world_ranks(origins),
            assertions: farside_events::Assertions::default(),
        });
        drop(call);
        let posted = || -> Result<()> {
            for &origin in origins {
                let count = window.count_exposure(origin)?;
                window.group.tells(place, "post", origin, order(window));
                tell(window, origin, window.header.posted(window.group.rank()), count)?;
            }
            window.fabric().send_held();
            Ok(())
        };
        window.guard(posted())?;
        let mut exposure = ExposureEpoch {
            window,
            origins,
            place,
            over: Cell::new(false),
            elements: PhantomData,
        };
        let unwinding = super::Closing { window };
        let result = function(&mut exposure);
        std::mem::forget(unwinding);
        let closed = window.guard(exposure.end());
        window.leave_epoch();
        super::first_error(result, closed)
    }
}

impl<T: Plain, E: From<Error>> ExposureEpoch<'_, T, E> {
    /// Accesses the memory of some ranks while the own is exposed. See [`Window::start`].
    ///
    /// # Errors
    /// As for [`Window::start`].
    #[track_caller]
    pub fn start<'env, F, R>(&'env mut self, targets: &'env [Rank], function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope AccessEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        access(self.window, targets, function, Location::caller())
    }

    /// Whether all origins have completed their accesses (`MPI_Win_test`, MPI-4.1 §12.5.2). The exposure lasts until
    /// its function returns all the same.
    ///
    /// # Errors
    /// A rank is lost.
    #[track_caller]
    pub fn test(&self) -> Result<bool> {
        if !self.is_done() {
            // Lets the transport move on.
            self.window.core().pause(Duration::ZERO)?;
        }
        let done = self.is_done();
        if done {
            drop(self.tell_over(Location::caller(), true));
        }
        Ok(done)
    }

    /// Waits until an own element is as wanted. See [`Epoch::wait_until`].
    ///
    /// # Errors
    /// Out of bounds; a rank is lost; time ran out.
    #[track_caller]
    pub fn wait_until(&self, index: usize, wanted: impl FnMut(T) -> bool) -> Result<T>
    where
        T: Element,
    {
        super::wait_until(self.window, index, wanted)
    }

    /// Waits for a notified put. See [`Epoch::wait_notice`].
    ///
    /// # Errors
    /// A rank is lost; time ran out.
    #[track_caller]
    pub fn wait_notice(&self, number: Option<u32>) -> Result<Notice> {
        notify::wait(self.window, number)
    }

    /// The next notified put, as a future. See [`Epoch::next_notice`].
    ///
    /// # Errors
    /// A rank is lost; time ran out.
    #[track_caller]
    pub fn next_notice(&self, number: Option<u32>) -> impl Future<Output = Result<Notice>> {
        notify::next(self.window, number)
    }

    /// Waits for the completions of all origins.
    fn end(&self) -> Result<()> {
        let call = self.tell_over(self.place, false);
        if !self.is_done() {
            let window = self.window;
            let open = || {
                self.origins
                    .iter()
                    .copied()
                    .filter(|&origin| !self.is_done_by(origin))
            };
            let wait = || window.waiting("post (its end)", Some(self.place), open());
            window.core().wait_in(&wait, || Ok(self.is_done()))?;
        }
        drop(call);
        self.window.flush_local()
    }

    /// The exposure ends, by a wait or a test that found it done, if somebody watches and was not told before.
    fn tell_over(&self, place: Place, test: bool) -> Option<Guard<'_>> {
        if self.over.replace(true) {
            return None;
        }
        let win = self.window.watch.as_ref()?.win;
        let mut call = self.window.call(place, |_| Call::Wait { win, test })?;
        if test {
            call.leave_with(Outcome::Flag(true));
        }
        Some(call)
    }

    fn is_done(&self) -> bool {
        self.origins.iter().all(|&origin| self.is_done_by(origin))
    }

    fn is_done_by(&self, origin: Rank) -> bool {
        let word = own_word(self.window, self.window.header.completed(origin));
        word.load(Ordering::Acquire) >= self.window.exposures_to(origin)
    }
}

/// An access epoch from its start to its completion.
fn access<'env, T, E, F, R>(
    window: &'env WindowCore,
    targets: &'env [Rank],
    function: F,
    place: Place,
) -> Result<R, E>
where
    T: Plain,
    E: From<Error>,
    F: for<'scope> FnOnce(&'scope AccessEpoch<'scope, 'env, T, E>) -> Result<R, E>,
{
    let targets_sorted = sorted(window, targets)?;
    window.enter()?;
    for &target in targets {
        window.count_access(target)?;
    }
    let call = window.call(place, |watch| Call::Start {
        win: watch.win,
        group: watch.world_ranks(targets),
        assertions: farside_events::Assertions::default(),
    });
    let has_posted = |&target: &Rank| {
        let word = own_word(window, window.header.posted(target));
        word.load(Ordering::Acquire) >= window.accesses_to(target)
    };
    let posted = || targets.iter().all(has_posted);
    if !posted() {
        let missing = || targets.iter().copied().filter(|target| !has_posted(target));
        let wait = || window.waiting("start", Some(place), missing());
        window.guard(window.core().wait_in(&wait, || Ok(posted())))?;
    }
    drop(call);
    if window.watch.is_some() {
        let told = |&target: &Rank| window.group.told_by(place, "start", target, order(window));
        targets.iter().for_each(told);
    }
    let reach = if targets_sorted {
        Reach::Some(targets)
    } else {
        Reach::Listed(targets)
    };
    lend(window, (reach, place), function, || {
        let call = window.call(place, |watch| Call::Complete { win: watch.win });
        complete(window, targets)?;
        drop(call);
        window.tell_fetched(None);
        Ok(())
    })
}

/// Completes the operations and tells the targets. Where puts are ordered, the word that tells may follow them at once.
fn complete(window: &WindowCore, targets: &[Rank]) -> Result<()> {
    let ordered = window.fabric().capabilities().write_after_write && !window.pending.has_atomics();
    if !ordered {
        window.flush()?;
    }
    for &target in targets {
        let place = window.header.completed(window.group.rank());
        tell(window, target, place, window.accesses_to(target))?;
    }
    window.fabric().send_held();
    window.flush_local()
}

/// The tag of the order that posts on a window make for starts.
fn order(window: &WindowCore) -> u32 {
    window.watch.as_ref().map_or(0, |watch| watch.win.0 as u32)
}

/// Puts a word into the header of the window of another rank.
fn tell(window: &WindowCore, target: Rank, displacement: usize, value: u64) -> Result<()> {
    let (slot, place) = window.pending.pool.take();
    // SAFETY: a cell of the pool that is ours.
    unsafe { place.write(value) };
    let put = Put {
        scope: window.scope,
        origin: place.cast_const().cast(),
        bytes: 8,
        remote: window.remote(target)?,
        displacement,
        signal: Signal::None,
    };
    // SAFETY: the cell stays in place and is not written before completion; the window is connected.
    let ticket = unsafe { window.fabric().put(&put) }?;
    if ticket != farside_fabric::Ticket::DONE {
        window.pending.started();
    }
    window.leave(slot, ticket)
}

/// A word of the own header, which another rank writes.
fn own_word(window: &WindowCore, displacement: usize) -> &AtomicU64 {
    // SAFETY: within the header, aligned to 8 bytes; it is written by aligned puts of 8 bytes only, which are seen as a
    // whole.
    unsafe { &*window.exposed.base.as_ptr().add(displacement).cast::<AtomicU64>() }
}

/// Whether the list is sorted; refuses ranks that are not in the window, or named twice.
fn sorted(window: &WindowCore, ranks: &[Rank]) -> Result<bool> {
    let size = window.group.size();
    for &rank in ranks {
        crate::endpoint::Core::check_rank(rank, size)?;
    }
    if ranks.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(true);
    }
    let mut copy = ranks.to_vec();
    copy.sort_unstable();
    if copy.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Error::Layout("a rank is named twice"));
    }
    Ok(false)
}
