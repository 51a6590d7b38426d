//! Litmus tests of files and folders that a transport can run.

use crate::Steps;
use farside_litmus::ast::Program;
use std::path::{Path, PathBuf};

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
    /// It is no litmus test.
    #[error("{path}: {mistake}", path = .0.display(), mistake = .1)]
    Mistake(PathBuf, String),
}

/// The tests of files and folders, by name; those that are not made of coreRMA's statements are left out.
///
/// # Errors
/// A file cannot be read, or is no litmus test.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Test>, LibraryError> {
    let mut files = Vec::new();
    for path in paths {
        find(path, &mut files)?;
    }
    files.sort();
    let mut tests = Vec::new();
    for file in files {
        let unreadable = |error| LibraryError::Unreadable(file.clone(), error);
        let text = std::fs::read_to_string(&file).map_err(unreadable)?;
        let program = farside_litmus::parse(&text).map_err(|errors| {
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

fn find(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), LibraryError> {
    let unreadable = |error| LibraryError::Unreadable(path.to_owned(), error);
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "litmus") {
            find(&path, files)?;
        }
    }
    Ok(())
}
