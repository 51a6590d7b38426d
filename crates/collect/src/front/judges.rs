//! Judges on the hosts: each has the memory of its host's processes, whose loads and stores stay there.
//!
//! The front merges, and hands every host the events of all. What judges tell each other goes through the front: a word
//! of one is handed to all others before the next one is read, so that all hear the same of a host that dies.

use super::Shared;
use crate::frame::{Assignment, Piece, ToCollector, Told};
use farside_events::{Event, Rank};
use farside_race::{Deputy, Ending, Options, Owners, Part, Post, Word};
use farside_spool::format::Recording;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Processes of a job up to which what a host is told of them fits a message.
const MOST: usize = 32 << 10;

/// What the connections know of judges.
#[derive(Debug, Default)]
pub(super) struct Judging {
    /// Recordings that came, of which host, and the collector's number for them.
    recordings: BTreeMap<Recording, (usize, u32)>,
    /// By host and job.
    seats: BTreeMap<(usize, u32), Seat>,
}

/// What is heard of a judge goes to who speaks for it, and to who waits for it.
#[derive(Debug)]
struct Seat {
    deputy: Deputy,
    news: Sender<News>,
}

/// What is heard of a judge. When it is not heard of any more, its host was lost.
#[derive(Debug)]
pub enum News {
    /// It has judged one more batch.
    Judged {
        /// Findings so far.
        found: usize,
    },
    /// What it has found so far.
    SoFar(Box<Part>),
    /// All that it found.
    All(Box<Part>),
    /// It judges nothing more, and why.
    GivenUp(String),
}

impl Judging {
    pub(super) fn began(&mut self, host: usize, (recording, number): (Recording, u32)) {
        self.recordings.insert(recording, (host, number));
    }

    /// The judge tells all others.
    pub(super) fn tell(&self, of: (usize, u32), word: &Word) {
        if let Some(seat) = self.seats.get(&of) {
            seat.deputy.tell(word);
        }
    }

    pub(super) fn judged(&self, of: (usize, u32), found: u64) {
        let found = usize::try_from(found).unwrap_or(usize::MAX);
        self.report(of, News::Judged { found });
    }

    pub(super) fn found(&mut self, of: (usize, u32), part: Box<Part>, ended: bool) {
        match ended {
            true => {
                self.report(of, News::All(part));
                self.seats.remove(&of);
            }
            false => self.report(of, News::SoFar(part)),
        }
    }

    pub(super) fn give_up(&mut self, of: (usize, u32), why: String) {
        self.report(of, News::GivenUp(why));
        self.seats.remove(&of);
    }

    /// Nothing more is heard of a host.
    pub(super) fn leave(&mut self, host: usize) {
        self.seats.retain(|(of, _), _| *of != host);
    }

    /// Who does not wait any more misses nothing.
    fn report(&self, of: (usize, u32), news: News) {
        if let Some(seat) = self.seats.get(&of) {
            let _ = seat.news.send(news);
        }
    }
}

/// Judges that can be had on the hosts.
#[derive(Clone, Debug)]
pub struct Judges {
    shared: Arc<Shared>,
    jobs: Arc<AtomicU32>,
}

/// A judge on a host: the side of who hands it events.
#[derive(Clone, Debug)]
pub struct Away {
    host: usize,
    name: String,
    job: u32,
    own: u32,
    out: Sender<ToCollector>,
}

impl Judges {
    pub(super) fn of(shared: &Arc<Shared>) -> Self {
        Self {
            shared: Arc::clone(shared),
            jobs: Arc::default(),
        }
    }

    /// The collector that brings a recording, if it can judge it: a number that those of one host share.
    #[must_use]
    pub fn host_of(&self, recording: Recording) -> Option<usize> {
        let shared = &self.shared;
        if !shared.judged_there || shared.finishing.get().is_some() {
            return None;
        }
        let state = shared.state();
        let (host, _) = state.judging.recordings.get(&recording)?;
        state.connected.contains_key(host).then_some(*host)
    }

    /// Recordings that are judged here: they come whole.
    pub fn bring(&self, recordings: impl IntoIterator<Item = Recording>) {
        let state = self.shared.state();
        for recording in recordings {
            if let Some((host, number)) = state.judging.recordings.get(&recording)
                && let Some(out) = state.connected.get(host)
            {
                // Who is gone brings nothing.
                let _ = out.send(ToCollector::Whole { number: *number });
            }
        }
    }

    /// A job begins whose memory some hosts judge: for each of them, the number of its judge. `None` if one is gone, or
    /// the job is too large.
    #[must_use]
    pub fn of_job(&self, owners: &Owners, hosts: &[(usize, u32)], ranks: usize) -> Option<Vec<Away>> {
        debug_assert!(hosts.iter().all(|(_, judge)| (*judge as usize) < owners.judges()));
        if ranks > MOST {
            return None;
        }
        let job = self.jobs.fetch_add(1, Ordering::Relaxed);
        let state = self.shared.state();
        let away = |(host, own): &(usize, u32)| {
            Some(Away {
                host: *host,
                name: state.hosts.get(*host)?.0.name.clone(),
                job,
                own: *own,
                out: state.connected.get(host)?.clone(),
            })
        };
        hosts.iter().map(away).collect()
    }

    /// The judge begins: `deputy` speaks for it. Its processes, with their recordings, are `members`. What is heard of
    /// it comes by the receiver.
    pub fn begin(
        &self,
        away: &Away,
        deputy: Deputy,
        (owners, options, clocks): (&Owners, Options, &[(Rank, u32)]),
        members: &[(Rank, Recording)],
    ) -> Receiver<News> {
        let (news, heard) = channel();
        let mut state = self.shared.state();
        // One that is gone has left: without a seat, nothing is heard of it.
        if state.connected.contains_key(&away.host) {
            let number = |(rank, recording): &(Rank, Recording)| {
                let (_, number) = state.judging.recordings.get(recording)?;
                Some((*rank, *number))
            };
            let assignment = Assignment::new(
                away.own,
                owners.clone(),
                options,
                clocks.to_vec(),
                members.iter().filter_map(number).collect(),
            );
            away.say(ToCollector::Judge {
                job: away.job,
                assignment,
            });
            state
                .judging
                .seats
                .insert((away.host, away.job), Seat { deputy, news });
        }
        heard
    }
}

impl Away {
    /// The name of the host.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.name
    }

    /// How it gets words of others.
    #[must_use]
    pub fn post(&self) -> Post {
        let away = self.clone();
        Arc::new(move |from, word| {
            let job = away.job;
            away.say(ToCollector::Word { job, from, word });
        })
    }

    /// Hands it the next events of the job; `is_own` says of which processes it has them. Only their places are sent.
    ///
    /// # Errors
    /// An event cannot be written.
    pub fn hand(&self, events: &[(Rank, Event)], is_own: impl Fn(Rank) -> bool) -> io::Result<()> {
        let mut bytes = Vec::new();
        for (rank, event) in events {
            let told = match is_own(*rank) {
                true => Told::Own(*rank),
                false => Told::of(*rank, event),
            };
            bytes = postcard::to_extend(&told, bytes).map_err(io::Error::other)?;
        }
        for piece in Piece::all(&bytes) {
            self.say(ToCollector::Events { job: self.job, piece });
        }
        Ok(())
    }

    /// Nothing more is to be judged.
    pub fn stop(&self) {
        self.say(ToCollector::Stop { job: self.job });
    }

    /// No events come any more.
    pub fn end(&self, ending: Ending) {
        self.say(ToCollector::End {
            job: self.job,
            ending,
        });
    }

    /// Of one that is gone, who waits for it hears elsewhere.
    fn say(&self, message: ToCollector) {
        let _ = self.out.send(message);
    }
}
