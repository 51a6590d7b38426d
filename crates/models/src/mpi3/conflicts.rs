//! Conflicts (§3.3.1) and races (§3.3.2).
//!
//! Which accesses conflict is said by a model file, in the sets and relations of this module: `mpi3-unified.model` and
//! `mpi3-separate.model` are §3.3.1. That one process's own loads and stores do not conflict with each other, and that
//! accesses to memory of different processes do not, holds in every model.

use super::RaceModel;
use super::action::{Action, ActionKind};
use super::execution::Execution;
use super::orders::Orders;
use farside_litmus::ast::Operation;

/// How memory is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// By a load or store of the program.
    Own,
    /// By an operation at its origin.
    Origin,
    /// By an operation at its target.
    Target,
}

/// An access, as far as conflicts depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// How.
    pub role: Role,
    /// By what: a load, a store, or an operation.
    pub kind: ActionKind,
    /// It reads the memory.
    pub reads: bool,
    /// It writes the memory.
    pub writes: bool,
    /// Of an accumulate: what it does.
    pub operation: Option<Operation>,
}

/// A set of accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Set {
    /// `_`: every access.
    All,
    /// `{}`
    Empty,
    /// `R`
    Reads,
    /// `W`
    Writes,
    /// `Own`, `Origin`, `Target`
    Role(Role),
    /// `put`, `get`, `rga`, `cas`: accesses of such an operation, at both ends.
    Of(ActionKind),
    /// `accumulate`: accesses of all that MPI calls accumulate, `rga` and `cas` included.
    Accumulate,
    /// `no_op`: accesses of accumulates that change nothing.
    NoOp,
    /// `a | b | c`; lists, so that long chains are not deep.
    Union(Vec<Set>),
    /// `a & b`
    Intersection(Vec<Set>),
    /// `a \ b \ c`: what is in the first and in no other one.
    Difference(Vec<Set>),
}

impl Set {
    /// Names as model files write them.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("_", Self::All),
        ("R", Self::Reads),
        ("W", Self::Writes),
        ("Own", Self::Role(Role::Own)),
        ("Origin", Self::Role(Role::Origin)),
        ("Target", Self::Role(Role::Target)),
        ("put", Self::Of(ActionKind::Rcp)),
        ("get", Self::Of(ActionKind::Rcg)),
        ("rga", Self::Of(ActionKind::Rag)),
        ("cas", Self::Of(ActionKind::Ras)),
        ("accumulate", Self::Accumulate),
        ("no_op", Self::NoOp),
    ];

    fn has(&self, access: &Access) -> bool {
        match self {
            Self::All => true,
            Self::Empty => false,
            Self::Reads => access.reads,
            Self::Writes => access.writes,
            Self::Role(role) => access.role == *role,
            Self::Of(kind) => access.kind == *kind,
            Self::Accumulate => access.kind.is_accumulate(),
            Self::NoOp => access.operation == Some(Operation::NoOp),
            Self::Union(parts) => parts.iter().any(|part| part.has(access)),
            Self::Intersection(parts) => parts.iter().all(|part| part.has(access)),
            Self::Difference(parts) => only_first(parts, |part| part.has(access)),
        }
    }
}

/// How two accesses to the memory of one process meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Meeting {
    /// At the same location.
    pub same_location: bool,
    /// Statements of the same process make both.
    pub same_origin: bool,
}

impl Meeting {
    /// Every way to meet.
    pub const ALL: [Self; 4] = [
        Self::new(false, false),
        Self::new(false, true),
        Self::new(true, false),
        Self::new(true, true),
    ];

    const fn new(same_location: bool, same_origin: bool) -> Self {
        Self {
            same_location,
            same_origin,
        }
    }

    /// Its place among all.
    fn number(self) -> usize {
        usize::from(self.same_location) * 2 + usize::from(self.same_origin)
    }
}

/// A relation between two accesses to the memory of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `0`
    Empty,
    /// `loc`: the same location.
    Location,
    /// `same-operation`: two accumulates that do the same to their target (`sum` and `sum`).
    Operation,
    /// `same-origin`: statements of the same process make both.
    Origin,
    /// `S * T`
    Product(Box<[Set; 2]>),
    /// `a | b | c`
    Union(Vec<Relation>),
    /// `a & b`
    Intersection(Vec<Relation>),
    /// `a \ b \ c`
    Difference(Vec<Relation>),
}

impl Relation {
    /// Names as model files write them.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("0", Self::Empty),
        ("loc", Self::Location),
        ("same-operation", Self::Operation),
        ("same-origin", Self::Origin),
    ];

    fn relates(&self, a: &Access, b: &Access, meeting: Meeting) -> bool {
        let both = |part: &Self| part.relates(a, b, meeting);
        match self {
            Self::Empty => false,
            Self::Location => meeting.same_location,
            Self::Origin => meeting.same_origin,
            Self::Operation => a.operation.is_some() && a.operation == b.operation,
            Self::Product(sets) => sets[0].has(a) && sets[1].has(b),
            Self::Union(parts) => parts.iter().any(both),
            Self::Intersection(parts) => parts.iter().all(both),
            Self::Difference(parts) => only_first(parts, both),
        }
    }
}

/// Whether something holds of the first part and of no other one.
fn only_first<T>(parts: &[T], holds: impl Fn(&T) -> bool) -> bool {
    let first = parts.split_first();
    first.is_some_and(|(first, others)| holds(first) && !others.iter().any(holds))
}

/// Why two accesses conflict: by which line of a model, the first one that relates them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conflict(u16);

/// All that a model calls a conflict.
#[derive(Clone, PartialEq, Eq)]
pub struct Conflicts {
    lines: Vec<(Relation, String)>,
    /// For each two classes of accesses and each way to meet the line, counted from 1; 0 where they do not conflict.
    table: Vec<u16>,
}

impl std::fmt::Debug for Conflicts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.lines).finish()
    }
}

impl Conflicts {
    /// By these lines: accesses that one of them relates, one way or the other, conflict; its text says why, in a
    /// sentence. Lines beyond the first 65,534 are left out.
    #[must_use]
    pub fn new(mut lines: Vec<(Relation, String)>) -> Self {
        lines.truncate(usize::from(u16::MAX) - 1);
        let all = accesses();
        let mut table = Vec::with_capacity(CLASSES * CLASSES * Meeting::ALL.len());
        for a in &all {
            for b in &all {
                for meeting in Meeting::ALL {
                    let related = |(relation, _): &(Relation, String)| {
                        relation.relates(a, b, meeting) || relation.relates(b, a, meeting)
                    };
                    let own = a.role == Role::Own && b.role == Role::Own;
                    let line = lines.iter().position(related).filter(|_| !own);
                    table.push(line.map_or(0, |line| u16::try_from(line + 1).unwrap_or(u16::MAX)));
                }
            }
        }
        Self { lines, table }
    }

    /// In a sentence.
    #[must_use]
    pub fn sentence(&self, conflict: Conflict) -> &str {
        self.lines
            .get(usize::from(conflict.0))
            .map_or("", |(_, why)| why.as_str())
    }

    /// Whether two accesses to the memory of one process conflict. Symmetric.
    #[must_use]
    pub fn between(&self, a: &Access, b: &Access, meeting: Meeting) -> Option<Conflict> {
        let place = (a.class() * CLASSES + b.class()) * Meeting::ALL.len() + meeting.number();
        let line = self.table.get(place).copied().unwrap_or(0);
        line.checked_sub(1).map(Conflict)
    }

    /// Whether all that conflicts by `other` conflicts by these, too.
    #[must_use]
    pub fn include(&self, other: &Self) -> bool {
        let mut both = self.table.iter().zip(&other.table);
        both.all(|(here, there)| *there == 0 || *here != 0)
    }
}

/// What accumulates do.
const OPERATIONS: [Operation; 9] = [
    Operation::Sum,
    Operation::Product,
    Operation::Minimum,
    Operation::Maximum,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::Replace,
    Operation::NoOp,
];

/// Loads, stores, and three accesses for each operation of MPI: at the target, and a read and a write at the origin.
const CLASSES: usize = 2 + 3 * (3 + 2 * OPERATIONS.len());

impl Access {
    /// Its place in [`accesses`].
    fn class(&self) -> usize {
        let by_operation = |first: usize| {
            let operation = OPERATIONS
                .iter()
                .position(|operation| Some(*operation) == self.operation);
            first + operation.unwrap_or(OPERATIONS.len() - 1)
        };
        let operation = match self.kind {
            ActionKind::Ll => return 0,
            ActionKind::Rcp => 0,
            ActionKind::Rcg => 1,
            ActionKind::Ras => 2,
            ActionKind::Rac => by_operation(3),
            ActionKind::Rag => by_operation(3 + OPERATIONS.len()),
            _ => return 1,
        };
        let end = match (self.role, self.writes) {
            (Role::Target | Role::Own, _) => 0,
            (Role::Origin, false) => 1,
            (Role::Origin, true) => 2,
        };
        2 + 3 * operation + end
    }
}

/// Every access that differs from others in what conflicts depend on.
#[must_use]
pub fn accesses() -> Vec<Access> {
    let access = |role, kind, reads, writes, operation| Access {
        role,
        kind,
        reads,
        writes,
        operation,
    };
    let mut all = vec![
        access(Role::Own, ActionKind::Ll, true, false, None),
        access(Role::Own, ActionKind::Ls, false, true, None),
    ];
    let plain = [ActionKind::Rcp, ActionKind::Rcg, ActionKind::Ras].map(|kind| (kind, None));
    let accumulates = [ActionKind::Rac, ActionKind::Rag]
        .into_iter()
        .flat_map(|kind| OPERATIONS.map(|operation| (kind, Some(operation))));
    for (kind, operation) in plain.into_iter().chain(accumulates) {
        let fetches = matches!(kind, ActionKind::Rcg | ActionKind::Rag | ActionKind::Ras);
        let writes = kind != ActionKind::Rcg && operation != Some(Operation::NoOp);
        all.push(access(Role::Target, kind, fetches, writes, operation));
        all.push(access(Role::Origin, kind, true, false, operation));
        all.push(access(Role::Origin, kind, false, true, operation));
    }
    all
}

impl Action {
    /// The access that the action is, if it touches memory.
    #[must_use]
    pub fn access(&self) -> Option<Access> {
        let role = match self.effect_of {
            None => Role::Own,
            Some(_) if self.kind == ActionKind::Vac => Role::Target,
            Some(_) => Role::Origin,
        };
        self.is_memory().then_some(Access {
            role,
            kind: self.effect_of.unwrap_or(self.kind),
            reads: self.reads,
            writes: self.writes,
            operation: self.operation,
        })
    }
}

/// A race between two actions (§3.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacingPair {
    /// Indices of the actions.
    pub actions: [usize; 2],
    /// Why they conflict.
    pub conflict: Conflict,
    /// Neither happens before the other.
    pub no_happens_before: bool,
    /// Happens-before would not be enough.
    pub no_consistency: bool,
}

/// (21), (22): the conflicting pairs that `cohb` does not order.
#[must_use]
pub fn races(x: &Execution, orders: &Orders, model: &RaceModel) -> Vec<RacingPair> {
    let memory: Vec<(usize, Access)> = x
        .actions
        .iter()
        .enumerate()
        .filter_map(|(index, action)| Some((index, action.access()?)))
        .collect();
    let mut found = Vec::new();
    for (position, (a, first)) in memory.iter().enumerate() {
        for (b, second) in &memory[position + 1..] {
            let (a, b) = (*a, *b);
            if x.actions[a].process != x.actions[b].process {
                continue;
            }
            let meeting = Meeting {
                same_location: x.actions[a].location == x.actions[b].location,
                same_origin: x.actions[a].origin == x.actions[b].origin,
            };
            let Some(conflict) = model.conflicts().between(first, second, meeting) else {
                continue;
            };
            if orders.cohb(a, b) || orders.cohb(b, a) {
                continue;
            }
            let issue = |action: usize| match x.actions[action].kind {
                ActionKind::Vac => x.actions[action].of.unwrap_or(action),
                _ => action,
            };
            let ordered = orders.hb.has(issue(a), b) || orders.hb.has(issue(b), a);
            let ordered = ordered || x.actions[a].of.is_some() && x.actions[a].of == x.actions[b].of;
            let one_is_local = first.role == Role::Own || second.role == Role::Own;
            found.push(RacingPair {
                actions: [a, b],
                conflict,
                no_happens_before: !ordered,
                no_consistency: ordered || !(x.memory == super::MemoryModel::Unified && one_is_local),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_place() {
        let places: Vec<usize> = accesses().iter().map(Access::class).collect();
        assert_eq!(places, (0..CLASSES).collect::<Vec<_>>());
    }
}
