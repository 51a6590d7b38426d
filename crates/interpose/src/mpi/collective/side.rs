//! The buffers of a collective call, part by part.

use crate::hooks::CallView;
use crate::mpi::buffer::Buffers;
use crate::mpi::communicator::{Communicator, in_place};
use crate::mpi::datatype::{self, Datatype};
use farside_calls::collective::{Counts, Side, Spread, Types};
use farside_events::{Direction, Rank};
use std::sync::Arc;

/// What a call's arguments say of one of its two buffers.
pub(super) trait Parts {
    fn is_in_place(&self, view: &CallView) -> bool;
    fn count(&self, view: &CallView, k: usize) -> i64;
    fn datatype(&self, view: &CallView, k: usize) -> Option<Arc<Datatype>>;
    /// Whether part `k` has data.
    fn moves(&self, view: &CallView, k: usize) -> bool;
    /// Adds part `k` to `buffers`.
    fn add(&self, view: &CallView, k: usize, buffers: &mut Buffers);
}

impl Parts for Side {
    fn is_in_place(&self, view: &CallView) -> bool {
        in_place(view.choice(self.buffer))
    }

    fn count(&self, view: &CallView, k: usize) -> i64 {
        match self.counts {
            Counts::Each(role) => view.count(role),
            Counts::Array(role) => view.element_count(role, k),
        }
    }

    fn datatype(&self, view: &CallView, k: usize) -> Option<Arc<Datatype>> {
        match self.types {
            Types::One(role) => datatype::argument(view, role),
            Types::Array(role) => datatype::find(view.element_handle(role, k)),
        }
    }

    fn moves(&self, view: &CallView, k: usize) -> bool {
        self.count(view, k) > 0 && self.datatype(view, k).is_some_and(|datatype| datatype.size > 0)
    }

    fn add(&self, view: &CallView, k: usize, buffers: &mut Buffers) {
        let count = self.count(view, k);
        if count <= 0 {
            return;
        }
        let datatype = self.datatype(view, k);
        let extent = datatype.as_ref().map_or(0, |datatype| datatype.map.extent);
        let offset = match self.spread {
            Spread::Packed => k as i64 * count * extent,
            Spread::Elements(role) => view.element_count(role, k) * extent,
            Spread::Bytes(role) => view.element_count(role, k),
            Spread::Addresses(role) => view.element_aint(role, k),
        };
        let base = view.choice(self.buffer).address() as i64;
        buffers.add((base + offset) as usize, count, &datatype);
    }
}

/// The ranks of the parts of a buffer, without `skip`.
pub(super) fn others(comm: &Communicator, skip: i32) -> impl Iterator<Item = usize> {
    let skip = usize::try_from(skip).unwrap_or(usize::MAX);
    (0..comm.peers().len()).filter(move |k| *k != skip)
}

/// `all` if every process sends something to this one; otherwise those that do.
pub(super) fn incoming(view: &CallView, comm: &Communicator, takes: Side, all: Direction) -> Direction {
    if takes.is_uniform() {
        return if takes.moves(view, 0) {
            all
        } else {
            Direction::Nothing
        };
    }
    let peers = comm.peers();
    let sources: Vec<Rank> = (0..peers.len())
        .filter(|k| takes.moves(view, *k))
        .map(|k| Rank(peers[k]))
        .collect();
    if sources.len() == peers.len() {
        all
    } else if sources.is_empty() {
        Direction::Nothing
    } else {
        Direction::FromNeighbors(sources)
    }
}
