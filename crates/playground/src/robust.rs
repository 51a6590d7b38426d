//! Whether a program is robust.

use crate::TOOL;
use crate::mistake::{Mistake, Refusal};
use farside_pgas::lower::Settings;
use farside_pgas::source::Source;
use farside_report::Color;
use farside_report::robustness::{html, steps, text};
use farside_robust::Limits;
use farside_robust::judgement::{Engine, Question, Subject, Text, judge};
use farside_robust::repair::Costs;
use farside_robustness::{Report, SCHEMA_VERSION};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A worker has at most 4 GiB, for states and for all else; what is counted may be a part of what is taken while tables
/// grow.
const MOST_BYTES: u64 = 512 << 20;

/// A program, and what is asked of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Program {
    /// How a report names it.
    file: String,
    text: String,
    /// Number of processes, over its own `ranks` line.
    #[serde(default)]
    ranks: Option<u32>,
    /// Whether a repair is looked for.
    #[serde(default)]
    repair: bool,
    /// Whether superfluous synchronisation is looked for.
    #[serde(default)]
    superfluous: bool,
}

/// What is said of a program.
#[derive(Debug, Serialize)]
pub(crate) struct Robustness {
    /// What `farside robust` prints.
    printed: String,
    /// What `farside robust --format html` shows.
    html: String,
    /// The events of the computation in words.
    steps: Vec<String>,
    /// The program with the repair.
    repaired: Option<String>,
    /// What `farside robust --format json` has.
    report: Report,
}

/// Whether the program is robust.
pub(crate) fn decide(program: &Program, clock: &dyn Fn() -> Duration) -> Result<Robustness, Refusal> {
    let mistakes = |text: &str, errors: &[_]| {
        let mistakes = errors.iter().map(|error| Mistake::in_program(text, error));
        Refusal::Mistakes(mistakes.collect())
    };
    let source =
        Source::read(program.text.clone(), false).map_err(|(errors, text)| mistakes(&text, &errors))?;
    let subject = Subject {
        file: &program.file,
        text: Text::of(source.text()),
        program: source.program(),
        patched: &|changes| source.patched(changes),
        elsewhere: &|_| None,
    };
    let begin = clock();
    let elapsed = || clock().saturating_sub(begin);
    let judgement =
        judge(&subject, &question(program), &elapsed).map_err(|errors| mistakes(source.text(), &errors))?;
    let fragment = html::fragment(&judgement);
    let steps = judgement.violation.as_ref().map(steps::steps);
    let repair = judgement.repair.as_ref();
    let repaired = repair.and_then(|repair| repair.program.clone());
    let report = Report {
        schema_version: SCHEMA_VERSION,
        tool: TOOL.to_owned(),
        programs: vec![judgement],
    };
    Ok(Robustness {
        printed: text::render(&report, Color::Never),
        html: fragment,
        steps: steps.unwrap_or_default(),
        repaired,
        report,
    })
}

fn question(program: &Program) -> Question {
    Question {
        settings: Settings {
            ranks: program.ranks,
            ..Settings::default()
        },
        engine: Engine::Delay,
        limits: Limits {
            bytes: MOST_BYTES,
            ..Limits::default()
        },
        reduce: true,
        repair: program.repair.then(Costs::default),
        every: false,
        superfluous: program.superfluous,
        time_limit: None,
    }
}
