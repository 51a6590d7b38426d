//! One process of the job: its memory, threads and handles.

use crate::handles::Handles;
use crate::ir::{Module, PlaceId};
use crate::loops::History;
use crate::memory::Memory;
use crate::site::At;
use crate::thread::{Frame, Thread};
use crate::threads::{Dependences, Team};
use farside_events::StackId;
use std::collections::HashMap;

/// All processes of a job, by rank.
pub(crate) struct Processes(Vec<Process>);

impl Processes {
    /// As many processes that have not begun.
    pub(crate) fn new(module: &Module, size: u32) -> Self {
        Self((0..size).map(|_| Process::new(module)).collect())
    }

    pub(crate) fn of(&self, rank: u32) -> &Process {
        &self.0[rank as usize]
    }

    pub(crate) fn of_mut(&mut self, rank: u32) -> &mut Process {
        &mut self.0[rank as usize]
    }

    pub(crate) fn thread(&self, at: At) -> &Thread {
        &self.of(at.rank).threads[at.thread]
    }

    pub(crate) fn thread_mut(&mut self, at: At) -> &mut Thread {
        &mut self.of_mut(at.rank).threads[at.thread]
    }

    /// The function that a thread is in; `None` if it has left the outermost one.
    pub(crate) fn frame(&self, at: At) -> Option<&Frame> {
        self.thread(at).frames.last()
    }

    pub(crate) fn all(&self) -> &[Process] {
        &self.0
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Process] {
        &mut self.0
    }
}

/// One process.
pub(crate) struct Process {
    pub(crate) memory: Memory,
    pub(crate) threads: Vec<Thread>,
    pub(crate) handles: Handles,
    pub(crate) globals: Vec<u64>,
    pub(crate) history: History,
    pub(crate) initialized: bool,
    pub(crate) finished: bool,
    /// Results of functions outside the module, counted by place.
    pub(crate) outside: HashMap<(PlaceId, StackId), u32>,
    /// Who holds a lock, by its address: 0, or the number of the thread and one; counts of semaphores and condition variables.
    pub(crate) locks: HashMap<u64, u32>,
    /// What the teams of OpenMP share, by number.
    pub(crate) teams: HashMap<u64, Team>,
    /// The members of OpenMP's task groups.
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) dependences: Dependences,
    /// The copies of thread-local variables, by thread and address of the original.
    pub(crate) thread_locals: HashMap<(usize, u64), u64>,
}

impl Process {
    /// A process that has not begun.
    pub(crate) fn new(module: &Module) -> Self {
        let mut memory = Memory::starting_at(0x1_0000_0000);
        let globals = module
            .globals
            .iter()
            .map(|global| memory.allocate(global.size, &global.name))
            .collect();
        Self {
            memory,
            threads: vec![Thread {
                team: (0, 1),
                ..Thread::default()
            }],
            handles: Default::default(),
            globals,
            history: Default::default(),
            initialized: false,
            finished: false,
            outside: Default::default(),
            locks: Default::default(),
            teams: Default::default(),
            groups: Vec::new(),
            dependences: Default::default(),
            thread_locals: Default::default(),
        }
    }
}
