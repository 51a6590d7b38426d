//! What is asked of a program: which registers and variables an outcome shows, and which final states count.

use super::refuse;
use crate::answer::Outcome;
use crate::{ExploreError, Limits};
use farside_litmus::ast::{Observable, Program, Proposition, Value, VariableId};
use farside_models::core_rma::CoreModel;
use farside_models::core_rma::paths::{Paths, paths};

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
        let mut observables = program.observables();
        let shown = observables.len();
        let filtered = program.filter.as_ref().map(Proposition::observables);
        for observable in filtered.unwrap_or_default() {
            if !observables.contains(&observable) {
                observables.push(observable);
            }
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
        let value_of = |wanted: Observable| {
            let place = self
                .observables
                .iter()
                .position(|&observable| observable == wanted);
            place.map_or(Value::Undefined, |place| state[place])
        };
        self.filter.as_ref().is_none_or(|filter| filter.holds(&value_of))
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
        paths(program, model, &variables).map_err(|unfit| refuse(program, model, unfit, limits))
    }
}
