//! The calls of OpenSHMEM, in its C binding.
//!
//! Calls have a name for each type (`shmem_int_put`); the words here leave it out, as C11's generic names do.

use super::mpi::Mpi;
use super::{Dialect, Promise, SECOND_BUFFER};
use crate::finding::{CallKind, Code};
use farside_events::{ChannelId, OperationKind, WindowFlavor};

pub(super) struct Shmem;

impl Dialect for Shmem {
    fn call(&self, call: CallKind) -> &'static str {
        match call {
            // A request stands for what is free when the call returns.
            CallKind::Operation { kind, request } => match (kind, request) {
                (OperationKind::Put, true) => "shmem_put",
                (OperationKind::Put, false) => "shmem_put_nbi",
                (OperationKind::Get, true) => "shmem_get",
                (OperationKind::Get, false) => "shmem_get_nbi",
                (OperationKind::Accumulate, _) => "shmem_atomic",
                (OperationKind::GetAccumulate | OperationKind::FetchAndOp, true) => "shmem_atomic_fetch",
                (OperationKind::GetAccumulate | OperationKind::FetchAndOp, false) => "shmem_atomic_fetch_nbi",
                (OperationKind::CompareAndSwap, true) => "shmem_atomic_compare_swap",
                (OperationKind::CompareAndSwap, false) => "shmem_atomic_compare_swap_nbi",
            },
            CallKind::Flush { .. } => "shmem_quiet",
            CallKind::Free => "shmem_free",
            CallKind::Finalize => "shmem_finalize",
            CallKind::ThreadWait => Mpi.call(call),
            CallKind::Other => "OpenSHMEM call",
            CallKind::LockAll | CallKind::Lock => "shmem_init",
            CallKind::UnlockAll | CallKind::Unlock => "shmem_finalize",
            // No program of OpenSHMEM makes these.
            _ => Mpi.call(call),
        }
    }

    fn making(&self, flavor: WindowFlavor) -> &'static str {
        match flavor {
            WindowFlavor::Allocate => "shmem_malloc",
            _ => "static memory",
        }
    }

    fn promise(&self, promise: Promise) -> &'static str {
        Mpi.promise(promise)
    }

    fn code(&self, code: Code) -> String {
        let words = match code {
            Code::Barrier | Code::Fence => "shmem_barrier_all()",
            Code::Meet => "shmem_sync_all()",
            Code::Order(channel) if channel != ChannelId::DEFAULT => "shmem_ctx_fence(context)",
            Code::Order(_) => "shmem_fence()",
            Code::Flush { channel, .. } if channel != ChannelId::DEFAULT => "shmem_ctx_quiet(context)",
            Code::Flush { .. } | Code::WaitForRequest | Code::Complete | Code::CompleteAndStart => {
                "shmem_quiet()"
            }
            Code::Wait | Code::CompleteAndWait => "shmem_quiet() at the origin and shmem_sync_all()",
            Code::AtomicRead => "shmem_wait_until(flag, SHMEM_CMP_NE, old)",
            Code::Lock(_) => "shmem_set_lock(lock)",
            Code::Unlock(_) => "shmem_clear_lock(lock)",
            Code::UnlockAll => "shmem_finalize()",
            // Threads are no matter of OpenSHMEM, and its atomic operations have one element.
            Code::Access
            | Code::Attach
            | Code::Exclusion
            | Code::TeamBarrier
            | Code::TaskWait
            | Code::Static
            | Code::CopyBefore
            | Code::CopyAfter
            | Code::RepeatWhenFull
            | Code::RepeatWhenTimedOut
            | Code::Argument(_)
            | Code::AtomicWrite
            | Code::AtomicUpdate(_) => "",
            Code::SecondBuffer(_) => SECOND_BUFFER,
            Code::Detach => "shmem_free(object)",
            Code::Call(call) => self.call(call),
            // Only GASPI's programs are told so.
            Code::Notify(_) | Code::Await(_) | Code::SetBack => "shmem_put_signal",
            Code::Assertions(_) | Code::Kind(_) => "",
        };
        words.to_owned()
    }

    fn note_on_atomic_read(&self) -> &'static str {
        "instead of a loop over loads"
    }
}
