//! What is asked of a job when it is over.

use super::Job;
use crate::decisions::Decision;
use crate::ir::{Module, PlaceId};
use crate::memory::{Object, Watch};
use crate::notes::Notes;
use farside_events::{Interface, StackId, WinId};
use farside_race::WindowLabel;
use farside_trial::Recording;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

impl<'m> Job<'m> {
    pub(crate) fn module(&self) -> &'m Module {
        self.module
    }

    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The places of a stack, innermost first.
    pub(crate) fn stack(&self, stack: StackId) -> Vec<PlaceId> {
        self.stacks.places(stack)
    }

    /// The object that holds an address of a process, and whether it is a global variable.
    pub(crate) fn object(&self, rank: u32, address: u64) -> Option<(&Object, bool)> {
        let (base, object) = self.memory(rank, address).object(address)?;
        Some((object, self.globals.at(base).is_some()))
    }

    /// The name of a window and where it was made, as far as they are known.
    pub(crate) fn window_label(&self, window: WinId) -> Option<WindowLabel> {
        self.events.window_label(window)
    }

    /// From now on events are kept, to try suggestions in them.
    pub(crate) fn keep_events(&mut self) {
        self.events.keep();
    }

    /// The events that were kept of a whole simulation.
    pub(crate) fn recording(&self) -> Option<&Recording> {
        self.events.recording()
    }

    /// Whose calls the program makes, as far as it has come.
    pub(crate) fn interface(&self) -> Interface {
        self.events.interface()
    }

    /// The variable that the handle of a window was put into, and the element of it.
    pub(crate) fn window_holder(&self, window: WinId) -> Option<(&Object, &str)> {
        self.libraries.holder(window)
    }

    /// What operations were concerned with, by process.
    pub(crate) fn watches(&self) -> Vec<Watch> {
        let processes = self.processes.all().iter();
        processes.map(|process| process.memory().watch()).collect()
    }

    /// From the start on, operations are taken to be concerned with what they were in another job of this program.
    pub(crate) fn watch(&mut self, watches: &[Watch]) {
        for (rank, watch) in (0..).zip(watches) {
            self.processes.of_mut(rank).memory_mut().track_watched(watch);
        }
    }

    /// What was done, without values: the blocks that were entered, and the number of events.
    pub(crate) fn course(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.notes.entered(), &self.events).hash(&mut hasher);
        hasher.finish()
    }

    /// Whether it may have gone another way if processes had come in another order.
    pub(crate) fn depends_on_order(&self) -> bool {
        self.events.depends_on_order() || self.processes.chance().was_asked()
    }

    /// How it went: the conditions that were decided, what was noted, and the steps that were made.
    pub(crate) fn into_parts(self) -> (Vec<Decision>, Notes, u64) {
        (self.decisions.into_made(), self.notes, self.budget.steps())
    }
}
