//! Which rank has which elements: the arithmetic of a distribution, without communication.

use super::Distribution;
use crate::Rank;
use crate::error::DistributionError;
use std::cmp::Reverse;
use std::ops::Range;

/// A distribution over so many ranks, found to be possible.
#[derive(Clone, Copy, Debug)]
pub(in crate::array) struct Blocks<const D: usize> {
    distribution: Distribution<D>,
    grid: [usize; D],
}

impl<const D: usize> Blocks<D> {
    pub(in crate::array) fn new(
        distribution: Distribution<D>,
        ranks: Rank,
    ) -> Result<Self, DistributionError> {
        let wanted = ranks as usize;
        let blocks = match distribution.grid {
            Some(grid) if product(&grid) != Some(wanted) => {
                let grid = grid.to_vec();
                return Err(DistributionError::Grid { grid, ranks });
            }
            Some(grid) => Self { distribution, grid },
            None => Self::with_smallest_halos(distribution, wanted),
        };
        blocks.check().map(|()| blocks)
    }

    /// Of all grids that are possible, the one with the fewest elements in halos; else of the most even ones; else the
    /// one with more ranks in the first dimensions. If none is possible, one of those.
    fn with_smallest_halos(distribution: Distribution<D>, ranks: usize) -> Self {
        let mut grids = vec![([1; D], ranks)];
        for dimension in 0..D - 1 {
            grids = grids
                .into_iter()
                .flat_map(|(grid, left)| {
                    let divisors = (1..=left).filter(move |part| left.is_multiple_of(*part));
                    divisors.map(move |part| {
                        let mut grid = grid;
                        grid[dimension] = part;
                        (grid, left / part)
                    })
                })
                .collect();
        }
        let blocks = grids.into_iter().map(|(mut grid, left)| {
            grid[D - 1] = left;
            Self { distribution, grid }
        });
        let first = Self {
            distribution,
            grid: [1; D],
        };
        blocks
            .min_by_key(|blocks| {
                let most = blocks.grid.iter().max().copied();
                (
                    blocks.check().is_err(),
                    blocks.halo_elements(),
                    most,
                    Reverse(blocks.grid),
                )
            })
            .unwrap_or(first)
    }

    /// Elements in the sides of the largest block, as many as are sent.
    fn halo_elements(&self) -> u128 {
        let largest = |dimension: usize| self.distribution.extents[dimension].div_ceil(self.grid[dimension]);
        let side = |dimension: usize| {
            let others = (0..D).filter(|&other| other != dimension);
            let area = others.fold(1, |area: u128, other| area.saturating_mul(largest(other) as u128));
            area.saturating_mul(2 * self.distribution.halo[dimension] as u128)
        };
        (0..D)
            .filter(|&dimension| self.grid[dimension] > 1)
            .fold(0, |sum: u128, dimension| sum.saturating_add(side(dimension)))
    }

    fn check(&self) -> Result<(), DistributionError> {
        let Distribution { extents, halo, .. } = self.distribution;
        for dimension in 0..D {
            let least = extents[dimension] / self.grid[dimension];
            if self.is_exchanged(dimension) && halo[dimension] > least {
                return Err(DistributionError::Halo {
                    dimension,
                    width: halo[dimension],
                    extent: extents[dimension],
                    least,
                });
            }
        }
        let padded = (0..D).map(|dimension| {
            let both = halo[dimension].checked_mul(2)?;
            extents[dimension].checked_add(both)
        });
        let padded: Option<Vec<usize>> = padded.collect();
        match padded.and_then(|padded| product(&padded)) {
            Some(_) => Ok(()),
            None => Err(DistributionError::TooLong {
                extents: extents.to_vec(),
            }),
        }
    }

    /// Whether some rank has a neighbour in this dimension.
    fn is_exchanged(&self, dimension: usize) -> bool {
        self.grid[dimension] > 1 || self.distribution.periodic[dimension]
    }

    /// Elements of the whole array in each dimension.
    pub(in crate::array) fn extents(&self) -> [usize; D] {
        self.distribution.extents
    }

    /// Widths of the halo.
    pub(in crate::array) fn halo(&self) -> [usize; D] {
        self.distribution.halo
    }

    pub(in crate::array) fn is_periodic(&self, dimension: usize) -> bool {
        self.distribution.periodic[dimension]
    }

    /// Whether corners are exchanged.
    pub(in crate::array) fn corners(&self) -> bool {
        self.distribution.corners
    }

    /// All that ranks have to agree on.
    pub(in crate::array) fn agreed(&self) -> Vec<usize> {
        let Distribution { extents, halo, .. } = self.distribution;
        let periodic = self.distribution.periodic.map(usize::from);
        let mut agreed = [extents, self.grid, halo, periodic].concat();
        agreed.push(usize::from(self.distribution.corners));
        agreed
    }

    pub(in crate::array) fn grid(&self) -> [usize; D] {
        self.grid
    }

    /// Where a rank of the group is in the grid.
    pub(in crate::array) fn coordinates(&self, rank: Rank) -> [usize; D] {
        let mut rest = rank as usize;
        let mut coordinates = [0; D];
        for dimension in (0..D).rev() {
            coordinates[dimension] = rest % self.grid[dimension];
            rest /= self.grid[dimension];
        }
        coordinates
    }

    fn rank(&self, coordinates: [usize; D]) -> Rank {
        let number = (0..D).fold(0, |rank, dimension| {
            rank * self.grid[dimension] + coordinates[dimension]
        });
        number as Rank
    }

    /// The indices that a rank has.
    pub(in crate::array) fn owned(&self, rank: Rank) -> [Range<usize>; D] {
        let coordinates = self.coordinates(rank);
        std::array::from_fn(|dimension| {
            let (extent, parts) = (self.distribution.extents[dimension], self.grid[dimension]);
            let bound = |part: usize| (extent as u128 * part as u128 / parts as u128) as usize;
            bound(coordinates[dimension])..bound(coordinates[dimension] + 1)
        })
    }

    /// Elements that a rank has in each dimension, with its halo.
    pub(in crate::array) fn shape(&self, rank: Rank) -> [usize; D] {
        let owned = self.owned(rank);
        std::array::from_fn(|dimension| owned[dimension].len() + 2 * self.distribution.halo[dimension])
    }

    /// Who has an element; `None`: it is not in the array.
    pub(in crate::array) fn owner(&self, index: [usize; D]) -> Option<Rank> {
        let mut coordinates = [0; D];
        for dimension in 0..D {
            let (extent, parts) = (self.distribution.extents[dimension], self.grid[dimension]);
            if index[dimension] >= extent {
                return None;
            }
            let end = (index[dimension] as u128 + 1) * parts as u128;
            coordinates[dimension] = ((end - 1) / extent as u128) as usize;
        }
        Some(self.rank(coordinates))
    }

    /// The rank some steps away in the grid; `None`: there is none.
    pub(in crate::array) fn neighbour(&self, rank: Rank, steps: [isize; D]) -> Option<Rank> {
        let mut coordinates = self.coordinates(rank);
        for dimension in 0..D {
            let parts = self.grid[dimension];
            let there = coordinates[dimension].checked_add_signed(steps[dimension]);
            coordinates[dimension] = match there.filter(|&there| there < parts) {
                Some(there) => there,
                None if !self.distribution.periodic[dimension] => return None,
                None if steps[dimension] < 0 => parts - 1,
                None => 0,
            };
        }
        Some(self.rank(coordinates))
    }
}

fn product(numbers: &[usize]) -> Option<usize> {
    numbers
        .iter()
        .try_fold(1usize, |product, &number| product.checked_mul(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_the_smallest_halos_that_fit() {
        let grid =
            |distribution: Distribution<2>, ranks| Blocks::new(distribution, ranks).map(|found| found.grid());
        let square = Distribution::new([100, 100]);
        assert_eq!(grid(square, 12), Ok([4, 3]));
        assert_eq!(grid(square.halo([1, 1]), 12), Ok([4, 3]));
        assert_eq!(grid(Distribution::new([10, 1000]).halo([1, 1]), 12), Ok([1, 12]));
        assert_eq!(grid(square.halo([0, 1]), 12), Ok([12, 1]), "nothing is exchanged");
        assert_eq!(grid(Distribution::new([2, 100]).halo([1, 1]), 4), Ok([1, 4]));
        let cube = Blocks::new(Distribution::new([64; 3]).halo([1; 3]), 8).map(|found| found.grid());
        assert_eq!(cube, Ok([2, 2, 2]));
        let ranks = 6;
        let of = vec![2, 2];
        assert_eq!(
            grid(square.grid([2, 2]), 6),
            Err(DistributionError::Grid { grid: of, ranks })
        );
    }

    #[test]
    fn a_halo_comes_from_the_nearest_ranks() {
        let refused = |distribution: Distribution<1>, ranks| Blocks::new(distribution, ranks).err();
        let wide = DistributionError::Halo {
            dimension: 0,
            width: 3,
            extent: 11,
            least: 2,
        };
        assert_eq!(refused(Distribution::new([11]).halo([3]), 4), Some(wide));
        assert_eq!(refused(Distribution::new([12]).halo([3]), 4), None);
        assert_eq!(
            refused(Distribution::new([2]).halo([3]), 1),
            None,
            "nobody's elements"
        );
        assert!(refused(Distribution::new([2]).halo([3]).periodic([true]), 1).is_some());
        assert_eq!(refused(Distribution::new([0]), 4), None);
        let longest = Distribution::new([usize::MAX]).halo([1]);
        assert!(matches!(
            refused(longest, 1),
            Some(DistributionError::TooLong { .. })
        ));
    }

    #[test]
    fn every_element_has_the_owner_whose_block_it_is_in() {
        for (extents, ranks) in [([7, 11], 6), ([3, 2], 12), ([1, 1], 1), ([5, 64], 7)] {
            let blocks = Blocks::new(Distribution::new(extents), ranks).expect("no halo");
            let mut seen = 0;
            for rank in 0..ranks {
                let [rows, columns] = blocks.owned(rank);
                for row in rows {
                    for column in columns.clone() {
                        assert_eq!(blocks.owner([row, column]), Some(rank));
                        seen += 1;
                    }
                }
            }
            assert_eq!(seen, extents[0] * extents[1]);
            assert_eq!(blocks.owner([extents[0], 0]), None);
        }
    }
}
