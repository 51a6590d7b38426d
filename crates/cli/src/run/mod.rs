//! `farside run`: start the ranks of a program, and see that all of them end together.
//!
//! | step | file |
//! |---|---|
//! | arguments defined | `arguments` |
//! | which cores each rank gets | `cores` |
//! | signals, ends of processes and news of the rendezvous as one stream | `notices` |
//! | the ranks started | `ranks` |
//! | their output forwarded, line by line | `forward`, `lines` |
//! | followed until all have ended, or one has failed | `follow`, `ending` |
//! | files that killed ranks leave in `/dev/shm` | `remains` |
//! | the guard, should this process be killed | `guard` |
//!
//! With `--check`, the whole is a command of `farside check`, which reads what the ranks record.
//!
//! Promise: when this returns, no process that the ranks have started lives, also none that has left its session: orphans
//! become children of this process (a *subreaper*). If this process itself is killed, the kernel kills the ranks, and the
//! guard all that carries the name of the job in its environment. The rendezvous has no file, so none stays behind.

pub(crate) mod arguments;
mod cores;
mod ending;
mod follow;
mod forward;
pub(crate) mod guard;
mod lines;
mod notices;
mod ranks;
mod remains;

use crate::arguments::Color;
use crate::check;
use crate::fault::Fault;
use crate::output::complain;
use crate::status::Status;
use arguments::RunArguments;
use farside_launch::{Address, Server, fresh_name};
use follow::Follow;
use forward::Forward;
use guard::Guard;
use lines::Style;
use notices::{Notice, Notices};
use ranks::Ranks;
use std::io::IsTerminal as _;

/// Runs the subcommand.
pub(crate) fn run(arguments: RunArguments) -> Status {
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
    farside_processes::program::find(&arguments.command[0], None)?;
    let farside = std::env::current_exe().map_err(|error| Fault::NotStarted("farside".into(), error))?;
    Ok(check::run(
        arguments.to_check(farside.into_os_string()),
        check::Calls::OfTheCrate,
    ))
}

fn run_job(arguments: &RunArguments) -> Result<Status, Fault> {
    let ours = |error: std::io::Error| Fault::NotStarted("the job".into(), error);
    let job = fresh_name().map_err(ours)?;
    let guard = Guard::start(&job).map_err(ours)?;
    let notices = Notices::listen().map_err(ours)?;
    // Not fatal: without it, what leaves its parent is found by the guard only.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::Pid::INIT));
    let news = notices.sender();
    let server = Server::start(
        &Address::Abstract(job.clone()),
        &job,
        arguments.processes(),
        move |event| {
            // The job may be over already.
            let _ = news.send(Notice::Rank(event));
        },
    );
    let server = server.map_err(ours)?;
    let (ranks, outputs) = Ranks::start(arguments, &job, server.address(), guard.pid())?;
    let forward = Forward::start(outputs, &styles(arguments), notices.sender()).map_err(ours)?;
    let status = Follow::new(arguments, ranks, &server, &notices, &forward).follow();
    drop(server);
    guard.dismiss();
    Ok(status)
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
