//! Which models: by name, by file, all, or what fits a test.

use super::diagnostics;
use super::sources;
use crate::fault::Fault;
use farside_litmus::ast::Program;
use farside_models::Model;
use farside_models::fitting::{CORE, MPI, QUEUES, Telling};
use farside_processes::plain;
use std::path::Path;

/// The models to judge under.
pub(super) enum Choice {
    /// Those that were named.
    Named(Vec<Model>),
    /// What fits each test.
    Default {
        /// `coreRMA`
        core: Box<Model>,
        /// `mpi3-unified`
        mpi: Box<Model>,
        /// `gaspi`
        queues: Box<Model>,
    },
}

impl Choice {
    /// Resolves what was given with `--model`.
    pub(super) fn resolve(given: &[String], coloured: bool) -> Result<Self, Fault> {
        if given.is_empty() {
            return Ok(Self::Default {
                core: Box::new(by_name(CORE)?),
                mpi: Box::new(by_name(MPI)?),
                queues: Box::new(by_name(QUEUES)?),
            });
        }
        let mut models: Vec<Model> = Vec::new();
        for name in given {
            let more = if name == "all" {
                let all = farside_models::names().iter();
                all.map(|(name, _)| by_name(name)).collect::<Result<_, _>>()?
            } else {
                vec![one(name, coloured)?]
            };
            for model in more {
                if !models.iter().any(|known| known.name() == model.name()) {
                    models.push(model);
                }
            }
        }
        Ok(Self::Named(models))
    }

    /// All of them, in words that change with their rules.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Named(models) => format!("{models:?}"),
            Self::Default { core, mpi, queues } => format!("{core:?} {mpi:?} {queues:?}"),
        }
    }

    /// Whether every test is judged under exactly one model.
    pub(super) fn is_single(&self) -> bool {
        match self {
            Self::Named(models) => models.len() == 1,
            Self::Default { .. } => true,
        }
    }

    /// The models for a test.
    pub(super) fn of(&self, program: &Program) -> Vec<&Model> {
        match self {
            Self::Named(models) => models.iter().collect(),
            Self::Default { core, mpi, queues } => vec![match Telling::of(program) {
                None => core,
                Some(Telling::Mpi(_)) => mpi,
                Some(Telling::Queues(_)) => queues,
            }],
        }
    }
}

/// A list of the models, one a line.
pub(super) fn list() -> String {
    let names = farside_models::names();
    let width = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = names
        .iter()
        .map(|(name, what)| format!("{name:width$}  {what}\n"));
    lines.collect()
}

/// A shipped model by name, or a model file.
pub(crate) fn one(given: &str, coloured: bool) -> Result<Model, Fault> {
    if let Some(model) = farside_models::named(given) {
        return Ok(model);
    }
    let path = Path::new(given);
    if given.ends_with(".model") || given.contains('/') {
        return file(path, coloured);
    }
    by_name(given)
}

fn by_name(name: &str) -> Result<Model, Fault> {
    farside_models::named(name).ok_or_else(|| {
        let known = farside_models::names().iter().map(|(name, _)| *name);
        Fault::NoSuchModel(plain(name), nearest(name, known))
    })
}

/// A model file; what it includes is looked for beside it, then among the shipped ones.
fn file(path: &Path, coloured: bool) -> Result<Model, Fault> {
    let source = sources::read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = |name: &str| {
        let inner = folder.join(name);
        let inner = if inner.is_file() {
            inner
        } else {
            folder.join(format!("{name}.model"))
        };
        sources::read(&inner).ok().map(|source| source.text)
    };
    farside_models::parse_model(&source.text, &beside)
        .map_err(|errors| Fault::Model(path.to_path_buf(), diagnostics::model(&source, &errors, coloured)))
}

/// The known name that was probably meant.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let lower = name.to_lowercase();
    known
        .map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(closeness, _)| *closeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_gets_the_right_one() {
        for (wrong, right) in [
            ("corerma", "coreRMA"),
            ("coreRAM", "coreRMA"),
            ("mpi3-unfied", "mpi3-unified"),
            ("verbs", "verbs-rc"),
        ] {
            let known = farside_models::names().iter().map(|(name, _)| *name);
            let Some(found) = nearest(wrong, known) else {
                panic!("{wrong}: nothing");
            };
            assert!(
                found == right || (wrong == "verbs" && found.starts_with("verbs")),
                "{wrong}: {found}"
            );
        }
        let known = farside_models::names().iter().map(|(name, _)| *name);
        assert_eq!(nearest("zzzzzz", known), None);
    }
}
