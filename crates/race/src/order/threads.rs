//! The threads of the job and what each of them knows.
//!
//! A thread may have strands ([`ThreadId::strand`]): parts of its work that its language does not order. A strand is a
//! thread here, with a component of its own, whose local time is that of its host. What it knows of other strands it
//! has from forks, joins and synchronisation. Besides, it knows of the threads of its process what its host knew when
//! the strand went on: the order in which they really ran, which counts for memory that belongs to a thread (see
//! [`crate::record::Record::precedes`]).

use crate::record::Moved;
use farside_clocks::{Base, Component, Epoch, Gathering, VectorClock};
use farside_events::{Rank, ThreadId};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// A thread of a process.
#[derive(Debug)]
struct Thread {
    rank: Rank,
    id: ThreadId,
    /// The thread that runs it: itself, unless it is a strand.
    host: Component,
    /// Of a thread: which of its strands, or itself, did something last.
    runs: Component,
    /// What it knows; its own component is its local time.
    clock: VectorClock,
    /// Its local time, that of its host: raised at every event that others can learn of, and at every completion.
    time: u64,
    /// It accesses nothing any more.
    ended: bool,
    /// How often it learned something new of others.
    acquisitions: u64,
    /// Its local time when an atomic update made known what it did; accesses from now on are not in it.
    published: u64,
    /// What it knew and had done when it passed its last fence.
    fenced: Option<Box<VectorClock>>,
}

/// A state of what a thread knows and has done: as long as it is in it, its clock stays as it is. Local time, and how
/// often it learned something new of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Knowledge(u64, u64);

/// All threads, by component of the clocks.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    all: Vec<Thread>,
    components: HashMap<(Rank, ThreadId), Component>,
    /// By rank: how many threads and strands were met.
    of_rank: Vec<u32>,
    /// By rank: the thread that did something last.
    latest: Vec<Option<(ThreadId, Component)>>,
    /// Processes of the job.
    size: u32,
    latest_base: Arc<Base>,
    /// How often a thread learned what it might not have learned with the same waits, had processes run at another
    /// speed.
    chances: u64,
}

/// Components for which the smallest time that any thread knows is taken, times threads: more would cost too much.
const COMPARED: usize = 256 * 256;

impl Threads {
    /// The job has so many processes.
    pub(crate) fn expect(&mut self, size: u32) {
        self.size = self.size.max(size);
    }

    /// The component of a thread that does something, made at its first event.
    pub(crate) fn component(&mut self, rank: Rank, id: ThreadId) -> Component {
        if let Some(component) = self.latest(rank, id) {
            // Whoever does something lives.
            self.of(component).ended = false;
            return component;
        }
        let host = id.is_strand().then(|| self.component(rank, id.thread()));
        let component = self.all.len() as Component;
        let mut clock = VectorClock::default();
        let time = host.map_or(1, |host| self.now(host).time);
        clock.raise(component, time);
        self.all.push(Thread {
            rank,
            id,
            host: host.unwrap_or(component),
            runs: component,
            clock,
            time,
            ended: false,
            acquisitions: 0,
            published: 0,
            fenced: None,
        });
        self.components.insert((rank, id), component);
        let index = rank.0 as usize;
        if index >= self.of_rank.len() {
            self.of_rank.resize(index + 1, 0);
        }
        self.of_rank[index] += 1;
        if host.is_some() {
            self.switch(component);
        }
        component
    }

    /// A strand goes on, or the thread itself: it knows what the thread knows of its process' threads.
    fn switch(&mut self, component: Component) {
        let host = self.all[component as usize].host;
        let last = std::mem::replace(&mut self.all[host as usize].runs, component);
        if last == component {
            return;
        }
        let before = self.all[last as usize].clock.clone();
        let (rank, time) = (self.rank(host), self.all[last as usize].time);
        for other in 0..self.all.len() as Component {
            let thread = &self.all[other as usize];
            if thread.host == other && thread.rank == rank {
                self.of(component).clock.raise(other, before.get(other));
            }
        }
        // What the strand does from now on is not what it did before.
        self.of(component).time = time;
        self.tick(component);
    }

    /// The component of a thread that has been met and does something.
    fn latest(&mut self, rank: Rank, id: ThreadId) -> Option<Component> {
        let index = rank.0 as usize;
        if let Some(Some((thread, component))) = self.latest.get(index)
            && *thread == id
        {
            return Some(*component);
        }
        let component = *self.components.get(&(rank, id))?;
        if index >= self.latest.len() {
            self.latest.resize(index + 1, None);
        }
        self.latest[index] = Some((id, component));
        self.switch(component);
        Some(component)
    }

    /// The component of a thread that has been met.
    pub(crate) fn find(&self, rank: Rank, id: ThreadId) -> Option<Component> {
        self.components.get(&(rank, id)).copied()
    }

    /// The process of a component.
    pub(crate) fn rank(&self, component: Component) -> Rank {
        self.all[component as usize].rank
    }

    /// The thread of a component.
    pub(crate) fn id(&self, component: Component) -> ThreadId {
        self.all[component as usize].id
    }

    /// What the thread knows.
    pub(crate) fn clock(&self, component: Component) -> &VectorClock {
        &self.all[component as usize].clock
    }

    /// In which state the thread's clock is.
    pub(super) fn knowledge(&self, component: Component) -> Knowledge {
        let thread = &self.all[component as usize];
        Knowledge(thread.time, thread.acquisitions)
    }

    /// Whether no other thread of its process has been met.
    pub(crate) fn is_alone(&self, component: Component) -> bool {
        let rank = self.rank(component);
        self.all.iter().filter(|thread| thread.rank == rank).count() == 1
    }

    /// The thread's present.
    pub(crate) fn now(&self, component: Component) -> Epoch {
        let Thread { host, time, .. } = self.all[component as usize];
        Epoch {
            component,
            host,
            time,
        }
    }

    /// Whether the process of a thread has others.
    pub(crate) fn has_others(&self, component: Component) -> bool {
        let rank = self.all[component as usize].rank.0 as usize;
        self.of_rank.get(rank).is_some_and(|&threads| threads > 1)
    }

    /// Whether it is a strand of a thread.
    pub(crate) fn is_strand(&self, component: Component) -> bool {
        self.all[component as usize].host != component
    }

    /// What the thread is and knows when it makes an access itself.
    pub(crate) fn moved(&self, component: Component) -> Moved {
        let thread = &self.all[component as usize];
        Moved::new(thread.id, self.now(component), thread.acquisitions)
            .in_memory_of_the_thread(self.is_strand(component))
    }

    /// One more than the largest rank that has been met.
    pub(crate) fn ranks(&self) -> u32 {
        self.all.iter().map(|thread| thread.rank.0 + 1).max().unwrap_or(0)
    }

    /// A moment after everything that the thread did: what is complete now is known to be so by whoever learns of it.
    pub(crate) fn tick(&mut self, component: Component) -> Epoch {
        let thread = self.of(component);
        thread.time += 1;
        let Thread { host, time, .. } = *thread;
        thread.clock.raise(component, time);
        if host != component {
            thread.clock.raise(host, time);
        }
        Epoch {
            component,
            host,
            time,
        }
    }

    /// What the thread has done and knows, for others to learn; what it does from now on is not in it.
    pub(crate) fn release(&mut self, component: Component) -> VectorClock {
        let snapshot = self.of(component).clock.clone();
        self.tick(component);
        snapshot
    }

    /// The thread passes a fence.
    pub(crate) fn pass_fence(&mut self, component: Component) {
        let clock = self.release(component);
        self.of(component).fenced = Some(Box::new(clock));
    }

    /// What the thread knew and had done when it passed its last fence.
    pub(crate) fn before_fence(&self, component: Component) -> Option<&VectorClock> {
        self.all[component as usize].fenced.as_deref()
    }

    /// The thread learns what `clock` knows.
    pub(crate) fn acquire(&mut self, component: Component, clock: &VectorClock) {
        self.learn(component, clock);
        self.has_acquired(component);
    }

    /// As [`Self::acquire`], where an execution could have gone another way at this place: what was there first had a
    /// lock, was received from any source, or was read.
    pub(crate) fn acquire_by_chance(&mut self, component: Component, clock: &VectorClock) {
        self.chances += 1;
        self.acquire(component, clock);
    }

    /// How often threads were ordered by chance so far.
    pub(crate) fn chances(&self) -> u64 {
        self.chances
    }

    /// As [`Self::acquire`], for one of several things that the thread learns at once.
    pub(crate) fn learn(&mut self, component: Component, clock: &VectorClock) {
        self.of(component).clock.join(clock);
    }

    /// The thread has learned something.
    pub(crate) fn has_acquired(&mut self, component: Component) {
        self.of(component).acquisitions += 1;
    }

    /// The thread learns what all those know who met in a call.
    pub(crate) fn acquire_all(&mut self, component: Component, gathered: &mut Gathering) {
        let clock = self.joined(gathered);
        self.acquire(component, &clock);
    }

    /// What all those know who met in a call. It becomes a new base if there are enough components beyond the last one
    /// that this pays.
    pub(crate) fn joined(&mut self, gathered: &mut Gathering) -> VectorClock {
        let threshold = (self.size as usize / 2).max(8);
        gathered.joined(threshold, &mut self.latest_base)
    }

    /// An atomic update made known what the thread did.
    pub(crate) fn publish(&mut self, component: Component) {
        let thread = self.of(component);
        thread.published = thread.time;
    }

    /// The thread accesses memory: what an atomic update made known ends before that.
    pub(crate) fn end_publication(&mut self, component: Component) {
        let thread = self.of(component);
        if thread.published == thread.time {
            self.tick(component);
        }
    }

    /// The thread has come to its end.
    pub(crate) fn end(&mut self, component: Component) {
        self.of(component).ended = true;
    }

    /// A clock that is known to all living threads of the processes chosen by `which`.
    pub(crate) fn known_to_all(&self, which: impl Fn(Rank) -> bool) -> VectorClock {
        let lives = |thread: &&Thread| !thread.ended && which(thread.rank);
        let threads: Vec<&Thread> = self.all.iter().filter(lives).collect();
        let oldest = threads
            .iter()
            .min_by_key(|thread| thread.clock.base().generation());
        let mut floor = oldest.map_or_else(VectorClock::default, |thread| thread.clock.shared_part());
        // Small groups seldom make bases: take the smallest time that any thread knows of each component.
        if threads.len() * self.all.len() <= COMPARED {
            for component in 0..self.all.len() as Component {
                let known = threads.iter().map(|thread| thread.clock.get(component)).min();
                floor.raise(component, known.unwrap_or(0));
            }
        }
        floor
    }

    fn of(&mut self, component: Component) -> &mut Thread {
        &mut self.all[component as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_released_is_known_and_what_follows_is_not() {
        let mut threads = Threads::default();
        let [one, other] = [0, 1].map(|rank| threads.component(Rank(rank), ThreadId(0)));
        let before = threads.now(one);
        let released = threads.release(one);
        threads.acquire(other, &released);
        assert!(threads.clock(other).covers(before) && !threads.clock(other).covers(threads.now(one)));
    }

    #[test]
    fn a_publication_ends_with_the_next_access() {
        let mut threads = Threads::default();
        let one = threads.component(Rank(0), ThreadId(0));
        let before = threads.now(one);
        threads.end_publication(one);
        assert_eq!(threads.now(one), before);
        threads.publish(one);
        threads.end_publication(one);
        assert_eq!(threads.now(one).time, before.time + 1);
    }

    #[test]
    fn threads_that_have_ended_need_not_know_anything() {
        let mut threads = Threads::default();
        let [one, other, last] = [0, 1, 2].map(|rank| threads.component(Rank(rank), ThreadId(0)));
        let moment = threads.now(one);
        let released = threads.release(one);
        threads.acquire(other, &released);
        assert!(!threads.known_to_all(|_| true).covers(moment));
        assert!(threads.known_to_all(|rank| rank != Rank(2)).covers(moment));
        threads.end(last);
        assert!(threads.known_to_all(|_| true).covers(moment));
    }
}
