//! Calls: of functions of the module, which get a frame, and of others, which are followed by their meaning.

use crate::caller::Caller;
use crate::external::{External, without_p};
use crate::flow::{Flow, Step};
use crate::ir::{Operand, PlaceId};
use crate::job::Job;
use crate::layout::{OF_LIBRARY, function_at};
use crate::outside;
use crate::process::Frame;
use crate::reach::Cause;
use crate::site::{At, Site};
use crate::value::{Scalar, Value, source};
use farside_events::StackId;

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
            if address == OF_LIBRARY {
                let value = self.outside_value(&site, "virtual function of a library");
                self.finish(at, result, Value::Scalar(value));
                return Step::Went;
            }
            self.unknown_call(
                &site,
                "a function behind a pointer that leads to none of the program",
            );
            let value = self.outside_value(&site, "unknown function");
            self.finish(at, result, Value::Scalar(value));
            return Step::Went;
        };
        if !function.blocks.is_empty() && !self.is_replaced(&function.name) {
            if self.processes.thread(at).frames.len() >= DEEPEST {
                let value = self.outside_value(&site, &function.name);
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
        if scalars.iter().any(|argument| argument.is_uncomputed()) && acts(&function.name) {
            self.beyond_execution();
        }
        match self.outside(&site, index, &scalars) {
            Flow::Return(value) => {
                self.finish(at, result, Value::Scalar(value));
                Step::Went
            }
            Flow::Poll(value) => {
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

    /// Whether a function is followed by its meaning although the module defines it.
    pub(super) fn is_replaced(&self, name: &str) -> bool {
        name.starts_with("MPI_")
    }

    /// Calls a function that is not in the module.
    fn outside(&mut self, site: &Site, function: u32, a: &[Scalar]) -> Flow {
        let name = &self.module.functions[function as usize].name;
        match self.survey.externals[function as usize] {
            External::Mpi(Some((procedure, large))) => self.mpi(site, procedure, large, a),
            External::Fortran(Some(procedure)) => self.fortran_call(site, procedure, a),
            External::Mpi(None) | External::Fortran(None) => self.unknown_call(site, without_p(name)),
            External::Other => outside::call(&mut self.caller(*site), name, a),
        }
    }

    /// A thread at a call, with what the call may touch.
    pub(crate) fn caller(&mut self, site: Site) -> Caller<'_> {
        let code = (self.module, &self.globals);
        Caller::new(
            site,
            code,
            &mut self.processes,
            &mut self.events,
            &mut self.notes,
            &mut self.budget,
        )
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
        let frame = Frame::of(index, function, values, stack);
        self.processes.thread_mut(at).frames.push(Frame {
            result,
            again,
            ..frame
        });
    }

    /// What a function outside the module returns: unknown, but each time the same in each process.
    pub(crate) fn outside_value(&mut self, site: &Site, name: &str) -> Scalar {
        let process = self.processes.of_mut(site.rank);
        let count = process.outside_value(site.place, site.stack);
        Scalar {
            bits: 0,
            symbol: source((name, site.place, count)),
        }
    }
}

/// Whether the arguments of a function outside the module decide what memory is accessed, or what others are told.
fn acts(name: &str) -> bool {
    const ACTING: [&str; 8] = [
        "MPI_", "PMPI_", "mem", "bzero", "malloc", "calloc", "realloc", "free",
    ];
    let plain = name.strip_prefix("llvm.").unwrap_or(name);
    let plain = plain.trim_start_matches('_');
    ACTING.iter().any(|begin| plain.starts_with(begin))
}
