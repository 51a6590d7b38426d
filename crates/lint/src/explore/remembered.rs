//! Simulations that were made, so that none is made twice.
//!
//! A program without inputs of its own is simulated first, and then as the one from which inputs are varied; a number
//! of processes is tried to see whether it is better than the one before it, and then for itself. Where all that a
//! simulation depends on is the same, so is what it did.
//!
//! Promise: what is given back was simulated with exactly the same inputs, conditions, order and limits. It may be
//! better than what would be simulated now: with rounds that were followed one by one for longer.

use super::Simulation;
use super::question::Question;
use crate::budget::Resource;
use rustc_hash::FxHashMap as HashMap;

/// The simulations of the numbers of processes at hand.
#[derive(Default)]
pub(super) struct Remembered {
    known: HashMap<Question, Simulation>,
}

impl Remembered {
    /// Those of fewer processes are not asked for any more.
    pub(super) fn forget_below(&mut self, size: u32) {
        self.known.retain(|question, _| question.size() >= size);
    }

    /// Whether that was simulated.
    pub(super) fn has(&self, question: &Question) -> bool {
        self.known.contains_key(question)
    }

    /// What was simulated, which costs nothing now.
    pub(super) fn recall(&self, question: &Question) -> Option<Simulation> {
        let mut known = self.known.get(question)?.clone();
        known.spent = 0;
        Some(known)
    }

    /// Keeps a simulation that may be asked for again, unless want of time or memory ended it. Answers are known
    /// to those who ask for them; what comes of them is large.
    pub(super) fn keep(&mut self, question: Question, simulation: &Simulation) {
        let is_asked_once = question.says_something();
        let out_of = simulation.notes.out_of();
        if !is_asked_once && !matches!(out_of, Some(Resource::Time | Resource::Memory)) {
            self.known.insert(question, simulation.clone());
        }
    }
}
