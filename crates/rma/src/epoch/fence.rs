//! Fence: all ranks of the window open an epoch together, and close it together (MPI-4.1 §12.5.1).

use super::{Epoch, Reach, kind, lend};
use crate::fence::{Next, told};
use crate::flags::Meeting;
use crate::matching::Name;
use crate::watch::Place;
use crate::window::core::WindowCore;
use crate::window::{Active, Window};
use crate::{Error, Plain, Result};
use std::panic::Location;

/// An epoch between two fences: access to all ranks of the window, and exposure to all.
pub type FenceEpoch<'scope, 'env, T, E = Error> = Epoch<'scope, 'env, T, kind::Fence<E>>;

/// What a program promises of a fence epoch (MPI-4.1 §12.5.6). A promise may make the fence cheaper; one that is broken
/// never breaks memory safety. Those that this rank can see to be broken are errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assertions {
    /// `MPI_MODE_NOSTORE`: the own memory was not written by stores before the fence. Not seen when broken, but by [the
    /// check](crate::check); saves nothing here, where stores are visible at once.
    pub no_store: bool,
    /// `MPI_MODE_NOPUT`: the own memory is not written by others in this epoch. Not seen when broken; saves nothing
    /// here.
    pub no_put: bool,
    /// `MPI_MODE_NOPRECEDE`: this rank starts no operation in this epoch. Checked. Nothing is flushed.
    pub no_precede: bool,
    /// `MPI_MODE_NOSUCCEED`: this rank starts no operation in the epochs that follow in the sequence. Checked.
    pub no_succeed: bool,
}

impl<T: Plain, E: From<Error>> Window<T, Active, E> {
    /// Opens an epoch with a fence, lends it to a function, and closes it with a fence (`MPI_Win_fence` twice, MPI-4.1
    /// §12.5.1). Collective. After it, the operations of this rank in the epoch are complete, those of others have
    /// their effect here, and the memory is the rank's own again. How ranks learn that: [`Window::set_fence`].
    ///
    /// The epoch is closed also if the function fails, so that other ranks do not wait for ever; the error comes then.
    ///
    /// Its end orders what all ranks did before; with [`Fence::Neighbour`](crate::Fence::Neighbour) it orders
    /// neighbours only. Its beginning orders nothing but the operations of the epoch, after their targets have come to
    /// it.
    ///
    /// # Errors
    /// What the function returns; a rank is lost, is in another collective call, or time ran out: the window is broken
    /// then.
    ///
    /// ```
    /// farside::simulate(3, |world| {
    ///     let mut window = farside::Window::<i32>::allocate(world, 1)?;
    ///     let mine = [world.rank() as i32];
    ///     let next = (world.rank() + 1) % world.size();
    ///     window.fence(|epoch| epoch.put(&mine, next, 0))?;
    ///     let previous = (world.rank() + world.size() - 1) % world.size();
    ///     assert_eq!(window.local()?, [previous as i32]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn fence<'env, F, R>(&'env mut self, function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope FenceEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        let (window, place) = (self.core(), Location::caller());
        window.enter()?;
        let entered = window.signed(const { Name::new("fence (its beginning)") }, place)?;
        let call = told::begins(window, place, FIRST);
        window.guard(window.design.begin(window, Meeting::FenceOpen))?;
        drop((call, entered));
        told::begun(window, place);
        window.open_record();
        lend(window, (reach(window), place), function, || {
            let entered = window.signed_end(const { Name::new("fence (its end)") }, place);
            let call = told::ends(window, place, said(true, Assertions::default()));
            close(window, Meeting::FenceClose)?;
            drop((call, entered));
            window.tell_fetched(None);
            Ok(())
        })
    }

    /// A sequence of epochs with a fence between each and the next: what a loop over `MPI_Win_fence` is. Collective.
    /// The own memory is not lent in between, for others may be in the next epoch already: [`Epoch::direct`] reads it.
    /// [`Window::halves`] lends what an epoch brought.
    ///
    /// # Errors
    /// As for [`Window::fence`].
    ///
    /// ```
    /// # farside::simulate(2, |world| {
    /// # let mut window = farside::Window::<u64>::allocate(world, 10)?;
    /// # let other = 1 - world.rank();
    /// window.fences(|fences| {
    ///     for step in 0..10 {
    ///         fences.epoch(|epoch| epoch.put_value(step as u64, other, step))?;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(window.local()?, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    /// # window.free() })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn fences<R>(
        &mut self,
        function: impl FnOnce(&mut Fences<'_, T, E>) -> Result<R, E>,
    ) -> Result<R, E> {
        sequence(
            self.core(),
            Location::caller(),
            &FENCES,
            |window| window.guard(window.design.begin(window, Meeting::FencesOpen)),
            function,
        )
    }
}

/// What the calls of a sequence of epochs are called: its beginning, the end of each epoch, and its end.
pub(super) struct Calls([Name; 3]);

impl Calls {
    pub(super) const fn new(names: [Name; 3]) -> Self {
        Self(names)
    }
}

const FENCES: Calls = Calls::new([
    Name::new("fences (its beginning)"),
    Name::new("fences (the end of an epoch)"),
    Name::new("fences (its end)"),
]);

/// Lends a sequence of epochs to a function. `begin` returns when the first may begin.
pub(super) fn sequence<T: Plain, E: From<Error>, R>(
    window: &WindowCore,
    place: Place,
    calls: &'static Calls,
    begin: impl FnOnce(&WindowCore) -> Result<()>,
    function: impl FnOnce(&mut Fences<'_, T, E>) -> Result<R, E>,
) -> Result<R, E> {
    window.check()?;
    let entered = window.signed(calls.0[0], place)?;
    let call = told::begins(window, place, FIRST);
    begin(window)?;
    drop((call, entered));
    told::begun(window, place);
    let mut fences = Fences {
        window,
        calls,
        ended: false,
        elements: std::marker::PhantomData,
    };
    let unwinding = super::Closing { window };
    let result = function(&mut fences);
    std::mem::forget(unwinding);
    let entered = window.signed_end(calls.0[2], place);
    let call = told::meets(window, place, said(true, Assertions::default()));
    let closed = window.guard(window.meet(Meeting::FencesEnd));
    drop((call, entered));
    told::met(window, place);
    super::first_error(result, closed)
}

/// Epochs with a fence between each and the next. See [`Window::fences`].
pub struct Fences<'w, T, E = Error> {
    window: &'w WindowCore,
    calls: &'static Calls,
    /// `no_succeed` was promised.
    ended: bool,
    elements: std::marker::PhantomData<(T, fn() -> E)>,
}

impl<T: Plain, E: From<Error>> Fences<'_, T, E> {
    pub(super) fn window(&self) -> &WindowCore {
        self.window
    }

    /// The design that the next fence has, the same at all ranks; `None` while [`Fence::Auto`](crate::Fence::Auto)
    /// still tries several. A benchmark waits for it.
    #[must_use]
    pub fn design(&self) -> Option<crate::Fence> {
        self.window.design.settled()
    }

    /// Lends the epoch to a function, and ends it with a fence (`MPI_Win_fence`, MPI-4.1 §12.5.1). Collective.
    ///
    /// # Errors
    /// As for [`Window::fence`].
    #[track_caller]
    pub fn epoch<'env, F, R>(&'env mut self, function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope FenceEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        self.epoch_with(Assertions::default(), function)
    }

    /// As [`Fences::epoch`], with promises for the fence at its end.
    ///
    /// # Errors
    /// As for [`Window::fence`]; [`Error::Assertion`] if a promise is seen to be broken: the operations are done,
    /// though.
    #[track_caller]
    pub fn epoch_with<'env, F, R>(&'env mut self, assertions: Assertions, function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(&'scope FenceEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        let (window, calls, place) = (self.window, self.calls, Location::caller());
        window.core().matching.check_alone()?;
        let ended = self.ended;
        self.ended |= assertions.no_succeed;
        window.enter()?;
        window.open_record();
        let mut broken = Ok(());
        let result = lend(window, (reach(window), place), function, || {
            broken = promises(assertions, ended, window.pending.is_any());
            let entered = window.signed_end(calls.0[1], place);
            let mut call = told::ends(window, place, said(false, assertions));
            if let Next::ToBegin = close(window, Meeting::FencesNext)? {
                call = told::goes_on(call, window, place, said(false, assertions));
                window.design.begin(window, Meeting::FencesNext)?;
            }
            drop((call, entered));
            told::begun(window, place);
            window.tell_fetched(None);
            Ok(())
        });
        super::first_error(result, broken)
    }
}

/// To whom an epoch gives access.
fn reach(window: &WindowCore) -> Reach<'_> {
    let partners = window.design.partners();
    partners.map_or(Reach::All, |partners| Reach::Some(partners.targets()))
}

/// Completes an epoch.
fn close(window: &WindowCore, meeting: Meeting) -> Result<Next> {
    let next = window.design.complete(window, meeting)?;
    window.record.close();
    Ok(next)
}

/// What is told of the fence that a first epoch begins with.
const FIRST: farside_events::Assertions = farside_events::Assertions {
    noprecede: true,
    nosucceed: false,
    nostore: false,
    noput: false,
    nocheck: false,
};

/// The promises that are told of; `last`: no epoch follows the fence.
///
/// `no_precede` and `no_succeed` are checked here, and no fence of this library leaves its epoch's operations to the
/// next, so they are not told. `no_put` is of the epoch that this fence ends, in MPI of the one that it begins: it is
/// not told either.
fn said(last: bool, assertions: Assertions) -> farside_events::Assertions {
    farside_events::Assertions {
        nostore: assertions.no_store,
        nosucceed: last,
        ..farside_events::Assertions::default()
    }
}

/// Which promise was broken: of this epoch, or of an earlier one.
fn promises(assertions: Assertions, ended: bool, pending: bool) -> Result<()> {
    if pending && assertions.no_precede {
        return Err(Error::Assertion {
            assertion: "no_precede",
            reason: "this rank started operations in the epoch",
        });
    }
    if pending && ended {
        return Err(Error::Assertion {
            assertion: "no_succeed",
            reason: "this rank started operations in a later epoch",
        });
    }
    Ok(())
}
