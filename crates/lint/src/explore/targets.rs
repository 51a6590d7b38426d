//! Targets that are not there, as the numbers of processes that did not suit the program show them.
//!
//! A program that names a rank that is not there may be meant for more processes: then the number stays the same. If it
//! grows with that of the processes, no number of them has it.

use super::Simulation;
use std::collections::BTreeSet;

/// What was seen with the numbers of processes that did not suit.
#[derive(Default)]
pub(super) struct MissingTargets {
    /// The numbers that were missed with all of them.
    always: Option<BTreeSet<i32>>,
    /// With one of them, no target was missed.
    some_had_all: bool,
    /// The fewest processes with which one was missed.
    fewest: Option<(u32, Simulation)>,
}

/// What that says.
pub(super) enum Missed {
    /// A number that may be there with more processes.
    ByAll(i32),
    /// Numbers that grow, with the fewest processes.
    Growing(u32, Box<Simulation>),
    /// Nothing.
    Nothing,
}

impl MissingTargets {
    /// A number of processes does not suit the program, whose simulation this is.
    pub(super) fn note(&mut self, size: u32, simulation: &Simulation) {
        let missing = simulation.notes.missing_targets();
        self.always = Some(match self.always.take() {
            Some(always) => &always & missing,
            None => missing.clone(),
        });
        self.some_had_all |= missing.is_empty();
        if self.fewest.is_none() && !missing.is_empty() {
            self.fewest = Some((size, simulation.clone()));
        }
    }

    /// What all of them say.
    pub(super) fn settle(self) -> Missed {
        let greatest = self.always.and_then(|always| always.last().copied());
        match (greatest, self.fewest) {
            (Some(number @ 0..), _) => Missed::ByAll(number),
            (_, Some((size, simulation))) if !self.some_had_all => {
                Missed::Growing(size, Box::new(simulation))
            }
            _ => Missed::Nothing,
        }
    }
}
