//! `shmem_init`, `shmem_finalize`, `shmem_global_exit` (OpenSHMEM 1.5 §9.1): where recording starts and ends.

use super::{After, Call, collective, enter, in_flight, leave, symmetric};
use crate::abi::{Detected, detect, symbol};
use crate::guard;
use crate::mpi::{self, announce_modules, communicator, report_instrumentation};
use crate::recorder::{self, define, record, unknown_call};
use crate::start;
use farside_events::{Call as Entered, EventKind, Interface, Mistake, Rank, StackId, WindowFlavor};
use std::ffi::{CStr, c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};

/// The program has initialised the library, or has called it before: then nothing is recorded any more.
static INITIALISED: AtomicBool = AtomicBool::new(false);
/// The program has finalised the library; if the recording began with it, it waits for the end of the process.
static FINALISED: AtomicBool = AtomicBool::new(false);

/// Before the call, this process says that it is able to record; after it, all processes have agreed whether they do.
pub(super) fn init() -> After {
    if INITIALISED.swap(true, Ordering::Relaxed) {
        return None;
    }
    let prepared = match recorder::active() {
        true => None,
        false => Some(start::prepare()?),
    };
    Some(Box::new(move |call, _| {
        let is_first = prepared.is_some();
        if prepared.is_some_and(|prepared| !begin(prepared)) {
            return;
        }
        let (Some(rank), Some(size)) = (number(c"shmem_my_pe"), number(c"shmem_n_pes")) else {
            return;
        };
        // Equal numbers are usual, and not promised (annex D).
        if !is_first && communicator::world() != Some((rank, size)) {
            return unknown_call(
                "shmem_init, of which a process is not the rank of MPI_COMM_WORLD of its number",
            );
        }
        collective::begin(Rank(rank), size);
        start::open(Interface::Shmem);
        if let Some((base, size)) = symmetric::statics() {
            symmetric::make(base, size, WindowFlavor::Create, call.stack());
        }
        symmetric::meet();
    }))
}

/// What a function of the library without arguments says.
fn number(name: &CStr) -> Option<u32> {
    let function = symbol::next(name)?;
    // SAFETY: the names given here are of functions with this signature (§9.1.2, §9.1.3).
    let number = unsafe { std::mem::transmute::<usize, extern "C-unwind" fn() -> c_int>(function)() };
    u32::try_from(number).ok()
}

fn begin(prepared: start::Prepared) -> bool {
    let (Some(rank), Some(size)) = (number(c"shmem_my_pe"), number(c"shmem_n_pes")) else {
        prepared.refuse("shmem_my_pe failed right after shmem_init");
        return false;
    };
    if !prepared.begin(rank, size, library().into()) {
        return false;
    }
    announce_modules();
    // Where MPI is there, the program may use it, too.
    let has_mpi = symbol::next(c"MPI_Comm_rank").is_some() && matches!(detect(), Detected::Library(_));
    if has_mpi {
        communicator::initialise(rank);
    } else {
        define(EventKind::Comm {
            id: symmetric::world(),
            members: (0..size).map(Rank).collect(),
        });
    }
    crate::threads::initialise();
    true
}

/// Name and version of the library. The first word is that by which a report knows whose calls they are.
fn library() -> String {
    let (mut major, mut minor) = (0, 0);
    if let Some(version) = symbol::next(c"shmem_info_get_version") {
        // SAFETY: a function of the library with this signature (§9.1.9), with room for what it writes.
        unsafe {
            let version: extern "C-unwind" fn(*mut c_int, *mut c_int) = std::mem::transmute(version);
            version(&raw mut major, &raw mut minor);
        }
    }
    format!("OpenSHMEM {major}.{minor}, {}", name())
}

/// What the library calls itself; empty if it does not say.
pub(super) fn name() -> String {
    /// `SHMEM_MAX_NAME_LEN` is 256 in all libraries.
    const LONGEST: usize = 256;
    let mut name = [0_u8; 2 * LONGEST];
    if let Some(ask) = symbol::next(c"shmem_info_get_name") {
        // SAFETY: a function of the library with this signature (§9.1.10), with room for what it writes.
        unsafe {
            let ask: extern "C-unwind" fn(*mut c_char) = std::mem::transmute(ask);
            ask(name.as_mut_ptr().cast());
        }
    }
    let name = CStr::from_bytes_until_nul(&name).map(CStr::to_string_lossy);
    name.unwrap_or_default().into_owned()
}

/// `shmem_finalize`: all operations are complete, and all processes have come.
pub(super) fn finalize(call: &Call) -> After {
    let stack = call.stack();
    in_flight::complete(None, stack);
    close(stack);
    let goes_on = start::close(Interface::Shmem);
    report_instrumentation();
    guard::report();
    announce_modules();
    if !goes_on {
        enter(Entered::Finalize, stack);
    }
    Some(Box::new(move |_, _| {
        FINALISED.store(true, Ordering::Relaxed);
        if goes_on {
            // Open MPI ends MPI with it.
            if !mpi::is_finalized() {
                return;
            }
            enter(Entered::Finalize, stack);
        }
        leave();
        // What is called from now on is wrong, which is the last that a recording says.
        recorder::pause();
    }))
}

fn mistaken(call: &Call, mistake: Mistake) {
    record(EventKind::Mistaken {
        mistake,
        name: call.function().name().into(),
        stack: call.stack(),
        earlier: None,
    });
}

/// A call while MPI is recorded, and the library is not initialised, or is finalised.
pub(super) fn outside(call: &Call) {
    if FINALISED.load(Ordering::Relaxed) {
        mistaken(call, Mistake::AfterFinalize);
    } else if !INITIALISED.load(Ordering::Relaxed) {
        mistaken(call, Mistake::BeforeInit);
    }
}

/// A call while nothing is recorded: before the library is initialised, or after it is finalised.
pub(super) fn unrecorded(call: &Call) {
    if FINALISED.load(Ordering::Relaxed) {
        recorder::resume(|| mistaken(call, Mistake::AfterFinalize));
    } else if recorder::wanted() && !INITIALISED.swap(true, Ordering::Relaxed) {
        let Some(prepared) = start::prepare() else { return };
        prepared.alone(&library(), || {
            announce_modules();
            mistaken(call, Mistake::BeforeInit);
        });
    }
}

/// Symmetric memory is no more.
fn close(stack: StackId) {
    for object in symmetric::all() {
        enter(Entered::UnlockAll { win: object.win() }, stack);
        leave();
    }
}

/// `shmem_global_exit`: what this thread did so far is written, then the process ends.
pub(super) fn exit() -> After {
    recorder::flush();
    None
}
