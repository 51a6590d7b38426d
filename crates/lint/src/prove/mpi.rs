//! Calls of MPI, as far as they are followed for any number of ranks: windows of `MPI_COMM_WORLD` and operations of
//! predefined datatypes on them, fences, locks and flushes, requests, and a few collective calls.
//!
//! All other calls are outside of the class. Their arguments are found by the table of [`farside_calls::mpi`].

use super::affine::{Term, Variable};
use super::domain::{Number, Stop};
use super::memory::{Object, Part};
use super::question::Condition;
use super::run::{Running, outside};
use super::state::{Ended, Window};
use super::trace::{Access, Completes, Lock, OfOperation, Space};
use crate::abi::HANDLES;
use crate::execute::machine::Machine as _;
use farside_calls::collective::{CollectiveForm, Ends};
use farside_calls::meaning::{Completion, Meaning, Waits};
use farside_calls::mpi::{Procedure, Procedure as P};
use farside_calls::signature::Role;
use farside_conflicts::{Effect, Role as Way, Update};
use farside_events::{AccumulateOp, AccumulateOps, CallKind, OperationKind, WinId, WindowFlavor};

/// Handles of requests, above those of windows.
const REQUESTS: u64 = HANDLES + (1 << 16);

/// A call of MPI.
struct Call<'g> {
    procedure: Procedure,
    large: bool,
    given: &'g [Number],
}

impl Call<'_> {
    fn at(&self, role: Role) -> Number {
        let place = self.procedure.signature().place(role);
        place.map_or(Number::Any, |place| self.nth(place))
    }

    fn nth(&self, place: usize) -> Number {
        self.given.get(place).copied().unwrap_or_default()
    }

    fn has(&self, role: Role) -> bool {
        self.procedure.signature().has(role)
    }

    fn name(&self) -> &'static str {
        self.procedure.name()
    }

    fn is_not_followed<T>(&self) -> Result<T, Stop> {
        outside(format!("a call of {} is not followed", self.name()))
    }
}

/// Elements of a predefined datatype.
#[derive(Clone, Copy)]
struct Elements {
    /// A number that is the same for equal datatypes.
    datatype: u32,
    size: i64,
    /// Bytes of all of them.
    bytes: Term,
}

impl Running<'_, '_> {
    pub(super) fn mpi(
        &mut self,
        (procedure, large): (Procedure, bool),
        given: &[Number],
    ) -> Result<Number, Stop> {
        let call = Call {
            procedure,
            large,
            given,
        };
        self.carry_out(&call)?;
        Ok(match procedure {
            P::Wtime | P::Wtick => Number::Any,
            _ => Number::Known(0),
        })
    }

    fn carry_out(&mut self, call: &Call<'_>) -> Result<(), Stop> {
        let Some(meaning) = call.procedure.meaning() else {
            return self.asked(call);
        };
        match meaning {
            Meaning::Init => {
                if call.procedure == P::Init_thread {
                    self.give(call.nth(3), 4, Number::Any)?;
                }
                self.state.initialised = true;
                Ok(())
            }
            Meaning::Finalize | Meaning::WindowName => Ok(()),
            Meaning::Abort => {
                self.state.ended = Some(Ended::GaveUp(self.paths.place(self.state)));
                Ok(())
            }
            Meaning::Window(flavor) => self.make_window(flavor, call),
            Meaning::Operation(kind) => self.operation(kind, call),
            Meaning::OnWindow(kind) => self.on_window(kind, call),
            Meaning::Completion(which, Waits::Blocking) => self.complete(which, call),
            Meaning::Collective(form, Ends::Returning) => self.collective(form, call),
            _ => call.is_not_followed(),
        }
    }

    /// A call that orders nothing and moves nothing.
    fn asked(&mut self, call: &Call<'_>) -> Result<(), Stop> {
        match call.procedure {
            P::Comm_rank | P::Comm_size => {
                self.of_world(call)?;
                let variable = match call.procedure {
                    P::Comm_rank => Variable::Rank,
                    _ => Variable::Size,
                };
                let term = self.paths.prover.terms.variable(variable);
                self.give(call.nth(1), 4, Number::Term(term))
            }
            P::Wtime | P::Wtick => Ok(()),
            P::Comm_set_errhandler | P::Win_set_errhandler | P::Errhandler_set => Ok(()),
            P::Initialized => {
                let flag = u64::from(self.state.initialised);
                self.give(call.nth(0), 4, Number::Known(flag))
            }
            _ => call.is_not_followed(),
        }
    }

    /// The call gives a value; its own pointers are not window memory.
    pub(super) fn give(&mut self, at: Number, size: i64, value: Number) -> Result<(), Stop> {
        let length = self.paths.prover.terms.constant(size);
        let (object, at) = self.within(at, length)?;
        match self.paths.prover.terms.known(at) {
            Some(at) => self.state.object_mut(object).store(at, size, value),
            None => self.state.object_mut(object).smear(),
        }
        Ok(())
    }

    /// The bits of a handle.
    fn handle(&self, number: Number) -> Option<u64> {
        match number {
            Number::Known(bits) => Some(bits),
            Number::Pointer(object, at) => {
                let base = *self.paths.globals.addresses().get(object as usize)?;
                Some(base.wrapping_add_signed(self.paths.prover.terms.known(at)?))
            }
            Number::Term(_) | Number::Any => None,
        }
    }

    fn of_world(&self, call: &Call<'_>) -> Result<(), Stop> {
        let place = call.procedure.signature().place(Role::Communicator).unwrap_or(0);
        let handle = self.handle(call.nth(place));
        match handle.is_some_and(|handle| self.paths.abi.is_world(handle)) {
            true => Ok(()),
            false => outside(format!(
                "{} is of another communicator than MPI_COMM_WORLD",
                call.name()
            )),
        }
    }

    /// A number that is the same in all processes and does not depend on data.
    fn known(&mut self, number: Number) -> Option<i32> {
        match number {
            Number::Known(bits) => Some(bits as u32 as i32),
            _ => None,
        }
    }

    /// What lies at an address that the library reads.
    fn held(&mut self, at: Number, size: i64) -> Result<Number, Stop> {
        let length = self.paths.prover.terms.constant(size);
        let (object, at) = self.within(at, length)?;
        let known = self.paths.prover.terms.known(at);
        Ok(known.map_or(Number::Any, |at| self.state.object(object).load(at, size)))
    }

    /// The window that a call speaks of.
    fn window(&mut self, call: &Call<'_>) -> Result<u32, Stop> {
        let given = match call.procedure {
            P::Win_free => {
                let size = self.paths.abi.numbers().handle_size as i64;
                self.held(call.at(Role::Window), size)?
            }
            _ => call.at(Role::Window),
        };
        let handle = self.handle(given);
        let window = handle.and_then(|handle| (handle as u32).checked_sub(HANDLES as u32));
        let known = |number: &u32| {
            let window = self.state.windows.get(*number as usize);
            window.is_some_and(|window| !window.freed)
        };
        window.filter(known).map_or_else(
            || outside(format!("the window of {} is not known", call.name())),
            Ok,
        )
    }

    fn make_window(&mut self, flavor: WindowFlavor, call: &Call<'_>) -> Result<(), Stop> {
        if !matches!(flavor, WindowFlavor::Create | WindowFlavor::Allocate) {
            return call.is_not_followed();
        }
        self.of_world(call)?;
        let info = self.handle(call.at(Role::Info));
        let no_info = info.is_some_and(|info| {
            let null = self
                .paths
                .module
                .globals
                .iter()
                .position(|global| global.name == "ompi_mpi_info_null");
            let null = null.and_then(|at| self.paths.globals.addresses().get(at).copied());
            Some(info) == null || info as u32 == 0x1c00_0000
        });
        if !no_info {
            return outside("a window with hints is not followed");
        }
        let Some(unit) = self.known(call.at(Role::Unit)).filter(|unit| *unit > 0) else {
            return outside("the unit of a window is not the same everywhere, as far as one can tell");
        };
        let size = self.size_of(call.at(Role::Size), 1)?;
        if !self.holds(Condition::NotNegative(size)) {
            return outside(
                "the size of a window is negative for some number of ranks, as far as one can tell",
            );
        }
        let number = self.state.windows.len() as u32;
        let (object, base) = match flavor {
            WindowFlavor::Allocate => {
                let object = self.state.add(Object::new(size, false));
                let start = self.paths.prover.terms.constant(0);
                self.give(call.at(Role::BasePointer), 8, Number::Pointer(object, start))?;
                (Some(object), start)
            }
            _ if self.paths.prover.terms.known(size) == Some(0) => (None, size),
            _ => {
                let (object, at) = self.within(call.at(Role::Base), size)?;
                (Some(object), at)
            }
        };
        if let Some(object) = object {
            let object = self.state.object_mut(object);
            if object.part.is_some() || object.freed {
                return outside(
                    "memory that belongs to two windows, or that was given back, is not followed",
                );
            }
            object.part = Some(Part { window: number, base });
            object.watched = true;
        }
        self.state.windows.push(Window::new(size, i64::from(unit)));
        let place = self.paths.place(self.state);
        self.state.trace.meet(call.name().to_owned(), place);
        let handle = Number::Known(HANDLES + u64::from(number));
        let bytes = self.paths.abi.numbers().handle_size as i64;
        self.give(call.at(Role::Window), bytes, handle)
    }

    /// So many elements of a datatype.
    fn elements(&mut self, count: Number, datatype: Number, large: bool) -> Result<Elements, Stop> {
        let basic = self.handle(datatype).and_then(|handle| {
            let (_, size) = self.paths.abi.basic_type(handle)?;
            Some((handle as u32, size))
        });
        let Some((datatype, size)) = basic.filter(|(_, size)| *size > 0) else {
            return outside("a datatype that is not predefined is not followed");
        };
        let count = self.notes().term(count, if large { 64 } else { 32 });
        let bytes = count.and_then(|count| self.paths.prover.terms.times(count, i64::from(size)));
        let Some(bytes) = bytes.filter(|bytes| self.holds(Condition::NotNegative(*bytes))) else {
            return outside("a count depends on data, or may be negative");
        };
        Ok(Elements {
            datatype,
            size: i64::from(size),
            bytes,
        })
    }

    /// The target of a call, which is a rank in all processes that make it; `None`: no process.
    fn target(&mut self, call: &Call<'_>) -> Result<Option<Term>, Stop> {
        let rank = call.at(Role::TargetRank);
        if self.known(rank) == Some(self.paths.abi.numbers().proc_null) {
            return Ok(None);
        }
        let Some(target) = self.notes().term(rank, 32) else {
            return outside("the target depends on data, or on more than the rank");
        };
        let terms = &mut self.paths.prover.terms;
        let size = terms.variable(Variable::Size);
        let left = terms.sum(size, target, -1).and_then(|left| terms.plus(left, -1));
        let within = left.is_some_and(|left| self.holds(Condition::NotNegative(left)));
        match within && self.holds(Condition::NotNegative(target)) {
            true => Ok(Some(target)),
            false => outside("the target is no rank for some number of ranks, as far as one can tell"),
        }
    }

    fn operation(&mut self, kind: OperationKind, call: &Call<'_>) -> Result<(), Stop> {
        let number = self.window(call)?;
        let operator = match call.has(Role::Operator) {
            true => {
                let Some(handle) = self.handle(call.at(Role::Operator)) else {
                    return outside("an operator is not known");
                };
                Some(self.paths.abi.operator(handle))
            }
            false => None,
        };
        let counted = |running: &mut Self, count: Role, datatype: Role| {
            let count = if call.has(count) {
                call.at(count)
            } else {
                Number::Known(1)
            };
            running.elements(count, call.at(datatype), call.large)
        };
        let target = self.target(call)?;
        let request = call.has(Role::Request).then(|| {
            self.state.requests += 1;
            self.state.requests
        });
        if let Some(request) = request {
            let bytes = self.paths.abi.numbers().handle_size as i64;
            self.give(
                call.at(Role::Request),
                bytes,
                Number::Known(REQUESTS + u64::from(request)),
            )?;
        }
        let Some(target) = target else { return Ok(()) };
        let there = counted(self, Role::TargetCount, Role::TargetType)?;
        let lock = self.state.windows[number as usize].covering(target);
        let operation = OfOperation {
            number: self.paths.operation(),
            window: number,
            target,
            request,
            fetches: false,
        };
        self.state.trace.begin();
        let begun = self.state.trace.now();
        let place = self.paths.place(self.state);
        let access = |space, owner, range, role, effect| Access {
            space,
            owner,
            range,
            role,
            effect,
            begun,
            done: None,
            place,
            operation: Some(operation),
            lock,
            given: Vec::new(),
            rounds: Vec::new(),
        };
        let buffers = [
            (
                Role::OriginBuffer,
                Role::OriginCount,
                Role::OriginType,
                Effect::Read,
            ),
            (
                Role::CompareBuffer,
                Role::ResultCount,
                Role::ResultType,
                Effect::Read,
            ),
            (
                Role::ResultBuffer,
                Role::ResultCount,
                Role::ResultType,
                Effect::Write,
            ),
        ];
        for (buffer, count, datatype, effect) in buffers {
            let idle = buffer == Role::OriginBuffer && operator == Some(AccumulateOp::NoOp);
            if !call.has(buffer) || idle {
                continue;
            }
            let here = counted(self, count, datatype)?;
            if self.paths.prover.terms.known(here.bytes) == Some(0) {
                continue;
            }
            let (object, at) = self.within(call.at(buffer), here.bytes)?;
            self.state.object_mut(object).watched = true;
            if effect == Effect::Write {
                self.arrives(object, at, here.bytes);
            }
            let Some((space, range)) = self.bytes(object, at, here.bytes) else {
                return outside("an address is too large");
            };
            self.state
                .trace
                .side(access(space, None, range, Way::Origin, effect));
        }
        if self.paths.prover.terms.known(there.bytes) != Some(0) {
            let range = self.range_there(call, number, there)?;
            let effect = self.effect_there(kind, number, there, range, operator)?;
            let space = Space::Window(number);
            self.state
                .trace
                .side(access(space, Some(target), range, Way::Target, effect));
        }
        self.state.trace.issued();
        Ok(())
    }

    /// The bytes of the target's part. Whether they lie within it is asked of all pairs of paths.
    fn range_there(&mut self, call: &Call<'_>, window: u32, there: Elements) -> Result<(Term, Term), Stop> {
        let unit = self.state.windows[window as usize].unit;
        let displacement = self.notes().term(call.at(Role::TargetDisplacement), 64);
        let terms = &mut self.paths.prover.terms;
        let first = displacement.and_then(|displacement| terms.times(displacement, unit));
        let range = first.and_then(|first| Some((first, terms.sum(first, there.bytes, 1)?)));
        range.map_or_else(
            || outside("the displacement depends on data, or on more than the rank"),
            Ok,
        )
    }

    fn effect_there(
        &mut self,
        kind: OperationKind,
        window: u32,
        there: Elements,
        (first, _): (Term, Term),
        operator: Option<AccumulateOp>,
    ) -> Result<Effect, Stop> {
        Ok(match kind {
            OperationKind::Put => Effect::Write,
            OperationKind::Get => Effect::Read,
            kind => {
                let Some(phase) = self.paths.prover.terms.residue(first, there.size) else {
                    return outside("where elements of an accumulate lie depends on the rank");
                };
                Effect::Update(Update {
                    win: WinId(u64::from(window) + 1),
                    basic: there.datatype,
                    size: there.size as u32,
                    phase: phase as u32,
                    operator: match kind {
                        OperationKind::CompareAndSwap => None,
                        _ => operator,
                    },
                    hint: AccumulateOps::SameOpNoOp,
                    ordered: true,
                    order_shows: false,
                })
            }
        })
    }

    /// Data come into memory at some time: from now on nobody knows what is there.
    pub(super) fn arrives(&mut self, object: u32, at: Term, bytes: Term) {
        let terms = &self.paths.prover.terms;
        let known = (terms.known(at), terms.known(bytes));
        let object = self.state.object_mut(object);
        match known {
            (Some(at), Some(bytes)) => object.store(at, bytes, Number::Any),
            _ => object.smear(),
        }
    }

    fn on_window(&mut self, kind: CallKind, call: &Call<'_>) -> Result<(), Stop> {
        let window = self.window(call)?;
        let of_window = |operation: &OfOperation| operation.window == window;
        let place = self.paths.place(self.state);
        match kind {
            CallKind::Fence => {
                let numbers = self.paths.abi.numbers();
                let Some(given) = self.known(call.at(Role::Assertion)) else {
                    return outside("the assertion of a fence is not known");
                };
                if given & !(numbers.mode_noprecede | numbers.mode_nosucceed) != 0 {
                    return outside("a fence with MPI_MODE_NOSTORE or MPI_MODE_NOPUT is not followed");
                }
                let label = format!("fence of window {window}");
                match given & numbers.mode_noprecede {
                    0 => {
                        self.state.trace.complete(Completes::Everything, of_window);
                        self.state.trace.meet(label, place);
                    }
                    _ => self.state.trace.pass(label, place, window),
                }
            }
            CallKind::Lock | CallKind::LockAll => {
                let target = match kind {
                    CallKind::Lock => match self.target(call)? {
                        Some(target) => Some(target),
                        None => return Ok(()),
                    },
                    _ => None,
                };
                let numbers = self.paths.abi.numbers();
                // With MPI_MODE_NOCHECK, nobody is kept out.
                let checks = self.known(call.at(Role::Assertion)) == Some(0);
                let excludes = checks
                    && kind == CallKind::Lock
                    && self.known(call.at(Role::LockType)) == Some(numbers.lock_exclusive);
                self.state.windows[window as usize].lock(Lock {
                    window,
                    target,
                    exclusive: excludes,
                });
            }
            CallKind::Unlock | CallKind::UnlockAll => {
                let target = match kind {
                    CallKind::Unlock => match self.target(call)? {
                        Some(target) => Some(target),
                        None => return Ok(()),
                    },
                    _ => None,
                };
                if !self.state.windows[window as usize].unlock(target) {
                    return outside(format!(
                        "{} is of a lock that is not held, as far as one can tell",
                        call.name()
                    ));
                }
                self.completed(Completes::Everything, window, target);
            }
            CallKind::Flush { local, .. } => {
                let target = match call.has(Role::TargetRank) {
                    true => match self.target(call)? {
                        Some(target) => Some(target),
                        None => return Ok(()),
                    },
                    false => None,
                };
                let completes = if local {
                    Completes::Origin
                } else {
                    Completes::Everything
                };
                self.completed(completes, window, target);
            }
            CallKind::Sync => {}
            CallKind::Free => {
                if self.state.trace.is_open(window) {
                    return outside("a window is freed before its operations are complete");
                }
                self.state.windows[window as usize].freed = true;
                self.state
                    .trace
                    .meet(format!("freeing of window {window}"), place);
            }
            _ => return call.is_not_followed(),
        }
        Ok(())
    }

    /// Operations on a target are complete, or those on all. One whose target may be another rank is not.
    fn completed(&mut self, completes: Completes, window: u32, target: Option<Term>) {
        self.state.trace.complete(completes, |operation| {
            operation.window == window && target.is_none_or(|target| operation.target == target)
        });
    }

    fn complete(&mut self, which: Completion, call: &Call<'_>) -> Result<(), Stop> {
        let (count, list) = match which {
            Completion::One => (1, call.at(Role::Request)),
            Completion::All => match self.known(call.at(Role::RequestCount)) {
                Some(count @ 0..=4096) => (i64::from(count), call.at(Role::Requests)),
                _ => return outside("the number of requests is not known"),
            },
            _ => return call.is_not_followed(),
        };
        let size = self.paths.abi.numbers().handle_size as i64;
        for nth in 0..count {
            let Number::Pointer(object, at) = list else {
                return outside("where the requests are is not known");
            };
            let Some(at) = self.paths.prover.terms.plus(at, nth * size) else {
                return outside("an address is too large");
            };
            let request = match self.held(Number::Pointer(object, at), size)? {
                Number::Known(bits) => bits.checked_sub(REQUESTS).filter(|request| *request < 1 << 16),
                _ => None,
            };
            let Some(request) = request else {
                return outside("which request is completed is not known");
            };
            let of_request = |operation: &OfOperation| operation.request == Some(request as u32);
            self.state.trace.complete(Completes::Origin, of_request);
        }
        Ok(())
    }

    fn collective(&mut self, form: CollectiveForm, call: &Call<'_>) -> Result<(), Stop> {
        self.of_world(call)?;
        let place = self.paths.place(self.state);
        match form {
            CollectiveForm::Barrier => {
                self.state.trace.meet(call.name().to_owned(), place);
                return Ok(());
            }
            CollectiveForm::Allreduce | CollectiveForm::Reduce | CollectiveForm::Bcast => {}
            _ => return call.is_not_followed(),
        }
        let (count, datatype) = match call.has(Role::SendCount) {
            true => (Role::SendCount, Role::SendType),
            false => (Role::ReceiveCount, Role::ReceiveType),
        };
        let all = self.elements(call.at(count), call.at(datatype), call.large)?;
        if !matches!(self.paths.prover.terms.known(all.bytes), Some(1..)) {
            return outside("the count of a collective call is not known, or 0");
        }
        // In place, or at a process that is not the root, a buffer may not count; it is taken to.
        for (role, effect) in [
            (Role::SendBuffer, Effect::Read),
            (Role::ReceiveBuffer, Effect::Write),
        ] {
            if !call.has(role) || self.handle(call.at(role)) == Some(self.paths.abi.numbers().in_place) {
                continue;
            }
            let idle = form == CollectiveForm::Reduce && role == Role::ReceiveBuffer;
            if idle && !matches!(call.at(role), Number::Pointer(..)) {
                continue;
            }
            let (object, at) = self.access_of(call.at(role), all.bytes, effect)?;
            if effect == Effect::Write {
                self.arrives(object, at, all.bytes);
            }
        }
        if form == CollectiveForm::Allreduce {
            self.state.trace.meet(call.name().to_owned(), place);
        }
        Ok(())
    }
}
