//! What is asked of a program: which registers and variables an outcome shows, and which final states count.

use super::refuse;
use crate::answer::Outcome;
use crate::{ExploreError, Limits};
use farside_litmus::ast::{Observable, Program, Proposition, Rank, RegisterId, Value, VariableId};
use farside_models::core_rma::CoreModel;
use farside_models::core_rma::translation::{Paths, paths};

/// What is asked of a program.
#[derive(Debug)]
pub(super) struct Question {
    /// What outcomes show, then what only the filter looks at.
    pub(super) observables: Vec<Observable>,
    shown: usize,
    filter: Option<Proposition>,
}

impl Question {
    pub(super) fn new(program: &Program) -> Self {
        let mut observables = Vec::new();
        if let Some(condition) = &program.condition {
            mentioned(&condition.proposition, &mut observables);
        }
        for &location in &program.locations {
            add(location, &mut observables);
        }
        if observables.is_empty() {
            for (rank, process) in (0..).zip(&program.processes) {
                for (register, _) in (0..).zip(&process.registers) {
                    observables.push(Observable::Register(Rank(rank), RegisterId(register)));
                }
            }
        }
        let shown = observables.len();
        if let Some(filter) = &program.filter {
            mentioned(filter, &mut observables);
        }
        Self {
            observables,
            shown,
            filter: program.filter.clone(),
        }
    }

    /// What outcomes show.
    pub(super) fn shown(&self) -> Vec<Observable> {
        self.observables[..self.shown].to_vec()
    }

    /// Whether the final state counts.
    pub(super) fn admits(&self, state: &[Value]) -> bool {
        self.filter
            .as_ref()
            .is_none_or(|filter| self.holds(filter, state))
    }

    /// What is shown of a final state.
    pub(super) fn show(&self, mut state: Vec<Value>) -> Outcome {
        state.truncate(self.shown);
        Outcome(state)
    }

    /// Paths of the program, with the variables observed.
    pub(super) fn paths<'p>(
        &self,
        program: &'p Program,
        model: &CoreModel,
        limits: &Limits,
    ) -> Result<Paths<'p>, ExploreError> {
        let variables: Vec<VariableId> = self
            .observables
            .iter()
            .filter_map(|observable| match observable {
                Observable::Variable(variable) => Some(*variable),
                Observable::Register(..) => None,
            })
            .collect();
        paths(program, model, &variables).map_err(|unfit| refuse(model, unfit, limits))
    }

    fn holds(&self, proposition: &Proposition, state: &[Value]) -> bool {
        let value = |observable: &Observable| {
            self.observables
                .iter()
                .position(|other| other == observable)
                .map(|index| state[index])
        };
        match proposition {
            Proposition::Constant(constant) => *constant,
            Proposition::Equal(observable, expected) => value(observable) == Some(*expected),
            Proposition::NotEqual(observable, expected) => value(observable) != Some(*expected),
            Proposition::Not(inner) => !self.holds(inner, state),
            Proposition::And(left, right) => self.holds(left, state) && self.holds(right, state),
            Proposition::Or(left, right) => self.holds(left, state) || self.holds(right, state),
        }
    }
}

fn add(observable: Observable, observables: &mut Vec<Observable>) {
    if !observables.contains(&observable) {
        observables.push(observable);
    }
}

/// Observables in the order in which the proposition mentions them.
fn mentioned(proposition: &Proposition, observables: &mut Vec<Observable>) {
    match proposition {
        Proposition::Constant(_) => {}
        Proposition::Equal(observable, _) | Proposition::NotEqual(observable, _) => {
            add(*observable, observables)
        }
        Proposition::Not(inner) => mentioned(inner, observables),
        Proposition::And(left, right) | Proposition::Or(left, right) => {
            mentioned(left, observables);
            mentioned(right, observables);
        }
    }
}
