//! Windows, their epochs, and what completes operations on them (MPI-4.1 §12.2, §12.5).

use super::{Call, REQUESTS};
use crate::abi::HANDLES;
use crate::prove::affine::Term;
use crate::prove::memory::{Object, Part};
use crate::prove::number::{Number, Stop};
use crate::prove::question::Condition;
use crate::prove::running::{Running, outside};
use crate::prove::state::Window;
use crate::prove::trace::{Completes, Lock, OfOperation};
use farside_calls::meaning::Completion;
use farside_calls::signature::Role;
use farside_events::{CallKind, WindowFlavor};

impl Running<'_, '_> {
    pub(in crate::prove) fn make_window(
        &mut self,
        flavor: WindowFlavor,
        call: &Call<'_>,
    ) -> Result<(), Stop> {
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

    pub(in crate::prove) fn on_window(&mut self, kind: CallKind, call: &Call<'_>) -> Result<(), Stop> {
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
                self.state.windows[window as usize].fenced = given & numbers.mode_nosucceed == 0;
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
                for held in self.state.windows[window as usize].locks().to_vec() {
                    let apart = held.target.zip(target);
                    let distance =
                        apart.and_then(|(held, target)| self.paths.prover.terms.sum(held, target, -1));
                    if !distance.is_some_and(|distance| self.holds(Condition::NotZero(distance))) {
                        return outside(
                            "a target is locked twice for some number of ranks, as far as one can tell",
                        );
                    }
                }
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
                match target {
                    Some(target) => drop(self.covered(window, target)?),
                    None if self.state.windows[window as usize].locks().is_empty() => {
                        return outside(format!("{} without a lock", call.name()));
                    }
                    None => {}
                }
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
    pub(in crate::prove) fn completed(&mut self, completes: Completes, window: u32, target: Option<Term>) {
        self.state.trace.complete(completes, |operation| {
            operation.window == window && target.is_none_or(|target| operation.target == target)
        });
    }

    pub(in crate::prove) fn complete(&mut self, which: Completion, call: &Call<'_>) -> Result<(), Stop> {
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
}
