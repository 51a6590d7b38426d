//! Who the neighbours of a process are in a communicator's virtual topology (MPI-4.1 chapter 8).

use crate::abi::{constants, pmpi};
use farside_calls::abi::Topology;

/// Ranks that a process of this rank receives from and sends to in a communicator, as the library says, and whether
/// they are those of a grid. A rank that is no process (at the edge of a grid) is negative.
pub(super) fn of(handle: usize, rank: i32) -> (Vec<i32>, Vec<i32>, bool) {
    let mut kind = 0;
    pmpi::topo_test(handle, &raw mut kind);
    let topology = constants().numbers.topology(kind);
    let (sources, destinations) =
        topology.map_or_else(Default::default, |topology| ranks(handle, rank, topology));
    (sources, destinations, topology == Some(Topology::Cart))
}

fn ranks(handle: usize, rank: i32, topology: Topology) -> (Vec<i32>, Vec<i32>) {
    match topology {
        Topology::Cart => {
            let mut dimensions = 0;
            pmpi::cartdim_get(handle, &raw mut dimensions);
            let mut both = Vec::new();
            for dimension in 0..dimensions {
                let (mut low, mut high) = (-1, -1);
                pmpi::cart_shift(handle, dimension, 1, &raw mut low, &raw mut high);
                both.extend([low, high]);
            }
            (both.clone(), both)
        }
        Topology::Graph => {
            let mut count = 0;
            pmpi::graph_neighbors_count(handle, rank, &raw mut count);
            let mut both = vec![-1; usize::try_from(count).unwrap_or(0)];
            pmpi::graph_neighbors(handle, rank, count, both.as_mut_ptr());
            (both.clone(), both)
        }
        Topology::DistGraph => {
            let (mut incoming, mut outgoing, mut weighted) = (0, 0, 0);
            pmpi::dist_graph_neighbors_count(handle, &raw mut incoming, &raw mut outgoing, &raw mut weighted);
            let space = |n: i32| vec![-1; usize::try_from(n).unwrap_or(0)];
            let (mut sources, mut destinations) = (space(incoming), space(outgoing));
            let (mut weights_in, mut weights_out) = (space(incoming), space(outgoing));
            pmpi::dist_graph_neighbors(
                handle,
                incoming,
                sources.as_mut_ptr(),
                weights_in.as_mut_ptr(),
                outgoing,
                destinations.as_mut_ptr(),
                weights_out.as_mut_ptr(),
            );
            (sources, destinations)
        }
    }
}
