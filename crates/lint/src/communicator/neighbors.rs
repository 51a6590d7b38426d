//! Who is next to whom in a process topology (MPI-4.1 §8.5, §8.6).

use super::{Comm, Topology};

impl Comm {
    /// Whether neighbours are those of a grid: two for each dimension.
    pub(crate) fn is_grid(&self) -> bool {
        matches!(self.topology, Some(Topology::Grid { .. }))
    }

    /// From whom and to whom a neighbourhood collective moves data, in its order; `None` stands for `MPI_PROC_NULL`.
    pub(crate) fn neighbors(&self, rank: u32) -> (Vec<Option<u32>>, Vec<Option<u32>>) {
        let own = self.own_rank(rank);
        let member = |rank: &i32| {
            usize::try_from(*rank)
                .ok()
                .and_then(|rank| self.members.get(rank))
                .copied()
        };
        let members = |ranks: &[i32]| -> Vec<Option<u32>> { ranks.iter().map(member).collect() };
        match &self.topology {
            None => Default::default(),
            Some(Topology::Grid { sizes, wraps }) => {
                let both = (0..sizes.len() as i32).flat_map(|dimension| {
                    [-1, 1].map(|step| {
                        let there = shifted(sizes, wraps, own, dimension, step)?;
                        self.members.get(there).copied()
                    })
                });
                let both: Vec<Option<u32>> = both.collect();
                (both.clone(), both)
            }
            Some(Topology::Graph(lists)) => {
                let both = members(lists.get(own).map_or(&[][..], Vec::as_slice));
                (both.clone(), both)
            }
            Some(Topology::Distributed {
                sources,
                destinations,
            }) => (members(sources), members(destinations)),
        }
    }
}

pub(crate) fn graph_neighbors(comm: &Comm, rank: i32) -> (usize, Vec<i32>) {
    let ranks = match &comm.topology {
        Some(Topology::Graph(lists)) => lists.get(rank.max(0) as usize).cloned().unwrap_or_default(),
        _ => Vec::new(),
    };
    (ranks.len(), ranks)
}

pub(crate) fn distributed(comm: &Comm) -> (Vec<i32>, Vec<i32>) {
    match &comm.topology {
        Some(Topology::Distributed {
            sources,
            destinations,
        }) => (sources.clone(), destinations.clone()),
        _ => Default::default(),
    }
}

/// The rank that lies `step` places further in a dimension of a grid; `None` where the grid ends.
pub(crate) fn shifted(sizes: &[i32], wraps: &[bool], own: usize, dimension: i32, step: i32) -> Option<usize> {
    let mut place = coordinates(own as i32, sizes);
    let dimension = usize::try_from(dimension).ok()?;
    let value = place.get_mut(dimension)?;
    *value = value.wrapping_add(step);
    if wraps[dimension] {
        *value = value.rem_euclid(sizes[dimension].max(1));
    } else if *value < 0 || *value >= sizes[dimension] {
        return None;
    }
    let rank = place
        .iter()
        .zip(sizes)
        .fold(0i32, |rank, (value, size)| rank.wrapping_mul(*size) + value);
    usize::try_from(rank).ok()
}

pub(crate) fn coordinates(rank: i32, sizes: &[i32]) -> Vec<i32> {
    let mut rest = rank;
    let mut place: Vec<i32> = sizes
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

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::CommId;

    #[test]
    fn neighbours_in_a_grid_end_at_its_edges_and_go_around_where_it_wraps() {
        let grid = Comm {
            topology: Some(Topology::Grid {
                sizes: vec![2, 3],
                wraps: vec![false, true],
            }),
            ..Comm::new(CommId(1), (10..16).collect())
        };
        // Rank 0 is at (0, 0): nobody before it in the first dimension, rank 3 after it; ranks 2 and 1 in the second.
        let (sources, destinations) = grid.neighbors(10);
        assert_eq!(sources, [None, Some(13), Some(12), Some(11)]);
        assert_eq!(destinations, sources);
    }

    #[test]
    fn the_edges_of_a_graph_lead_where_they_say() {
        let graph = Comm {
            topology: Some(Topology::Distributed {
                sources: vec![1, 1],
                destinations: vec![-2, 0],
            }),
            ..Comm::new(CommId(1), vec![4, 7])
        };
        assert_eq!(graph.neighbors(7), (vec![Some(7), Some(7)], vec![None, Some(4)]));
    }
}
