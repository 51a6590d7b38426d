//! What is asked for.

use farside_forge::{Definition, PivotRule};
use farside_models::Model;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// A row of the table: one rule, one number of processes.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The rule that every test exercises.
    pub rule: PivotRule,
    /// Remote actions, at most.
    pub size: u8,
    /// Which tests there are.
    pub definition: Definition,
}

impl Wanted {
    /// Also the name of its folder, and the first part of the names of its tests.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}-{}", self.rule, self.definition.processes)
    }

    /// The model that expected outputs are computed under.
    pub(crate) fn model(&self) -> Model {
        let name = match self.definition.routing_to_self {
            true => "coreRMA-IR-self",
            false => "coreRMA",
        };
        // A shipped model: its tests would fail before this does.
        farside_models::named(name).unwrap_or_else(|| panic!("no shipped model {name}"))
    }
}

/// What a folder holds besides its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing: the tests are counted.
    Counts,
    /// A test a file.
    Files,
    /// All tests in one archive.
    Archive,
}

/// How rows are made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder that the folders of rows are made in; `None`: nothing is written.
    pub out: Option<PathBuf>,
    /// What is written, and whether outputs are computed: not for counts.
    pub content: Content,
    /// Whether what an earlier run left is removed.
    pub restart: bool,
    /// Threads; `None`: as many as there are processors.
    pub threads: Option<NonZeroUsize>,
}
