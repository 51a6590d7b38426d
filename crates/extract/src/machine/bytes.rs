//! Memory that is communicated, as cells of the calculus: which ones an address means, and what stands for values.

use super::{Followed, Machine, Stop};
use crate::expression::Expression;
use crate::graph::Step;
use crate::program::{name, number, written};
use crate::tables::{Object, ObjectKind, RegisterUse, Span};
use crate::value::{Cause, Value};
use farside_lint::ir::{Operand, PlaceId, Type};
use farside_lint::signed;
use farside_pgas::ast::{BinaryOperator, Expression as Written, Target};

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

impl Bytes {
    /// The cell so many after the first.
    pub(super) fn cell(&self, at: u64) -> Self {
        let moved = Expression::binary(BinaryOperator::Add, &self.index, &Expression::Number(at as i64));
        Self {
            index: moved.unwrap_or_else(|| self.index.clone()),
            ..self.clone()
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// All bytes that may be meant.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// What they are bytes of.
    pub(super) fn object(&self) -> Object {
        self.object
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
    pub(super) fn spot(
        &mut self,
        address: &Value,
        size: u64,
        place: PlaceId,
    ) -> Followed<(Object, Option<u64>, Span)> {
        if let Some(Cause::Memory(of)) = address.cause() {
            // The next attempt follows what the address depends on.
            self.knowledge.follow(of);
            return Err(self.lost(place, "an access to an address that is not known"));
        }
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
            return Err(self.lost(place, "an access to an address that is not known"));
        };
        let whole = Span::new(object, 0, self.tables.size(object));
        match offset {
            None => Ok((object, None, whole)),
            Some(offset) if offset >= 0 && (offset as u64).saturating_add(size) <= whole.end() => {
                let start = offset as u64;
                Ok((object, Some(start), Span::new(object, start, start + size)))
            }
            Some(_) => {
                let name = self.tables.name(object).to_owned();
                let note = self.note(place, &format!("an access beyond the end of {name}"));
                Err(Stop::Lost(Step::Beyond(note)))
            }
        }
    }

    /// Bytes as cells that are communicated and may be written by operations, whether they were before or not.
    pub(super) fn shared_bytes(&mut self, address: &Value, size: u64, place: PlaceId) -> Followed<Bytes> {
        let bytes = self.read_bytes(address, size, place)?;
        self.knowledge.expose(bytes.span);
        Ok(bytes)
    }

    /// Bytes as cells that are communicated; this access does not let others write them.
    pub(super) fn read_bytes(&mut self, address: &Value, size: u64, place: PlaceId) -> Followed<Bytes> {
        let (object, start, span) = self.spot(address, size, place)?;
        if matches!(self.tables.kind(object), ObjectKind::Reached(..)) {
            let text = "memory of another process that is communicated otherwise than by loads and stores";
            return Err(self.lost(place, text));
        }
        self.knowledge.share(span);
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
        let Some((first, stride, within)) = self.place_of_element(expression, size) else {
            return Ok(self.together(object, span));
        };
        if within + size > span.end() {
            return Ok(self.together(object, span));
        }
        let (_, terms) = expression.linear();
        self.knowledge.take_apart(object, within);
        self.knowledge.take_apart(object, within + size);
        self.knowledge.stride(object, span.end(), stride);
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

    /// Where an element at an index that only a run knows is: its offset at the index 0, how far apart elements are,
    /// and its offset within that.
    fn place_of_element(&self, address: &Expression, size: u64) -> Option<(i64, u64, u64)> {
        let (constant, terms) = address.linear();
        let first = self.tables.at(constant as u64).map_or(0, |(_, offset)| offset);
        let factors = terms.iter().map(|(factor, _)| factor.unsigned_abs());
        let stride = factors.fold(0, gcd);
        if stride == 0 || size > stride {
            return None;
        }
        let within = first.rem_euclid(stride as i64) as u64;
        Some((first, stride, within))
    }

    /// Bytes as they lie in each element, if they are at an index that only a run knows.
    fn lying(&mut self, address: &Value, size: u64, place: PlaceId) -> Followed<Option<Span>> {
        let (object, start, _) = self.spot(address, size, place)?;
        let start = match (start, address) {
            (Some(start), _) => Some(start),
            (None, Value::Dynamic(expression)) => self
                .place_of_element(expression, size)
                .map(|(_, _, within)| within)
                .filter(|within| within + size <= self.tables.size(object)),
            _ => None,
        };
        Ok(start.map(|start| Span::new(object, start, start + size)))
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

    /// The bytes of two sides of a transfer, of which the first is written, taken apart in the same places; both as
    /// values that are followed or both not.
    pub(super) fn both_sides(
        &mut self,
        one: (&Value, &Value),
        size: u64,
        place: PlaceId,
    ) -> Followed<(Bytes, Bytes)> {
        let mut first = self.shared_bytes(one.0, size, place)?;
        let mut second = self.read_bytes(one.1, size, place)?;
        let lying = (self.lying(one.0, size, place)?, self.lying(one.1, size, place)?);
        let same = if let (Some(from), Some(to)) = lying {
            for at in self.knowledge.inner_bounds(from) {
                self.knowledge.take_apart(to.object(), to.start() + at);
            }
            for at in self.knowledge.inner_bounds(to) {
                self.knowledge.take_apart(from.object(), from.start() + at);
            }
            first = self.shared_bytes(one.0, size, place)?;
            second = self.read_bytes(one.1, size, place)?;
            let whole = [first.object, second.object].map(|object| self.knowledge.is_together(object));
            let alike = self.knowledge.inner_bounds(from) == self.knowledge.inner_bounds(to);
            first.count == second.count && (alike || whole.contains(&true))
        } else {
            // Of several cells it is not known how they lie.
            first.count == 1 && second.count == 1
        };
        let apart = !same && !self.knowledge.is_changed();
        let many = first.count > self.knowledge.detail().most_cells() as u64;
        if many {
            self.knowledge.cut();
        }
        if apart || many {
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
                if value.unsigned_abs() > u64::from(farside_pgas::lower::MAX_DOMAIN) / 2 =>
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
