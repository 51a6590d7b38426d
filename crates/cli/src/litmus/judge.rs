//! One test: read, parsed, judged under its models.

use super::models::{Choice, Telling};
use super::settings::Settings;
use super::sources::Source;
use super::{diagnostics, language, sources};
use crate::fault::Fault;
use diagnostics::Mistake;
use farside_explore::verdict::{Question, Unjudged, described, line, unknown};
use farside_explore::{ExploreError, outcomes};
use farside_litmus::ast::Program;
use farside_models::Model;
use farside_processes::plain;
use farside_verdicts::{Judgement, Test};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;

/// A test with the judgements on it.
#[derive(Serialize, Deserialize)]
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
            Err(Unjudged::Engine(error)) if is_mistake(&error, single) => {
                return Err(Trouble::Mistakes(mistake(
                    &program,
                    &source,
                    &error,
                    settings.coloured_complaints,
                )));
            }
            Err(Unjudged::Engine(error)) => unknown(model, &error),
            Err(Unjudged::Outcome(wrong)) => {
                return Err(Trouble::Fault(Fault::Outcome(plain(&wrong.to_string()))));
            }
        };
        judgements.push(judgement);
    }
    let remark = remark(&program, &source, settings);
    let file = source.path.display().to_string();
    Ok(Judged {
        test: described(&program, file, source.text, judgements),
        remark,
    })
}

fn judge(
    program: &Program,
    source: &Source,
    model: &Model,
    settings: &Settings,
) -> Result<Judgement, Unjudged> {
    let begin = Instant::now();
    let answer = outcomes(program, model, settings.engine, &settings.limits)?;
    let seconds = begin.elapsed().as_secs_f64();
    let question = Question {
        program,
        text: &source.text,
        model,
        answer: &answer,
        limits: &settings.limits,
    };
    let judgement = question.judgement(&settings.wanted)?;
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

fn mistake(program: &Program, source: &Source, error: &ExploreError, coloured: bool) -> String {
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
    let message = error.to_string();
    let shown = Mistake {
        place,
        message: &message,
        hint,
    };
    diagnostics::show(source, &shown, coloured)
}

/// Says which model was taken, where the user did not.
fn remark(program: &Program, source: &Source, settings: &Settings) -> String {
    let Choice::Default { core, mpi, queues } = &settings.models else {
        return String::new();
    };
    let (model, whose, statement) = match Telling::of(program) {
        None => return format!("{}: model {}", program.name, core.name()),
        Some(Telling::Mpi(statement)) => (mpi, "MPI", statement),
        Some(Telling::Queues(statement)) => (queues, "GASPI", statement),
    };
    let line = line(&source.text, statement.place.0.start);
    let text = source.text.get(statement.place.0.clone()).unwrap_or_default();
    format!(
        "{}: model {}, for only {whose} has `{}` (line {line})",
        program.name,
        model.name(),
        text.trim()
    )
}
