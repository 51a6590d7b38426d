//! Collective operations (MPI-4.1 chapters 6 and 8.6): each orders processes in its own direction, and touches buffers.
//!
//! No data, no order: a call that moves nothing to this process (count 0, or a datatype without data) has
//! [`Direction::Nothing`]; a vector form orders only those sources that send something.

mod movement;
mod reduction;
mod side;

use super::buffer::{Buffers, any_watched};
use super::communicator::{self, Communicator};
use super::message::Ends;
use super::request::{self, Stores, Template};
use super::{communicator::enter, leave};
use crate::abi::HandleKind;
use crate::hooks::{After, CallView};
use farside_events::{AccessKind, Direction};
use movement::{Gives, exchange, from_root, neighbors, to_root};
use reduction::{reduce, reduce_to_root};
use side::Side;
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
