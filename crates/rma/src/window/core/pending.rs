//! What a rank has started on a window and not completed yet.

use super::WindowCore;
use crate::pool::Pool;
use crate::window::peer::Place;
use crate::{Plain, Rank, Result};
use farside_fabric::Direct;
use std::any::Any;
use std::cell::{Cell, RefCell};

/// The target of a window that this rank itself accessed last, without the transport (see [`Direct`]). The open epoch
/// has admitted it, unless it is one of a single target, which compares ranks.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// Of the target if the epoch admits it, or no rank.
    admitted: u64,
    /// Of the target.
    pub(super) rank: Rank,
    pub(super) way: Option<Direct>,
    /// Where its elements begin, and their number.
    base: *mut u8,
    elements: usize,
}

impl Near {
    const NOBODY: Self = Self {
        admitted: u64::MAX,
        rank: 0,
        way: None,
        base: std::ptr::null_mut(),
        elements: 0,
    };
}

/// The operations that are not complete at their targets.
pub(crate) struct Pending {
    /// Something was started since the last completion of all.
    pub(super) any: Cell<bool>,
    /// Something of it was handed to the transport.
    pub(super) passed: Cell<bool>,
    /// An atomic operation was.
    pub(super) passed_atomics: Cell<bool>,
    /// This rank itself wrote to `near`. What it wrote to others before is complete.
    pub(super) written: Cell<bool>,
    pub(super) near: Cell<Near>,
    /// Operands and results of single atomic operations.
    pub(crate) pool: Pool,
    /// Buffers of requests that nobody waits for.
    pub(super) orphans: RefCell<Vec<Box<dyn Any>>>,
}

impl Default for Pending {
    fn default() -> Self {
        Self {
            any: Cell::new(false),
            passed: Cell::new(false),
            passed_atomics: Cell::new(false),
            written: Cell::new(false),
            near: Cell::new(Near::NOBODY),
            pool: Pool::default(),
            orphans: RefCell::default(),
        }
    }
}

impl Pending {
    /// Something was started since the last completion of all.
    #[inline]
    pub(crate) fn is_any(&self) -> bool {
        self.any.get()
    }

    /// The transport has operations to complete.
    #[inline]
    pub(crate) fn is_passed(&self) -> bool {
        self.passed.get()
    }

    /// The transport has atomic operations to complete.
    pub(crate) fn has_atomics(&self) -> bool {
        self.passed_atomics.get()
    }

    /// The address of elements to read, if `target` is near and they are in bounds.
    #[inline(always)]
    pub(crate) fn read<T: Plain>(
        &self,
        target: Rank,
        displacement: usize,
        elements: usize,
    ) -> Option<*mut u8> {
        let near = self.near.get();
        if near.admitted != u64::from(target) {
            return None;
        }
        // SAFETY: the endpoint lives as long as the window.
        if unsafe { near.way?.is_lost() } || displacement.checked_add(elements)? > near.elements {
            return None;
        }
        self.any.set(true);
        // SAFETY: in bounds of the elements, which are in the region, for else the target would not be near.
        Some(unsafe { near.base.add(displacement * size_of::<T>()) })
    }

    /// The same, of elements to write.
    #[inline(always)]
    pub(crate) fn write<T: Plain>(
        &self,
        target: Rank,
        displacement: usize,
        elements: usize,
    ) -> Option<*mut u8> {
        let address = self.read::<T>(target, displacement, elements)?;
        self.written.set(true);
        Some(address)
    }

    /// An epoch begins that does not admit all targets, or not yet.
    #[inline]
    pub(crate) fn forget_admitted(&self) {
        self.near.set(Near {
            admitted: u64::MAX,
            ..self.near.get()
        });
    }

    /// Completes all operations, if that takes no transport: they were done here, and their target is awake.
    #[inline(always)]
    pub(crate) fn settle(&self) -> bool {
        if self.passed.get() {
            return false;
        }
        self.any.set(false);
        if !self.written.get() {
            return true;
        }
        // SAFETY: the endpoint lives as long as the window.
        let settled = self.near.get().way.is_none_or(|way| unsafe { way.settle() });
        if settled {
            self.written.set(false);
        }
        settled
    }

    /// Remembers that an operation was handed to the transport.
    pub(crate) fn started(&self) {
        self.any.set(true);
        self.passed.set(true);
    }

    /// Remembers that an atomic operation was handed to the transport.
    pub(crate) fn started_atomic(&self) {
        self.started();
        self.passed_atomics.set(true);
    }

    /// All operations are complete, here and at their targets; or they were given up.
    pub(crate) fn completed_everywhere(&self) {
        self.completed();
        for state in [&self.any, &self.passed, &self.passed_atomics, &self.written] {
            state.set(false);
        }
    }

    /// The cells, and the buffers of requests that nobody waits for.
    pub(super) fn take_buffers(&mut self) -> (Pool, Vec<Box<dyn Any>>) {
        (std::mem::take(&mut self.pool), self.orphans.take())
    }

    /// All operations are complete locally.
    pub(super) fn completed(&self) {
        self.pool.completed();
        let mut orphans = self.orphans.borrow_mut();
        if !orphans.is_empty() {
            orphans.clear();
        }
    }
}

impl WindowCore {
    /// The way to access a place without the transport, if there is one; its rank, which the epoch admits, is near from
    /// then on.
    #[inline]
    pub(crate) fn approach<'p>(&self, place: &'p Place) -> Result<Option<&'p Direct>> {
        let Some(direct) = place.reach().filter(|_| self.record.is_direct()) else {
            return Ok(None);
        };
        if self.pending.near.get().admitted != u64::from(place.rank) {
            self.approach_another(place.rank)?;
        }
        self.pending.any.set(true);
        Ok(Some(direct))
    }

    /// As [`WindowCore::approach`], to write.
    #[inline]
    pub(crate) fn approach_to_write<'p>(&self, place: &'p Place) -> Result<Option<&'p Direct>> {
        let direct = self.approach(place)?;
        if direct.is_some() {
            self.pending.written.set(true);
        }
        Ok(direct)
    }

    /// Completes what was written to the target before this one.
    #[cold]
    fn approach_another(&self, rank: Rank) -> Result<()> {
        let place = &self.peer(rank)?.place;
        self.complete_written()?;
        if self.watch.is_some() {
            // The check is told of operations on the way that is not the nearest.
            self.pending.near.set(Near {
                rank,
                way: place.reach().copied(),
                ..Near::NOBODY
            });
            return Ok(());
        }
        // The part of the window: what is attached is found otherwise, and has the same owner to wake.
        self.pending.near.set(Near {
            admitted: u64::from(rank),
            rank,
            way: place.reach().copied(),
            base: place.address::<u8>(0, 0).unwrap_or(std::ptr::null_mut()),
            elements: place.elements(),
        });
        Ok(())
    }
}
