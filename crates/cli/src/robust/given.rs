//! Which programs the files of a command line are.
//!
//! Texts and litmus tests are a program each. Sources are compiled: each with a `main` is a program, and those without
//! one belong to all that have one.

use super::arguments::RobustArguments;
use super::source::Trouble;
use crate::kinds;
use crate::lint::{Unit, program_of, units};
use farside_lint::ir::Module;
use std::path::{Path, PathBuf};

/// A program of the command line.
pub(super) enum Given {
    /// The text of a file.
    Text(PathBuf),
    /// Sources.
    Sources(Sources),
    /// One that could not be read.
    Trouble(PathBuf, Trouble),
}

/// The sources of one program, the one with its `main` first.
pub(super) struct Sources {
    units: Vec<Unit>,
    /// The code of all of them, if it was read.
    module: Option<Module>,
}

impl Sources {
    /// What is compiled.
    pub(super) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The code, read now if it was not before.
    pub(super) fn into_module(self, arguments: &RobustArguments) -> Result<Module, Trouble> {
        match self.module {
            Some(module) => Ok(module),
            None => program_of(self.units, &arguments.reading()).map_err(Trouble::Fault),
        }
    }
}

impl Given {
    /// The file that stands for it.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Text(path) | Self::Trouble(path, _) => path,
            Self::Sources(sources) => sources.units.first().map_or(Path::new(""), |unit| unit.file()),
        }
    }

    /// All programs of the command line, in the order of their first files.
    pub(super) fn all(arguments: &RobustArguments) -> Vec<Self> {
        let mut given = Vec::new();
        let mut sources = Vec::new();
        for path in &arguments.files {
            let is_database = path.extension().is_some_and(|extension| extension == "json");
            if kinds::language(path).is_none() && !is_database {
                given.push(Self::Text(path.clone()));
                continue;
            }
            match units(std::slice::from_ref(path), arguments.compiler_options()) {
                Ok(units) => sources.extend(units),
                Err(fault) => given.push(Self::Trouble(path.clone(), Trouble::Fault(fault))),
            }
        }
        given.extend(programs(sources, arguments));
        // Sorting is stable: what the command line does not name (of a database of sources) comes last.
        let place = |one: &Self| arguments.files.iter().position(|path| path == one.path());
        given.sort_by_key(|one| place(one).unwrap_or(usize::MAX));
        given
    }
}

/// The programs that sources are.
fn programs(units: Vec<Unit>, arguments: &RobustArguments) -> Vec<Given> {
    if let [_] = units.as_slice() {
        return vec![Given::Sources(Sources { units, module: None })];
    }
    let (mut given, mut mains, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for unit in units {
        match program_of(vec![unit.clone()], &arguments.reading()) {
            Ok(module) if has_main(&module) => mains.push((unit, module)),
            Ok(_) => others.push(unit),
            Err(fault) => given.push(Given::Trouble(unit.file().to_path_buf(), Trouble::Fault(fault))),
        }
    }
    if mains.is_empty() && !others.is_empty() {
        let sources = Sources {
            units: others,
            module: None,
        };
        given.push(Given::Sources(sources));
        return given;
    }
    for (unit, module) in mains {
        let module = others.is_empty().then_some(module);
        let units = std::iter::once(unit).chain(others.iter().cloned()).collect();
        given.push(Given::Sources(Sources { units, module }));
    }
    given
}

fn has_main(module: &Module) -> bool {
    let mut functions = module.functions.iter();
    functions.any(|function| function.name == "main" && !function.blocks.is_empty())
}
