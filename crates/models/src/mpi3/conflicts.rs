//! Conflicts (§3.3.1) and races (§3.3.2).

use super::Mpi3Model;
use super::action::{Action, ActionKind};
use super::execution::Execution;
use super::orders::Orders;

/// Why two actions conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conflict {
    /// §3.3.1 (1): one of them is a put.
    Put,
    /// §3.3.1 (2): exactly one of them is an accumulate.
    Accumulate,
    /// §3.3.1 (3): a get and a local store.
    GetAndStore,
    /// A buffer of an operation is in use until the operation is complete at its origin (deviation 3).
    OriginBuffer,
    /// §3.3.1, separate model: a remote write to the process and a local store, whatever their locations.
    AnyLocation,
}

impl Conflict {
    /// In a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Put => "one of the two is a put to the same location (§3.3.1 (1))",
            Self::Accumulate => "exactly one of the two is an accumulate to the same location (§3.3.1 (2))",
            Self::GetAndStore => "a get reads the location that a local store writes (§3.3.1 (3))",
            Self::OriginBuffer => {
                "an operation's own buffer is in use until the operation is complete at its origin (MPI-4.1 §12.3)"
            }
            Self::AnyLocation => {
                "in the separate model a remote write conflicts with every local store of its target (§3.3.1)"
            }
        }
    }
}

/// Whether two actions conflict under the model. Symmetric.
#[must_use]
pub fn conflict(model: Mpi3Model, a: &Action, b: &Action) -> Option<Conflict> {
    if !a.is_memory() || !b.is_memory() || a.process != b.process {
        return None;
    }
    let remote_write = |x: &Action| x.kind == ActionKind::Vac && x.writes;
    let local_store = |x: &Action| x.kind == ActionKind::Ls;
    if a.location != b.location {
        let crossed = remote_write(a) && local_store(b) || remote_write(b) && local_store(a);
        return (model == Mpi3Model::Separate && crossed).then_some(Conflict::AnyLocation);
    }
    if a.is_own_access() && b.is_own_access() || !a.writes && !b.writes {
        return None;
    }
    if a.is_origin_effect() || b.is_origin_effect() {
        return Some(Conflict::OriginBuffer);
    }
    let accumulate = |x: &Action| x.effect_of.is_some_and(ActionKind::is_accumulate);
    match (accumulate(a), accumulate(b)) {
        (true, true) => None,
        _ if a.effect_of == Some(ActionKind::Rcp) || b.effect_of == Some(ActionKind::Rcp) => {
            Some(Conflict::Put)
        }
        (false, false) => Some(Conflict::GetAndStore),
        _ => Some(Conflict::Accumulate),
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
pub fn races(x: &Execution, orders: &Orders) -> Vec<RacingPair> {
    let memory: Vec<usize> = (0..x.actions.len())
        .filter(|&a| x.actions[a].is_memory())
        .collect();
    let mut found = Vec::new();
    for (position, &a) in memory.iter().enumerate() {
        for &b in &memory[position + 1..] {
            let Some(conflict) = conflict(x.model, &x.actions[a], &x.actions[b]) else {
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
            let one_is_local = x.actions[a].is_own_access() || x.actions[b].is_own_access();
            found.push(RacingPair {
                actions: [a, b],
                conflict,
                no_happens_before: !ordered,
                no_consistency: ordered || !(x.model == Mpi3Model::Unified && one_is_local),
            });
        }
    }
    found
}
