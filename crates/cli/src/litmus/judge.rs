//! One test: read, parsed, judged under its models.

use super::models::{self, Choice};
use super::settings::Settings;
use super::sources::Source;
use super::{convert, diagnostics, explain, language, sources};
use crate::fault::Fault;
use diagnostics::Mistake;
use farside_explore::answer::{self, Answer};
use farside_explore::{ExploreError, outcomes};
use farside_litmus::ast::{self, Program};
use farside_models::Model;
use farside_verdicts::{Cause, Judgement, Observation, Quantifier, State, Test, Verdict};
use std::path::Path;
use std::time::Instant;

/// A test with the judgements on it.
pub(super) struct Judged {
    pub(super) test: Test,
    /// A remark for the user; may be empty.
    pub(super) remark: String,
}

/// Why a test could not be judged.
pub(super) enum Trouble {
    /// The file.
    Fault(Fault),
    /// Mistakes in the test, as shown.
    Mistakes(String),
}

/// Reads and judges a test.
pub(super) fn test(path: &Path, settings: &Settings) -> Result<Judged, Trouble> {
    let source = sources::read(path).map_err(Trouble::Fault)?;
    let program = language::parse(&source, settings.coloured_complaints).map_err(Trouble::Mistakes)?;
    let models = settings.models.of(&program);
    let single = settings.models.is_single() && settings.files.len() == 1 && path == settings.files[0];
    let mut judgements = Vec::new();
    for model in &models {
        let judgement = match judge(&program, &source, model, settings) {
            Ok(judgement) => judgement,
            Err(Failure::Engine(error)) if is_mistake(&error, single) => {
                return Err(Trouble::Mistakes(mistake(
                    &source,
                    &error,
                    settings.coloured_complaints,
                )));
            }
            Err(Failure::Engine(error)) => unknown(model, &error),
            Err(Failure::Fault(fault)) => return Err(Trouble::Fault(fault)),
        };
        judgements.push(judgement);
    }
    let remark = remark(&program, &source, settings);
    Ok(Judged {
        test: described(program, source, judgements),
        remark,
    })
}

/// Why there is no judgement.
pub(super) enum Failure {
    /// The engine has no answer.
    Engine(ExploreError),
    /// What was asked for is wrong.
    Fault(Fault),
}

impl From<ExploreError> for Failure {
    fn from(error: ExploreError) -> Self {
        Self::Engine(error)
    }
}

fn judge(
    program: &Program,
    source: &Source,
    model: &Model,
    settings: &Settings,
) -> Result<Judgement, Failure> {
    let begin = Instant::now();
    let answer = outcomes(program, model, settings.engine, &settings.limits)?;
    let seconds = begin.elapsed().as_secs_f64();
    let explanations = explain::explanations(program, &source.text, model, &answer, settings)?;
    let states: Vec<State> = states(program, &answer);
    let observation = observation(program, &states);
    Ok(Judgement {
        model: model.name().to_owned(),
        verdict: verdict(program, &answer, observation),
        states,
        observation,
        bounded: answer.bounded,
        cause: convert::cause(&answer, program, &source.text),
        seconds,
        explanations,
    })
}

fn states(program: &Program, answer: &Answer) -> Vec<State> {
    let condition = program.condition.as_ref();
    let states = answer.outcomes.iter().map(|outcome| State {
        bindings: convert::bindings(program, &answer.observables, outcome),
        holds: condition
            .map(|condition| explain::holds(&condition.proposition, &answer.observables, outcome)),
    });
    states.collect()
}

fn observation(program: &Program, states: &[State]) -> Option<Observation> {
    let asked = program.condition.is_some() && !states.is_empty();
    let positive = states.iter().filter(|state| state.holds == Some(true)).count();
    asked.then(|| Observation {
        positive,
        negative: states.len() - positive,
    })
}

fn verdict(program: &Program, answer: &Answer, observation: Option<Observation>) -> Verdict {
    match &answer.verdict {
        answer::Verdict::Race(_) => return Verdict::Race,
        answer::Verdict::Invalid(_) => return Verdict::Invalid,
        answer::Verdict::Defined if answer.outcomes.is_empty() => return Verdict::Inconclusive,
        answer::Verdict::Defined => {}
    }
    let (Some(condition), Some(observation)) = (&program.condition, observation) else {
        return Verdict::Ok;
    };
    let met = match condition.quantifier {
        ast::Quantifier::Exists => observation.positive > 0,
        ast::Quantifier::NotExists => observation.positive == 0,
        ast::Quantifier::Forall => observation.negative == 0,
    };
    if met { Verdict::Ok } else { Verdict::No }
}

/// A test as a report has it.
pub(super) fn described(program: Program, source: Source, judgements: Vec<Judgement>) -> Test {
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
        condition: language::condition(&program),
        name: program.name,
        file: source.path.display().to_string(),
        about: program.about,
        source: source.text,
        quantifier,
        judgements,
    }
}

/// Whether it is the test that must be changed, not the choice of models or the budget.
fn is_mistake(error: &ExploreError, single: bool) -> bool {
    match error {
        ExploreError::NotInModel { .. } => single,
        ExploreError::TooManyActions { .. } => true,
        ExploreError::OutOfBudget { .. } => false,
    }
}

fn mistake(source: &Source, error: &ExploreError, coloured: bool) -> String {
    let (place, hint) = match error {
        ExploreError::NotInModel { place, .. } => (
            place.0.clone(),
            "`--model mpi3-unified` and `--model mpi3-separate` know all statements",
        ),
        _ => (0..0, "a shorter loop bound or a shorter program"),
    };
    let message = error.to_string();
    let shown = Mistake {
        place,
        message: &message,
        hint,
    };
    diagnostics::show(source, &shown, coloured)
}

fn unknown(model: &Model, error: &ExploreError) -> Judgement {
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

/// Says which model was taken, where the user did not.
fn remark(program: &Program, source: &Source, settings: &Settings) -> String {
    let Choice::Default { core, mpi } = &settings.models else {
        return String::new();
    };
    match models::mpi_statement(program) {
        None => format!("{}: model {}", program.name, core.name()),
        Some(statement) => {
            let line = convert::line(&source.text, statement.place.0.start);
            let text = source.text.get(statement.place.0.clone()).unwrap_or_default();
            format!(
                "{}: model {}, for only MPI has `{}` (line {line})",
                program.name,
                mpi.name(),
                text.trim()
            )
        }
    }
}
