//! Arrays of one, two or three dimensions that lie over the ranks in blocks, each with a halo.
//!
//! A rank has a block of the array, and around it room for the nearest elements of its neighbours, the **halo**. All of
//! it is one piece of its own memory, in the order of C (the last dimension varies fastest): slices, rows, and views of
//! `ndarray` are of that memory, and nothing is between them and the elements. [`Array::exchange`] brings the halo.
//!
//! ```
//! use farside::array::{Array, Distribution};
//!
//! farside::simulate(4, |world| {
//!     let distribution = Distribution::new([8, 8]).halo([1, 1]).periodic([true, true]);
//!     let mut field = Array::<f64, 2>::allocate(world, distribution)?;
//!     field.fill_with(|[row, column]| (8 * row + column) as f64)?;
//!     field.exchange()?;
//!     // Indices of a rank count from its halo, so that 0 is in it, and 1 is the first own element.
//!     let above = &field.rows()?[0];
//!     let [row, column] = field.global([0, 1]).expect("all around");
//!     assert_eq!(above[1], (8 * row + column) as f64);
//!     field.free()
//! })?;
//! # Ok::<(), farside::Error>(())
//! ```
//!
//! # Promise
//!
//! After an exchange, each element of the halo that mirrors one of the array ([`Array::global`]) is as it was when its
//! owner called the exchange; what lies beyond an end of the array that is not periodic is not written, and is the
//! program's, as boundary values. Corners are exchanged if the [`Distribution`] says so, else not written.
//!
//! Others write the memory within [`Array::exchange`] only, which borrows the array mutably, between a post of this
//! rank and its end: it is an active target epoch of a [`Window`], and this module has no `unsafe`. Test:
//! `tests/arrays.rs`, against an array in one process.

mod distribution;
mod rows;
mod transfers;
#[cfg(feature = "ndarray")]
mod views;

pub use crate::error::DistributionError;
pub use distribution::Distribution;
pub use rows::{Rows, RowsMut};

use crate::matching::{Name, Signature};
use crate::window::{Active, Window};
use crate::{Group, Plain, Rank, Result};
use distribution::blocks::Blocks;
use std::ops::Range;
use std::panic::Location;
use transfers::{Packing, Transfers, runs};

/// How the ranks of an exchange wait for one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Synchronisation {
    /// Neighbours for neighbours: post, start, complete, wait (MPI-4.1 §12.5.2). An exchange is collective all the
    /// same, but orders neighbours only.
    #[default]
    Neighbours,
    /// All for all: two fences, of the design of the window (MPI-4.1 §12.5.1).
    Fence,
}

/// An array of elements `T` in `D` dimensions, a block at each rank of a group. See the [module](self).
pub struct Array<T: Plain, const D: usize> {
    window: Window<T, Active>,
    blocks: Blocks<D>,
    transfers: Transfers,
    /// What is put packed.
    buffer: Vec<T>,
    synchronisation: Synchronisation,
}

impl<T: Plain, const D: usize> Array<T, D> {
    /// An array of new elements, all bits 0, of the ranks of a group. Collective; the distribution is the same at all.
    ///
    /// # Errors
    /// [`Error::Distribution`](crate::Error::Distribution): it does not fit to the number of ranks; as for
    /// [`Window::allocate`].
    #[track_caller]
    pub fn allocate(group: &Group, distribution: Distribution<D>) -> Result<Self> {
        let blocks = Blocks::new(distribution, group.size())?;
        let is_mapped = group.core().fabric().capabilities().mapped;
        let transfers = Transfers::new(&blocks, group.rank(), Packing::new::<T>(is_mapped))?;
        let mut agreed = blocks.agreed();
        agreed.push(usize::from(is_mapped));
        let signature = Signature::new(const { Name::new("Array::allocate") }, Location::caller());
        let _entered = group.enter(signature.lengths(&agreed))?;
        Ok(Self {
            window: Window::allocate(group, transfers.elements())?,
            buffer: vec![T::zeroed(); transfers.buffered()],
            blocks,
            transfers,
            synchronisation: Synchronisation::default(),
        })
    }

    /// Chooses how exchanges synchronise, the same at all ranks. They fail otherwise, or wait for ever.
    pub fn set_synchronisation(&mut self, synchronisation: Synchronisation) {
        self.synchronisation = synchronisation;
    }

    /// The ranks of the array.
    #[must_use]
    pub fn group(&self) -> &Group {
        self.window.group()
    }

    /// Ranks in each dimension.
    #[must_use]
    pub fn grid(&self) -> [usize; D] {
        self.blocks.grid()
    }

    /// Where this rank is in the grid.
    #[must_use]
    pub fn coordinates(&self) -> [usize; D] {
        self.blocks.coordinates(self.group().rank())
    }

    /// The indices in the whole array that this rank has.
    #[must_use]
    pub fn owned(&self) -> [Range<usize>; D] {
        self.blocks.owned(self.group().rank())
    }

    /// Which rank has an element of the whole array; `None`: it is outside.
    #[must_use]
    pub fn owner(&self, global: [usize; D]) -> Option<Rank> {
        self.blocks.owner(global)
    }

    /// Elements in each dimension of the memory of this rank, with the halo.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.blocks.shape(self.group().rank())
    }

    /// The indices of own elements in the memory of this rank: all but the halo.
    ///
    /// # Panics
    /// There is no such dimension.
    #[must_use]
    pub fn interior(&self, dimension: usize) -> Range<usize> {
        let halo = self.blocks.halo()[dimension];
        halo..self.shape()[dimension] - halo
    }

    /// Where an own element of the whole array is in the memory of this rank; `None`: another rank has it.
    #[must_use]
    pub fn local_index(&self, global: [usize; D]) -> Option<[usize; D]> {
        let (owned, halo) = (self.owned(), self.blocks.halo());
        let is_own = (0..D).all(|at| owned[at].contains(&global[at]));
        is_own.then(|| std::array::from_fn(|at| global[at] - owned[at].start + halo[at]))
    }

    /// Which element of the whole array an element of the own memory is or, in the halo, mirrors; `None`: it is outside
    /// of the memory, or beyond an end of the array.
    #[must_use]
    pub fn global(&self, local: [usize; D]) -> Option<[usize; D]> {
        let (owned, shape) = (self.owned(), self.shape());
        let mut global = [0; D];
        for at in 0..D {
            if local[at] >= shape[at] {
                return None;
            }
            let (extent, halo) = (self.blocks.extents()[at], self.blocks.halo()[at]);
            let index = (owned[at].start + local[at]).checked_sub(halo);
            global[at] = match index {
                Some(index) if index < extent => index,
                _ if !self.blocks.is_periodic(at) => return None,
                Some(index) => index - extent,
                None => owned[at].start + local[at] + extent - halo,
            };
        }
        Some(global)
    }

    /// The memory of this rank, halo and all, to read.
    ///
    /// # Errors
    /// An exchange failed: nobody knows who accesses it.
    pub fn local(&self) -> Result<&[T]> {
        let elements = self.elements();
        Ok(&self.window.local()?[..elements])
    }

    /// The memory of this rank, halo and all, to read and write.
    ///
    /// # Errors
    /// As for [`Array::local`].
    pub fn local_mut(&mut self) -> Result<&mut [T]> {
        let elements = self.elements();
        Ok(&mut self.window.local_mut()?[..elements])
    }

    /// Brings the halo: each rank puts its sides to where its neighbours have them as their halo. Collective.
    ///
    /// What lies consecutively is one put. Sides across are put piece by piece if the pieces are long, as by
    /// [`Epoch::put_own`](crate::Epoch::put_own), else packed into one put.
    ///
    /// # Errors
    /// As for [`Window::post`] and [`Window::fence`].
    #[track_caller]
    pub fn exchange(&mut self) -> Result<()> {
        self.transfers
            .exchange(&mut self.window, &mut self.buffer, self.synchronisation)
    }

    /// Sets each own element, by its index in the whole array. The halo stays as it is.
    ///
    /// # Errors
    /// As for [`Array::local`].
    pub fn fill_with(&mut self, mut value: impl FnMut([usize; D]) -> T) -> Result<()> {
        let (mut index, owned) = (self.owned().map(|range| range.start), self.owned());
        let own = self.own_runs();
        let local = self.local_mut()?;
        for element in own.into_iter().flat_map(|(first, length)| first..first + length) {
            local[element] = value(index);
            for at in (0..D).rev() {
                index[at] += 1;
                if index[at] < owned[at].end {
                    break;
                }
                index[at] = owned[at].start;
            }
        }
        Ok(())
    }

    /// The whole array in the order of C, at rank `root`, and nothing elsewhere. Collective.
    ///
    /// # Errors
    /// As for [`Array::local`] and [`Group::gatherv`].
    #[track_caller]
    pub fn gather(&self, root: Rank) -> Result<Vec<T>> {
        let local = self.local()?;
        let own = self.own_runs().into_iter();
        let own: Vec<T> = own
            .flat_map(|(first, length)| &local[first..first + length])
            .copied()
            .collect();
        let is_root = self.group().rank() == root;
        let ranks = 0..if is_root { self.group().size() } else { 0 };
        let blocks: Vec<[Range<usize>; D]> = ranks.map(|rank| self.blocks.owned(rank)).collect();
        let elements = |block: &[Range<usize>; D]| block.iter().map(Range::len).product::<usize>();
        let lengths: Vec<usize> = blocks.iter().map(elements).collect();
        let mut gathered = vec![T::zeroed(); lengths.iter().sum()];
        self.group().gatherv(root, &own, &lengths, &mut gathered)?;
        let mut whole = gathered.clone();
        let mut rest = &gathered[..];
        for block in &blocks {
            for (first, length) in runs(self.blocks.extents(), block) {
                let (run, others) = rest.split_at(length);
                whole[first..first + length].copy_from_slice(run);
                rest = others;
            }
        }
        Ok(whole)
    }

    /// Ends the array at all ranks and gives its memory back. Collective.
    ///
    /// # Errors
    /// As for [`Window::free`].
    #[track_caller]
    pub fn free(self) -> Result<()> {
        self.window.free()
    }

    /// Number of elements of this rank, halo and all.
    fn elements(&self) -> usize {
        self.shape().iter().product()
    }

    /// Own elements in the memory of this rank, as first one and number.
    fn own_runs(&self) -> Vec<(usize, usize)> {
        runs(
            self.shape(),
            &std::array::from_fn(|dimension| self.interior(dimension)),
        )
    }
}
