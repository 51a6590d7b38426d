//! How an array lies over ranks, as the program says it.

pub(super) mod blocks;

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
    extents: [usize; D],
    grid: Option<[usize; D]>,
    halo: [usize; D],
    periodic: [bool; D],
    corners: bool,
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
