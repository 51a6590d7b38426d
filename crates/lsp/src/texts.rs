//! Litmus tests and programs of the calculus: their errors, and what a model says of a test.

use crate::places::bytes;
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::Program;
use lsp_types::{CodeLens, Command, Diagnostic, DiagnosticSeverity, Position, Range, Url};
use std::ops::Range as Bytes;

/// The model that outcomes are shown of.
const MODEL: &str = "coreRMA";
/// Outcomes that are shown.
const MOST: usize = 6;

/// What is wrong with a text; `None` if the name says that it is neither a test nor a program.
pub(crate) fn errors(url: &Url, text: &str) -> Option<Vec<Diagnostic>> {
    let path = url.path();
    let found: Vec<(Bytes<usize>, String)> = if path.ends_with(".litmus") {
        let errors = farside_litmus::parse(text).err().unwrap_or_default();
        errors
            .into_iter()
            .map(|error| (error.place.clone(), error.to_string()))
            .collect()
    } else if path.ends_with(".pgas") {
        let errors = farside_pgas::parser::parse(text).err().unwrap_or_default();
        let hinted = |message: String, hint: Option<String>| match hint {
            Some(hint) => format!("{message} ({hint})"),
            None => message,
        };
        errors
            .into_iter()
            .map(|error| (error.place.0, hinted(error.message, error.hint)))
            .collect()
    } else {
        return None;
    };
    let shown = found.into_iter().map(|(place, message)| Diagnostic {
        range: bytes(text, &place),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("farside".to_owned()),
        message,
        ..Diagnostic::default()
    });
    Some(shown.collect())
}

/// Above a litmus test: its outcomes under a model.
pub(crate) fn lenses(url: &Url, text: &str) -> Vec<CodeLens> {
    let program = match url.path().ends_with(".litmus") {
        true => farside_litmus::parse(text).ok(),
        false => None,
    };
    let title = program.as_ref().and_then(said);
    let lens = |title| CodeLens {
        range: Range::new(Position::new(0, 0), Position::new(0, 0)),
        command: Some(Command {
            title,
            command: String::new(),
            arguments: None,
        }),
        data: None,
    };
    title.map(lens).into_iter().collect()
}

fn said(program: &Program) -> Option<String> {
    let model = farside_models::named(MODEL)?;
    let answer = outcomes(program, &model, Engine::Fast, &Limits::default()).ok()?;
    let states = answer.outcomes.iter().take(MOST);
    let mut states: Vec<String> = states
        .map(|outcome| program.state(&answer.observables, &outcome.0))
        .collect();
    match answer.outcomes.len().saturating_sub(MOST) {
        0 => {}
        more => states.push(format!("{more} more")),
    }
    Some(format!("{MODEL}: {}", states.join(" | ")))
}
