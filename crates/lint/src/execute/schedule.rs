//! Whose turn it is, and how a simulation ends.
//!
//! Processes and their threads run in turns, in the order that the job was told; only where the whole ends may depend
//! on time.

use super::order::{Turn, Turns};
use crate::execute::Job;
use crate::flow::Step;
use crate::ir::{Action, Operand};
use crate::reach::Cause;
use crate::site::At;
use farside_race::{Ending, RawFinding};

impl Job<'_> {
    /// Runs until all processes have ended or none can go on, and judges.
    pub(crate) fn run(&mut self) -> Vec<RawFinding> {
        let ending = self.schedule();
        self.events.flush_all(&mut self.budget);
        self.events.conclude(&ending)
    }

    fn schedule(&mut self) -> Ending {
        let mut turns = Turns::new(self.size, self.order);
        let mut all = true;
        loop {
            let (mut went, changes) = (Vec::new(), self.processes.changes());
            let round = turns.round(all);
            let is_whole = round.len() == self.size as usize;
            for turn in round {
                let mut thread = 0;
                let rank = turn.rank();
                while thread < self.processes.of(rank).thread_count() {
                    let at = At { rank, thread };
                    if self.turn(at, turn) {
                        went.push(at);
                    }
                    thread += 1;
                    if self.notes.has_aborted() {
                        return Ending::Broken;
                    }
                }
            }
            if self.processes.all().iter().all(|process| process.is_finished()) {
                let whole = self.notes.unknown_calls().is_empty();
                return if whole { Ending::Complete } else { Ending::Broken };
            }
            if let Some(resource) = self.budget.exhausted() {
                self.notes.run_out_of(resource);
                self.stop_all(|_| Cause::Limit(resource));
                return Ending::Broken;
            }
            let changes = [changes, self.processes.changes()];
            self.still.end_round(&went, changes);
            let rests = self.still.rests(&went, changes[1]) && self.is_followed();
            let progress = !went.is_empty() && !rests;
            if progress && self.still.is_stalled(changes[1]) {
                continue;
            }
            all = !progress;
            // Who was passed over may go on.
            if !progress && !is_whole {
                continue;
            }
            if !progress && !self.processes.is_stalled() {
                self.processes.set_stalled(true);
                if rests {
                    // Now it is asked whether loops stay as they are when calls that may wait do not.
                    self.processes.note_change();
                    self.still.stall(self.processes.changes());
                }
                continue;
            }
            self.processes.set_stalled(false);
            if !progress {
                self.notes.hang();
                self.tell_loops(&went);
                self.stop_all(|name| Cause::Waits(name.to_owned()));
                let followed = self.notes.unknown_calls().is_empty()
                    && self.notes.cut_loops().is_empty()
                    && !self.notes.misses_rank();
                return if followed && !self.notes.made_threads() {
                    Ending::Hanging
                } else {
                    Ending::Broken
                };
            }
        }
    }

    /// Lets one thread run for a while; whether it did anything.
    fn turn(&mut self, at: At, turn: Turn) -> bool {
        let mut progress = false;
        let mut left = turn.steps();
        let told = self.events.told();
        while left > 0 && !turn.ends_after(self.events.told() - told) {
            let process = self.processes.of(at.rank);
            if process.is_finished() || process.has_ended(at.thread) {
                break;
            }
            let alone = match self.budget.shortcuts().alone {
                true => self.run_alone(at, left),
                false => 0,
            };
            if alone > 0 {
                progress = true;
                left -= alone;
                continue;
            }
            left -= 1;
            self.budget.spend(1);
            match self.step(at) {
                Step::Went => progress = true,
                Step::Yielded => return true,
                Step::Blocked => break,
            }
        }
        progress
    }

    /// Nobody goes on: notes where each thread is, in a call of what.
    fn stop_all(&mut self, cause: impl Fn(&str) -> Cause) {
        for rank in 0..self.size {
            for thread in 0..self.processes.of(rank).thread_count() {
                let process = self.processes.of(rank);
                let own = process.thread(thread);
                let Some(frame) = own.frame().filter(|_| !process.is_finished() && !own.has_ended()) else {
                    continue;
                };
                let callee = frame.code(self.module).1;
                let callee = callee.and_then(|instruction| match &instruction.action {
                    Action::Call {
                        callee: Operand::Function(callee),
                        ..
                    } => Some(self.module.functions[*callee as usize].name.as_str()),
                    _ => None,
                });
                let cause = cause(callee.unwrap_or("the program"));
                let at = At { rank, thread };
                self.stop(at, cause, self.here(at));
            }
        }
    }
}
