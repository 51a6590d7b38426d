//! What orders the threads of a process: mutexes, barriers, atomic variables, tasks; and those of several processes, if
//! it lies in memory that they share.
//!
//! A release leaves what the thread knows; an acquire takes what all releases left. Objects that are acquired once
//! (the start of a thread, say) are forgotten then. Of the others a process has few that live; [`REMEMBERED`] is far
//! above what programs use at a time. Beyond it the object released longest ago is forgotten, and with it an order.

use super::Threads;
use farside_clocks::{Component, VectorClock};
use farside_events::{ObjectId, Rank};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

const REMEMBERED: usize = 100_000;

/// The objects of all processes.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    processes: HashMap<Rank, OfProcess>,
}

impl Objects {
    /// A thread releases an object of a process.
    pub(crate) fn release(
        &mut self,
        threads: &mut Threads,
        component: Component,
        (owner, object): (Rank, ObjectId),
    ) {
        let clock = threads.release(component);
        let process = self.processes.entry(owner).or_default();
        process.release(object, &clock);
    }

    /// A thread releases what it did before its last fence, by an object of a process.
    pub(crate) fn release_fenced(
        &mut self,
        threads: &Threads,
        component: Component,
        (owner, object): (Rank, ObjectId),
    ) {
        if let Some(clock) = threads.before_fence(component) {
            let process = self.processes.entry(owner).or_default();
            process.release(object, clock);
        }
    }

    /// A thread acquires an object of a process.
    pub(crate) fn acquire(
        &mut self,
        threads: &mut Threads,
        component: Component,
        (owner, object): (Rank, ObjectId),
    ) {
        let process = self.processes.get_mut(&owner);
        if let Some(clock) = process.and_then(|process| process.acquire(object)) {
            threads.acquire_by_chance(component, &clock);
        }
    }
}

/// The objects of one process.
#[derive(Debug, Default)]
struct OfProcess {
    known: HashMap<ObjectId, (VectorClock, u64)>,
    by_release: BTreeMap<u64, ObjectId>,
    releases: u64,
}

impl OfProcess {
    /// A thread that knows `clock` releases an object.
    fn release(&mut self, object: ObjectId, clock: &VectorClock) {
        self.releases += 1;
        let (known, last) = self.known.entry(object).or_default();
        known.join(clock);
        self.by_release.remove(last);
        *last = self.releases;
        self.by_release.insert(self.releases, object);
        if self.known.len() > REMEMBERED
            && let Some((_, oldest)) = self.by_release.pop_first()
        {
            self.known.remove(&oldest);
        }
    }

    /// What an acquire learns.
    fn acquire(&mut self, object: ObjectId) -> Option<VectorClock> {
        if object.is_acquired_once() {
            let (clock, last) = self.known.remove(&object)?;
            self.by_release.remove(&last);
            return Some(clock);
        }
        self.known.get(&object).map(|(clock, _)| clock.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_mutex_outlives_many_tasks() {
        let mut objects = OfProcess::default();
        let clock = VectorClock::default();
        for task in 0..3 * REMEMBERED as u64 {
            objects.release(ObjectId(task + 2), &clock);
            objects.release(ObjectId(1), &clock);
        }
        assert!(objects.acquire(ObjectId(1)).is_some());
        assert!(objects.acquire(ObjectId(2)).is_none());
        assert!(objects.known.len() <= REMEMBERED && objects.by_release.len() == objects.known.len());
    }

    #[test]
    fn what_is_acquired_once_is_forgotten() {
        let mut objects = OfProcess::default();
        let start = ObjectId(ObjectId::ACQUIRED_ONCE | 5);
        objects.release(start, &VectorClock::default());
        assert!(objects.acquire(start).is_some());
        assert!(objects.acquire(start).is_none() && objects.by_release.is_empty());
    }
}
