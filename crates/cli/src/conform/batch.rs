//! Tests made into few programs, and run.
//!
//! A program prints a test's histogram when the test is done. When it prints nothing for the time of `--hang`, or ends early, the
//! test that was next is at fault: it is named, what was printed stays, and the program is started again behind it.

use super::arguments::ConformArguments;
use super::case::Case;
use super::ranks::{self, DECLARES};
use super::target::{Means, Target};
use crate::fault::Fault;
use farside_conform::Steps;
use farside_emit::emit;
use farside_litmus::ast::Program;
use farside_litmus::log::{self, Entry};
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};

/// What became of a test.
pub(super) enum Fate {
    /// Its histogram.
    Ran(Entry),
    /// The interface does not have it.
    Unsupported,
    /// It printed nothing for too long.
    Hung,
    /// Its program ended in it: how, in words.
    Crashed(String),
}

/// Runs tests.
pub(super) struct Runner<'a> {
    arguments: &'a ConformArguments,
    target: &'a Target,
    folder: tempfile::TempDir,
    bar: ProgressBar,
    /// Where histograms go as they come.
    log: Option<File>,
    /// The model that the target declares, when it has.
    pub(super) declared: Option<String>,
}

impl<'a> Runner<'a> {
    pub(super) fn new(arguments: &'a ConformArguments, target: &'a Target) -> Result<Self, Fault> {
        let log = arguments
            .log
            .as_ref()
            .map(|path| File::create(path).map_err(|error| Fault::Unwritable(path.clone(), error)));
        Ok(Self {
            arguments,
            target,
            folder: tempfile::tempdir().map_err(|error| Fault::Unwritable(std::env::temp_dir(), error))?,
            bar: ProgressBar::hidden(),
            log: log.transpose()?,
            declared: target.declared.map(str::to_owned),
        })
    }

    /// Runs all tests.
    pub(super) fn run<'c>(&mut self, cases: &'c [Case]) -> Result<Vec<(&'c Case, Fate)>, Fault> {
        if !self.arguments.quiet && std::io::stderr().is_terminal() {
            self.bar = ProgressBar::new(cases.len() as u64);
        }
        let mut results = Vec::new();
        let mut fit = Vec::new();
        for case in cases {
            if self.has(&case.program) {
                fit.push(case);
            } else {
                results.push((case, Fate::Unsupported));
                self.bar.inc(1);
            }
        }
        // Tests of as many processes together: other ranks would only take processors away.
        fit.sort_by_key(|case| case.program.processes.len());
        // What is compiled has a size that compilers like; ranks read all tests at once.
        let most = match self.target.means {
            Means::Emitted { .. } => self.arguments.batch as usize,
            Means::Ranks { .. } => usize::MAX,
        };
        for same in fit.chunk_by(|a, b| a.program.processes.len() == b.program.processes.len()) {
            for batch in same.chunks(most) {
                self.make(batch)?;
                self.launch(batch, &mut results)?;
            }
        }
        self.bar.finish_and_clear();
        Ok(results)
    }

    fn has(&self, program: &Program) -> bool {
        match self.target.means {
            Means::Emitted { interface, .. } => emit(&[program], interface).is_ok(),
            Means::Ranks { .. } => Steps::of(program).is_ok(),
        }
    }

    fn refused(&self, why: String) -> Fault {
        Fault::Target(self.arguments.target.name(), why)
    }

    /// Writes the program, or what it reads, into the folder.
    fn make(&self, batch: &[&Case]) -> Result<(), Fault> {
        let programs: Vec<&Program> = batch.iter().map(|case| &case.program).collect();
        let write = |name: &str, text: String| {
            let path = self.folder.path().join(name);
            std::fs::write(&path, text).map_err(|error| Fault::Unwritable(path.clone(), error))?;
            Ok(path)
        };
        match &self.target.means {
            Means::Ranks { .. } => write("tests.litmus", ranks::file(&programs)).map(drop),
            Means::Emitted {
                interface,
                compiler,
                libraries,
            } => {
                let text = emit(&programs, *interface).map_err(|error| self.refused(error.to_string()))?;
                let source = write("tests.c", text)?;
                let compiled = Command::new(compiler)
                    .args(["-O1", "-std=gnu11", "-o"])
                    .arg(self.folder.path().join("tests"))
                    .arg(&source)
                    .args(*libraries)
                    .output()
                    .map_err(|error| Fault::NotStarted(compiler.display().to_string(), error))?;
                match compiled.status.success() {
                    true => Ok(()),
                    false => Err(self.refused(String::from_utf8_lossy(&compiled.stderr).into_owned())),
                }
            }
        }
    }

    fn launch<'c>(&mut self, batch: &[&'c Case], results: &mut Vec<(&'c Case, Fate)>) -> Result<(), Fault> {
        let mut next = 0;
        while next < batch.len() {
            let (entries, ending) = self.once(batch, next)?;
            for entry in entries {
                if next < batch.len() {
                    results.push((batch[next], Fate::Ran(entry)));
                    next += 1;
                }
            }
            if next < batch.len() {
                let fate = match ending {
                    Ending::Hung => Fate::Hung,
                    Ending::Itself(how) => Fate::Crashed(how),
                };
                results.push((batch[next], fate));
                self.bar.inc(1);
                next += 1;
            }
        }
        Ok(())
    }

    /// Starts the program at its `first` test, and reads until it ends.
    fn once(&mut self, batch: &[&Case], first: usize) -> Result<(Vec<Entry>, Ending), Fault> {
        let folder = self.folder.path();
        let complaints = folder.join("stderr");
        let unwritable = |error| Fault::Unwritable(complaints.clone(), error);
        let ranks = batch[first].program.processes.len();
        let mut command = self.target.job(ranks, folder, first, self.arguments)?;
        let launcher = command.get_program().to_string_lossy().into_owned();
        let not_started = |error| Fault::NotStarted(launcher.clone(), error);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&complaints).map_err(unwritable)?)
            // A group of its own, so that the launcher and its ranks can be ended together.
            .process_group(0)
            .spawn()
            .map_err(not_started)?;
        let lines = lines(&mut child);
        let patience = self.arguments.hang.max(self.target.patience);
        let mut text = String::new();
        let mut whole = 0;
        let mut hung = false;
        loop {
            match lines.recv_timeout(patience) {
                Ok(line) => {
                    if let Some(model) = line.strip_prefix(DECLARES) {
                        self.declared = Some(model.to_owned());
                    }
                    text += &line;
                    text.push('\n');
                    if line.starts_with("Hash=") {
                        self.keep(&text[whole..])?;
                        whole = text.len();
                        self.bar.inc(1);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    hung = true;
                    end(child.id());
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = child.wait().map_err(not_started)?;
        text.truncate(whole);
        // A log without a test is none to the reader.
        let entries = match whole {
            0 => Vec::new(),
            _ => {
                let log = log::read(&text)
                    .map_err(|error| self.refused(format!("its output cannot be read: {error}")))?;
                log.tests
            }
        };
        let ending = match hung {
            true => Ending::Hung,
            false => {
                let said = std::fs::read(&complaints).unwrap_or_default();
                let said = String::from_utf8_lossy(&said);
                let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
                Ending::Itself(last.map_or_else(
                    || status.to_string(),
                    |line| format!("{status}: {}", crate::fault::plain(line)),
                ))
            }
        };
        Ok((entries, ending))
    }

    /// Nothing of it is lost if this run is ended.
    fn keep(&mut self, text: &str) -> Result<(), Fault> {
        let (Some(log), Some(path)) = (&mut self.log, &self.arguments.log) else {
            return Ok(());
        };
        log.write_all(text.as_bytes())
            .map_err(|error| Fault::Unwritable(path.clone(), error))
    }
}

enum Ending {
    Hung,
    Itself(String),
}

/// What a process prints, line by line.
fn lines(child: &mut std::process::Child) -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
    }
    lines
}

/// Ends a group of processes that we started.
fn end(leader: u32) {
    let group = i32::try_from(leader)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // The launcher ends its ranks when it is asked to; what is left is killed with it.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
        std::thread::sleep(std::time::Duration::from_secs(1));
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// What an earlier run has of tests.
pub(super) struct Earlier<'c> {
    pub(super) results: Vec<(&'c Case, Fate)>,
    /// The model that the target declared.
    pub(super) declared: Option<String>,
}

/// What the log of an earlier run has of these tests.
pub(super) fn earlier<'c>(cases: &'c [Case], path: &Path) -> Result<Earlier<'c>, Fault> {
    let unusable = |why: String| Fault::Log(path.to_path_buf(), why);
    let log = crate::litmus::diff::read(path)?;
    let mut by_name: std::collections::HashMap<String, Entry> = log
        .tests
        .into_iter()
        .map(|entry| (entry.name.clone(), entry))
        .collect();
    let mut results = Vec::new();
    for case in cases {
        let Some(entry) = by_name.remove(&case.program.name) else {
            continue;
        };
        if !entry.hash.is_empty() && entry.hash != case.program.hash() {
            return Err(unusable(format!("it has another test called {}", entry.name)));
        }
        results.push((case, Fate::Ran(entry)));
    }
    let text = std::fs::read(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
    let text = String::from_utf8_lossy(&text);
    let declared = text.lines().find_map(|line| line.strip_prefix(DECLARES));
    Ok(Earlier {
        results,
        declared: declared.map(str::to_owned),
    })
}
