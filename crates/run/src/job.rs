//! A job from its request to its end.

use crate::cores::Pinning;
use crate::ending::{Failure, Reason};
use crate::follow::Follow;
use crate::forward::Forward;
use crate::guard::Guard;
use crate::lines::Style;
use crate::notices::{Notice, Notices};
use crate::ranks::Ranks;
use farside_launch::{Address, Server, fresh_name};
use farside_processes::program::Unusable;
use std::ffi::OsString;
use std::time::Duration;

/// What is to be started, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Number of processes.
    pub processes: u32,
    /// What `FARSIDE_TRANSPORT` is to be for them.
    pub transport: Option<String>,
    /// More variables for them.
    pub variables: Vec<(OsString, OsString)>,
    /// Which cores they get.
    pub pinning: Pinning,
    /// When to end the job.
    pub time_limit: Option<Duration>,
    /// How lines of stdout and stderr look.
    pub styles: [Style; 2],
    /// A command that calls [`guard`](crate::guard()) with the name of the job, which is added as the last argument.
    pub guard: Vec<OsString>,
}

/// What happens while a job runs.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// A rank was started.
    Started {
        /// Its rank.
        rank: u32,
        /// Its process id.
        pid: u32,
        /// Its cores; empty: those of this process.
        cores: &'a [usize],
    },
    /// A rank has ended.
    Ended {
        /// Its rank.
        rank: u32,
        /// Its process id.
        pid: u32,
        /// How, if not with status 0.
        failure: Option<Failure>,
    },
    /// All ranks have ended, and so many processes that they left behind are ended, too.
    LeftBehind(usize),
    /// The job is ended for this reason.
    Broken(&'a Reason),
}

/// Why a job was not started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program is not there, or may not be run.
    #[error(transparent)]
    Program(#[from] Unusable),
    /// Another reason.
    #[error("cannot start {0}: {1}")]
    NotStarted(String, std::io::Error),
}

/// Runs a job until nothing of it lives. Returns why it was ended before all of its ranks had ended well, if it was.
///
/// Call it in the main thread of a process that does nothing else: the ranks end with the thread that starts them, and every
/// child of this process is waited for.
///
/// # Errors
/// It was not started: nothing of it runs.
pub fn run(request: &Request, tell: &dyn Fn(News<'_>)) -> Result<Option<Reason>, Error> {
    let ours = |error: std::io::Error| Error::NotStarted("the job".into(), error);
    let job = fresh_name().map_err(ours)?;
    let guard = Guard::start(&request.guard, &job).map_err(ours)?;
    let notices = Notices::listen().map_err(ours)?;
    // Not fatal: without it, what leaves its parent is found by the guard only.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::Pid::INIT));
    let news = notices.sender();
    let server = Server::start(
        &Address::Abstract(job.clone()),
        &job,
        request.processes,
        move |event| {
            // The job may be over already.
            let _ = news.send(Notice::Rank(event));
        },
    );
    let server = server.map_err(ours)?;
    let (ranks, outputs) = Ranks::start(request, &job, server.address(), guard.pid(), tell)?;
    let forward = Forward::start(outputs, &request.styles, notices.sender()).map_err(ours)?;
    let reason = Follow::new(request, ranks, &server, &notices, &forward, tell).follow();
    drop(server);
    guard.dismiss();
    Ok(reason)
}
