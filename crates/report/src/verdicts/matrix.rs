//! Tests by models as a table: one line a test, one column a model; and the outcomes of one test by models.

use crate::kit::color::Color;
use crate::verdicts::text::style;
use farside_verdicts::state_line;
use farside_verdicts::{Judgement, Test, Verdict};
use std::fmt::Write as _;

/// The table, and below it how often each verdict was given.
#[must_use]
pub fn render(tests: &[Test], color: Color) -> String {
    let mut models: Vec<&str> = Vec::new();
    for judgement in tests.iter().flat_map(|test| &test.judgements) {
        if !models.contains(&judgement.model.as_str()) {
            models.push(&judgement.model);
        }
    }
    let cell = |test: &Test, model: &str| {
        let found = test.judgements.iter().find(|judgement| judgement.model == model);
        found.map_or_else(
            || ("-".to_owned(), None),
            |judgement| (cell(judgement), Some(judgement.verdict)),
        )
    };
    let names = tests
        .iter()
        .map(|test| test.name.chars().count())
        .chain(["Test".len(), "States".len()])
        .max()
        .unwrap_or(0);
    let widths: Vec<usize> = models
        .iter()
        .map(|model| {
            let cells = tests.iter().map(|test| cell(test, model).0.len());
            cells.chain([model.len()]).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    let mut line = format!("{:names$}", "Test");
    for (model, width) in models.iter().zip(&widths) {
        let _ = write!(line, "  {model:width$}");
    }
    let _ = writeln!(text, "{}", line.trim_end());
    for test in tests {
        let mut line = format!("{:names$}", test.name);
        for (model, width) in models.iter().zip(&widths) {
            let (words, verdict) = cell(test, model);
            let shown = verdict.map_or_else(|| words.clone(), |v| color.paint(style(v), &words));
            let _ = write!(line, "  {shown}{}", " ".repeat(width - words.len()));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// `Ok 4`: the verdict, and the number of states where there are any; without a condition only the number.
#[must_use]
pub fn cell(judgement: &Judgement) -> String {
    let bounded = if judgement.bounded { "+" } else { "" };
    let states = judgement.states.len();
    match judgement.verdict {
        Verdict::Ok | Verdict::No => match judgement.observation {
            Some(observation) => {
                format!(
                    "{} {} {states}{bounded}",
                    judgement.verdict.word(),
                    observation.word()
                )
            }
            None => format!("{states}{bounded}"),
        },
        Verdict::Race => "race".to_owned(),
        Verdict::Invalid => "invalid".to_owned(),
        Verdict::Inconclusive => format!("inconclusive {states}{bounded}"),
        Verdict::Unknown => "-".to_owned(),
    }
}

/// How many tests have each verdict: `12 Ok, 1 No`.
#[must_use]
pub fn counts(tests: &[Test]) -> String {
    let words = [
        (Verdict::Ok, "Ok"),
        (Verdict::No, "No"),
        (Verdict::Race, "with a race"),
        (Verdict::Invalid, "not valid"),
        (Verdict::Inconclusive, "inconclusive"),
        (Verdict::Unknown, "without an answer"),
    ];
    let count = |verdict: Verdict| {
        let judgements = tests.iter().flat_map(|test| &test.judgements);
        judgements
            .filter(|judgement| judgement.verdict == verdict)
            .count()
    };
    let told: Vec<String> = words
        .iter()
        .map(|&(verdict, word)| (count(verdict), word))
        .filter(|&(number, _)| number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    if told.is_empty() {
        "none".to_owned()
    } else {
        told.join(", ")
    }
}

/// One test under several models: a line an outcome, a column a model.
#[must_use]
pub fn outcomes(test: &Test, color: Color) -> String {
    let mut lines: Vec<(String, Option<bool>)> = Vec::new();
    for state in test.judgements.iter().flat_map(|judgement| &judgement.states) {
        let line = state_line(&state.bindings);
        if !lines.iter().any(|(known, _)| *known == line) {
            lines.push((line, state.holds));
        }
    }
    lines.sort();
    let mark = |holds: &Option<bool>| if *holds == Some(true) { " *" } else { "" };
    let heads = lines
        .iter()
        .map(|(line, holds)| line.chars().count() + mark(holds).len());
    let width = heads.chain(["Verdict".len()]).max().unwrap_or(0);
    let cells: Vec<String> = test.judgements.iter().map(cell).collect();
    let columns: Vec<usize> = test
        .judgements
        .iter()
        .zip(&cells)
        .map(|(judgement, cell)| judgement.model.len().max(cell.len()))
        .collect();

    let mut text = format!("Test {}\n", test.name);
    if !test.condition.is_empty() {
        let _ = writeln!(text, "Condition {}", test.condition);
    }
    let mut head = " ".repeat(width);
    for (judgement, column) in test.judgements.iter().zip(&columns) {
        let _ = write!(head, "  {:column$}", judgement.model);
    }
    let _ = writeln!(text, "{}", head.trim_end());
    for (line, holds) in &lines {
        let mut row = format!("{:width$}", format!("{line}{}", mark(holds)));
        for (judgement, column) in test.judgements.iter().zip(&columns) {
            let there = judgement
                .states
                .iter()
                .any(|state| state_line(&state.bindings) == *line);
            let word = if there { "yes" } else { "-" };
            let _ = write!(row, "  {word:column$}");
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let mut last = format!("{:width$}", "Verdict");
    for ((judgement, cell), column) in test.judgements.iter().zip(&cells).zip(&columns) {
        let shown = color.paint(style(judgement.verdict), cell);
        let _ = write!(last, "  {shown}{}", " ".repeat(column - cell.len()));
    }
    let _ = writeln!(text, "{}", last.trim_end());
    if lines.iter().any(|(_, holds)| *holds == Some(true)) {
        let _ = writeln!(text, "* the condition holds");
    }
    text
}
