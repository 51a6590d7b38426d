//! A file as a program: PGAS text, or a litmus test.

use crate::fault::{Fault, no_text};
use crate::kinds;
use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::parser::MAX_BYTES;
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
    /// What is in it.
    pub(super) read: farside_pgas::source::Source,
}

impl Source {
    pub(super) fn read(path: &Path) -> Result<Self, Trouble> {
        let text =
            read(path).map_err(|error| Trouble::Fault(Fault::Unreadable(path.to_path_buf(), error)))?;
        let name = plain(&path.display().to_string());
        let litmus = path.extension().is_some_and(|extension| extension == "litmus");
        if let Some(other) = kinds::taken_by_another(path, "robust").filter(|_| !litmus) {
            return Err(Trouble::Fault(Fault::NotDecided(path.to_path_buf(), other)));
        }
        match farside_pgas::source::Source::read(text, litmus) {
            Ok(read) => Ok(Self { name, read }),
            Err((errors, text)) => Err(mistakes(&errors, &name, &text)),
        }
    }

    /// What is wrong with the program.
    pub(super) fn mistakes(&self, errors: &[Diagnostic]) -> Trouble {
        mistakes(errors, &self.name, self.read.text())
    }
}

fn mistakes(errors: &[Diagnostic], name: &str, text: &str) -> Trouble {
    Trouble::Mistakes(errors.iter().map(|error| error.render(name, text)).collect())
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
    String::from_utf8(bytes).map_err(|error| std::io::Error::other(no_text(error.as_bytes())))
}
