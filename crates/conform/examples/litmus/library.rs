//! The tests that a transport can run, and what a model allows of them.

use crate::Allowed;
use farside_conform::Steps;
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::{Program, Value};
use farside_models::Model;
use std::path::{Path, PathBuf};

/// A test.
pub(crate) struct Test {
    /// Its path, without the ending.
    pub(crate) name: String,
    pub(crate) program: Program,
}

/// The tests of files and folders, by name; those that are not made of coreRMA's statements are left out.
///
/// # Errors
/// A file cannot be read, or is no litmus test.
pub(crate) fn read(paths: &[String]) -> Result<Vec<Test>, String> {
    let mut files = Vec::new();
    for path in paths {
        find(Path::new(path), &mut files)?;
    }
    files.sort();
    let mut tests = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let program =
            farside_litmus::parse(&text).map_err(|errors| format!("{}: {errors:?}", file.display()))?;
        if Steps::of(&program).is_ok() {
            let name = file.with_extension("").display().to_string();
            tests.push(Test { name, program });
        }
    }
    Ok(tests)
}

fn find(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", path.display());
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

/// What a model allows; `None` where some value is undefined, so that anything may come.
pub(crate) fn allowed(program: &Program, model: &str) -> Option<Allowed> {
    let model: Model = farside_models::named(model).expect("transports declare shipped models");
    let answer = outcomes(program, &model, Engine::Fast, &Limits::default()).expect("the library is small");
    let known = answer.outcomes.iter().map(|outcome| {
        let values = outcome.0.iter().map(|value| match value {
            Value::Known(value) => Some(*value),
            Value::Undefined => None,
        });
        values.collect::<Option<Vec<i64>>>()
    });
    Some((answer.observables.clone(), known.collect::<Option<_>>()?))
}
