//! Operations on windows: puts, gets, atomic ones, and their request-based forms.

use super::atomics::Remote;
use super::constants::NO_OP;
use super::datatypes::common;
use crate::declare::Effect;
use crate::expression::Expression;
use crate::machine::bytes::{Bytes, constant};
use crate::machine::{Followed, Machine};
use crate::program::{name, written};
use crate::request::Request;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{
    AtomicOperation, BinaryOperator, Direction, Expression as Written, StatementKind, Target,
};

/// More elements of one accumulate are not told apart.
const MOST_ELEMENTS: u64 = 16;

/// Which window, process and place an operation is on.
#[derive(Clone, Copy)]
struct Spot<'v> {
    window: &'v Value,
    rank: &'v Value,
    at: &'v Value,
    request: Option<u32>,
}

impl Machine<'_> {
    /// An operation on a window; false if it is none that is followed.
    pub(super) fn operation(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let (plain, values, request) = match (call, values) {
            ("Rput", [rest @ .., request]) => ("Put", rest, Some(request)),
            ("Rget", [rest @ .., request]) => ("Get", rest, Some(request)),
            ("Raccumulate", [rest @ .., request]) => ("Accumulate", rest, Some(request)),
            ("Rget_accumulate", [rest @ .., request]) => ("Get_accumulate", rest, Some(request)),
            _ => (call, values, None),
        };
        let (window, rank) = match (plain, values) {
            ("Put" | "Get", [_, _, _, rank, _, _, _, window]) => (window, rank),
            ("Fetch_and_op", [_, _, _, rank, _, _, window]) => (window, rank),
            ("Compare_and_swap", [_, _, _, _, rank, _, window]) => (window, rank),
            ("Get_accumulate", [_, _, _, _, _, _, rank, _, _, _, _, window]) => (window, rank),
            ("Accumulate", [_, _, _, rank, _, _, _, _, window]) => (window, rank),
            _ => return Ok(false),
        };
        let number = self.window_of(window, place)?;
        if self.is_nobody(rank) {
            if let Some(request) = request {
                self.store_request(request, Request::Over, place)?;
            }
            return Ok(true);
        }
        let rank = &self.target_process(rank, number, place)?;
        let gives = !matches!(plain, "Put" | "Accumulate");
        if !matches!(plain, "Put" | "Get") {
            self.has_its_queues(number, place)?;
        }
        if !matches!(plain, "Put" | "Get") && self.state.progress().is_started(number) {
            return Err(self.lost(
                place,
                "an atomic operation in an epoch of MPI_Win_start, which is not followed",
            ));
        }
        // What transfers nothing gives nothing back.
        let empty = matches!((plain, values), ("Get", [_, count, ..]) if constant(count, 32) == Some(0));
        self.begin_operation((number, rank), gives && !empty, place)?;
        let request = match request {
            // Waiting for it waits for nothing but what is not looked at.
            Some(request) if plain == "Accumulate" => {
                self.store_request(request, Request::Over, place)?;
                None
            }
            Some(request) => Some(self.request_operation((number, gives), rank, request, place)?),
            None => None,
        };
        self.operate(plain, values, (window, rank, request), place)?;
        Ok(true)
    }

    fn operate(
        &mut self,
        call: &str,
        values: &[Value],
        (window, rank, request): (&Value, &Value, Option<u32>),
        place: PlaceId,
    ) -> Followed<()> {
        let spot = |at| Spot {
            window,
            rank,
            at,
            request,
        };
        match (call, values) {
            ("Put" | "Get", [origin, count, kind, _, at, other, same, _]) => {
                let (own, there) = (self.pieces(count, kind, place)?, self.pieces(other, same, place)?);
                let Some(pieces) = common(&own, &there) else {
                    return Err(self.lost(place, "a transfer whose sides have other types"));
                };
                for (from, to, bytes) in pieces {
                    let from = self.shifted(origin, from, place)?;
                    self.mpi_transfer(call == "Put", (&from, to, bytes), spot(at), place)?;
                }
                Ok(())
            }
            ("Fetch_and_op", [origin, result, kind, _, at, operation, _]) => {
                let size = self.bytes_of(&Value::Known(1), kind, place)?;
                let remote = self.remote(spot(at), size, place)?;
                self.fetch_and_op(remote, (origin, result, kind), operation, place)
            }
            ("Compare_and_swap", [origin, compare, result, kind, _, at, _]) => {
                let size = self.bytes_of(&Value::Known(1), kind, place)?;
                let remote = self.remote(spot(at), size, place)?;
                self.followed(&remote, place)?;
                let old = self.shared_bytes(result, size, place)?;
                self.seen_at(&old, place);
                self.follow(&old);
                let mut operands = Vec::new();
                for (at, operand) in (0..).zip([compare, origin]) {
                    // Each in a register of its own.
                    let value = self.load(operand, &Type::Integer(8 * size as u32), u32::MAX - at, place)?;
                    operands.push(self.written_to(remote.bytes(), &value, 8 * size as u32));
                }
                self.atomic_statement(AtomicOperation::CompareSwap, remote, Some(&old), operands, place);
                Ok(())
            }
            ("Get_accumulate", [origin, one, _, result, other, kind, _, at, same, _, operation, _]) => {
                // Of MPI_NO_OP nothing goes along.
                let several = |count: &Value| constant(count, 32) != Some(1);
                if several(other) || several(same) || several(one) && !self.is(operation, NO_OP) {
                    return Err(self.lost(place, "an operation on several elements"));
                }
                let size = self.bytes_of(other, kind, place)?;
                let remote = self.remote(spot(at), size, place)?;
                self.fetch_and_op(remote, (origin, result, kind), operation, place)
            }
            ("Accumulate", [origin, count, kind, _, at, _, _, operation, _]) => {
                // Each element is changed at once, and the whole is not (MPI-4.1 §12.7.1).
                let size = self.bytes_of(&Value::Known(1), kind, place)?;
                let elements = self.count(count, place)?;
                if elements > MOST_ELEMENTS {
                    let text = format!("an accumulate of more than {MOST_ELEMENTS} elements");
                    return Err(self.lost(place, &text));
                }
                for element in 0..elements {
                    let from = self.moved(origin, element * size, place)?;
                    let remote = self.element_of_window(spot(at), element, size, place)?;
                    let (operation, operand) = self.changed_by(&remote, (&from, kind), operation, place)?;
                    self.atomic_statement(operation, remote, None, vec![operand], place);
                }
                Ok(())
            }
            _ => Err(self.lost(place, &format!("a call of MPI_{call}, which is not followed"))),
        }
    }

    fn remote(&mut self, spot: Spot<'_>, size: u64, place: PlaceId) -> Followed<Remote> {
        self.element_of_window(spot, 0, size, place)
    }

    /// The place of an element of what an operation is on.
    fn element_of_window(
        &mut self,
        spot: Spot<'_>,
        element: u64,
        size: u64,
        place: PlaceId,
    ) -> Followed<Remote> {
        let (window, rank, address) = self.remote_address(spot, place)?;
        let address = self.moved(&address, element * size, place)?;
        let bytes = self.shared_bytes(&address, size, place)?;
        self.is_of_window(&bytes, window, place)?;
        Ok(Remote::new(window, rank, bytes, spot.request))
    }

    fn remote_address(&mut self, spot: Spot<'_>, place: PlaceId) -> Followed<(u32, Written, Value)> {
        let window = self.window_of(spot.window, place)?;
        let rank = written(&self.number_of(spot.rank, 32, "a process", place)?);
        let at = self.number_of(spot.at, 64, "a place in a window", place)?;
        let (base, unit) = self.tables.window(window).parts();
        let offset = Expression::binary(BinaryOperator::Multiply, &at, &Expression::Number(unit));
        let address = offset
            .and_then(|at| Expression::binary(BinaryOperator::Add, &at, &Expression::Number(base as i64)));
        match address {
            Some(address) => Ok((window, rank, Value::of(address, 64))),
            None => Err(self.lost(place, "a place in a window that is not known")),
        }
    }

    /// What an operation is on is memory of its window: what was attached to it, of a dynamic one.
    fn is_of_window(&mut self, bytes: &Bytes, window: u32, place: PlaceId) -> Followed<()> {
        match self.is_memory_of(bytes.object(), window) {
            true => Ok(()),
            false => Err(self.lost(place, "an operation on memory that is not attached to its window")),
        }
    }

    fn mpi_transfer(
        &mut self,
        put: bool,
        (origin, further, size): (&Value, i64, u64),
        to: Spot<'_>,
        place: PlaceId,
    ) -> Followed<()> {
        let (window, rank, address) = self.remote_address(to, place)?;
        let address = self.shifted(&address, further, place)?;
        let (own, other) = match put {
            true => {
                let (other, own) = self.both_sides((&address, origin), size, place)?;
                (own, other)
            }
            false => self.both_sides((origin, &address), size, place)?,
        };
        self.is_of_window(&other, window, place)?;
        if self.is_together(&own) || self.is_together(&other) {
            return Err(self.lost(place, "memory that is taken apart in too many places"));
        }
        if put {
            self.pass_loss(&own, &other);
        } else {
            self.pass_loss(&other, &own);
        }
        self.seen_at(&own, place);
        let effect = if put { Effect::Writes } else { Effect::Gives };
        for at in 0..own.count() {
            let kind = StatementKind::Transfer {
                direction: if put { Direction::Write } else { Direction::Read },
                local: self.target(&own.cell(at)),
                rank: rank.clone(),
                remote: self.target(&other.cell(at)),
                queue: Target::Name(name(&crate::declare::transfers(window))),
                handle: Some(self.handle_of(window, effect, &rank, to.request)),
                after_earlier: false,
            };
            self.emit(kind, place);
        }
        Ok(())
    }
}
