//! A file as a program: PGAS text, or a litmus test.

use crate::fault::Fault;
use farside_pgas::ast::{Place, Program};
use farside_pgas::change::{Change, apply, patch};
use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::parser::{MAX_BYTES, parse};
use farside_processes::plain;
use std::io::Read;
use std::path::Path;

/// Why a program was not decided.
pub(super) enum Trouble {
    /// The file.
    Fault(Fault),
    /// What is in it, as shown to the user.
    Mistakes(String),
}

/// What was read.
pub(super) struct Source {
    /// The file, fit for a terminal.
    pub(super) name: String,
    /// Its text.
    pub(super) text: String,
    /// The program in it.
    pub(super) program: Program,
    litmus: bool,
}

impl Source {
    pub(super) fn read(path: &Path) -> Result<Self, Trouble> {
        let text =
            read(path).map_err(|error| Trouble::Fault(Fault::Unreadable(path.to_path_buf(), error)))?;
        let name = plain(&path.display().to_string());
        let litmus = is_litmus(path, &text);
        let read = if litmus { litmus_test(&text) } else { parse(&text) };
        match read {
            Ok(program) => Ok(Self {
                name,
                text,
                program,
                litmus,
            }),
            Err(errors) => Err(mistakes(&errors, &name, &text)),
        }
    }

    /// The text with changes; of a litmus test, that of its translation.
    pub(super) fn patched(&self, changes: &[Change]) -> String {
        if self.litmus {
            apply(&self.program, changes).to_string()
        } else {
            patch(&self.text, &self.program, changes)
        }
    }

    /// What is wrong with the program.
    pub(super) fn mistakes(&self, errors: &[Diagnostic]) -> Trouble {
        mistakes(errors, &self.name, &self.text)
    }
}

fn mistakes(errors: &[Diagnostic], name: &str, text: &str) -> Trouble {
    Trouble::Mistakes(errors.iter().map(|error| error.render(name, text)).collect())
}

/// By the name of the file, or by the word that litmus tests begin with.
fn is_litmus(path: &Path, text: &str) -> bool {
    path.extension().is_some_and(|extension| extension == "litmus")
        || text.split_ascii_whitespace().next() == Some("RMA")
}

fn litmus_test(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let test = farside_litmus::parse(text).map_err(|errors| {
        errors
            .into_iter()
            .map(|error| Diagnostic {
                message: error.message,
                place: Place(error.place),
                hint: error.hint,
            })
            .collect::<Vec<_>>()
    })?;
    farside_pgas::litmus::translate(&test)
}

/// The text of a file; of one that is too long, as much as shows it.
fn read(path: &Path) -> std::io::Result<String> {
    let most = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().take(most).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    String::from_utf8(bytes)
        .map_err(|_| std::io::Error::new(std::io::ErrorKind::InvalidData, "not a text in UTF-8"))
}
