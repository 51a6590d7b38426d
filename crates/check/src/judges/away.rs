//! A judge on another host: one thread hands it events, another hears of it.

use super::queue::Queue;
use farside_collect::{Away, Judges, News};
use farside_events::Rank;
use farside_race::{Deputy, Options, Owners, Part};
use farside_spool::format::Recording;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// After judging was stopped, what all of them found is waited for so long; then what was heard before counts.
const TIME_TO_TELL: Duration = Duration::from_millis(700);
/// Between looks at whether it was.
const PAUSE: Duration = Duration::from_millis(20);

/// Who can judge where its memory is.
#[derive(Clone, Debug)]
pub(crate) struct There {
    judges: Judges,
    recordings: Vec<(Rank, Recording)>,
    /// Who judges memory needs no stores to that of others: no calls wait for a word there.
    apart: bool,
}

/// What a host has judged of the memory of its processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fate {
    host: String,
    ranks: Vec<Rank>,
    events: u64,
    after: u64,
    lost: Option<String>,
}

impl Fate {
    /// The name of the host.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Its processes.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = u32> {
        self.ranks.iter().map(|rank| rank.0)
    }

    /// Events of the job up to which it judged.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// How long after its first event the last is that it judged.
    pub(crate) fn until(&self) -> Duration {
        Duration::from_nanos(self.after)
    }

    /// Why it did not judge all.
    pub(crate) fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }
}

/// The hosts of a job that judge their own memory, with their processes, and all other processes.
type Split = (BTreeMap<usize, Vec<Rank>>, Vec<Rank>);

impl There {
    /// The judges of hosts, and the recordings of all processes of a job.
    pub(crate) fn new(judges: Judges, recordings: Vec<(Rank, Recording)>, apart: bool) -> Self {
        Self {
            judges,
            recordings,
            apart,
        }
    }

    /// The judges of hosts that can have the memory of these, by their numbers; `None`: one cannot.
    pub(super) fn of_job(&self, owners: &Owners, numbers: &[(usize, u32)], ranks: u32) -> Option<Vec<Away>> {
        self.judges.of_job(owners, numbers, ranks as usize)
    }

    /// Which memory hosts can judge; `None`: none of it. Processes of one machine may share memory, and so have one
    /// judge, or those of this process.
    pub(super) fn split(&self, ranks: u32) -> Option<Split> {
        if !self.apart {
            return None;
        }
        let mut machines: BTreeMap<u128, Vec<(Rank, Option<usize>)>> = BTreeMap::new();
        for (rank, recording) in &self.recordings {
            let of = machines.entry(recording.machine.boot).or_default();
            of.push((*rank, self.judges.host_of(*recording)));
        }
        let (mut hosts, mut here) = Split::default();
        for (_, members) in machines {
            let host = members.first().and_then(|(_, host)| *host);
            let host = host.filter(|_| members.iter().all(|(_, of)| *of == host));
            let members = members.into_iter().map(|(rank, _)| rank);
            match host {
                Some(host) => hosts.entry(host).or_default().extend(members),
                None => here.extend(members),
            }
        }
        let joined = |rank: &Rank| self.recordings.iter().any(|(of, _)| of == rank);
        here.extend((0..ranks).map(Rank).filter(|rank| !joined(rank)));
        here.sort_unstable();
        (!hosts.is_empty()).then_some((hosts, here))
    }

    /// Recordings of these processes come whole.
    pub(super) fn bring(&self, wanted: impl Fn(Rank) -> bool) {
        let wanted = self.recordings.iter().filter(|(rank, _)| wanted(*rank));
        self.judges.bring(wanted.map(|(_, recording)| *recording));
    }
}

/// What is shared with the two threads.
#[derive(Debug)]
pub(super) struct Watch {
    away: Away,
    fate: Arc<Mutex<Fate>>,
    closed: Arc<AtomicBool>,
}

impl Watch {
    /// Begins: the judge of this number has the memory of `ranks`. The thread gives what it found.
    pub(super) fn begin(
        there: &There,
        (away, deputy): (Away, Deputy),
        (judge, ranks): (usize, &[Rank]),
        (owners, options, clocks): (&Owners, Options, &[(Rank, u32)]),
        queue: &Arc<Queue>,
    ) -> io::Result<(Self, JoinHandle<Part>)> {
        let members: Vec<_> = there
            .recordings
            .iter()
            .filter(|(rank, _)| ranks.contains(rank))
            .copied()
            .collect();
        let heard = there
            .judges
            .begin(&away, deputy, (owners, options, clocks), &members);
        let fate = Arc::new(Mutex::new(Fate {
            host: away.host().to_string(),
            ranks: ranks.to_vec(),
            ..Fate::default()
        }));
        let closed = Arc::new(AtomicBool::new(false));
        let (of, owners) = (Arc::clone(queue), owners.clone());
        let to = away.clone();
        Builder::new()
            .name(format!("to judge {judge}"))
            .spawn(move || feed(&of, &to, |rank| owners.of(rank) as usize == judge))?;
        let hearing = Hearing {
            queue: Arc::clone(queue),
            judge,
            fate: Arc::clone(&fate),
            closed: Arc::clone(&closed),
            batches: 0,
            first: None,
        };
        let thread = Builder::new()
            .name(format!("judge {judge}"))
            .spawn(move || hearing.run(&heard))?;
        Ok((Self { away, fate, closed }, thread))
    }

    /// Nothing more is judged.
    pub(super) fn stop(&self) {
        self.away.stop();
        self.closed.store(true, Ordering::Relaxed);
    }

    pub(super) fn fate(&self) -> Fate {
        lock(&self.fate).clone()
    }
}

fn lock(fate: &Mutex<Fate>) -> MutexGuard<'_, Fate> {
    fate.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands on all batches, as they come.
fn feed(queue: &Queue, away: &Away, is_own: impl Fn(Rank) -> bool) {
    for number in 0.. {
        match queue.next(number) {
            // One that cannot be written is never judged, which whoever waits for it notices.
            Ok(batch) if away.hand(&batch, &is_own).is_err() => return away.stop(),
            Ok(_) => {}
            Err(ending) => return away.end(ending),
        }
    }
}

/// Hears of a judge.
struct Hearing {
    queue: Arc<Queue>,
    judge: usize,
    fate: Arc<Mutex<Fate>>,
    closed: Arc<AtomicBool>,
    /// Batches that it has judged.
    batches: u64,
    /// The time of the first event of its processes.
    first: Option<u64>,
}

impl Hearing {
    /// Until it has told what it found.
    fn run(mut self, heard: &Receiver<News>) -> Part {
        let mut so_far = Part::default();
        let mut closed: Option<Instant> = None;
        loop {
            let why = match heard.recv_timeout(PAUSE) {
                Ok(News::Judged { found }) => {
                    self.note();
                    self.queue.judged(self.judge, found);
                    continue;
                }
                Ok(News::SoFar(part)) => {
                    so_far = *part;
                    continue;
                }
                Ok(News::All(part)) => return *part,
                Ok(News::GivenUp(why)) => why,
                Err(RecvTimeoutError::Disconnected) => "its host was lost".into(),
                Err(RecvTimeoutError::Timeout) => {
                    if self.closed.load(Ordering::Relaxed) {
                        let since = *closed.get_or_insert_with(Instant::now);
                        if since.elapsed() >= TIME_TO_TELL {
                            return so_far;
                        }
                    }
                    continue;
                }
            };
            lock(&self.fate).lost = Some(why);
            self.queue.give_up(self.judge);
            return so_far;
        }
    }

    /// How far it is.
    fn note(&mut self) {
        let Ok(batch) = self.queue.next(self.batches) else {
            return;
        };
        self.batches += 1;
        let mut fate = lock(&self.fate);
        fate.events += batch.len() as u64;
        let own = |(rank, _): &&(Rank, _)| fate.ranks.contains(rank);
        let first = self
            .first
            .or_else(|| batch.iter().find(own).map(|(_, event)| event.time));
        let last = batch.iter().rev().find(own).map(|(_, event)| event.time);
        self.first = first;
        if let (Some(first), Some(last)) = (first, last) {
            fate.after = last.saturating_sub(first);
        }
    }
}
