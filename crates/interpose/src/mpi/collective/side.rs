//! The buffers of a collective call, part by part.

use crate::abi::HandleKind;
use crate::hooks::CallView;
use crate::mpi::buffer::Buffers;
use crate::mpi::communicator::{Communicator, in_place};
use crate::mpi::datatype::{self, Datatype};
use farside_events::{Direction, Rank};
use std::sync::Arc;

/// How many elements each part of a buffer has.
#[derive(Clone, Copy)]
enum Counts {
    /// The argument, for each part.
    Each(usize),
    /// Given by an array.
    Array(usize),
}

/// Where the parts of a buffer lie.
#[derive(Clone, Copy)]
enum Spread {
    /// One after the other.
    Packed,
    /// At an array of displacements, in elements.
    Elements(usize),
    /// In bytes, as `int` (`MPI_Count` forms: `MPI_Aint`).
    Bytes(usize),
    /// In bytes, as `MPI_Aint`.
    Addresses(usize),
}

/// The datatypes of the parts.
#[derive(Clone, Copy)]
enum Types {
    One(usize),
    Array(usize),
}

/// One of the two buffers of a call: argument of the address, and how the parts are described.
#[derive(Clone, Copy)]
pub(super) struct Side {
    base: usize,
    counts: Counts,
    spread: Spread,
    types: Types,
}

impl Side {
    pub(super) const fn packed(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Each(base + 1),
            spread: Spread::Packed,
            types: Types::One(base + 2),
        }
    }

    pub(super) const fn vector(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Array(base + 1),
            spread: Spread::Elements(base + 2),
            types: Types::One(base + 3),
        }
    }

    pub(super) const fn general(base: usize, addresses: bool) -> Self {
        Self {
            base,
            counts: Counts::Array(base + 1),
            spread: if addresses {
                Spread::Addresses(base + 2)
            } else {
                Spread::Bytes(base + 2)
            },
            types: Types::Array(base + 3),
        }
    }

    pub(super) fn is_in_place(&self, view: &CallView) -> bool {
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

    /// Whether part `k` has data.
    pub(super) fn moves(&self, view: &CallView, k: usize) -> bool {
        self.count(view, k) > 0 && self.datatype(view, k).is_some_and(|datatype| datatype.size > 0)
    }

    /// Adds part `k` to `buffers`.
    pub(super) fn add(&self, view: &CallView, k: usize, buffers: &mut Buffers) {
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
