//! The processes of the ranks: started, waited for, told signals.

use crate::request::{Error, News, Request};
use crate::{cores, remains};
use farside_launch::{Address, tie};
use farside_processes::plain;
use farside_processes::program::Unusable;
use farside_processes::{self as processes, signals};
use rustix::process::{Resource, Rlimit, WaitOptions, WaitStatus, getrlimit, setrlimit, waitpid};
use signal_hook::consts::signal::SIGKILL;
use std::process::{ChildStderr, ChildStdout, Command, Stdio};
use std::time::Duration;

/// What the ranks write: each rank's stdout and stderr.
pub(crate) type Outputs = Vec<(ChildStdout, ChildStderr)>;

/// A rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    pid: u32,
    ended: Option<WaitStatus>,
}

impl Process {
    /// Its process id.
    pub(crate) fn pid(self) -> u32 {
        self.pid
    }

    /// How it ended, if it has.
    pub(crate) fn ended(self) -> Option<WaitStatus> {
        self.ended
    }
}

/// All ranks.
#[derive(Debug)]
pub(crate) struct Ranks {
    list: Vec<Process>,
    /// Our child that is none of them.
    guard: u32,
    /// All that we have waited for: ranks, and orphans of them.
    gone: Vec<u32>,
}

impl Ranks {
    /// Starts all ranks, or none. Call it in the main thread: the ranks end with the thread that starts them.
    pub(crate) fn start(
        request: &Request,
        job: &str,
        boot: &Address,
        guard: u32,
        tell: &dyn Fn(News<'_>),
    ) -> Result<(Self, Outputs), Error> {
        let files = room_for_files(request.processes);
        let mut ranks = Self {
            list: Vec::new(),
            guard,
            gone: Vec::new(),
        };
        let mut outputs = Vec::new();
        for rank in 0..request.processes {
            let cores = cores::of_rank(rank, request.processes, request.pinning);
            let mut command = command(request, rank, job, boot);
            tie(&mut command, &cores, files);
            match command.spawn() {
                Ok(mut child) => {
                    let pid = child.id();
                    // Both are piped; waiting is ours, by process id.
                    if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
                        outputs.push((stdout, stderr));
                    }
                    ranks.list.push(Process { pid, ended: None });
                    tell(News::Started {
                        rank,
                        pid,
                        cores: &cores,
                    });
                }
                Err(error) => {
                    ranks.remove();
                    return Err(not_started(request, error));
                }
            }
        }
        Ok((ranks, outputs))
    }

    /// All ranks, in order.
    pub(crate) fn list(&self) -> &[Process] {
        &self.list
    }

    /// Takes leave of what has ended: ranks, which are returned, and orphans.
    pub(crate) fn reap(&mut self) -> Vec<u32> {
        let mut ended = Vec::new();
        while let Ok(Some((pid, status))) = waitpid(None, WaitOptions::NOHANG) {
            let pid = pid.as_raw_nonzero().get().unsigned_abs();
            self.gone.push(pid);
            let rank = self
                .list
                .iter()
                .position(|process| process.pid == pid && process.ended.is_none());
            if let Some(rank) = rank {
                self.list[rank].ended = Some(status);
                ended.push(rank as u32);
            }
        }
        ended
    }

    /// Whether all ranks have ended.
    pub(crate) fn all_ended(&self) -> bool {
        self.list.iter().all(|process| process.ended.is_some())
    }

    /// Everything that the ranks are and have started, as far as it lives.
    pub(crate) fn living(&self) -> Vec<u32> {
        let mut living = processes::descendants(std::process::id());
        living.retain(|&pid| pid != self.guard && processes::start_time(pid).is_some());
        living
    }

    /// Sends a signal to all that live; how many there are.
    pub(crate) fn signal(&self, number: i32) -> usize {
        let living = self.living();
        living.iter().for_each(|&pid| signals::send(pid, number));
        living.len()
    }

    /// Removes the files of those that have ended.
    pub(crate) fn clear_away(&self) {
        remains::remove(&self.gone);
    }

    /// Kills what was started, after all of it could not be.
    fn remove(&mut self) {
        while self.signal(SIGKILL) > 0 {
            self.reap();
            std::thread::sleep(Duration::from_millis(5));
        }
        self.reap();
    }
}

fn command(request: &Request, rank: u32, job: &str, boot: &Address) -> Command {
    let mut command = Command::new(&request.command[0]);
    command
        .args(&request.command[1..])
        // This is the launcher, whatever started us.
        .env_remove("FARSIDE_LAUNCHER")
        .env_remove("FARSIDE_RENDEZVOUS")
        .env("FARSIDE_RANK", rank.to_string())
        .env("FARSIDE_SIZE", request.processes.to_string())
        .env("FARSIDE_JOB", job)
        .env("FARSIDE_BOOT", boot.to_string())
        .stdin(if rank == 0 {
            Stdio::inherit()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(transport) = &request.transport {
        command.env("FARSIDE_TRANSPORT", transport);
    }
    command.envs(request.variables.iter().map(|(name, value)| (name, value)));
    command
}

fn not_started(request: &Request, error: std::io::Error) -> Error {
    let program = &request.command[0];
    match Unusable::of(program, &error) {
        Some(unusable) => Error::Program(unusable),
        None => Error::NotStarted(plain(&program.to_string_lossy()), error),
    }
}

/// Raises our own limit of open files where the ranks need it; the limit that they are to have then.
fn room_for_files(ranks: u32) -> Option<Rlimit> {
    let limit = getrlimit(Resource::Nofile);
    let needed = u64::from(ranks) * 4 + 64;
    if limit.current.is_none_or(|current| current >= needed) {
        return None;
    }
    let raised = Rlimit {
        current: Some(limit.maximum.unwrap_or(needed).min(needed)),
        maximum: limit.maximum,
    };
    // Should it not be enough, starting a rank fails and says so.
    setrlimit(Resource::Nofile, raised).ok().map(|()| limit)
}
