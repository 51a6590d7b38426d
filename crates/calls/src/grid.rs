//! Grids of processes (MPI-4.1 §8.5): ranks go along the last dimension first.

/// A grid: how many processes each dimension has, and whether it goes around.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grid {
    sizes: Vec<i32>,
    wraps: Vec<bool>,
}

impl Grid {
    /// A grid of so many processes in each dimension; a dimension that nothing is said of goes not around.
    pub fn new(sizes: Vec<i32>, mut wraps: Vec<bool>) -> Self {
        wraps.resize(sizes.len(), false);
        Self { sizes, wraps }
    }

    /// How many processes each dimension has.
    pub fn sizes(&self) -> &[i32] {
        &self.sizes
    }

    /// Which dimensions go around.
    pub fn wraps(&self) -> &[bool] {
        &self.wraps
    }

    /// How many processes it has.
    pub fn processes(&self) -> usize {
        self.sizes
            .iter()
            .map(|size| usize::try_from(*size).unwrap_or(0))
            .product()
    }

    /// Where a rank is.
    pub fn coordinates(&self, rank: i32) -> Vec<i32> {
        let mut rest = rank;
        let mut place: Vec<i32> = self
            .sizes
            .iter()
            .rev()
            .map(|size| {
                let value = rest % size.max(&1);
                rest /= size.max(&1);
                value
            })
            .collect();
        place.reverse();
        place
    }

    /// The rank at a place; coordinates beyond the end of a dimension go around it.
    pub fn rank(&self, place: impl IntoIterator<Item = i32>) -> i32 {
        place
            .into_iter()
            .zip(&self.sizes)
            .fold(0, |rank: i32, (value, size)| {
                rank.wrapping_mul(*size) + value.rem_euclid((*size).max(1))
            })
    }

    /// The rank that lies `step` places further in a dimension; `None` where the grid ends.
    pub fn shifted(&self, own: usize, dimension: i32, step: i32) -> Option<usize> {
        let mut place = self.coordinates(own as i32);
        let dimension = usize::try_from(dimension).ok()?;
        let value = place.get_mut(dimension)?;
        *value = value.wrapping_add(step);
        if !self.wraps[dimension] && (*value < 0 || *value >= self.sizes[dimension]) {
            return None;
        }
        usize::try_from(self.rank(place)).ok()
    }

    /// Who is next to a rank, in each dimension before it and after it; nobody where the grid ends.
    pub fn neighbors(&self, own: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        (0..self.sizes.len() as i32)
            .flat_map(move |dimension| [-1, 1].map(|step| self.shifted(own, dimension, step)))
    }

    /// The grid of the dimensions that are kept, and the ranks of this one that are in it together with `own`, in their
    /// order (`MPI_Cart_sub`).
    pub fn part(&self, kept: &[bool], own: usize) -> (Self, Vec<usize>) {
        let is_kept = |at: &usize| kept.get(*at).copied().unwrap_or(false);
        // Together are those whose coordinates in the other dimensions are the same.
        let others = |rank: usize| -> Vec<i32> {
            let place = self.coordinates(rank as i32).into_iter().enumerate();
            place
                .filter(|(at, _)| !is_kept(at))
                .map(|(_, value)| value)
                .collect()
        };
        let here = others(own);
        let members = (0..self.processes())
            .filter(|rank| others(*rank) == here)
            .collect();
        let dimensions = (0..self.sizes.len()).filter(is_kept);
        let (sizes, wraps) = dimensions.map(|at| (self.sizes[at], self.wraps[at])).unzip();
        (Self { sizes, wraps }, members)
    }
}

/// Gives each dimension of size 0 a size, so that all together are so many processes, as even as possible and the
/// larger ones first (`MPI_Dims_create`).
pub fn balance(processes: i32, sizes: &mut [i32]) {
    let mut rest = processes / sizes.iter().filter(|size| **size > 0).product::<i32>().max(1);
    let free: Vec<usize> = (0..sizes.len()).filter(|at| sizes[*at] == 0).collect();
    free.iter().for_each(|at| sizes[*at] = 1);
    let mut factor = 2;
    let mut factors = Vec::new();
    while rest > 1 {
        if rest % factor == 0 {
            factors.push(factor);
            rest /= factor;
        } else {
            factor += 1;
        }
    }
    for factor in factors.into_iter().rev() {
        if let Some(smallest) = free.iter().copied().min_by_key(|at| sizes[*at]) {
            sizes[smallest] *= factor;
        }
    }
    let mut sorted: Vec<i32> = free.iter().map(|at| sizes[*at]).collect();
    sorted.sort_unstable_by(|x, y| y.cmp(x));
    for (at, size) in free.into_iter().zip(sorted) {
        sizes[at] = size;
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, balance};

    #[test]
    fn ranks_go_along_the_last_dimension_and_around_where_it_wraps() {
        let grid = Grid::new(vec![2, 3], vec![false, true]);
        assert_eq!(grid.coordinates(4), [1, 1]);
        assert_eq!(grid.rank([1, 1]), 4);
        assert_eq!(grid.rank([1, -1]), 5);
        assert_eq!(grid.shifted(0, 0, -1), None);
        assert_eq!(grid.shifted(0, 0, 1), Some(3));
        assert_eq!(grid.shifted(0, 1, -1), Some(2));
        assert_eq!(grid.shifted(0, 2, 1), None);
        assert!(grid.neighbors(0).eq([None, Some(3), Some(2), Some(1)]));
    }

    #[test]
    fn a_part_has_those_that_differ_only_in_what_is_kept() {
        let grid = Grid::new(vec![2, 3], vec![false, true]);
        let (row, members) = grid.part(&[false, true], 4);
        assert_eq!((row.sizes(), row.wraps()), (&[3][..], &[true][..]));
        assert_eq!(members, [3, 4, 5]);
        assert_eq!(grid.part(&[true, false], 4).1, [1, 4]);
    }

    #[test]
    fn sizes_are_even_and_larger_ones_come_first() {
        let balanced = |processes, mut sizes: Vec<i32>| {
            balance(processes, &mut sizes);
            sizes
        };
        // MPI-4.1 §8.5.2, the examples of MPI_Dims_create.
        assert_eq!(balanced(6, vec![0, 0]), [3, 2]);
        assert_eq!(balanced(7, vec![0, 0]), [7, 1]);
        assert_eq!(balanced(6, vec![0, 3, 0]), [2, 3, 1]);
    }
}
