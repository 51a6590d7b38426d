//! The ranks of several hosts as one crew, and the remote shells of their agents.

use super::side::{Line, Order};
use crate::crew::{Crew, Process};
use crate::ending::Reason;
use crate::notices::{FromHost, Notice, Notices};
use crate::places::Placed;
use crate::shell::Started;
use farside_link::SILENCE;
use farside_processes::{descendants, signals, start_time};
use rustix::process::{WaitOptions, wait};
use signal_hook::consts::signal::SIGKILL;
use std::ops::Range;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How long remote shells may take to end when their agents have.
const SHELLS: Duration = Duration::from_secs(1);

/// A host of the job.
#[derive(Debug)]
pub(super) struct Host {
    name: String,
    ranks: Range<u32>,
    line: Line,
    shell: Started,
    /// How the shell ended, if it has.
    status: Option<ExitStatus>,
    /// Its agent was there.
    here: bool,
    /// Nothing more comes from it.
    gone: bool,
    /// Processes that its ranks have left, when they have ended.
    left: usize,
}

impl Host {
    pub(super) fn new(placed: &Placed, line: Line, shell: Started) -> Self {
        Self {
            name: placed.name().to_owned(),
            ranks: placed.ranks(),
            line,
            shell,
            status: None,
            here: false,
            gone: false,
            left: 0,
        }
    }

    /// As the user names it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its ranks.
    pub(super) fn ranks(&self) -> Range<u32> {
        self.ranks.clone()
    }

    /// The way to its agent.
    pub(super) fn line(&self) -> &Line {
        &self.line
    }

    /// Its remote shell.
    pub(super) fn shell(&self) -> &Started {
        &self.shell
    }

    /// Whether its agent is there, or was.
    pub(super) fn is_here(&self) -> bool {
        self.here
    }

    /// How its remote shell failed, if it has.
    pub(super) fn failed(&self) -> Option<ExitStatus> {
        self.status.filter(|status| !status.success())
    }
}

/// All hosts.
#[derive(Debug)]
pub(super) struct Fleet {
    hosts: Vec<Host>,
    /// Process id and end of each rank.
    ranks: Vec<(u32, Option<ExitStatus>)>,
    /// Ranks that have ended since this was last asked.
    ended: Vec<u32>,
    /// Our child that is none of theirs.
    guard: u32,
}

impl Fleet {
    pub(super) fn new(hosts: Vec<Host>, guard: u32) -> Self {
        let ranks = hosts.iter().map(|host| host.ranks.len()).sum();
        Self {
            hosts,
            ranks: vec![(0, None); ranks],
            ended: Vec::new(),
            guard,
        }
    }

    /// All hosts, in order.
    pub(super) fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// The agent of a host is there.
    pub(super) fn here(&mut self, host: usize) {
        self.hosts[host].here = true;
    }

    /// A rank was started.
    pub(super) fn started(&mut self, rank: u32, pid: u32) {
        if let Some(known) = self.ranks.get_mut(rank as usize) {
            known.0 = pid;
        }
    }

    /// Whether all ranks were started.
    pub(super) fn is_started(&self) -> bool {
        self.ranks.iter().all(|&(pid, _)| pid != 0)
    }

    /// Takes leave of remote shells that have ended.
    pub(super) fn reap_shells(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            let pid = pid.as_raw_nonzero().get().unsigned_abs();
            if let Some(host) = self.hosts.iter_mut().find(|host| host.shell.pid() == pid) {
                host.status = Some(ExitStatus::from_raw(status.as_raw()));
            }
        }
    }

    /// Agents and remote shells end. Whoever has no patience sends a signal.
    pub(super) fn dismiss(mut self, notices: &Notices) {
        self.hosts.iter().for_each(|host| host.line.order(Order::Bye));
        let begin = Instant::now();
        let open = |host: &Host| host.here && !host.gone;
        while self.hosts.iter().any(open) && begin.elapsed() < SILENCE {
            for notice in notices.wait(Some(Duration::from_millis(50))) {
                match notice {
                    Notice::Host(host, FromHost::Gone(_)) => self.hosts[host].gone = true,
                    Notice::Signal { .. } => return self.kill(),
                    _ => {}
                }
            }
        }
        let begin = Instant::now();
        // Of agents that are gone; the others have no reason to end.
        while self
            .hosts
            .iter()
            .any(|host| host.here && host.gone && host.status.is_none())
            && begin.elapsed() < SHELLS
        {
            self.reap_shells();
            std::thread::sleep(Duration::from_millis(5));
        }
        self.kill();
    }

    fn kill(&mut self) {
        loop {
            self.reap_shells();
            let mut living = descendants(std::process::id());
            living.retain(|&pid| pid != self.guard && start_time(pid).is_some());
            if living.is_empty() {
                return self.reap_shells();
            }
            living.iter().for_each(|&pid| signals::send(pid, SIGKILL));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn host_of(&self, rank: u32) -> Option<&Host> {
        self.hosts.iter().find(|host| host.ranks.contains(&rank))
    }
}

impl Crew for Fleet {
    fn process(&self, rank: u32) -> Process<'_> {
        let (pid, ended) = self.ranks[rank as usize];
        let host = self.host_of(rank).map(Host::name);
        Process::new(pid, host, ended)
    }

    fn reap(&mut self) -> Vec<u32> {
        self.reap_shells();
        std::mem::take(&mut self.ended)
    }

    fn all_ended(&self) -> bool {
        let over = |host: &Host| host.gone || host.ranks().all(|rank| self.ranks[rank as usize].1.is_some());
        self.hosts.iter().all(over)
    }

    fn living(&self) -> usize {
        let open = self.hosts.iter().filter(|host| !host.gone);
        let of = |host: &Host| {
            let running = host.ranks().filter(|&rank| self.ranks[rank as usize].1.is_none());
            running.count() + host.left
        };
        open.map(of).sum()
    }

    fn signal(&mut self, number: i32) {
        let order = |host: &Host| host.line.order(Order::Signal(number));
        self.hosts.iter().filter(|host| !host.gone).for_each(order);
    }

    fn is_at_the_terminal(&self) -> bool {
        false
    }

    fn take(&mut self, host: usize, news: FromHost) -> Option<Reason> {
        let of = &mut self.hosts[host];
        match news {
            FromHost::Ended(rank, status, left) if of.ranks.contains(&rank) => {
                of.left = left;
                self.ranks[rank as usize].1 = Some(status);
                self.ended.push(rank);
            }
            FromHost::Left(left) => of.left = left,
            FromHost::Gone(why) => {
                of.gone = true;
                return Some(Reason::HostLost {
                    host: of.name.clone(),
                    ranks: of.ranks(),
                    why: why.unwrap_or_else(|| "its agent has ended by itself".to_owned()),
                });
            }
            _ => {}
        }
        None
    }
}
