//! Calls of OpenSHMEM, as far as they are followed for any number of processes: put, get and atomic operations on the
//! default context, quiet, the barriers of all processes, and symmetric memory.
//!
//! All other calls are outside of the class. A symmetric object is a window: static ones in the order of the module,
//! then those that are allocated. `shmem_fence` completes nothing, and its order is not looked at.

use super::affine::{Term, Variable};
use super::memory::Part;
use super::number::{Number, Stop};
use super::question::Condition;
use super::running::{Running, outside};
use super::state::{Ended, Window};
use super::trace::{Access, Completes, OfOperation};
use crate::execute::machine::Machine as _;
use crate::external::without_p;
use farside_calls::shmem::{Atomic, Class, Function, Meaning, Members, Returns, Strided};
use farside_conflicts::{Effect, Role as Way, Update};
use farside_events::{AccumulateOp, AccumulateOps, WinId};

/// An operation on so many elements at the target.
struct Operation {
    there: Number,
    bytes: Term,
    process: Number,
    effect: Effect,
    /// What is read or written in the memory of the caller.
    here: Option<(Number, Effect)>,
    /// Whether the call returns before the caller's buffers are free.
    issued: bool,
    fetches: bool,
}

impl Running<'_, '_> {
    /// A function of OpenSHMEM; one that is not in the table is asked something.
    pub(super) fn shmem(
        &mut self,
        function: Option<&'static Function>,
        name: &str,
        given: &[Number],
    ) -> Result<Number, Stop> {
        let Some(function) = function else {
            let variable = match without_p(name) {
                "shmem_my_pe" | "_my_pe" | "my_pe" => Variable::Rank,
                "shmem_n_pes" | "_num_pes" | "num_pes" => Variable::Size,
                _ => return outside(format!("a call of {name} is not followed")),
            };
            return Ok(Number::Term(self.paths.prover.terms.variable(variable)));
        };
        if function.has_context() {
            return outside(format!("{name} is of another context than the default one"));
        }
        let at = |place: usize| given.get(place).copied().unwrap_or_default();
        match function.meaning() {
            Meaning::Init => self.begin_shmem(),
            Meaning::Finalize | Meaning::Barrier(Members::All) => {
                self.state.trace.complete(Completes::Everything, |_| true);
                self.meet(name);
            }
            Meaning::Sync(Members::All) => self.meet(name),
            Meaning::GlobalExit => {
                self.state.ended = Some(Ended::GaveUp(self.paths.place(self.state)));
            }
            Meaning::Quiet => self.state.trace.complete(Completes::Everything, |_| true),
            Meaning::Fence => {}
            Meaning::Allocate {
                bytes: (bytes, times),
            } => {
                let times = times.map_or(Number::Known(1), at);
                return self.symmetric(name, at(bytes), times);
            }
            Meaning::Free => return self.free_symmetric(name, at(0)),
            Meaning::Put(returns, Strided::No) => {
                let moved = self.elements_of(function, at(2))?;
                self.issue(Operation {
                    there: at(0),
                    bytes: moved,
                    process: at(3),
                    effect: Effect::Write,
                    here: Some((at(1), Effect::Read)),
                    issued: returns == Returns::Issued,
                    fetches: false,
                })?;
            }
            Meaning::Get(returns, Strided::No) => {
                let moved = self.elements_of(function, at(2))?;
                self.issue(Operation {
                    there: at(1),
                    bytes: moved,
                    process: at(3),
                    effect: Effect::Read,
                    here: Some((at(0), Effect::Write)),
                    issued: returns == Returns::Issued,
                    fetches: true,
                })?;
            }
            Meaning::PutValue => self.single(function, at(0), at(2), Effect::Write, false)?,
            Meaning::GetValue => {
                self.single(function, at(0), at(1), Effect::Read, true)?;
                return Ok(Number::Any);
            }
            Meaning::Atomic(what, fetches) if fetches != Some(Returns::Issued) => {
                self.atomic(function, what, fetches.is_some(), given)?;
                return Ok(Number::Any);
            }
            _ => return outside(format!("a call of {name} is not followed")),
        }
        Ok(Number::Known(0))
    }

    fn meet(&mut self, name: &str) {
        let place = self.paths.place(self.state);
        self.state.trace.meet(name.to_owned(), place);
    }

    /// The process begins: its static data are symmetric. Texts that the compiler keeps are not.
    fn begin_shmem(&mut self) {
        if self.state.initialised {
            return;
        }
        self.state.initialised = true;
        let start = self.paths.prover.terms.constant(0);
        for (number, global) in self.paths.module.globals.iter().enumerate() {
            let own =
                !global.external && !global.name.starts_with('.') && !global.name.starts_with("__const.");
            let window = self.state.windows.len() as u32;
            let object = self.state.object_mut(number as u32);
            if own {
                object.part = Some(Part { window, base: start });
                object.watched = true;
            }
            let size = if own { object.size } else { start };
            self.state.windows.push(Window::new(size, 1));
        }
        self.meet("shmem_init");
    }

    fn symmetric(&mut self, name: &str, count: Number, size: Number) -> Result<Number, Stop> {
        if count == Number::Known(0) {
            return Ok(Number::Known(0));
        }
        let Number::Pointer(object, start) = self.allocate(count, size, name.contains("calloc"))? else {
            return outside("a size is not known");
        };
        self.state.trace.complete(Completes::Everything, |_| true);
        let window = self.state.windows.len() as u32;
        let size = self.state.object(object).size;
        self.state.windows.push(Window::new(size, 1));
        let made = self.state.object_mut(object);
        made.part = Some(Part { window, base: start });
        made.watched = true;
        self.meet(name);
        Ok(Number::Pointer(object, start))
    }

    fn free_symmetric(&mut self, name: &str, address: Number) -> Result<Number, Stop> {
        if address == Number::Known(0) {
            return Ok(address);
        }
        let Number::Pointer(object, _) = address else {
            return outside("which object is freed is not known");
        };
        self.state.trace.complete(Completes::Everything, |_| true);
        self.meet(name);
        self.state.object_mut(object).freed = true;
        Ok(Number::Known(0))
    }

    fn elements_of(&mut self, function: &Function, count: Number) -> Result<Term, Stop> {
        let bytes = self.size_of(count, i64::from(function.element().size))?;
        match self.holds(Condition::NotNegative(bytes)) {
            true => Ok(bytes),
            false => outside("a count depends on data, or may be negative"),
        }
    }

    /// One element whose value is in a register.
    fn single(
        &mut self,
        function: &Function,
        there: Number,
        process: Number,
        effect: Effect,
        fetches: bool,
    ) -> Result<(), Stop> {
        let bytes = self.elements_of(function, Number::Known(1))?;
        self.issue(Operation {
            there,
            bytes,
            process,
            effect,
            here: None,
            issued: false,
            fetches,
        })
    }

    fn atomic(
        &mut self,
        function: &Function,
        what: Atomic,
        fetches: bool,
        given: &[Number],
    ) -> Result<(), Stop> {
        let (operator, process) = match what {
            Atomic::Fetch => (Some(AccumulateOp::NoOp), 1),
            Atomic::Inc => (Some(AccumulateOp::Sum), 1),
            Atomic::Set | Atomic::Swap => (Some(AccumulateOp::Replace), 2),
            Atomic::Add => (Some(AccumulateOp::Sum), 2),
            Atomic::And => (Some(AccumulateOp::Band), 2),
            Atomic::Or => (Some(AccumulateOp::Bor), 2),
            Atomic::Xor => (Some(AccumulateOp::Bxor), 2),
            Atomic::CompareSwap => (None, 3),
        };
        let element = function.element();
        let at = |place: usize| given.get(place).copied().unwrap_or_default();
        let phase = match at(0) {
            Number::Pointer(_, start) => self.paths.prover.terms.residue(start, i64::from(element.size)),
            _ => None,
        };
        let Some(phase) = phase else {
            return outside("where the word of an atomic operation lies is not known");
        };
        let effect = Effect::Update(Update {
            win: WinId(0),
            basic: 2 * element.size + u32::from(element.class == Class::Float),
            size: element.size,
            phase: phase as u32,
            operator,
            hint: AccumulateOps::Any,
            ordered: false,
            order_shows: false,
        });
        self.single(function, at(0), at(process), effect, fetches)
    }

    /// An operation is issued.
    fn issue(&mut self, operation: Operation) -> Result<(), Stop> {
        if self.paths.prover.terms.known(operation.bytes) == Some(0) {
            return Ok(());
        }
        let Some(target) = self.notes().term(operation.process, 32) else {
            return outside("the target depends on data, or on more than the rank");
        };
        let terms = &mut self.paths.prover.terms;
        let size = terms.variable(Variable::Size);
        let left = terms.sum(size, target, -1).and_then(|left| terms.plus(left, -1));
        let is_one = left.is_some_and(|left| self.holds(Condition::NotNegative(left)));
        if !is_one || !self.holds(Condition::NotNegative(target)) {
            return outside("the target is no process for some number of processes, as far as one can tell");
        }
        let (object, at) = self.within(operation.there, operation.bytes)?;
        let place = self.paths.place(self.state);
        let Some(Part { window, .. }) = self.state.object(object).part else {
            return outside("an operation on memory that is not symmetric");
        };
        let of = OfOperation {
            number: self.paths.operation(),
            window,
            target,
            request: None,
            fetches: operation.fetches,
        };
        self.state.trace.begin();
        let begun = self.state.trace.now();
        let access = |space, owner, range, role, effect| Access {
            space,
            owner,
            range,
            role,
            effect,
            begun,
            done: None,
            place,
            operation: Some(of),
            lock: None,
            given: Vec::new(),
            rounds: Vec::new(),
        };
        if let Some((address, effect)) = operation.here {
            let (object, at) = self.within(address, operation.bytes)?;
            self.state.object_mut(object).watched = true;
            if effect == Effect::Write {
                self.arrives(object, at, operation.bytes);
            }
            let Some((space, range)) = self.bytes(object, at, operation.bytes) else {
                return outside("an address is too large");
            };
            self.state
                .trace
                .side(access(space, None, range, Way::Origin, effect));
        }
        let Some((space, range)) = self.bytes(object, at, operation.bytes) else {
            return outside("an address is too large");
        };
        self.state
            .trace
            .side(access(space, Some(target), range, Way::Target, operation.effect));
        self.state.trace.issued();
        if !operation.issued {
            self.state
                .trace
                .complete(Completes::Origin, |other| other.number == of.number);
        }
        Ok(())
    }
}
