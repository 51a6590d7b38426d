//! Which functions of MPI, OpenSHMEM and GASPI count: those that make, synchronise or access windows, symmetric memory
//! or segments, and those that order processes.

use crate::external::External;
use farside_calls::gaspi::Meaning as OfGaspi;
use farside_calls::shmem::Meaning as OfShmem;
use farside_calls::{meaning::Meaning, mpi::Procedure};

/// What a call does for memory consistency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Makes, synchronises or accesses a window, symmetric memory or a segment.
    OneSided,
    /// Orders processes, or completes what was begun: collectives, and waits for requests.
    Synchronising,
}

/// What the calls of a function do; `None` if neither.
pub(crate) fn role(external: External) -> Option<Role> {
    match external {
        External::Shmem(known) => role_in_shmem(known?.meaning()),
        External::Gaspi(known) => role_in_gaspi(known?.meaning()),
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

fn role_in_gaspi(meaning: OfGaspi) -> Option<Role> {
    match meaning {
        OfGaspi::SegmentHere(_)
        | OfGaspi::SegmentOfGroup(_)
        | OfGaspi::SegmentDelete
        | OfGaspi::Request(..)
        | OfGaspi::List(..)
        | OfGaspi::Notify
        | OfGaspi::Wait
        | OfGaspi::FetchAdd
        | OfGaspi::CompareSwap => Some(Role::OneSided),
        OfGaspi::NotifyWaitsome
        | OfGaspi::NotifyReset
        | OfGaspi::PassiveSend
        | OfGaspi::PassiveReceive
        | OfGaspi::GroupCommit
        | OfGaspi::Collective(_) => Some(Role::Synchronising),
        _ => None,
    }
}
