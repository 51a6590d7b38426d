//! Process topologies (MPI-4.1 chapter 8).

use crate::communicator::{Comm, Topology, distributed, graph_neighbors};
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::mpi::Mpi;
use crate::mpi::SUCCESS;
use farside_calls::grid::{self, Grid};
use farside_calls::mpi::Procedure as P;
use farside_events::Direction;

/// More neighbours than these no process of a small mpi has.
const MOST: u64 = 4096;

impl Mpi<'_, '_> {
    /// What is asked of a topology that exists.
    pub(super) fn topology_call(&mut self, a: &Invocation, comm: &Comm) -> Flow {
        let grid = match &comm.topology {
            Some(Topology::Grid(grid)) => grid.clone(),
            _ => Grid::default(),
        };
        let own = comm.own_rank(self.caller.rank());
        match a.procedure() {
            P::Cart_shift => {
                let (dimension, step) = (a[1].signed32(), a[2].signed32());
                for (step, at) in [(step.wrapping_neg(), a[3].bits), (step, a[4].bits)] {
                    let neighbor = grid.shifted(own, dimension, step);
                    let neighbor = neighbor.map_or(self.numbers().proc_null, |rank| rank as i32);
                    self.caller.put_int(at, neighbor);
                }
                SUCCESS
            }
            P::Cart_coords => self.put_ints(a[3].bits, &grid.coordinates(a[1].signed32())),
            P::Cart_rank => {
                let place = (0..grid.sizes().len()).map(|at| self.caller.int_at(a[1].bits + 4 * at as u64));
                let rank = grid.rank(place);
                self.caller.put_int(a[2].bits, rank);
                SUCCESS
            }
            P::Cart_map => {
                let sizes =
                    (0..a[1].bits.min(1 << 8)).map(|at| i64::from(self.caller.int_at(a[2].bits + 4 * at)));
                let places = sizes.fold(1_i64, i64::saturating_mul);
                let place = if (own as i64) < places {
                    own as i32
                } else {
                    self.numbers().undefined
                };
                self.caller.put_int(a[4].bits, place);
                SUCCESS
            }
            P::Cartdim_get => {
                self.caller.put_int(a[1].bits, grid.sizes().len() as i32);
                SUCCESS
            }
            P::Cart_get => {
                let wraps: Vec<i32> = grid.wraps().iter().map(|wraps| i32::from(*wraps)).collect();
                self.put_ints(a[2].bits, grid.sizes());
                self.put_ints(a[3].bits, &wraps);
                self.put_ints(a[4].bits, &grid.coordinates(own as i32))
            }
            P::Topo_test => {
                let kind = match (&comm.topology, self.library.abi.is_open_mpi()) {
                    (None, _) => self.numbers().undefined,
                    (Some(Topology::Grid(_)), true) | (Some(Topology::Graph(_)), false) => 1,
                    (Some(Topology::Grid(_)), false) | (Some(Topology::Graph(_)), true) => 2,
                    (Some(Topology::Distributed { .. }), _) => 3,
                };
                self.caller.put_int(a[1].bits, kind);
                SUCCESS
            }
            P::Graph_neighbors_count => {
                let (count, _) = graph_neighbors(comm, a[1].signed32());
                self.caller.put_int(a[2].bits, count as i32);
                SUCCESS
            }
            P::Graph_neighbors => {
                let (_, ranks) = graph_neighbors(comm, a[1].signed32());
                let wanted = ranks.len().min(a[2].bits as u32 as usize);
                self.put_ints(a[3].bits, &ranks[..wanted])
            }
            P::Dist_graph_neighbors_count => {
                let (sources, destinations) = distributed(comm);
                self.put_ints(a[1].bits, &[sources.len() as i32]);
                self.put_ints(a[2].bits, &[destinations.len() as i32])
            }
            P::Dist_graph_neighbors => {
                let (sources, destinations) = distributed(comm);
                for (ranks, most, at) in [(sources, a[1], a[2]), (destinations, a[4], a[5])] {
                    let wanted = ranks.len().min(most.bits as u32 as usize);
                    self.put_ints(at.bits, &ranks[..wanted]);
                }
                SUCCESS
            }
            _ => self.caller.unknown_call(a.name()),
        }
    }

    /// The topology that a collective call describes, as far as this process can say; edges of others are in `words`.
    pub(super) fn described_topology(&self, a: &Invocation) -> Option<Topology> {
        let list = |at: u64, count: u64| -> Vec<i32> {
            (0..count.min(MOST))
                .map(|i| self.caller.int_at(at + 4 * i))
                .collect()
        };
        let count = |at: usize| u64::try_from(a[at].signed32()).unwrap_or(0);
        match a.procedure() {
            P::Cart_create => {
                let wraps = list(a[3].bits, count(1));
                let wraps = wraps.into_iter().map(|wraps| wraps != 0).collect();
                Some(Topology::Grid(Grid::new(list(a[2].bits, count(1)), wraps)))
            }
            // Each index is where the list of the next process begins.
            P::Graph_create => {
                let ends = list(a[2].bits, count(1));
                let edges = list(
                    a[3].bits,
                    ends.last().map_or(0, |end| u64::try_from(*end).unwrap_or(0)),
                );
                let begins = [0].into_iter().chain(ends.iter().copied());
                let lists = begins.zip(&ends).map(|(begin, end)| {
                    let range = begin.max(0) as usize..(*end).max(0) as usize;
                    edges.get(range).map_or(Vec::new(), <[i32]>::to_vec)
                });
                Some(Topology::Graph(lists.collect()))
            }
            P::Dist_graph_create_adjacent => Some(Topology::Distributed {
                sources: list(a[2].bits, count(1)),
                destinations: list(a[5].bits, count(4)),
            }),
            _ => None,
        }
    }

    /// The edges that this process names in `MPI_Dist_graph_create(comm, n, sources, degrees, destinations, ...)`: each
    /// as source and destination.
    pub(super) fn named_edges(&self, a: &Invocation) -> Vec<u64> {
        let (mut edges, mut next) = (Vec::new(), 0);
        for i in 0..u64::try_from(a[1].signed32()).unwrap_or(0).min(MOST) {
            let source = self.caller.int_at(a[2].bits + 4 * i);
            for _ in 0..self.caller.int_at(a[3].bits + 4 * i).clamp(0, MOST as i32) {
                let destination = self.caller.int_at(a[4].bits + 4 * next);
                next += 1;
                edges.extend([u64::from(source as u32), u64::from(destination as u32)]);
            }
        }
        edges
    }

    /// `MPI_Cart_sub(comm, remain_dims, newcomm)`: a grid of the dimensions that remain.
    pub(super) fn part_of_grid(&mut self, a: &Invocation, comm: &Comm) -> Flow {
        let Some(Topology::Grid(grid)) = comm.topology.clone() else {
            return self.caller.unknown_call("MPI_Cart_sub");
        };
        let kept: Vec<bool> = (0..grid.sizes().len())
            .map(|i| self.caller.int_at(a[1].bits + 4 * i as u64) != 0)
            .collect();
        let name = "MPI_Cart_sub";
        let Some((sequence, _)) = self.meet(comm, comm.processes(), Direction::All, name, vec![0, 0]) else {
            return Flow::Block;
        };
        let (part, ranks) = grid.part(&kept, comm.own_rank(self.caller.rank()));
        let members = ranks
            .into_iter()
            .filter_map(|rank| comm.members.get(rank).copied());
        let made = Comm {
            topology: Some(Topology::Grid(part)),
            ..super::child(comm, sequence, 0, members.collect())
        };
        self.give_comm(Some(made), a[2].bits);
        self.caller.done()
    }

    pub(in crate::mpi) fn dims(&mut self, a: &Invocation) -> Flow {
        let count = a[1].bits;
        let mut sizes: Vec<i32> = (0..count)
            .map(|i| self.caller.int_at(a[2].bits + 4 * i))
            .collect();
        grid::balance(a[0].signed32(), &mut sizes);
        for (index, size) in sizes.into_iter().enumerate() {
            self.caller.put_int(a[2].bits + 4 * index as u64, size);
        }
        SUCCESS
    }

    fn put_ints(&mut self, at: u64, values: &[i32]) -> Flow {
        for (index, value) in values.iter().enumerate() {
            self.caller.put_int(at + 4 * index as u64, *value);
        }
        SUCCESS
    }
}
