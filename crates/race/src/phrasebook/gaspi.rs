//! The calls of GASPI, in its C binding.
//!
//! Each piece of a list is an operation of its own, and has the name of the call for one piece.

use super::mpi::Mpi;
use super::{Dialect, Promise};
use crate::finding::{CallKind, Code};
use farside_events::{OperationKind, WindowFlavor};

pub(super) struct Gaspi;

impl Dialect for Gaspi {
    fn call(&self, call: CallKind) -> &'static str {
        match call {
            // What has a flag is told from what has none as what has a request elsewhere.
            CallKind::Operation { kind, request } => match (kind, request) {
                (OperationKind::Put, true) => "gaspi_write_notify",
                (OperationKind::Put, false) => "gaspi_write",
                (OperationKind::Get, true) => "gaspi_read_notify",
                (OperationKind::Get, false) => "gaspi_read",
                (OperationKind::CompareAndSwap, _) => "gaspi_atomic_compare_swap",
                _ => "gaspi_atomic_fetch_add",
            },
            CallKind::Notify => "gaspi_notify",
            CallKind::Flush { .. } => "gaspi_wait",
            CallKind::Free => "gaspi_segment_delete",
            CallKind::Finalize => "gaspi_proc_term",
            CallKind::ThreadWait => Mpi.call(call),
            CallKind::Other => "GASPI call",
            // No program of GASPI makes these.
            _ => Mpi.call(call),
        }
    }

    fn making(&self, flavor: WindowFlavor) -> &'static str {
        match flavor {
            WindowFlavor::Allocate => "gaspi_segment_create",
            _ => "gaspi_segment_bind",
        }
    }

    fn promise(&self, promise: Promise) -> &'static str {
        Mpi.promise(promise)
    }

    fn code(&self, code: Code) -> String {
        let words = match code {
            Code::Barrier | Code::Meet | Code::Fence => "gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)",
            Code::Flush { local: true, .. } | Code::WaitForRequest | Code::Complete => {
                "gaspi_wait(queue, GASPI_BLOCK)"
            }
            Code::Notify(target) => {
                return format!(
                    "gaspi_notify(segment, {}, notification, value, queue, GASPI_BLOCK)",
                    target.0
                );
            }
            Code::Await(flag) => {
                return format!(
                    "gaspi_notify_waitsome(segment, {}, 1, &first, GASPI_BLOCK)",
                    flag.number
                );
            }
            Code::Flush { local: false, .. }
            | Code::CompleteAndStart
            | Code::Wait
            | Code::CompleteAndWait => "gaspi_notify(segment, rank, notification, value, queue, GASPI_BLOCK)",
            Code::AtomicRead => "gaspi_notify_waitsome(segment, notification, 1, &first, GASPI_BLOCK)",
            Code::Lock(_) => "gaspi_atomic_compare_swap(segment, offset, rank, 0, 1, &old, GASPI_BLOCK)",
            Code::Unlock(_) => "gaspi_atomic_compare_swap(segment, offset, rank, 1, 0, &old, GASPI_BLOCK)",
            Code::UnlockAll => "gaspi_proc_term(GASPI_BLOCK)",
            Code::Access => "",
            Code::SetBack => "gaspi_notify_reset(segment, first, &value)",
            Code::Detach => "gaspi_segment_delete(segment)",
            Code::Call(call) => self.call(call),
            Code::Order(_)
            | Code::Exclusion
            | Code::TeamBarrier
            | Code::TaskWait
            | Code::Static
            | Code::CopyBefore
            | Code::CopyAfter
            | Code::RepeatWhenFull
            | Code::RepeatWhenTimedOut
            | Code::Argument(_)
            | Code::SecondBuffer(_)
            | Code::AtomicWrite
            | Code::AtomicUpdate(_)
            | Code::Attach
            | Code::Assertions(_)
            | Code::Kind(_) => "",
        };
        words.to_owned()
    }

    fn note_on_atomic_read(&self) -> &'static str {
        "instead of a loop over loads; the origin notifies after its data"
    }
}
