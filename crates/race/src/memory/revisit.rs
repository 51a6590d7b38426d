//! A thread that does in this segment just what it did in an earlier one.
//!
//! Iterative programs touch the same memory from the same place in every step. What an instruction does again needs no
//! new record: the one that stands for it is made younger, and compared only with what others did to the memory since.
//! So a step costs what its communication touches, not what it computes.
//!
//! Sound because a record is reused only if nothing has displaced it anywhere and it was nowhere forgotten (it lies
//! wherever the accesses lie), if the accesses are the same in every respect, and if the same locks are held; and
//! because a process' own direct accesses never conflict with each other, so that only entries of operations and of
//! other processes count as news.

use super::Memory;
use crate::finding::Site;
use crate::footprint;
use crate::job::Sequence;
use crate::record::{LockEpoch, Record};
use farside_clocks::{ByteSet, Component, Epoch};
use farside_events::{AccessKind, AccessRun, AccessSet, AccessSource, LockKind, Rank, StackId};
use rustc_hash::FxHashMap as HashMap;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// Who accesses, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The address of the code.
    pc: u64,
    /// Where it was called from.
    stack: StackId,
    /// Load or store.
    kind: AccessKind,
    /// Instruction or call.
    source: AccessSource,
}

impl Place {
    /// Load or store.
    pub(super) fn kind(&self) -> AccessKind {
        self.kind
    }

    /// Instruction or call.
    pub(super) fn source(&self) -> &AccessSource {
        &self.source
    }

    /// Where it is in the code of a process.
    pub(super) fn site(&self, rank: Rank) -> Site {
        Site {
            rank,
            pc: Some(self.pc),
            stack: self.stack,
        }
    }
}

/// What an instruction or a call did in a segment.
#[derive(Debug)]
pub(crate) enum Done<'a> {
    /// With a pattern.
    Runs(SmallVec<[&'a AccessRun; 1]>),
    /// Without one.
    Scattered(&'a AccessSet),
}

/// What it did in an earlier segment.
#[derive(Debug)]
struct Known {
    /// None, if it was scattered.
    runs: Vec<AccessRun>,
    record: Rc<Record>,
    bytes: Rc<ByteSet>,
    /// The number of the news that were known then.
    seen: u64,
}

/// What each thread did in earlier segments, by component.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    threads: Vec<Thread>,
}

#[derive(Debug, Default)]
struct Thread {
    /// The latest comes last. A program that works on two fields by turns does in each segment what it did in the one
    /// before the last.
    places: HashMap<Place, SmallVec<[Known; 2]>>,
    /// What was scattered, by the size of its units. Never forgotten: the process may say that it was the same again.
    sets: HashMap<(Place, u8), Known>,
    /// The last of those that were not judged here.
    kept: HashMap<(Place, u8), AccessSet>,
    /// Runs of all places.
    runs: usize,
}

/// What a thread does again.
#[derive(Debug)]
pub(crate) struct Again {
    record: Rc<Record>,
    bytes: Rc<ByteSet>,
    since: u64,
}

impl Again {
    /// The record that stands for it.
    pub(crate) fn record(&self) -> &Rc<Record> {
        &self.record
    }

    /// Where it lies.
    pub(crate) fn bytes(&self) -> &ByteSet {
        &self.bytes
    }

    /// The number of the news up to which it was compared.
    pub(crate) fn since(&self) -> u64 {
        self.since
    }
}

/// Runs remembered of a thread.
const REMEMBERED: usize = 1 << 17;
/// Segments in which a place did different things that are remembered.
const TURNS_OF_A_PLACE: usize = 4;
/// Bytes of a place that a loop may poll.
const POLLED: u64 = 16;
/// Places that an instruction may poll by turns; one that comes to more goes through memory.
const TURNS: usize = 8;

impl<'a> Done<'a> {
    /// Takes the runs of a segment together by who made them. Accesses to a few places stay apart, for how often each
    /// is come back to tells of polling.
    pub(crate) fn of(runs: &'a [AccessRun]) -> SmallVec<[Self; 1]> {
        if let [run] = runs {
            return smallvec![Self::Runs(smallvec![run])];
        }
        let mut places: HashMap<(u64, StackId, AccessKind), SmallVec<[usize; 2]>> = HashMap::default();
        let mut all: Vec<SmallVec<[&AccessRun; 1]>> = Vec::with_capacity(runs.len().min(256));
        let mut small: Vec<usize> = Vec::new();
        for run in runs {
            let is_small = is_small(run);
            let known = places.entry((run.pc, run.stack, run.kind)).or_default();
            let same = |&&index: &&usize| {
                let other: &AccessRun = all[index][0];
                other.source == run.source && (small[index] != 0) == is_small
            };
            match known.iter().find(same) {
                Some(&index) => {
                    all[index].push(run);
                    small[index] += usize::from(is_small);
                }
                None => {
                    known.push(all.len());
                    all.push(SmallVec::from_buf([run]));
                    small.push(usize::from(is_small));
                }
            }
        }
        let mut alone: Vec<&AccessRun> = Vec::new();
        for (runs, small) in all.iter_mut().zip(small) {
            // What comes back to none more often than it has places compares them, as one that sorts does.
            let polls = |most: u64| most == 0 || most > small as u64;
            if (2..=TURNS).contains(&small) && polls(most_repeats(runs)) {
                alone.extend(runs.drain(1..));
            }
        }
        all.extend(alone.into_iter().map(|run| SmallVec::from_buf([run])));
        all.into_iter().map(Self::Runs).collect()
    }

    /// Who did it.
    pub(crate) fn place(&self) -> Place {
        let (pc, stack, kind, source) = match self {
            Self::Runs(runs) => (runs[0].pc, runs[0].stack, runs[0].kind, &runs[0].source),
            Self::Scattered(set) => (set.pc, set.stack, set.kind, &set.source),
        };
        Place {
            pc,
            stack,
            kind,
            source: source.clone(),
        }
    }

    /// How often it came back to a place that it may poll. What comes to many places polls none of them, unless it
    /// comes back to one more often than it has places: a comparison that sorts does not, nor does one of nested loops.
    pub(crate) fn repeats(&self) -> u64 {
        let Self::Runs(runs) = self else { return 0 };
        let most = most_repeats(runs);
        let places = runs
            .iter()
            .map(|run| run.inner_count.saturating_mul(run.outer_count));
        match runs.len() == 1 || most > places.sum() {
            true => most,
            false => 0,
        }
    }

    /// The bytes that it touches; `None` if it says that they are those of an earlier segment.
    fn bytes(&self) -> Option<ByteSet> {
        match self {
            Self::Runs(runs) => {
                let mut ranges = Vec::new();
                for run in runs {
                    footprint::of_run(run, |range| ranges.push(range));
                }
                Some(ByteSet::of(ranges))
            }
            Self::Scattered(set) => {
                let places = set.places.as_ref()?;
                let mut ranges = Vec::new();
                places.pages(set.words(), |page, units| {
                    footprint::of_page(page, units, set.unit, |range| ranges.push(range));
                });
                Some(ByteSet::of(ranges))
            }
        }
    }

    /// Whether it is worth remembering: polling is not, for each visit counts.
    fn may_be_repeated(&self) -> bool {
        match self {
            Self::Runs(runs) => runs.len() > 1 || !may_poll(runs[0]),
            Self::Scattered(_) => true,
        }
    }
}

/// How often the one of them that was gone through again most often was so, of those to a few bytes.
fn most_repeats(runs: &[&AccessRun]) -> u64 {
    let small = runs.iter().filter(|run| is_small(run));
    small.map(|run| run.repeats).max().unwrap_or(0)
}

/// Whether both say the same.
fn are_same(runs: &[&AccessRun], known: &[AccessRun]) -> bool {
    let same = |(a, b): (&&AccessRun, &AccessRun)| {
        (a.base, a.size) == (b.base, b.size)
            && (a.inner_count, a.inner_stride) == (b.inner_count, b.inner_stride)
            && (a.outer_count, a.outer_stride) == (b.outer_count, b.outer_stride)
    };
    runs.len() == known.len() && runs.iter().zip(known).all(same)
}

/// Whether a run is a single access, to so few bytes that a loop may poll them.
pub(crate) fn may_poll(run: &AccessRun) -> bool {
    run.inner_count <= 1 && run.outer_count <= 1 && run.size <= POLLED
}

/// Whether a run touches so few bytes that a loop may poll them.
fn is_small(run: &AccessRun) -> bool {
    let bounds = footprint::bounds(run);
    bounds.end - bounds.start <= POLLED
}

impl Visits {
    /// The bytes that a thread touches; none, if it says that they are those of a segment that is not known.
    pub(crate) fn bytes(&self, component: Component, done: &Done<'_>) -> Rc<ByteSet> {
        let thread = self.threads.get(component as usize);
        let is_given = match done {
            Done::Runs(_) => false,
            Done::Scattered(set) => set.places.is_some(),
        };
        if let Some(known) = thread.filter(|_| !is_given).and_then(|thread| thread.find(done)) {
            return Rc::clone(&known.bytes);
        }
        let kept = || thread?.kept(done).and_then(|kept| Done::Scattered(kept).bytes());
        Rc::new(done.bytes().or_else(kept).unwrap_or_default())
    }

    /// A thread of a process that is not looked at here touches this: it may say later that it does so again.
    pub(crate) fn keep(&mut self, component: Component, set: &AccessSet) {
        if set.places.is_some() {
            let place = Done::Scattered(set).place();
            self.thread(component).kept.insert((place, set.unit), set.clone());
        }
    }

    fn thread(&mut self, component: Component) -> &mut Thread {
        let index = component as usize;
        if index >= self.threads.len() {
            self.threads.resize_with(index + 1, Thread::default);
        }
        &mut self.threads[index]
    }

    /// A thread, now at `at`, does this under these locks: if it repeats what it did, its record is made younger.
    pub(crate) fn again(
        &mut self,
        memory: &mut Memory,
        (rank, at): (Rank, Epoch),
        done: &Done<'_>,
        held: &[Rc<LockEpoch>],
        sequence: &mut Sequence,
    ) -> Option<Again> {
        if !done.may_be_repeated() {
            return None;
        }
        let known = self.threads.get_mut(at.component as usize)?.find_mut(done)?;
        let record = &known.record;
        let same =
            |(a, b): (&Rc<LockEpoch>, &Rc<LockEpoch>)| Rc::ptr_eq(a, b) && a.kind() == LockKind::Shared;
        let same_locks = record.locks().len() == held.len() && record.locks().iter().zip(held).all(same);
        let same_bytes = match done {
            // What is found is the same.
            Done::Runs(_) => true,
            Done::Scattered(set) => set.places.is_none(),
        };
        if record.is_displaced() || !same_locks || !same_bytes {
            return None;
        }
        record.repeat(at, sequence.advance());
        memory.repeated(rank, at);
        let since = std::mem::replace(&mut known.seen, memory.latest_news(rank));
        Some(Again {
            record: Rc::clone(record),
            bytes: Rc::clone(&known.bytes),
            since,
        })
    }

    /// Remembers the record that stands for it, and where it lies.
    pub(crate) fn remember(
        &mut self,
        memory: &mut Memory,
        rank: Rank,
        done: &Done<'_>,
        record: &Rc<Record>,
        bytes: &Rc<ByteSet>,
    ) {
        if !done.may_be_repeated() {
            return;
        }
        let thread = self.thread(record.component());
        record.remember();
        let mut known = Known {
            runs: Vec::new(),
            record: Rc::clone(record),
            bytes: Rc::clone(bytes),
            seen: memory.latest_news(rank),
        };
        match done {
            Done::Runs(runs) => {
                if thread.runs > REMEMBERED {
                    thread.places.clear();
                    thread.runs = 0;
                }
                known.runs = runs.iter().map(|&run| run.clone()).collect();
                thread.runs += known.runs.len();
                let of_place = thread.places.entry(done.place()).or_default();
                let old = match of_place.iter().position(|old| are_same(runs, &old.runs)) {
                    None if of_place.len() >= TURNS_OF_A_PLACE => Some(0),
                    same => same,
                };
                thread.runs -= old.map_or(0, |old| of_place.remove(old).runs.len());
                of_place.push(known);
            }
            Done::Scattered(set) => {
                thread.sets.insert((done.place(), set.unit), known);
            }
        }
    }
}

impl Thread {
    /// What is known of this, if it was done before; of what is scattered, what was done last.
    fn find(&self, done: &Done<'_>) -> Option<&Known> {
        match done {
            Done::Runs(runs) => {
                let of_place = self.places.get(&done.place())?;
                of_place.iter().find(|known| are_same(runs, &known.runs))
            }
            Done::Scattered(set) => self.sets.get(&(done.place(), set.unit)),
        }
    }

    fn kept(&self, done: &Done<'_>) -> Option<&AccessSet> {
        match done {
            Done::Runs(_) => None,
            Done::Scattered(set) => self.kept.get(&(done.place(), set.unit)),
        }
    }

    fn find_mut(&mut self, done: &Done<'_>) -> Option<&mut Known> {
        match done {
            Done::Runs(runs) => {
                let of_place = self.places.get_mut(&done.place())?;
                let at = of_place.iter().position(|known| are_same(runs, &known.runs))?;
                of_place[at..].rotate_left(1);
                of_place.last_mut()
            }
            Done::Scattered(set) => self.sets.get_mut(&(done.place(), set.unit)),
        }
    }
}
