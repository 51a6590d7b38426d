//! The processes of a job: their memory, threads and handles, and what their threads share.

mod answering;
mod frame;
mod locks;
mod relaxed;
mod specific;
mod streams;
mod team;
mod thread;
mod units;

pub(crate) use answering::Answering;
pub(crate) use frame::Frame;
pub(crate) use locks::{Holder, Locks};
pub(crate) use relaxed::Relaxed;
pub(crate) use specific::Specific;
pub(crate) use streams::{Knowledge, Stream, Streams};
pub(crate) use team::{Membership, Rounds, Team};
pub(crate) use thread::{Entered, Thread};
pub(crate) use units::Units;

use crate::asked::is_unlikely;
use crate::chance::Chance;
use crate::handles::Handles;
use crate::inputs::Inputs;
use crate::ir::{Module, PlaceId};
use crate::layout::{Globals, SHARED};
use crate::matching::Meetings;
use crate::memory::Memory;
use crate::site::At;
use farside_events::StackId;
use rustc_hash::FxHashMap as HashMap;
use team::Dependences;

/// All processes of a job, and the memory that they share.
pub(crate) struct Processes {
    /// By rank.
    all: Vec<Process>,
    shared: Memory,
    /// What lies in that memory and excludes threads of all of them.
    shared_locks: Locks,
    /// Nobody could go on in the last round: calls that may but need not wait go on.
    stalled: bool,
    /// How often something changed that a process shows to others.
    changes: u64,
    chance: Chance,
    /// Processes that share memory, if not all do.
    per_node: Option<u32>,
}

impl Processes {
    /// As many processes that have not begun.
    pub(crate) fn new(module: &Module, globals: &Globals, size: u32) -> Self {
        Self {
            all: (0..size)
                .map(|rank| Process::new(globals.memory(module, rank), Handles::of(rank, size)))
                .collect(),
            shared: Memory::starting_at(SHARED),
            shared_locks: Locks::default(),
            stalled: false,
            changes: 0,
            chance: Chance::default(),
            per_node: None,
        }
    }

    /// So many processes each share memory.
    pub(crate) fn put_on_nodes(&mut self, per_node: u32) {
        self.per_node = Some(per_node.max(1));
    }

    /// The number of the node of a process.
    pub(crate) fn node_of(&self, rank: u32) -> u32 {
        self.per_node.map_or(0, |per_node| rank / per_node)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.all.len() as u32
    }

    pub(crate) fn of(&self, rank: u32) -> &Process {
        &self.all[rank as usize]
    }

    pub(crate) fn of_mut(&mut self, rank: u32) -> &mut Process {
        &mut self.all[rank as usize]
    }

    /// The memory that holds an address of a process.
    pub(crate) fn memory(&self, rank: u32, address: u64) -> &Memory {
        match address >= SHARED {
            true => &self.shared,
            false => &self.of(rank).memory,
        }
    }

    /// Likewise, to be written to.
    pub(crate) fn memory_mut(&mut self, rank: u32, address: u64) -> &mut Memory {
        match address >= SHARED {
            true => &mut self.shared,
            false => &mut self.of_mut(rank).memory,
        }
    }

    /// What excludes threads at an address of a process.
    pub(crate) fn locks(&mut self, rank: u32, address: u64) -> &mut Locks {
        match address >= SHARED {
            true => &mut self.shared_locks,
            false => &mut self.of_mut(rank).locks,
        }
    }

    /// Whether operations are concerned with a part of a range of memory.
    pub(crate) fn is_tracked(&self, rank: u32, address: u64, size: u64) -> bool {
        size > 0 && self.memory(rank, address).is_tracked(address, size)
    }

    /// Whether nobody could go on in the last round.
    pub(crate) fn is_stalled(&self) -> bool {
        self.stalled
    }

    /// Nobody could go on, or somebody did.
    pub(crate) fn set_stalled(&mut self, stalled: bool) {
        self.stalled = stalled;
    }

    /// How often something changed that a process shows to others.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Something changes that a process shows to others: memory that operations are concerned with, or what a call
    /// does.
    pub(crate) fn note_change(&mut self) {
        self.changes += 1;
    }

    /// What chance decides for them.
    pub(crate) fn chance(&self) -> &Chance {
        &self.chance
    }

    pub(crate) fn chance_mut(&mut self) -> &mut Chance {
        &mut self.chance
    }

    /// An object that all processes see at the same address.
    pub(crate) fn allocate_shared(&mut self, size: u64, name: &str) -> u64 {
        self.shared.allocate(size, name)
    }

    pub(crate) fn thread(&self, at: At) -> &Thread {
        &self.of(at.rank).threads[at.thread]
    }

    pub(crate) fn thread_mut(&mut self, at: At) -> &mut Thread {
        &mut self.of_mut(at.rank).threads[at.thread]
    }

    /// The function that a thread is in; `None` if it has left the outermost one.
    pub(crate) fn frame(&self, at: At) -> Option<&Frame> {
        self.thread(at).frame()
    }

    pub(crate) fn all(&self) -> &[Process] {
        &self.all
    }
}

/// One process.
pub(crate) struct Process {
    memory: Memory,
    threads: Vec<Thread>,
    handles: Handles,
    initialized: bool,
    finalized: bool,
    finished: bool,
    /// Results of functions outside the module, counted by place.
    outside: HashMap<(PlaceId, StackId), u32>,
    locks: Locks,
    barriers: Meetings,
    /// What the teams of OpenMP share, by number.
    teams: HashMap<u64, Team>,
    /// The members of OpenMP's task groups.
    groups: Vec<Vec<usize>>,
    dependences: Dependences,
    /// The copies of thread-local variables, by thread and address of the original.
    thread_locals: HashMap<(usize, u64), u64>,
    specific: Specific,
    /// The words of its command line after its name, if they are known.
    arguments: Option<Vec<String>>,
    /// Whether one of them is a word that no program knows.
    asked: bool,
    /// Where `getopt` is in an argument.
    option: (u64, usize),
    /// Files whose texts are known.
    streams: Streams,
    /// What it is answered, where inputs are symbols.
    answering: Option<Answering>,
    /// The units of Fortran.
    units: Units,
}

impl Process {
    /// A process that has not begun.
    fn new(memory: Memory, handles: Handles) -> Self {
        Self {
            memory,
            threads: vec![Thread::default()],
            handles,
            initialized: false,
            finalized: false,
            finished: false,
            outside: Default::default(),
            locks: Default::default(),
            barriers: Default::default(),
            teams: Default::default(),
            groups: Vec::new(),
            dependences: Default::default(),
            thread_locals: Default::default(),
            specific: Specific::default(),
            arguments: None,
            asked: false,
            option: (1, 0),
            streams: Streams::default(),
            answering: None,
            units: Units::default(),
        }
    }

    /// What it is answered, if inputs are symbols.
    pub(crate) fn answering(&self) -> Option<&Answering> {
        self.answering.as_ref()
    }

    /// Likewise, to go on with it.
    pub(crate) fn answering_mut(&mut self) -> Option<&mut Answering> {
        self.answering.as_mut()
    }

    /// From now on inputs are symbols, and this is what they are.
    pub(crate) fn be_answered(&mut self, answering: Answering) {
        self.answering = Some(answering);
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.streams
    }

    pub(crate) fn streams_mut(&mut self) -> &mut Streams {
        &mut self.streams
    }

    /// From now on these texts are what it reads.
    pub(crate) fn know_inputs(&mut self, inputs: &Inputs) {
        self.streams = Streams::of(inputs);
    }

    pub(crate) fn units(&self) -> &Units {
        &self.units
    }

    pub(crate) fn units_mut(&mut self) -> &mut Units {
        &mut self.units
    }

    /// From now on its command line is known: the words after its name.
    pub(crate) fn know_arguments(&mut self, words: &[String]) {
        self.asked = words.iter().any(|word| is_unlikely(word.as_bytes()));
        self.arguments = Some(words.to_vec());
    }

    /// Whether its command line has a word that no program knows.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked
    }

    pub(crate) fn has_known_arguments(&self) -> bool {
        self.arguments.is_some()
    }

    /// The words of its command line after its name, if they are known.
    pub(crate) fn arguments(&self) -> Option<&[String]> {
        self.arguments.as_deref()
    }

    /// Which argument `getopt` reads next, and which letter of it, from 1; 0 for a new argument.
    pub(crate) fn option(&self) -> (u64, usize) {
        self.option
    }

    pub(crate) fn set_option(&mut self, option: (u64, usize)) {
        self.option = option;
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    pub(crate) fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    pub(crate) fn handles(&self) -> &Handles {
        &self.handles
    }

    pub(crate) fn handles_mut(&mut self) -> &mut Handles {
        &mut self.handles
    }

    /// Whether it has called `MPI_Init`.
    pub(crate) fn is_initialized(&self) -> bool {
        self.initialized
    }

    /// It calls `MPI_Init`.
    pub(crate) fn initialize(&mut self) {
        self.initialized = true;
    }

    /// Whether it has called `MPI_Finalize`.
    pub(crate) fn is_finalized(&self) -> bool {
        self.finalized
    }

    /// It has called `MPI_Finalize`.
    pub(crate) fn finalize(&mut self) {
        self.finalized = true;
    }

    /// A thread with the memory that it works on.
    pub(crate) fn thread_and_memory(&mut self, thread: usize) -> (&mut Thread, &mut Memory) {
        (&mut self.threads[thread], &mut self.memory)
    }

    /// The function that a thread is in is over, and its local variables with it.
    pub(crate) fn leave_function(&mut self, thread: usize) -> Option<Frame> {
        let frame = self.threads[thread].pop()?;
        for local in frame.locals() {
            self.memory.free(*local);
        }
        Some(frame)
    }

    /// Whether the program or its `main` has ended in it.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// The program or its `main` has ended in it.
    pub(crate) fn finish(&mut self) {
        self.finished = true;
    }

    pub(crate) fn thread(&self, number: usize) -> &Thread {
        &self.threads[number]
    }

    pub(crate) fn thread_mut(&mut self, number: usize) -> &mut Thread {
        &mut self.threads[number]
    }

    /// How many threads it has had.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// Whether a thread has ended, or never was.
    pub(crate) fn has_ended(&self, thread: usize) -> bool {
        self.threads.get(thread).is_none_or(Thread::has_ended)
    }

    /// A further thread; its number.
    pub(crate) fn add_thread(&mut self, thread: Thread) -> usize {
        self.threads.push(thread);
        self.threads.len() - 1
    }

    /// How often a function from outside has given a value here, with this time.
    pub(crate) fn outside_value(&mut self, place: PlaceId, stack: StackId) -> u32 {
        let count = self.outside.entry((place, stack)).or_insert(0);
        *count += 1;
        *count
    }

    /// Where its threads wait for each other.
    pub(crate) fn barriers(&mut self) -> &mut Meetings {
        &mut self.barriers
    }

    /// The team that a thread is in.
    pub(crate) fn team(&mut self, thread: usize) -> &mut Team {
        self.teams.entry(self.threads[thread].team().id()).or_default()
    }

    /// A thread begins a task group: all tasks that it makes from now on, and their own.
    pub(crate) fn begin_group(&mut self, thread: usize) {
        self.threads[thread].enter_group(self.groups.len() as u64);
        self.groups.push(Vec::new());
    }

    /// The tasks of the innermost group of a thread; `None` if it is in no group.
    pub(crate) fn group(&self, thread: usize) -> Option<&[usize]> {
        let group = self.threads[thread].groups().last()?;
        Some(&self.groups[*group as usize])
    }

    /// A thread has made a task, which is a thread that begins after some others.
    pub(crate) fn add_task(&mut self, parent: usize, task: usize, after: Vec<usize>) {
        self.team(parent).add_task(task);
        if let Ok([parent, child]) = self.threads.get_disjoint_mut([parent, task]) {
            if let Some(group) = parent.groups().last() {
                self.groups[*group as usize].push(task);
            }
            parent.add_child(task, child, after);
        }
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

    /// What its threads keep under keys.
    pub(crate) fn specific(&mut self) -> &mut Specific {
        &mut self.specific
    }

    /// Where a thread has its copy of a thread-local variable.
    pub(crate) fn set_thread_local(&mut self, thread: usize, original: u64, copy: u64) {
        self.thread_locals.insert((thread, original), copy);
    }
}
