//! The verdict on a litmus test: what an engine answers, as the data of a report.
//!
//! | what | module |
//! |---|---|
//! | the verdict on a test's condition | here |
//! | which outcomes are explained, and their explanations | `explain` |
//! | indices become names, places become lines and pieces of the text | `convert` |
//! | a test judged under its models | `test` |
//!
//! Promise: a pure function of the program, its text and the model. How long an answer took is the caller's to add.

mod convert;
mod explain;
mod test;

pub use convert::line;
pub use explain::{Wanted, WrongOutcome};
pub use test::{Asked, Mistake, Refused, judged, taken};

use crate::answer::{self, Answer};
use crate::{Engine, ExploreError, Limits, outcomes};
use farside_litmus::ast::{self, Program, Value};
use farside_models::Model;
use farside_verdicts::{Cause, Judgement, Observation, Quantifier, State, Test, Verdict};

/// A test, a model, and what the model says of the test.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The test.
    pub program: &'a Program,
    /// Its text, in which the program's places lie.
    pub text: &'a str,
    /// The model.
    pub model: &'a Model,
    /// What [`outcomes`] said of both.
    pub answer: &'a Answer,
    /// For the explanations.
    pub limits: &'a Limits,
}

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum Unjudged {
    /// The engine has no answer.
    #[error(transparent)]
    Engine(#[from] ExploreError),
    /// The outcome that was to be explained is none.
    #[error(transparent)]
    Outcome(#[from] WrongOutcome),
}

impl Question<'_> {
    /// The judgement, with the explanations that are wanted. Its `seconds` are 0.
    ///
    /// # Errors
    /// An explanation takes too long, or is asked for an outcome that the test cannot have.
    pub fn judgement(&self, wanted: &Wanted) -> Result<Judgement, Unjudged> {
        let states = self.states();
        let observation = self.observation(&states);
        Ok(Judgement {
            explanations: explain::explanations(self, wanted)?,
            model: self.model.name().to_owned(),
            verdict: self.verdict(observation),
            states,
            observation,
            bounded: self.answer.bounded,
            cause: convert::cause(self.answer, self.program, self.text),
            seconds: 0.0,
        })
    }

    fn states(&self) -> Vec<State> {
        let condition = self.program.condition.as_ref();
        let observables = &self.answer.observables;
        let states = self.answer.outcomes.iter().map(|outcome| State {
            bindings: convert::bindings(self.program, observables, outcome),
            holds: condition.map(|condition| explain::holds(&condition.proposition, observables, outcome)),
        });
        states.collect()
    }

    fn observation(&self, states: &[State]) -> Option<Observation> {
        let asked = self.program.condition.is_some() && !states.is_empty();
        let positive = states.iter().filter(|state| state.holds == Some(true)).count();
        asked.then(|| Observation {
            positive,
            negative: states.len() - positive,
        })
    }

    fn verdict(&self, observation: Option<Observation>) -> Verdict {
        match &self.answer.verdict {
            answer::Verdict::Race(_) => return Verdict::Race,
            answer::Verdict::Invalid(_) => return Verdict::Invalid,
            answer::Verdict::Defined if self.answer.outcomes.is_empty() => return Verdict::Inconclusive,
            answer::Verdict::Defined => {}
        }
        let (Some(condition), Some(observation)) = (&self.program.condition, observation) else {
            return Verdict::Ok;
        };
        let met = match condition.quantifier {
            ast::Quantifier::Exists => observation.positive > 0,
            ast::Quantifier::NotExists => observation.positive == 0,
            ast::Quantifier::Forall => observation.negative == 0,
        };
        if met { Verdict::Ok } else { Verdict::No }
    }
}

/// The judgement of a model that an engine has no answer for.
#[must_use]
pub fn unknown(model: &Model, error: &ExploreError) -> Judgement {
    Judgement {
        model: model.name().to_owned(),
        verdict: Verdict::Unknown,
        states: Vec::new(),
        observation: None,
        bounded: matches!(error, ExploreError::OutOfBudget { .. }),
        cause: Some(Cause::Unknown {
            reason: error.to_string(),
        }),
        seconds: 0.0,
        explanations: Vec::new(),
    }
}

/// A test as a report has it.
#[must_use]
pub fn described(program: &Program, file: String, text: String, judgements: Vec<Judgement>) -> Test {
    let quantifier = program
        .condition
        .as_ref()
        .map(|condition| match condition.quantifier {
            ast::Quantifier::Exists => Quantifier::Exists,
            ast::Quantifier::NotExists => Quantifier::NotExists,
            ast::Quantifier::Forall => Quantifier::Forall,
        });
    Test {
        hash: program.hash(),
        condition: convert::condition(program),
        name: program.name.clone(),
        file,
        about: program.about.clone(),
        source: text,
        quantifier,
        judgements,
    }
}

/// Why a model forbids values that came elsewhere, as a test with a judgement that holds the explanation alone; none if
/// it does not say.
#[must_use]
pub fn refused(
    program: &Program,
    file: String,
    text: &str,
    model: &Model,
    values: &[i64],
) -> Option<(Test, Judgement)> {
    let limits = Limits::default();
    let answer = outcomes(program, model, Engine::Fast, &limits).ok()?;
    let question = Question {
        program,
        text,
        model,
        answer: &answer,
        limits: &limits,
    };
    let outcome = answer::Outcome(values.iter().copied().map(Value::Known).collect());
    let explanation = explain::refused(&question, &outcome).ok()??;
    let judgement = Judgement {
        model: model.name().to_owned(),
        verdict: Verdict::No,
        states: Vec::new(),
        observation: None,
        bounded: answer.bounded,
        cause: None,
        seconds: 0.0,
        explanations: vec![explanation],
    };
    let test = described(program, file, text.to_owned(), Vec::new());
    Some((test, judgement))
}
