//! Windows: memory of all ranks of a group that they can access.

pub(crate) mod address;
pub(crate) mod attach;
pub(crate) mod cells;
pub(crate) mod core;
pub(crate) mod header;
pub(crate) mod identity;
pub(crate) mod late;
pub(crate) mod peer;
mod seal;

use self::cells::Cells;
use self::core::WindowCore;
use crate::flags::Meeting;
use crate::matching::{Name, Signature};
use crate::notify::{self, Notice};
use crate::window::core::watch::WindowWatch;
use crate::{Element, Error, Group, Plain, Rank, Result};
use farside_events::WindowFlavor;
use std::marker::PhantomData;
use std::panic::Location;

mod sealed {
    pub trait Sealed {}
}

/// How the ranks of a window synchronise.
pub trait Mode: sealed::Sealed {}

/// Targets take part: fence, and post, start, complete, wait. Between epochs the memory is the rank's own.
#[derive(Debug)]
pub enum Active {}

/// Targets take no part: lock, and lock_all. The memory can be accessed by others at any time.
#[derive(Debug)]
pub enum Passive {}

impl sealed::Sealed for Active {}
impl sealed::Sealed for Passive {}
impl Mode for Active {}
impl Mode for Passive {}

/// Memory that each rank of a group exposes to the others (MPI-4.1 §12.2): elements `T`, of any number at each rank.
///
/// All displacements are in elements, not in bytes. `M` says how ranks synchronise: a window is made [`Active`], and
/// [`Window::into_passive`] changes that for all.
///
/// [`Window::free`] gives the memory back at once. The memory of a window that is only dropped stays until the world
/// ends, for others may still access it.
///
/// `E` is what the functions of its epochs fail with: [`Window::with_error`].
pub struct Window<T: Plain, M: Mode = Active, E = Error> {
    core: Box<WindowCore>,
    elements: Types<T, M, E>,
}

/// What the types of a window say. It has no errors, it gives them.
type Types<T, M, E> = PhantomData<(T, M, fn() -> E)>;

impl<T: Plain> Window<T, Active> {
    /// Exposes `elements` new elements, all bits 0 (`MPI_Win_allocate`, MPI-4.1 §12.2.2). Collective; each rank may
    /// give another number, also 0.
    ///
    /// # Errors
    /// Memory is short at some rank, elements have another size there, or a rank is lost.
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let window = farside::Window::<f64>::allocate(world, 100)?;
    ///     assert_eq!(window.local()?, [0.0; 100]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn allocate(group: &Group, elements: usize) -> Result<Self> {
        Self::make(
            group,
            elements,
            WindowFlavor::Allocate,
            const { Name::new("Window::allocate") },
        )
    }

    #[track_caller]
    fn make(group: &Group, elements: usize, flavor: WindowFlavor, call: Name) -> Result<Self> {
        const {
            assert!(size_of::<T>() > 0, "elements of a window have a size");
            assert!(
                align_of::<T>() <= 64,
                "elements of a window are aligned to 64 bytes at the most"
            );
        }
        let place = Location::caller();
        let _entered = group.enter(Signature::new(call, place))?;
        let recorder = group.core().watch.as_ref();
        // What ranks tell one another meanwhile is not the program's.
        let quiet = recorder.and_then(|recorder| recorder.quietly());
        let mut core = WindowCore::create(group, elements, size_of::<T>())?;
        drop(quiet);
        core.watch = recorder
            .map(|recorder| WindowWatch::new(&core, recorder, flavor, std::any::type_name::<T>(), place));
        let _call = group.collective_of_all(place, call.text());
        core.meet(Meeting::Created)?;
        Ok(Self {
            core: Box::new(core),
            elements: PhantomData,
        })
    }

    /// Exposes elements that exist (`MPI_Win_create`, MPI-4.1 §12.2.1). Collective. [`Window::free_into`] gives them
    /// back.
    ///
    /// Deviation: memory that is not the transport's cannot be exposed on every transport; so the elements move there,
    /// and back in the end. Nobody can tell, for the vector is moved here.
    ///
    /// # Errors
    /// As for [`Window::allocate`].
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let window = farside::Window::create(world, vec![1u8, 2, 3])?;
    ///     assert_eq!(window.free_into()?, [1, 2, 3]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn create(group: &Group, elements: Vec<T>) -> Result<Self> {
        let mut window = Self::make(
            group,
            elements.len(),
            WindowFlavor::Create,
            const { Name::new("Window::create") },
        )?;
        window.local_mut()?.copy_from_slice(&elements);
        Ok(window)
    }

    /// A window without memory, to which each rank attaches some as it needs it (`MPI_Win_create_dynamic`, MPI-4.1
    /// §12.2.4). Collective. See [`Window::attach`].
    ///
    /// # Errors
    /// A rank is lost.
    #[track_caller]
    pub fn dynamic(group: &Group) -> Result<Self> {
        Self::make(
            group,
            0,
            WindowFlavor::Allocate,
            const { Name::new("Window::dynamic") },
        )
    }

    /// As [`Window::allocate`], with the promise that all ranks can load and store the memory of all directly, in
    /// epochs, by [`Epoch::direct`](crate::Epoch::direct) (`MPI_Win_allocate_shared`, MPI-4.1 §12.2.3). Collective.
    ///
    /// # Errors
    /// As for [`Window::allocate`]; the transport does not map the memory of others.
    #[track_caller]
    pub fn shared(group: &Group, elements: usize) -> Result<Self> {
        let capabilities = group.core().fabric().capabilities();
        if !capabilities.mapped && group.size() > 1 {
            return Err(Error::Unsupported {
                what: "a window of shared memory",
                reason: format!("the transport `{}` does not map it", capabilities.transport),
            });
        }
        Self::make(
            group,
            elements,
            WindowFlavor::Shared,
            const { Name::new("Window::shared") },
        )
    }
}

impl<T: Plain, E> Window<T, Active, E> {
    /// The own elements, to read: no epoch is open, so nobody else accesses them.
    ///
    /// # Errors
    /// The window broke in an earlier call: nobody knows who accesses it.
    pub fn local(&self) -> Result<&[T]> {
        self.core.check()?;
        // SAFETY: own memory, aligned and valid as long as the window. Others access it in epochs only, which begin
        // when this rank has come to fence or post: these borrow the window mutably until the epoch has ended at all
        // ranks. An epoch that ended otherwise has broken the window.
        Ok(unsafe { std::slice::from_raw_parts(self.core.base().cast(), self.core.own_length()) })
    }

    /// The own elements, to read and write: no epoch is open, so nobody else accesses them.
    ///
    /// # Errors
    /// As for [`Window::local`].
    pub fn local_mut(&mut self) -> Result<&mut [T]> {
        self.core.check()?;
        // SAFETY: own memory, aligned and valid as long as the window, which is borrowed mutably: this is the only
        // reference, and no epoch is open.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.core.base().cast(), self.core.own_length()) })
    }

    /// The same window for passive target synchronisation: lock and lock_all instead of fence and post. Collective.
    ///
    /// Deviation: MPI lets a program use both ways on one window, one after the other, if it sees to it that they do
    /// not meet (MPI-4.1 §12.5). Here it says so, and all ranks wait for one another: from then on the memory is never
    /// the rank's own without a lock.
    ///
    /// # Errors
    /// A rank is lost, or in another collective call.
    #[track_caller]
    pub fn into_passive(self) -> Result<Window<T, Passive, E>> {
        self.core.check()?;
        let call = self
            .core
            .group
            .collective_of_all(Location::caller(), "into_passive");
        let entered = self
            .core
            .signed(const { Name::new("into_passive") }, Location::caller())?;
        self.core.meet(Meeting::Passive)?;
        drop((call, entered));
        Ok(Window {
            core: self.core,
            elements: PhantomData,
        })
    }
}

impl<T: Plain, E> Window<T, Passive, E> {
    /// The same window for active target synchronisation. Collective. See [`Window::into_passive`].
    ///
    /// # Errors
    /// A rank is lost, or in another collective call.
    #[track_caller]
    pub fn into_active(self) -> Result<Window<T, Active, E>> {
        self.core.check()?;
        let call = self
            .core
            .group
            .collective_of_all(Location::caller(), "into_active");
        let entered = self
            .core
            .signed(const { Name::new("into_active") }, Location::caller())?;
        self.core.meet(Meeting::Active)?;
        drop((call, entered));
        Ok(Window {
            core: self.core,
            elements: PhantomData,
        })
    }

    /// The own elements, which others may access at the same time.
    pub fn cells(&self) -> Cells<'_, T>
    where
        T: Element,
    {
        let core = &self.core;
        // SAFETY: own memory, aligned and valid as long as the window; references to it exist only in `lock_local`,
        // which borrows the window mutably.
        unsafe { Cells::new(core, core.base().cast(), core.own_length(), core.group.rank()) }
    }

    /// Waits until an own element is as wanted. See [`Epoch::wait_until`](crate::Epoch::wait_until).
    ///
    /// # Errors
    /// Out of bounds; a rank is lost; time ran out.
    #[track_caller]
    pub fn wait_until(&self, index: usize, wanted: impl FnMut(T) -> bool) -> Result<T>
    where
        T: Element,
    {
        crate::epoch::wait_until(&self.core, index, wanted)
    }

    /// Waits for a notified put. See [`Epoch::wait_notice`](crate::Epoch::wait_notice).
    ///
    /// # Errors
    /// A rank is lost; time ran out.
    #[track_caller]
    pub fn wait_notice(&self, number: Option<u32>) -> Result<Notice> {
        notify::wait(&self.core, number)
    }

    /// The next notified put, as a future. See [`Epoch::next_notice`](crate::Epoch::next_notice).
    ///
    /// # Errors
    /// A rank is lost; time ran out.
    #[track_caller]
    pub fn next_notice(&self, number: Option<u32>) -> impl Future<Output = Result<Notice>> {
        notify::next(&self.core, number)
    }

    /// The next notified put, if one is here. See [`Epoch::test_notice`](crate::Epoch::test_notice).
    ///
    /// # Errors
    /// A rank is lost.
    #[track_caller]
    pub fn test_notice(&self, number: Option<u32>) -> Result<Option<Notice>> {
        notify::test(&self.core, number)
    }
}

impl<T: Plain, M: Mode, E> Window<T, M, E> {
    /// The same window, the functions of whose epochs fail with an error of the program's own. Not collective.
    ///
    /// `?` turns an [`Error`] of this crate into it there. The type belongs to the window and not to each call, for a
    /// function that ends with `Ok(())` does not say it.
    ///
    /// ```
    /// use farside::{Active, Window};
    ///
    /// #[derive(Debug)]
    /// enum Failure {
    ///     Farside(farside::Error),
    ///     Text(std::num::ParseIntError),
    /// }
    /// # impl From<farside::Error> for Failure { fn from(error: farside::Error) -> Self { Self::Farside(error) } }
    /// # impl From<std::num::ParseIntError> for Failure {
    /// #     fn from(error: std::num::ParseIntError) -> Self { Self::Text(error) }
    /// # }
    ///
    /// farside::simulate(2, |world| {
    ///     let mut window: Window<u32, Active, Failure> = Window::allocate(world, 1)?.with_error();
    ///     let failed = window.fence(|epoch| {
    ///         epoch.put_value("7".parse()?, 1, 0)?;
    ///         epoch.put_value("seven".parse()?, 1, 0)?;
    ///         Ok(())
    ///     });
    ///     assert!(matches!(failed, Err(Failure::Text(_))));
    ///     assert_eq!(window.local()?, [if world.rank() == 1 { 7 } else { 0 }]); // the epoch has ended all the same
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[must_use]
    pub fn with_error<F: From<Error>>(self) -> Window<T, M, F> {
        Window {
            core: self.core,
            elements: PhantomData,
        }
    }

    /// The ranks of the window (`MPI_Win_get_group`, MPI-4.1 §12.2.6).
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.core.group
    }

    /// Number of elements that a rank exposes.
    ///
    /// # Errors
    /// No such rank.
    pub fn elements(&self, rank: Rank) -> Result<usize> {
        crate::endpoint::Core::check_rank(rank, self.core.group.size())?;
        Ok(self.core.addresses.elements(rank))
    }

    /// The greatest number that a notified put on this window can carry; `None` if there are no notified puts, because
    /// the transport has none, or too many windows exist.
    #[must_use]
    pub fn greatest_notice(&self) -> Option<u32> {
        notify::greatest(&self.core)
    }

    /// Ends the window at all ranks and gives its memory back (`MPI_Win_free`, MPI-4.1 §12.2.5). Collective.
    ///
    /// # Errors
    /// A rank is lost, or in another collective call. The memory stays then until the world ends.
    #[track_caller]
    pub fn free(self) -> Result<()> {
        self.core.free(|| ())
    }

    /// As [`Window::free`], and gives the own elements back. Collective.
    ///
    /// # Errors
    /// As for [`Window::free`].
    #[track_caller]
    pub fn free_into(self) -> Result<Vec<T>> {
        let (base, length) = (self.core.base().cast::<T>(), self.core.own_length());
        let mut elements = vec![T::zeroed(); length];
        // SAFETY: own memory, valid and aligned; nobody accesses it any more when this runs, and the vector is new.
        let copy = || unsafe { std::ptr::copy_nonoverlapping(base, elements.as_mut_ptr(), length) };
        self.core.free(copy)?;
        Ok(elements)
    }

    /// A copy of the own elements as they are now, of a window that others may still access: what was in it when a rank
    /// was lost. Not collective, and never refused.
    ///
    /// An operation that the lost rank had begun may have come in part: elements of 1, 2, 4 and 8 bytes are whole, as
    /// far as [`Capabilities::whole_words`](crate::Capabilities::whole_words) says, others may be half written. Atomic
    /// operations are whole. What other ranks that are left had completed is there, if they have told so.
    #[must_use]
    pub fn salvage(&self) -> Vec<T> {
        let mut elements = vec![T::zeroed(); self.core.own_length()];
        let own = self.core.base().cast::<T>();
        for (index, element) in elements.iter_mut().enumerate() {
            // SAFETY: own memory, valid and aligned as long as the window; no reference to it lives but in functions
            // that borrow the window mutably. Others may write it meanwhile: it is read as transports do, and any bytes
            // are an element.
            unsafe {
                farside_fabric::copy::read(
                    std::ptr::from_mut(element).cast(),
                    own.add(index).cast(),
                    size_of::<T>(),
                );
            }
        }
        elements
    }

    pub(crate) fn core(&self) -> &WindowCore {
        &self.core
    }

    pub(crate) fn core_mut(&mut self) -> &mut WindowCore {
        &mut self.core
    }
}
