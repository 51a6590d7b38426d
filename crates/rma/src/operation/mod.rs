//! Operations: put and get, of consecutive elements and of layouts. All are started, and complete when their epoch says so.

mod atomic;
mod layouts;
mod requests;
mod single;

use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::fence::record;
use crate::window::attach::Connected;
use crate::window::core::WindowCore;
use crate::{Element, Error, Plain, Rank, Result};
use farside_fabric::{Get, Put, Remote, Signal, Ticket};

mod sealed {
    pub trait Sealed {}
}

/// Whose memory an operation goes to: a rank, for its part of the window, or memory that a rank attached.
pub trait Target<T>: sealed::Sealed {
    #[doc(hidden)]
    fn find(&self, window: Sealed<'_>) -> Result<Place>;
}

/// What a target is found by; nothing that a program can make.
#[doc(hidden)]
pub struct Sealed<'a>(&'a WindowCore);

/// Memory of a target.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub(crate) rank: Rank,
    pub(crate) remote: Remote,
    /// Where the elements begin, in bytes.
    start: usize,
    elements: usize,
    element_bytes: usize,
    /// Where it is at its owner, if it is attached.
    pub(crate) attached: Option<u64>,
}

impl sealed::Sealed for Rank {}

impl<T> Target<T> for Rank {
    fn find(&self, window: Sealed<'_>) -> Result<Place> {
        let window = window.0;
        Ok(Place {
            rank: *self,
            remote: window.remote(*self)?,
            start: window.header.bytes,
            elements: window.addresses.elements(*self),
            element_bytes: window.element_bytes,
            attached: None,
        })
    }
}

impl<T> sealed::Sealed for &Connected<T> {}

impl<T> Target<T> for &Connected<T> {
    fn find(&self, window: Sealed<'_>) -> Result<Place> {
        let window = window.0;
        if window.name != self.window {
            return Err(Error::Layout("the memory is attached to another window"));
        }
        Ok(Place {
            rank: self.owner,
            remote: self.remote,
            start: 0,
            elements: self.elements,
            element_bytes: window.element_bytes,
            attached: Some(self.address),
        })
    }
}

impl Place {
    /// Where elements are, in bytes of the region.
    pub(crate) fn bytes(&self, displacement: usize, elements: usize) -> Result<usize> {
        match displacement.checked_add(elements) {
            Some(end) if end <= self.elements => Ok(self.start + displacement * self.element_bytes),
            _ => Err(Error::OutOfBounds {
                target: self.rank,
                displacement,
                elements,
                exposed: self.elements,
                element_bytes: self.element_bytes,
            }),
        }
    }
}

/// The memory of a target to which the epoch gives access.
pub(crate) fn place<T: Plain, K: Kind>(epoch: &Epoch<'_, '_, T, K>, target: impl Target<T>) -> Result<Place> {
    let place = target.find(Sealed(epoch.window))?;
    epoch.admit(place.rank)?;
    Ok(place)
}

/// Starts to write elements.
///
/// # Safety
/// `origin` is valid for reads of `elements` elements, and not written, until local completion.
pub(crate) unsafe fn start_put<T: Plain>(
    window: &WindowCore,
    place: &Place,
    origin: *const T,
    elements: usize,
    displacement: usize,
) -> Result<Ticket> {
    let put = Put {
        scope: window.scope,
        origin: origin.cast(),
        bytes: elements * size_of::<T>(),
        remote: place.remote,
        displacement: place.bytes(displacement, elements)?,
        signal: Signal::None,
    };
    // SAFETY: the caller's promise; windows and attached memory stay connected as long as the window.
    let ticket = unsafe {
        if window.record.is_direct() {
            window.fabric().put(&put)?
        } else {
            record::put(window, place.rank, place.attached, put)?
        }
    };
    window.started();
    Ok(ticket)
}

/// Starts to read elements.
///
/// # Safety
/// `origin` is valid for writes of `elements` elements, and not touched, until local completion.
pub(crate) unsafe fn start_get<T: Plain>(
    window: &WindowCore,
    place: &Place,
    origin: *mut T,
    elements: usize,
    displacement: usize,
) -> Result<Ticket> {
    let get = Get {
        scope: window.scope,
        origin: origin.cast(),
        bytes: elements * size_of::<T>(),
        remote: place.remote,
        displacement: place.bytes(displacement, elements)?,
    };
    let ticket = match window.record.deferred() {
        Some(deferred) if window.record.is_deferred() => deferred.get(place.rank, place.attached, &get)?,
        // SAFETY: as in `start_put`.
        _ => unsafe { window.fabric().get(&get) }?,
    };
    window.started();
    Ok(ticket)
}

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// Starts to write elements to a target, from element `displacement` on (`MPI_Put`, MPI-4.1 §12.3.1). The origin buffer
    /// may be read, but not written, until the epoch is complete.
    ///
    /// # Errors
    /// No such rank; out of bounds (nothing is written then); no access to it in this epoch; it is lost.
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<f32>::allocate(world, 8)?;
    ///     let halo = [1.0, 2.0];
    ///     window.fence(|epoch| epoch.put(&halo, 1 - world.rank(), 6))?;
    ///     assert_eq!(window.local()?[6..], halo);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    pub fn put(&'scope self, origin: &'scope [T], target: impl Target<T>, displacement: usize) -> Result<()> {
        let place = place(self, target)?;
        // SAFETY: the origin is borrowed for `'scope`, at the end of which all operations are complete.
        unsafe { start_put(self.window, &place, origin.as_ptr(), origin.len(), displacement) }?;
        Ok(())
    }

    /// As [`Epoch::put`] of one element by value, which needs no buffer.
    ///
    /// # Errors
    /// As for [`Epoch::put`].
    pub fn put_value(&'scope self, value: T, target: impl Target<T>, displacement: usize) -> Result<()>
    where
        T: Element,
    {
        let place = place(self, target)?;
        let (slot, cell) = self.window.pool.take();
        let origin = cell.cast::<T>();
        // SAFETY: the cell is ours, has 8 bytes and more, and is not touched until completion.
        let ticket = unsafe {
            origin.write(value);
            start_put(self.window, &place, origin.cast_const(), 1, displacement)
        }?;
        self.window.leave(slot, ticket)
    }

    /// Starts to read elements from a target, from element `displacement` on (`MPI_Get`, MPI-4.1 §12.3.2). The origin buffer
    /// may not be touched until the epoch is complete.
    ///
    /// # Errors
    /// As for [`Epoch::put`].
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::create(world, vec![world.rank(); 4])?;
    ///     let mut theirs = [9; 2];
    ///     window.fence(|epoch| epoch.get(&mut theirs, 1 - world.rank(), 0))?;
    ///     assert_eq!(theirs, [1 - world.rank(); 2]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    pub fn get(
        &'scope self,
        origin: &'scope mut [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        let place = place(self, target)?;
        // SAFETY: the origin is borrowed mutably for `'scope`, at the end of which all operations are complete.
        unsafe {
            start_get(
                self.window,
                &place,
                origin.as_mut_ptr(),
                origin.len(),
                displacement,
            )
        }?;
        Ok(())
    }
}
