//! Exceptions on their way to who catches them.

use crate::execute::Job;
use crate::ir::{End, PlaceId};
use crate::reach::Cause;
use crate::site::At;
use crate::threads::CAUGHT;
use crate::value::Value;
use std::rc::Rc;

impl Job<'_> {
    /// Leaves functions until one has a landing pad for the call that it is in. Without any the program is terminated.
    pub(super) fn unwind(&mut self, at: At) {
        let module = self.module;
        let thrown_at = self.here(at);
        loop {
            let process = self.processes.of_mut(at.rank);
            let Some(frame) = process.thread(at.thread).frame() else {
                return self.uncaught(at, thrown_at);
            };
            let (block, _) = frame.code(module);
            // `resume` stands at the end of a block, after its last instruction.
            let in_call = frame.index() + 1 == block.instructions.len();
            if let End::Invoke { unwind, .. } = block.end
                && in_call
            {
                return self.enter_block(at, unwind);
            }
            // The outermost function stays: the thread is asked for it.
            if process.thread(at.thread).depth() == 1 {
                return self.uncaught(at, thrown_at);
            }
            process.leave_function(at.thread);
        }
    }

    /// Nobody catches the exception: the program is terminated.
    fn uncaught(&mut self, at: At, place: PlaceId) {
        self.stop(at, Cause::Exception, place);
        self.notes.abort();
    }

    /// What a landing pad receives: the exception, and a number for its handler.
    pub(super) fn landing(&self, at: At) -> Value {
        let exception = self.processes.thread(at).exception();
        let (object, _) = exception.unwrap_or_default();
        Value::Aggregate(Rc::new(vec![Value::known(object), Value::known(CAUGHT)]))
    }
}
