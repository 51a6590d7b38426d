//! A simulated job: its processes, which run in turns, step by step.
//!
//! | what | file |
//! |---|---|
//! | one step of one thread | here |
//! | how processes begin, whose turn it is | `start`, `schedule`, `order` |
//! | whether loops wait for what nobody brings | `still` |
//! | what instructions mean, over any domain of values | `machine` |
//! | a thread with all that its step may concern | `running`, with `access`, `atomic`, `call`, `control`, `unwinding` |
//! | a thread alone, with numbers that are known; rounds of a loop taken together | `alone`, `known`, `rounds` |
//! | what is asked when it is over | `results` |
//!
//! What blocks in MPI waits until its partners have come; nothing depends on time.

mod access;
mod alone;
mod atomic;
mod call;
mod concrete;
mod control;
mod known;
pub(crate) mod machine;
mod order;
mod results;
mod rounds;
mod running;
mod schedule;
mod start;
mod still;
#[cfg(test)]
mod tests;
mod unwinding;

use crate::budget::Budget;
use crate::chance::Chance;
use crate::decisions::Decisions;
use crate::events::Events;
use crate::flow::Step;
use crate::ir::{Action, Module, Operand, PlaceId};
use crate::layout::Globals;
use crate::memory::Memory;
use crate::notes::Notes;
use crate::outside::Libraries;
use crate::process::{Frame, Processes};
use crate::reach::{Cause, Stop};
use crate::site::At;
use crate::stacks::Stacks;
use crate::survey::Survey;
use crate::threads;
use crate::value::{Scalar, Symbol, Value};
use farside_events::EventKind;
pub(crate) use order::Order;
use rounds::Worth;
use running::Running;
use rustc_hash::FxHashMap as HashMap;
use still::Still;

/// A simulated job.
pub(crate) struct Job<'m> {
    module: &'m Module,
    survey: &'m Survey,
    size: u32,
    processes: Processes,
    globals: Globals,
    events: Events,
    stacks: Stacks,
    libraries: Libraries,
    decisions: Decisions<'m>,
    notes: Notes,
    budget: Budget,
    order: Order,
    worth: Worth,
    still: Still,
}

impl<'m> Job<'m> {
    /// A job of `size` processes that are about to enter `main`.
    pub(crate) fn new(
        module: &'m Module,
        survey: &'m Survey,
        size: u32,
        overrides: &'m HashMap<Symbol, bool>,
        budget: Budget,
    ) -> Self {
        let globals = Globals::of(module);
        Self {
            module,
            survey,
            size,
            processes: Processes::new(module, &globals, size),
            libraries: Libraries::of(module, &globals, size),
            globals,
            events: Events::new(size),
            stacks: Stacks::default(),
            decisions: Decisions::new(overrides),
            notes: Notes::new(module),
            budget,
            order: Order::Ranks,
            worth: Worth::default(),
            still: Still::of(module),
        }
    }

    /// Threads have their turns in this order, and with it calls decide what chance does.
    pub(crate) fn take_turns(&mut self, order: Order) {
        self.order = order;
        if order != Order::Ranks {
            // What chance decides may be different when it is asked again.
            self.still.turn_off();
        }
        *self.processes.chance_mut() = match order {
            Order::Ranks => Chance::default(),
            Order::Drawn(seed) => Chance::drawn(seed),
        };
    }

    /// So many processes each share memory.
    pub(crate) fn put_on_nodes(&mut self, per_node: u32) {
        self.processes.put_on_nodes(per_node);
    }

    pub(crate) fn step(&mut self, at: At) -> Step {
        let module = self.module;
        let own = self.processes.thread(at);
        if !own.after().is_empty() {
            let Some(told) = threads::begin(self.processes.of_mut(at.rank), at.thread) else {
                return Step::Blocked;
            };
            told.into_iter().for_each(|kind| self.emit(at, kind));
        }
        let Some(frame) = self.processes.frame(at) else {
            self.end_thread(at);
            return Step::Went;
        };
        let (block, instruction) = frame.code(module);
        match instruction {
            Some(instruction) => self.act(at, &instruction.action, instruction.result, instruction.place),
            None => {
                self.leave_block(at, &block.end, block.end_place);
                Step::Went
            }
        }
    }

    pub(super) fn frame(&mut self, at: At) -> &mut Frame {
        let thread = self.processes.thread_mut(at);
        thread.frame_mut().expect("the thread is in a function")
    }

    pub(crate) fn value(&self, at: At, operand: &Operand) -> Value {
        match operand {
            Operand::Register(register) => {
                let frame = self.processes.frame(at);
                frame
                    .and_then(|frame| frame.register(*register))
                    .cloned()
                    .unwrap_or_default()
            }
            constant => self.globals.constant(constant),
        }
    }

    pub(crate) fn scalar(&self, at: At, operand: &Operand) -> Scalar {
        match operand {
            Operand::Integer(value) => Scalar::known(*value),
            operand => self.value(at, operand).scalar(),
        }
    }

    fn act(&mut self, at: At, action: &'m Action, result: Option<u32>, place: PlaceId) -> Step {
        if let Action::Call { callee, arguments } = action {
            return self.call(at, callee, arguments, result, place);
        }
        let mut running = Running::new(self, at);
        let Ok(value) = machine::act(&mut running, action, place);
        self.finish(at, result, value);
        Step::Went
    }

    /// Gives an instruction's result, and goes to the next one.
    pub(super) fn finish(&mut self, at: At, result: Option<u32>, value: Value) {
        let frame = self.frame(at);
        if let Some(register) = result {
            frame.set(register, value);
        }
        frame.advance();
    }

    /// The place of the instruction that a thread is at.
    fn here(&self, at: At) -> PlaceId {
        let Some(frame) = self.processes.frame(at) else {
            return 0;
        };
        let (block, instruction) = frame.code(self.module);
        instruction.map_or(block.end_place, |instruction| instruction.place)
    }

    /// Notes what ended a thread or its process.
    fn stop(&mut self, at: At, cause: Cause, place: PlaceId) {
        self.stop_at(self.processes.thread(at).trail(), cause, place);
    }

    fn stop_at(&mut self, frames: Vec<(u32, u32)>, cause: Cause, place: PlaceId) {
        self.notes.stop(Stop { cause, place, frames });
    }

    /// A thread calls a function outside of the program: a site, if the function is one that counts.
    fn come_to_site(&mut self, at: At, function: u32) {
        let sites = self.survey.sites();
        if sites.role(function).is_none() {
            return;
        }
        let Some(frame) = self.processes.frame(at) else {
            return;
        };
        self.notes.meet(frame.point(), sites.at(frame.point()));
    }

    /// A thread does something, after what it loaded and stored before.
    fn emit(&mut self, at: At, kind: EventKind) {
        self.events.emit(&mut self.budget, at, kind);
    }

    /// What the simulation finds from here on is found in no execution of the program.
    fn beyond_execution(&mut self) {
        self.notes.end_certainty(&mut self.events, &mut self.budget);
    }

    /// What comes next depends on a number that a function whose code was not given decides.
    fn rest_on(&mut self, value: Scalar) {
        self.notes.rest_on(value, &mut self.events, &mut self.budget);
    }

    /// What comes next depends on a value that is not as a condition says that was decided the other way.
    fn beyond_values(&mut self) {
        self.notes.deny(&mut self.events, &mut self.budget);
    }

    /// What comes next depends on a value that was not computed.
    fn beyond_computation(&mut self, at: At) {
        let place = self.here(at);
        self.notes
            .end_computation(place, &mut self.events, &mut self.budget);
    }

    fn memory(&self, rank: u32, address: u64) -> &Memory {
        self.processes.memory(rank, address)
    }

    fn memory_mut(&mut self, rank: u32, address: u64) -> &mut Memory {
        self.processes.memory_mut(rank, address)
    }
}
