//! The buffers of a collective call, part by part.

use crate::abi::HandleKind;
use crate::hooks::CallView;
use crate::mpi::buffer::Buffers;
use crate::mpi::communicator::{Communicator, in_place};
use crate::mpi::datatype::{self, Datatype};
use farside_events::{Counts, Direction, Rank, Side, Spread, Types};
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
        in_place(view.choice(self.base))
    }

    fn count(&self, view: &CallView, k: usize) -> i64 {
        match self.counts {
            Counts::Each(i) => view.count(i),
            Counts::Array(i) => view.element_count(i, k),
        }
    }

    fn datatype(&self, view: &CallView, k: usize) -> Option<Arc<Datatype>> {
        match self.types {
            Types::One(i) => datatype::argument(view, i),
            Types::Array(i) => datatype::find(view.element_handle(i, k, HandleKind::Type)),
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
            Spread::Elements(i) => view.element_count(i, k) * extent,
            Spread::Bytes(i) => view.element_count(i, k),
            Spread::Addresses(i) => view.element_aint(i, k),
        };
        let base = view.choice(self.base).address() as i64;
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
    if let (Counts::Each(_), Types::One(_)) = (takes.counts, takes.types) {
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
