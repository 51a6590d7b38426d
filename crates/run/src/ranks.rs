//! Processes of ranks on this host: started, waited for, told signals.

use crate::cores::Pinning;
use crate::crew::{Crew, Process};
use crate::request::{Error, Request};
use crate::{cores, remains};
use farside_launch::{Address, tie};
use farside_processes::plain;
use farside_processes::program::Unusable;
use farside_processes::{self as processes, signals};
use rustix::process::{Resource, Rlimit, WaitOptions, getrlimit, setrlimit, waitpid};
use signal_hook::consts::signal::SIGKILL;
use std::ffi::OsString;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

/// What the ranks write: each rank's stdout and stderr.
pub(crate) type Outputs = Vec<(OwnedFd, OwnedFd)>;

/// What ranks are told of their node: those with different names share none.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// Nothing.
    Unnamed,
    /// It is the one with this number, for all of them.
    Host(u32),
    /// They are on so many nodes, in blocks.
    Blocks(u32),
}

impl Node {
    fn name(self, rank: u32, size: u32) -> Option<String> {
        match self {
            Self::Unnamed => None,
            Self::Host(number) => Some(format!("host-{number}")),
            Self::Blocks(nodes) => {
                let number = u64::from(rank) * u64::from(nodes) / u64::from(size.max(1));
                Some(format!("block-{number}"))
            }
        }
    }
}

/// The ranks of a job that run on this host, and how.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// The program and its arguments.
    command: &'a [OsString],
    /// Name of the job.
    job: &'a str,
    /// Where they find one another.
    boot: &'a Address,
    /// Which they are.
    ranks: Range<u32>,
    /// How many the job has.
    size: u32,
    /// What `FARSIDE_TRANSPORT` is to be.
    transport: Option<&'a str>,
    /// What `FARSIDE_NODE` is to be.
    node: Node,
    /// Their whole environment; `None`: that of this process.
    environment: Option<&'a [(OsString, OsString)]>,
    /// More variables.
    variables: &'a [(OsString, OsString)],
    /// Which cores they get.
    pinning: Pinning,
}

impl<'a> Part<'a> {
    /// All ranks that are asked for, in the job of this name, which meet at `boot`.
    pub(crate) fn whole(request: &'a Request, job: &'a str, boot: &'a Address) -> Self {
        Self {
            command: &request.command,
            job,
            boot,
            ranks: 0..request.processes,
            size: request.processes,
            transport: request.transport.as_deref(),
            node: request.nodes.map_or(Node::Unnamed, Node::Blocks),
            environment: None,
            variables: &request.variables,
            pinning: request.pinning,
        }
    }

    /// These of `size` ranks, with this environment.
    pub(crate) fn some(
        (command, environment): (&'a [OsString], &'a [(OsString, OsString)]),
        (job, boot): (&'a str, &'a Address),
        (ranks, size): (Range<u32>, u32),
        transport: Option<&'a str>,
        node: Node,
        pinning: Pinning,
    ) -> Self {
        Self {
            command,
            job,
            boot,
            ranks,
            size,
            transport,
            node,
            environment: Some(environment),
            variables: &[],
            pinning,
        }
    }
}

/// The ranks on this host.
#[derive(Debug)]
pub(crate) struct Ranks {
    first: u32,
    list: Vec<(u32, Option<ExitStatus>)>,
    /// Our child that is none of them.
    guard: u32,
    /// All that we have waited for: ranks, and orphans of them.
    gone: Vec<u32>,
}

impl Ranks {
    /// Starts all ranks, or none. Call it in the main thread: the ranks end with the thread that starts them. With an
    /// environment of its own, rank 0 has a pipe for its stdin, which is returned. `tell` hears of each rank, its
    /// process id and its cores.
    pub(crate) fn start(
        part: &Part<'_>,
        guard: u32,
        tell: &mut dyn FnMut(u32, u32, &[usize]),
    ) -> Result<(Self, Outputs, Option<ChildStdin>), Error> {
        let files = room_for_files(part.ranks.len() as u64 * 4);
        let mut ranks = Self {
            first: part.ranks.start,
            list: Vec::new(),
            guard,
            gone: Vec::new(),
        };
        let (mut outputs, mut input) = (Vec::new(), None);
        for rank in part.ranks.clone() {
            let here = part.ranks.len() as u32;
            let cores = cores::of_rank(rank - part.ranks.start, here, part.pinning);
            let mut command = command(part, rank);
            tie(&mut command, &cores, files);
            match command.spawn() {
                Ok(mut child) => {
                    let pid = child.id();
                    // Both are piped; waiting is ours, by process id.
                    if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
                        outputs.push((stdout.into(), stderr.into()));
                    }
                    input = input.or(child.stdin.take());
                    ranks.list.push((pid, None));
                    tell(rank, pid, &cores);
                }
                Err(error) => {
                    ranks.remove();
                    return Err(not_started(part, error));
                }
            }
        }
        Ok((ranks, outputs, input))
    }

    /// Everything that the ranks are and have started, as far as it lives.
    fn alive(&self) -> Vec<u32> {
        let mut living = processes::descendants(std::process::id());
        living.retain(|&pid| pid != self.guard && processes::start_time(pid).is_some());
        living
    }

    /// Removes the files of those that have ended.
    pub(crate) fn clear_away(&self) {
        remains::remove(&self.gone);
    }

    /// Kills what lives.
    pub(crate) fn remove(&mut self) {
        while self.living() > 0 {
            self.signal(SIGKILL);
            self.reap();
            std::thread::sleep(Duration::from_millis(5));
        }
        self.reap();
    }
}

impl Crew for Ranks {
    fn process(&self, rank: u32) -> Process<'_> {
        let (pid, ended) = self.list[(rank - self.first) as usize];
        Process::new(pid, None, ended)
    }

    fn reap(&mut self) -> Vec<u32> {
        let mut ended = Vec::new();
        while let Ok(Some((pid, status))) = waitpid(None, WaitOptions::NOHANG) {
            let pid = pid.as_raw_nonzero().get().unsigned_abs();
            self.gone.push(pid);
            let rank = self
                .list
                .iter()
                .position(|&(known, over)| known == pid && over.is_none());
            if let Some(rank) = rank {
                self.list[rank].1 = Some(ExitStatus::from_raw(status.as_raw()));
                ended.push(self.first + rank as u32);
            }
        }
        ended
    }

    fn all_ended(&self) -> bool {
        self.list.iter().all(|(_, ended)| ended.is_some())
    }

    fn living(&self) -> usize {
        self.alive().len()
    }

    fn signal(&mut self, number: i32) {
        self.alive().iter().for_each(|&pid| signals::send(pid, number));
    }

    fn is_at_the_terminal(&self) -> bool {
        true
    }
}

fn command(part: &Part<'_>, rank: u32) -> Command {
    let mut command = Command::new(&part.command[0]);
    command.args(&part.command[1..]).stdin(Stdio::null());
    if let Some(environment) = part.environment {
        command
            .env_clear()
            .envs(environment.iter().map(|(name, value)| (name, value)));
    }
    if rank == 0 {
        command.stdin(match part.environment {
            Some(_) => Stdio::piped(),
            None => Stdio::inherit(),
        });
    }
    command
        // This is the launcher, whatever started us.
        .env_remove("FARSIDE_LAUNCHER")
        .env_remove("FARSIDE_RENDEZVOUS")
        .env_remove("FARSIDE_NODE")
        .env("FARSIDE_RANK", rank.to_string())
        .env("FARSIDE_SIZE", part.size.to_string())
        .env("FARSIDE_JOB", part.job)
        .env("FARSIDE_BOOT", part.boot.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(transport) = part.transport {
        command.env("FARSIDE_TRANSPORT", transport);
    }
    if let Some(node) = part.node.name(rank, part.size) {
        command.env("FARSIDE_NODE", node);
    }
    if part.pinning == Pinning::Never {
        command.env("FARSIDE_PIN", "none");
    }
    command.envs(part.variables.iter().map(|(name, value)| (name, value)));
    command
}

fn not_started(part: &Part<'_>, error: std::io::Error) -> Error {
    let program = &part.command[0];
    match Unusable::of(program, &error) {
        Some(unusable) => Error::Program(unusable),
        None => Error::NotStarted(plain(&program.to_string_lossy()), error),
    }
}

/// Raises our own limit of open files where the ranks need it; the limit that they are to have then.
pub(crate) fn room_for_files(files: u64) -> Option<Rlimit> {
    let limit = getrlimit(Resource::Nofile);
    let needed = files + 64;
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
