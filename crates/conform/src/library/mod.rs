//! Litmus tests of files, folders and lists: the one place that looks for them.

mod find;

pub use find::{files, text};

use crate::Steps;
use farside_litmus::ast::Program;
use std::path::PathBuf;

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its path, without the ending.
    pub name: String,
    /// What it is.
    pub program: Program,
}

/// Why a library cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// A file or folder.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Unreadable(PathBuf, std::io::Error),
    /// It is no text, or far too long to be a litmus test.
    #[error("{path}: {why}", path = .0.display(), why = .1)]
    NotText(PathBuf, String),
    /// A folder or list without a test, or nested too deeply.
    #[error("{path}: {why}", path = .0.display(), why = .1)]
    Empty(PathBuf, &'static str),
    /// It is no litmus test.
    #[error("{path}: {mistake}", path = .0.display(), mistake = .1)]
    Mistake(PathBuf, String),
}

/// The tests of files, folders and lists; those that are not made of coreRMA's statements are left out.
///
/// # Errors
/// As [`files`] and [`text`]; a file is no litmus test.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Test>, LibraryError> {
    let mut tests = Vec::new();
    for file in files(paths)? {
        let program = farside_litmus::parse(&text(&file)?).map_err(|errors| {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            LibraryError::Mistake(file.clone(), first)
        })?;
        if Steps::of(&program).is_ok() {
            let name = file.with_extension("").display().to_string();
            tests.push(Test { name, program });
        }
    }
    Ok(tests)
}
