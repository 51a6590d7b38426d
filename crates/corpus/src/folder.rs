//! The folder of a row: tests, expected outputs, and how far it is.
//!
//! ```text
//! IR-2/000/IR-2-000001.litmus    a test a file, a thousand a folder
//! IR-2/IR-2.log                  expected outputs, in the form of the field's simulator
//! IR-2/progress.json             what was asked for, and after which unit the above is whole
//! ```
//!
//! In an archive the tests are in `IR-2/IR-2.tar.gz` instead, under the same names, and the log is `IR-2/IR-2.log.gz`:
//! file systems are slow with millions of small files. Where tests are only counted, there is `progress.json` alone.
//!
//! A run that goes on cuts these files back to what `progress.json` vouches for, and writes later tests anew.

use crate::error::Error;
use crate::stream::Stream;
use crate::wanted::{Content, Wanted};
use farside_explore::allowed::Allowed;
use farside_explore::answer::Answer;
use farside_forge::Test;
use farside_litmus::log::{Entry, Log, State};
use farside_litmus::print;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often progress is written down.
const EVERY: Duration = Duration::from_millis(200);
/// Tests a folder.
const TESTS: u64 = 1000;

/// What was counted so far. Written to disk, so that a run can go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Tests found.
    pub tests: u64,
    /// Outcomes that they may have.
    pub outputs: u64,
    /// Tests that the engine could not answer within its budget.
    pub unanswered: u64,
    /// Of all threads together, in finding tests.
    pub generating: Duration,
    /// Of all threads together, in computing outputs.
    pub exploring: Duration,
    /// On the clock.
    pub elapsed: Duration,
}

impl Counts {
    /// With what was counted in a unit; not the time on the clock.
    pub(crate) fn add(&mut self, unit: &Self) {
        self.tests += unit.tests;
        self.outputs += unit.outputs;
        self.unanswered += unit.unanswered;
        self.generating += unit.generating;
        self.exploring += unit.exploring;
    }
}

/// What a test is called until it has its number.
const UNNAMED: &str = "test";

/// A test, and what a model says of it. It has no name yet: that depends on how many come before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Found {
    /// What stands in its file after its name.
    body: String,
    hash: String,
    /// Its outcomes; none where the engine's budget was spent.
    states: Option<Vec<String>>,
    seconds: f64,
}

impl Found {
    /// A test with its answer, which took so long.
    pub(crate) fn new(test: &Test, answer: Option<&Answer>, seconds: f64) -> Self {
        let program = test.program(UNNAMED);
        let states = answer.map(|answer| {
            let allowed = Allowed::by(&program, answer);
            allowed.states().map(|state| state.to_string()).collect()
        });
        let text = print(&program);
        let (_, body) = text.split_once('\n').unwrap_or_default();
        Self {
            body: body.to_owned(),
            hash: program.hash(),
            states,
            seconds,
        }
    }

    /// Its file.
    fn text(&self, name: &str) -> String {
        format!("RMA {name}\n{}", self.body)
    }

    /// What a log says of it.
    fn entry(&self, name: &str) -> Entry {
        let states = self.states.iter().flatten();
        Entry {
            name: name.to_owned(),
            kind: "Allowed".to_owned(),
            states: states
                .filter_map(|state| Some((State::read(state)?, None)))
                .collect(),
            verdict: if self.states.is_some() { "Ok" } else { "Unknown" }.to_owned(),
            seconds: format!("{:.6}", self.seconds),
            hash: self.hash.clone(),
            ..Entry::default()
        }
    }
}

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
    /// Bytes of the archive that do.
    archive: u64,
    counts: Counts,
}

/// The folder of a row.
pub(crate) struct Folder {
    folder: PathBuf,
    name: String,
    progress: Progress,
    log: Option<Stream>,
    archive: Option<tar::Builder<Stream>>,
    /// When progress was written down last.
    saved: Option<Instant>,
}

impl Folder {
    /// Opens or makes the folder of a row.
    pub(crate) fn open(out: &Path, wanted: &Wanted, content: Content, restart: bool) -> Result<Self, Error> {
        let name = wanted.name();
        let folder = out.join(&name);
        if restart && folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| Error::Unwritable(folder.clone(), error))?;
        }
        fs::create_dir_all(&folder).map_err(|error| Error::Unwritable(folder.clone(), error))?;
        let definition = format!("{content:?} of {:?}", wanted.definition);
        let progress = read(&folder, definition)?;
        let packed = content == Content::Archive;
        let (mut log, mut archive) = (None, None);
        // Opening cuts back; what is complete ends after what belongs to its units.
        if content != Content::Counts && !progress.complete {
            let ending = if packed { "log.gz" } else { "log" };
            let path = folder.join(format!("{name}.{ending}"));
            log = Some(Stream::open(&path, progress.log, packed)?);
        }
        if packed && !progress.complete {
            let path = folder.join(format!("{name}.tar.gz"));
            archive = Some(tar::Builder::new(Stream::open(&path, progress.archive, true)?));
        }
        Ok(Self {
            log,
            archive,
            folder,
            name,
            progress,
            saved: None,
        })
    }

    /// Whether an earlier run left something.
    pub(crate) fn is_begun(&self) -> bool {
        self.progress.units > 0 || self.progress.complete
    }

    /// Units done, and what was counted in them.
    pub(crate) fn left_at(&self) -> (usize, Counts) {
        (self.progress.units, self.progress.counts)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Whether there is nothing to do.
    pub(crate) fn is_complete(&self) -> bool {
        self.progress.complete
    }

    /// Takes the tests of a unit. `counts` holds them already.
    pub(crate) fn take(&mut self, found: &[Found], units: usize, counts: &Counts) -> Result<(), Error> {
        let first = counts.tests - found.len() as u64;
        for (number, found) in (first + 1..).zip(found) {
            self.write(number, found)?;
        }
        self.progress.units = units;
        self.progress.counts = *counts;
        if self.saved.is_none_or(|saved| saved.elapsed() >= EVERY) {
            self.save()?;
        }
        Ok(())
    }

    /// Writes down that all is done.
    pub(crate) fn complete(&mut self, counts: &Counts) -> Result<(), Error> {
        self.progress.counts = *counts;
        self.progress.complete = true;
        if let Some(archive) = &mut self.archive {
            archive
                .finish()
                .map_err(|error| Error::Unwritable(self.folder.clone(), error))?;
        }
        self.save()
    }

    fn write(&mut self, number: u64, found: &Found) -> Result<(), Error> {
        let name = format!("{}-{number:06}", self.name);
        let thousand = format!("{:03}", (number - 1) / TESTS);
        let text = found.text(&name);
        let file = format!("{name}.litmus");
        let written = match &mut self.archive {
            Some(archive) => add(archive, &Path::new(&self.name).join(&thousand).join(file), &text),
            None => {
                let folder = self.folder.join(thousand);
                let made = match (number - 1).is_multiple_of(TESTS) || !folder.exists() {
                    true => fs::create_dir_all(&folder),
                    false => Ok(()),
                };
                made.and_then(|()| fs::write(folder.join(file), text))
            }
        };
        let logged = written.and_then(|()| match &mut self.log {
            Some(stream) => {
                let log = Log {
                    tests: vec![found.entry(&name)],
                };
                stream.write_all(log.to_string().as_bytes())
            }
            None => Ok(()),
        });
        logged.map_err(|error| Error::Unwritable(self.folder.clone(), error))
    }

    /// What is vouched for first: progress never vouches for what is not there.
    fn save(&mut self) -> Result<(), Error> {
        let at = self.folder.join("progress.json");
        let saved = self.pieces().and_then(|()| {
            let new = self.folder.join("progress.new");
            let text = serde_json::to_string_pretty(&self.progress).unwrap_or_default();
            fs::write(&new, text).and_then(|()| fs::rename(&new, &at))
        });
        self.saved = Some(Instant::now());
        saved.map_err(|error| Error::Unwritable(at, error))
    }

    fn pieces(&mut self) -> io::Result<()> {
        if let Some(log) = &mut self.log {
            self.progress.log = log.piece()?;
        }
        if let Some(archive) = &mut self.archive {
            self.progress.archive = archive.get_mut().piece()?;
        }
        Ok(())
    }
}

/// What an earlier run left in the folder, if it was asked for the same.
fn read(folder: &Path, definition: String) -> Result<Progress, Error> {
    let at = folder.join("progress.json");
    let progress: Progress = match fs::read(&at) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|error| Error::Earlier(at, format!("{error}; --restart begins anew")))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Progress {
            definition: definition.clone(),
            units: 0,
            complete: false,
            log: 0,
            archive: 0,
            counts: Counts::default(),
        },
        Err(error) => return Err(Error::Unreadable(at, error)),
    };
    if progress.definition == definition {
        return Ok(progress);
    }
    let why = "the tests there were made with other options; choose another folder, or --restart";
    Err(Error::Earlier(folder.to_path_buf(), why.to_owned()))
}

/// A file of the archive. It has no time of change: equal runs make equal archives.
fn add(archive: &mut tar::Builder<Stream>, path: &Path, text: &str) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, path, text.as_bytes())
}
