//! Who judges the events of a job: one detector here, or several that split its memory, each in a thread of its own or
//! on the host whose memory it is (`away`).
//!
//! Promise: what is found is the same (`farside_race::join`). One judge has no thread, no queue and no copy. A judge
//! that panics here makes the caller panic: nothing is reported as judged that was not. One on another host that is
//! lost is given up, which [`Fate`] says; what it had told stands.
//!
//! Limit: all judges read all synchronisation, so that more than [`MOST`] are seldom worth their time.

mod away;
mod queue;

pub(crate) use away::{Fate, There};

use away::Watch;
use farside_events::{Event, Rank};
use farside_race::{
    Counts, Detector, Ending, Options, Owners, Part, RawFinding, Seat, Shard, join, seats, shards,
};
use queue::{Batch, Queue};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

/// Events that are handed on together.
const BATCH: usize = 256;
/// Batches that may wait for a judge, and for one on another host, which hears of them later.
const DEPTH: u64 = 4;
const DEPTH_AWAY: u64 = 16;
/// Judges that are used at most where nobody says how many.
const MOST: usize = 8;
/// Bytes of a judge's stack: those of a main thread.
const STACK: usize = 8 << 20;

/// How many judge a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HowMany {
    /// As many as there are processors that its ranks leave free, and one at least.
    #[default]
    WhereFree,
    /// So many, or one for each rank if those are fewer.
    Exactly(usize),
}

impl HowMany {
    /// For a job of which so many ranks run here.
    fn resolve(self, ranks_here: usize) -> usize {
        match self {
            Self::WhereFree => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                processors.saturating_sub(ranks_here).clamp(1, MOST)
            }
            Self::Exactly(number) => number.max(1),
        }
    }
}

/// The judges of a job.
#[derive(Debug)]
pub(crate) enum Judges {
    /// One, here.
    One(Box<Detector>),
    /// Several, in threads.
    Several(Several),
}

/// Judges in threads.
#[derive(Debug)]
pub(crate) struct Several {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<Part>>,
    /// Events for the next batch.
    batch: Batch,
    /// Events that were not judged, once judging was stopped.
    unjudged: u64,
    /// Those on other hosts.
    away: Vec<Watch>,
}

impl Judges {
    /// The judges of a job of so many ranks, of which some run here; `clocks` gives for each rank which clock it has.
    /// Hosts judge their own memory, where they can and `there` is given.
    pub(crate) fn new(
        options: Options,
        how_many: HowMany,
        (ranks, here): (u32, usize),
        clocks: &[(Rank, u32)],
        there: Option<&There>,
    ) -> Self {
        if let Some(there) = there {
            if let Some(several) = Several::on_hosts(options, how_many, (ranks, here), clocks, there) {
                return Self::Several(several);
            }
            there.bring(|_| true);
        }
        let number = how_many.resolve(here);
        let several = || Several::start(options, number, ranks, clocks);
        if let Some(several) = (number > 1).then(several).flatten() {
            return Self::Several(several);
        }
        let mut detector = Box::new(Detector::new(options));
        clocks
            .iter()
            .for_each(|(rank, clock)| detector.set_clock(*rank, *clock));
        Self::One(detector)
    }

    /// Whether another event can be judged, or wait to be, before that moment.
    pub(crate) fn has_room(&mut self, until: Instant) -> bool {
        match self {
            Self::One(_) => true,
            Self::Several(several) => !several.batch.is_empty() || several.has_room(until),
        }
    }

    /// The next event of the job.
    #[inline]
    pub(crate) fn judge(&mut self, rank: Rank, event: &Event) {
        match self {
            Self::One(detector) => detector.event(rank, event),
            Self::Several(several) => several.hand_on(rank, event.clone()),
        }
    }

    /// No event comes for now: those that were given do not wait for it.
    pub(crate) fn flush(&mut self) {
        if let Self::Several(several) = self {
            several.flush();
        }
    }

    /// Waits until all events that were given are judged, until that moment at the longest.
    pub(crate) fn catch_up(&mut self, until: Instant) {
        if let Self::Several(several) = self {
            several.flush();
            several.queue.is_idle(Some(until));
            several.notice();
        }
    }

    /// Events that were given and are not judged.
    pub(crate) fn waiting(&self) -> u64 {
        match self {
            Self::One(_) => 0,
            Self::Several(several) => several.waiting(),
        }
    }

    /// Findings so far; of several judges some count twice.
    pub(crate) fn found(&self) -> usize {
        match self {
            Self::One(detector) => detector.findings().len(),
            Self::Several(several) => several.queue.found(),
        }
    }

    /// Waits until all that was given is judged, until that moment at the longest; what is left then never is.
    pub(crate) fn settle(&mut self, until: Option<Instant>) {
        if let Self::Several(several) = self {
            several.settle(until);
        }
    }

    /// What other hosts judged of their memory.
    pub(crate) fn fates(&self) -> Vec<Fate> {
        match self {
            Self::One(_) => Vec::new(),
            Self::Several(several) => several.away.iter().map(Watch::fate).collect(),
        }
    }

    /// Ends the judging; only what [`Self::settle`] waited for is judged.
    pub(crate) fn finish(self, ending: Ending) -> (Vec<RawFinding>, Counts) {
        match self {
            Self::One(detector) => detector.finish(ending),
            Self::Several(several) => several.finish(ending),
        }
    }
}

impl Several {
    /// Starts them; `None` if there is memory of one only, or the system gives no threads.
    fn start(options: Options, number: usize, ranks: u32, clocks: &[(Rank, u32)]) -> Option<Self> {
        let clock = |rank| {
            clocks
                .iter()
                .find(|(of, _)| *of == rank)
                .map_or(0, |(_, clock)| *clock)
        };
        let owners = Owners::new(ranks, number, clock);
        if owners.judges() < 2 {
            return None;
        }
        let mut several = Self::without_any(owners.judges(), DEPTH);
        for (judge, shard) in shards(&owners).into_iter().enumerate() {
            let Some(thread) = several.judge_here(judge, (options, shard), clocks) else {
                // Those that run are not needed.
                several.queue.close(Ending::Broken);
                return None;
            };
            several.threads.push(thread);
        }
        Some(several)
    }

    /// As [`Self::start`], some of them on the hosts whose memory they have. `None`: no host can.
    fn on_hosts(
        options: Options,
        how_many: HowMany,
        (ranks, here): (u32, usize),
        clocks: &[(Rank, u32)],
        there: &There,
    ) -> Option<Self> {
        let (hosts, rest) = there.split(ranks)?;
        let judges_here = how_many.resolve(here).min(rest.len());
        let mut of = vec![0; ranks as usize];
        for (place, rank) in rest.iter().enumerate() {
            *of.get_mut(rank.0 as usize)? = (place * judges_here / rest.len()) as u32;
        }
        let hosts: Vec<(usize, u32, Vec<Rank>)> = hosts
            .into_iter()
            .zip(judges_here as u32..)
            .map(|((host, ranks), judge)| (host, judge, ranks))
            .collect();
        for (_, judge, ranks) in &hosts {
            for rank in ranks {
                *of.get_mut(rank.0 as usize)? = *judge;
            }
        }
        let owners = Owners::of_ranks(of);
        let numbers: Vec<_> = hosts.iter().map(|(host, judge, _)| (*host, *judge)).collect();
        let remote = there.of_job(&owners, &numbers, ranks)?;
        there.bring(|rank| (owners.of(rank) as usize) < judges_here);
        let post = |judge: u32| {
            let index = (judge as usize).checked_sub(judges_here)?;
            Some(remote.get(index)?.post())
        };
        let mut several = Self::without_any(owners.judges(), DEPTH_AWAY);
        for (judge, seat) in seats(&owners, post).into_iter().enumerate() {
            let thread = match seat {
                Seat::Here(shard) => several.judge_here(judge, (options, shard), clocks),
                Seat::Elsewhere(deputy) => {
                    let (away, (_, _, ranks)) = (&remote[judge - judges_here], &hosts[judge - judges_here]);
                    let begun = Watch::begin(
                        there,
                        (away.clone(), deputy),
                        (judge, ranks),
                        (&owners, options, clocks),
                        &several.queue,
                    );
                    begun.ok().map(|(watch, thread)| {
                        several.away.push(watch);
                        thread
                    })
                }
            };
            match thread {
                Some(thread) => several.threads.push(thread),
                // Of what stays on its host nothing can be judged here: the job goes on as if this one were lost.
                None => several.queue.give_up(judge),
            }
        }
        Some(several)
    }

    fn without_any(judges: usize, depth: u64) -> Self {
        Self {
            queue: Arc::new(Queue::new(judges, depth)),
            threads: Vec::new(),
            batch: Batch::with_capacity(BATCH),
            unjudged: 0,
            away: Vec::new(),
        }
    }

    /// A judge in a thread of its own; `None`, if the system gives none.
    fn judge_here(
        &self,
        judge: usize,
        (options, shard): (Options, Shard),
        clocks: &[(Rank, u32)],
    ) -> Option<JoinHandle<Part>> {
        let (queue, clocks) = (Arc::clone(&self.queue), clocks.to_vec());
        Builder::new()
            .name(format!("judge {judge}"))
            .stack_size(STACK)
            .spawn(move || judge_all(&queue, judge, (options, shard), &clocks))
            .ok()
    }

    fn has_room(&mut self, until: Instant) -> bool {
        let room = self.queue.has_room(until);
        self.notice();
        room
    }

    fn hand_on(&mut self, rank: Rank, event: Event) {
        self.batch.push((rank, event));
        if self.batch.len() >= BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.batch.is_empty() {
            let batch = std::mem::replace(&mut self.batch, Batch::with_capacity(BATCH));
            self.queue.push(batch);
        }
    }

    fn waiting(&self) -> u64 {
        match self.queue.is_stopped() {
            true => self.unjudged,
            false => self.queue.waiting() + self.batch.len() as u64,
        }
    }

    fn settle(&mut self, until: Option<Instant>) {
        self.flush();
        if self.queue.is_stopped() {
            return;
        }
        if !self.queue.is_idle(until) {
            self.unjudged = self.queue.stop();
            self.away.iter().for_each(Watch::stop);
        }
        self.notice();
    }

    fn finish(mut self, ending: Ending) -> (Vec<RawFinding>, Counts) {
        self.settle(None);
        self.queue.close(match self.unjudged {
            0 => ending,
            _ => Ending::Broken,
        });
        join(self.parts())
    }

    /// What each of them found, when it has come to its end.
    ///
    /// # Panics
    /// If one of them did.
    fn parts(&mut self) -> Vec<Part> {
        let threads = std::mem::take(&mut self.threads);
        let parts = threads.into_iter().map(|thread| thread.join());
        // All of them end before anything is said.
        let parts: Vec<_> = parts.collect();
        let parts = parts
            .into_iter()
            .map(|part| part.unwrap_or_else(|panic| resume_unwind(panic)));
        parts.collect()
    }

    /// If one of them has panicked, so does the caller.
    fn notice(&mut self) {
        if self.queue.has_lost() {
            self.end();
            self.parts();
        }
    }

    /// Nothing more is judged.
    fn end(&self) {
        self.queue.stop();
        self.away.iter().for_each(Watch::stop);
        self.queue.close(Ending::Broken);
    }
}

impl Drop for Several {
    fn drop(&mut self) {
        // Threads that nobody asks any more.
        if !self.threads.is_empty() {
            self.end();
        }
    }
}

/// Tells whoever waits for a judge that it panics.
struct Watched<'q>(&'q Queue);

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lose();
        }
    }
}

/// What a judge does in its thread.
fn judge_all(
    queue: &Queue,
    judge: usize,
    (options, shard): (Options, Shard),
    clocks: &[(Rank, u32)],
) -> Part {
    let _watched = Watched(queue);
    let mut detector = Detector::of_shard(options, shard);
    clocks
        .iter()
        .for_each(|(rank, clock)| detector.set_clock(*rank, *clock));
    let mut number = 0;
    let ending = loop {
        match queue.next(number) {
            Ok(batch) => {
                for (rank, event) in batch.iter() {
                    if queue.is_stopped() {
                        break;
                    }
                    detector.event(*rank, event);
                }
            }
            Err(ending) => break ending,
        }
        queue.judged(judge, detector.findings().len());
        number += 1;
    };
    detector.part(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{EventKind, ThreadId};

    fn init(rank: u32) -> (Rank, Event) {
        let kind = EventKind::Init {
            rank: Rank(rank),
            size: 3,
            pid: 1,
            library: "test".into(),
        };
        let (time, thread) = (u64::from(rank), ThreadId(0));
        (Rank(rank), Event { time, thread, kind })
    }

    fn several() -> Judges {
        let judges = Judges::new(Options::default(), HowMany::Exactly(2), (3, 3), &[], None);
        assert!(matches!(judges, Judges::Several(_)));
        judges
    }

    #[test]
    fn events_are_counted_once() {
        let mut judges = several();
        for (rank, event) in (0..3).map(init) {
            assert!(judges.has_room(Instant::now()));
            judges.judge(rank, &event);
        }
        judges.settle(None);
        assert_eq!(judges.waiting(), 0);
        let (findings, counts) = judges.finish(Ending::Complete);
        assert!(findings.is_empty() && counts.events == 3);
    }

    #[test]
    fn one_is_enough_for_one_rank() {
        let judges = Judges::new(Options::default(), HowMany::Exactly(4), (1, 1), &[], None);
        assert!(matches!(judges, Judges::One(_)));
    }

    #[test]
    #[should_panic(expected = "a judge fails")]
    fn whoever_waits_for_a_judge_that_panics_does_so_too() {
        let queue = Arc::new(Queue::new(1, DEPTH));
        let body = {
            let queue = Arc::clone(&queue);
            move || {
                let _watched = Watched(&queue);
                panic!("a judge fails")
            }
        };
        let mut several = Several {
            queue,
            threads: vec![std::thread::spawn(body)],
            batch: vec![init(0)],
            unjudged: 0,
            away: Vec::new(),
        };
        several.settle(None);
    }
}
