//! Memory that a rank attaches to a window as it needs it (MPI-4.1 §12.2.4).

use super::core::WindowCore;
use super::{Active, Mode, Window};
use crate::window::cells::Cells;
use crate::window::identity::Identity;
use crate::window::peer::Place;
use crate::{Element, Error, Plain, Rank, Result};
use bytemuck::{Pod, Zeroable};
use farside_fabric::Descriptor;
use std::marker::PhantomData;
use std::panic::Location;

/// What others need to access attached memory: plain data, to be sent to them in a message or through a window. It
/// stands where MPI has the address of the memory (`MPI_Get_address`).
///
/// It carries a seal of its window, so that [`Window::connect`] refuses bytes that were changed or that no rank made: a
/// token can name nothing but memory that is attached to the window. Tokens of one memory are equal, those of two runs
/// of a program are not, also where all else is the same ([`simulate`](crate::simulate())).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Token {
    text: Text,
    seal: [u64; 2],
}

/// What a token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Text {
    owner: u64,
    elements: u64,
    element_bytes: u64,
    /// Where it begins, in bytes from the beginning of the owner's part of the window: a name for the memory, for the
    /// check.
    offset: u64,
    length: u64,
    /// Where the memory is at its owner.
    address: u64,
    descriptor: [u8; Descriptor::LIMIT],
}

/// Own memory that is attached to a window: of this rank, and of no other one.
#[derive(Debug)]
pub struct Attached<T> {
    token: Token,
    base: *mut T,
    window: Identity,
}

/// Attached memory of another rank, connected: a [`Target`](crate::Target) of operations of this rank on the window by
/// which it was connected, and of no others.
#[derive(Clone, Copy, Debug)]
pub struct Connected<T> {
    pub(crate) place: Place,
    pub(crate) window: Identity,
    types: PhantomData<T>,
}

impl<T> Attached<T> {
    /// What others need to access it.
    #[must_use]
    pub fn token(&self) -> Token {
        self.token
    }

    fn check(&self, window: &WindowCore) -> Result<usize> {
        window.check()?;
        if self.window == window.identity {
            return Ok(self.token.text.elements as usize);
        }
        Err(Error::Foreign {
            what: "the attached memory",
            reason: "it was attached to another one, or by another rank, or in a world that is over",
        })
    }
}

impl<T> Connected<T> {
    /// Where it is, if the connection is of this window.
    #[inline]
    pub(crate) fn find(&self, window: &WindowCore) -> Result<&Place> {
        if self.window == window.identity {
            return Ok(&self.place);
        }
        Err(Error::Foreign {
            what: "the connection",
            reason: "it was made by another one, or by another rank, or in a world that is over",
        })
    }
}

impl<T: Plain, M: Mode, E> Window<T, M, E> {
    /// Exposes `elements` more elements, all bits 0 (`MPI_Win_attach`, MPI-4.1 §12.2.4). Not collective. Others access
    /// them when they have been given the token, in the epochs of the window.
    ///
    /// The memory stays attached until the window is freed: others may hold its token as long. (`MPI_Win_detach` leaves
    /// it to the program that nobody accesses what is gone; here a program without `unsafe` cannot get there.)
    ///
    /// # Errors
    /// Memory is short.
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<u64>::dynamic(world)?;
    ///     if world.rank() == 0 {
    ///         let attached = window.attach(3)?;
    ///         world.send(1, 0, &[attached.token()])?;
    ///         window.fence(|_| Ok(()))?;
    ///         assert_eq!(window.attached(&attached)?, [0, 5, 0]);
    ///     } else {
    ///         let token = world.receive(Some(0), Some(0))?.values[0];
    ///         let memory = window.connect(&token)?;
    ///         window.fence(|epoch| epoch.put(&[5], &memory, 1))?;
    ///     }
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn attach(&self, elements: usize) -> Result<Attached<T>> {
        let window = self.core();
        window.check()?;
        let bytes = elements
            .checked_mul(size_of::<T>())
            .ok_or(Error::Layout("it is longer than the address space"))?;
        let exposed = window.fabric().expose(bytes)?;
        let mut text = Text {
            owner: u64::from(window.group.rank()),
            elements: elements as u64,
            element_bytes: size_of::<T>() as u64,
            offset: (exposed.base.as_ptr() as u64).wrapping_sub(window.base() as u64),
            length: exposed.descriptor.bytes().len() as u64,
            address: exposed.base.as_ptr() as u64,
            descriptor: [0; Descriptor::LIMIT],
        };
        text.descriptor[..exposed.descriptor.bytes().len()].copy_from_slice(exposed.descriptor.bytes());
        let seal = window.key.seal(bytemuck::bytes_of(&text));
        let base = exposed.base.as_ptr().cast();
        if let Some(watch) = &window.watch {
            watch.attach(exposed.base.as_ptr(), bytes, Location::caller());
        }
        window.attached.borrow_mut().push(exposed);
        Ok(Attached {
            token: Token { text, seal },
            base,
            window: window.identity,
        })
    }

    /// Takes attached memory back at once (`MPI_Win_detach`, MPI-4.1 §12.2.4). Not collective.
    ///
    /// # Errors
    /// It belongs to another window, or the system refuses.
    ///
    /// # Safety
    /// No rank accesses the memory from here on: not by operations that are pending, nor by those that it starts later.
    #[track_caller]
    pub unsafe fn detach(&self, attached: Attached<T>) -> Result<()> {
        let window = self.core();
        attached.check(window)?;
        let mut all = window.attached.borrow_mut();
        let place = all
            .iter()
            .position(|exposed| exposed.base.as_ptr().cast() == attached.base);
        let place = place.ok_or(Error::Layout("the memory is not attached any more"))?;
        let exposed = all.swap_remove(place);
        if let Some(watch) = &window.watch {
            watch.detach(exposed.base.as_ptr(), Location::caller());
        }
        // SAFETY: exposed by this endpoint and taken out of the list; the caller promises that nobody accesses it. Own
        // references have ended, for `attached` is used up.
        Ok(unsafe { window.fabric().withdraw(exposed.region) }?)
    }

    /// Connects to memory that another rank attached. Not collective.
    ///
    /// # Errors
    /// No rank attached such memory to this window: [`Error::Foreign`]; its elements are not of this window's type; the
    /// owner is lost.
    pub fn connect(&self, token: &Token) -> Result<Connected<T>> {
        let window = self.core();
        window.check()?;
        let Token { text: token, seal } = token;
        if *seal != window.key.seal(bytemuck::bytes_of(token)) {
            return Err(Error::Foreign {
                what: "the token",
                reason: "no rank attached such memory to it, or the bytes were changed on the way",
            });
        }
        let owner = Rank::try_from(token.owner).unwrap_or(Rank::MAX);
        let world = window.group.world_rank(owner)?;
        if token.element_bytes != size_of::<T>() as u64 {
            return Err(Error::Length {
                what: "the bytes of an element of the attached memory",
                expected: size_of::<T>(),
                found: token.element_bytes as usize,
            });
        }
        let length = (token.length as usize).min(Descriptor::LIMIT);
        let descriptor = Descriptor::new(&token.descriptor[..length])?;
        let remote = window.fabric().connect(world, &descriptor)?;
        window.connected.borrow_mut().push(remote);
        Ok(Connected {
            place: Place::new(
                owner,
                remote,
                0,
                (token.elements as usize).min(remote.bytes() / size_of::<T>()),
                size_of::<T>(),
                window.fabric().direct(&remote),
            )
            .attached_at(token.address, token.offset.cast_signed()),
            window: window.identity,
            types: PhantomData,
        })
    }
}

impl<T: Plain, E> Window<T, Active, E> {
    /// Own attached elements, to read. See [`Window::local`].
    ///
    /// # Errors
    /// They belong to another window; the window broke.
    pub fn attached<'w>(&'w self, attached: &'w Attached<T>) -> Result<&'w [T]> {
        let elements = attached.check(self.core())?;
        // SAFETY: own memory, valid while the window and `attached` live, which are borrowed; others access it in
        // epochs of this window only, as in `local`.
        Ok(unsafe { std::slice::from_raw_parts(attached.base, elements) })
    }

    /// Own attached elements, to read and write. See [`Window::local_mut`].
    ///
    /// # Errors
    /// They belong to another window; the window broke.
    pub fn attached_mut<'w>(&'w mut self, attached: &'w mut Attached<T>) -> Result<&'w mut [T]> {
        let [elements] = self.attached_each_mut([attached])?;
        Ok(elements)
    }

    /// As [`Window::attached_mut`], of several at once.
    ///
    /// # Errors
    /// As for [`Window::attached_mut`].
    ///
    /// ```
    /// farside::simulate(1, |world| {
    ///     let mut window = farside::Window::<u64>::dynamic(world)?;
    ///     let (mut old, mut new) = (window.attach(3)?, window.attach(3)?);
    ///     let [old, new] = window.attached_each_mut([&mut old, &mut new])?;
    ///     old[1] = 7;
    ///     std::mem::swap(&mut old[1], &mut new[1]);
    ///     assert_eq!((&*old, &*new), (&[0; 3][..], &[0, 7, 0][..]));
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    pub fn attached_each_mut<'w, const N: usize>(
        &'w mut self,
        attached: [&'w mut Attached<T>; N],
    ) -> Result<[&'w mut [T]; N]> {
        for attached in &attached {
            attached.check(self.core())?;
        }
        // SAFETY: own memory, valid while the window and what was attached live; all are borrowed mutably, so no epoch
        // is open, and these are the only references: an `Attached` has memory of its own.
        Ok(attached.map(|attached| unsafe {
            std::slice::from_raw_parts_mut(attached.base, attached.token.text.elements as usize)
        }))
    }
}

impl<T: Element> Attached<T> {
    /// The elements, which others may access at the same time; of a window in passive mode, where nobody holds
    /// references.
    ///
    /// # Errors
    /// They belong to another window.
    pub fn cells<'w, E>(&'w self, window: &'w Window<T, super::Passive, E>) -> Result<Cells<'w, T>> {
        let elements = self.check(window.core())?;
        // SAFETY: own memory, valid while the window and `self` live; references to it exist in active mode only.
        Ok(unsafe { Cells::new(window.core(), self.base, elements, window.group().rank()) })
    }
}
