//! One job of MPI, or of the crate `farside`: its processes, and those who judge their merged events.
//!
//! Promise: nothing is judged before every process of the job has joined, or nobody can join any more.

use crate::judges::{Fate, HowMany, Judges, There};
use crate::last_calls::{LastCalls, Whereabouts};
use crate::order::{Order, Ties};
use crate::origins::Origin;
use farside_events::{Event, EventKind, Interface, Rank, Shortfall};
use farside_race::{CodeMap, Counts, Ending, Options, RawFinding, Symbols, places};
use farside_spool::reader::{End, Stream};
use farside_trial::Recording;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Events that are judged between two looks at the clock.
const AT_ONCE: usize = 8;

/// The processes of one `MPI_COMM_WORLD`.
#[derive(Debug)]
pub(crate) struct Job {
    size: u32,
    library: Box<str>,
    origin: Origin,
    order: Order,
    started: bool,
    options: Options,
    how_many: HowMany,
    /// Hosts that may judge their own memory.
    there: Option<farside_collect::Judges>,
    /// Which clock each process has.
    clocks: Vec<(Rank, u32)>,
    /// From the first event on.
    judges: Option<Judges>,
    /// Events that were handed to them.
    handed: u64,
    /// The time of the last of them.
    last: u64,
    seen: Seen,
    /// For trials of suggestions; `None` if none is wanted.
    recording: Option<Recording>,
}

/// What was seen in the events of a job, besides what is judged.
#[derive(Debug)]
struct Seen {
    code: CodeMap,
    last_calls: LastCalls,
    shortfalls: Vec<(Rank, Shortfall)>,
    one_sided: bool,
    accessed: Option<BTreeSet<(Rank, u64)>>,
}

impl Seen {
    #[inline]
    fn note(&mut self, rank: Rank, event: &Event) {
        self.last_calls.note(rank, event);
        match &event.kind {
            EventKind::Enter { .. } | EventKind::Leave(_) | EventKind::Fetched { .. } => return,
            EventKind::Shortfall(shortfall) => self.shortfalls.push((rank, shortfall.clone())),
            EventKind::Operation(_) => return self.one_sided = true,
            EventKind::Window(_) => self.one_sided = true,
            EventKind::Accesses(runs) => {
                if let Some(accessed) = &mut self.accessed {
                    accessed.extend(runs.iter().map(|run| (rank, run.pc)));
                }
            }
            EventKind::Scattered(sets) => {
                if let Some(accessed) = &mut self.accessed {
                    accessed.extend(sets.iter().map(|set| (rank, set.pc)));
                }
            }
            _ => {}
        }
        self.code.observe(rank, event);
    }
}

/// What is left of a job when all of its events were judged.
#[derive(Debug)]
pub(crate) struct Judged {
    /// Processes in its `MPI_COMM_WORLD`.
    pub(crate) size: u32,
    /// MPI library.
    pub(crate) library: Box<str>,
    /// Who launched it.
    pub(crate) origin: Origin,
    /// The processes that joined, and how their recordings ended.
    pub(crate) members: Vec<(Rank, End)>,
    /// Events of which it is not known whether they follow what they acquire.
    pub(crate) forced: u64,
    /// Where those run whose recordings came from another host.
    pub(crate) hosts: BTreeMap<Rank, String>,
    /// Findings with code addresses.
    pub(crate) findings: Vec<RawFinding>,
    /// What the detector did.
    pub(crate) counts: Counts,
    fates: Vec<Fate>,
    /// For making places of the addresses.
    pub(crate) code: CodeMap,
    last_calls: LastCalls,
    whereabouts: BTreeMap<Whereabouts, Vec<u32>>,
    /// What the processes themselves could not see.
    pub(crate) shortfalls: Vec<(Rank, Shortfall)>,
    /// What was damaged in the spool.
    pub(crate) damage: Vec<(Rank, String)>,
    /// Bytes of events.
    pub(crate) bytes: u64,
    /// Whether a window was created or a one-sided call made.
    pub(crate) one_sided: bool,
    /// The code of the loads and stores that were recorded, if it was followed.
    pub(crate) accessed: Option<BTreeSet<(Rank, u64)>>,
    /// How it was judged.
    options: Options,
    /// Its events, if something is to be tried and it has come to its end by itself.
    recording: Option<Recording>,
}

impl Judged {
    /// Its events, if something is to be tried and it has come to its end by itself, and how they were judged.
    pub(crate) fn take_recording(&mut self) -> Option<(Recording, Options)> {
        Some((self.recording.take()?, self.options))
    }

    /// Finds where the processes came to whose recordings did not come to their end.
    pub(crate) fn locate(&mut self, symbols: &mut dyn Symbols) {
        let unended = self.members.iter().filter(|(_, end)| *end != End::Sealed);
        let ranks = unended.map(|(rank, _)| *rank);
        let interface = Interface::of_library(&self.library);
        self.whereabouts = self
            .last_calls
            .whereabouts(ranks, interface, &mut places(&self.code, symbols));
    }

    /// Where processes [came to](Self::locate), and which of them came to the same.
    pub(crate) fn whereabouts(&self) -> &BTreeMap<Whereabouts, Vec<u32>> {
        &self.whereabouts
    }

    /// What hosts judged of their own memory.
    pub(crate) fn fates(&self) -> &[Fate] {
        &self.fates
    }
}

/// The content of an [`EventKind::Init`].
#[derive(Clone, Debug)]
pub(crate) struct Init {
    /// The process.
    pub(crate) rank: Rank,
    /// Processes in its `MPI_COMM_WORLD`.
    pub(crate) size: u32,
    /// MPI library.
    pub(crate) library: Box<str>,
}

impl Job {
    /// A job without members, of the kind that `init` belongs to. `follow_code` keeps which loads and stores were
    /// executed, `tries` the events, for trials of suggestions.
    pub(crate) fn new(
        init: &Init,
        origin: Origin,
        (options, ties, how_many): (Options, Ties, HowMany),
        there: Option<farside_collect::Judges>,
        follow_code: bool,
        tries: bool,
    ) -> Self {
        Self {
            size: init.size,
            library: init.library.clone(),
            origin,
            order: Order::new(ties),
            started: false,
            options,
            how_many,
            there,
            clocks: Vec::new(),
            judges: None,
            handed: 0,
            last: 0,
            seen: Seen {
                code: CodeMap::default(),
                last_calls: LastCalls::default(),
                shortfalls: Vec::new(),
                one_sided: false,
                accessed: follow_code.then(BTreeSet::new),
            },
            recording: tries.then(Recording::default),
        }
    }

    /// Whether the process can be one of this job: same size and library, its rank still missing, and nothing known
    /// that speaks for another launch.
    pub(crate) fn accepts(&self, init: &Init, origin: &Origin) -> bool {
        self.size == init.size
            && self.library == init.library
            && self.order.members().all(|(rank, _)| rank != init.rank)
            && match (&self.origin.job, &origin.job) {
                (Some(ours), Some(theirs)) => ours == theirs,
                _ => true,
            }
    }

    /// Takes a process in; `first` is its first event.
    pub(crate) fn join(&mut self, rank: Rank, stream: Stream, first: Event) {
        let host = self.order.add(rank, stream, first);
        let clock = u32::try_from(host).unwrap_or(u32::MAX);
        self.clocks.push((rank, clock));
        if let Some(recording) = &mut self.recording {
            recording.set_clock(rank, clock);
        }
        self.started |= self.order.members().count() as u64 == u64::from(self.size);
    }

    /// Nobody will join any more.
    pub(crate) fn start(&mut self) {
        self.started = true;
    }

    /// The streams of all members.
    pub(crate) fn streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.order.streams()
    }

    /// Whether every event was judged.
    pub(crate) fn finished(&self) -> bool {
        self.order.finished() && self.waiting() == 0
    }

    /// Bytes of events that are there and were not judged.
    pub(crate) fn unread(&self) -> u64 {
        let streams = || self.order.members().map(|(_, stream)| stream);
        let unread: u64 = streams().map(Stream::unread).sum();
        match self.waiting() {
            0 => unread,
            waiting => {
                // Events have no lengths any more once they were read.
                let read: u64 = streams().map(Stream::bytes).sum();
                unread + (waiting * read / self.handed.max(1)).max(1)
            }
        }
    }

    /// The time of the last event that was handed on, if all are of this host.
    pub(crate) fn last_event(&self) -> Option<u64> {
        let here = self.order.members().all(|(_, stream)| stream.host().is_none());
        here.then_some(self.last)
    }

    /// Events that were handed on and are not judged.
    fn waiting(&self) -> u64 {
        self.judges.as_ref().map_or(0, Judges::waiting)
    }

    /// Hands events on until that moment, or until there is none; returns how many.
    pub(crate) fn pump(&mut self, until: Instant) -> usize {
        let mut handed = 0;
        if self.started {
            self.judges();
        }
        while self.started && (handed % AT_ONCE != 0 || Instant::now() < until) {
            if self.judges.as_mut().is_some_and(|judges| !judges.has_room(until)) {
                break;
            }
            let Some((rank, event)) = self.order.next() else {
                break;
            };
            self.last = event.time;
            self.seen.note(rank, event);
            if let Some(recording) = &mut self.recording {
                recording.push(rank, event);
            }
            if let Some(judges) = &mut self.judges {
                judges.judge(rank, event);
            }
            handed += 1;
        }
        self.handed += handed as u64;
        if let Some(judges) = &mut self.judges {
            judges.flush();
            if handed == 0 && self.order.finished() {
                judges.catch_up(until);
            }
        }
        handed
    }

    /// Waits for what was handed on to be judged, until that moment at the longest.
    pub(crate) fn settle(&mut self, until: Option<Instant>) {
        if let Some(judges) = &mut self.judges {
            judges.settle(until);
        }
    }

    /// The judges, who begin when all members are known.
    fn judges(&mut self) -> &mut Judges {
        let members = || self.order.members();
        self.judges.get_or_insert_with(|| {
            let here = members().filter(|(_, stream)| stream.host().is_none());
            let ranks = (self.size, here.count());
            let there = self.there.take().map(|judges| {
                let recordings = members().map(|(rank, stream)| (rank, stream.recording()));
                let apart = Interface::of_library(&self.library) == Interface::Mpi
                    && !Interface::has_others(&self.library);
                There::new(judges, recordings.collect(), apart)
            });
            Judges::new(self.options, self.how_many, ranks, &self.clocks, there.as_ref())
        })
    }

    /// Findings so far.
    pub(crate) fn found(&self) -> usize {
        self.judges.as_ref().map_or(0, Judges::found)
    }

    /// What it is, in a few words.
    pub(crate) fn describe(&self) -> String {
        format!(
            "a job of {} processes, {}",
            self.size,
            farside_processes::plain(&self.library)
        )
    }

    /// Ends the judging. `hanging`: the processes did nothing any more, or were ended at the time limit.
    pub(crate) fn finish(mut self, hanging: bool) -> Judged {
        // Of a job without events, too, the end is judged.
        self.judges();
        let judges = self.judges.take();
        let streams = || self.order.members();
        let members: Vec<_> = streams()
            .map(|(rank, stream)| (rank, stream.end().unwrap_or(End::Cut)))
            .collect();
        let whole =
            members.len() as u64 == u64::from(self.size) && members.iter().all(|(_, e)| *e == End::Sealed);
        let ending = match (whole, hanging) {
            (true, _) => Ending::Complete,
            (false, true) => Ending::Hanging,
            (false, false) => Ending::Broken,
        };
        let fates = judges.as_ref().map(Judges::fates).unwrap_or_default();
        let finish = |judges: Judges| judges.finish(ending);
        let (findings, counts) = judges.map(finish).unwrap_or_default();
        let hosts = streams()
            .filter_map(|(rank, stream)| Some((rank, stream.host()?.to_string())))
            .collect();
        let damage = streams()
            .flat_map(|(rank, stream)| stream.damage().into_iter().map(move |what| (rank, what)))
            .collect();
        Judged {
            size: self.size,
            library: self.library,
            origin: self.origin,
            members,
            forced: self.order.forced(),
            hosts,
            findings,
            counts,
            fates,
            code: self.seen.code,
            last_calls: self.seen.last_calls,
            whereabouts: BTreeMap::new(),
            shortfalls: self.seen.shortfalls,
            damage,
            bytes: streams().map(|(_, stream)| stream.bytes()).sum(),
            one_sided: self.seen.one_sided,
            accessed: self.seen.accessed,
            options: self.options,
            recording: self.recording.filter(|_| whole),
        }
    }
}
