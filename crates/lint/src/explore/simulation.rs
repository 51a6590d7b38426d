//! What one simulation found, and which others it asks for.

use crate::job::{Decision, Notes};
use crate::value::Symbol;
use farside_findings::{Finding, Rule};
use std::collections::HashMap;

/// What one simulation found.
pub(super) struct Simulation {
    pub(super) findings: Vec<Finding>,
    /// How many of them, the first ones, do not depend on something that is not followed.
    pub(super) certain: usize,
    pub(super) decisions: Vec<Decision>,
    pub(super) notes: Notes,
    pub(super) steps: u64,
    /// Number of blocks that some process entered.
    pub(super) reached: usize,
    /// What it did, as far as that can be told without its values: the blocks that it entered, and how many events there were.
    pub(super) course: u64,
}

impl Simulation {
    /// Whether not all of it was followed.
    pub(super) fn is_cut(&self) -> bool {
        self.notes.out_of_steps || !self.notes.cut_loops.is_empty()
    }

    /// Whether the program came to its end.
    pub(super) fn works(&self) -> bool {
        !self.notes.missing_rank && !self.notes.aborted && !self.notes.hung
    }
}

/// Whether a rule is about races: what a program does on its way out when something fails is not.
pub(super) fn is_race(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::LocalRace | Rule::RemoteRace | Rule::AccumulateMismatch | Rule::SharedMemoryRace
    )
}

/// All pairs of these conditions, both decided the other way.
pub(super) fn pairs(decisions: &[Decision]) -> Vec<HashMap<Symbol, bool>> {
    let other = |decision: &Decision| (decision.symbol, !decision.truth);
    let pairs = decisions.iter().enumerate().flat_map(|(index, first)| {
        let seconds = decisions[index + 1..].iter();
        seconds.map(move |second| HashMap::from([other(first), other(second)]))
    });
    pairs.collect()
}

/// Each of the conditions that are still open, decided the other way, alone.
pub(super) fn alternatives(
    simulation: &Simulation,
    so_far: &HashMap<Symbol, bool>,
) -> Vec<(HashMap<Symbol, bool>, u32)> {
    let open = simulation
        .decisions
        .iter()
        .filter(|decision| !so_far.contains_key(&decision.symbol));
    open.map(|decision| {
        let mut overrides = so_far.clone();
        overrides.insert(decision.symbol, !decision.truth);
        (overrides, 1)
    })
    .collect()
}
