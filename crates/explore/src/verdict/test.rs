//! A test judged under its models, as the command line and the playground do it.
//!
//! Promise: both say the same of a test, in the same words. What the time is, the caller says.

use super::{Question, Unjudged, Wanted, WrongOutcome, described, line, unknown};
use crate::{Engine, ExploreError, Limits, outcomes};
use farside_litmus::ast::Program;
use farside_models::Model;
use farside_models::fitting::{CORE, Telling};
use farside_verdicts::{Judgement, Test};
use std::ops::Range;
use std::time::Duration;

/// What is asked of a test.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Under which models it is judged.
    pub models: Vec<&'a Model>,
    /// Whether the one model was chosen for this one test: a statement that the model does not have is then a mistake
    /// of the test, and else no answer of that model.
    pub single: bool,
    /// What is explained.
    pub wanted: &'a Wanted,
    /// Who answers.
    pub engine: Engine,
    /// What each answer may cost.
    pub limits: Limits,
}

/// A mistake that only the models see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Bytes of the text.
    pub place: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: &'static str,
}

/// Why there is no report on a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The test must be changed.
    Mistake(Mistake),
    /// The outcome that was to be explained is none.
    Outcome(WrongOutcome),
}

/// Judges a program. `file` is how a report names it, `text` is where its places lie, and `clock` is the time since
/// some moment.
///
/// # Errors
/// The test has a statement that its only model lacks, has more actions than an engine takes, or has no such outcome.
pub fn judged(
    program: &Program,
    file: String,
    text: &str,
    asked: &Asked<'_>,
    clock: &dyn Fn() -> Duration,
) -> Result<Test, Refused> {
    let mut judgements = Vec::new();
    for model in &asked.models {
        judgements.push(match judge(program, text, model, asked, clock) {
            Ok(judgement) => judgement,
            Err(Unjudged::Engine(error)) if is_mistake(&error, asked.single) => {
                return Err(Refused::Mistake(mistake(program, &error)));
            }
            Err(Unjudged::Engine(error)) => unknown(model, &error),
            Err(Unjudged::Outcome(wrong)) => return Err(Refused::Outcome(wrong)),
        });
    }
    Ok(described(program, file, text.to_owned(), judgements))
}

/// Which model is taken for a program where none was chosen, and why, in a sentence.
#[must_use]
pub fn taken(program: &Program, text: &str) -> String {
    let name = &program.name;
    let Some(telling) = Telling::of(program) else {
        return format!("{name}: model {CORE}");
    };
    let (whose, statement) = match telling {
        Telling::Mpi(statement) => ("MPI", statement),
        Telling::Queues(statement) => ("GASPI", statement),
    };
    format!(
        "{name}: model {}, for only {whose} has `{}` (line {})",
        telling.model(),
        text.get(statement.place.0.clone()).unwrap_or_default().trim(),
        line(text, statement.place.0.start)
    )
}

fn judge(
    program: &Program,
    text: &str,
    model: &Model,
    asked: &Asked<'_>,
    clock: &dyn Fn() -> Duration,
) -> Result<Judgement, Unjudged> {
    let begin = clock();
    let answer = outcomes(program, model, asked.engine, &asked.limits)?;
    let seconds = clock().saturating_sub(begin).as_secs_f64();
    let question = Question {
        program,
        text,
        model,
        answer: &answer,
        limits: &asked.limits,
    };
    let judgement = question.judgement(asked.wanted)?;
    Ok(Judgement { seconds, ..judgement })
}

/// Whether it is the test that must be changed, not the choice of models or the budget.
fn is_mistake(error: &ExploreError, single: bool) -> bool {
    match error {
        ExploreError::NotInModel { .. } => single,
        ExploreError::TooManyActions { .. } => true,
        ExploreError::OutOfBudget { .. } => false,
    }
}

fn mistake(program: &Program, error: &ExploreError) -> Mistake {
    let (place, hint) = match error {
        ExploreError::NotInModel { place, .. } => (
            place.0.clone(),
            match Telling::of(program) {
                Some(Telling::Queues(_)) => {
                    "queues and notifications are those of `--model gaspi` and `--model gaspi-relaxed`, which have no \
                     flushes, and where a variable is a flag or holds data"
                }
                _ => {
                    "`--model mpi3-unified` and `--model mpi3-separate` know all statements but those with queues and \
                     notifications"
                }
            },
        ),
        _ => (0..0, "a shorter loop bound or a shorter program"),
    };
    Mistake {
        place,
        message: error.to_string(),
        hint,
    }
}
