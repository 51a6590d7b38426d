//! Synchronising MPI calls: what a thread enters, and how it leaves.

use crate::{ChannelId, CommId, ObjectId, Operation, OperationKind, PostId, Rank, RequestId, WinId};
use serde::{Deserialize, Serialize};

/// The `assert` argument of fence, post, start and lock (MPI-4.1 §12.5.5), independent of the library's constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Assertions {
    /// `MPI_MODE_NOCHECK`.
    pub nocheck: bool,
    /// `MPI_MODE_NOSTORE`.
    pub nostore: bool,
    /// `MPI_MODE_NOPUT`.
    pub noput: bool,
    /// `MPI_MODE_NOPRECEDE`.
    pub noprecede: bool,
    /// `MPI_MODE_NOSUCCEED`.
    pub nosucceed: bool,
}

/// Shared or exclusive (MPI-4.1 §12.5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LockKind {
    /// `MPI_LOCK_SHARED`.
    Shared,
    /// `MPI_LOCK_EXCLUSIVE`.
    Exclusive,
}

/// Which processes a collective orders (its own direction of happens-before).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// Every process before every other: barrier, allreduce, allgather, alltoall, communicator creation, ...
    All,
    /// The root before all others: broadcast, scatter.
    FromRoot(Rank),
    /// All others before the root: gather, reduce.
    ToRoot(Rank),
    /// Lower ranks of the communicator before higher ones: scan, exscan.
    Prefix,
    /// The named processes before this one: neighbourhood collectives.
    FromNeighbors(Vec<Rank>),
    /// No data moves, so nothing is ordered (a zero-count broadcast, say).
    Nothing,
}

/// How a message is sent (MPI-4.1 §3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SendMode {
    /// Standard and ready: may complete at the sender alone, and may wait for the matching receive.
    Standard,
    /// Synchronous: completes only after the matching receive has started.
    Synchronous,
    /// Buffered: completes at the sender alone.
    Buffered,
}

/// A call that a thread enters. The thread stays in it until its next [`crate::EventKind::Leave`]; a thread that
/// never leaves is where a hanging program waits. Non-blocking calls enter and leave at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // Fields carry the standard's argument names; each variant's line explains the rest.
pub enum Call {
    /// `MPI_Win_fence` (MPI-4.1 §12.5.1).
    Fence { win: WinId, assertions: Assertions },
    /// `MPI_Win_post`: exposure epoch opens for the group (§12.5.2).
    Post {
        win: WinId,
        group: Vec<Rank>,
        assertions: Assertions,
    },
    /// `MPI_Win_start`: access epoch opens to the group.
    Start {
        win: WinId,
        group: Vec<Rank>,
        assertions: Assertions,
    },
    /// `MPI_Win_complete`.
    Complete { win: WinId },
    /// `MPI_Win_wait`, and `MPI_Win_test` (left with [`Outcome::Flag`]).
    Wait { win: WinId, test: bool },
    /// `MPI_Win_lock` (§12.5.3).
    Lock {
        win: WinId,
        target: Rank,
        kind: LockKind,
        assertions: Assertions,
    },
    /// `MPI_Win_unlock`.
    Unlock { win: WinId, target: Rank },
    /// `MPI_Win_lock_all`.
    LockAll { win: WinId, assertions: Assertions },
    /// `MPI_Win_unlock_all`.
    UnlockAll { win: WinId },
    /// `MPI_Win_flush`, `_flush_all` (no target), `_flush_local`, `_flush_local_all` (§12.5.4); of what was issued on
    /// one channel, or on all.
    Flush {
        win: WinId,
        target: Option<Rank>,
        local: bool,
        channel: Option<ChannelId>,
    },
    /// `MPI_Win_sync`.
    Sync { win: WinId },
    /// `MPI_Win_free` (§12.2.5). Collective over the window's group, acts as a barrier.
    WinFree { win: WinId },
    /// A collective operation or a collective creation, the `sequence`-th on its communicator in this process.
    /// Blocking collectives order at Leave. Non-blocking ones carry a request and order at their
    /// completion, which is reported as [`crate::EventKind::CollectiveDone`].
    Collective {
        comm: CommId,
        sequence: u64,
        direction: Direction,
        /// The name of the MPI call.
        name: Box<str>,
        request: Option<RequestId>,
    },
    /// Any sending call. Entered at the start of the send; for `MPI_Isend` and friends left at once.
    Send {
        comm: CommId,
        dest: Option<Rank>,
        tag: i32,
        mode: SendMode,
        request: Option<RequestId>,
        name: Box<str>,
    },
    /// A receive is posted. `source` is `None` for `MPI_ANY_SOURCE`, `tag` is `None` for `MPI_ANY_TAG`.
    /// A blocking receive is left with [`Outcome::Received`]; a non-blocking one is left at once, and
    /// [`crate::EventKind::ReceiveDone`] follows.
    Receive {
        post: PostId,
        comm: CommId,
        source: Option<Rank>,
        tag: Option<i32>,
        request: Option<RequestId>,
        name: Box<str>,
    },
    /// `MPI_Wait`, `MPI_Test` and their families; what they completed follows as `...Done` events before Leave.
    Completion { name: Box<str> },
    /// `MPI_Win_attach` (§12.2.4).
    Attach { win: WinId, address: u64, size: u64 },
    /// `MPI_Win_detach`.
    Detach { win: WinId, address: u64 },
    /// The part of this process of a window is no more, which the others need not know (`gaspi_segment_delete`, GASPI
    /// 17.1 §7.3.1). It may come to be again.
    WinWithdraw { win: WinId },
    /// `MPI_Finalize`: collective over all processes.
    Finalize,
    /// Waiting for another thread: a mutex, an OpenMP barrier, `pthread_join`.
    ThreadWait { object: ObjectId },
    /// Waiting for a word of this process that another one is to change (`shmem_wait_until`, OpenSHMEM 1.5 §9.10), or
    /// for a lock that `of` has (`shmem_set_lock`, §9.12). `None`: any other process may bring it.
    Await { name: Box<str>, of: Option<Rank> },
}

/// How a call was left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // Fields carry the standard's argument names; each variant's line explains the rest.
pub enum Outcome {
    /// It returned with success.
    Done,
    /// A blocking receive returned; the matched message's source and tag. `source` is `None` for `MPI_PROC_NULL`.
    Received { source: Option<Rank>, tag: i32 },
    /// `MPI_Win_test` returned this flag.
    Flag(bool),
    /// The call returned this error code (not `MPI_SUCCESS`).
    Failed(i32),
}

/// Which call it is, without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The variants are the names of the standard.
pub enum CallKind {
    /// A one-sided operation.
    Operation {
        kind: OperationKind,
        request: bool,
    },
    /// An operation that brings nothing but a flag.
    Notify,
    Fence,
    Post,
    Start,
    Complete,
    Wait,
    Test,
    Lock,
    LockAll,
    Unlock,
    UnlockAll,
    /// All four forms of flush.
    Flush {
        all: bool,
        local: bool,
    },
    Sync,
    Free,
    Attach,
    Detach,
    Finalize,
    /// A thread waits for another of its process.
    ThreadWait,
    /// A call that only its name tells.
    Other,
}

impl Call {
    /// The window that it is made on.
    pub fn window(&self) -> Option<WinId> {
        match self {
            Self::Fence { win, .. }
            | Self::Post { win, .. }
            | Self::Start { win, .. }
            | Self::Complete { win }
            | Self::Wait { win, .. }
            | Self::Lock { win, .. }
            | Self::Unlock { win, .. }
            | Self::LockAll { win, .. }
            | Self::UnlockAll { win }
            | Self::Flush { win, .. }
            | Self::Sync { win }
            | Self::WinFree { win }
            | Self::WinWithdraw { win }
            | Self::Attach { win, .. }
            | Self::Detach { win, .. } => Some(*win),
            _ => None,
        }
    }

    /// Its name, of a call that only its name tells.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Collective { name, .. }
            | Self::Completion { name }
            | Self::Send { name, .. }
            | Self::Receive { name, .. }
            | Self::Await { name, .. } => Some(name),
            _ => None,
        }
    }
}

impl CallKind {
    /// The kind of a call that is entered.
    pub fn of(call: &Call) -> Self {
        match call {
            Call::Fence { .. } => Self::Fence,
            Call::Post { .. } => Self::Post,
            Call::Start { .. } => Self::Start,
            Call::Complete { .. } => Self::Complete,
            Call::Wait { test: false, .. } => Self::Wait,
            Call::Wait { test: true, .. } => Self::Test,
            Call::Lock { .. } => Self::Lock,
            Call::LockAll { .. } => Self::LockAll,
            Call::Unlock { .. } => Self::Unlock,
            Call::UnlockAll { .. } => Self::UnlockAll,
            Call::Flush { target, local, .. } => Self::Flush {
                all: target.is_none(),
                local: *local,
            },
            Call::Sync { .. } => Self::Sync,
            Call::WinFree { .. } | Call::WinWithdraw { .. } => Self::Free,
            Call::Attach { .. } => Self::Attach,
            Call::Detach { .. } => Self::Detach,
            Call::Finalize => Self::Finalize,
            Call::ThreadWait { .. } => Self::ThreadWait,
            Call::Collective { .. }
            | Call::Completion { .. }
            | Call::Send { .. }
            | Call::Receive { .. }
            | Call::Await { .. } => Self::Other,
        }
    }

    /// The kind of a call that makes an operation: one that brings a flag besides is told as one with a request.
    pub fn of_operation(operation: &Operation) -> Self {
        match operation.is_bare() {
            true => Self::Notify,
            false => Self::Operation {
                kind: operation.kind,
                request: operation.request.is_some() || operation.flag().is_some(),
            },
        }
    }

    /// The lock call for a target, or for all.
    pub fn lock(target: Option<Rank>) -> Self {
        match target {
            Some(_) => Self::Lock,
            None => Self::LockAll,
        }
    }
}
