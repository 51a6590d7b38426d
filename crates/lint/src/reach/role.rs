//! Which functions of MPI count: those that make, synchronise or access windows, and those that order processes.

use farside_calls::{meaning::Meaning, mpi::Procedure};

/// What a call does for memory consistency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Makes, synchronises or accesses a window.
    OneSided,
    /// Orders processes, or completes what was begun: collectives, and waits for requests.
    Synchronising,
}

/// What the calls of a procedure do; `None` if neither.
pub(crate) fn role(procedure: Procedure) -> Option<Role> {
    match procedure.meaning()? {
        Meaning::Window(_) | Meaning::Operation(_) | Meaning::OnWindow(_) => Some(Role::OneSided),
        Meaning::Completion(..) | Meaning::Start | Meaning::Collective(..) => Some(Role::Synchronising),
        _ => None,
    }
}
