//! The log that a run leaves: the model that its ranks declare, and the histograms as they come.
//!
//! Promise: it does not show how often programs were started, so that the logs of parts of a run make the log of the
//! whole.

use crate::error::Error;
use crate::rank::DECLARES;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What the lines of a test begin with, and its last line.
const FIRST: &str = "Test ";
const LAST: &str = "Hash=";

/// The log, while it is written.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    file: File,
    /// The declared model, as who reads the log knows it.
    known: Option<String>,
}

impl Record {
    /// Makes the file. `promised`: the model that the target declares whatever its ranks say.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(path: &Path, promised: Option<&str>) -> Result<Self, Error> {
        let file = File::create(path).map_err(|error| Error::Unwritable(path.to_path_buf(), error))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            known: promised.map(str::to_owned),
        })
    }

    /// Takes the lines of a test, which ranks ran that declare this model.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn take(&mut self, declared: Option<&str>, lines: &str) -> Result<(), Error> {
        let mut text = String::new();
        if let Some(model) = declared.filter(|_| self.known.as_deref() != declared) {
            self.known = Some(model.to_owned());
            text = format!("{DECLARES}{model}\n");
        }
        text += lines;
        text.push('\n');
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| Error::Unwritable(self.path.clone(), error))
    }
}

/// Where the lines of a test begin and end in what its program prints.
#[derive(Debug, Default)]
pub(crate) struct Span {
    begin: usize,
    end: usize,
}

impl Span {
    /// Takes a line that is appended to `length` bytes with its end; whether it ends a test.
    pub(crate) fn take(&mut self, line: &str, length: usize) -> bool {
        if line.starts_with(FIRST) {
            self.begin = length;
        }
        let last = line.starts_with(LAST);
        if last {
            self.end = length + line.len() + 1;
        }
        last
    }

    /// The test that ended last.
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        &text[self.begin.min(self.end)..self.end]
    }

    /// Where it ends; 0 before any has.
    pub(crate) fn end(&self) -> usize {
        self.end
    }
}

/// The tests of a log, by name, each with its lines.
pub fn tests(log: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut span = Span::default();
    let mut length = 0;
    log.split_inclusive('\n').filter_map(move |line| {
        let ended = span.take(line.strip_suffix('\n')?, length);
        length += line.len();
        let lines = ended.then(|| span.of(log))?;
        Some((lines.strip_prefix(FIRST)?.split_whitespace().next()?, lines))
    })
}

#[cfg(test)]
mod tests_of_it {
    use super::*;

    #[test]
    fn what_is_written_is_found_again_however_often_programs_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let (one, other) = ("Test A Allowed\n1 :>0:a=1;\nHash=1\n", "Test B Allowed\nHash=2\n");
        let mut record = Record::create(&path, None).unwrap();
        record.take(Some("dmapp"), one).unwrap();
        record.take(Some("dmapp"), other).unwrap();
        let log = std::fs::read_to_string(&path).unwrap();
        assert_eq!(log, format!("Model dmapp\n{one}\n{other}\n"));
        let found: Vec<_> = tests(&log).collect();
        assert_eq!(found, [("A", one), ("B", other)]);
        let mut promised = Record::create(&path, Some("mpi")).unwrap();
        promised.take(Some("mpi"), one).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{one}\n"));
    }
}
