//! The code of one role: what can be reached from where, and what is known of registers there.
//!
//! Promise: every computation of a process of the role takes steps of this code only, in an order that it allows, and
//! registers have the forms that it says.

use super::form::{Bounds, Form, Role};
use farside_pgas::calculus::{Automaton, Command, Expression, Register};
use std::collections::BTreeSet;

/// The code of a role.
pub(super) struct Flow<'p> {
    role: Role,
    code: &'p Automaton,
    bounds: Bounds,
    /// What is known of registers in the first state, whatever leads back to it.
    first: Vec<Form>,
    /// What is known of registers in each state; nothing where no way leads.
    known: Vec<Option<Vec<Form>>>,
}

impl<'p> Flow<'p> {
    /// Follows a code from its first state; `first` is what is known of registers there.
    pub(super) fn new(role: Role, code: &'p Automaton, first: Vec<Form>, bounds: Bounds) -> Self {
        let mut flow = Self {
            role,
            code,
            bounds,
            first: first.clone(),
            known: vec![None; code.states],
        };
        flow.known[0] = Some(first);
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            for transition in code.transitions.iter().filter(|step| step.from == state) {
                let Some(mut known) = flow.known[state].clone() else {
                    continue;
                };
                match &transition.command {
                    Command::Load { into, .. } => known[into.0] = Form::Unknown,
                    Command::Assign { into, value } => known[into.0] = Form::of(value, &known, role, bounds),
                    Command::Assume { condition, .. }
                        if Form::of(condition, &known, role, bounds).as_number() == Some(0) =>
                    {
                        continue;
                    }
                    _ => {}
                }
                let joined = match &flow.known[transition.to] {
                    None => known,
                    Some(before) => before
                        .iter()
                        .zip(&known)
                        .map(|(one, other)| one.join(*other))
                        .collect(),
                };
                if flow.known[transition.to].as_ref() != Some(&joined) {
                    flow.known[transition.to] = Some(joined);
                    open.push(transition.to);
                }
            }
        }
        flow
    }

    /// Who runs it.
    pub(super) fn role(&self) -> Role {
        self.role
    }

    /// Its steps.
    pub(super) fn code(&self) -> &'p Automaton {
        self.code
    }

    /// How many registers there are.
    pub(super) fn registers(&self) -> usize {
        self.first.len()
    }

    /// What a register holds at first.
    pub(super) fn at_first(&self, register: Register) -> Form {
        self.first[register.0]
    }

    /// The value of an expression, where this is known of registers.
    pub(super) fn value(&self, expression: &Expression, registers: &[Form]) -> Form {
        Form::of(expression, registers, self.role, self.bounds)
    }

    /// What is known of registers before a step; nothing if no way leads there.
    pub(super) fn before(&self, step: usize) -> Option<&[Form]> {
        self.known[self.code.transitions[step].from].as_deref()
    }

    /// The steps that a way from a state leads to, itself taken, that passes no step of which `stops` is true. Those
    /// steps are not among them.
    pub(super) fn steps_from(&self, state: usize, stops: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let (mut seen, mut open, mut found) = (BTreeSet::from([state]), vec![state], BTreeSet::new());
        while let Some(state) = open.pop() {
            for (index, transition) in self.code.transitions.iter().enumerate() {
                if transition.from != state || self.known[transition.from].is_none() || stops(index) {
                    continue;
                }
                found.insert(index);
                if seen.insert(transition.to) {
                    open.push(transition.to);
                }
            }
        }
        found
    }

    /// The same from the state after a step.
    pub(super) fn steps_after(&self, step: usize, stops: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        self.steps_from(self.code.transitions[step].to, stops)
    }

    /// Whether a way leads to a barrier.
    pub(super) fn has_barriers(&self) -> bool {
        self.steps_from(0, |_| false)
            .into_iter()
            .any(|step| self.is_barrier(step))
    }

    /// Whether a step is a barrier.
    pub(super) fn is_barrier(&self, step: usize) -> bool {
        self.code.transitions[step].command == Command::Barrier
    }

    /// The barriers that come next after a state.
    pub(super) fn next_barriers(&self, state: usize) -> Vec<usize> {
        let within = self.steps_from(state, |step| self.is_barrier(step));
        let ends: BTreeSet<usize> = std::iter::once(state)
            .chain(within.iter().map(|&step| self.code.transitions[step].to))
            .collect();
        let steps = self.code.transitions.iter().enumerate();
        steps
            .filter(|(index, transition)| self.is_barrier(*index) && ends.contains(&transition.from))
            .map(|(index, _)| index)
            .collect()
    }
}
