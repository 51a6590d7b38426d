//! Persistent requests (MPI-4.1 §3.9): made once, started and completed as often as the program likes.

use super::completion::array;
use super::{Receive, State, Stores, next_id, next_post, requests};
use crate::hooks::{After, CallView};
use crate::mpi::buffer::Buffers;
use crate::mpi::communicator::Communicator;
use crate::recorder::record;
use farside_calls::signature::Role;
use farside_events::{AccessKind, Call, Direction, EventKind, Rank, SendMode};
use std::sync::Arc;

/// A persistent operation.
pub(in crate::mpi) enum Template {
    Send {
        comm: Arc<Communicator>,
        dest: Rank,
        tag: i32,
        mode: SendMode,
        loads: Buffers,
        name: &'static str,
        pc: usize,
    },
    Receive {
        comm: Arc<Communicator>,
        source: Option<i32>,
        tag: Option<i32>,
        stores: Stores,
    },
    Collective {
        comm: Arc<Communicator>,
        direction: Direction,
        loads: Buffers,
        stores: Stores,
    },
}

/// `MPI_Start`, `MPI_Startall`
pub(crate) fn start(view: &mut CallView) -> After {
    if view.signature().has(Role::Requests) {
        for handle in array(view)? {
            begin(view, handle);
        }
    } else {
        begin(view, view.handle_behind(Role::Request));
    }
    None
}

/// Starts a persistent operation.
fn begin(view: &CallView, handle: usize) {
    let template = {
        let requests = requests();
        let entry = requests.get(&handle).and_then(|row| row.last());
        entry.and_then(|entry| entry.template.clone())
    };
    let Some(template) = template else { return };
    let state = match &*template {
        Template::Send {
            comm,
            dest,
            tag,
            mode,
            loads,
            name,
            pc,
        } => {
            loads.access(AccessKind::Load, name, *pc);
            let id = next_id();
            record(EventKind::Enter {
                call: Call::Send {
                    comm: comm.id,
                    dest: Some(*dest),
                    tag: *tag,
                    mode: *mode,
                    request: Some(id),
                    name: (*name).into(),
                },
                stack: view.stack(),
            });
            State::Send(id)
        }
        Template::Receive {
            comm,
            source,
            tag,
            stores,
        } => {
            let post = next_post();
            record(EventKind::Enter {
                call: Call::Receive {
                    post,
                    comm: comm.id,
                    source: source.and_then(|source| comm.peer(source)),
                    tag: *tag,
                    request: Some(next_id()),
                    name: stores.name.into(),
                },
                stack: view.stack(),
            });
            State::Receive(Receive {
                post,
                comm: Arc::clone(comm),
                source: *source,
                tag: *tag,
                stores: stores.clone(),
            })
        }
        Template::Collective {
            comm,
            direction,
            loads,
            stores,
        } => {
            loads.access(AccessKind::Load, stores.name, stores.pc);
            let sequence = comm.next_collective();
            record(EventKind::Enter {
                call: Call::Collective {
                    comm: comm.id,
                    sequence,
                    direction: direction.clone(),
                    name: stores.name.into(),
                    request: Some(next_id()),
                },
                stack: view.stack(),
            });
            State::Collective {
                comm: comm.id,
                sequence,
                stores: stores.clone(),
                child: None,
            }
        }
    };
    record(EventKind::Leave(farside_events::Outcome::Done));
    if let Some(entry) = requests().get_mut(&handle).and_then(|row| row.last_mut()) {
        entry.state = state;
    }
}
