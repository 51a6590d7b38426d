//! A thread that calls a function outside of the program, and what such a call may touch: its process, and what is told
//! of it.
//!
//! Promise: a caller reaches no other process, except through [`Caller::memory_of`], by which MPI moves data. It knows
//! nothing of conditions and of what other simulations are for.

use crate::budget::Budget;
use crate::chance::Chance;
use crate::events::Events;
use crate::flow::{Flow, NOTHING};
use crate::handles::Handles;
use crate::ir::{Module, PlaceId};
use crate::layout::Globals;
use crate::memory::Memory;
use crate::notes::Notes;
use crate::process::{Entered, Frame, Locks, Process, Processes, Thread};
use crate::reach::{Cause, Stop};
use crate::site::{At, Site};
use crate::symbolic::Terms;
use crate::value::{Scalar, Symbol, Value, source};
use farside_events::{AccessKind, AccessRun, AccessSource, Call, EventKind, Mistake, Outcome, StackId};
use std::ops::Range;

/// A thread that calls.
pub(crate) struct Caller<'j> {
    site: Site,
    module: &'j Module,
    globals: &'j Globals,
    processes: &'j mut Processes,
    events: &'j mut Events,
    notes: &'j mut Notes,
    budget: &'j mut Budget,
}

impl<'j> Caller<'j> {
    /// Who makes a call, and where, in a job of these parts.
    pub(crate) fn new(
        site: Site,
        (module, globals): (&'j Module, &'j Globals),
        processes: &'j mut Processes,
        events: &'j mut Events,
        notes: &'j mut Notes,
        budget: &'j mut Budget,
    ) -> Self {
        Self {
            site,
            module,
            globals,
            processes,
            events,
            notes,
            budget,
        }
    }

    pub(crate) fn rank(&self) -> u32 {
        self.site.rank
    }

    /// The node on which its process is; the program asks for it.
    pub(crate) fn node(&mut self) -> u32 {
        self.notes.ask_for_nodes();
        self.processes.node_of(self.site.rank)
    }

    /// The processes on its node.
    pub(crate) fn on_own_node(&mut self) -> Vec<u32> {
        let node = self.node();
        let all = 0..self.size();
        all.filter(|rank| self.processes.node_of(*rank) == node).collect()
    }

    /// The number of the thread in its process.
    pub(crate) fn thread(&self) -> usize {
        self.site.thread
    }

    pub(crate) fn at(&self) -> At {
        self.site.at()
    }

    /// The place of the call.
    pub(crate) fn place(&self) -> PlaceId {
        self.site.place
    }

    /// The calls that led here, with this one as the innermost.
    pub(crate) fn stack(&self) -> StackId {
        self.site.stack
    }

    /// The place of an access that the call makes, and the stack around it.
    pub(crate) fn place_of_access(&self) -> (u64, StackId) {
        (u64::from(self.site.place), self.own().stack())
    }

    /// The program.
    /// Whether code that was not given may have stored to the program's memory: functions that were called, or what
    /// gives a variable its value that is defined elsewhere.
    pub(crate) fn may_miss_stores(&self) -> bool {
        let of_libraries = ["ompi_", "std", "_", "environ"];
        let mut globals = self.module.globals.iter().filter(|global| global.external);
        !self.notes.unknown_calls().is_empty()
            || !self.notes.foreign_calls().is_empty()
            || globals.any(|global| !of_libraries.iter().any(|prefix| global.name.starts_with(prefix)))
    }

    pub(crate) fn module(&self) -> &'j Module {
        self.module
    }

    pub(crate) fn globals(&self) -> &'j Globals {
        self.globals
    }

    pub(crate) fn notes(&mut self) -> &mut Notes {
        self.notes
    }

    /// What unknown values are made of.
    pub(crate) fn terms(&mut self) -> &mut Terms {
        self.notes.terms_mut()
    }

    pub(crate) fn budget(&mut self) -> &mut Budget {
        self.budget
    }

    /// The program compares two texts.
    pub(crate) fn compared(&mut self, one: &[u8], other: &[u8]) {
        self.notes.asked_mut().compared(one, other);
    }

    /// The program makes a number of a text.
    pub(crate) fn converts(&mut self, text: &[u8]) {
        self.notes.asked_mut().converted(text);
    }

    /// How many processes there are.
    pub(crate) fn size(&self) -> u32 {
        self.processes.count()
    }

    /// Whether nobody could go on: then calls that may but need not wait do not.
    pub(crate) fn is_stalled(&self) -> bool {
        self.processes.is_stalled()
    }

    /// The call changes memory that operations are concerned with, if these differ.
    pub(crate) fn note_change<T: PartialEq>(&mut self, before: &T, after: &T) {
        if before != after {
            self.processes.note_change();
        }
    }

    /// What chance decides.
    pub(crate) fn chance(&mut self) -> &mut Chance {
        self.processes.chance_mut()
    }

    /// Whether a test says no that could say yes: never where nobody could go on otherwise.
    pub(crate) fn refuses(&mut self) -> bool {
        !self.is_stalled() && self.chance().refuses()
    }
}

/// What the process of the caller has.
impl Caller<'_> {
    pub(crate) fn process(&self) -> &Process {
        self.processes.of(self.site.rank)
    }

    pub(crate) fn process_mut(&mut self) -> &mut Process {
        self.processes.of_mut(self.site.rank)
    }

    /// What excludes threads at an address.
    pub(crate) fn locks(&mut self, address: u64) -> &mut Locks {
        self.processes.locks(self.site.rank, address)
    }

    /// The thread itself.
    pub(crate) fn own(&self) -> &Thread {
        self.processes.thread(self.site.at())
    }

    /// The thread itself, to be changed.
    pub(crate) fn own_mut(&mut self) -> &mut Thread {
        self.processes.thread_mut(self.site.at())
    }

    pub(crate) fn handles(&self) -> &Handles {
        self.process().handles()
    }

    pub(crate) fn handles_mut(&mut self) -> &mut Handles {
        self.process_mut().handles_mut()
    }

    /// The memory that holds an address.
    pub(crate) fn memory(&self, address: u64) -> &Memory {
        self.processes.memory(self.site.rank, address)
    }

    /// The memory that holds an address, to be written to.
    pub(crate) fn memory_mut(&mut self, address: u64) -> &mut Memory {
        self.processes.memory_mut(self.site.rank, address)
    }

    /// The memory that holds an address of another process, which MPI moves data from or to.
    pub(crate) fn memory_of(&self, rank: u32, address: u64) -> &Memory {
        self.processes.memory(rank, address)
    }

    /// Likewise, to be written to.
    pub(crate) fn memory_of_mut(&mut self, rank: u32, address: u64) -> &mut Memory {
        self.processes.memory_mut(rank, address)
    }

    /// A new object.
    pub(crate) fn allocate(&mut self, size: u64, name: &str) -> u64 {
        self.process_mut().memory_mut().allocate(size, name)
    }

    /// A block is given back: whoever still uses it loses it, as if all of it were stored to, and no window has it.
    pub(crate) fn release(&mut self, name: &str, block: u64) {
        let object = self.memory(block).object(block);
        if let Some((base, size)) = object.map(|(base, object)| (base, object.size)) {
            self.library_access(name, AccessKind::Store, base, size);
            self.end_memory(name, base..base.saturating_add(size));
        }
        self.process_mut().memory_mut().free(block);
    }

    /// A call ends memory, which no window may have any more.
    fn end_memory(&mut self, name: &str, memory: Range<u64>) {
        let earlier = self.handles_mut().end_memory(&memory);
        if let Some((by, since)) = earlier.filter(|_| !self.process().is_finalized()) {
            let stack = self.stack();
            self.emit(EventKind::Mistaken {
                mistake: Mistake::OfWindow,
                name: name.into(),
                stack,
                earlier: Some((by.into(), since)),
            });
        }
    }

    /// A new object that all processes see at the same address.
    pub(crate) fn allocate_shared(&mut self, size: u64, name: &str) -> u64 {
        self.processes.allocate_shared(size, name)
    }

    pub(crate) fn int_at(&self, at: u64) -> i32 {
        self.memory(at).load(at, 4).signed32()
    }

    pub(crate) fn long_at(&self, at: u64) -> u64 {
        self.memory(at).load(at, 8).bits
    }

    /// Results of calls appear without being accesses of the program: their own pointers are not window memory.
    pub(crate) fn put(&mut self, at: u64, size: u64, value: Scalar) {
        self.memory_mut(at).store(at, size, value);
    }

    pub(crate) fn put_int(&mut self, at: u64, value: i32) {
        self.put(at, 4, Scalar::known(u64::from(value as u32)));
    }

    pub(crate) fn put_long(&mut self, at: u64, value: u64) {
        self.put(at, 8, Scalar::known(value));
    }

    /// What a function outside of the program returns: unknown, but each time the same in each process.
    pub(crate) fn outside_value(&mut self, name: &str) -> Scalar {
        let (place, stack) = (self.site.place, self.site.stack);
        let count = self.process_mut().outside_value(place, stack);
        Scalar {
            bits: 0,
            symbol: source((name, place, count)),
        }
    }

    /// From now on the elements of some memory, the first 65,536 of it, are values from outside; samples stay as they
    /// are.
    pub(crate) fn come_from_outside(&mut self, address: u64, length: u64, element: u64) {
        let (rank, place) = (self.site.rank, self.site.place);
        self.become_symbols(address, length, element, |at| source(("input", rank, place, at)));
    }

    /// Elements of so many bytes have the values that they have, and come from where `symbol` says for each address.
    pub(crate) fn become_symbols(
        &mut self,
        address: u64,
        length: u64,
        element: u64,
        symbol: impl Fn(u64) -> Symbol,
    ) {
        // An element that is no number is taken to be made of numbers of 4 bytes.
        let size = if matches!(element, 1 | 2 | 4 | 8) {
            element
        } else {
            4
        };
        for nth in 0..(length / size).min(1 << 16) {
            let at = address.wrapping_add(nth * size);
            let bits = self.memory(at).load(at, size).bits;
            let symbol = symbol(at);
            self.put(at, size, Scalar { bits, symbol });
        }
    }

    /// Another thread of the process is to run a function; its number.
    pub(crate) fn add_thread(&mut self, thread: Thread) -> usize {
        self.notes.make_thread();
        self.process_mut().add_thread(thread)
    }

    /// The arguments after those that have a name, of the function of the program that makes the call.
    pub(crate) fn further_arguments(&self) -> Vec<Scalar> {
        fn add(value: &Value, all: &mut Vec<Scalar>) {
            match value {
                Value::Scalar(scalar) => all.push(*scalar),
                Value::Aggregate(fields) => fields.iter().for_each(|field| add(field, all)),
            }
        }
        let mut all = Vec::new();
        let frame = self.processes.thread(self.site.at()).frame();
        frame
            .into_iter()
            .flat_map(Frame::further)
            .for_each(|value| add(value, &mut all));
        all
    }

    /// A thread of the process begins a function of the program. If the call is to be made once `again` after it, it
    /// is the caller itself.
    pub(crate) fn enter_function(&mut self, thread: usize, index: u32, values: Vec<Value>, again: bool) {
        let at = At { thread, ..self.at() };
        let function = &self.module.functions[index as usize];
        self.notes.enter(index, 0);
        let frame = Frame::of(index, function, values, self.site.stack).returning(None, again);
        self.processes.thread_mut(at).push(frame);
    }
}

/// What is told of the call.
impl Caller<'_> {
    /// The thread does something, after what it loaded and stored before.
    pub(crate) fn emit(&mut self, kind: EventKind) {
        self.emit_of(self.site.thread, kind);
    }

    /// Another thread of the process does something.
    pub(crate) fn emit_of(&mut self, thread: usize, kind: EventKind) {
        let at = At { thread, ..self.at() };
        self.events.emit(self.budget, at, kind);
    }

    /// The call loads or stores on behalf of the program.
    pub(crate) fn library_access(&mut self, name: &str, kind: AccessKind, address: u64, size: u64) {
        let (at, (place, stack)) = (self.site.at(), self.place_of_access());
        if self.processes.is_tracked(at.rank, address, size) {
            let run = AccessRun {
                source: AccessSource::Library(name.into()),
                ..AccessRun::single(kind, address, size, place, stack)
            };
            self.events.access(at, run);
        }
    }

    /// Whether a window or an operation concerns some of the memory there.
    pub(crate) fn is_watched(&self, address: u64, size: u64) -> bool {
        self.processes.is_tracked(self.site.rank, address, size)
    }

    /// The thread has made a call of MPI with these arguments.
    pub(crate) fn called(&mut self, arguments: Vec<u64>) {
        let call = (self.site.place, arguments);
        self.events.history(self.site.rank).call(call);
    }

    /// A function that is not followed: what comes after it is judged, but not the end of the program.
    pub(crate) fn unknown_call(&mut self, name: &str) -> Flow {
        self.notes.unknown_call(name, self.site.place);
        self.notes.end_certainty(self.events, self.budget);
        NOTHING
    }

    /// A function whose code was not given, and which is taken to order and complete nothing.
    pub(crate) fn foreign_call(&mut self, name: &str) {
        self.notes.foreign_call(name, self.site.place);
    }

    /// What comes after the call depends on a value that was not computed.
    pub(crate) fn end_computation(&mut self) {
        self.notes
            .end_computation(self.site.place, self.events, self.budget);
    }

    /// The call ends its thread or process.
    pub(crate) fn stop(&mut self, cause: Cause) {
        self.notes.stop(Stop {
            cause,
            place: self.site.place,
            frames: self.own().trail(),
        });
    }

    /// The program ends itself: exit with a status, abort, `MPI_Abort`. After `MPI_Finalize`, a status only says how it
    /// went, as that of `main` does.
    pub(crate) fn give_up(&mut self, call: &str, status: Option<i32>) {
        self.stop(Cause::Call(call.to_owned(), status));
        match status.is_some() && self.process().is_finalized() {
            true => self.notes.fail(),
            false => self.notes.abort(),
        }
    }
}

/// What the thread waits for, in a call of MPI or of threads.
impl Caller<'_> {
    /// The thread enters a call of MPI.
    pub(crate) fn enter(&mut self, call: Call) {
        let stack = self.site.stack;
        self.emit(EventKind::Enter { call, stack });
    }

    /// The thread leaves the call, with success.
    pub(crate) fn done(&mut self) -> Flow {
        self.clear_entered();
        self.emit(EventKind::Leave(Outcome::Done));
        NOTHING
    }

    pub(crate) fn entered(&self) -> Option<Entered> {
        self.own().entered().cloned()
    }

    pub(crate) fn set_entered(&mut self, entered: Entered) {
        self.own_mut().set_entered(Some(entered));
    }

    pub(crate) fn clear_entered(&mut self) {
        self.own_mut().set_entered(None);
    }
}
