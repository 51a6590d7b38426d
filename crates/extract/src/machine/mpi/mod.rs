//! Calls of MPI. There is no table of them beside those of the PGAS libraries: what a call means is said here, in the
//! statements of the calculus.
//!
//! Puts and gets are in a queue without order (MPI-4.1 §12.7). Atomic operations of a process on one location of a
//! target take effect in order (§12.7.2, unless the window says otherwise): each location has a queue that is ordered
//! per target. A flush waits for handles, one a target: of operations that only write, and of those that give something
//! back, since a local flush completes these as far as a flush does (§12.5.4). A request has a handle of its own.
//!
//! Taken for granted: making a window is a barrier, as implementations have it; what an atomic operation takes along is
//! not changed before it is complete, which `farside lint` finds.

mod atomics;
mod collectives;
mod communicators;
mod completion;
mod constants;
mod datatypes;
mod epochs;
mod exchange;
mod locks;
mod messages;
mod operations;
mod partitioned;
mod persistent;
mod read;
mod requests;
mod shared;
mod some;
mod sources;
mod windows;

use super::bytes::constant;
use super::{Followed, Machine};
use crate::tables::{ObjectKind, Tables};
use crate::value::Value;
use constants::SHARED;
use farside_lint::ir::{Arithmetic, PlaceId, Type};
use farside_pgas::ast::Completion;
use messages::Envelope;
use requests::Kept;

impl Machine<'_> {
    /// What a call does; it gives success, which is 0.
    pub(super) fn mpi(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<Option<Value>> {
        match (call, values) {
            ("Init", _) => {}
            // Names and what errors do change nothing of a run without errors.
            ("Win_set_name" | "Comm_set_name" | "Win_set_errhandler" | "Comm_set_errhandler", _) => {}
            ("Init_thread", [_, _, required, provided]) => {
                self.store(provided, required, &Type::Integer(32), place)?;
            }
            ("Aint_add", [left, right]) | ("Aint_diff", [left, right]) => {
                let operator = match call {
                    "Aint_add" => Arithmetic::Add,
                    _ => Arithmetic::Sub,
                };
                return Ok(Some(self.arithmetic(operator, 64, left, right, place)));
            }
            ("Get_address", [location, to]) => self.store(to, location, &Type::Integer(64), place)?,
            ("Wtime", _) => return Ok(Some(self.unknown(place, "the time"))),
            ("Finalize", _) => self.barrier(place),
            (
                "Send" | "Ssend" | "Bsend" | "Rsend" | "Isend" | "Issend" | "Recv" | "Irecv" | "Sendrecv"
                | "Sendrecv_replace" | "Probe" | "Iprobe" | "Wait" | "Waitall",
                _,
            ) => {
                self.two_sided(call, values, place)?;
            }
            _ if self.test_call(call, values, place)?
                || self.persistent_call(call, values, place)?
                || self.partitioned_call(call, values, place)? => {}
            _ if self.window_call(call, values, place)?
                || self.shared_call(call, values, place)?
                || self.operation(call, values, place)?
                || self.collective(call, values, place)?
                || self.epoch(call, values, place)?
                || self.type_call(call, values, place)?
                || self.communicator_call(call, values, place)?
                || self.group(call, values, place)? => {}
            _ => return Err(self.lost(place, &format!("a call of MPI_{call}, which is not followed"))),
        }
        Ok(Some(Value::Known(0)))
    }

    /// Messages, and waiting for requests.
    fn two_sided(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<()> {
        match (call, values) {
            ("Send" | "Bsend" | "Rsend", [buffer, count, kind, rank, tag, communicator]) => {
                let envelope = self.envelope(rank, tag, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.send(buffer, elements, envelope, place)?;
                Ok(())
            }
            ("Ssend", [buffer, count, kind, rank, tag, communicator]) => {
                let envelope = self.envelope(rank, tag, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                match self.send_synchronously(buffer, elements, envelope, place)? {
                    Some(taken) => self.arrive(taken, place),
                    None => Ok(()),
                }
            }
            ("Recv", [buffer, count, kind, rank, tag, communicator, status]) => {
                let envelope = self.envelope(rank, tag, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.receive(buffer, elements, envelope, status, place)
            }
            ("Isend" | "Issend", [buffer, count, kind, rank, tag, communicator, request]) => {
                let envelope = self.envelope(rank, tag, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                let waits = call == "Issend";
                self.send_later((buffer, elements), envelope, waits, Kept::At(request), place)
            }
            ("Irecv", [buffer, count, kind, rank, tag, communicator, request]) => {
                let envelope = self.envelope(rank, tag, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.receive_by_request((buffer, elements), envelope, Kept::At(request), place)
            }
            (
                "Sendrecv",
                [
                    buffer,
                    count,
                    kind,
                    to,
                    tag,
                    into,
                    other,
                    same,
                    from,
                    with,
                    communicator,
                    status,
                ],
            ) => {
                let envelope = self.envelope(to, tag, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.send(buffer, elements, envelope, place)?;
                let envelope = self.envelope(from, with, communicator, place)?;
                let elements = self.elements(other, same, place)?;
                self.receive(into, elements, envelope, status, place)
            }
            ("Sendrecv_replace", [buffer, count, kind, to, tag, from, with, communicator, status]) => {
                let envelope = self.envelope(to, tag, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.send(buffer, elements, envelope, place)?;
                let envelope = self.envelope(from, with, communicator, place)?;
                let elements = self.elements(count, kind, place)?;
                self.receive(buffer, elements, envelope, status, place)
            }
            ("Probe", [rank, tag, communicator, status]) => {
                let envelope = self.envelope(rank, tag, communicator, place)?;
                self.probe(envelope, status, place)
            }
            ("Iprobe", [rank, tag, communicator, flag, status]) => {
                let envelope = self.envelope(rank, tag, communicator, place)?;
                self.probe_now(envelope, (flag, status), place)
            }
            ("Wait", [request, status]) => self.wait_for_request(request, status, place),
            ("Waitall", [count, requests, statuses]) => self.wait_for_all(count, requests, statuses, place),
            _ => Err(self.lost(place, &format!("a call of MPI_{call}, which is not followed"))),
        }
    }

    fn envelope<'v>(
        &mut self,
        rank: &'v Value,
        tag: &'v Value,
        communicator: &Value,
        place: PlaceId,
    ) -> Followed<Envelope<'v>> {
        let communicator = self.communicator(communicator, place)?;
        Ok(Envelope::new(rank, tag, communicator))
    }

    /// Windows and their memory, fences, flushes and locks; false if it is none of these.
    fn window_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("Win_allocate", [size, unit, _, communicator, pointer, to]) => {
                let communicator = self.communicator(communicator, place)?;
                let size = self.count(size, place)?;
                let number = self.state.progress_mut().next_window(communicator);
                let kind = ObjectKind::Window(communicator, number);
                let object = self.tables.object(kind, size, "window");
                let address = Value::Known(Tables::address(object, 0));
                self.store(pointer, &address, &Type::Pointer, place)?;
                self.make_window((communicator, number), &address, unit, to, place)?;
            }
            ("Alloc_mem", [size, _, to]) => {
                let address = self.allocate(size, u32::MAX, place)?;
                self.store(to, &address, &Type::Pointer, place)?;
            }
            ("Free_mem", _) => {}
            ("Win_create", [base, _, unit, _, communicator, to]) => {
                let communicator = self.communicator(communicator, place)?;
                let number = self.state.progress_mut().next_window(communicator);
                self.make_window((communicator, number), base, unit, to, place)?;
            }
            ("Win_create_dynamic", [_, communicator, to]) => {
                let communicator = self.communicator(communicator, place)?;
                let number = self.state.progress_mut().next_window(communicator);
                // Displacements are addresses (MPI-4.1 §12.2.4).
                let (bottom, byte) = (Value::Known(0), Value::Known(1));
                self.make_window((communicator, number), &bottom, &byte, to, place)?;
            }
            ("Win_attach", [window, base, size]) => {
                let window = self.window_of(window, place)?;
                let size = self.count(size, place)?;
                let (object, _, _) = self.spot(base, size, place)?;
                self.knowledge.attach(window, object);
            }
            ("Win_detach", _) => {}
            ("Win_free", [to]) => {
                let window = self.load(to, &self.handle_type(), u32::MAX, place)?;
                let window = self.window_of(&window, place)?;
                self.wait_all(window, Completion::Full, place);
                let communicator = self.tables.window(window).communicator();
                self.meet_in(communicator, place)?;
            }
            ("Win_fence", [assertion, window]) => {
                let window = self.window_of(window, place)?;
                self.wait_all(window, Completion::Full, place);
                self.fence(assertion, window, place)?;
            }
            ("Win_lock_all", [assertion, window]) => {
                let window = self.window_of(window, place)?;
                self.show_stores(window, None, place);
                self.assert_lock(assertion, window, place);
                for target in self.processes_of(window) {
                    self.lock_shared(&Value::Known(u64::from(target)), window, place)?;
                }
            }
            ("Win_unlock_all", [window]) => {
                let window = self.window_of(window, place)?;
                self.wait_all(window, Completion::Full, place);
                for target in self.processes_of(window) {
                    self.unlock_window(&Value::Known(u64::from(target)), window, place)?;
                }
            }
            ("Win_flush_all", [window]) => {
                let window = self.window_of(window, place)?;
                self.wait_all(window, Completion::Full, place);
            }
            ("Win_flush_local_all", [window]) => {
                let window = self.window_of(window, place)?;
                self.wait_all(window, Completion::Local, place);
            }
            ("Win_lock", [kind, rank, assertion, window]) => {
                let window = self.window_of(window, place)?;
                self.show_stores(window, None, place);
                self.assert_lock(assertion, window, place);
                let rank = &self.target_process(rank, window, place)?;
                match constant(kind, 32).is_some_and(|kind| SHARED.contains(&kind)) {
                    true => self.lock_shared(rank, window, place)?,
                    false => self.lock_exclusively(rank, window, place)?,
                }
            }
            ("Win_unlock", [rank, window]) => {
                self.flush(rank, window, Completion::Full, place)?;
                let window = self.window_of(window, place)?;
                let rank = self.target_process(rank, window, place)?;
                self.unlock_window(&rank, window, place)?;
            }
            ("Win_flush", [rank, window]) => self.flush(rank, window, Completion::Full, place)?,
            ("Win_flush_local", [rank, window]) => self.flush(rank, window, Completion::Local, place)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}
