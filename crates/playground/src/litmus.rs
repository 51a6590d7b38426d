//! What models say of a litmus test.

use crate::TOOL;
use crate::mistake::{Mistake, Refusal};
use crate::models::{self, Chosen};
use farside_explore::verdict::{Asked, Refused, Wanted, judged, taken};
use farside_explore::{Engine, Limits};
use farside_litmus::ast::Program;
use farside_models::Model;
use farside_models::fitting::fitting;
use farside_report::Color;
use farside_report::verdicts::steps::{Step, steps};
use farside_report::verdicts::{console, html, matrix, svg};
use farside_verdicts::{Explanation, Judgement, Quantifier, Report, SCHEMA_VERSION, State, state_line};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A test, and what is asked of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Test {
    /// How a report names it.
    file: String,
    text: String,
    /// Under which models it is judged; if there are none, under the one that fits it.
    #[serde(default)]
    models: Vec<Chosen>,
    /// Whether its answers stand in a table of models, where a model may have no answer.
    #[serde(default)]
    compared: bool,
    #[serde(default)]
    explain: Explain,
}

/// What is explained.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Explain {
    #[default]
    Nothing,
    /// The outcome that the condition asks for, or why there is none.
    Condition,
    /// This one, written as states are printed.
    Outcome(String),
}

/// What models say of a test.
#[derive(Debug, Serialize)]
pub(crate) struct Verdicts {
    /// Which model was taken, and why, if none was chosen.
    remark: Option<String>,
    /// What `farside litmus` prints.
    printed: String,
    /// One a model.
    judgements: Vec<Shown>,
    /// What `farside litmus --format json` has.
    report: Report,
}

/// What one model says, as it is shown.
#[derive(Debug, Serialize)]
struct Shown {
    model: String,
    /// The verdict in words.
    headline: String,
    /// How it is coloured: `good`, `bad` or `unsure`.
    tone: &'static str,
    /// The verdict in a table.
    cell: String,
    /// Why there are no states, as part of a page.
    cause: Option<String>,
    outcomes: Vec<Outcome>,
    pictures: Vec<Picture>,
}

/// A state with what it means for the condition.
#[derive(Debug, Serialize)]
struct Outcome {
    state: String,
    mark: Mark,
}

/// What an outcome means for the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Mark {
    /// The model allows it.
    Allowed,
    /// The model allows it, and the condition asks whether it does.
    Asked,
    /// The model allows it, and the condition says that it must not.
    Wrong,
    /// The model does not allow it.
    Forbidden,
}

/// An execution, and its steps.
#[derive(Debug, Serialize)]
struct Picture {
    state: String,
    allowed: bool,
    /// The state, and whether it is allowed.
    words: String,
    /// Why it is not.
    reason: String,
    svg: String,
    steps: Vec<Step>,
}

/// What the models say.
pub(crate) fn verdicts(test: &Test, clock: &dyn Fn() -> Duration) -> Result<Verdicts, Refusal> {
    let text = &test.text;
    let program = farside_litmus::parse(text).map_err(|errors| {
        let mistakes = errors.iter().map(|error| Mistake::in_test(text, error));
        Refusal::Mistakes(mistakes.collect())
    })?;
    let models = models_of(test, &program)?;
    let several = models.len() > 1 || test.compared;
    let asked = Asked {
        models: models.iter().collect(),
        single: !several,
        wanted: &match &test.explain {
            Explain::Nothing => Wanted::Nothing,
            Explain::Condition => Wanted::Condition,
            Explain::Outcome(state) => Wanted::Outcome(state.clone()),
        },
        engine: Engine::Fast,
        limits: Limits::default(),
    };
    let found =
        judged(&program, test.file.clone(), text, &asked, clock).map_err(|refused| match refused {
            Refused::Mistake(mistake) => Refusal::Mistakes(vec![Mistake::of_model(text, &mistake)]),
            Refused::Outcome(wrong) => Refusal::Fault(wrong.to_string()),
        })?;
    let tests = [found];
    let [found] = &tests;
    let shown = found
        .judgements
        .iter()
        .map(|judgement| shown(found.quantifier, judgement));
    Ok(Verdicts {
        remark: test.models.is_empty().then(|| taken(&program, text)),
        printed: console::render(&tests, several, Color::Never),
        judgements: shown.collect(),
        report: Report {
            schema_version: SCHEMA_VERSION,
            tool: TOOL.to_owned(),
            tests: tests.into(),
        },
    })
}

fn models_of(test: &Test, program: &Program) -> Result<Vec<Model>, Refusal> {
    if test.models.is_empty() {
        return Ok(vec![models::chosen(&Chosen::Named(fitting(program).to_owned()))?]);
    }
    test.models.iter().map(models::chosen).collect()
}

fn shown(quantifier: Option<Quantifier>, judgement: &Judgement) -> Shown {
    let allowed = judgement.states.iter().map(|state| Outcome {
        state: state_line(&state.bindings),
        mark: mark(quantifier, state),
    });
    let refused = judgement
        .explanations
        .iter()
        .filter(|explanation| !explanation.allowed);
    let forbidden = refused.map(|explanation| Outcome {
        state: state_line(&explanation.outcome),
        mark: Mark::Forbidden,
    });
    Shown {
        model: judgement.model.clone(),
        headline: html::headline(judgement),
        tone: html::tone(judgement.verdict),
        cell: matrix::cell(judgement),
        cause: judgement.cause.as_ref().map(html::cause),
        outcomes: allowed.chain(forbidden).collect(),
        pictures: judgement.explanations.iter().enumerate().map(picture).collect(),
    }
}

fn mark(quantifier: Option<Quantifier>, state: &State) -> Mark {
    match (quantifier, state.holds) {
        (Some(Quantifier::Exists), Some(true)) => Mark::Asked,
        (Some(Quantifier::NotExists), Some(true)) | (Some(Quantifier::Forall), Some(false)) => Mark::Wrong,
        _ => Mark::Allowed,
    }
}

fn picture((number, explanation): (usize, &Explanation)) -> Picture {
    let words = svg::outcome_words(explanation);
    Picture {
        state: state_line(&explanation.outcome),
        allowed: explanation.allowed,
        reason: explanation.reason.clone(),
        svg: svg::figure(explanation, &format!("e{number}"), &format!("Execution: {words}")),
        steps: steps(explanation),
        words,
    }
}
