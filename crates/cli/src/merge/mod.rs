//! `farside merge`: the files of all shards of a run become what one run would have written.
//!
//! The arguments of the run are those that its shards had. Each command then does what it does at its end, with results
//! that are read instead of computed: so all forms of all reports are as they would have been.

pub(crate) mod arguments;

use crate::fault::Fault;
use arguments::MergeArguments;
use farside_shards::Parts;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// What is merged.
pub(crate) struct Merge {
    parts: Parts,
    wanted: MergeArguments,
}

impl Merge {
    /// Opens the files.
    ///
    /// # Errors
    /// They are not all the shards of one run.
    pub(crate) fn open(wanted: MergeArguments) -> Result<Self, Fault> {
        Ok(Self {
            parts: Parts::open(wanted.files())?,
            wanted,
        })
    }

    /// The command line of the run, with the name of the program.
    pub(crate) fn command_line(&self) -> Vec<String> {
        let arguments = self.parts.run().arguments.iter().cloned();
        std::iter::once("farside".to_owned()).chain(arguments).collect()
    }

    /// Where the result goes, if not to stdout.
    pub(crate) fn output(&self) -> Option<PathBuf> {
        self.wanted.output()
    }

    /// Where the tests of forge go, and whether into archives.
    pub(crate) fn tests(&self) -> (Option<PathBuf>, bool) {
        self.wanted.tests()
    }

    /// Where the histograms of conform go, and a model that is fitted to them.
    pub(crate) fn histograms(&self) -> (Option<PathBuf>, Option<PathBuf>) {
        self.wanted.histograms()
    }

    /// The result of the next piece; none after the last one.
    ///
    /// # Errors
    /// A file is not what it was when it was opened.
    pub(crate) fn take<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Fault> {
        Ok(self.parts.take()?)
    }

    /// The results of all pieces that are left.
    ///
    /// # Errors
    /// As for [`Merge::take`].
    pub(crate) fn rest<T: DeserializeOwned>(&mut self) -> Result<Vec<T>, Fault> {
        Ok(self.parts.rest()?)
    }

    /// The name of what the shards read.
    pub(crate) fn inputs(&self) -> &str {
        &self.parts.run().inputs
    }

    /// That nothing is wanted which only forge writes.
    ///
    /// # Errors
    /// It is.
    pub(crate) fn without_tests(&self) -> Result<(), Fault> {
        match self.wanted.tests() {
            (Some(_), _) => Err(self.has_no("--out")),
            (None, _) => Ok(()),
        }
    }

    /// That nothing is wanted which only conform writes.
    ///
    /// # Errors
    /// It is.
    pub(crate) fn without_histograms(&self) -> Result<(), Fault> {
        match self.wanted.histograms() {
            (Some(_), _) => Err(self.has_no("--log")),
            (None, Some(_)) => Err(self.has_no("--fit")),
            (None, None) => Ok(()),
        }
    }

    fn has_no(&self, option: &'static str) -> Fault {
        let arguments = &self.parts.run().arguments;
        Fault::NotMerged(option, arguments.first().cloned().unwrap_or_default())
    }
}
