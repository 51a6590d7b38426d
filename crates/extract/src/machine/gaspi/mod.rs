//! Calls of GASPI. As for OpenSHMEM, what a call means is said by the table of `farside-pgas`
//! (`dialects/gaspi17.calls`, the standard's; `--api gaspi` takes the one of paper 003): a call is left as a call of
//! it.

mod group;
mod lists;

use super::bytes::{Bytes, constant};
use super::{Followed, Machine};
use crate::expression::Expression;
use crate::program::{name, number, register, written};
use crate::tables::{Object, ObjectKind, RegisterUse, Tables};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{BinaryOperator, Call, Expression as Written, StatementKind, Target};

/// What calls give: `GASPI_SUCCESS`, `GASPI_TIMEOUT`.
const SUCCESS: u64 = 0;
const TIMEOUT: u64 = 1;
/// Bytes of an element that atomic operations read and write.
const ATOMIC: u64 = 8;

impl Machine<'_> {
    /// What a call does; it gives success, which is 0, or that the time was over.
    pub(super) fn gaspi(
        &mut self,
        call: &str,
        values: &[Value],
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        if may_give_up(call, values) {
            return self.give_up(call, values, result, place);
        }
        self.within_time(call, values, place)
    }

    /// A call that may give up (GASPI 17.1 §3.3): it does what it does, or has done nothing. That the others may count
    /// a process that gave up in a collective call is not followed.
    fn give_up(
        &mut self,
        call: &str,
        values: &[Value],
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        self.any(2, place, &mut |machine, way| {
            machine.give_result(result, [SUCCESS, TIMEOUT][way]);
            if way == 0 {
                machine.within_time(call, values, place)?;
            } else if is_collective(call) {
                machine.less(
                    place,
                    "the others may go on from a collective call after which this process gave up (GASPI 17.1 §3.3): \
                     that is not followed",
                );
            }
            Ok(())
        })?;
        Ok(None)
    }

    /// What a call does that does not give up.
    fn within_time(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<Option<Value>> {
        let success = Ok(Some(Value::Known(SUCCESS)));
        match (call, values) {
            ("proc_init" | "proc_term" | "segment_register" | "connect" | "disconnect", _) => {}
            ("proc_rank", [to]) => {
                self.store(to, &Value::Known(u64::from(self.rank)), &Type::Integer(16), place)?
            }
            ("proc_num", [to]) => self.store(
                to,
                &Value::Known(u64::from(self.ranks)),
                &Type::Integer(16),
                place,
            )?,
            ("segment_create", [segment, size, group, _, _]) => {
                self.make_segment(segment, size, place)?;
                // It ends with a barrier of the group (GASPI 17.1 §7.2.4).
                self.group_meets(group, place)?;
            }
            ("segment_delete", [segment]) => {
                let number = self.known(segment, 8, "a segment", place)?;
                self.state.progress_mut().delete_segment(number as u32);
            }
            ("segment_alloc", [segment, size, _]) => self.make_segment(segment, size, place)?,
            ("segment_bind", [segment, pointer, size, _]) => {
                self.bind_segment(segment, pointer, size, place)?
            }
            ("segment_use", [segment, pointer, size, group, _, _]) => {
                self.bind_segment(segment, pointer, size, place)?;
                self.group_meets(group, place)?;
            }
            ("segment_ptr", [segment, to]) => {
                let object = self.segment(segment, place)?;
                self.store(
                    to,
                    &Value::Known(Tables::address(object, 0)),
                    &Type::Pointer,
                    place,
                )?;
            }
            ("barrier", [group, _]) => {
                self.group_meets(group, place)?;
            }
            ("wait", [queue, _]) => {
                let queue = self.queue(queue, place)?;
                self.gaspi_call("gaspi_wait", vec![queue], place);
            }
            ("write" | "read", [sides @ .., queue, _]) if sides.len() == 6 => {
                self.segment_transfer(call, sides, queue, place)?;
            }
            ("write_notify", [sides @ .., id, value, queue, _]) if sides.len() == 6 => {
                let mut arguments = self.sides(sides, place)?;
                arguments.extend(self.notification(id, value, place)?);
                arguments.push(self.queue(queue, place)?);
                self.gaspi_call("gaspi_write_notify", arguments, place);
            }
            ("read_notify", [sides @ .., id, queue, _]) if sides.len() == 6 => {
                let mut arguments = self.sides(sides, place)?;
                // Its queue goes by its number.
                arguments.push(number(self.known(id, 16, "the notification of a read", place)?));
                arguments.push(self.queue(queue, place)?);
                self.gaspi_call("gaspi_read_notify", arguments, place);
            }
            ("notify", [remote, rank, id, value, queue, _]) => {
                self.notify(remote, rank, (id, value), queue, place)?;
            }
            ("notify_waitsome", [segment, first, count, to, _]) => {
                self.wait_some(segment, first, count, to, place)?;
            }
            ("notify_reset", [segment, id, to]) => {
                let arguments = vec![
                    self.segment_name(segment, place)?,
                    self.plain(id, "a notification", place)?,
                ];
                // A notification is no cell that values are added to.
                self.give("gaspi_notify_reset", arguments, false, (to, 32), place)?;
            }
            ("atomic_fetch_add", [segment, offset, rank, value, to, _]) => {
                self.gaspi_atomic(
                    "gaspi_atomic_fetch_add",
                    (segment, offset, rank),
                    &[value],
                    to,
                    place,
                )?;
            }
            ("atomic_compare_swap", [segment, offset, rank, expected, value, to, _]) => {
                let operands = [expected, value];
                self.gaspi_atomic(
                    "gaspi_atomic_compare_swap",
                    (segment, offset, rank),
                    &operands,
                    to,
                    place,
                )?;
            }
            _ if self.list_call(call, values, place)? || self.group_call(call, values, place)? => {}
            _ => return Err(self.lost(place, &format!("a call of gaspi_{call}, which is not followed"))),
        }
        success
    }

    /// A barrier of all processes.
    fn all_meet(&mut self, place: PlaceId) {
        self.gaspi_call("gaspi_barrier", vec![word("GASPI_GROUP_ALL")], place);
    }

    /// `gaspi_write`, `gaspi_read`.
    fn segment_transfer(
        &mut self,
        call: &str,
        sides: &[Value],
        queue: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let mut arguments = self.sides(sides, place)?;
        arguments.push(self.queue(queue, place)?);
        self.gaspi_call(&format!("gaspi_{call}"), arguments, place);
        Ok(())
    }

    /// `gaspi_notify`.
    fn notify(
        &mut self,
        remote: &Value,
        rank: &Value,
        (id, value): (&Value, &Value),
        queue: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let mut arguments = vec![self.segment_name(remote, place)?, self.rank_of(rank, place)?];
        arguments.extend(self.notification(id, value, place)?);
        arguments.push(self.queue(queue, place)?);
        self.gaspi_call("gaspi_notify", arguments, place);
        Ok(())
    }

    fn gaspi_call(&mut self, call: &str, mut arguments: Vec<Written>, place: PlaceId) {
        if call != "gaspi_notify_reset" {
            arguments.push(word("GASPI_BLOCK"));
        }
        let call = Call {
            name: name(call),
            arguments,
        };
        self.emit(StatementKind::Call { into: None, call }, place);
    }

    /// Processes may give a segment different sizes; its variable has the largest.
    fn make_segment(&mut self, segment: &Value, size: &Value, place: PlaceId) -> Followed<()> {
        let kind = self.segment_of(segment, place)?;
        let size = self.count(size, place)?;
        let object = self.tables.object(kind, size, "segment");
        self.knowledge.name(object);
        Ok(())
    }

    /// A segment of memory that the program has (GASPI 17.1 §7.2): all of an object, of the same one in each process.
    fn bind_segment(
        &mut self,
        segment: &Value,
        pointer: &Value,
        size: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let kind = self.segment_of(segment, place)?;
        let bytes = self.count(size, place)?;
        let (object, start, _) = self.spot(pointer, bytes, place)?;
        if start != Some(0) || !self.tables.bind(kind, object) {
            return Err(self.lost(
                place,
                "a segment of memory that differs between processes, or is a part of something, or of two segments",
            ));
        }
        self.knowledge.name(object);
        Ok(())
    }

    fn segment_of(&mut self, segment: &Value, place: PlaceId) -> Followed<ObjectKind> {
        let number = self.known(segment, 8, "a segment", place)? as u32;
        Ok(ObjectKind::Segment(number, self.state.progress().deleted(number)))
    }

    fn segment(&mut self, segment: &Value, place: PlaceId) -> Followed<Object> {
        let kind = self.segment_of(segment, place)?;
        match self.tables.find(&kind) {
            Some(object) => Ok(object),
            None => Err(self.lost(place, "a segment that this process has not made")),
        }
    }

    fn segment_name(&mut self, segment: &Value, place: PlaceId) -> Followed<Written> {
        let object = self.segment(segment, place)?;
        Ok(word(&self.variable(object)))
    }

    /// The address of an offset in a segment.
    fn in_segment(&mut self, segment: &Value, offset: &Value, place: PlaceId) -> Followed<Value> {
        let object = self.segment(segment, place)?;
        let base = Expression::Number(Tables::address(object, 0) as i64);
        let offset = self.number_of(offset, 64, "an offset in a segment", place)?;
        match Expression::binary(BinaryOperator::Add, &offset, &base) {
            Some(address) => Ok(Value::of(address, 64)),
            None => Err(self.lost(place, "an offset in a segment that is not known")),
        }
    }

    fn known(&mut self, value: &Value, bits: u32, what: &str, place: PlaceId) -> Followed<i64> {
        match constant(value, bits) {
            // Numbers of segments and queues have no sign.
            Some(value) => Ok(value & ((1 << bits) - 1)),
            None => Err(self.lost(place, &format!("{what} that is not known"))),
        }
    }

    fn queue(&mut self, queue: &Value, place: PlaceId) -> Followed<Written> {
        Ok(number(self.known(queue, 8, "a queue", place)?))
    }

    fn rank_of(&mut self, rank: &Value, place: PlaceId) -> Followed<Written> {
        self.plain(rank, "a process", place)
    }

    /// A number that stands for itself.
    fn plain(&mut self, value: &Value, what: &str, place: PlaceId) -> Followed<Written> {
        Ok(written(&self.number_of(value, 32, what, place)?))
    }

    fn notification(&mut self, id: &Value, value: &Value, place: PlaceId) -> Followed<[Written; 2]> {
        Ok([
            self.plain(id, "a notification", place)?,
            self.plain(value, "the value of a notification", place)?,
        ])
    }

    /// Both sides of a transfer: own segment and offset, process, its segment and offset, bytes.
    fn sides(&mut self, sides: &[Value], place: PlaceId) -> Followed<Vec<Written>> {
        let [local, local_offset, rank, remote, remote_offset, size] = sides else {
            return Err(self.lost(place, "a transfer with other arguments"));
        };
        let bytes = self.count(size, place)?;
        let own = self.in_segment(local, local_offset, place)?;
        let other = self.in_segment(remote, remote_offset, place)?;
        let (own, other) = self.both_sides((&own, &other), bytes, place)?;
        // Which side is written is said by the call.
        self.knowledge.expose(other.span());
        if self.is_together(&own) || self.is_together(&other) {
            return Err(self.lost(place, "a segment that is taken apart in too many places"));
        }
        let (from, to) = (own.clone(), other.clone());
        self.pass_loss(&from, &to);
        self.pass_loss(&to, &from);
        let [local, local_index] = self.named(&own);
        let [remote, remote_index] = self.named(&other);
        let rank = self.rank_of(rank, place)?;
        Ok(vec![
            local,
            local_index,
            rank,
            remote,
            remote_index,
            number(own.count() as i64),
        ])
    }

    /// The variable and the index of a cell.
    fn named(&mut self, bytes: &Bytes) -> [Written; 2] {
        match self.target(bytes) {
            Target::Element(variable, index) => [Written::Value(Target::Name(variable)), *index],
            other => [Written::Value(other), number(0)],
        }
    }

    fn wait_some(
        &mut self,
        segment: &Value,
        first: &Value,
        count: &Value,
        to: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let segment = self.segment_name(segment, place)?;
        let begin = self.plain(first, "a notification", place)?;
        let many = self.count(count, place)?;
        let arguments = vec![segment, begin, number(many as i64)];
        self.give("gaspi_notify_waitsome", arguments, false, (to, 32), place)
    }

    /// A call that writes a number to private memory: to a register of the calculus, and from there on. `biased`: the
    /// number is that of a cell, to which something is added.
    fn give(
        &mut self,
        call: &str,
        mut arguments: Vec<Written>,
        biased: bool,
        (to, bits): (&Value, u32),
        place: PlaceId,
    ) -> Followed<()> {
        let of = RegisterUse::Given(self.path(), place);
        let index = self.tables.register(of.clone());
        arguments.push(Written::Address(register(index)));
        self.gaspi_call(call, arguments, place);
        let value = if biased {
            self.held(of)
        } else {
            Expression::Register(index)
        };
        self.store(to, &Value::Dynamic(value), &Type::Integer(bits), place)
    }

    fn gaspi_atomic(
        &mut self,
        call: &str,
        (segment, offset, rank): (&Value, &Value, &Value),
        operands: &[&Value],
        to: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let at = self.in_segment(segment, offset, place)?;
        let bytes = self.shared_bytes(&at, ATOMIC, place)?;
        self.follow(&bytes);
        if !self.is_exact(&bytes) {
            return Err(self.lost(place, "an atomic operation on what cannot be followed"));
        }
        let mut arguments = self.named(&bytes).to_vec();
        arguments.push(self.rank_of(rank, place)?);
        for operand in operands {
            let written = if operands.len() == 1 {
                self.plain(operand, "what is added", place)?
            } else {
                self.written_to(&bytes, operand, 64)
            };
            arguments.push(written);
        }
        self.give(call, arguments, true, (to, 64), place)
    }
}

/// Whether a call with these arguments may give up: its last argument, but for the memory of a segment, is how long it
/// waits, and not `GASPI_BLOCK`.
fn may_give_up(call: &str, values: &[Value]) -> bool {
    let timeout = match call {
        "segment_create" => values.get(3),
        "segment_use" => values.get(4),
        "wait" | "notify" | "notify_waitsome" | "barrier" | "allreduce" | "group_commit" => values.last(),
        _ if ["write", "read", "atomic_", "passive_"]
            .iter()
            .any(|begin| call.starts_with(begin)) =>
        {
            values.last()
        }
        _ => None,
    };
    timeout.is_some_and(|timeout| constant(timeout, 64) != Some(-1))
}

/// Whether other processes wait for this one in a call.
fn is_collective(call: &str) -> bool {
    matches!(
        call,
        "segment_create" | "segment_use" | "barrier" | "allreduce" | "group_commit" | "passive_send"
    )
}

/// A name that is given to a call.
fn word(text: &str) -> Written {
    Written::Value(Target::Name(name(text)))
}
