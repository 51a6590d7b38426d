//! How an array lies over ranks, as the program says it.

use crate::Rank;

/// How an array of `D` dimensions lies over the ranks of a group: a block each, in a grid of as many dimensions. Rank 0
/// has the block of the lowest indices; the last dimension varies fastest, of ranks as of elements (the order of
/// `MPI_Cart_create`, MPI-4.1 §8.5.1, and of C).
///
/// ```
/// use farside::array::Distribution;
/// // 100 x 200 elements, one more on each side, the second dimension closed to a ring.
/// let distribution = Distribution::new([100, 200]).halo([1, 1]).periodic([false, true]);
/// # let _ = distribution;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution<const D: usize> {
    pub(super) extents: [usize; D],
    pub(super) grid: Option<[usize; D]>,
    pub(super) halo: [usize; D],
    pub(super) periodic: [bool; D],
    pub(super) corners: bool,
}

impl<const D: usize> Distribution<D> {
    /// So many elements in each dimension, of all ranks together. No halo, no dimension periodic, and the grid of ranks
    /// that has the smallest halos.
    #[must_use]
    pub fn new(extents: [usize; D]) -> Self {
        const { assert!(D >= 1 && D <= 3, "an array has one, two or three dimensions") };
        Self {
            extents,
            grid: None,
            halo: [0; D],
            periodic: [false; D],
            corners: false,
        }
    }

    /// So many ranks in each dimension, as many as the group has in all.
    #[must_use]
    pub fn grid(self, ranks: [usize; D]) -> Self {
        Self {
            grid: Some(ranks),
            ..self
        }
    }

    /// So many elements of the neighbours on both sides of each dimension.
    #[must_use]
    pub fn halo(self, widths: [usize; D]) -> Self {
        Self { halo: widths, ..self }
    }

    /// Dimensions in which the last element has the first one as its neighbour.
    #[must_use]
    pub fn periodic(self, dimensions: [bool; D]) -> Self {
        Self {
            periodic: dimensions,
            ..self
        }
    }

    /// An exchange brings the corners (and edges) of the halo as well, from the ranks across: for stencils that look
    /// diagonally. Without, it brings the sides only, and leaves corners as they are.
    #[must_use]
    pub fn corners(self) -> Self {
        Self {
            corners: true,
            ..self
        }
    }
}

/// Why an array cannot lie over ranks so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistributionError {
    /// The grid has another number of ranks than the group.
    #[error("the grid {grid:?} is not one of {ranks} ranks")]
    Grid {
        /// Ranks in each dimension.
        grid: Vec<usize>,
        /// Number of ranks of the group.
        ranks: Rank,
    },
    /// A halo would need elements of more than the nearest ranks.
    #[error(
        "the halo of dimension {dimension} is {width} wide, but a rank has {least} of the {extent} elements there: use \
         fewer ranks in this dimension, or a narrower halo"
    )]
    Halo {
        /// The dimension, from 0.
        dimension: usize,
        /// Width of its halo.
        width: usize,
        /// Elements of the whole array in this dimension.
        extent: usize,
        /// Of the rank that has fewest.
        least: usize,
    },
    /// More elements than the address space has.
    #[error("an array of {extents:?} elements is longer than the address space")]
    TooLong {
        /// Elements in each dimension.
        extents: Vec<usize>,
    },
}
