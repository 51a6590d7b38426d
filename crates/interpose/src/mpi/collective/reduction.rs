//! Reductions (MPI-4.1 §6.9 to §6.12).

use super::Plan;
use crate::hooks::CallView;
use crate::mpi::buffer::Buffers;
use crate::mpi::communicator::{self, Root, in_place, own_world_rank, root};
use crate::mpi::datatype;
use farside_calls::collective::CollectiveForm as Form;
use farside_calls::signature::Role;
use farside_events::Direction;

/// `MPI_Reduce`
pub(super) fn reduce_to_root(view: &CallView, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let datatype = datatype::argument(view, Role::ReceiveType);
    let count = view.count(Role::ReceiveCount);
    let moves = count > 0 && datatype.as_ref().is_some_and(|datatype| datatype.size > 0);
    let (send, receive) = (
        view.choice(Role::SendBuffer),
        view.choice(Role::ReceiveBuffer).address(),
    );
    let direction = match root(&comm, view.int(Role::Root)) {
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

/// Reductions whose result everyone gets.
pub(super) fn reduce(view: &CallView, form: Form, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let datatype = datatype::argument(view, Role::ReceiveType);
    let own = usize::try_from(comm.own_rank()).unwrap_or(0);
    // For inter-communicators the local group counts here; it is as long as the arrays of §6.10.1 say.
    let processes = comm.local_size();
    let (given, taken) = match form {
        Form::ReduceScatter => (
            (0..processes)
                .map(|k| view.element_count(Role::ReceiveCount, k))
                .sum(),
            view.element_count(Role::ReceiveCount, own),
        ),
        Form::ReduceScatterBlock => (
            view.count(Role::ReceiveCount) * processes as i64,
            view.count(Role::ReceiveCount),
        ),
        _ => (view.count(Role::ReceiveCount), view.count(Role::ReceiveCount)),
    };
    if buffers {
        let (send, receive) = (
            view.choice(Role::SendBuffer),
            view.choice(Role::ReceiveBuffer).address(),
        );
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
