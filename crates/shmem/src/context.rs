//! What a context is: a scope of the transport, and whose numbers name PEs in it.

use crate::call::Call;
use crate::handle::Team;
use farside_fabric::{Rank, Scope};
use std::ffi::c_int;
use std::sync::Arc;

/// A context.
pub(crate) struct Context {
    scope: Scope,
    team: Team,
    /// By the number in its team, the rank; `None`: the numbers are ranks.
    members: Option<Arc<[Rank]>>,
}

impl Context {
    /// A context of all PEs.
    pub(crate) fn of_world(scope: Scope) -> Self {
        Self {
            scope,
            team: Team::WORLD,
            members: None,
        }
    }

    /// A context of a team.
    pub(crate) fn of_team(scope: Scope, team: Team, members: Arc<[Rank]>) -> Self {
        Self {
            scope,
            team,
            members: Some(members),
        }
    }

    /// What its quiet completes.
    #[inline]
    pub(crate) fn scope(&self) -> Scope {
        self.scope
    }

    /// Its team.
    pub(crate) fn team(&self) -> Team {
        self.team
    }

    /// The rank of a PE of the context's team.
    #[inline]
    pub(crate) fn rank(&self, call: Call, pe: c_int, size: u32) -> Rank {
        match &self.members {
            None => rank(call, pe, size),
            Some(members) => match usize::try_from(pe).ok().and_then(|pe| members.get(pe)) {
                Some(&rank) => rank,
                None => call.misuse(format_args!(
                    "PE {pe} is out of range: the context's team has {} PEs, numbered from 0",
                    members.len()
                )),
            },
        }
    }
}

/// The rank of a PE of the world.
#[inline]
pub(crate) fn rank(call: Call, pe: c_int, size: u32) -> Rank {
    match Rank::try_from(pe) {
        Ok(rank) if rank < size => rank,
        _ => call.misuse(format_args!(
            "PE {pe} is out of range: there are {size} PEs, numbered from 0"
        )),
    }
}
