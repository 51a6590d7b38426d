//! Collective operations (MPI-4.1 chapters 6 and 8.6): each orders processes in its own direction, and touches buffers.
//!
//! No data, no order: a call that moves nothing to this process (count 0, or a datatype without data) has
//! [`Direction::Nothing`]; a vector form orders only those sources that send something.

use super::buffer::{Buffers, any_watched};
use super::communicator::{self, Communicator, Root, in_place, own_world_rank, root};
use super::datatype::{self, Datatype};
use super::message::Ends;
use super::request::{self, Stores, Template};
use super::{communicator::enter, leave};
use crate::abi::HandleKind;
use crate::hooks::{After, CallView};
use farside_events::{AccessKind, Direction, Rank};
use std::sync::Arc;

/// The forms of collective operations, by their arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The standard's names.
pub(crate) enum Form {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Reduce,
    Allreduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    NeighborAllgather,
    NeighborAllgatherv,
    NeighborAlltoall,
    NeighborAlltoallv,
    NeighborAlltoallw,
}

/// What a call does for this process.
struct Plan {
    comm: Arc<Communicator>,
    direction: Direction,
    loads: Buffers,
    stores: Buffers,
}

/// Observes a collective call of `form`.
pub(crate) fn collective(view: &mut CallView, form: Form, ends: Ends) -> After {
    let plan = plan(view, form, ends != Ends::Returning || any_watched())?;
    let stores = Stores {
        buffers: plan.stores,
        name: view.name(),
        pc: view.return_address(),
    };
    let request = view.arity() - 1;
    if ends == Ends::Persistent {
        return Some(Box::new(move |view| {
            if view.failure().is_none() {
                let template = Template::Collective {
                    comm: plan.comm,
                    direction: plan.direction,
                    loads: plan.loads,
                    stores,
                };
                let handle = view.handle_behind(request, HandleKind::Request);
                request::insert_persistent(handle, template);
            }
        }));
    }
    plan.loads
        .access(AccessKind::Load, view.name(), view.return_address());
    if ends == Ends::Request {
        let id = request::next_id();
        let sequence = enter(view, &plan.comm, plan.direction, Some(id));
        return Some(Box::new(move |view| {
            if view.failure().is_none() {
                let handle = view.handle_behind(request, HandleKind::Request);
                request::insert_collective(handle, plan.comm.id, sequence, stores);
            }
            leave(view);
        }));
    }
    enter(view, &plan.comm, plan.direction, None);
    Some(Box::new(move |view| {
        leave(view);
        if view.failure().is_none() {
            stores.done();
        }
    }))
}

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
struct Side {
    base: usize,
    counts: Counts,
    spread: Spread,
    types: Types,
}

impl Side {
    const fn packed(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Each(base + 1),
            spread: Spread::Packed,
            types: Types::One(base + 2),
        }
    }

    const fn vector(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Array(base + 1),
            spread: Spread::Elements(base + 2),
            types: Types::One(base + 3),
        }
    }

    const fn general(base: usize, addresses: bool) -> Self {
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

    /// Whether part `k` has data.
    fn moves(&self, view: &CallView, k: usize) -> bool {
        self.count(view, k) > 0 && self.datatype(view, k).is_some_and(|datatype| datatype.size > 0)
    }

    /// Adds part `k` to `buffers`.
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

fn plan(view: &CallView, form: Form, buffers: bool) -> Option<Plan> {
    use Form::*;
    match form {
        Barrier => {
            let comm = communicator::argument(view, 0)?;
            Some(Plan {
                comm,
                direction: Direction::All,
                loads: Buffers::default(),
                stores: Buffers::default(),
            })
        }
        Bcast => from_root(view, None, Side::packed(0), 3, 4, buffers),
        Scatter => from_root(view, Some(Side::packed(0)), Side::packed(3), 6, 7, buffers),
        Scatterv => from_root(view, Some(Side::vector(0)), Side::packed(4), 7, 8, buffers),
        Gather => to_root(view, Side::packed(0), Side::packed(3), 6, 7, buffers),
        Gatherv => to_root(view, Side::packed(0), Side::vector(3), 7, 8, buffers),
        Allgather => exchange(view, Gives::Same(Side::packed(0)), Side::packed(3), 6, buffers),
        Allgatherv => exchange(view, Gives::Same(Side::packed(0)), Side::vector(3), 7, buffers),
        Alltoall => exchange(view, Gives::Parts(Side::packed(0)), Side::packed(3), 6, buffers),
        Alltoallv => exchange(view, Gives::Parts(Side::vector(0)), Side::vector(4), 8, buffers),
        Alltoallw => {
            let sides = (Side::general(0, false), Side::general(4, false));
            exchange(view, Gives::Parts(sides.0), sides.1, 8, buffers)
        }
        NeighborAllgather => neighbors(view, Gives::Same(Side::packed(0)), Side::packed(3), 6, buffers),
        NeighborAllgatherv => neighbors(view, Gives::Same(Side::packed(0)), Side::vector(3), 7, buffers),
        NeighborAlltoall => neighbors(view, Gives::Parts(Side::packed(0)), Side::packed(3), 6, buffers),
        NeighborAlltoallv => neighbors(view, Gives::Parts(Side::vector(0)), Side::vector(4), 8, buffers),
        NeighborAlltoallw => {
            let sides = (Side::general(0, true), Side::general(4, true));
            neighbors(view, Gives::Parts(sides.0), sides.1, 8, buffers)
        }
        Reduce => reduce_to_root(view, buffers),
        Allreduce | Scan | Exscan | ReduceScatter | ReduceScatterBlock => reduce(view, form, buffers),
    }
}

/// What a process gives to the others: the same to all, or a part to each.
#[derive(Clone, Copy)]
enum Gives {
    Same(Side),
    Parts(Side),
}

/// Broadcast (no `parts`: the root gives what it has in `own`) and scatter.
fn from_root(
    view: &CallView,
    parts: Option<Side>,
    own: Side,
    root_at: usize,
    comm_at: usize,
    buffers: bool,
) -> Option<Plan> {
    let comm = communicator::argument(view, comm_at)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let direction = match root(&comm, view.int(root_at)) {
        Root::Aside => Direction::Nothing,
        Root::There(root) => {
            if buffers {
                own.add(view, 0, &mut stores);
            }
            if own.moves(view, 0) {
                Direction::FromRoot(root)
            } else {
                Direction::Nothing
            }
        }
        Root::Here => {
            let keeps = own.is_in_place(view) || comm.is_inter();
            if buffers {
                match parts {
                    None => own.add(view, 0, &mut loads),
                    Some(parts) => {
                        let skip = if own.is_in_place(view) {
                            comm.own_rank()
                        } else {
                            -1
                        };
                        for k in others(&comm, skip) {
                            parts.add(view, k, &mut loads);
                        }
                        if !keeps {
                            own.add(view, 0, &mut stores);
                        }
                    }
                }
            }
            // Nothing comes to the root; what it gives is judged by those who take.
            Direction::FromRoot(own_world_rank())
        }
    };
    Some(Plan {
        comm,
        direction,
        loads,
        stores,
    })
}

/// Gather.
fn to_root(
    view: &CallView,
    own: Side,
    parts: Side,
    root_at: usize,
    comm_at: usize,
    buffers: bool,
) -> Option<Plan> {
    let comm = communicator::argument(view, comm_at)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let direction = match root(&comm, view.int(root_at)) {
        Root::Aside => Direction::Nothing,
        Root::There(root) => {
            if buffers {
                own.add(view, 0, &mut loads);
            }
            if own.moves(view, 0) {
                Direction::ToRoot(root)
            } else {
                Direction::Nothing
            }
        }
        Root::Here => {
            let keeps = own.is_in_place(view);
            if buffers {
                if !keeps && !comm.is_inter() {
                    own.add(view, 0, &mut loads);
                }
                let skip = if keeps { comm.own_rank() } else { -1 };
                for k in others(&comm, skip) {
                    parts.add(view, k, &mut stores);
                }
            }
            incoming(view, &comm, parts, Direction::ToRoot(own_world_rank()))
        }
    };
    Some(Plan {
        comm,
        direction,
        loads,
        stores,
    })
}

/// Allgather and all-to-all.
fn exchange(view: &CallView, gives: Gives, takes: Side, comm_at: usize, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view, comm_at)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    if buffers {
        let own = usize::try_from(comm.own_rank()).unwrap_or(0);
        match gives {
            // In place: the own part lies in the receive buffer already, and stays.
            Gives::Same(side) if side.is_in_place(view) => {
                takes.add(view, own, &mut loads);
                for k in others(&comm, comm.own_rank()) {
                    takes.add(view, k, &mut stores);
                }
            }
            Gives::Parts(side) if side.is_in_place(view) => {
                for k in others(&comm, comm.own_rank()) {
                    takes.add(view, k, &mut loads);
                    takes.add(view, k, &mut stores);
                }
            }
            Gives::Same(side) => {
                side.add(view, 0, &mut loads);
                for k in others(&comm, -1) {
                    takes.add(view, k, &mut stores);
                }
            }
            Gives::Parts(side) => {
                for k in others(&comm, -1) {
                    side.add(view, k, &mut loads);
                    takes.add(view, k, &mut stores);
                }
            }
        }
    }
    let direction = incoming(view, &comm, takes, Direction::All);
    Some(Plan {
        comm,
        direction,
        loads,
        stores,
    })
}

/// Neighbourhood collectives.
fn neighbors(view: &CallView, gives: Gives, takes: Side, comm_at: usize, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view, comm_at)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let mut sources = Vec::new();
    for (k, rank) in comm.sources().iter().enumerate() {
        if let Some(source) = comm.peer(*rank)
            && takes.moves(view, k)
        {
            if !sources.contains(&source) {
                sources.push(source);
            }
            if buffers {
                takes.add(view, k, &mut stores);
            }
        }
    }
    if buffers {
        match gives {
            Gives::Same(side) => side.add(view, 0, &mut loads),
            Gives::Parts(side) => {
                for (k, rank) in comm.destinations().iter().enumerate() {
                    if comm.peer(*rank).is_some() {
                        side.add(view, k, &mut loads);
                    }
                }
            }
        }
    }
    let direction = if sources.is_empty() {
        Direction::Nothing
    } else {
        Direction::FromNeighbors(sources)
    };
    Some(Plan {
        comm,
        direction,
        loads,
        stores,
    })
}

/// `MPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm)`
fn reduce_to_root(view: &CallView, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view, 6)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let datatype = datatype::argument(view, 3);
    let count = view.count(2);
    let moves = count > 0 && datatype.as_ref().is_some_and(|datatype| datatype.size > 0);
    let (send, receive) = (view.choice(0), view.choice(1).address());
    let direction = match root(&comm, view.int(5)) {
        Root::Aside => Direction::Nothing,
        Root::There(root) => {
            if buffers {
                loads.add(send.address(), count, &datatype);
            }
            Direction::ToRoot(root)
        }
        Root::Here => {
            if buffers {
                if !comm.is_inter() {
                    let from = if in_place(send) { receive } else { send.address() };
                    loads.add(from, count, &datatype);
                }
                stores.add(receive, count, &datatype);
            }
            Direction::ToRoot(own_world_rank())
        }
    };
    Some(Plan {
        comm,
        direction: if moves { direction } else { Direction::Nothing },
        loads,
        stores,
    })
}

/// Reductions whose result everyone gets: `(sendbuf, recvbuf, count(s), datatype, op, comm)`.
fn reduce(view: &CallView, form: Form, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view, 5)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let datatype = datatype::argument(view, 3);
    let own = usize::try_from(comm.own_rank()).unwrap_or(0);
    // For inter-communicators the local group counts here; it is as long as the arrays of §6.10.1 say.
    let processes = comm.local_size();
    let (given, taken) = match form {
        Form::ReduceScatter => (
            (0..processes).map(|k| view.element_count(2, k)).sum(),
            view.element_count(2, own),
        ),
        Form::ReduceScatterBlock => (view.count(2) * processes as i64, view.count(2)),
        _ => (view.count(2), view.count(2)),
    };
    if buffers {
        let (send, receive) = (view.choice(0), view.choice(1).address());
        let from = if in_place(send) { receive } else { send.address() };
        loads.add(from, given, &datatype);
        // The first process of an exclusive scan gets nothing (§6.11.2).
        if form != Form::Exscan || own > 0 {
            stores.add(receive, taken, &datatype);
        }
    }
    let moves = taken > 0 && datatype.is_some_and(|datatype| datatype.size > 0);
    let direction = match form {
        _ if !moves => Direction::Nothing,
        Form::Scan | Form::Exscan => Direction::Prefix,
        _ => Direction::All,
    };
    Some(Plan {
        comm,
        direction,
        loads,
        stores,
    })
}

/// The ranks of the parts of a buffer, without `skip`.
fn others(comm: &Communicator, skip: i32) -> impl Iterator<Item = usize> {
    let skip = usize::try_from(skip).unwrap_or(usize::MAX);
    (0..comm.peers().len()).filter(move |k| *k != skip)
}

/// `all` if every process sends something to this one; otherwise those that do.
fn incoming(view: &CallView, comm: &Communicator, takes: Side, all: Direction) -> Direction {
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
