//! Which model fits a program where none was chosen, and the statement that tells.

use farside_litmus::ast::{Program, Statement, StatementKind};

/// The model of a program whose statements every network has.
pub const CORE: &str = "coreRMA";
/// The model of a program with a statement that only MPI has.
pub const MPI: &str = "mpi3-unified";
/// The model of a program with queues or notifications.
pub const QUEUES: &str = "gaspi";

/// A statement that tells which models a program is for.
#[derive(Clone, Copy, Debug)]
pub enum Telling<'p> {
    /// The first statement that only MPI has.
    Mpi(&'p Statement),
    /// The first statement that only GASPI has.
    Queues(&'p Statement),
}

impl<'p> Telling<'p> {
    /// A statement of GASPI where there is one, else one of MPI; none where every model may do.
    #[must_use]
    pub fn of(program: &'p Program) -> Option<Self> {
        let find = |known: fn(&StatementKind) -> bool| {
            let mut processes = program.processes.iter();
            processes.find_map(|process| first(&process.statements, known))
        };
        find(has_queues)
            .map(Self::Queues)
            .or_else(|| find(is_mpi).map(Self::Mpi))
    }

    /// The model that the statement asks for, by its name.
    #[must_use]
    pub fn model(self) -> &'static str {
        match self {
            Self::Mpi(_) => MPI,
            Self::Queues(_) => QUEUES,
        }
    }
}

/// The model that is taken for a program where none was chosen, by its name.
#[must_use]
pub fn fitting(program: &Program) -> &'static str {
    Telling::of(program).map_or(CORE, Telling::model)
}

/// The first statement of the kind, blocks searched.
fn first(statements: &[Statement], known: fn(&StatementKind) -> bool) -> Option<&Statement> {
    statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::While { body, .. } => first(body, known),
        StatementKind::If { then, otherwise, .. } => first(then, known).or_else(|| first(otherwise, known)),
        kind => known(kind).then_some(statement),
    })
}

/// Whether only models with queues have the statement.
fn has_queues(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::On { .. }
            | StatementKind::Notify(_)
            | StatementKind::PutNotify { .. }
            | StatementKind::GetNotify { .. }
            | StatementKind::WaitQueue(_)
            | StatementKind::Await(_)
            | StatementKind::Take { .. }
    )
}

/// Whether only the models of MPI have the statement, of those without queues.
fn is_mpi(kind: &StatementKind) -> bool {
    !matches!(
        kind,
        StatementKind::Load { .. }
            | StatementKind::Store { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Get { .. }
            | StatementKind::Put { .. }
            | StatementKind::Rga { .. }
            | StatementKind::Cas { .. }
            | StatementKind::GetAccumulate { .. }
            | StatementKind::FetchAndOp { .. }
            | StatementKind::CompareAndSwap { .. }
            | StatementKind::Flush(_)
            | StatementKind::FlushAll
            | StatementKind::Barrier
    )
}
