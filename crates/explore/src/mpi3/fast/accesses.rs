//! What touched memory, and since when it is over: a race is found when the second access arrives.

use super::World;
use super::clock::{Clock, Moment};
use super::state::State;
use crate::mpi3::findings::{Spot, Why};
use farside_litmus::ast::{Rank, VariableId};
use farside_models::mpi3::Mpi3Model;
use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::conflicts::Conflict;
use smallvec::SmallVec;

/// Which access: origin, statement in the order of execution, part of the statement.
pub(super) type Key = (Rank, usize, u8);

/// How the memory is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// By a load or store of the program.
    Own,
    /// By an operation at its origin.
    Origin,
    /// By an operation at its target.
    Target,
}

/// An access.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Access {
    pub(super) key: Key,
    pub(super) number: usize,
    pub(super) variable: VariableId,
    pub(super) role: Role,
    pub(super) kind: ActionKind,
    pub(super) writes: bool,
    pub(super) issued: Moment,
    /// From any of these on it is over: completed, for an operation.
    pub(super) over: SmallVec<[Moment; 1]>,
    /// Separate model: from then on a local write is in the public copy.
    pub(super) published: Option<Moment>,
}

impl Access {
    fn spot(&self) -> Spot {
        (self.key.0, self.number)
    }

    fn conflict(&self, other: &Self, model: Mpi3Model) -> Option<Conflict> {
        if self.variable != other.variable {
            let crossed =
                |a: &Self, b: &Self| a.role == Role::Target && a.writes && b.role != Role::Target && b.writes;
            let any = model == Mpi3Model::Separate && (crossed(self, other) || crossed(other, self));
            return any.then_some(Conflict::AnyLocation);
        }
        if !self.writes && !other.writes || self.role == Role::Own && other.role == Role::Own {
            return None;
        }
        if self.role == Role::Origin || other.role == Role::Origin {
            return Some(Conflict::OriginBuffer);
        }
        match (self.kind.is_accumulate(), other.kind.is_accumulate()) {
            (true, true) => None,
            _ if self.kind == ActionKind::Rcp || other.kind == ActionKind::Rcp => Some(Conflict::Put),
            (false, false) => Some(Conflict::GetAndStore),
            _ => Some(Conflict::Accumulate),
        }
    }

    /// Whether it comes before, and is visible to, a later access with this role at a process that knows `clock`, and
    /// knew `acquired` when it last brought its private copy up to date.
    fn precedes(&self, later: Role, clock: &Clock, acquired: &Clock, model: Mpi3Model) -> bool {
        let over = |clock: &Clock| self.over.iter().any(|&moment| clock.knows(moment));
        let separate_write = model == Mpi3Model::Separate && self.writes;
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

impl State {
    /// An access arrives: it is compared with those that are there, and joins them.
    pub(super) fn arrive(&mut self, world: &World<'_, '_>, access: Access, clock: &Clock) {
        let owner = world.code.owner(access.variable);
        let acquired = &self.processes[owner.0 as usize].acquired;
        let mut found = Vec::new();
        for before in &self.accesses {
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
                no_consistency: ordered || !(world.model == Mpi3Model::Unified && one_is_local),
                conflict,
            };
            found.push((spots, why));
        }
        for (spots, why) in found {
            let known = self.races.entry(spots).or_insert(why);
            *known = why.min(*known);
        }
        let place = self.accesses.partition_point(|other| other.key < access.key);
        self.accesses.insert(place, access);
    }

    /// Operations are over from this moment on.
    pub(super) fn finish(&mut self, moment: Moment, wanted: impl Fn(&Access) -> bool) {
        for access in self.accesses.iter_mut().filter(|access| wanted(access)) {
            let known = access.over.iter().any(|over| over.rank == moment.rank);
            if !known {
                access.over.push(moment);
            }
        }
    }

    /// What a process wrote into its private copy is in the public one from this moment on.
    pub(super) fn publish(&mut self, world: &World<'_, '_>, moment: Moment) {
        if world.model != Mpi3Model::Separate {
            return;
        }
        let rank = moment.rank;
        for access in &mut self.accesses {
            let here = access.role != Role::Target && access.key.0 == rank;
            if here && access.writes && !access.over.is_empty() {
                access.published.get_or_insert(moment);
            }
        }
    }
}
