//! Who is next to whom in a process topology (MPI-4.1 §8.5, §8.6).

use super::{Comm, Topology};
use farside_calls::communicator::Neighbors;
use farside_events::Rank;

impl Comm {
    /// From whom and to whom a neighbourhood collective moves data.
    pub(crate) fn neighbors(&self, rank: u32) -> Neighbors {
        let own = self.own_rank(rank);
        let processes = |ranks: &[i32]| -> Vec<Option<Rank>> {
            ranks.iter().map(|rank| self.member(*rank).map(Rank)).collect()
        };
        let (sources, destinations) = match &self.topology {
            None => Default::default(),
            Some(Topology::Grid(grid)) => {
                let process = |at: Option<usize>| self.members.get(at?).copied().map(Rank);
                let both: Vec<Option<Rank>> = grid.neighbors(own).map(process).collect();
                (both.clone(), both)
            }
            Some(Topology::Graph(lists)) => {
                let both = processes(lists.get(own).map_or(&[][..], Vec::as_slice));
                (both.clone(), both)
            }
            Some(Topology::Distributed {
                sources,
                destinations,
            }) => (processes(sources), processes(destinations)),
        };
        Neighbors {
            sources,
            destinations,
            is_grid: matches!(self.topology, Some(Topology::Grid(_))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use farside_calls::grid::Grid;
    use farside_events::CommId;

    #[test]
    fn neighbours_in_a_grid_end_at_its_edges_and_go_around_where_it_wraps() {
        let grid = Comm {
            topology: Some(Topology::Grid(Grid::new(vec![2, 3], vec![false, true]))),
            ..Comm::new(CommId(1), (10..16).collect())
        };
        // Rank 0 is at (0, 0): nobody before it in the first dimension, rank 3 after it; ranks 2 and 1 in the second.
        let both = vec![None, Some(Rank(13)), Some(Rank(12)), Some(Rank(11))];
        let neighbors = grid.neighbors(10);
        assert!(neighbors.is_grid);
        assert_eq!((&neighbors.sources, &neighbors.destinations), (&both, &both));
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
        let expected = Neighbors {
            sources: vec![Some(Rank(7)), Some(Rank(7))],
            destinations: vec![None, Some(Rank(4))],
            is_grid: false,
        };
        assert_eq!(graph.neighbors(7), expected);
    }
}
