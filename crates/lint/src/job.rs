//! All processes of one simulated job, and the events that they make.
//!
//! The processes run in turns. What blocks in MPI waits here until its partners have come; nothing depends on time.

use crate::budget::Budget;
use crate::decisions::Decisions;
use crate::events::Events;
use crate::ir::{Module, PlaceId};
use crate::layout::Globals;
use crate::memory::Memory;
use crate::mpi::Library;
use crate::notes::Notes;
use crate::process::Processes;
use crate::reach::{Cause, Point, Stop};
use crate::site::{At, Site};
use crate::stacks::Stacks;
use crate::survey::Survey;
use crate::value::Symbol;
use farside_events::EventKind;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A simulated job.
pub(crate) struct Job<'m> {
    pub(crate) module: &'m Module,
    pub(crate) survey: &'m Survey,
    pub(crate) size: u32,
    pub(crate) processes: Processes,
    pub(crate) globals: Globals,
    pub(crate) events: Events,
    pub(crate) stacks: Stacks,
    pub(crate) library: Library,
    /// The number that the program gets as each of its arguments; if there is none, it gets no arguments, and how many
    /// there are is unknown.
    pub(crate) arguments_given: Option<u32>,
    pub(crate) decisions: Decisions<'m>,
    pub(crate) notes: Notes,
    pub(crate) budget: Budget,
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
            library: Library::of(module, &globals),
            globals,
            events: Events::new(size),
            stacks: Stacks::default(),
            arguments_given: None,
            decisions: Decisions::new(overrides),
            notes: Notes::new(module),
            budget,
        }
    }

    /// The place of the instruction that a thread is at.
    pub(crate) fn here(&self, at: At) -> PlaceId {
        let Some(frame) = self.processes.frame(at) else {
            return 0;
        };
        let block = &self.module.functions[frame.function as usize].blocks[frame.block as usize];
        let instruction = block.instructions.get(frame.index);
        instruction.map_or(block.end_place, |instruction| instruction.place)
    }

    /// Notes what ended a thread or its process.
    pub(crate) fn stop(&mut self, at: At, cause: Cause, place: PlaceId) {
        self.stop_at(self.processes.thread(at).trail(), cause, place);
    }

    pub(crate) fn stop_at(&mut self, frames: Vec<(u32, u32)>, cause: Cause, place: PlaceId) {
        self.notes.stop(Stop { cause, place, frames });
    }

    /// The program ends itself: exit with a status, abort, `MPI_Abort`.
    pub(crate) fn give_up(&mut self, site: &Site, call: &str, status: Option<i32>) {
        self.stop(site.at(), Cause::Call(call.to_owned(), status), site.place);
        self.notes.abort();
    }

    /// A thread calls a function outside of the program: a site, if the function is one that counts.
    pub(crate) fn come_to_site(&mut self, at: At, function: u32) {
        let sites = &self.survey.sites;
        if sites.role(function).is_none() {
            return;
        }
        let Some(frame) = self.processes.frame(at) else {
            return;
        };
        let point = Point {
            function: frame.function,
            block: frame.block,
            index: frame.index as u32,
        };
        self.notes.meet(point, sites.at(point));
    }

    /// What was done, without values: the blocks that were entered, and the number of events.
    pub(crate) fn course(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.notes.entered(), &self.events).hash(&mut hasher);
        hasher.finish()
    }

    /// A thread does something, after what it loaded and stored before.
    pub(crate) fn emit(&mut self, at: At, kind: EventKind) {
        self.events.emit(&mut self.budget, at, kind);
    }

    /// What the simulation finds from here on is found in no execution of the program.
    pub(crate) fn beyond_execution(&mut self) {
        self.notes.end_certainty(&mut self.events, &mut self.budget);
    }

    pub(crate) fn memory(&self, rank: u32, address: u64) -> &Memory {
        self.processes.memory(rank, address)
    }

    pub(crate) fn memory_mut(&mut self, rank: u32, address: u64) -> &mut Memory {
        self.processes.memory_mut(rank, address)
    }
}
