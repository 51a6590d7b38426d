//! Calls of MPI, as far as they are followed for any number of ranks: windows of `MPI_COMM_WORLD` and operations of
//! predefined datatypes on them, fences, locks and flushes, requests, and a few collective calls.
//!
//! All other calls are outside of the class. Their arguments are found by the table of [`farside_calls::mpi`].

mod operation;
mod window;

use super::affine::Variable;
use super::number::{Number, Stop};
use super::running::{Running, outside};
use super::state::Ended;
use crate::abi::HANDLES;
use farside_calls::collective::{CollectiveForm, Ends};
use farside_calls::meaning::{Meaning, Waits};
use farside_calls::mpi::{Procedure, Procedure as P};
use farside_calls::signature::Role;
use farside_conflicts::Effect;

/// Handles of requests, above those of windows.
const REQUESTS: u64 = HANDLES + (1 << 16);

/// A call of MPI.
pub(in crate::prove) struct Call<'g> {
    procedure: Procedure,
    large: bool,
    given: &'g [Number],
}

impl Call<'_> {
    pub(in crate::prove) fn at(&self, role: Role) -> Number {
        let place = self.procedure.signature().place(role);
        place.map_or(Number::Any, |place| self.nth(place))
    }

    pub(in crate::prove) fn nth(&self, place: usize) -> Number {
        self.given.get(place).copied().unwrap_or_default()
    }

    pub(in crate::prove) fn has(&self, role: Role) -> bool {
        self.procedure.signature().has(role)
    }

    pub(in crate::prove) fn name(&self) -> &'static str {
        self.procedure.name()
    }

    pub(in crate::prove) fn is_not_followed<T>(&self) -> Result<T, Stop> {
        outside(format!("a call of {} is not followed", self.name()))
    }
}

impl Running<'_, '_> {
    pub(in crate::prove) fn mpi(
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

    pub(in crate::prove) fn carry_out(&mut self, call: &Call<'_>) -> Result<(), Stop> {
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
    pub(in crate::prove) fn asked(&mut self, call: &Call<'_>) -> Result<(), Stop> {
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
    pub(in crate::prove) fn give(&mut self, at: Number, size: i64, value: Number) -> Result<(), Stop> {
        let length = self.paths.prover.terms.constant(size);
        let (object, at) = self.within(at, length)?;
        match self.paths.prover.terms.known(at) {
            Some(at) => self.state.object_mut(object).store(at, size, value),
            None => self.state.object_mut(object).smear(),
        }
        Ok(())
    }

    /// The bits of a handle.
    pub(in crate::prove) fn handle(&self, number: Number) -> Option<u64> {
        match number {
            Number::Known(bits) => Some(bits),
            Number::Pointer(object, at) => {
                let base = *self.paths.globals.addresses().get(object as usize)?;
                Some(base.wrapping_add_signed(self.paths.prover.terms.known(at)?))
            }
            Number::Term(_) | Number::Any => None,
        }
    }

    pub(in crate::prove) fn of_world(&self, call: &Call<'_>) -> Result<(), Stop> {
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
    pub(in crate::prove) fn known(&mut self, number: Number) -> Option<i32> {
        match number {
            Number::Known(bits) => Some(bits as u32 as i32),
            _ => None,
        }
    }

    /// What lies at an address that the library reads.
    pub(in crate::prove) fn held(&mut self, at: Number, size: i64) -> Result<Number, Stop> {
        let length = self.paths.prover.terms.constant(size);
        let (object, at) = self.within(at, length)?;
        let known = self.paths.prover.terms.known(at);
        Ok(known.map_or(Number::Any, |at| self.state.object(object).load(at, size)))
    }

    /// The window that a call speaks of.
    pub(in crate::prove) fn window(&mut self, call: &Call<'_>) -> Result<u32, Stop> {
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

    pub(in crate::prove) fn collective(&mut self, form: CollectiveForm, call: &Call<'_>) -> Result<(), Stop> {
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
