//! `gaspi_proc_init` and `gaspi_proc_term` (GASPI 17.1 §5.3): where recording starts and ends.

use super::{After, Call, SUCCESS, TIMEOUT, enter, group, leave, refusal, segment};
use crate::abi::symbol;
use crate::guard;
use crate::mpi::{announce_modules, communicator, report_instrumentation};
use crate::recorder::{self, define, unknown_call};
use crate::start;
use farside_events::{Call as Entered, EventKind, Interface, Rank};
use std::ffi::CStr;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A call that returned GASPI_TIMEOUT has prepared the recording.
static PREPARED: Mutex<Option<start::Prepared>> = Mutex::new(None);
/// This process, and how many there are.
static SELF: OnceLock<(Rank, u32)> = OnceLock::new();

/// Whether calls are to be recorded.
pub(super) fn has_begun() -> bool {
    start::is_open(Interface::Gaspi)
}

/// The ranks of the job.
pub(super) fn size() -> u32 {
    SELF.get().map_or(0, |(_, size)| *size)
}

/// This rank.
pub(super) fn rank() -> Option<Rank> {
    SELF.get().map(|(rank, _)| *rank)
}

/// Before the call, this process says that it is able to record; after it, all processes have agreed whether they do.
pub(super) fn init() -> After {
    if has_begun() {
        return None;
    }
    let before = PREPARED.lock().unwrap_or_else(PoisonError::into_inner).take();
    let prepared = match before {
        Some(prepared) => Some(prepared),
        // MPI has begun the recording.
        None if recorder::active() => None,
        None => Some(start::prepare()?),
    };
    Some(Box::new(move |call, code| match (code, prepared) {
        (SUCCESS, prepared) => {
            if begin(prepared) {
                start::open(Interface::Gaspi);
                refusal::tell_early(call);
            }
        }
        (_, None) => {}
        (TIMEOUT, prepared) => *PREPARED.lock().unwrap_or_else(PoisonError::into_inner) = prepared,
        (_, Some(prepared)) => prepared.refuse("gaspi_proc_init failed"),
    }))
}

/// What a function of the library says by a pointer to a rank.
fn number(name: &CStr) -> Option<u32> {
    let function = symbol::next(name)?;
    let mut number: u16 = 0;
    // SAFETY: the names given here are of functions with this signature (§5.3.6, §5.3.7).
    let function =
        unsafe { std::mem::transmute::<usize, unsafe extern "C-unwind" fn(*mut u16) -> i32>(function) };
    // SAFETY: `number` has room for what is written.
    (unsafe { function(&raw mut number) } == SUCCESS).then_some(number.into())
}

/// `prepared` is what begins a recording; `None`: MPI has begun it.
fn begin(prepared: Option<start::Prepared>) -> bool {
    let (Some(rank), Some(size)) = (number(c"gaspi_proc_rank"), number(c"gaspi_proc_num")) else {
        match prepared {
            Some(prepared) => prepared.refuse("gaspi_proc_rank failed right after gaspi_proc_init"),
            None => unknown_call("gaspi_proc_init"),
        }
        return false;
    };
    let _ = SELF.set((Rank(rank), size));
    match prepared {
        Some(prepared) => {
            if !prepared.begin(rank, size, library().into()) {
                return false;
            }
            announce_modules();
            define(EventKind::Comm {
                id: group::world(),
                members: (0..size).map(Rank).collect(),
            });
            crate::threads::initialise();
        }
        None if communicator::world() != Some((rank, size)) => {
            unknown_call("gaspi_proc_init, of which a rank is not that of MPI_COMM_WORLD");
            return false;
        }
        None => {}
    }
    true
}

/// Name and version of the library. The first word is that by which a report knows whose calls they are.
fn library() -> String {
    let mut version: f32 = 0.0;
    if let Some(function) = symbol::next(c"gaspi_version") {
        // SAFETY: a function of the library with this signature (§12.2.7), with room for what it writes.
        unsafe {
            let function: unsafe extern "C-unwind" fn(*mut f32) -> i32 = std::mem::transmute(function);
            function(&raw mut version);
        }
    }
    format!("GASPI, library of version {version}")
}

/// After the call, this rank takes no part any more.
pub(super) fn term() -> After {
    Some(Box::new(|call: &Call, code| {
        if code != SUCCESS {
            return;
        }
        let stack = call.stack();
        refusal::tell_what_is_left();
        report_instrumentation();
        guard::report();
        announce_modules();
        segment::forget_all();
        refusal::ends();
        if !start::close(Interface::Gaspi) {
            enter(Entered::Finalize, stack);
            leave();
            // What is called from now on is refused, which is the last that a recording says.
            recorder::pause();
        }
    }))
}
