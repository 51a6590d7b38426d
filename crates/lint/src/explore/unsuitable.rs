//! The numbers of processes that do not suit a program, and which of them is taken if none does.
//!
//! A program that names a rank that is not there may be meant for more processes: then the number stays the same. If it
//! grows with that of the processes, no number of them has it. One that hangs, or gives up, may be meant for fewer or
//! for more.

use super::Simulation;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What was seen with the numbers of processes that did not suit.
#[derive(Default)]
pub(super) struct Unsuitable {
    /// The numbers of targets that were missed with all of them.
    always: Option<BTreeSet<i32>>,
    /// With one of them, no target was missed.
    some_had_all: bool,
    /// The fewest processes with which one was missed.
    missing: Option<(u32, Simulation)>,
    /// The one that is nearest to suit.
    best: Option<(u32, Simulation)>,
    /// The first that hung after those that suit.
    hanging: Option<(u32, Simulation)>,
    /// The numbers with which the program did not just give up.
    went_on: Vec<u32>,
    /// The first of them that hung or missed a target before any suited.
    fewest: Option<(u32, Simulation)>,
    /// Whether a number suits.
    some_suit: bool,
}

/// What is taken instead of a number that suits.
pub(super) enum Instead {
    /// A number that misses this target, which may be there with more processes.
    Missing(i32, u32, Box<Simulation>),
    /// A number of processes.
    Number(u32, Box<Simulation>),
    /// One that hung, as all with more processes did, where fewer suit.
    Hanging(u32, Box<Simulation>),
    /// One that hung or missed a target where more processes suit.
    Fewer(u32, Box<Simulation>),
}

impl Unsuitable {
    /// A number of processes does not suit the program, whose simulation this is.
    pub(super) fn note(&mut self, size: u32, simulation: Simulation) {
        let missing = simulation.notes.missing_targets();
        // One that gave up says nothing of targets.
        let gave_up = simulation.notes.has_aborted() && missing.is_empty();
        if !gave_up {
            self.went_on.push(size);
            if self.fewest.is_none() && !self.some_suit {
                self.fewest = Some((size, simulation.clone()));
            }
            self.always = Some(match self.always.take() {
                Some(always) => &always & missing,
                None => missing.clone(),
            });
            self.some_had_all |= missing.is_empty();
        }
        if self.missing.is_none() && !missing.is_empty() {
            self.missing = Some((size, simulation.clone()));
        }
        if self.hanging.is_none() && simulation.suits() {
            self.hanging = Some((size, simulation.clone()));
        }
        let is_better = self.best.as_ref().is_none_or(|(_, best)| {
            let (hung, misses) = (simulation.notes.has_hung(), simulation.notes.misses_rank());
            let met = |one: &Simulation| one.notes.met().len();
            match met(&simulation).cmp(&met(best)) {
                Ordering::Greater if best.notes.has_aborted() => true,
                Ordering::Less if simulation.notes.has_aborted() => false,
                _ => !best.notes.has_hung() || hung && !misses && best.notes.misses_rank(),
            }
        });
        if is_better {
            self.best = Some((size, simulation));
        }
    }

    /// Whether the program gave up with all numbers but this one.
    pub(super) fn is_only(&self, size: u32) -> bool {
        self.went_on == [size]
    }

    /// A number of processes suits: what hung with fewer does not count.
    pub(super) fn suit(&mut self) {
        self.hanging = None;
        self.some_suit = true;
    }

    /// What is taken besides the numbers that suit, or in their place if there are none.
    pub(super) fn settle(mut self) -> Vec<Instead> {
        if self.some_suit {
            let fewest = self.fewest.take();
            let fewest = fewest.map(|(size, simulation)| Instead::Fewer(size, Box::new(simulation)));
            let hanging = self.hanging.take();
            let hanging = hanging.map(|(size, simulation)| Instead::Hanging(size, Box::new(simulation)));
            return fewest.into_iter().chain(hanging).collect();
        }
        self.nearest().into_iter().collect()
    }

    /// What is taken where no number suits.
    fn nearest(self) -> Option<Instead> {
        let (size, best) = self.best?;
        let greatest = self.always.and_then(|always| always.last().copied());
        Some(match (greatest, self.missing) {
            (Some(number @ 0..), _) => Instead::Missing(number, size, Box::new(best)),
            (_, Some((fewest, simulation))) if !self.some_had_all => {
                Instead::Number(fewest, Box::new(simulation))
            }
            _ => Instead::Number(size, Box::new(best)),
        })
    }
}
