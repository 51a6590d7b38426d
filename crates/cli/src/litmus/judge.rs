//! One test: read, parsed, judged under its models.

use super::models::Choice;
use super::settings::Settings;
use super::sources::Source;
use super::{diagnostics, language, sources};
use crate::fault::Fault;
use farside_explore::verdict::{Asked, Mistake, Refused, judged, taken};
use farside_processes::plain;
use farside_verdicts::Test;
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
    let asked = Asked {
        models: settings.models.of(&program),
        single: settings.models.is_single() && settings.files.len() == 1 && path == settings.files[0],
        wanted: &settings.wanted,
        engine: settings.engine,
        limits: settings.limits,
    };
    let remark = match settings.models {
        Choice::Default { .. } => taken(&program, &source.text),
        Choice::Named(_) => String::new(),
    };
    let file = source.path.display().to_string();
    let begin = Instant::now();
    match judged(&program, file, &source.text, &asked, &|| begin.elapsed()) {
        Ok(test) => Ok(Judged { test, remark }),
        Err(refused) => Err(trouble(&source, refused, settings.coloured_complaints)),
    }
}

fn trouble(source: &Source, refused: Refused, coloured: bool) -> Trouble {
    match refused {
        Refused::Mistake(Mistake { place, message, hint }) => {
            let message = &message;
            let shown = diagnostics::Mistake { place, message, hint };
            Trouble::Mistakes(diagnostics::show(source, &shown, coloured))
        }
        Refused::Outcome(wrong) => Trouble::Fault(Fault::Outcome(plain(&wrong.to_string()))),
    }
}
