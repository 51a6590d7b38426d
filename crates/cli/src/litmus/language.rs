//! The text of a test as a program, with its mistakes shown.

use super::diagnostics::{self, Mistake};
use super::sources::Source;
use crate::kinds;
use farside_litmus::ast::Program;
use std::fmt::Write as _;

/// Mistakes of one text that are shown; further ones mostly follow from these.
const MOST_SHOWN: usize = 10;

/// The program, or its mistakes as shown.
pub(crate) fn parse(source: &Source, coloured: bool) -> Result<Program, String> {
    farside_litmus::parse(&source.text).map_err(|errors| {
        let mut shown: String = errors
            .iter()
            .take(MOST_SHOWN)
            .map(|error| {
                let mistake = Mistake {
                    place: error.place.clone(),
                    message: &error.message,
                    hint: error.hint.as_deref().unwrap_or_default(),
                };
                diagnostics::show(source, &mistake, coloured)
            })
            .collect();
        if errors.len() > MOST_SHOWN {
            let _ = writeln!(shown, "and {} more", errors.len() - MOST_SHOWN);
        }
        if let Some(other) = kinds::taken_by_another(&source.path, "litmus") {
            let _ = writeln!(shown, "note: {other}");
        }
        shown
    })
}
