//! What a model allows of a program, to be compared with what came elsewhere.

use crate::answer::{Answer, Verdict};
use crate::{Engine, ExploreError, Limits, outcomes};
use farside_litmus::ast::{Observable, Program, Value};
use farside_litmus::log::State;
use farside_models::Model;

/// The outcomes of a program under a model. An undefined value stands for every value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// What an outcome shows, in its order.
    pub observables: Vec<Observable>,
    /// As logs name them.
    names: Vec<String>,
    outcomes: Vec<Vec<Value>>,
    /// Whether the model gives the program no meaning (a race, for MPI's models), so that anything may come.
    pub meaningless: bool,
    /// What gives it none, in a sentence; empty where it has one.
    pub why_meaningless: String,
}

impl Allowed {
    /// By the fast engine.
    ///
    /// # Errors
    /// As [`outcomes`].
    pub fn of(program: &Program, model: &Model, limits: &Limits) -> Result<Self, ExploreError> {
        Ok(Self::by(
            program,
            &outcomes(program, model, Engine::Fast, limits)?,
        ))
    }

    /// What an answer says.
    #[must_use]
    pub fn by(program: &Program, answer: &Answer) -> Self {
        let names = answer.observables.iter();
        Self {
            names: names.map(|what| program.observable_name(*what)).collect(),
            observables: answer.observables.clone(),
            outcomes: answer.outcomes.iter().map(|outcome| outcome.0.clone()).collect(),
            meaningless: answer.verdict != Verdict::Defined,
            why_meaningless: match &answer.verdict {
                Verdict::Defined => String::new(),
                Verdict::Race(race) => format!("a data race: {}", race.conflict),
                Verdict::Invalid(invalid) => format!("an execution that is not valid: {}", invalid.reason),
            },
        }
    }

    /// How many outcomes there are.
    #[must_use]
    pub fn number(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether some outcome has an undefined value, or all are undefined: then there is no share of them that came.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.meaningless
            || self
                .outcomes
                .iter()
                .flatten()
                .any(|value| *value == Value::Undefined)
    }

    /// Whether these values, in the order of the observables, may come.
    #[must_use]
    pub fn admits(&self, values: &[i64]) -> bool {
        self.meaningless || self.outcomes.iter().any(|outcome| matches(outcome, values))
    }

    /// How many of the outcomes are among these values.
    #[must_use]
    pub fn reached(&self, came: &[Vec<i64>]) -> usize {
        let outcomes = self.outcomes.iter();
        outcomes
            .filter(|outcome| came.iter().any(|values| matches(outcome, values)))
            .count()
    }

    /// The values of a state, in the order of the observables; none if it shows something else.
    #[must_use]
    pub fn values(&self, state: &State) -> Option<Vec<i64>> {
        let values = self.names.iter().map(|name| state.value(name)?.parse().ok());
        values.collect()
    }

    /// The outcomes as logs write them.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.outcomes.iter().filter_map(|outcome| {
            let bindings = self.names.iter().zip(outcome);
            let text: String = bindings.map(|(name, value)| format!("{name}={value};")).collect();
            State::read(&text)
        })
    }
}

fn matches(outcome: &[Value], values: &[i64]) -> bool {
    outcome.len() == values.len()
        && outcome.iter().zip(values).all(|(allowed, came)| match allowed {
            Value::Known(value) => value == came,
            Value::Undefined => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(text: &str, model: &str) -> Allowed {
        let program = farside_litmus::parse(text).unwrap();
        let model = farside_models::named(model).unwrap();
        Allowed::of(&program, &model, &Limits::default()).unwrap()
    }

    const PUT: &str = "RMA P\n{ 0: X = 1; 1: Y = 0; }\n P0    | P1          ;\n a = X | put(X@0, Y) ;\n";

    #[test]
    fn values_and_states_say_the_same() {
        let allowed = allowed(PUT, "coreRMA");
        assert_eq!(allowed.number(), 2);
        assert!(allowed.admits(&[0]) && allowed.admits(&[1]) && !allowed.admits(&[7]));
        for state in allowed.states() {
            assert!(allowed.admits(&allowed.values(&state).unwrap()), "{state}");
        }
        assert_eq!(allowed.values(&State::read("0:b=1;").unwrap()), None);
        assert_eq!(allowed.reached(&[vec![1], vec![7]]), 1);
        assert!(!allowed.is_open());
    }

    /// A conflict of accesses that are not atomic gives any value.
    #[test]
    fn what_is_undefined_may_be_anything() {
        let allowed = allowed(PUT, "coreRMA+nonatomic");
        assert!(allowed.is_open() && !allowed.meaningless);
        assert!(allowed.admits(&[7]));
    }
}
