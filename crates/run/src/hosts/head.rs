//! All hosts of a job brought together: agents started, waited for, given their ranks; and in the end dismissed.

use super::fleet::{Fleet, Host};
use super::message::{Goal, Summons, ToAgent};
use super::side::{self, Line, Order, Shared};
use crate::ending::Reason;
use crate::follow::Follow;
use crate::forward::Forward;
use crate::notices::{FromHost, Notice, Notices};
use crate::places::{Hosts, Placed};
use crate::ranks::{Outputs, room_for_files};
use crate::request::{Error, News, Request};
use crate::shell::{Shell, why_no_agent};
use farside_launch::Server;
use farside_link as link;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Rlimit;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long agents may take to be there.
const MUSTER: Duration = Duration::from_secs(60);
/// Connections at one time whose token was not shown yet, and hosts.
const CONNECTIONS: usize = 1 << 14;
/// Files of this process that a rank needs.
const FILES: u64 = 6;
/// Variables by which `farside check` tells where is recorded: agents start collectors by them.
const CHECK: [&str; 2] = ["FARSIDE_SPOOL", "FARSIDE_FRONT"];

/// Who runs a job over several hosts.
pub(crate) struct Head<'a> {
    request: &'a Request,
    /// Name of the job.
    job: &'a str,
    /// The rendezvous.
    server: &'a Server,
    notices: &'a Notices,
    /// Our child that belongs to no host.
    guard: u32,
    tell: &'a dyn Fn(News<'_>),
    /// What ranks do that are there before the others.
    early: RefCell<VecDeque<Notice>>,
}

fn ours(error: io::Error) -> Error {
    Error::NotStarted("the job".into(), error)
}

impl<'a> Head<'a> {
    /// Of a job of this name with this rendezvous; `guard`: our child that belongs to no host.
    pub(crate) fn new(
        request: &'a Request,
        (job, server): (&'a str, &'a Server),
        notices: &'a Notices,
        guard: u32,
        tell: &'a dyn Fn(News<'_>),
    ) -> Self {
        Self {
            request,
            job,
            server,
            notices,
            guard,
            tell,
            early: RefCell::default(),
        }
    }

    /// Runs the job until nothing of it lives on any host.
    pub(crate) fn run(&self, hosts: &Hosts, shell: &Shell) -> Result<Option<Reason>, Error> {
        let began = Instant::now();
        let placed = hosts.place(self.request.processes).map_err(Error::Places)?;
        let transport = self.transport(placed.len())?;
        let files = room_for_files(self.request.processes as u64 * FILES + placed.len() as u64 * 8);
        let listener = link::listen().map_err(ours)?;
        let mut fleet = self.summon(&placed, shell, &listener, files)?;
        let result = self.muster(&mut fleet, shell, began);
        // Who is not there now will not come.
        let _ = rustix::net::shutdown(&listener, rustix::net::Shutdown::Both);
        let reason = match result {
            Ok(None) => self.follow(&mut fleet, transport, began),
            other => other,
        };
        fleet.dismiss(self.notices);
        reason
    }

    /// What `FARSIDE_TRANSPORT` is to be for the ranks.
    fn transport(&self, hosts: usize) -> Result<Option<String>, Error> {
        let named = |name: &str| {
            let mut variables = self.request.variables.iter().rev();
            let given = variables
                .find(|(variable, _)| variable == name)
                .map(|(_, value)| value.clone());
            given.or_else(|| std::env::var_os(name))
        };
        let asked = match &self.request.transport {
            Some(transport) => Some(transport.clone()),
            None => named("FARSIDE_TRANSPORT").map(|value| value.to_string_lossy().into_owned()),
        };
        let asked = asked.filter(|transport| !transport.is_empty());
        match asked.as_deref() {
            Some("shm") if hosts > 1 => Err(Error::Places(
                "the transport shm is memory of one host: take hybrid, or name none, and what suits is taken"
                    .to_owned(),
            )),
            Some(name) if name.starts_with("sim") || name.starts_with("threads") => Err(Error::Places(
                format!("with the transport {name} all ranks are in one process, which is on one host"),
            )),
            _ => Ok(asked),
        }
    }

    /// Starts all remote shells, and listens for their agents.
    fn summon(
        &self,
        placed: &[Placed],
        shell: &Shell,
        listener: &TcpListener,
        files: Option<Rlimit>,
    ) -> Result<Fleet, Error> {
        let address = link::Address::new(listener.local_addr().map_err(ours)?.port()).map_err(ours)?;
        let (mut lines, mut awaited) = (Vec::new(), Vec::new());
        for _ in placed {
            let (line, orders) = Line::new().map_err(ours)?;
            lines.push(line);
            awaited.push(orders);
        }
        let rendezvous = self.server.address().clone();
        let shared = Arc::new(Shared::new(address.clone(), rendezvous, awaited));
        self.listen(listener.try_clone().map_err(ours)?, &shared)?;
        let mut hosts = Vec::new();
        for (number, (placed, line)) in (0..).zip(placed.iter().zip(lines)) {
            let summons = Summons::new(&address, number, checked()).bytes().map_err(ours)?;
            match shell.start(placed.name(), &summons, files) {
                Ok(started) => hosts.push(Host::new(placed, line, started)),
                Err(error) => {
                    Fleet::new(hosts, self.guard).dismiss(self.notices);
                    let why = format!("cannot start `{}`: {error}", shell.name());
                    return Err(Error::Host(placed.name().to_owned(), why));
                }
            }
        }
        Ok(Fleet::new(hosts, self.guard))
    }

    fn listen(&self, listener: TcpListener, shared: &Arc<Shared>) -> Result<(), Error> {
        let (shared, notices) = (Arc::clone(shared), self.notices.sender());
        let open = Arc::new(AtomicUsize::new(0));
        let accept = move || {
            // An error says that nobody is waited for any more.
            for stream in listener.incoming().map_while(Result::ok) {
                if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                    open.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                let (shared, notices, open) = (Arc::clone(&shared), notices.clone(), Arc::clone(&open));
                // Where there is no thread, the host is missed, and that is told.
                let _ = std::thread::Builder::new().spawn(move || {
                    side::serve(stream, &shared, notices);
                    open.fetch_sub(1, Ordering::Relaxed);
                });
            }
        };
        std::thread::Builder::new().spawn(accept).map_err(ours)?;
        Ok(())
    }

    /// Waits until all agents are there. A reason to end the job before it begins, if there is one.
    fn muster(&self, fleet: &mut Fleet, shell: &Shell, began: Instant) -> Result<Option<Reason>, Error> {
        while !fleet.hosts().iter().all(Host::is_here) {
            if let Some(reason) = self.hear(fleet, began)? {
                return Ok(Some(reason));
            }
            fleet.reap_shells();
            for host in fleet.hosts().iter().filter(|host| !host.is_here()) {
                if let Some(status) = host.failed() {
                    let why = why_no_agent(shell, host.name(), status, &host.shell().said());
                    return Err(Error::Host(host.name().to_owned(), why));
                }
                if began.elapsed() >= MUSTER {
                    let why = format!(
                        "its agent is not there after {} s, started by `{}`: {}",
                        MUSTER.as_secs(),
                        shell.name(),
                        host.shell().said()
                    );
                    return Err(Error::Host(host.name().to_owned(), why));
                }
            }
        }
        Ok(None)
    }

    /// Takes in what happens while not all ranks are there.
    fn hear(&self, fleet: &mut Fleet, began: Instant) -> Result<Option<Reason>, Error> {
        for notice in self.notices.wait(Some(Duration::from_millis(100))) {
            match notice {
                Notice::Signal { number, .. } => return Ok(Some(self.broken(Reason::Interrupted(number)))),
                Notice::Host(host, FromHost::Here) => fleet.here(host),
                Notice::Host(host, FromHost::Refused(why)) => {
                    return Err(Error::Host(fleet.hosts()[host].name().to_owned(), why));
                }
                Notice::Host(host, FromHost::Gone(why)) => {
                    let why = why.unwrap_or_else(|| "its agent has ended by itself".to_owned());
                    let (is_begun, gone) = (fleet.hosts().iter().all(Host::is_here), &fleet.hosts()[host]);
                    let (host, ranks) = (gone.name().to_owned(), gone.ranks());
                    // Once all are there, the job has begun, whether or not all ranks have said so.
                    return match is_begun {
                        true => Ok(Some(self.broken(Reason::HostLost { host, ranks, why }))),
                        false => Err(Error::Host(host, why)),
                    };
                }
                Notice::Host(host, FromHost::Started(rank, pid, cores)) => {
                    fleet.started(rank, pid);
                    (self.tell)(News::Started {
                        rank,
                        pid,
                        host: Some(fleet.hosts()[host].name()),
                        cores: &cores,
                    });
                }
                // Ranks that are there may be quick: what they do is followed when all are.
                early => self.early.borrow_mut().push_back(early),
            }
        }
        match self.request.time_limit {
            Some(limit) if began.elapsed() >= limit => Ok(Some(self.broken(Reason::TimeLimit(limit)))),
            _ => Ok(None),
        }
    }

    fn broken(&self, reason: Reason) -> Reason {
        (self.tell)(News::Broken(&reason));
        reason
    }

    /// Has all ranks started, and follows them to their end.
    fn follow(
        &self,
        fleet: &mut Fleet,
        transport: Option<String>,
        began: Instant,
    ) -> Result<Option<Reason>, Error> {
        let outputs = self.start(fleet, transport)?;
        let forward = Forward::start(outputs, &self.request.styles, self.notices.sender()).map_err(ours)?;
        while !fleet.is_started() {
            if let Some(reason) = self.hear(fleet, began)? {
                return Ok(Some(reason));
            }
        }
        self.notices.put_back(self.early.take());
        Ok(Follow::new(
            self.request,
            fleet,
            self.server,
            self.notices,
            &forward,
            self.tell,
        )
        .follow())
    }

    /// Sends all agents what they need.
    fn start(&self, fleet: &Fleet, transport: Option<String>) -> Result<Outputs, Error> {
        let folder = std::env::current_dir().map_err(ours)?.into_os_string().into_vec();
        let bytes = |word: &OsString| word.as_bytes().to_vec();
        let environment: Vec<_> = std::env::vars_os().collect();
        let variables: Vec<_> = environment.iter().chain(&self.request.variables).collect();
        let mut outputs = Vec::new();
        for host in fleet.hosts() {
            let mut pipes = Vec::new();
            for rank in host.ranks() {
                let [(out, stdout), (err, stderr)] = [pipe().map_err(ours)?, pipe().map_err(ours)?];
                outputs.push((out, err));
                pipes.extend([(rank, Goal::Stdout, stdout), (rank, Goal::Stderr, stderr)]);
            }
            let words = self.request.command.iter().map(|word| ToAgent::Word(bytes(word)));
            let given = variables
                .iter()
                .map(|(name, value)| ToAgent::Variable(bytes(name), bytes(value)));
            let start = ToAgent::Start {
                job: self.job.to_owned(),
                folder: folder.clone(),
                ranks: host.ranks(),
                size: self.request.processes,
                transport: transport.clone(),
                pinning: self.request.pinning,
            };
            host.line().order(Order::Start {
                messages: words.chain(given).chain([start]).collect(),
                outputs: pipes,
                input: host.ranks().contains(&0).then(input).transpose().map_err(ours)?,
            });
        }
        Ok(outputs)
    }
}

/// Where `farside check` has its spool, if it has started us.
fn checked() -> Option<(Vec<u8>, String)> {
    let [spool, front] = CHECK.map(std::env::var_os);
    Some((spool?.into_vec(), front?.into_string().ok()?))
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(pipe_with(PipeFlags::CLOEXEC)?)
}

/// Our stdin, for rank 0. It is read by a thread, and a little ahead: a terminal must not be set up otherwise.
fn input() -> io::Result<OwnedFd> {
    let (reader, writer) = pipe()?;
    let mut writer = std::fs::File::from(writer);
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let mut stdin = io::stdin();
            let mut buffer = vec![0; 16 << 10];
            loop {
                // Who reads from a terminal in the background is stopped.
                while stdin.is_terminal() && !is_in_front() {
                    std::thread::sleep(Duration::from_millis(200));
                }
                match stdin.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(length) if writer.write_all(&buffer[..length]).is_ok() => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    _ => return,
                }
            }
        })?;
    Ok(reader)
}

fn is_in_front() -> bool {
    rustix::termios::tcgetpgrp(io::stdin()).is_ok_and(|front| front == rustix::process::getpgrp())
}
