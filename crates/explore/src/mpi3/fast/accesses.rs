//! What touched memory, and since when it is over: a race is found when the second access arrives.

use super::World;
use super::clock::{Clock, Moment};
use crate::mpi3::code::Remote;
use crate::mpi3::findings::{Spot, Why};
use farside_litmus::ast::{Operation, Rank, VariableId};
use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::conflicts::{self, Conflict, Meeting, Role};
use farside_models::mpi3::{MemoryModel, RaceModel};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// Which access: origin, statement in the order of execution, part of the statement.
pub(super) type Key = (Rank, usize, u8);

/// An access.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Access {
    key: Key,
    number: usize,
    variable: VariableId,
    role: Role,
    kind: ActionKind,
    reads: bool,
    writes: bool,
    operation: Option<Operation>,
    issued: Moment,
    /// From any of these on it is over: completed, for an operation.
    over: SmallVec<[Moment; 1]>,
    /// Separate model: from then on a local write is in the public copy.
    published: Option<Moment>,
}

/// The accesses of a schedule so far, and the races between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Accesses {
    /// In the order of their keys.
    all: Vec<Access>,
    races: BTreeMap<[Spot; 2], Why>,
}

impl Access {
    /// A load or store of the program, by the statement of this number: over at once.
    pub(super) fn own(key: Key, number: usize, variable: VariableId, writes: bool, moment: Moment) -> Self {
        Self {
            key,
            number,
            variable,
            role: Role::Own,
            kind: if writes { ActionKind::Ls } else { ActionKind::Ll },
            reads: !writes,
            writes,
            operation: None,
            issued: moment,
            over: smallvec![moment],
            published: None,
        }
    }

    /// An access at the origin of an operation.
    pub(super) fn at_origin(
        key: Key,
        number: usize,
        variable: VariableId,
        kind: ActionKind,
        writes: bool,
        issued: Moment,
    ) -> Self {
        Self {
            key,
            number,
            variable,
            role: Role::Origin,
            kind,
            reads: !writes,
            writes,
            operation: None,
            issued,
            over: SmallVec::new(),
            published: None,
        }
    }

    /// The access of an operation to its target.
    pub(super) fn at_target(key: Key, number: usize, remote: &Remote, issued: Moment) -> Self {
        Self {
            key,
            number,
            variable: remote.location,
            role: Role::Target,
            kind: remote.kind,
            reads: remote.fetches(),
            writes: remote.writes(),
            operation: remote.operation,
            issued,
            over: SmallVec::new(),
            published: None,
        }
    }

    /// The memory that it touches.
    pub(super) fn variable(&self) -> VariableId {
        self.variable
    }

    /// Which access.
    pub(super) fn key(&self) -> Key {
        self.key
    }

    /// Whether it is over when its operation is complete locally: at the origin, or a read.
    pub(super) fn is_over_locally(&self) -> bool {
        self.role == Role::Origin || !self.writes
    }

    fn spot(&self) -> Spot {
        (self.key.0, self.number)
    }

    /// What conflicts depend on.
    fn as_access(&self) -> conflicts::Access {
        conflicts::Access {
            role: self.role,
            kind: self.kind,
            reads: self.reads,
            writes: self.writes,
            operation: self.operation,
        }
    }

    fn conflict(&self, other: &Self, model: &RaceModel) -> Option<Conflict> {
        let meeting = Meeting {
            same_location: self.variable == other.variable,
            same_origin: self.key.0 == other.key.0,
        };
        model
            .conflicts()
            .between(&self.as_access(), &other.as_access(), meeting)
    }

    /// Whether it comes before, and is visible to, a later access with this role at a process that knows `clock`, and
    /// knew `acquired` when it last brought its private copy up to date.
    fn precedes(&self, later: Role, clock: &Clock, acquired: &Clock, model: &RaceModel) -> bool {
        let over = |clock: &Clock| self.over.iter().any(|&moment| clock.knows(moment));
        let separate_write = model.memory() == MemoryModel::Separate && self.writes;
        match (self.role, later) {
            (Role::Own, Role::Own | Role::Origin) => true,
            (Role::Own | Role::Origin, Role::Target) if separate_write => {
                over(clock) && self.published.is_some_and(|moment| clock.knows(moment))
            }
            (Role::Target, Role::Own | Role::Origin) if separate_write => over(acquired),
            _ => over(clock),
        }
    }
}

impl Accesses {
    /// The races that were found: which two statements, and why.
    pub(super) fn races(&self) -> &BTreeMap<[Spot; 2], Why> {
        &self.races
    }

    /// An access arrives: it is compared with those that are there, and joins them. Its process knows `clock`; the
    /// owner of its memory knew `acquired` when it last brought its private copy up to date.
    pub(super) fn arrive(&mut self, world: &World<'_, '_>, access: Access, clock: &Clock, acquired: &Clock) {
        let owner = world.code.owner(access.variable);
        let mut found = Vec::new();
        for before in &self.all {
            if world.code.owner(before.variable) != owner {
                continue;
            }
            let Some(conflict) = before.conflict(&access, world.model) else {
                continue;
            };
            if before.precedes(access.role, clock, acquired, world.model) {
                continue;
            }
            let ordered = clock.knows(before.issued);
            let one_is_local = before.role == Role::Own || access.role == Role::Own;
            let mut spots = [before.spot(), access.spot()];
            spots.sort_unstable();
            let why = Why {
                no_happens_before: !ordered,
                no_consistency: ordered || !(world.model.memory() == MemoryModel::Unified && one_is_local),
                conflict,
            };
            found.push((spots, why));
        }
        for (spots, why) in found {
            let known = self.races.entry(spots).or_insert(why);
            *known = why.min(*known);
        }
        let place = self.all.partition_point(|other| other.key < access.key);
        self.all.insert(place, access);
    }

    /// Accesses of operations are over from this moment on.
    pub(super) fn finish(&mut self, moment: Moment, wanted: impl Fn(&Access) -> bool) {
        for access in self.all.iter_mut().filter(|access| wanted(access)) {
            let known = access.over.iter().any(|over| over.rank == moment.rank);
            if !known {
                access.over.push(moment);
            }
        }
    }

    /// What a process wrote into its private copy is in the public one from this moment on.
    pub(super) fn publish(&mut self, world: &World<'_, '_>, moment: Moment) {
        if world.model.memory() != MemoryModel::Separate {
            return;
        }
        let rank = moment.rank;
        for access in &mut self.all {
            let here = access.role != Role::Target && access.key.0 == rank;
            if here && access.writes && !access.over.is_empty() {
                access.published.get_or_insert(moment);
            }
        }
    }
}
