//! Which functions of MPI and OpenSHMEM count: those that make, synchronise or access windows or symmetric memory, and
//! those that order processes.

use crate::external::External;
use farside_calls::shmem::Meaning as OfShmem;
use farside_calls::{meaning::Meaning, mpi::Procedure};

/// What a call does for memory consistency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Makes, synchronises or accesses a window, or symmetric memory.
    OneSided,
    /// Orders processes, or completes what was begun: collectives, and waits for requests.
    Synchronising,
}

/// What the calls of a function do; `None` if neither.
pub(crate) fn role(external: External) -> Option<Role> {
    match external {
        External::Shmem(known) => Some(role_in_shmem(known?.meaning())?),
        other => role_in_mpi(other.procedure()?),
    }
}

fn role_in_mpi(procedure: Procedure) -> Option<Role> {
    match procedure.meaning()? {
        Meaning::Window(_) | Meaning::Operation(_) | Meaning::OnWindow(_) => Some(Role::OneSided),
        Meaning::Completion(..) | Meaning::Start | Meaning::Collective(..) => Some(Role::Synchronising),
        _ => None,
    }
}

fn role_in_shmem(meaning: OfShmem) -> Option<Role> {
    match meaning {
        OfShmem::Allocate { .. }
        | OfShmem::Reallocate
        | OfShmem::Free
        | OfShmem::Put(..)
        | OfShmem::Get(..)
        | OfShmem::PutValue
        | OfShmem::GetValue
        | OfShmem::Atomic(..)
        | OfShmem::PutSignal(_)
        | OfShmem::Quiet
        | OfShmem::Fence
        | OfShmem::SetLock
        | OfShmem::TestLock
        | OfShmem::ClearLock => Some(Role::OneSided),
        OfShmem::Barrier(_)
        | OfShmem::Sync(_)
        | OfShmem::Wait
        | OfShmem::Test
        | OfShmem::WaitArray { .. }
        | OfShmem::Signal
        | OfShmem::Collective(_)
        | OfShmem::Team
        | OfShmem::TeamCollective(_) => Some(Role::Synchronising),
        _ => None,
    }
}
