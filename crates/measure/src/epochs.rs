//! What ranks do between two fences: the patterns of the paper's figures.

use farside::Rank;
use std::time::Duration;

/// What ranks do between two fences.
#[derive(Clone, Debug)]
pub struct Epochs {
    /// Puts go to the ranks at these distances.
    pub(crate) distances: Vec<u32>,
    /// Of each put.
    pub(crate) bytes: usize,
    /// Computation between the puts and the fence.
    pub(crate) compute: Duration,
    /// Rank 0 alone puts and computes; the others come to the fence at once.
    one_way: bool,
}

impl Epochs {
    /// One put of so many bytes to the next rank.
    #[must_use]
    pub fn single(bytes: usize) -> Self {
        Self {
            distances: vec![1],
            bytes,
            compute: Duration::ZERO,
            one_way: false,
        }
    }

    /// The same for rank 0 alone.
    #[must_use]
    pub fn one_way(self) -> Self {
        Self {
            one_way: true,
            ..self
        }
    }

    /// Whether a rank puts and computes.
    pub(crate) fn is_origin(&self, rank: Rank) -> bool {
        !self.one_way || rank == 0
    }

    /// Nothing but fences.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            distances: Vec::new(),
            ..Self::single(0)
        }
    }

    /// A put of so many bytes to each of the nearest ranks on both sides, and computation. There are more ranks than
    /// neighbours.
    #[must_use]
    pub fn halo(ranks: u32, neighbours: u32, bytes: usize, compute: Duration) -> Self {
        Self {
            distances: around(ranks, neighbours),
            bytes,
            compute,
            one_way: false,
        }
    }

    /// Whether no rank puts to another one: a fence that knows its neighbours has nothing to do.
    pub(crate) fn has_no_neighbours(&self) -> bool {
        self.distances.is_empty()
    }

    /// To whom a rank puts.
    pub(crate) fn targets(&self, rank: Rank, size: u32) -> Vec<Rank> {
        let distances = self.distances.iter().filter(|_| self.is_origin(rank));
        distances.map(|distance| (rank + distance) % size).collect()
    }

    /// The rows of Figs. 7, 8 and 9.
    #[must_use]
    pub fn fences(ranks: u32) -> Vec<(&'static str, Self)> {
        let mut rows = vec![("fence, no put", Self::empty())];
        if ranks > 1 {
            rows.push(("fence, one put of 16 bytes", Self::single(16)));
        }
        if ranks > 8 {
            let eight = Self {
                distances: around(ranks, 8),
                ..Self::single(16)
            };
            rows.push(("fence, puts of 16 bytes to 8 neighbours", eight));
        }
        rows
    }

    /// The rows of Fig. 10. The paper gives neither the length of the messages nor the computation: 16 KiB, 100 us.
    #[must_use]
    pub fn halos(ranks: u32) -> Vec<(&'static str, Self)> {
        let halo = |neighbours| Self::halo(ranks, neighbours, 16 << 10, Duration::from_micros(100));
        let rows = [("halo, 4 neighbours", 4), ("halo, 8 neighbours", 8)];
        let possible = rows.into_iter().filter(|&(_, neighbours)| neighbours < ranks);
        possible
            .map(|(name, neighbours)| (name, halo(neighbours)))
            .collect()
    }
}

/// Distances of the nearest ranks on both sides.
fn around(ranks: u32, neighbours: u32) -> Vec<u32> {
    (1..=neighbours / 2)
        .flat_map(|distance| [distance, ranks - distance])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_other_ranks_and_distinct() {
        for (ranks, neighbours) in [(5, 4), (9, 8), (64, 8)] {
            let mut all = around(ranks, neighbours);
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), neighbours as usize);
            assert!(all.iter().all(|distance| (1..ranks).contains(distance)));
        }
    }
}
