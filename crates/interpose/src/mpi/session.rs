//! `MPI_Init`, `MPI_Finalize`, `MPI_Abort` (MPI-4.1 §11.2): where recording starts and ends.

use super::{communicator, leave, modules};
use crate::abi::{Detected, constants, detect, pmpi};
use crate::call::{After, CallView, Then};
use crate::recorder::{self, define, record};
use crate::{memory, threads};
use farside_collect::node;
use farside_events::{Call, EventKind, Rank, Shortfall};
use farside_processes::Stat;
use farside_spool::Member;
use farside_spool::agreement::Decides;
use farside_spool::processes::{self, Launched};
use std::sync::atomic::{AtomicBool, Ordering};

/// `MPI_Init`, `MPI_Init_thread`. Before the call, this process says that it is able to record; after it, all processes
/// have agreed whether they do (see [`farside_spool::Member`]).
pub(crate) fn init() -> After {
    let prepared = prepare()?;
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
pub(super) fn report_instrumentation() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.swap(true, Ordering::Relaxed) && !memory::instrumented() {
        define(EventKind::Shortfall(Shortfall::NotInstrumented));
    }
}

/// A process that is able to record.
struct Prepared {
    launched: Launched,
    /// `None`: the others do not know of it.
    member: Option<Member>,
}

fn prepare() -> Option<Prepared> {
    let home = node::home()?;
    if !recorder::open() {
        return None;
    }
    let pid = std::process::id();
    let launched = Launched::of(pid);
    let slot = launched.rank.unwrap_or(pid);
    // An unknown launcher: its processes have it as their parent.
    let job = launched.job.clone().or_else(|| {
        let parent = Stat::of(pid)?.parent;
        let started = Stat::of(parent)?.started;
        Some(format!("parent {parent} {started} of {}", processes::machine()))
    });
    let decides = match home.is_brought() {
        true => Decides::Elsewhere,
        false => Decides::Here,
    };
    let member = job.and_then(|job| Member::join(home.folder(), &job, slot, decides));
    Some(Prepared { launched, member })
}

fn begin(prepared: Prepared) {
    let Prepared { launched, member } = prepared;
    // Not before: MPICH knows the constants of Fortran from its initialisation on.
    let library = match detect() {
        Detected::Library(library) => library,
        Detected::Unusable(reason) => {
            member.inspect(Member::withdraw);
            recorder::refuse([EventKind::Shortfall(Shortfall::Internal(reason.into()))]);
            return;
        }
    };
    let world = constants().comm_world;
    let (mut rank, mut size) = (0, 0);
    if pmpi::comm_rank(world, &raw mut rank) != 0 || pmpi::comm_size(world, &raw mut size) != 0 {
        member.inspect(Member::withdraw);
        let reason = "MPI_Comm_rank failed right after MPI_Init";
        recorder::refuse([EventKind::Shortfall(Shortfall::Internal(reason.into()))]);
        return;
    }
    let (rank, size) = (rank.cast_unsigned(), size.cast_unsigned());
    let first = EventKind::Init {
        rank: Rank(rank),
        size,
        pid: std::process::id(),
        library: library.into(),
    };
    // One that is alone in its world has nobody to agree with.
    if size > 1 && !member.is_some_and(|member| member.all_record(size, launched.here)) {
        let why = Shortfall::NotAll {
            host: processes::host_name().into(),
            here: launched.here,
        };
        recorder::refuse([first, EventKind::Shortfall(why)]);
        return;
    }
    crate::libc::initialise();
    let pages = memory::initialise();
    recorder::start(first);
    modules::announce();
    if !pages {
        define(EventKind::Shortfall(Shortfall::NoPageTable));
    }
    communicator::initialise(rank);
    threads::initialise();
}
