//! The folder of a row: tests, expected outputs, and how far it is.
//!
//! ```text
//! IR-2/000/IR-2-000001.litmus    a test a file, a thousand a folder
//! IR-2/IR-2.log                  expected outputs, in the form of the field's simulator
//! IR-2/progress.json             what was asked for, and after which unit the above is whole
//! ```
//!
//! A run that goes on cuts the log back to what `progress.json` vouches for, and writes later tests anew.

use super::arguments::Wanted;
use super::row::{Counts, Found};
use crate::fault::Fault;
use farside_explore::allowed::Allowed;
use farside_litmus::ast::Program;
use farside_litmus::log::{Entry, Log};
use farside_litmus::print;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often progress is written down.
const EVERY: Duration = Duration::from_millis(200);
/// Tests a folder.
const TESTS: u64 = 1000;

/// What is known of a row on disk.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    /// What was asked for, in words that change when the question does.
    definition: String,
    /// Units done.
    units: usize,
    complete: bool,
    /// Bytes of the log that belong to these units.
    log: u64,
    counts: Counts,
}

/// The folder of a row.
pub(super) struct Folder {
    folder: PathBuf,
    name: String,
    progress: Progress,
    log: BufWriter<File>,
    written: u64,
    saved: Instant,
}

impl Folder {
    /// Opens or makes the folder of a row.
    pub(super) fn open(out: &Path, wanted: &Wanted, restart: bool) -> Result<Self, Fault> {
        let name = wanted.name();
        let folder = out.join(&name);
        let at = folder.join("progress.json");
        let definition = format!("{:?}", wanted.definition);
        if restart && folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| Fault::Unwritable(folder.clone(), error))?;
        }
        fs::create_dir_all(&folder).map_err(|error| Fault::Unwritable(folder.clone(), error))?;
        let progress = match fs::read(&at) {
            Ok(bytes) => {
                let progress: Progress = serde_json::from_slice(&bytes)
                    .map_err(|error| Fault::Forge(at.clone(), format!("{error}; --restart begins anew")))?;
                if progress.definition != definition {
                    let why =
                        "the tests there were made with other options; choose another folder, or --restart";
                    return Err(Fault::Forge(folder, why.to_owned()));
                }
                progress
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Progress {
                definition,
                units: 0,
                complete: false,
                log: 0,
                counts: Counts::default(),
            },
            Err(error) => return Err(Fault::Unreadable(at, error)),
        };
        let path = folder.join(format!("{name}.log"));
        let unwritable = |error| Fault::Unwritable(path.clone(), error);
        let mut log = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(unwritable)?;
        log.set_len(progress.log).map_err(unwritable)?;
        log.seek(std::io::SeekFrom::End(0)).map_err(unwritable)?;
        Ok(Self {
            written: progress.log,
            log: BufWriter::new(log),
            folder,
            name,
            progress,
            saved: Instant::now(),
        })
    }

    /// Units done, and what was counted in them.
    pub(super) fn left_at(&self) -> (usize, Counts) {
        (self.progress.units, self.progress.counts)
    }

    /// Whether there is nothing to do.
    pub(super) fn is_complete(&self) -> bool {
        self.progress.complete
    }

    /// Takes the tests of a unit. `counts` holds them already.
    pub(super) fn take(&mut self, found: &[Found], units: usize, counts: &Counts) -> Result<(), Fault> {
        let first = counts.tests - found.len() as u64;
        for (number, found) in (first + 1..).zip(found) {
            self.write(number, found)?;
        }
        self.progress.units = units;
        self.progress.counts = *counts;
        if self.saved.elapsed() >= EVERY {
            self.save()?;
        }
        Ok(())
    }

    /// Writes down that all is done.
    pub(super) fn complete(&mut self, counts: &Counts) -> Result<(), Fault> {
        self.progress.counts = *counts;
        self.progress.complete = true;
        self.save()
    }

    fn write(&mut self, number: u64, found: &Found) -> Result<(), Fault> {
        let name = format!("{}-{number:06}", self.name);
        let folder = self.folder.join(format!("{:03}", (number - 1) / TESTS));
        let unwritable = |path: &Path| {
            let path = path.to_path_buf();
            move |error| Fault::Unwritable(path, error)
        };
        if (number - 1).is_multiple_of(TESTS) || !folder.exists() {
            fs::create_dir_all(&folder).map_err(unwritable(&folder))?;
        }
        let program = found.test.program(&name);
        let path = folder.join(format!("{name}.litmus"));
        fs::write(&path, print(&program)).map_err(unwritable(&path))?;
        let log = Log {
            tests: vec![entry(&program, found)],
        };
        let text = log.to_string();
        self.written += text.len() as u64;
        self.log
            .write_all(text.as_bytes())
            .map_err(unwritable(&self.folder))
    }

    /// The log first: progress never vouches for what is not there.
    fn save(&mut self) -> Result<(), Fault> {
        let at = self.folder.join("progress.json");
        let new = self.folder.join("progress.new");
        self.progress.log = self.written;
        let text = serde_json::to_string_pretty(&self.progress).unwrap_or_default();
        let saved = self
            .log
            .flush()
            .and_then(|()| fs::write(&new, text))
            .and_then(|()| fs::rename(&new, &at));
        self.saved = Instant::now();
        saved.map_err(|error| Fault::Unwritable(at, error))
    }
}

/// What a log says of a test.
fn entry(program: &Program, found: &Found) -> Entry {
    let allowed = found.answer.as_ref().map(|answer| Allowed::by(program, answer));
    let states = allowed.iter().flat_map(Allowed::states);
    Entry {
        name: program.name.clone(),
        kind: "Allowed".to_owned(),
        states: states.map(|state| (state, None)).collect(),
        verdict: if found.answer.is_some() { "Ok" } else { "Unknown" }.to_owned(),
        seconds: format!("{:.6}", found.seconds),
        hash: program.hash(),
        ..Entry::default()
    }
}
