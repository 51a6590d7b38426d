//! A thread that does in this segment just what it did in an earlier one.
//!
//! Iterative programs touch the same memory from the same place in every step. Such a run needs no new records: the one
//! that stands for it is made younger, and compared only with what others did to the memory since. So a step costs what
//! its communication touches, not what it computes.
//!
//! Sound because a record is reused only if nothing has displaced it anywhere and it was nowhere forgotten (it lies
//! wherever the run lies), if the run is the same in every respect, and if the same locks are held; and because a
//! process' own direct accesses never conflict with each other, so that only entries of operations and of other
//! processes count as news.

use super::Memory;
use crate::footprint;
use crate::job::Sequence;
use crate::record::{LockEpoch, Record};
use farside_clocks::Epoch;
use farside_events::{AccessKind, AccessRun, AccessSource, LockKind, Rank, StackId};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::rc::Rc;

/// What a run does, apart from how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shape {
    kind: AccessKind,
    pc: u64,
    stack: StackId,
    base: u64,
    size: u64,
    inner: (u64, i64),
    outer: (u64, i64),
}

/// What each thread did in earlier segments, by component; with the number of the news that were known then.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    threads: Vec<HashMap<Shape, (Rc<Record>, u64)>>,
}

/// A run that repeats an earlier one.
#[derive(Debug)]
pub(crate) struct Again {
    record: Rc<Record>,
    written: Vec<Range<u64>>,
    news: Vec<Range<u64>>,
}

impl Again {
    /// The record that stands for it.
    pub(crate) fn record(&self) -> &Rc<Record> {
        &self.record
    }

    /// What it writes.
    pub(crate) fn written(&self) -> &[Range<u64>] {
        &self.written
    }

    /// The bytes on which it must be compared with what came since.
    pub(crate) fn news(&self) -> &[Range<u64>] {
        &self.news
    }
}

/// Entries to the memory of a process that its own direct accesses must be compared with, numbered.
#[derive(Debug, Default)]
pub(super) struct News {
    next: u64,
    kept: VecDeque<(u64, Range<u64>)>,
}

/// Runs remembered of a thread, news remembered of a process, and news looked through for one run.
const VISITED: usize = 16_384;
const NEWS: usize = 4_096;
const LOOKED_THROUGH: usize = 64;

impl News {
    /// Enters a range; extends the last one where it goes on.
    pub(super) fn enter(&mut self, range: Range<u64>) {
        self.next += 1;
        if self.kept.len() == NEWS {
            self.kept.pop_front();
        }
        self.kept.push_back((self.next, range));
    }

    /// The ranges since `number` that meet `bounds`; `None` if that is not known any more, or too many.
    fn since(&self, number: u64, bounds: &Range<u64>) -> Option<Vec<Range<u64>>> {
        if self.kept.front().is_some_and(|(first, _)| *first > number + 1) {
            return None;
        }
        let from = self.kept.partition_point(|(entry, _)| *entry <= number);
        let mut found = Vec::new();
        for (_, range) in self.kept.range(from..) {
            if range.start < bounds.end && bounds.start < range.end {
                found.push(range.clone());
                if found.len() > LOOKED_THROUGH {
                    return None;
                }
            }
        }
        Some(found)
    }
}

impl Shape {
    /// The shape of a run that is worth remembering: of an instruction, and of more than one access.
    fn of(run: &AccessRun) -> Option<Self> {
        let large = run.inner_count > 1 || run.outer_count > 1;
        (large && run.source == AccessSource::Instruction).then_some(Self {
            kind: run.kind,
            pc: run.pc,
            stack: run.stack,
            base: run.base,
            size: run.size,
            inner: (run.inner_count, run.inner_stride),
            outer: (run.outer_count, run.outer_stride),
        })
    }
}

impl Visits {
    /// A thread, now at `at`, makes a run under these locks: if it repeats an earlier one, its record is made younger.
    pub(crate) fn again(
        &mut self,
        memory: &Memory,
        (rank, at): (Rank, Epoch),
        run: &AccessRun,
        held: &[Rc<LockEpoch>],
        sequence: &mut Sequence,
    ) -> Option<Again> {
        let shape = Shape::of(run)?;
        let runs = self.threads.get_mut(at.component as usize)?;
        let (record, seen) = runs.get_mut(&shape)?;
        let same =
            |(a, b): (&Rc<LockEpoch>, &Rc<LockEpoch>)| Rc::ptr_eq(a, b) && a.kind() == LockKind::Shared;
        let same_locks = record.locks().len() == held.len() && record.locks().iter().zip(held).all(same);
        if record.is_displaced() || !same_locks {
            return None;
        }
        let bounds = footprint::bounds(run);
        let since = match memory.news(rank) {
            Some(news) => {
                let since = news.since(*seen, &bounds)?;
                *seen = news.next;
                since
            }
            None => Vec::new(),
        };
        record.repeat(at, sequence.advance());
        let mut parts: Vec<Range<u64>> = Vec::new();
        if !since.is_empty() {
            footprint::of_run(run, |range| {
                let cut = |new: &Range<u64>| range.start.max(new.start)..range.end.min(new.end);
                parts.extend(since.iter().map(cut).filter(|part| part.start < part.end));
            });
        }
        let mut written = Vec::new();
        if record.writes() {
            footprint::of_run(run, |range| match written.last_mut() {
                Some(Range { end, .. }) if *end == range.start => *end = range.end,
                _ => written.push(range),
            });
        }
        Some(Again {
            record: Rc::clone(record),
            written,
            news: parts,
        })
    }

    /// Remembers the record that stands for a run.
    pub(crate) fn remember(&mut self, memory: &Memory, rank: Rank, run: &AccessRun, record: &Rc<Record>) {
        let Some(shape) = Shape::of(run) else { return };
        let number = memory.news(rank).map_or(0, |news| news.next);
        let index = record.component() as usize;
        if index >= self.threads.len() {
            self.threads.resize_with(index + 1, HashMap::new);
        }
        let runs = &mut self.threads[index];
        if runs.len() >= VISITED {
            runs.clear();
        }
        record.remember();
        runs.insert(shape, (Rc::clone(record), number));
    }
}
