//! `MPI_Init`, `MPI_Finalize`, `MPI_Abort` (MPI-4.1 §11.2): where recording starts and ends.

use super::{communicator, leave, modules};
use crate::abi::{Detected, constants, detect, pmpi};
use crate::hooks::{After, CallView};
use crate::recorder::{self, define, record};
use crate::{memory, threads};
use farside_events::{Call, EventKind, Rank, Shortfall};
use std::sync::atomic::{AtomicBool, Ordering};

/// `MPI_Init`, `MPI_Init_thread`.
pub(crate) fn init(_: &mut CallView) -> After {
    Some(Box::new(|view| {
        if view.failure().is_none() && recorder::wanted() && !recorder::active() {
            begin();
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
    Some(Box::new(|view| {
        leave(view);
        recorder::finish();
    }))
}

/// `MPI_Abort`: what this thread did so far is written, then the process ends.
pub(crate) fn abort(_: &mut CallView) -> After {
    recorder::flush();
    None
}

/// Says once, when it is known, that nothing of the program calls the load and store callbacks.
pub(super) fn report_instrumentation() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.swap(true, Ordering::Relaxed) && !memory::instrumented() {
        define(EventKind::Shortfall(Shortfall::NotInstrumented));
    }
}

fn begin() {
    let library = match detect() {
        Detected::Library(library) => library,
        Detected::Unusable(reason) => {
            recorder::refuse(reason);
            return;
        }
    };
    let world = constants().comm_world;
    let (mut rank, mut size) = (0, 0);
    if pmpi::comm_rank(world, &raw mut rank) != 0 || pmpi::comm_size(world, &raw mut size) != 0 {
        recorder::refuse(String::from("MPI_Comm_rank failed right after MPI_Init"));
        return;
    }
    let pages = memory::initialise();
    let started = recorder::start(EventKind::Init {
        rank: Rank(rank.cast_unsigned()),
        size: size.cast_unsigned(),
        pid: std::process::id(),
        library: library.into(),
    });
    if !started {
        return;
    }
    modules::announce();
    if !pages {
        define(EventKind::Shortfall(Shortfall::NoPageTable));
    }
    communicator::initialise(rank.cast_unsigned());
    threads::initialise();
}
