//! The processes of a job: their memory, threads and handles, and what their threads share.

mod locks;
mod team;
mod thread;

pub(crate) use locks::Locks;
pub(crate) use team::{Rounds, Team};
pub(crate) use thread::{Entered, Frame, Thread, ThreadState};

use crate::handles::Handles;
use crate::ir::{Module, PlaceId};
use crate::memory::Memory;
use crate::site::At;
use farside_events::StackId;
use std::collections::HashMap;
use team::Dependences;

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
    pub(crate) initialized: bool,
    pub(crate) finished: bool,
    /// Results of functions outside the module, counted by place.
    pub(crate) outside: HashMap<(PlaceId, StackId), u32>,
    locks: Locks,
    /// What the teams of OpenMP share, by number.
    teams: HashMap<u64, Team>,
    /// The members of OpenMP's task groups.
    groups: Vec<Vec<usize>>,
    dependences: Dependences,
    /// The copies of thread-local variables, by thread and address of the original.
    thread_locals: HashMap<(usize, u64), u64>,
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

    /// What its threads exclude each other with.
    pub(crate) fn locks(&mut self) -> &mut Locks {
        &mut self.locks
    }

    /// The team that a thread is in.
    pub(crate) fn team(&mut self, thread: usize) -> &mut Team {
        self.teams.entry(self.threads[thread].team_id).or_default()
    }

    /// A thread begins a task group: all tasks that it makes from now on, and their own.
    pub(crate) fn begin_group(&mut self, thread: usize) {
        self.threads[thread].groups.push(self.groups.len() as u64);
        self.groups.push(Vec::new());
    }

    /// The tasks of the innermost group of a thread; `None` if it is in no group.
    pub(crate) fn group(&self, thread: usize) -> Option<&[usize]> {
        let group = self.threads[thread].groups.last()?;
        Some(&self.groups[*group as usize])
    }

    /// A thread has made a task, which is a thread that begins after some others.
    pub(crate) fn add_task(&mut self, parent: usize, task: usize, after: Vec<usize>) {
        self.team(parent).add_task(task);
        self.threads[parent].children.push(task);
        let groups = self.threads[parent].groups.clone();
        if let Some(group) = groups.last() {
            self.groups[*group as usize].push(task);
        }
        self.threads[task].groups = groups;
        self.threads[task].after = after;
    }

    /// The next task that a thread makes depends on a variable; which tasks it comes after by that.
    pub(crate) fn depend(&mut self, parent: usize, variable: u64, reads: bool) -> Vec<usize> {
        let task = self.threads.len();
        self.dependences.enter(parent, variable, task, reads)
    }

    /// A thread's copy of a thread-local variable, if it has one.
    pub(crate) fn thread_local(&self, thread: usize, original: u64) -> Option<u64> {
        self.thread_locals.get(&(thread, original)).copied()
    }

    /// Where a thread has its copy of a thread-local variable.
    pub(crate) fn set_thread_local(&mut self, thread: usize, original: u64, copy: u64) {
        self.thread_locals.insert((thread, original), copy);
    }
}
