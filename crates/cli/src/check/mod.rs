//! `farside check`: run a program, watch its one-sided communication, report what is wrong.
//!
//! | step | file |
//! |---|---|
//! | arguments resolved, files checked | `settings` |
//! | the command looked at before it runs | `preflight`, `elf` |
//! | the private spool folder | `folder` |
//! | the command started, signals heard | `launch`, `processes` of the crate |
//! | recordings followed until all have ended | `follow`, `spool`, `origins` |
//! | being asked to end | `interrupt` |
//! | the events of one process | `stream` |
//! | the events of one job merged and judged | `merge`, `job` |
//! | addresses to places | `symbols` |
//! | one report | `assemble`, `shortfalls` |
//! | findings of `farside lint` compared with it | `predictions` |
//! | shown | `present` |

mod assemble;
mod elf;
mod folder;
mod follow;
mod interrupt;
mod job;
mod launch;
mod merge;
mod origins;
mod predictions;
mod preflight;
pub(crate) mod present;
pub(crate) mod settings;
mod shortfalls;
mod spool;
pub(crate) mod symbols;

use crate::arguments::CheckArguments;
use crate::fault::Fault;
use crate::output::complain;
use crate::status::Status;
use assemble::Assembled;
use folder::SpoolFolder;
use follow::Ended;
use launch::Notices;
use settings::{Progress, Settings};
use spool::Spool;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Whose calls the processes of the command make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// Those of MPI, by a library that is preloaded; or those of the crate `farside`, which needs none.
    OfMpi,
    /// Those of the crate only.
    OfTheCrate,
}

/// The file that a program name stands for, as the shell would find it.
pub(crate) fn find_program(name: &OsStr) -> Result<PathBuf, Fault> {
    preflight::find(name, None)
}

/// Runs the subcommand.
pub(crate) fn run(arguments: CheckArguments, calls: Calls) -> Status {
    match check(arguments, calls) {
        Ok(status) => status,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

fn check(arguments: CheckArguments, calls: Calls) -> Result<Status, Fault> {
    let settings = Settings::resolve(arguments, calls)?;
    let preflight = preflight::examine(&settings.command)?;
    // Before the folder exists, so that no signal leaves it behind.
    let notices = Notices::listen().map_err(|error| Fault::NotStarted("farside".into(), error))?;
    let folder = SpoolFolder::create(&settings.spool, settings.keep_spool)?;
    interrupt::remove_at_once((!folder.kept()).then(|| folder.path().to_path_buf()));
    let verbose = settings.progress == Progress::Verbose;
    let mut spool = Spool::new(
        folder.path().to_path_buf(),
        folder.kept(),
        settings.options,
        settings.lint.is_some(),
        verbose,
    );
    let library = settings.library.as_deref();
    let library = library.map(|library| folder.preloadable(library)).transpose()?;
    let child = notices.launch(&settings.command, library.as_deref(), folder.path())?;
    let ended = follow::follow(&notices, child, &mut spool, settings.time_limit);
    launch::reap();
    if settings.progress != Progress::Quiet {
        eprintln!(
            "farside: the program has ended ({} raw findings); making the report",
            spool.found()
        );
    }
    let outcome = spool.finish(ended.limit.is_some());
    let Assembled {
        mut report,
        inconclusive,
        executed,
    } = assemble::assemble(&settings.command, outcome, &preflight, &ended);
    // Before findings are hidden: a finding that is known confirms as well.
    report.predictions = settings
        .lint
        .as_ref()
        .map(|lint| lint.compare(&report, &executed));
    let unused = settings.suppressions.apply(&mut report);
    if verbose {
        unused
            .iter()
            .for_each(|entry| eprintln!("farside: nothing matches the suppression {entry}"));
    }
    let presented = present::present(&report, &settings);
    follow::wind_up(&notices, &ended);
    interrupt::remove_at_once(None);
    presented?;
    if folder.kept() {
        eprintln!("farside: the spool is kept in {}", folder.path().display());
    }
    Ok(judge(&ended, !report.findings.is_empty(), inconclusive))
}

/// The exit status of a run.
///
/// A program that failed by itself, or was broken off by a signal to us, is 3, whatever was found. One that we ended
/// at the time limit did not fail by itself: it is 1 if there are findings (a deadlock is one), else 4.
fn judge(ended: &Ended, findings: bool, inconclusive: bool) -> Status {
    let succeeded = ended.status.is_some_and(|status| status.success());
    // Some launchers end with 0 when a signal made them end their processes.
    let broken_off = ended.interrupted.is_some() && inconclusive;
    match (ended.limit, findings) {
        (None, _) if !succeeded || broken_off => Status::ProgramFailed,
        (_, true) => Status::Findings,
        (Some(_), false) => Status::Inconclusive,
        (None, false) if inconclusive => Status::Inconclusive,
        (None, false) => Status::Clean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    #[test]
    fn exit_statuses() {
        let ended = |raw, limit: Option<u64>| Ended {
            status: Some(ExitStatus::from_raw(raw)),
            limit: limit.map(Duration::from_secs),
            interrupted: None,
        };
        for (raw, limit, findings, inconclusive, status) in [
            (0, None, false, false, Status::Clean),
            (0, None, true, false, Status::Findings),
            (0, None, true, true, Status::Findings),
            (0, None, false, true, Status::Inconclusive),
            (1 << 8, None, false, true, Status::ProgramFailed),
            (9, None, true, false, Status::ProgramFailed),
            (15, Some(1), true, false, Status::Findings),
            (15, Some(1), false, false, Status::Inconclusive),
        ] {
            assert_eq!(
                judge(&ended(raw, limit), findings, inconclusive),
                status,
                "{raw} {limit:?} {findings}"
            );
        }
    }
}
