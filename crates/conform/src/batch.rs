//! Tests made into few programs, and run.
//!
//! A program prints a test's histogram when the test is done. When it prints nothing for too long, or ends early, the
//! test that was next is at fault: it is named, what was printed stays, and the program is started again after it.

use crate::error::Error;
use crate::launch::{self, Ending};
use crate::rank::{self, DECLARES};
use crate::record::{Record, Span};
use crate::settings::Case;
use crate::settings::Settings;
use crate::stop::Stop;
use crate::target::{Means, Target};
use farside_emit::emit;
use farside_litmus::ast::Program;
use farside_litmus::log::{self, Entry};
use std::process::Command;

/// What became of a test.
#[derive(Clone, Debug)]
pub enum Fate {
    /// Its histogram.
    Ran(Entry),
    /// The interface cannot express it: why.
    NotEmitted(String),
    /// It was not started, or not done when the run was stopped: why.
    NotRun(String),
    /// It printed nothing for too long.
    Hung,
    /// Its program ended in it: how, in words.
    Crashed(String),
}

/// Brings tests into the order in which one run has them: first those that the interface cannot express, then by number
/// of processes, then as they were named.
pub fn in_order_of_a_run(results: &mut [(&Case, Fate)]) {
    results.sort_by_key(|(case, fate)| match fate {
        Fate::NotEmitted(_) => 0,
        _ => case.program.processes.len(),
    });
}

/// Runs tests.
pub struct Runner<'a> {
    settings: &'a Settings,
    target: &'a Target,
    folder: tempfile::TempDir,
    stop: Stop,
    /// Hears of every test that is done.
    done: &'a dyn Fn(),
    /// Where histograms go as they come.
    log: Option<Record>,
    /// The model that the target declares, when it has.
    declared: Option<String>,
}

impl<'a> Runner<'a> {
    /// For a target. The log is made, and signals are heard from now on; `done` hears of every test that is done.
    ///
    /// # Errors
    /// A file cannot be made.
    pub fn new(settings: &'a Settings, target: &'a Target, done: &'a dyn Fn()) -> Result<Self, Error> {
        let declared = settings.target.declared(settings.accumulate);
        let log = settings.log.as_ref().map(|path| Record::create(path, declared));
        Ok(Self {
            settings,
            target,
            folder: tempfile::tempdir().map_err(|error| Error::Unwritable(std::env::temp_dir(), error))?,
            stop: Stop::new(settings.limit)?,
            done,
            log: log.transpose()?,
            declared: declared.map(str::to_owned),
        })
    }

    /// The model that the target declares, when it has.
    #[must_use]
    pub fn declared(&self) -> Option<&str> {
        self.declared.as_deref()
    }

    /// Runs all tests.
    ///
    /// # Errors
    /// A program cannot be made or started. What it does then is a test's [`Fate`].
    pub fn run<'c>(&mut self, cases: &'c [Case]) -> Result<Vec<(&'c Case, Fate)>, Error> {
        let mut results = Vec::new();
        let mut fit = Vec::new();
        for case in cases {
            match self
                .settings
                .target
                .expresses(&case.program, self.settings.accumulate)
            {
                Ok(()) => fit.push(case),
                Err(why) => {
                    results.push((case, Fate::NotEmitted(why.to_owned())));
                    (self.done)();
                }
            }
        }
        // Tests of as many processes together: other ranks would only take processors away.
        fit.sort_by_key(|case| case.program.processes.len());
        // What is compiled has a size that compilers like; ranks read all tests at once.
        let most = match self.target.means() {
            Means::Emitted { .. } => self.settings.batch as usize,
            Means::Ranks { .. } => usize::MAX,
        };
        for same in fit.chunk_by(|a, b| a.program.processes.len() == b.program.processes.len()) {
            for batch in same.chunks(most) {
                match self.stop.reason() {
                    Some(why) => results.extend(batch.iter().map(|case| (*case, Fate::NotRun(why.clone())))),
                    None => {
                        self.make(batch)?;
                        self.launch(batch, &mut results)?;
                    }
                }
            }
        }
        Ok(results)
    }

    fn refused(&self, why: String) -> Error {
        Error::Target(self.settings.target.name(), why)
    }

    /// Writes the program, or what it reads, into the folder.
    fn make(&self, batch: &[&Case]) -> Result<(), Error> {
        let programs: Vec<&Program> = batch.iter().map(|case| &case.program).collect();
        let write = |name: &str, text: String| {
            let path = self.folder.path().join(name);
            std::fs::write(&path, text).map_err(|error| Error::Unwritable(path.clone(), error))?;
            Ok(path)
        };
        match self.target.means() {
            Means::Ranks { .. } => write("tests.litmus", rank::file(&programs)).map(drop),
            Means::Emitted {
                interface,
                compiler,
                options,
                header,
            } => {
                if let Some((name, text)) = header {
                    write(name, (*text).to_owned())?;
                }
                let text = emit(&programs, *interface).map_err(|error| self.refused(error.to_string()))?;
                let source = write("tests.c", text)?;
                let compiled = Command::new(compiler)
                    .args(["-O1", "-std=gnu11", "-o"])
                    .arg(self.folder.path().join("tests"))
                    .arg("-I")
                    .arg(self.folder.path())
                    .arg(&source)
                    .args(options)
                    .output()
                    .map_err(|error| Error::NotStarted(compiler.display().to_string(), error))?;
                match compiled.status.success() {
                    true => Ok(()),
                    false => Err(self.refused(String::from_utf8_lossy(&compiled.stderr).into_owned())),
                }
            }
        }
    }

    fn launch<'c>(&mut self, batch: &[&'c Case], results: &mut Vec<(&'c Case, Fate)>) -> Result<(), Error> {
        let mut next = 0;
        while next < batch.len() {
            let (entries, ending) = self.once(batch, next)?;
            for entry in entries {
                if next < batch.len() {
                    results.push((batch[next], Fate::Ran(entry)));
                    next += 1;
                }
            }
            if next == batch.len() {
                return Ok(());
            }
            let fate = match ending {
                Ending::Stopped(why) => {
                    let rest = batch[next..].iter();
                    results.extend(rest.map(|case| (*case, Fate::NotRun(why.clone()))));
                    return Ok(());
                }
                Ending::Hung => Fate::Hung,
                Ending::Itself(how) => Fate::Crashed(how),
            };
            results.push((batch[next], fate));
            (self.done)();
            next += 1;
        }
        Ok(())
    }

    /// Starts the program at its `first` test, and reads until it ends.
    fn once(&mut self, batch: &[&Case], first: usize) -> Result<(Vec<Entry>, Ending), Error> {
        let ranks = batch[first].program.processes.len();
        let command = self.target.job(ranks, self.folder.path(), first, self.settings)?;
        let patience = self.settings.hang.max(self.target.patience());
        let mut text = String::new();
        let mut span = Span::default();
        let (stop, log, declared, done) = (&self.stop, &mut self.log, &mut self.declared, self.done);
        let mut take = |line: String| {
            if let Some(model) = line.strip_prefix(DECLARES) {
                *declared = Some(model.to_owned());
            }
            let ended = span.take(&line, text.len());
            text += &line;
            text.push('\n');
            if ended {
                // Nothing of it is lost if this run is ended.
                if let Some(log) = log.as_mut() {
                    log.take(declared.as_deref(), span.of(&text))?;
                }
                done();
            }
            Ok(())
        };
        let ending = launch::follow(
            command,
            self.folder.path(),
            patience,
            &|| stop.reason(),
            &mut take,
        )?;
        text.truncate(span.end());
        // A log without a test is none to the reader.
        let entries = match span.end() {
            0 => Vec::new(),
            _ => {
                let log = log::read(&text)
                    .map_err(|error| self.refused(format!("its output cannot be read: {error}")))?;
                log.tests
            }
        };
        Ok((entries, ending))
    }
}
