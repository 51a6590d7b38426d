//! `farside run`: start the ranks of a program, and see that all of them end together.
//!
//! The work is that of the crate `farside-run`. Here are the arguments (`arguments`), made into a request, and what is
//! said of the job. With `--check`, the whole is a command of `farside check`, which reads what the ranks record.

pub(crate) mod arguments;

use crate::check;
use crate::fault::Fault;
use crate::options::Color;
use crate::output::{complain, say};
use crate::status::Status;
use arguments::{GuardArguments, RunArguments};
use farside_run::{News, Pinning, Reason, Request, Style};
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// Runs the subcommand.
pub(crate) fn run(arguments: RunArguments) -> Status {
    if arguments.wants_check() && arguments.keeps_going() {
        return refuse(Fault::CheckedLoss);
    }
    if arguments.wants_check() {
        return run_checked(&arguments).unwrap_or_else(refuse);
    }
    run_job(&arguments).unwrap_or_else(refuse)
}

fn refuse(fault: Fault) -> Status {
    complain(&fault);
    Status::Usage
}

fn run_checked(arguments: &RunArguments) -> Result<Status, Fault> {
    // Said here: each rank would find out by itself, and the report would be about a job in which nothing was checked.
    if !arguments.goes_elsewhere() {
        farside_processes::program::find(&arguments.command[0], None)?;
    }
    let farside = std::env::current_exe().map_err(|error| Fault::NotStarted("farside".into(), error))?;
    Ok(check::run(
        arguments.to_check(farside.into_os_string()),
        check::Calls::OfTheCrate,
    ))
}

/// Runs the subcommand that watches over a job.
pub(crate) fn guard(arguments: &GuardArguments) -> Status {
    farside_run::guard(&arguments.boot);
    Status::Clean
}

/// The command that watches over a job.
fn guard_of(farside: PathBuf) -> Vec<OsString> {
    vec![farside.into_os_string(), "run-guard".into()]
}

/// Runs the subcommand that starts the ranks of a host.
pub(crate) fn agent() -> Status {
    let ended = match std::env::current_exe() {
        Ok(farside) => farside_run::agent(&guard_of(farside)),
        Err(error) => Err(format!("cannot find this program: {error}")),
    };
    match ended {
        Ok(()) => Status::Clean,
        Err(why) => {
            say!("farside run-agent: {why}");
            Status::Usage
        }
    }
}

fn run_job(arguments: &RunArguments) -> Result<Status, Fault> {
    let farside = std::env::current_exe().map_err(|error| Fault::NotStarted("the job".into(), error))?;
    let request = Request {
        command: arguments.command.clone(),
        processes: arguments.processes(),
        transport: arguments.transport(),
        variables: arguments.env.clone(),
        nodes: arguments.nodes(),
        pinning: match (arguments.pin, arguments.no_pin) {
            (_, true) => Pinning::Never,
            (true, false) => Pinning::Always,
            (false, false) => Pinning::WherePossible,
        },
        keep_going: arguments.keeps_going(),
        time_limit: arguments.time_limit,
        styles: styles(arguments),
        hosts: arguments.hosts(&farside)?,
        guard: guard_of(farside),
    };
    let broken = farside_run::run(&request, &|news| say(arguments.verbose, news))?;
    Ok(match broken {
        None => Status::Clean,
        Some(Reason::WithoutSome { left, .. }) if left > 0 => Status::WithoutSome,
        Some(Reason::OutputLost(_)) => Status::Usage,
        Some(_) => Status::ProgramFailed,
    })
}

/// Says on stderr what happens, if it is to be said.
fn say(verbose: bool, news: News<'_>) {
    match news {
        News::Started {
            rank,
            pid,
            host,
            cores,
        } if verbose => {
            say!(
                "farside run: rank {rank} is process {pid}{}{}",
                at(host),
                on(cores)
            );
        }
        News::Ended {
            rank,
            pid,
            host,
            failure,
        } if verbose => {
            let words = failure.map_or_else(|| "ended with status 0".to_owned(), |how| how.to_string());
            say!("farside run: rank {rank} (pid {pid}{}) {words}", at(host));
        }
        News::Started { .. } | News::Ended { .. } => {}
        News::Lost(loss) => say!("farside run: {loss}; the others go on"),
        News::LeftBehind(1) => {
            say!("farside run: all ranks have ended; a process of theirs that was left is ended, too");
        }
        News::LeftBehind(left) => say!(
            "farside run: all ranks have ended; {left} processes of theirs that were left are ended, too"
        ),
        News::Broken(reason) => say!("farside run: {reason}"),
    }
}

fn at(host: Option<&str>) -> String {
    host.map_or_else(String::new, |host| format!(" on {host}"))
}

fn on(cores: &[usize]) -> String {
    match cores {
        [] => String::new(),
        [core] => format!(", core {core}"),
        list => format!(
            ", cores {}",
            list.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
        ),
    }
}

/// How lines of stdout and stderr look.
fn styles(arguments: &RunArguments) -> [Style; 2] {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    [std::io::stdout().is_terminal(), std::io::stderr().is_terminal()].map(|terminal| Style {
        label: arguments.label.then_some(arguments.processes()),
        coloured: match arguments.report.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !plain,
        },
    })
}
