//! `MPI_Init`, `MPI_Finalize`, `MPI_Abort` (MPI-4.1 §11.2): where recording starts and ends.

use super::{communicator, leave, modules};
use crate::abi::{Detected, constants, detect, pmpi, symbol};
use crate::call::{After, CallView, Then};
use crate::guard;
use crate::recorder::{self, define, record};
use crate::start::{self, Prepared};
use crate::{memory, threads};
use farside_events::{Call, EventKind, Interface, Shortfall, ThreadLevel};
use std::sync::atomic::{AtomicBool, Ordering};

/// `MPI_Init`, `MPI_Init_thread`. Before the call, this process says that it is able to record; after it, all processes
/// have agreed whether they do (see [`crate::start`]).
pub(crate) fn init() -> After {
    // Another library has begun the recording.
    let prepared = match recorder::active() {
        true => None,
        false => Some(start::prepare()?),
    };
    Some(Then::new(|view| {
        if view.failure().is_none() {
            prepared.into_iter().for_each(begin);
            if recorder::active() {
                start::open(Interface::Mpi);
                tell_thread_level(view);
            }
        }
    }))
}

/// Records which threads may call MPI, if not all may.
fn tell_thread_level(view: &CallView) {
    let mut provided = 0;
    if pmpi::query_thread(&raw mut provided) == 0
        && let Some(level) = ThreadLevel::of_number(provided)
    {
        record(EventKind::ThreadLevel {
            level,
            name: view.name().into(),
            stack: view.stack(),
        });
    }
}

/// Whether the library has finalised MPI.
pub(crate) fn is_finalized() -> bool {
    let mut flag = 0;
    pmpi::finalized(&raw mut flag) == 0 && flag != 0
}

/// `MPI_Finalize`. The second part runs even when the library reports an error: no MPI call may follow.
pub(crate) fn finalize(view: &mut CallView) -> After {
    report_instrumentation();
    guard::report();
    modules::announce();
    if start::close(Interface::Mpi) {
        return None;
    }
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
    guard::look_at_modules();
    if !DONE.swap(true, Ordering::Relaxed) && !memory::instrumented() && !guard::is_on() {
        define(EventKind::Shortfall(Shortfall::NotInstrumented));
    }
}

/// The name of the library of MPI in a program that can call others as well.
fn beside(library: &str) -> String {
    let others = [
        (c"shmem_init", Interface::Shmem),
        (c"gaspi_proc_init", Interface::Gaspi),
    ];
    let there = others
        .into_iter()
        .filter(|(name, _)| symbol::next(name).is_some());
    let there: Vec<Interface> = there.map(|(_, interface)| interface).collect();
    Interface::beside(library, &there)
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
    if prepared.begin(rank, size, beside(library.as_ref()).into()) {
        modules::announce();
        communicator::initialise(rank);
        threads::initialise();
    }
}
