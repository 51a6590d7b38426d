//! The calls of the crate `farside`: those of the standard under shorter names, and closures that end epochs.

use super::mpi::Mpi;
use super::{Dialect, Promise};
use crate::finding::{CallKind, Code};
use farside_events::{LockKind, OperationKind, WindowFlavor};

pub(super) struct Farside;

impl Dialect for Farside {
    fn call(&self, call: CallKind) -> &'static str {
        match call {
            CallKind::Operation { kind, request } => match (kind, request) {
                (OperationKind::Put, false) => "put",
                (OperationKind::Put, true) => "rput",
                (OperationKind::Get, false) => "get",
                (OperationKind::Get, true) => "rget",
                (OperationKind::Accumulate, false) => "accumulate",
                (OperationKind::Accumulate, true) => "raccumulate",
                (OperationKind::GetAccumulate, false) => "get_accumulate",
                (OperationKind::GetAccumulate, true) => "rget_accumulate",
                (OperationKind::FetchAndOp, _) => "fetch_and_op",
                (OperationKind::CompareAndSwap, _) => "compare_and_swap",
            },
            CallKind::Finalize => "finish",
            _ => {
                let standard = Mpi.call(call);
                standard.strip_prefix("MPI_Win_").unwrap_or(standard)
            }
        }
    }

    fn making(&self, flavor: WindowFlavor) -> &'static str {
        let standard = Mpi.making(flavor);
        standard.strip_prefix("MPI_Win_").unwrap_or(standard)
    }

    fn promise(&self, promise: Promise) -> &'static str {
        match promise {
            // The crate has none of these: locks are checked always.
            Promise::Check => "MPI_MODE_NOCHECK",
            Promise::Store => "no_store",
            Promise::Put => "no_put",
            Promise::Precede => "no_precede",
            Promise::Succeed => "no_succeed",
        }
    }

    fn code(&self, code: Code) -> String {
        let words = match code {
            Code::Flush {
                target: Some(target),
                local: false,
                ..
            } => return format!("epoch.flush({})", target.0),
            Code::Flush {
                target: Some(target),
                local: true,
                ..
            } => return format!("epoch.flush_local({})", target.0),
            Code::Fence => "Ok(()) })?; window.fence(|epoch| {",
            Code::Barrier | Code::Meet => "world.barrier()",
            // Only OpenSHMEM's programs are told so.
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
            | Code::AtomicUpdate(_) => "",
            Code::Flush { local: false, .. } => "epoch.flush_all()",
            Code::Flush { local: true, .. } => "epoch.flush_local_all()",
            Code::WaitForRequest => "request.wait()",
            Code::Complete => "the end of window.start",
            Code::CompleteAndStart => "Ok(()) })?; window.start(&group, |epoch| {",
            Code::Wait => "the end of window.post",
            Code::CompleteAndWait => "the end of window.start at the origin and of window.post at the target",
            Code::Call(call) => self.call(call),
            Code::AtomicRead => "epoch.wait_until(index, ...)",
            Code::Lock(target) => {
                return format!("window.lock({}, Lock::Shared, |epoch| {{ ... }})", target.0);
            }
            Code::Unlock(_) => "the end of window.lock",
            Code::UnlockAll => "the end of window.lock_all",
            Code::Access => "",
            Code::Attach => "window.attach(region)",
            Code::Detach => "window.detach(region)",
            Code::Kind(LockKind::Shared) => "Lock::Shared",
            Code::Kind(LockKind::Exclusive) => "Lock::Exclusive",
            // Only GASPI's programs are told so.
            Code::Notify(_) | Code::Await(_) | Code::SetBack => "notify(rank)",
            Code::Assertions(assertions) => {
                let given: Vec<String> = super::promises(assertions)
                    .map(|promise| format!("{}: true", self.promise(promise)))
                    .collect();
                return match given.is_empty() {
                    true => "Assertions::default()".to_owned(),
                    false => format!("Assertions {{ {}, ..Assertions::default() }}", given.join(", ")),
                };
            }
        };
        words.to_owned()
    }

    fn note_on_atomic_read(&self) -> &'static str {
        "instead of a loop over loads"
    }
}
