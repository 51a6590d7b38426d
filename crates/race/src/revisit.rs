//! A thread that does in this segment just what it did in an earlier one.
//!
//! Iterative programs touch the same memory from the same place in every step. Such a run needs no new records: the one
//! that stands for it is made younger, and compared only with what others did to the memory since. So a step costs what
//! its communication touches, not what it computes.
//!
//! Sound because a record is reused only if nothing has displaced it anywhere and it was nowhere forgotten (it lies wherever the run lies), if the
//! run is the same in every respect, and if the same locks are held; and because a process' own direct accesses never
//! conflict with each other, so that only entries of operations and of other processes count as news.

use crate::detector::Detector;
use crate::footprint;
use crate::record::Record;
use farside_clocks::{Component, Epoch, VectorClock};
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

/// What a thread did in earlier segments.
#[derive(Debug, Default)]
pub(crate) struct Visited {
    runs: HashMap<Shape, (Rc<Record>, u64)>,
}

/// Entries to the memory of a process that its own direct accesses must be compared with, numbered.
#[derive(Debug, Default)]
pub(crate) struct News {
    next: u64,
    kept: VecDeque<(u64, Range<u64>)>,
}

/// Runs remembered of a thread, news remembered of a process, and news looked through for one run.
const VISITED: usize = 16_384;
const NEWS: usize = 4_096;
const LOOKED_THROUGH: usize = 64;

impl News {
    /// Enters a range; extends the last one where it goes on.
    pub(crate) fn enter(&mut self, range: Range<u64>) {
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

impl Detector {
    /// Handles the run if it repeats an earlier one; says whether it did.
    pub(crate) fn revisit(
        &mut self,
        component: Component,
        rank: Rank,
        run: &AccessRun,
        clock: &VectorClock,
    ) -> bool {
        let Some(shape) = Shape::of(run) else { return false };
        let thread = self.job.thread(component);
        let time = thread.time;
        let Some((record, seen)) = thread.visited.runs.get(&shape).cloned() else {
            return false;
        };
        let process = &self.job.processes[rank.0 as usize];
        let same_locks = record.locks.len() == process.held.len()
            && record
                .locks
                .iter()
                .zip(&process.held)
                .all(|(a, b)| Rc::ptr_eq(a, b) && a.kind == LockKind::Shared);
        if record.displaced.get() || !same_locks || !process.mapped.is_empty() {
            return false;
        }
        let bounds = footprint::bounds(run);
        let Some(news) = self.memory.news(rank).since(seen, &bounds) else {
            return false;
        };
        let number = self.memory.news(rank).next;
        record.issued.set(Epoch { component, time });
        record.mark.set(self.timeline.advance());
        let mut parts: Vec<Range<u64>> = Vec::new();
        if !news.is_empty() {
            footprint::of_run(run, |range| {
                let cut = |new: &Range<u64>| range.start.max(new.start)..range.end.min(new.end);
                parts.extend(news.iter().map(cut).filter(|part| part.start < part.end));
            });
        }
        if record.writes() {
            footprint::of_run(run, |range| parts_written(&mut self.written, range));
            for range in std::mem::take(&mut self.written) {
                self.stored_into(rank, &range, &record);
            }
        }
        for part in parts {
            self.access(rank, part, &record, clock);
        }
        self.job
            .thread(component)
            .visited
            .runs
            .insert(shape, (record, number));
        true
    }

    /// Remembers the record that stands for a run.
    pub(crate) fn visited(&mut self, component: Component, rank: Rank, run: &AccessRun, record: &Rc<Record>) {
        let Some(shape) = Shape::of(run) else { return };
        let number = self.memory.news(rank).next;
        let visited = &mut self.job.thread(component).visited;
        if visited.runs.len() >= VISITED {
            visited.runs.clear();
        }
        record.remembered.set(true);
        visited.runs.insert(shape, (Rc::clone(record), number));
    }
}

/// One range of a run is enough to know that there was a store; the first in each window counts.
fn parts_written(written: &mut Vec<Range<u64>>, range: Range<u64>) {
    match written.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => written.push(range),
    }
}
