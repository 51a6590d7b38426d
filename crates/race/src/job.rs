//! The processes and threads of the job, and their clocks.

use crate::finding::Site;
use crate::locks::LockEpoch;
use crate::objects::Objects;
use crate::record::{Op, Record};
use crate::revisit::Visited;
use farside_clocks::{Base, Component, Epoch, VectorClock};
use farside_events::{BasicType, Call, CommId, PostId, Rank, RequestId, ThreadId, TypeId, TypeMap, WinId};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// A thread of a process.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) rank: Rank,
    pub(crate) id: ThreadId,
    /// What it knows; its own component is its local time.
    pub(crate) clock: VectorClock,
    /// Its local time: raised at every event that others can learn of, and at every completion.
    pub(crate) time: u64,
    /// It accesses nothing any more.
    pub(crate) ended: bool,
    /// How often it learned something new of others.
    pub(crate) acquisitions: u64,
    /// The call that it is in.
    pub(crate) call: Option<Entered>,
    pub(crate) visited: Visited,
    /// An atomic update made known what the thread did; local accesses from now on are not in it.
    pub(crate) published: bool,
    /// Operations and records since the last change of `time`, by what makes them indistinguishable.
    pub(crate) recent_ops: Vec<Rc<Op>>,
    pub(crate) recent_records: Vec<Rc<Record>>,
}

/// A call that a thread has entered.
#[derive(Clone, Debug)]
pub(crate) struct Entered {
    pub(crate) call: Call,
    pub(crate) site: Site,
    /// Number of the fence on its window, or of the message.
    pub(crate) index: u64,
}

/// A process.
#[derive(Debug, Default)]
pub(crate) struct Process {
    pub(crate) types: HashMap<TypeId, Rc<TypeMap>>,
    /// Parts of shared windows of other processes mapped here: start -> (end, owner, address at the owner).
    pub(crate) mapped: BTreeMap<u64, (u64, Rank, u64)>,
    /// Own window memory: start, end, window.
    pub(crate) exposed: Vec<(u64, u64, WinId)>,
    pub(crate) held: Vec<Rc<LockEpoch>>,
    pub(crate) pending: HashMap<WinId, Vec<Rc<Op>>>,
    pub(crate) requests: HashMap<RequestId, Rc<Op>>,
    pub(crate) objects: Objects,
    pub(crate) posts: HashMap<PostId, crate::messages::Posted>,
    pub(crate) finalized: bool,
}

/// All processes of one job.
#[derive(Debug, Default)]
pub(crate) struct Job {
    pub(crate) size: u32,
    pub(crate) processes: Vec<Process>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) components: HashMap<(Rank, ThreadId), Component>,
    pub(crate) communicators: HashMap<CommId, Arc<[Rank]>>,
    pub(crate) basics: HashMap<BasicType, u32>,
    pub(crate) latest_base: Arc<Base>,
}

impl Job {
    /// The process of `rank`.
    pub(crate) fn process(&mut self, rank: Rank) -> &mut Process {
        let index = rank.0 as usize;
        if index >= self.processes.len() {
            self.processes.resize_with(index + 1, Process::default);
        }
        &mut self.processes[index]
    }

    /// The component of a thread, made at its first event.
    pub(crate) fn component(&mut self, rank: Rank, id: ThreadId) -> Component {
        if let Some(&component) = self.components.get(&(rank, id)) {
            // Whoever does something lives.
            self.thread(component).ended = false;
            return component;
        }
        self.process(rank);
        let component = self.threads.len() as Component;
        let mut clock = VectorClock::default();
        clock.raise(component, 1);
        self.threads.push(Thread {
            rank,
            id,
            clock,
            time: 1,
            ended: false,
            acquisitions: 0,
            call: None,
            visited: Visited::default(),
            published: false,
            recent_ops: Vec::new(),
            recent_records: Vec::new(),
        });
        self.components.insert((rank, id), component);
        component
    }

    /// The thread of a component.
    pub(crate) fn thread(&mut self, component: Component) -> &mut Thread {
        &mut self.threads[component as usize]
    }

    /// A moment after everything that the thread did: what is complete now is known to be so by whoever learns of it.
    pub(crate) fn tick(&mut self, component: Component) -> Epoch {
        let thread = self.thread(component);
        thread.time += 1;
        let time = thread.time;
        thread.clock.raise(component, time);
        thread.published = false;
        thread.recent_ops.clear();
        thread.recent_records.clear();
        Epoch { component, time }
    }

    /// What the thread has done and knows, for others to learn; what it does from now on is not in it.
    pub(crate) fn release(&mut self, component: Component) -> VectorClock {
        let snapshot = self.thread(component).clock.clone();
        self.tick(component);
        snapshot
    }

    /// The thread learns what `clock` knows.
    pub(crate) fn acquire(&mut self, component: Component, clock: &VectorClock) {
        let thread = self.thread(component);
        thread.clock.join(clock);
        thread.acquisitions += 1;
    }

    /// Components beyond a base from which it pays to make a new base.
    pub(crate) fn base_threshold(&self) -> usize {
        (self.size as usize / 2).max(8)
    }

    /// An index for a basic type, equal for equal types.
    pub(crate) fn basic(&mut self, basic: &BasicType) -> u32 {
        if let Some(&index) = self.basics.get(basic) {
            return index;
        }
        let index = self.basics.len() as u32;
        self.basics.insert(basic.clone(), index);
        index
    }

    /// Where `range` of this process' address space really lies: window memory of a neighbour belongs to the neighbour.
    pub(crate) fn owner(&self, rank: Rank, range: std::ops::Range<u64>) -> Vec<(Rank, std::ops::Range<u64>)> {
        let mapped = &self.processes[rank.0 as usize].mapped;
        if mapped.is_empty() {
            return vec![(rank, range)];
        }
        let mut parts = Vec::new();
        let mut position = range.start;
        while position < range.end {
            let inside = mapped
                .range(..=position)
                .next_back()
                .filter(|(_, part)| part.0 > position);
            match inside {
                Some((&start, &(end, owner, address))) => {
                    let stop = end.min(range.end);
                    let shift = |place: u64| address.wrapping_add(place - start);
                    parts.push((owner, shift(position)..shift(stop)));
                    position = stop;
                }
                None => {
                    let stop = mapped
                        .range(position..range.end)
                        .next()
                        .map_or(range.end, |(&start, _)| start);
                    parts.push((rank, position..stop));
                    position = stop;
                }
            }
        }
        parts
    }
}
