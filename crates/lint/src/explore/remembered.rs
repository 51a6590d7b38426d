//! Simulations that were made, so that none is made twice.
//!
//! A program without inputs of its own is simulated first, and then as the one from which inputs are varied; a number
//! of processes is tried to see whether it is better than the one before it, and then for itself. Where all that a
//! simulation depends on is the same, so is what it did.
//!
//! Promise: what is given back was simulated with exactly the same inputs, conditions, order and limits. It may be
//! better than what would be simulated now: with rounds that were followed one by one for longer.

use super::Simulation;
use super::command_line::Line;
use crate::execute::Order;
use crate::inputs::Inputs;
use crate::symbolic::Answers;
use crate::value::Symbol;
use std::collections::{BTreeMap, HashMap};

/// All that a simulation depends on, besides the program.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    size: u32,
    steps: u64,
    /// `None` where answers are given: they are the command line, too.
    line: Option<Line>,
    inputs: Inputs,
    answers: Option<Answers>,
    overrides: BTreeMap<Symbol, bool>,
    order: Order,
}

impl Question {
    /// What so many processes do in so many steps, given this, with conditions decided so, in an order.
    pub(super) fn of(
        (size, steps): (u32, u64),
        (line, inputs, answers): (&Line, &Inputs, Option<&Answers>),
        overrides: &HashMap<Symbol, bool>,
        order: Order,
    ) -> Self {
        Self {
            size,
            steps,
            line: answers.is_none().then(|| line.clone()),
            inputs: inputs.clone(),
            answers: answers.cloned(),
            overrides: overrides
                .iter()
                .map(|(symbol, truth)| (*symbol, *truth))
                .collect(),
            order,
        }
    }
}

/// The simulations of the numbers of processes at hand.
#[derive(Default)]
pub(super) struct Remembered {
    known: HashMap<Question, Simulation>,
}

impl Remembered {
    /// Those of fewer processes are not asked for any more.
    pub(super) fn forget_below(&mut self, size: u32) {
        self.known.retain(|question, _| question.size >= size);
    }

    /// What was simulated, which costs nothing now.
    pub(super) fn recall(&self, question: &Question) -> Option<Simulation> {
        let mut known = self.known.get(question)?.clone();
        known.spent = 0;
        Some(known)
    }

    /// Keeps a simulation that may be asked for again, unless the time at hand ended it. Answers are known to those who
    /// ask for them; what comes of them is large.
    pub(super) fn keep(&mut self, question: Question, simulation: &Simulation) {
        let is_asked_once = question
            .answers
            .as_ref()
            .is_some_and(|answers| !answers.say_nothing());
        if !is_asked_once && !simulation.notes.is_out_of_time() {
            self.known.insert(question, simulation.clone());
        }
    }
}
