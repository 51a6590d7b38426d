//! What an engine has found out about a program, before it is put into an answer.

use farside_litmus::ast::{Rank, Value};
use farside_models::mpi3::conflicts::Conflict;
use farside_models::mpi3::validity::Breach;
use std::collections::{BTreeMap, BTreeSet};

/// A statement: its process and its number there.
pub(super) type Spot = (Rank, usize);

/// Why two statements race. The least of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Why {
    pub(super) no_happens_before: bool,
    pub(super) no_consistency: bool,
    pub(super) conflict: Conflict,
}

/// All that matters for the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// Values of the observables and of what the filter looks at.
    pub(super) states: BTreeSet<Vec<Value>>,
    pub(super) races: BTreeMap<[Spot; 2], Why>,
    pub(super) faults: BTreeSet<(Spot, Breach)>,
    pub(super) bounded: bool,
}

impl Findings {
    pub(super) fn race(&mut self, mut spots: [Spot; 2], why: Why) {
        spots.sort_unstable();
        self.races
            .entry(spots)
            .and_modify(|known| *known = why.min(*known))
            .or_insert(why);
    }
}
