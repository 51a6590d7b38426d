//! A text as a program: a PGAS program, or a litmus test that fits.
//!
//! Promise: the command line and the playground read the same, with the same mistakes.

use crate::ast::{Place, Program};
use crate::change::{Change, apply, patch};
use crate::diagnostic::Diagnostic;
use crate::parser::parse;

/// What was read.
pub struct Source {
    text: String,
    program: Program,
    litmus: bool,
}

impl Source {
    /// Reads a text. It is a litmus test if `litmus` says so, or by the word that litmus tests begin with.
    ///
    /// # Errors
    /// What is wrong with it, and the text.
    pub fn read(text: String, litmus: bool) -> Result<Self, (Vec<Diagnostic>, String)> {
        let litmus = litmus || text.split_ascii_whitespace().next() == Some("RMA");
        let read = if litmus { litmus_test(&text) } else { parse(&text) };
        match read {
            Ok(program) => Ok(Self {
                text,
                program,
                litmus,
            }),
            Err(errors) => Err((errors, text)),
        }
    }

    /// The text as it was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The program in it.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The text with changes; of a litmus test, that of its translation.
    #[must_use]
    pub fn patched(&self, changes: &[Change]) -> String {
        if self.litmus {
            apply(&self.program, changes).to_string()
        } else {
            patch(&self.text, &self.program, changes)
        }
    }
}

fn litmus_test(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let test = farside_litmus::parse(text).map_err(|errors| {
        errors
            .into_iter()
            .map(|error| Diagnostic {
                message: error.message,
                place: Place(error.place),
                hint: error.hint,
                outside: None,
            })
            .collect::<Vec<_>>()
    })?;
    crate::litmus::translate(&test)
}
