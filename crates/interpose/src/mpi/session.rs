//! `MPI_Init`, `MPI_Finalize`, `MPI_Abort` (MPI-4.1 §11.2): where recording starts and ends.

use super::{communicator, leave, modules};
use crate::abi::{Detected, constants, detect, pmpi};
use crate::call::{After, CallView, Then};
use crate::recorder::{self, define, record};
use crate::start::{self, Prepared};
use crate::{memory, threads};
use farside_events::{Call, EventKind, Shortfall};
use std::sync::atomic::{AtomicBool, Ordering};

/// `MPI_Init`, `MPI_Init_thread`. Before the call, this process says that it is able to record; after it, all processes
/// have agreed whether they do (see [`crate::start`]).
pub(crate) fn init() -> After {
    let prepared = start::prepare()?;
    Some(Then::new(|view| {
        if view.failure().is_none() {
            begin(prepared);
        }
    }))
}

/// `MPI_Finalize`. The second part runs even when the library reports an error: no MPI call may follow.
pub(crate) fn finalize(view: &mut CallView) -> After {
    report_instrumentation();
    modules::announce();
    record(EventKind::Enter {
        call: Call::Finalize,
        stack: view.stack(),
    });
    Some(Then::new(|view| {
        leave(view);
        recorder::finish();
    }))
}

/// `MPI_Abort`: what this thread did so far is written, then the process ends.
pub(crate) fn abort() -> After {
    recorder::flush();
    None
}

/// Says once, when it is known, that nothing of the program calls the load and store callbacks.
pub(crate) fn report_instrumentation() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.swap(true, Ordering::Relaxed) && !memory::instrumented() {
        define(EventKind::Shortfall(Shortfall::NotInstrumented));
    }
}

fn begin(prepared: Prepared) {
    // Not before: MPICH knows the constants of Fortran from its initialisation on.
    let library = match detect() {
        Detected::Library(library) => library,
        Detected::Unusable(reason) => return prepared.refuse(&reason),
    };
    let world = constants().comm_world;
    let (mut rank, mut size) = (0, 0);
    if pmpi::comm_rank(world, &raw mut rank) != 0 || pmpi::comm_size(world, &raw mut size) != 0 {
        return prepared.refuse("MPI_Comm_rank failed right after MPI_Init");
    }
    let (rank, size) = (rank.cast_unsigned(), size.cast_unsigned());
    if prepared.begin(rank, size, library.into()) {
        modules::announce();
        communicator::initialise(rank);
        threads::initialise();
    }
}
