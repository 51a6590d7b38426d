//! Loads and stores: of private memory, which is computed, and of memory that is communicated, which is left.

use super::bytes::{Bytes, bits_of};
use super::{Followed, Machine};
use crate::program::register;
use crate::state::Held;
use crate::tables::{Object, ObjectKind, RegisterUse, Span};
use crate::value::{Cause, Value};
use farside_calls::shmem::PREDEFINED;
use farside_lint::ir::{Ordering, PlaceId, Type};
use farside_pgas::ast::{Expression as Written, StatementKind};

/// Of larger private memory that is filled with other bytes than zeros, these are not known.
const MOST_FILLED: u64 = 4096;

impl Machine<'_> {
    pub(super) fn load(
        &mut self,
        address: &Value,
        ty: &Type,
        result: u32,
        place: PlaceId,
    ) -> Followed<Value> {
        let size = ty.size();
        if let Some(reached) = self.reached(address, size, false, place)? {
            return self.load_reached(&reached, ty, result, place);
        }
        let (object, start, span) = self.spot(address, size, place)?;
        let shared = self.knowledge.is_shared(span);
        if shared || (start.is_none() && self.must_share(object, address)) {
            if let (Some(start), false) = (start, self.knowledge.is_exposed(span))
                && let Value::Known(known) = self.held_there(object, start, ty, place)
            {
                return Ok(Value::Known(known));
            }
            let bytes = self.read_bytes(address, size, place)?;
            self.note_together(&bytes, place);
            self.seen_at(&bytes, place);
            let of = RegisterUse::Local(self.path(), result);
            self.load_cells(&bytes, of.clone(), place);
            return Ok(self.read_from(&bytes, of, place));
        }
        let Some(start) = start else {
            return Ok(Value::Unknown(address.cause().unwrap_or(Cause::Lost(
                self.note(place, "an element that is not known"),
            ))));
        };
        self.private_load(object, start, ty, result, place)
    }

    /// Whether an access whose place is not known makes an object one that is left to the calculus.
    fn must_share(&self, object: Object, address: &Value) -> bool {
        self.knowledge.is_shared_object(object) || matches!(address, Value::Dynamic(_))
    }

    fn load_cells(&mut self, bytes: &Bytes, of: RegisterUse, place: PlaceId) {
        let exact = self.is_exact(bytes);
        for at in 0..bytes.count() {
            let into = if exact {
                register(self.tables.register(of.clone()))
            } else {
                self.unused()
            };
            let from = self.target(&bytes.cell(at));
            self.emit(
                StatementKind::Assign {
                    into,
                    value: Written::Value(from),
                },
                place,
            );
        }
    }

    fn private_load(
        &mut self,
        object: Object,
        start: u64,
        ty: &Type,
        result: u32,
        place: PlaceId,
    ) -> Followed<Value> {
        let value = self.held_there(object, start, ty, place);
        if let Value::Dynamic(expression) = &value {
            // The register of the memory may get another value before this one is used.
            let of = RegisterUse::Local(self.path(), result);
            return Ok(Value::Dynamic(self.assign(of, expression, place)));
        }
        Ok(value)
    }

    /// What memory holds that only this process writes.
    pub(super) fn held_there(&mut self, object: Object, start: u64, ty: &Type, place: PlaceId) -> Value {
        match self.state.read(object, start, ty.size()) {
            Held::Value(value) => value,
            Held::Parts => self.unknown(place, "a part of a value, or several together"),
            Held::Nothing => self.initial(object, start, ty, place),
        }
    }

    /// What such memory holds that was never written.
    fn initial(&mut self, object: Object, start: u64, ty: &Type, place: PlaceId) -> Value {
        let global = match *self.tables.kind(object) {
            ObjectKind::Global(global) => global,
            // As where it is left to the calculus.
            ObjectKind::Window(..) | ObjectKind::Symmetric(_) | ObjectKind::Segment(..) => {
                return Value::Known(0);
            }
            _ => return self.unknown(place, "memory that was never written"),
        };
        let module = self.module;
        let variable = &module.globals[global as usize];
        if let Some((_, value)) = PREDEFINED.iter().find(|(name, _)| *name == variable.name) {
            return Value::Known(*value);
        }
        if variable.external {
            return self.unknown(place, "a variable of a library");
        }
        let size = ty.size();
        let overlaps = |at: u64, length: u64| at < start + size && start < at + length;
        let mut parts = variable
            .initial
            .iter()
            .filter(|(at, ty, _)| overlaps(*at, ty.size()));
        match (parts.next(), parts.next()) {
            (None, _) => Value::Known(0),
            (Some((at, of, operand)), None) if *at == start && of.size() == size => {
                self.operand(operand, place)
            }
            _ => self.unknown(place, "a part of a value, or several together"),
        }
    }

    pub(super) fn store(
        &mut self,
        address: &Value,
        value: &Value,
        ty: &Type,
        place: PlaceId,
    ) -> Followed<()> {
        self.store_in_order(address, value, (ty, None), place)
    }

    /// A store, an atomic one of C if it has an order.
    pub(super) fn store_in_order(
        &mut self,
        address: &Value,
        value: &Value,
        (ty, atomic): (&Type, Option<Ordering>),
        place: PlaceId,
    ) -> Followed<()> {
        let size = ty.size();
        if let Some(reached) = self.reached(address, size, true, place)? {
            return self.store_reached(&reached, value, (ty, atomic), place);
        }
        let (object, start, span) = self.spot(address, size, place)?;
        if self.knowledge.is_shared(span) || start.is_none() {
            let bytes = self.read_bytes(address, size, place)?;
            self.note_together(&bytes, place);
            self.seen_at(&bytes, place);
            let written = self.written_to(&bytes, value, bits_of(ty));
            self.store_cells(&bytes, &written, place);
            self.keep((object, start), span, value, place);
            return Ok(());
        }
        let start = start.unwrap_or(0);
        let value = match value {
            Value::Dynamic(expression) => {
                Value::Dynamic(self.assign(RegisterUse::Memory(object, start), expression, place))
            }
            other => self.lasting(other.clone(), place),
        };
        self.write_private(object, start, size, value, place);
        Ok(())
    }

    /// Keeps what is stored to communicated bytes that no operation writes, if it is known, and if the value decides
    /// something or the process stores nothing else there: a load of them gives that, and is in conflict with nothing
    /// but the own stores, which are in program order with it.
    fn keep(&mut self, (object, start): (Object, Option<u64>), span: Span, value: &Value, place: PlaceId) {
        if start.is_some() && self.knowledge.is_wholly_exposed(span) {
            return;
        }
        let known = match value {
            Value::Known(known) if start.is_some() => Some(*known),
            _ => None,
        };
        let may_differ = self.knowledge.is_followed(span) && !self.knowledge.varies(object);
        let keeps = !self.knowledge.is_exposed(span)
            && (may_differ || self.knowledge.store_constant(self.rank, span, known));
        let held = match known {
            Some(known) if keeps => Value::Known(known),
            // What was there before is not there any more.
            _ => self.unknown(place, "what was stored to memory that is communicated"),
        };
        self.write_private(object, span.start(), span.end() - span.start(), held, place);
    }

    /// A value that may be read later than registers of the calculus that it depends on get others: of a structure with
    /// such values, nothing is known then.
    pub(super) fn lasting(&mut self, value: Value, place: PlaceId) -> Value {
        fn depends(value: &Value) -> bool {
            match value {
                Value::Dynamic(_) => true,
                Value::Aggregate(fields) => fields.iter().any(depends),
                _ => false,
            }
        }
        if depends(&value) {
            return self.unknown(place, "a structure with values that only a run knows");
        }
        value
    }

    pub(super) fn write_private(
        &mut self,
        object: Object,
        start: u64,
        size: u64,
        value: Value,
        place: PlaceId,
    ) {
        let other = self.unknown(place, "a part of a value, or several together");
        self.state.write(object, start, size, value, &other);
    }

    fn store_cells(&mut self, bytes: &Bytes, value: &Written, place: PlaceId) {
        for at in 0..bytes.count() {
            let into = self.target(&bytes.cell(at));
            self.emit(
                StatementKind::Assign {
                    into,
                    value: value.clone(),
                },
                place,
            );
        }
    }

    /// Sets bytes to the same value each.
    pub(super) fn fill(&mut self, address: &Value, byte: &Value, size: u64, place: PlaceId) -> Followed<()> {
        if size == 0 {
            return Ok(());
        }
        let of_another = self.reached(address, size, true, place)?;
        let spot = match &of_another {
            Some(reached) => self.spot(reached.address(), size, place)?,
            None => self.spot(address, size, place)?,
        };
        let (object, start, span) = spot;
        if of_another.is_some() || self.knowledge.is_shared(span) {
            let Some(start) = start else {
                let value = self.filled(byte, size, place);
                return self.store(address, &value, &of_bytes(size), place);
            };
            for (from, to) in self.pieces_of(span) {
                let piece = self.moved(address, from - start, place)?;
                let value = self.filled(byte, to - from, place);
                self.store(&piece, &value, &of_bytes(to - from), place)?;
            }
            return Ok(());
        }
        let Some(start) = start else {
            return Err(self.lost(place, "memory at an address that is not known is filled"));
        };
        let pieces = match byte {
            Value::Known(0) => 1,
            Value::Known(_) if size <= MOST_FILLED => size.div_ceil(8),
            _ => 1,
        };
        let length = if pieces == 1 { size } else { 8 };
        for at in (0..pieces).map(|piece| piece * length) {
            let length = length.min(size - at);
            let value = self.filled(byte, length, place);
            self.write_private(object, start + at, length, value, place);
        }
        Ok(())
    }

    /// So many bytes with the same value each, as one number.
    fn filled(&mut self, byte: &Value, size: u64, place: PlaceId) -> Value {
        match *byte {
            Value::Known(byte) if byte & 0xff == 0 => Value::Known(0),
            Value::Known(byte) if size <= 8 => {
                let all = (byte & 0xff).wrapping_mul(0x0101_0101_0101_0101);
                Value::Known(all >> (64 - 8 * size))
            }
            _ => self.unknown(place, "bytes that were filled"),
        }
    }

    /// Copies bytes, piece by piece as they are taken apart.
    pub(super) fn copy(&mut self, to: &Value, from: &Value, size: u64, place: PlaceId) -> Followed<()> {
        if size == 0 {
            return Ok(());
        }
        let (source, first, source_span) = self.side_of_copy(from, size, false, place)?;
        let (_, start, target_span) = self.side_of_copy(to, size, true, place)?;
        let (Some(first), Some(_)) = (first, start) else {
            return Err(self.lost(place, "memory at an address that is not known is copied"));
        };
        let mut bounds: Vec<u64> = vec![0, size];
        for span in [source_span, target_span] {
            bounds.extend(
                self.pieces_of(span)
                    .into_iter()
                    .map(|(from, _)| from - span.start()),
            );
        }
        if !self.knowledge.is_shared(source_span) {
            let pieces = self.state.pieces(source, first, size);
            bounds.extend(pieces.iter().flat_map(|(at, length, _)| [*at, at + length]));
            bounds.extend(self.bounds_at_first(source_span));
        }
        bounds.sort_unstable();
        bounds.dedup();
        for piece in bounds.windows(2) {
            let (at, length) = (piece[0], piece[1] - piece[0]);
            let ty = of_bytes(length);
            let (from, to) = (self.moved(from, at, place)?, self.moved(to, at, place)?);
            // No register of the function: one that is not read by anybody else.
            let value = self.load(&from, &ty, u32::MAX - at as u32, place)?;
            self.store(&to, &value, &ty, place)?;
        }
        Ok(())
    }

    /// The bytes of one side of a copy: of memory of another process, the same bytes at this one.
    fn side_of_copy(
        &mut self,
        address: &Value,
        size: u64,
        stores: bool,
        place: PlaceId,
    ) -> Followed<(Object, Option<u64>, Span)> {
        match self.reached(address, size, stores, place)? {
            Some(reached) => self.spot(reached.address(), size, place),
            None => self.spot(address, size, place),
        }
    }

    /// Where the values begin and end that the bytes of a global variable hold at first, relative to the first byte.
    fn bounds_at_first(&self, span: Span) -> Vec<u64> {
        let ObjectKind::Global(global) = *self.tables.kind(span.object()) else {
            return Vec::new();
        };
        let initial = &self.module.globals[global as usize].initial;
        let bounds = initial.iter().flat_map(|(at, ty, _)| [*at, at + ty.size()]);
        let within = bounds.filter(|at| (span.start()..span.end()).contains(at));
        within.map(|at| at - span.start()).collect()
    }

    /// The pieces that some bytes are taken apart in, as far as they are communicated.
    pub(super) fn pieces_of(&mut self, span: Span) -> Vec<(u64, u64)> {
        let mut bounds = vec![span.start(), span.end()];
        if self.knowledge.is_shared(span) && !self.knowledge.is_together(span.object()) {
            bounds.extend(
                self.knowledge
                    .inner_bounds(span)
                    .into_iter()
                    .map(|at| span.start() + at),
            );
        }
        bounds.sort_unstable();
        bounds.dedup();
        bounds.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }
}

/// The type of a piece of memory: a number, if there are some of its size.
pub(super) fn of_bytes(size: u64) -> Type {
    match size {
        1 | 2 | 4 | 8 => Type::Integer(8 * size as u32),
        _ => Type::Opaque(size),
    }
}
