//! Collectives that move data without combining it (MPI-4.1 §6.4 to §6.8, §8.6).

use super::Plan;
use super::side::{Parts as _, incoming, others};
use crate::hooks::CallView;
use crate::mpi::buffer::Buffers;
use crate::mpi::communicator::{self, Root, own_world_rank, root};
use farside_calls::collective::{Gives, Side};
use farside_calls::signature::Role;
use farside_events::Direction;

/// Broadcast (no `parts`: the root gives what it has in `own`) and scatter.
pub(super) fn from_root(view: &CallView, parts: Option<Side>, own: Side, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let direction = match root(&comm, view.int(Role::Root)) {
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
pub(super) fn to_root(view: &CallView, own: Side, parts: Side, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view)?;
    let (mut loads, mut stores) = (Buffers::default(), Buffers::default());
    let direction = match root(&comm, view.int(Role::Root)) {
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
pub(super) fn exchange(view: &CallView, gives: Gives, takes: Side, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view)?;
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
pub(super) fn neighbors(view: &CallView, gives: Gives, takes: Side, buffers: bool) -> Option<Plan> {
    let comm = communicator::argument(view)?;
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
