//! Collective operations (MPI-4.1 chapters 6 and 8.6): each orders processes in its own direction, and touches buffers.
//!
//! No data, no order: a call that moves nothing to this process (count 0, or a datatype without data) has
//! [`Direction::Nothing`]; a vector form orders only those sources that send something.

mod movement;
mod reduction;
mod side;

use super::buffer::{Buffers, any_watched};
use super::communicator::{self, Communicator};
use super::request::{self, Stores, Template};
use super::{communicator::enter, leave};
use crate::hooks::{After, CallView};
use farside_calls::collective::{CollectiveForm, Ends, Movement};
use farside_calls::signature::Role;
use farside_events::{AccessKind, Direction};
use movement::{exchange, from_root, neighbors, to_root};
use reduction::{reduce, reduce_to_root};
use std::sync::Arc;

/// What a call does for this process.
struct Plan {
    comm: Arc<Communicator>,
    direction: Direction,
    loads: Buffers,
    stores: Buffers,
}

/// Observes a collective call of `form`.
pub(crate) fn collective(view: &mut CallView, form: CollectiveForm, ends: Ends) -> After {
    let plan = plan(view, form, ends != Ends::Returning || any_watched())?;
    let stores = Stores {
        buffers: plan.stores,
        name: view.name(),
        pc: view.return_address(),
    };
    if ends == Ends::Persistent {
        return Some(Box::new(move |view| {
            if view.failure().is_none() {
                let template = Template::Collective {
                    comm: plan.comm,
                    direction: plan.direction,
                    loads: plan.loads,
                    stores,
                };
                let handle = view.handle_behind(Role::Request);
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
                let handle = view.handle_behind(Role::Request);
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

fn plan(view: &CallView, form: CollectiveForm, buffers: bool) -> Option<Plan> {
    match form.movement(view.signature()) {
        Movement::Nothing => Some(Plan {
            comm: communicator::argument(view)?,
            direction: Direction::All,
            loads: Buffers::default(),
            stores: Buffers::default(),
        }),
        Movement::FromRoot { parts, own } => from_root(view, parts, own, buffers),
        Movement::ToRoot { own, parts } => to_root(view, own, parts, buffers),
        Movement::Exchange { gives, takes } => exchange(view, gives, takes, buffers),
        Movement::Neighbors { gives, takes } => neighbors(view, gives, takes, buffers),
        Movement::ReduceToRoot => reduce_to_root(view, buffers),
        Movement::Reduce => reduce(view, form, buffers),
    }
}
