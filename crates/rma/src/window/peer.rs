//! What a rank keeps for each target of a window: its memory, and the locks that are held there.

use crate::sparse::Sparse;
use crate::waits::{Holds, LockName};
use crate::{Error, Lock, Plain, Rank, Result};
use farside_fabric::{Direct, Remote};
use std::cell::{Cell, OnceCell};
use std::panic::Location;

/// A target of a window.
pub(crate) struct Peer {
    pub(crate) place: Place,
    /// The lock that this rank holds there.
    pub(crate) held: Cell<Option<Held>>,
    /// The lock was taken by the open lock_all epoch.
    pub(crate) demanded: Cell<bool>,
}

impl Peer {
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            held: Cell::new(None),
            demanded: Cell::new(false),
        }
    }
}

/// What is kept for the ranks of a window, by rank; made when one is first accessed.
pub(crate) struct Peers {
    /// Of the window.
    name: u64,
    all: Sparse<OnceCell<Peer>>,
}

impl Peers {
    pub(crate) fn new(name: u64, size: u32) -> Self {
        Self {
            name,
            all: Sparse::new(size as usize),
        }
    }

    /// What is kept for a rank, if it was made.
    #[inline(always)]
    pub(crate) fn known(&self, rank: Rank) -> Option<&Peer> {
        self.all.made_at(rank as usize)?.get()
    }

    /// Where what is kept for a rank is, or will be; `None` if there is no such rank.
    pub(crate) fn cell(&self, rank: Rank) -> Option<&OnceCell<Peer>> {
        self.all.get(rank as usize)
    }

    /// All that were made.
    pub(crate) fn made(&self) -> impl Iterator<Item = &Peer> {
        self.all.made().filter_map(OnceCell::get)
    }
}

impl Holds for Peers {
    fn held(&self) -> Vec<LockName> {
        let is_held = |peer: &&Peer| peer.held.get().is_some_and(|held| held.ticket.is_some());
        let held = self.made().filter(is_held);
        held.map(|peer| (self.name, peer.place.remote.target())).collect()
    }
}

/// A lock that is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// `None`: it is not asked for yet ([`crate::window::late`]).
    pub(crate) ticket: Option<u64>,
    pub(crate) lock: Lock,
    /// Where the program took it.
    since: &'static Location<'static>,
}

impl Held {
    pub(crate) fn new(ticket: Option<u64>, lock: Lock, since: &'static Location<'static>) -> Self {
        Self { ticket, lock, since }
    }

    /// Where the program took it.
    pub(crate) fn since(&self) -> &'static Location<'static> {
        self.since
    }
}

/// Elements of a target: those of its part of a window, or some that it attached.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub(crate) rank: Rank,
    pub(crate) remote: Remote,
    /// Where the elements begin, in bytes of the region.
    start: usize,
    elements: usize,
    /// Where it is at its owner, if it is attached.
    pub(crate) attached: Option<u64>,
    /// All elements are in memory that this process reaches itself, and so may the words in front of them.
    direct: Option<Direct>,
    /// Where the elements begin, in bytes from the beginning of the owner's part of the window.
    pub(crate) offset: i64,
}

impl Place {
    /// `elements` elements of `element_bytes` bytes, of which the first is at byte `start`. They are believed to be
    /// there only if the transport checks every access.
    pub(crate) fn new(
        rank: Rank,
        remote: Remote,
        start: usize,
        elements: usize,
        element_bytes: usize,
        direct: Option<Direct>,
    ) -> Self {
        let end = elements
            .checked_mul(element_bytes)
            .and_then(|bytes| bytes.checked_add(start));
        let inside = end.is_some_and(|end| end <= remote.bytes());
        Self {
            rank,
            remote,
            start,
            elements,
            attached: None,
            offset: 0,
            direct: direct.filter(|_| inside),
        }
    }

    /// As it is, attached by its owner at an address there.
    pub(crate) fn attached_at(self, address: u64, offset: i64) -> Self {
        Self {
            attached: Some(address),
            offset,
            ..self
        }
    }

    /// Number of elements.
    pub(crate) fn elements(&self) -> usize {
        self.elements
    }

    /// Where elements are, in bytes of the region. `T` is the type of the window's elements.
    #[inline]
    pub(crate) fn bytes<T: Plain>(&self, displacement: usize, elements: usize) -> Result<usize> {
        match displacement.checked_add(elements) {
            Some(end) if end <= self.elements => Ok(self.start + displacement * size_of::<T>()),
            _ => Err(self.outside::<T>(displacement, elements)),
        }
    }

    #[cold]
    fn outside<T>(&self, displacement: usize, elements: usize) -> Error {
        Error::OutOfBounds {
            target: self.rank,
            displacement,
            elements,
            exposed: self.elements,
            element_bytes: size_of::<T>(),
        }
    }

    /// The way to the memory without the transport, unless it must be asked: no such way, or a rank is lost.
    #[inline]
    pub(crate) fn reach(&self) -> Option<&Direct> {
        // SAFETY: the endpoint lives as long as the window, for which alone places are made and used.
        self.direct.as_ref().filter(|direct| !unsafe { direct.is_lost() })
    }

    /// The address of elements, if they are in bounds and this process reaches them.
    #[inline(always)]
    pub(crate) fn address<T: Plain>(&self, displacement: usize, elements: usize) -> Option<*mut u8> {
        let direct = self.reach()?;
        let end = displacement.checked_add(elements)?;
        if end > self.elements {
            return None;
        }
        // SAFETY: in bounds of the elements, which are in the region, for else there is no such way.
        Some(unsafe { direct.base().add(self.start + displacement * size_of::<T>()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::NonNull;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn elements_that_are_not_in_the_region_are_left_to_the_transport() {
        let (mut memory, word) = ([0u64; 8], AtomicU32::new(0));
        let remote = Remote::new(0, 0, 0, size_of_val(&memory));
        // SAFETY: all live as long as `direct`.
        let direct = unsafe {
            Direct::new(
                NonNull::from(&mut memory).cast(),
                NonNull::from(&word),
                NonNull::from(&word),
            )
        };
        let place = |start, elements| Place::new(0, remote, start, elements, 8, Some(direct));
        assert!(place(16, 6).reach().is_some());
        assert!(place(16, 7).reach().is_none());
        assert!(place(16, usize::MAX).reach().is_none());
        assert_eq!(place(16, 6).bytes::<u64>(5, 1), Ok(56));
        assert_eq!(
            place(16, 6).address::<u64>(5, 1),
            Some(direct.base().wrapping_add(56))
        );
        for (displacement, elements) in [(5, 2), (7, 0), (usize::MAX, 2)] {
            assert!(place(16, 6).bytes::<u64>(displacement, elements).is_err());
            assert!(place(16, 6).address::<u64>(displacement, elements).is_none());
        }
    }
}
