//! Tests compiled into few programs, and run.
//!
//! A program prints a test's histogram when the test is done. When it prints nothing for the time of `--hang`, or ends early, the
//! test that was next is at fault: it is named, what was printed stays, and the program is started again behind it.

use super::arguments::ConformArguments;
use super::target;
use crate::fault::Fault;
use farside_emit::{Unsupported, emit};
use farside_litmus::ast::Program;
use farside_litmus::log::{self, Entry};
use indicatif::ProgressBar;
use std::io::{BufRead as _, BufReader, IsTerminal as _};
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

/// Runs all tests.
pub(super) fn run<'p>(
    programs: &'p [Program],
    arguments: &ConformArguments,
) -> Result<Vec<(&'p Program, Fate)>, Fault> {
    let interface = target::interface(arguments.target);
    let bar = match !arguments.quiet && std::io::stderr().is_terminal() {
        true => ProgressBar::new(programs.len() as u64),
        false => ProgressBar::hidden(),
    };
    let mut results = Vec::new();
    let mut fit = Vec::new();
    for program in programs {
        match emit(&[program], interface) {
            Ok(_) => fit.push(program),
            Err(
                Unsupported::Statement { .. } | Unsupported::Overlap { .. } | Unsupported::TooLarge { .. },
            ) => {
                results.push((program, Fate::Unsupported));
                bar.inc(1);
            }
        }
    }
    // Tests of as many processes together: other ranks would only take processors away.
    fit.sort_by_key(|program| program.processes.len());
    let folder = tempfile::tempdir().map_err(|error| Fault::Unwritable(std::env::temp_dir(), error))?;
    for same in fit.chunk_by(|a, b| a.processes.len() == b.processes.len()) {
        for batch in same.chunks(arguments.batch as usize) {
            compile(batch, folder.path(), arguments)?;
            launch(batch, folder.path(), arguments, &bar, &mut results)?;
        }
    }
    bar.finish_and_clear();
    Ok(results)
}

fn compile(batch: &[&Program], folder: &Path, arguments: &ConformArguments) -> Result<(), Fault> {
    let source = folder.join("tests.c");
    let refused = |why: String| Fault::Target(arguments.target.name(), why);
    let text =
        emit(batch, target::interface(arguments.target)).map_err(|error| refused(error.to_string()))?;
    std::fs::write(&source, text).map_err(|error| Fault::Unwritable(source.clone(), error))?;
    let compiler = target::compiler(arguments.target);
    let compiled = Command::new(compiler)
        .args(["-O1", "-std=gnu11", "-o"])
        .arg(folder.join("tests"))
        .arg(&source)
        .output()
        .map_err(|error| Fault::NotStarted(compiler.to_owned(), error))?;
    match compiled.status.success() {
        true => Ok(()),
        false => Err(refused(String::from_utf8_lossy(&compiled.stderr).into_owned())),
    }
}

fn launch<'p>(
    batch: &[&'p Program],
    folder: &Path,
    arguments: &ConformArguments,
    bar: &ProgressBar,
    results: &mut Vec<(&'p Program, Fate)>,
) -> Result<(), Fault> {
    let mut next = 0;
    while next < batch.len() {
        let (entries, ending) = once(batch, next, folder, arguments, bar)?;
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
            bar.inc(1);
            next += 1;
        }
    }
    Ok(())
}

enum Ending {
    Hung,
    Itself(String),
}

/// Starts the program at its `first` test, and reads until it ends.
fn once(
    batch: &[&Program],
    first: usize,
    folder: &Path,
    arguments: &ConformArguments,
    bar: &ProgressBar,
) -> Result<(Vec<Entry>, Ending), Fault> {
    let launcher = target::launcher(arguments.target);
    let ranks = batch[first].processes.len().to_string();
    let mut child = Command::new(launcher[0])
        .args(&launcher[1..])
        .arg(ranks)
        .arg(folder.join("tests"))
        .args([
            arguments.runs.to_string(),
            arguments.seed.to_string(),
            arguments.delay.to_string(),
            first.to_string(),
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // A group of its own, so that the launcher and its ranks can be ended together.
        .process_group(0)
        .spawn()
        .map_err(|error| Fault::NotStarted(launcher[0].to_owned(), error))?;
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
    let mut text = String::new();
    let mut whole = 0;
    let mut hung = false;
    loop {
        match lines.recv_timeout(arguments.hang) {
            Ok(line) => {
                text += &line;
                text.push('\n');
                if line.starts_with("Hash=") {
                    whole = text.len();
                    bar.inc(1);
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
    let status = child
        .wait()
        .map_err(|error| Fault::NotStarted(launcher[0].to_owned(), error))?;
    text.truncate(whole);
    // A log without a test is none to the reader.
    let entries = match whole {
        0 => Vec::new(),
        _ => {
            let unreadable = |error| format!("its output cannot be read: {error}");
            let log = log::read(&text)
                .map_err(|error| Fault::Target(arguments.target.name(), unreadable(error)))?;
            log.tests
        }
    };
    let ending = match hung {
        true => Ending::Hung,
        false => Ending::Itself(status.to_string()),
    };
    Ok((entries, ending))
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
