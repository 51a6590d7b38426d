//! Calls of one-sided MPI. There is no table of them beside those of the PGAS libraries: what a call means is said
//! here, in the statements of the calculus, once a window.
//!
//! Puts and gets are in a queue without order (MPI-4.1 §12.7). Atomic operations of a process on one location of a
//! target take effect in order (§12.7.2, unless the window says otherwise): each location has a queue that is ordered
//! per target. A flush waits for handles, one a target: of operations that only write, and of those that give something
//! back, since a local flush completes these as far as a flush does (§12.5.4).
//!
//! Taken for granted: making a window is a barrier, as implementations have it; what an atomic operation takes along is
//! not changed before it is complete, which `farside lint` finds.

mod locks;

use super::bytes::{Bytes, constant};
use super::{Followed, Machine};
use crate::expression::Expression;
use crate::program::{name, number, written};
use crate::tables::{ObjectKind, Tables, Window};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{
    AtomicOperation, BinaryOperator, Completion, Direction, Expression as Written, StatementKind, Target,
};

/// Types by their names in Open MPI's header, and their bytes. MPICH's constants say theirs themselves.
const TYPES: &[(&str, u64)] = &[
    ("char", 1),
    ("byte", 1),
    ("signed_char", 1),
    ("unsigned_char", 1),
    ("short", 2),
    ("unsigned_short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("float", 4),
    ("long", 8),
    ("unsigned_long", 8),
    ("long_long_int", 8),
    ("unsigned_long_long", 8),
    ("double", 8),
    ("int8_t", 1),
    ("int16_t", 2),
    ("int32_t", 4),
    ("int64_t", 8),
    ("uint8_t", 1),
    ("uint16_t", 2),
    ("uint32_t", 4),
    ("uint64_t", 8),
    ("aint", 8),
];
/// Operations: Open MPI's name, MPICH's constant.
const SUM: (&str, i64) = ("ompi_mpi_op_sum", 0x5800_0003);
const REPLACE: (&str, i64) = ("ompi_mpi_op_replace", 0x5800_000d);
const NO_OP: (&str, i64) = ("ompi_mpi_op_no_op", 0x5800_000e);
const WORLD: (&str, i64) = ("ompi_mpi_comm_world", 0x4400_0000);
/// `MPI_LOCK_SHARED` of MPICH and of Open MPI.
const SHARED: [i64; 2] = [235, 2];

/// What a target of operations has.
struct Remote {
    window: u32,
    rank: Written,
    bytes: Bytes,
}

impl Machine<'_> {
    /// What a call does; it gives success, which is 0.
    pub(super) fn mpi(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<Option<Value>> {
        match (call, values) {
            ("Init" | "Win_sync", _) => {}
            ("Win_lock_all", [_, window]) => {
                let window = self.window_of(window, place)?;
                self.lock_shared(window, place)?;
            }
            // Names and what errors do change nothing of a run without errors.
            ("Win_set_name" | "Comm_set_name" | "Win_set_errhandler" | "Comm_set_errhandler", _) => {}
            ("Init_thread", [_, _, required, provided]) => {
                self.store(provided, required, &Type::Integer(32), place)?;
            }
            ("Wtime", _) => return Ok(Some(self.unknown(place, "the time"))),
            ("Finalize", _) => self.emit(StatementKind::Barrier, place),
            ("Comm_rank" | "Comm_size", [communicator, to]) => {
                self.world(communicator, place)?;
                let value = if call == "Comm_rank" {
                    self.rank
                } else {
                    self.ranks
                };
                self.store(to, &Value::Known(u64::from(value)), &Type::Integer(32), place)?;
            }
            ("Barrier", [communicator]) => {
                self.world(communicator, place)?;
                self.emit(StatementKind::Barrier, place);
            }
            ("Win_allocate", [size, unit, _, communicator, pointer, to]) => {
                self.world(communicator, place)?;
                let size = self.count(size, place)?;
                let number = self.state.next_window();
                let object = self.tables.object(ObjectKind::Window(number), size, "window");
                let address = Value::Known(Tables::address(object, 0));
                self.store(pointer, &address, &Type::Pointer, place)?;
                self.make_window(number, &address, unit, to, place)?;
            }
            ("Win_create", [base, _, unit, _, communicator, to]) => {
                self.world(communicator, place)?;
                let number = self.state.next_window();
                self.make_window(number, base, unit, to, place)?;
            }
            ("Win_free", [to]) => {
                let ty = self.handle_type(to);
                let window = self.load(to, &ty, u32::MAX, place)?;
                let window = self.window_of(&window, place)?;
                self.wait_all(window, Completion::Full, place);
                self.emit(StatementKind::Barrier, place);
            }
            ("Win_fence", [_, window]) => {
                let window = self.window_of(window, place)?;
                self.wait_all(window, Completion::Full, place);
                self.emit(StatementKind::Barrier, place);
            }
            ("Win_unlock_all" | "Win_flush_all", [window]) => {
                let window = self.window_of(window, place)?;
                self.wait_all(window, Completion::Full, place);
            }
            ("Win_flush_local_all", [window]) => {
                let window = self.window_of(window, place)?;
                self.wait_all(window, Completion::Local, place);
            }
            ("Win_lock", [kind, rank, _, window]) => {
                let window = self.window_of(window, place)?;
                match constant(kind, 32).is_some_and(|kind| SHARED.contains(&kind)) {
                    true => self.lock_shared(window, place)?,
                    false => self.lock_window(rank, window, place)?,
                }
            }
            ("Win_unlock", [rank, window]) => {
                self.flush(rank, window, Completion::Full, place)?;
                let window = self.window_of(window, place)?;
                if self.knowledge.is_locked_exclusively(window) {
                    self.unlock_window(rank, window, place)?;
                }
            }
            ("Win_flush", [rank, window]) => self.flush(rank, window, Completion::Full, place)?,
            ("Win_flush_local", [rank, window]) => self.flush(rank, window, Completion::Local, place)?,
            ("Put" | "Get", [origin, count, kind, rank, at, other, same, window]) => {
                let bytes = self.bytes_of(count, kind, place)?;
                if self.bytes_of(other, same, place)? != bytes {
                    return Err(self.lost(place, "a transfer whose sides have other types"));
                }
                self.mpi_transfer(call == "Put", (origin, bytes), (rank, at, window), place)?;
            }
            ("Fetch_and_op", [origin, result, kind, rank, at, operation, window]) => {
                let size = self.bytes_of(&Value::Known(1), kind, place)?;
                let remote = self.remote((rank, at, window), size, place)?;
                self.fetch_and_op(remote, (origin, result, size), operation, place)?;
            }
            ("Compare_and_swap", [origin, compare, result, kind, rank, at, window]) => {
                let size = self.bytes_of(&Value::Known(1), kind, place)?;
                let remote = self.remote((rank, at, window), size, place)?;
                self.followed(&remote, place)?;
                let old = self.shared_bytes(result, size, place)?;
                self.follow(&old);
                let mut operands = Vec::new();
                for operand in [compare, origin] {
                    let value = self.load(operand, &Type::Integer(8 * size as u32), u32::MAX, place)?;
                    operands.push(self.written_to(&remote.bytes, &value, 8 * size as u32));
                }
                self.atomic_statement(AtomicOperation::CompareSwap, remote, Some(&old), operands, place);
            }
            (
                "Get_accumulate",
                [
                    origin,
                    one,
                    _,
                    result,
                    other,
                    kind,
                    rank,
                    at,
                    same,
                    _,
                    operation,
                    window,
                ],
            ) => {
                // Of MPI_NO_OP nothing goes along.
                let several = |count: &Value| constant(count, 32) != Some(1);
                if several(other) || several(same) || several(one) && !self.is(operation, NO_OP) {
                    return Err(self.lost(place, "an operation on several elements"));
                }
                let size = self.bytes_of(other, kind, place)?;
                let remote = self.remote((rank, at, window), size, place)?;
                self.fetch_and_op(remote, (origin, result, size), operation, place)?;
            }
            // What each process gets depends on what all give: none goes on before all have come.
            ("Allreduce" | "Allgather" | "Alltoall", [.., communicator]) => {
                self.world(communicator, place)?;
                self.emit(StatementKind::Barrier, place);
                self.received(call, values, place)?;
            }
            ("Accumulate", [origin, count, kind, rank, at, _, _, operation, window]) => {
                if constant(count, 32) != Some(1) {
                    return Err(self.lost(place, "an accumulate of several elements"));
                }
                let size = self.bytes_of(count, kind, place)?;
                let remote = self.remote((rank, at, window), size, place)?;
                let (operation, operand) = self.changed_by(&remote, (origin, size), operation, place)?;
                self.atomic_statement(operation, remote, None, vec![operand], place);
            }
            _ => return Err(self.lost(place, &format!("a call of MPI_{call}, which is not followed"))),
        }
        Ok(Some(Value::Known(0)))
    }

    /// What a collective call gives is not known.
    fn received(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<()> {
        let (buffer, count, kind, parts) = match (call, values) {
            ("Allreduce", [_, to, count, kind, ..]) => (to, count, kind, 1),
            (_, [_, _, _, to, count, kind, ..]) => (to, count, kind, u64::from(self.ranks)),
            _ => return Err(self.lost(place, &format!("a call of MPI_{call}, which is not followed"))),
        };
        let size = self.bytes_of(count, kind, place)?.saturating_mul(parts);
        if size <= 8 {
            let value = self.unknown(place, &format!("what MPI_{call} gives"));
            return self.store(buffer, &value, &Type::Integer(8 * size as u32), place);
        }
        self.fill(buffer, &Value::Known(1), size, place)
    }

    /// A shared lock keeps nobody away but those who want an exclusive one.
    fn lock_shared(&mut self, window: u32, place: PlaceId) -> Followed<()> {
        match self.knowledge.is_locked_exclusively(window) {
            true => Err(self.lost(place, "shared and exclusive locks of one window")),
            false => Ok(()),
        }
    }

    /// Whether a value is one of a library's constants.
    fn is(&self, value: &Value, (variable, number): (&str, i64)) -> bool {
        match value {
            Value::Known(bits) => match self.tables.at(*bits) {
                Some((object, 0)) => self.tables.name(object) == variable,
                _ => *bits as i64 == number,
            },
            _ => false,
        }
    }

    fn world(&mut self, communicator: &Value, place: PlaceId) -> Followed<()> {
        if self.is(communicator, WORLD) {
            return Ok(());
        }
        Err(self.lost(place, "a communicator other than MPI_COMM_WORLD"))
    }

    fn bytes_of(&mut self, count: &Value, kind: &Value, place: PlaceId) -> Followed<u64> {
        let size = match kind {
            Value::Known(bits) => match self.tables.at(*bits) {
                Some((object, 0)) => {
                    let of = self.tables.name(object).strip_prefix("ompi_mpi_");
                    of.and_then(|of| TYPES.iter().find(|(name, _)| *name == of))
                        .map(|(_, size)| *size)
                }
                // A basic type of MPICH has its bytes in its second byte.
                _ if bits >> 16 == 0x4c00 => Some((bits >> 8) & 0xff),
                _ => None,
            },
            _ => None,
        };
        match size {
            Some(size) => Ok(size.saturating_mul(self.count(count, place)?)),
            None => Err(self.lost(place, "a type that is not a basic one")),
        }
    }

    fn make_window(
        &mut self,
        number: u32,
        base: &Value,
        unit: &Value,
        to: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let (Value::Known(base), Some(unit)) = (base, constant(unit, 32)) else {
            return Err(self.lost(place, "a window whose memory is not known"));
        };
        if !self.tables.is_window(number, Window::new(*base, unit)) {
            return Err(self.lost(place, "a window that differs between ranks"));
        }
        let handle = Value::Known(Tables::window_address(number));
        let ty = self.handle_type(to);
        self.store(to, &handle, &ty, place)?;
        self.emit(StatementKind::Barrier, place);
        Ok(())
    }

    /// The type of a handle: a pointer of Open MPI, or an `int` of MPICH where there is no room for more.
    fn handle_type(&self, to: &Value) -> Type {
        let room = match to {
            Value::Known(address) => self
                .tables
                .at(*address)
                .map_or(8, |(object, at)| self.tables.size(object) as i64 - at),
            _ => 8,
        };
        Type::Integer(if room < 8 { 32 } else { 64 })
    }

    fn window_of(&mut self, window: &Value, place: PlaceId) -> Followed<u32> {
        let number = match window {
            Value::Known(handle) => self.tables.window_at(*handle),
            _ => None,
        };
        match number {
            Some(number) => Ok(number),
            None => Err(self.lost(place, "a window that is not known")),
        }
    }

    fn remote(
        &mut self,
        (rank, at, window): (&Value, &Value, &Value),
        size: u64,
        place: PlaceId,
    ) -> Followed<Remote> {
        let (window, rank, address) = self.remote_address((rank, at, window), place)?;
        let bytes = self.shared_bytes(&address, size, place)?;
        Ok(Remote { window, rank, bytes })
    }

    fn remote_address(
        &mut self,
        (rank, at, window): (&Value, &Value, &Value),
        place: PlaceId,
    ) -> Followed<(u32, Written, Value)> {
        let window = self.window_of(window, place)?;
        let rank = written(&self.number_of(rank, 32, "a process", place)?);
        let at = self.number_of(at, 64, "a place in a window", place)?;
        let (base, unit) = self.tables.window(window).parts();
        let offset = Expression::binary(BinaryOperator::Multiply, &at, &Expression::Number(unit));
        let address = offset
            .and_then(|at| Expression::binary(BinaryOperator::Add, &at, &Expression::Number(base as i64)));
        match address {
            Some(address) => Ok((window, rank, Value::of(address, 64))),
            None => Err(self.lost(place, "a place in a window that is not known")),
        }
    }

    fn mpi_transfer(
        &mut self,
        put: bool,
        (origin, size): (&Value, u64),
        to: (&Value, &Value, &Value),
        place: PlaceId,
    ) -> Followed<()> {
        if size == 0 {
            return Ok(());
        }
        let (window, rank, address) = self.remote_address(to, place)?;
        let (own, other) = self.both_sides((origin, &address), size, place)?;
        if self.is_together(&own) || self.is_together(&other) {
            return Err(self.lost(place, "memory that is taken apart in too many places"));
        }
        if put {
            self.pass_loss(&own, &other);
        } else {
            self.pass_loss(&other, &own);
        }
        let handle = crate::declare::handle(window, !put);
        for at in 0..own.count() {
            let kind = StatementKind::Transfer {
                direction: if put { Direction::Write } else { Direction::Read },
                local: self.target(&own.cell(at)),
                rank: rank.clone(),
                remote: self.target(&other.cell(at)),
                queue: Target::Name(name(&crate::declare::transfers(window))),
                handle: Some(Target::Element(name(&handle), Box::new(rank.clone()))),
                after_earlier: false,
            };
            self.emit(kind, place);
        }
        Ok(())
    }

    fn fetch_and_op(
        &mut self,
        remote: Remote,
        (origin, result, size): (&Value, &Value, u64),
        operation: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        self.followed(&remote, place)?;
        let old = self.shared_bytes(result, size, place)?;
        self.follow(&old);
        if self.is(operation, NO_OP) {
            let (local, target) = (self.target(&old), self.target(&remote.bytes));
            let handle = crate::declare::handle(remote.window, true);
            let kind = StatementKind::Transfer {
                direction: Direction::Read,
                local,
                queue: self.queue_of(&remote),
                handle: Some(Target::Element(name(&handle), Box::new(remote.rank.clone()))),
                rank: remote.rank,
                remote: target,
                after_earlier: false,
            };
            self.emit(kind, place);
            return Ok(());
        }
        let (operation, operand) = self.changed_by(&remote, (origin, size), operation, place)?;
        self.atomic_statement(operation, remote, Some(&old), vec![operand], place);
        Ok(())
    }

    /// The values of an atomic operation's target are followed.
    fn followed(&mut self, remote: &Remote, place: PlaceId) -> Followed<()> {
        self.follow(&remote.bytes);
        if self.is_exact(&remote.bytes) {
            return Ok(());
        }
        Err(self.lost(place, "an atomic operation on what cannot be followed"))
    }

    /// What an operation makes of its target, and with what.
    fn changed_by(
        &mut self,
        remote: &Remote,
        (origin, size): (&Value, u64),
        operation: &Value,
        place: PlaceId,
    ) -> Followed<(AtomicOperation, Written)> {
        self.followed(remote, place)?;
        let bits = 8 * size as u32;
        let value = self.load(origin, &Type::Integer(bits), u32::MAX, place)?;
        if self.is(operation, SUM) {
            let added = self.number_of(&value, bits, "what is added", place)?;
            return Ok((AtomicOperation::FetchAdd, written(&added)));
        }
        if self.is(operation, REPLACE) {
            return Ok((
                AtomicOperation::Swap,
                self.written_to(&remote.bytes, &value, bits),
            ));
        }
        Err(self.lost(
            place,
            "an operation other than MPI_SUM, MPI_REPLACE and MPI_NO_OP",
        ))
    }

    /// The queue of a location.
    fn queue_of(&mut self, remote: &Remote) -> Target {
        let queue = name(&crate::declare::atomics(remote.window));
        match self.target(&remote.bytes) {
            Target::Element(_, index) => Target::Element(queue, index),
            _ => Target::Element(queue, Box::new(number(0))),
        }
    }

    fn atomic_statement(
        &mut self,
        operation: AtomicOperation,
        remote: Remote,
        old: Option<&Bytes>,
        operands: Vec<Written>,
        place: PlaceId,
    ) {
        let handle = crate::declare::handle(remote.window, old.is_some());
        let kind = StatementKind::Atomic {
            operation,
            local: old.map(|old| self.target(old)),
            remote: self.target(&remote.bytes),
            operands,
            queue: self.queue_of(&remote),
            handle: Some(Target::Element(name(&handle), Box::new(remote.rank.clone()))),
            rank: remote.rank,
        };
        self.emit(kind, place);
    }

    fn flush(
        &mut self,
        rank: &Value,
        window: &Value,
        completion: Completion,
        place: PlaceId,
    ) -> Followed<()> {
        let window = self.window_of(window, place)?;
        let rank = written(&self.number_of(rank, 32, "a process", place)?);
        for (gives, completion) in [(false, completion), (true, Completion::Full)] {
            let handle = name(&crate::declare::handle(window, gives));
            let what = Target::Element(handle, Box::new(rank.clone()));
            self.emit(StatementKind::Wait { what, completion }, place);
        }
        Ok(())
    }

    fn wait_all(&mut self, window: u32, completion: Completion, place: PlaceId) {
        for (gives, completion) in [(false, completion), (true, Completion::Full)] {
            let what = Target::Name(name(&crate::declare::handle(window, gives)));
            self.emit(StatementKind::Wait { what, completion }, place);
        }
    }
}
