//! One step of one thread.

mod access;
mod alone;
mod atomic;
mod call;
mod concrete;
mod control;
mod machine;
mod rounds;
mod running;
#[cfg(test)]
mod tests;
mod unwinding;

use crate::flow::Step;
use crate::ir::{Action, Operand, PlaceId};
use crate::job::Job;
use crate::process::Frame;
use crate::site::At;
use crate::threads;
use crate::value::{Scalar, Value};
use running::Running;

impl<'m> Job<'m> {
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
        let block = &module.functions[frame.function as usize].blocks[frame.block as usize];
        match block.instructions.get(frame.index) {
            Some(instruction) => self.act(at, &instruction.action, instruction.result, instruction.place),
            None => {
                self.leave_block(at, &block.end, block.end_place);
                Step::Went
            }
        }
    }

    pub(super) fn frame(&mut self, at: At) -> &mut Frame {
        let frames = &mut self.processes.thread_mut(at).frames;
        frames.last_mut().expect("the at.thread is in a function")
    }

    pub(crate) fn value(&self, at: At, operand: &Operand) -> Value {
        match operand {
            Operand::Register(register) => {
                let frame = self.processes.frame(at);
                frame
                    .and_then(|frame| frame.registers.get(*register as usize))
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
        if let Some(register) = result
            && let Some(slot) = frame.registers.get_mut(register as usize)
        {
            *slot = value;
        }
        frame.index += 1;
    }
}
