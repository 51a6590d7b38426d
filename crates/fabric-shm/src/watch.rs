//! Notices that a rank has ended before its time.
//!
//! A thread of each process sleeps on descriptors of the others' processes (pidfd_open(2)), and so wakes when one ends,
//! even if nobody has reaped it. It then tells all ranks in their control pages, and rings: calls that wait look there
//! and need no system call of their own. Now and then it also asks the launcher. Where there are no such descriptors,
//! or too many ranks for them, it looks at the processes' numbers and times of beginning instead.

use crate::card::Card;
use crate::control::{Control, State, announce_loss};
use crate::doorbell::Fences;
use crate::segment::system;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Rank, Result};
use farside_processes::start_time;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How often the launcher, and processes without a descriptor, are looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// The thread; stopped when dropped.
pub(crate) struct Watch {
    stop: Arc<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

struct Watched {
    rank: Rank,
    process: u32,
    began: u64,
    descriptor: Option<OwnedFd>,
}

impl Watched {
    fn new(rank: Rank, card: &Card) -> Self {
        let process = card.control.process;
        let descriptor = i32::try_from(process)
            .ok()
            .and_then(Pid::from_raw)
            .and_then(|number| pidfd_open(number, PidfdFlags::empty()).ok());
        Self {
            rank,
            process,
            began: card.began,
            descriptor,
        }
    }

    /// Whether the process runs. Also tells that the descriptor is of the process that made the card, and not of a
    /// later one with its number.
    fn runs(&self) -> bool {
        start_time(self.process) == Some(self.began)
    }
}

impl Watch {
    /// Watches all ranks that are other processes. `None` if there is none.
    pub(crate) fn start(
        ranks: &Arc<[Control]>,
        cards: &[Card],
        fences: Fences,
        bootstrap: Option<Arc<dyn Bootstrap>>,
    ) -> Result<Option<Self>> {
        let own = std::process::id();
        let watched: Vec<Watched> = (0..)
            .zip(cards)
            .filter(|(_, card)| card.control.process != own)
            .map(|(rank, card)| Watched::new(rank, card))
            .collect();
        if watched.is_empty() {
            return Ok(None);
        }
        let stop =
            rustix::event::eventfd(0, EventfdFlags::CLOEXEC).map_err(|error| system("eventfd", error))?;
        let stop = Arc::new(stop);
        let (until, ranks) = (Arc::clone(&stop), Arc::clone(ranks));
        let thread = std::thread::Builder::new()
            .name("farside-watch".into())
            .stack_size(128 << 10)
            .spawn(move || watch(&until, &ranks, watched, fences, bootstrap.as_deref()))
            .map_err(|error| system("pthread_create", error))?;
        Ok(Some(Self {
            stop,
            thread: Some(thread),
        }))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // A counter of 8 bytes that nobody else writes cannot be full.
        let _ = rustix::io::write(&*self.stop, &1_u64.to_ne_bytes());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(
    stop: &OwnedFd,
    ranks: &[Control],
    mut watched: Vec<Watched>,
    fences: Fences,
    bootstrap: Option<&dyn Bootstrap>,
) {
    // The launcher may name one that is none of these, and is lost all the same.
    let report = |rank: Rank| {
        let ended_well = ranks
            .get(rank as usize)
            .is_some_and(|control| control.state() == State::Finished);
        if !ended_well {
            announce_loss(ranks, rank, fences);
        }
    };
    let gone = |watched: &[Watched], doubted: &dyn Fn(&Watched) -> bool| -> Vec<Rank> {
        let looked_at = watched.iter().filter(|watched| doubted(watched));
        looked_at
            .filter(|watched| !watched.runs())
            .map(|watched| watched.rank)
            .collect()
    };
    let mut ended = gone(&watched, &|_| true);
    loop {
        // After the look at the processes, and told before them: a rank may have ended because the launcher said that
        // another one is lost.
        if let Some(rank) = bootstrap.and_then(Bootstrap::lost) {
            report(rank);
        }
        ended.iter().copied().for_each(report);
        watched.retain(|watched| !ended.contains(&watched.rank));
        ended = match wait(stop, &watched) {
            Some(ended) => ended,
            None => return,
        };
        ended.extend(gone(&watched, &|watched| watched.descriptor.is_none()));
    }
}

/// Sleeps until a process ends, or for an interval. The ranks whose descriptors say so; `None` at the end of the watch.
fn wait(stop: &OwnedFd, watched: &[Watched]) -> Option<Vec<Rank>> {
    let with_descriptor = || {
        watched
            .iter()
            .filter_map(|watched| Some((watched.rank, watched.descriptor.as_ref()?)))
    };
    let mut descriptors = vec![PollFd::new(stop, PollFlags::IN)];
    descriptors.extend(with_descriptor().map(|(_, descriptor)| PollFd::new(descriptor, PollFlags::IN)));
    let interval = Timespec {
        tv_sec: 0,
        tv_nsec: INTERVAL.subsec_nanos().into(),
    };
    match poll(&mut descriptors, Some(&interval)) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Some(Vec::new()),
        Err(_) => {
            // Short of memory: look again later.
            std::thread::sleep(INTERVAL);
            return Some(Vec::new());
        }
    }
    let happened = |descriptor: &PollFd<'_>| !descriptor.revents().is_empty();
    if happened(&descriptors[0]) {
        return None;
    }
    Some(
        with_descriptor()
            .zip(&descriptors[1..])
            .filter(|(_, descriptor)| happened(descriptor))
            .map(|((rank, _), _)| rank)
            .collect(),
    )
}
