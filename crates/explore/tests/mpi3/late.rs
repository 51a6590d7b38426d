//! Locks that may be taken later than the call returns.

use farside_litmus::ast::{Program, Rank, StatementKind};

/// Whether a process tells others something while it holds a lock of another one's window under which it has completed
/// no operation yet. MPI lets it take that lock later (deviation 12 of the model); the detector does not count on the
/// order of such locks.
pub(crate) fn a_lock_may_be_taken_late(program: &Program) -> bool {
    let excludes = |kind: &StatementKind| matches!(kind, StatementKind::LockExclusive(_));
    let mut statements = program.processes.iter().flat_map(|process| &process.statements);
    if !statements.any(|statement| excludes(&statement.kind)) {
        return false;
    }
    (0..).zip(&program.processes).any(|(rank, process)| {
        let mut idle: Vec<Option<Rank>> = Vec::new();
        let covers = |lock: Option<Rank>, target: Rank| lock.is_none_or(|locked| locked == target);
        process.statements.iter().any(|statement| {
            match &statement.kind {
                StatementKind::LockShared(target) | StatementKind::LockExclusive(target)
                    if target.0 != rank =>
                {
                    idle.push(Some(*target));
                }
                StatementKind::LockAll => idle.push(None),
                StatementKind::Unlock(target) => idle.retain(|lock| *lock != Some(*target)),
                StatementKind::UnlockAll => idle.retain(Option::is_some),
                StatementKind::Flush(target) | StatementKind::FlushLocal(target) => {
                    idle.retain(|lock| !covers(*lock, *target));
                }
                StatementKind::Send(_) | StatementKind::Barrier => return !idle.is_empty(),
                _ => {}
            }
            false
        })
    })
}
