//! Loads and stores: of private memory, which is computed, and of memory that is communicated, which is left.

use super::{Followed, Machine};
use crate::expression::Expression;
use crate::program::{name, number, register, written};
use crate::state::Held;
use crate::tables::{Object, ObjectKind, RegisterUse, Span, Tables};
use crate::value::{Cause, Value, signed};
use farside_lint::ir::{Operand, PlaceId, Type};
use farside_pgas::ast::{BinaryOperator, Expression as Written, StatementKind, Target};

/// Bytes of memory that is communicated.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    object: Object,
    /// The first cell.
    index: Expression,
    /// How many cells.
    count: u64,
    /// All bytes that may be meant.
    span: Span,
}

/// Most cells of one transfer that are told apart.
const MOST_TRANSFERRED: u64 = 16;

impl Bytes {
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

impl Machine<'_> {
    /// The object of a global variable.
    pub(super) fn global(&mut self, global: u32) -> Object {
        let variable = &self.module.globals[global as usize];
        self.tables
            .object(ObjectKind::Global(global), variable.size, &variable.name)
    }

    /// The bytes at an address: the object, the offset of the first if it is known, and all that may be meant.
    fn spot(&mut self, address: &Value, size: u64, place: PlaceId) -> Followed<(Object, Option<u64>, Span)> {
        let known = match address {
            Value::Known(address) => self
                .tables
                .at(*address)
                .map(|(object, offset)| (object, Some(offset))),
            Value::Dynamic(expression) => self
                .tables
                .at(expression.linear().0 as u64)
                .map(|(object, _)| (object, None)),
            Value::Within(object, _) => Some((*object, None)),
            Value::Unknown(_) | Value::Aggregate(_) => None,
        };
        let Some((object, offset)) = known else {
            if let Some(Cause::Memory(span)) = address.cause() {
                self.knowledge.follow(span);
            }
            return Err(self.lost(place, "an access to an address that is not known"));
        };
        let whole = Span(object, 0, self.tables.size(object));
        match offset {
            None => Ok((object, None, whole)),
            Some(offset) if offset >= 0 && offset as u64 + size <= whole.2 => {
                let start = offset as u64;
                Ok((object, Some(start), Span(object, start, start + size)))
            }
            Some(_) => {
                let name = self.tables.name(object).to_owned();
                Err(self.lost(place, &format!("an access beyond the end of {name}")))
            }
        }
    }

    /// Bytes as cells that are communicated, whether they were before or not.
    pub(super) fn shared_bytes(&mut self, address: &Value, size: u64, place: PlaceId) -> Followed<Bytes> {
        let (object, start, span) = self.spot(address, size, place)?;
        self.knowledge.share(span);
        if let Some(Cause::Memory(of)) = address.cause() {
            self.knowledge.follow(of);
        }
        if start.is_some() || !matches!(address, Value::Dynamic(_)) {
            if start.is_none() {
                self.knowledge.take_together(object);
            }
            let cells = self.knowledge.cells(span);
            return Ok(Bytes {
                object,
                index: Expression::Number(cells.first() as i64),
                count: cells.count(),
                span,
            });
        }
        self.element(object, address, size, span)
    }

    /// Bytes at an index that only a run knows.
    fn element(&mut self, object: Object, address: &Value, size: u64, span: Span) -> Followed<Bytes> {
        let Value::Dynamic(expression) = address else {
            return Ok(self.together(object, span));
        };
        let (constant, terms) = expression.linear();
        let first = self.tables.at(constant as u64).map_or(0, |(_, offset)| offset);
        let stride = terms
            .iter()
            .fold(0, |all, (factor, _)| gcd(all, factor.unsigned_abs()));
        if stride == 0 || size > stride {
            return Ok(self.together(object, span));
        }
        let within = first.rem_euclid(stride as i64) as u64;
        if within + size > stride {
            return Ok(self.together(object, span));
        }
        self.knowledge.take_apart(object, within);
        self.knowledge.take_apart(object, within + size);
        self.knowledge.stride(object, span.2, stride);
        if self.knowledge.is_together(object) {
            return Ok(self.together(object, span));
        }
        let starts = self.knowledge.cell_starts(object);
        let period = starts.iter().filter(|at| **at < stride).count() as i64;
        let at = starts.iter().filter(|at| **at < within).count() as i64;
        let count = starts
            .iter()
            .filter(|at| **at >= within && **at < within + size)
            .count() as u64;
        let mut index = Expression::Number(at + period * ((first - within as i64) / stride as i64));
        for (factor, term) in &terms {
            let factor = Expression::Number(period * (factor / stride as i64));
            let part = Expression::binary(BinaryOperator::Multiply, term, &factor);
            let sum = part.and_then(|part| Expression::binary(BinaryOperator::Add, &index, &part));
            match sum {
                Some(sum) => index = sum,
                None => return Ok(self.together(object, span)),
            }
        }
        Ok(Bytes {
            object,
            index,
            count,
            span,
        })
    }

    fn together(&mut self, object: Object, span: Span) -> Bytes {
        self.knowledge.take_together(object);
        Bytes {
            object,
            index: Expression::Number(0),
            count: 1,
            span,
        }
    }

    /// Notes where pieces of memory are taken for one location.
    pub(super) fn note_together(&mut self, bytes: &Bytes, place: PlaceId) {
        if self.knowledge.is_together(bytes.object) {
            let name = self.tables.name(bytes.object).to_owned();
            self.inexact(
                place,
                &format!("all elements of {name} are taken for one location"),
            );
        }
    }

    /// Whether elements that are one location are meant.
    pub(super) fn is_together(&self, bytes: &Bytes) -> bool {
        self.knowledge.is_together(bytes.object)
    }

    /// The bytes of two sides of a transfer, taken apart in the same places; both as values that are followed or both
    /// not.
    pub(super) fn both_sides(
        &mut self,
        one: (&Value, &Value),
        size: u64,
        place: PlaceId,
    ) -> Followed<(Bytes, Bytes)> {
        let mut first = self.shared_bytes(one.0, size, place)?;
        let mut second = self.shared_bytes(one.1, size, place)?;
        let spots = (self.spot(one.0, size, place)?, self.spot(one.1, size, place)?);
        let same = if let ((a, Some(from), s), (b, Some(to), t)) = spots {
            for at in self.knowledge.inner_bounds(s) {
                self.knowledge.take_apart(b, to + at);
            }
            for at in self.knowledge.inner_bounds(t) {
                self.knowledge.take_apart(a, from + at);
            }
            first = self.shared_bytes(one.0, size, place)?;
            second = self.shared_bytes(one.1, size, place)?;
            first.count == second.count
        } else {
            // Of several cells at an index that is not known, it is not known how they lie.
            first.count == 1 && second.count == 1
        };
        let apart = !same && !self.knowledge.is_changed();
        if apart || first.count > MOST_TRANSFERRED {
            self.knowledge.take_together(first.object);
            self.knowledge.take_together(second.object);
            first = self.together(first.object, first.span);
            second = self.together(second.object, second.span);
        }
        for (from, to) in [(&first, &second), (&second, &first)] {
            if self.knowledge.is_followed(from.span) {
                self.knowledge.follow(to.span);
            }
        }
        Ok((first, second))
    }

    /// Values that come from these bytes cannot be followed: neither can those of what they are written to.
    pub(super) fn pass_loss(&mut self, from: &Bytes, to: &Bytes) {
        if self.knowledge.is_lost(from.span) && self.knowledge.is_followed(to.span) {
            self.knowledge.lose(to.span);
        }
    }

    /// The first cell, as a variable of the calculus.
    pub(super) fn target(&mut self, bytes: &Bytes) -> Target {
        let variable = name(&self.variable(bytes.object));
        Target::Element(variable, Box::new(written(&bytes.index)))
    }

    /// Its address.
    pub(super) fn address_of(&mut self, bytes: &Bytes) -> Written {
        Written::Address(self.target(bytes))
    }

    /// The variable of the calculus that stands for an object.
    pub(super) fn variable(&self, object: Object) -> String {
        crate::declare::variable(self.tables, object)
    }

    /// The value of these bytes decides something: follows it from now on.
    pub(super) fn follow(&mut self, bytes: &Bytes) {
        self.knowledge.follow(bytes.span);
    }

    /// The values of these bytes cannot be followed from now on.
    pub(super) fn forget(&mut self, bytes: &Bytes) {
        self.knowledge.lose(bytes.span);
    }

    /// Whether the values of these bytes are followed, and can be.
    pub(super) fn is_exact(&self, bytes: &Bytes) -> bool {
        self.knowledge.is_followed(bytes.span) && !self.knowledge.is_lost(bytes.span) && bytes.count == 1
    }

    /// What stands for a value that is written to these bytes.
    pub(super) fn written_to(&mut self, bytes: &Bytes, value: &Value, bits: u32) -> Written {
        if !self.knowledge.is_followed(bytes.span) {
            return number(0);
        }
        if bytes.count != 1 {
            self.knowledge.lose(bytes.span);
        }
        if self.knowledge.is_lost(bytes.span) {
            return number(0);
        }
        match value.number(bits) {
            Some(Expression::Number(value))
                if value.abs() > i64::from(farside_pgas::lower::MAX_DOMAIN) / 2 =>
            {
                self.knowledge.lose(bytes.span);
                number(0)
            }
            Some(Expression::Number(value)) if value < 0 => {
                self.knowledge.raise_bias(value);
                number((value + self.knowledge.bias()).max(0))
            }
            Some(expression) => written(&self.biased(&expression)),
            None => {
                match value.cause() {
                    Some(Cause::Memory(span)) => self.knowledge.follow(span),
                    _ => self.knowledge.lose(bytes.span),
                }
                number(0)
            }
        }
    }

    /// What is known of a value that these bytes held, which is in a register of the calculus.
    pub(super) fn read_from(&mut self, bytes: &Bytes, of: RegisterUse, place: PlaceId) -> Value {
        if self.is_exact(bytes) {
            return Value::Dynamic(self.held(of));
        }
        if self.knowledge.is_lost(bytes.span) || bytes.count != 1 {
            let name = self.tables.name(bytes.object).to_owned();
            return self.unknown(place, &format!("what {name} holds"));
        }
        Value::Unknown(Cause::Memory(bytes.span))
    }

    pub(super) fn load(
        &mut self,
        address: &Value,
        ty: &Type,
        result: u32,
        place: PlaceId,
    ) -> Followed<Value> {
        let size = ty.size();
        let (object, start, span) = self.spot(address, size, place)?;
        let shared = self.knowledge.is_shared(span);
        if shared || (start.is_none() && self.must_share(object, address)) {
            let bytes = self.shared_bytes(address, size, place)?;
            self.note_together(&bytes, place);
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
        for at in 0..bytes.count {
            let into = if exact {
                register(self.tables.register(of.clone()))
            } else {
                self.unused()
            };
            let from = self.target(&Bytes {
                index: moved(&bytes.index, at),
                ..bytes.clone()
            });
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
        let value = match self.state.read(object, start, ty.size()) {
            Held::Value(value) => value.clone(),
            Held::Parts => self.unknown(place, "a part of a value, or several together"),
            Held::Nothing => self.initial(object, start, ty, place),
        };
        if let Value::Dynamic(expression) = &value {
            // The register of the memory may get another value before this one is used.
            let of = RegisterUse::Local(self.path(), result);
            return Ok(Value::Dynamic(self.assign(of, expression, place)));
        }
        Ok(value)
    }

    /// What private memory holds that was never written.
    fn initial(&mut self, object: Object, start: u64, ty: &Type, place: PlaceId) -> Value {
        let ObjectKind::Global(global) = *self.tables.kind(object) else {
            return self.unknown(place, "memory that was never written");
        };
        let module = self.module;
        let variable = &module.globals[global as usize];
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
        let size = ty.size();
        let (object, start, span) = self.spot(address, size, place)?;
        if self.knowledge.is_shared(span) || start.is_none() {
            let bytes = self.shared_bytes(address, size, place)?;
            self.note_together(&bytes, place);
            let written = self.written_to(&bytes, value, bits_of(ty));
            self.store_cells(&bytes, &written, place);
            return Ok(());
        }
        let start = start.unwrap_or(0);
        let value = match value {
            Value::Dynamic(expression) => {
                Value::Dynamic(self.assign(RegisterUse::Memory(object, start), expression, place))
            }
            other => other.clone(),
        };
        self.write_private(object, start, size, value, place);
        Ok(())
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
        for at in 0..bytes.count {
            let into = self.target(&Bytes {
                index: moved(&bytes.index, at),
                ..bytes.clone()
            });
            self.emit(
                StatementKind::Assign {
                    into,
                    value: value.clone(),
                },
                place,
            );
        }
    }

    /// Sets bytes to the same value each: private ones, or cells whose values are zeros or not followed.
    pub(super) fn fill(&mut self, address: &Value, byte: &Value, size: u64, place: PlaceId) -> Followed<()> {
        if size == 0 {
            return Ok(());
        }
        let (object, start, span) = self.spot(address, size, place)?;
        let zero = *byte == Value::Known(0);
        if self.knowledge.is_shared(span) {
            for (from, to) in self.pieces_of(span) {
                let piece = Value::Known(Tables::address(object, from as i64));
                let ty = Type::Opaque(to - from);
                if self.knowledge.is_shared(Span(object, from, to)) && !zero {
                    self.knowledge.lose(Span(object, from, to));
                }
                self.store(&piece, &Value::Known(0), &ty, place)?;
            }
            return Ok(());
        }
        let Some(start) = start else {
            return Err(self.lost(place, "memory at an address that is not known is filled"));
        };
        let value = if zero {
            Value::Known(0)
        } else {
            self.unknown(place, "bytes that were filled")
        };
        self.write_private(object, start, size, value, place);
        Ok(())
    }

    /// Copies bytes, piece by piece as they are taken apart.
    pub(super) fn copy(&mut self, to: &Value, from: &Value, size: u64, place: PlaceId) -> Followed<()> {
        if size == 0 {
            return Ok(());
        }
        let (source, first, source_span) = self.spot(from, size, place)?;
        let (target, start, target_span) = self.spot(to, size, place)?;
        let (Some(first), Some(start)) = (first, start) else {
            return Err(self.lost(place, "memory at an address that is not known is copied"));
        };
        let mut bounds: Vec<u64> = vec![0, size];
        for span in [source_span, target_span] {
            bounds.extend(self.pieces_of(span).into_iter().map(|(from, _)| from - span.1));
        }
        let pieces = self.state.pieces(source, first, size);
        if !self.knowledge.is_shared(source_span) {
            bounds.extend(pieces.iter().flat_map(|(at, length, _)| [*at, at + length]));
        }
        bounds.sort_unstable();
        bounds.dedup();
        for piece in bounds.windows(2) {
            let (at, length) = (piece[0], piece[1] - piece[0]);
            let ty = match length {
                1 | 2 | 4 | 8 => Type::Integer(8 * length as u32),
                _ => Type::Opaque(length),
            };
            let [from, to] = [(source, first), (target, start)]
                .map(|(object, first)| Value::Known(Tables::address(object, (first + at) as i64)));
            // No register of the function: one that is not read by anybody else.
            let value = self.load(&from, &ty, u32::MAX - at as u32, place)?;
            self.store(&to, &value, &ty, place)?;
        }
        Ok(())
    }

    /// The pieces that some bytes are taken apart in, as far as they are communicated.
    fn pieces_of(&mut self, span: Span) -> Vec<(u64, u64)> {
        let mut bounds = vec![span.1, span.2];
        if self.knowledge.is_shared(span) && !self.knowledge.is_together(span.0) {
            bounds.extend(
                self.knowledge
                    .inner_bounds(span)
                    .into_iter()
                    .map(|at| span.1 + at),
            );
        }
        bounds.sort_unstable();
        bounds.dedup();
        bounds.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// A number of bytes or elements that is known.
    pub(super) fn count(&mut self, value: &Value, place: PlaceId) -> Followed<u64> {
        match value {
            Value::Known(count) => Ok(*count),
            other => {
                if let Some(Cause::Memory(span)) = other.cause() {
                    self.knowledge.follow(span);
                }
                Err(self.lost(place, "a size or a number of elements that is not known"))
            }
        }
    }

    pub(super) fn path(&self) -> crate::tables::Path {
        self.state
            .frame()
            .map(crate::state::Frame::path)
            .unwrap_or_default()
    }

    /// A value that must be known as a number, for a rank or an operand.
    pub(super) fn number_of(
        &mut self,
        value: &Value,
        bits: u32,
        what: &str,
        place: PlaceId,
    ) -> Followed<Expression> {
        if let Some(number) = value.number(bits) {
            return Ok(number);
        }
        if let Some(Cause::Memory(span)) = value.cause() {
            self.knowledge.follow(span);
        }
        Err(self.lost(place, &format!("{what} that is not known")))
    }

    pub(super) fn operands(&mut self, operands: &[Operand], place: PlaceId) -> Vec<Value> {
        operands
            .iter()
            .map(|operand| self.operand(operand, place))
            .collect()
    }
}

fn moved(index: &Expression, at: u64) -> Expression {
    let at = Expression::Number(at as i64);
    Expression::binary(BinaryOperator::Add, index, &at).unwrap_or_else(|| index.clone())
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Bits of a type that holds an integer.
pub(super) fn bits_of(ty: &Type) -> u32 {
    match ty {
        Type::Integer(bits) => *bits,
        _ => 64,
    }
}

/// The value of a constant that is stored, as it is read by a signed type of so many bits.
pub(super) fn constant(value: &Value, bits: u32) -> Option<i64> {
    match value {
        Value::Known(value) => Some(signed(*value, bits)),
        _ => None,
    }
}
