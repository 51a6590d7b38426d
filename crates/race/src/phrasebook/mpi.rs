//! The calls of MPI, in its C binding.

use super::{Dialect, Promise, SECOND_BUFFER};
use crate::finding::{CallKind, Code};
use farside_events::{AccumulateOp, Assertions, LockKind, WindowFlavor};

pub(super) struct Mpi;

impl Dialect for Mpi {
    fn call(&self, call: CallKind) -> &'static str {
        match call {
            CallKind::Operation { kind, request } => kind.call_name(request),
            // Not in MPI.
            CallKind::Notify => "notify",
            CallKind::Fence => "MPI_Win_fence",
            CallKind::Post => "MPI_Win_post",
            CallKind::Start => "MPI_Win_start",
            CallKind::Complete => "MPI_Win_complete",
            CallKind::Wait => "MPI_Win_wait",
            CallKind::Test => "MPI_Win_test",
            CallKind::Lock => "MPI_Win_lock",
            CallKind::LockAll => "MPI_Win_lock_all",
            CallKind::Unlock => "MPI_Win_unlock",
            CallKind::UnlockAll => "MPI_Win_unlock_all",
            CallKind::Flush { all, local } => match (all, local) {
                (false, false) => "MPI_Win_flush",
                (false, true) => "MPI_Win_flush_local",
                (true, false) => "MPI_Win_flush_all",
                (true, true) => "MPI_Win_flush_local_all",
            },
            CallKind::Sync => "MPI_Win_sync",
            CallKind::Free => "MPI_Win_free",
            CallKind::Attach => "MPI_Win_attach",
            CallKind::Detach => "MPI_Win_detach",
            CallKind::Finalize => "MPI_Finalize",
            CallKind::ThreadWait => "waiting for another thread",
            CallKind::Other => "MPI call",
        }
    }

    fn making(&self, flavor: WindowFlavor) -> &'static str {
        match flavor {
            WindowFlavor::Create => "MPI_Win_create",
            WindowFlavor::Allocate => "MPI_Win_allocate",
            WindowFlavor::Shared => "MPI_Win_allocate_shared",
            WindowFlavor::Dynamic => "MPI_Win_create_dynamic",
        }
    }

    fn promise(&self, promise: Promise) -> &'static str {
        match promise {
            Promise::Check => "MPI_MODE_NOCHECK",
            Promise::Store => "MPI_MODE_NOSTORE",
            Promise::Put => "MPI_MODE_NOPUT",
            Promise::Precede => "MPI_MODE_NOPRECEDE",
            Promise::Succeed => "MPI_MODE_NOSUCCEED",
        }
    }

    fn code(&self, code: Code) -> String {
        let words = match code {
            Code::Flush {
                target: Some(target),
                local: false,
                ..
            } => return format!("MPI_Win_flush({}, win)", target.0),
            Code::Flush {
                target: Some(target),
                local: true,
                ..
            } => return format!("MPI_Win_flush_local({}, win)", target.0),
            Code::Lock(target) => return format!("MPI_Win_lock(MPI_LOCK_SHARED, {}, 0, win)", target.0),
            Code::Unlock(Some(target)) => return format!("MPI_Win_unlock({}, win)", target.0),
            Code::Fence => "MPI_Win_fence(0, win)",
            Code::Barrier | Code::Meet => "MPI_Barrier(comm)",
            // Only OpenSHMEM's programs are told so.
            Code::Order(_) => "",
            // Threads are no matter of MPI.
            Code::Exclusion
            | Code::TeamBarrier
            | Code::TaskWait
            | Code::Static
            | Code::CopyBefore
            | Code::CopyAfter
            | Code::RepeatWhenFull
            | Code::RepeatWhenTimedOut
            | Code::Argument(_) => "",
            Code::SecondBuffer(_) => SECOND_BUFFER,
            Code::AtomicWrite => "MPI_Accumulate(..., MPI_REPLACE, win)",
            Code::AtomicUpdate(operator) => {
                return format!("MPI_Accumulate(..., {}, win)", operator_name(operator));
            }
            Code::Flush { local: false, .. } => "MPI_Win_flush_all(win)",
            Code::Flush { local: true, .. } => "MPI_Win_flush_local_all(win)",
            Code::WaitForRequest => "MPI_Wait(&request, MPI_STATUS_IGNORE)",
            Code::Complete => "MPI_Win_complete(win)",
            Code::CompleteAndStart => "MPI_Win_complete(win); MPI_Win_start(group, 0, win)",
            Code::Wait => "MPI_Win_wait(win)",
            Code::CompleteAndWait => {
                "MPI_Win_complete(win) at the origin and MPI_Win_wait(win) at the target"
            }
            Code::Unlock(None) => "MPI_Win_unlock(rank, win)",
            Code::UnlockAll => "MPI_Win_unlock_all(win)",
            Code::Access => "",
            Code::Attach => "MPI_Win_attach(win, base, size)",
            Code::Detach => "MPI_Win_detach(win, base)",
            Code::AtomicRead => "MPI_Fetch_and_op(..., MPI_NO_OP, win); MPI_Win_flush_local(rank, win)",
            Code::Call(call) => self.call(call),
            // Only GASPI's programs are told so.
            Code::Notify(_) | Code::Await(_) | Code::SetBack => "notify(rank)",
            Code::Assertions(assertions) => return arguments(assertions),
            Code::Kind(LockKind::Shared) => "MPI_LOCK_SHARED",
            Code::Kind(LockKind::Exclusive) => "MPI_LOCK_EXCLUSIVE",
        };
        words.to_owned()
    }

    fn note_on_atomic_read(&self) -> &'static str {
        "read the flag by an atomic operation and set it by MPI_Accumulate"
    }
}

/// The operator as it is written.
fn operator_name(operator: AccumulateOp) -> &'static str {
    match operator {
        AccumulateOp::Sum => "MPI_SUM",
        AccumulateOp::Prod => "MPI_PROD",
        AccumulateOp::Max => "MPI_MAX",
        AccumulateOp::Min => "MPI_MIN",
        AccumulateOp::Land => "MPI_LAND",
        AccumulateOp::Band => "MPI_BAND",
        AccumulateOp::Lor => "MPI_LOR",
        AccumulateOp::Bor => "MPI_BOR",
        AccumulateOp::Lxor => "MPI_LXOR",
        AccumulateOp::Bxor => "MPI_BXOR",
        AccumulateOp::Maxloc => "MPI_MAXLOC",
        AccumulateOp::Minloc => "MPI_MINLOC",
        AccumulateOp::Replace => "MPI_REPLACE",
        AccumulateOp::NoOp => "MPI_NO_OP",
        AccumulateOp::Other => "op",
    }
}

/// The argument as it is written in C: `MPI_MODE_NOPUT | MPI_MODE_NOSTORE`, or `0`.
fn arguments(assertions: Assertions) -> String {
    let given: Vec<&str> = super::promises(assertions)
        .map(|promise| Mpi.promise(promise))
        .collect();
    if given.is_empty() {
        "0".to_owned()
    } else {
        given.join(" | ")
    }
}
