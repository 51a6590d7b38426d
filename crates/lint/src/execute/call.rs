//! Calls: of functions of the module, which get a frame, and of others, which are followed by their meaning.

use crate::caller::Caller;
use crate::execute::Job;
use crate::external::External;
use crate::flow::{Flow, Step};
use crate::ir::{Operand, PlaceId};
use crate::layout::{OF_LIBRARY, WHAT_OF_LIBRARY, function_at};
use crate::mpi;
use crate::outside::{self, Libraries};
use crate::process::Frame;
use crate::reach::Cause;
use crate::site::{At, Site};
use crate::value::{Scalar, Value};
use farside_events::StackId;
use std::rc::Rc;

/// Frames deeper than this are a recursion without end.
const DEEPEST: usize = 2000;

impl<'m> Job<'m> {
    pub(super) fn call(
        &mut self,
        at: At,
        callee: &'m Operand,
        arguments: &'m [Operand],
        result: Option<u32>,
        place: PlaceId,
    ) -> Step {
        let module = self.module;
        let address = self.scalar(at, callee).bits;
        let index = function_at(address);
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.value(at, argument))
            .collect();
        let rest = self.processes.thread(at).stack();
        let stack = self.stacks.push(place, rest);
        let site = Site {
            rank: at.rank,
            thread: at.thread,
            place,
            stack,
        };
        let known = index.and_then(|index| Some((index, module.functions.get(index as usize)?)));
        let Some((index, function)) = known else {
            if address == WHAT_OF_LIBRARY {
                let object = values.first().map_or(0, |object| object.scalar().bits);
                let value = outside::what(&self.caller(site).0, object);
                self.finish(at, result, Value::Scalar(value));
                return Step::Went;
            }
            if address == OF_LIBRARY {
                let value = self.caller(site).0.outside_value("virtual function of a library");
                self.finish(at, result, Value::Scalar(value));
                return Step::Went;
            }
            self.caller(site)
                .0
                .unknown_call("a function behind a pointer that leads to none of the program");
            let value = self.caller(site).0.outside_value("unknown function");
            self.finish(at, result, Value::Scalar(value));
            return Step::Went;
        };
        if !function.blocks.is_empty() && !mpi::is_replaced(&function.name) {
            if self.processes.thread(at).depth() >= DEEPEST {
                let value = self.caller(site).0.outside_value(&function.name);
                self.notes.cut_loop(place);
                self.stop(at, Cause::TooDeep, place);
                self.beyond_execution();
                self.finish(at, result, Value::Scalar(value));
                return Step::Went;
            }
            self.enter_function(at, index, values, result, stack, false);
            return Step::Went;
        }
        self.come_to_site(at, index);
        let scalars: Vec<Scalar> = values.iter().map(Value::scalar).collect();
        let external = self.survey.external(index);
        let acts = || {
            matches!(external, External::Shmem(Some(_)) | External::Gaspi(Some(_))) || acts(&function.name)
        };
        if scalars.iter().any(|argument| argument.is_uncomputed()) && acts() {
            self.beyond_computation(at);
        }
        if let Some(unseen) = scalars.iter().find(|argument| argument.is_unseen())
            && !matches!(external, External::Other)
        {
            self.rest_on(*unseen);
        }
        if !matches!(external, External::Other) && scalars.iter().any(|value| self.decisions.deny(*value)) {
            self.beyond_values();
        }
        let was_entered = self.processes.thread(at).entered().is_some();
        let (mut caller, libraries) = self.caller(site);
        let flow = outside::call(&mut caller, libraries, (external, &function.name), &scalars);
        self.note_call(at, (external, &function.name), was_entered, &flow);
        match flow {
            Flow::Return(value) => {
                self.finish(at, result, Value::Scalar(value));
                Step::Went
            }
            Flow::Pair(first, second) => {
                let parts = [first, second].map(Value::Scalar).to_vec();
                self.finish(at, result, Value::Aggregate(Rc::new(parts)));
                Step::Went
            }
            Flow::Poll(value) => {
                self.events.ask_others();
                self.finish(at, result, Value::Scalar(value));
                Step::Yielded
            }
            Flow::Block => Step::Blocked,
            Flow::Again => Step::Yielded,
            Flow::Thrown => {
                self.unwind(at);
                Step::Went
            }
            Flow::Entered | Flow::Ended => Step::Went,
        }
    }

    /// A thread at a call, with what the call may touch, and what libraries know.
    pub(crate) fn caller(&mut self, site: Site) -> (Caller<'_>, &mut Libraries) {
        let code = (self.module, &self.globals);
        let caller = Caller::new(
            site,
            code,
            &mut self.processes,
            &mut self.events,
            &mut self.notes,
            &mut self.budget,
        );
        (caller, &mut self.libraries)
    }

    /// Begins a function of the module.
    #[allow(clippy::too_many_arguments)] // What a call is.
    pub(crate) fn enter_function(
        &mut self,
        at: At,
        index: u32,
        values: Vec<Value>,
        result: Option<u32>,
        stack: StackId,
        again: bool,
    ) {
        let function = &self.module.functions[index as usize];
        self.notes.enter(index, 0);
        let frame = Frame::of(index, function, values, stack).returning(result, again);
        self.processes.thread_mut(at).push(frame);
    }
}

/// Whether the arguments of a function outside the module decide what memory is accessed, or what others are told.
fn acts(name: &str) -> bool {
    const ACTING: [&str; 10] = [
        "MPI_", "PMPI_", "mem", "bzero", "malloc", "calloc", "realloc", "free", "str", "stpcpy",
    ];
    let plain = name.strip_prefix("llvm.").unwrap_or(name);
    let plain = plain.trim_start_matches('_');
    ACTING.iter().any(|begin| plain.starts_with(begin))
}
