//! A process at its instruction: what instructions do with numbers in its rank, and what they access.

use super::affine::Term;
use super::domain::Generic;
use super::facts::Facts;
use super::memory::Object;
use super::number::{Number, Stop};
use super::paths::Paths;
use super::question::Condition;
use super::state::{Frame, State, Value};
use super::trace::{Access, Space};
use crate::execute::machine::{Domain, Machine};
use crate::ir::{Action, BlockId, Conversion, Operand, Ordering, PlaceId, Predicate, Register, Type};
use farside_conflicts::{Effect, Role};
use std::rc::Rc;

/// Frames deeper than this are a recursion that is not followed.
const DEEPEST: usize = 200;

/// A value of a type is stored in an object.
pub(super) fn store(object: &mut Object, at: i64, ty: &Type, value: &Value) {
    match ty {
        Type::Structure(fields, _) => {
            for (nth, (offset, field)) in fields.iter().enumerate() {
                store(object, at + *offset as i64, field, &value.field(&[nth as u32]));
            }
        }
        ty => object.store(at, ty.size() as i64, value.number()),
    }
}

fn load(object: &Object, at: i64, ty: &Type) -> Value {
    match ty {
        Type::Structure(fields, _) => {
            let fields = fields
                .iter()
                .map(|(offset, field)| load(object, at + *offset as i64, field));
            Value::Fields(Rc::new(fields.collect()))
        }
        Type::Integer(bits) => match object.load(at, ty.size() as i64) {
            Number::Known(value) => Number::Known(crate::value::mask(value, *bits)).into(),
            number => number.into(),
        },
        ty => object.load(at, ty.size() as i64).into(),
    }
}

/// A process at its instruction.
pub(super) struct Running<'r, 'p> {
    pub(super) paths: &'r mut Paths<'p>,
    pub(super) state: &'r mut State,
}

impl Machine for Running<'_, '_> {
    type Domain = Generic;
    type Number = Number;
    type Value = Value;
    type Stop = Stop;

    fn number(&mut self, operand: &Operand) -> Result<Number, Stop> {
        self.value(operand).map(|value| value.number())
    }

    fn value(&mut self, operand: &Operand) -> Result<Value, Stop> {
        Ok(match operand {
            Operand::Register(register) => self.state.frame().register(*register),
            constant => self.paths.constant(constant),
        })
    }

    fn unnamed(&mut self) -> Result<Value, Stop> {
        Ok(Value::default())
    }

    fn set(&mut self, register: Register, value: Value) {
        self.state.frame_mut().set(register, value);
    }

    fn notes(&mut self) -> Facts<'_> {
        Facts {
            prover: self.paths.prover,
            given: &self.state.given,
        }
    }

    fn load(
        &mut self,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        _: PlaceId,
    ) -> Result<Value, Stop> {
        let address = self.plain(address, atomic)?;
        let (object, at) = self.access(address, ty.size() as i64, Effect::Read)?;
        Ok(match self.paths.prover.terms.known(at) {
            Some(at) => load(self.state.object(object), at, ty),
            None => Value::default(),
        })
    }

    fn store(
        &mut self,
        address: &Operand,
        value: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        _: PlaceId,
    ) -> Result<(), Stop> {
        let address = self.plain(address, atomic)?;
        let value = self.value(value)?;
        let (object, at) = self.access(address, ty.size() as i64, Effect::Write)?;
        let known = self.paths.prover.terms.known(at);
        let object = self.state.object_mut(object);
        match known {
            Some(at) => store(object, at, ty, &value),
            None => object.smear(),
        }
        Ok(())
    }

    fn decide(&mut self, condition: Number) -> Result<bool, Stop> {
        match condition {
            Number::Known(value) => Ok(value & 1 == 1),
            Number::Term(term) => self.notes().decide(Condition::NotZero(term)),
            Number::Pointer(..) => Ok(true),
            Number::Any => self.either(),
        }
    }

    fn special(&mut self, action: &Action, _: PlaceId) -> Result<Value, Stop> {
        Ok(match action {
            Action::Allocate { size, count, .. } => {
                let count = self.number(count)?;
                let size = self.size_of(count, *size as i64)?;
                let object = self.state.add(Object::new(size, false));
                self.state.frame_mut().add_local(object);
                let start = self.paths.prover.terms.constant(0);
                Number::Pointer(object, start).into()
            }
            Action::Extract { aggregate, path } => self.value(aggregate)?.field(path),
            Action::Insert {
                aggregate,
                value,
                path,
            } => {
                let value = self.value(value)?;
                self.value(aggregate)?.with_field(path, value)
            }
            Action::Fence(_) => Value::default(),
            Action::AtomicUpdate { .. } | Action::CompareExchange { .. } => {
                return outside("an atomic instruction is not followed");
            }
            _ => return outside("an instruction is not followed"),
        })
    }

    /// Of an aggregate there are no numbers to convert.
    fn convert(
        &mut self,
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: &Operand,
    ) -> Result<Value, Stop> {
        match self.value(value)? {
            Value::Number(number) => {
                Generic::convert(conversion, from, to, number, self.notes()).map(Into::into)
            }
            fields @ Value::Fields(_) => Ok(fields),
        }
    }
}

/// The program does what is not followed.
pub(super) fn outside<T>(reason: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Outside(reason.into()))
}

impl Running<'_, '_> {
    /// Gives an instruction's result, and goes to the next one.
    pub(super) fn finish(&mut self, result: Option<Register>, value: Value) {
        let frame = self.state.frame_mut();
        if let Some(register) = result {
            frame.set(register, value);
        }
        frame.index += 1;
    }

    /// A condition on what is not known.
    fn either(&mut self) -> Result<bool, Stop> {
        let choice = self.state.choices.get(self.state.chosen).copied();
        self.state.chosen += 1;
        choice.ok_or(Stop::Either)
    }

    pub(super) fn select(&mut self, condition: &Operand, yes: &Operand, no: &Operand) -> Result<Value, Stop> {
        let condition = self.number(condition)?;
        if condition == Number::Any {
            let (yes, no) = (self.value(yes)?, self.value(no)?);
            return Ok(match yes.number() == no.number() {
                true => yes,
                false => Value::default(),
            });
        }
        let chosen = if self.decide(condition)? { yes } else { no };
        self.value(chosen)
    }

    /// Where a switch goes.
    pub(super) fn case(&mut self, value: Number, cases: &[(u64, BlockId)]) -> Result<Option<BlockId>, Stop> {
        for (case, to) in cases {
            let bits = if *case > u64::from(u32::MAX) { 64 } else { 32 };
            let equal = Generic::compare(Predicate::Eq, bits, value, Number::Known(*case), self.notes())?;
            if self.decide(equal)? {
                return Ok(Some(*to));
            }
        }
        Ok(None)
    }

    fn plain(&mut self, address: &Operand, atomic: Option<Ordering>) -> Result<Number, Stop> {
        if atomic.is_some() {
            return outside("an atomic access is not followed");
        }
        self.number(address)
    }

    /// So many things of so many bytes.
    pub(super) fn size_of(&mut self, count: Number, size: i64) -> Result<Term, Stop> {
        let count = self.notes().term(count, 64);
        let size = count.and_then(|count| self.paths.prover.terms.times(count, size));
        size.map_or_else(|| outside("a size is not known"), Ok)
    }

    /// Whether a condition holds of all processes that take this path, as far as one can tell.
    pub(super) fn holds(&mut self, condition: Condition) -> bool {
        self.paths.prover.decides(&self.state.given, condition) == Some(true)
    }

    /// Bytes of an object are accessed by the process itself: the object, and where they begin in it.
    pub(super) fn access(&mut self, address: Number, size: i64, effect: Effect) -> Result<(u32, Term), Stop> {
        let size = self.paths.prover.terms.constant(size);
        self.access_of(address, size, effect)
    }

    /// Likewise, of so many bytes.
    pub(super) fn access_of(
        &mut self,
        address: Number,
        size: Term,
        effect: Effect,
    ) -> Result<(u32, Term), Stop> {
        let (object, at) = self.within(address, size)?;
        if self.state.object(object).freed {
            return outside("memory is accessed that was given back");
        }
        self.note(object, at, size, effect);
        Ok((object, at))
    }

    /// The object that an address leads to, which has so many bytes from there on in all processes of the path.
    pub(super) fn within(&mut self, address: Number, size: Term) -> Result<(u32, Term), Stop> {
        let Number::Pointer(object, at) = address else {
            return outside("an address is not known: it depends on data, or on more than the rank");
        };
        let terms = &mut self.paths.prover.terms;
        let left = terms.sum(self.state.object(object).size, at, -1);
        let Some(left) = left.and_then(|left| terms.sum(left, size, -1)) else {
            return outside("an address is too large");
        };
        if !self.holds(Condition::NotNegative(at)) || !self.holds(Condition::NotNegative(left)) {
            return outside("an access leaves its object for some number of ranks, as far as one can tell");
        }
        Ok((object, at))
    }

    /// Notes an access of the process itself.
    pub(super) fn note(&mut self, object: u32, at: Term, size: Term, effect: Effect) {
        if !self.state.object(object).watched {
            return;
        }
        let Some((space, range)) = self.bytes(object, at, size) else {
            return;
        };
        let lock = match space {
            Space::Window(window) => match self.state.windows[window as usize].locks() {
                [lock] => Some(*lock),
                _ => None,
            },
            Space::Own(_) => None,
        };
        let now = self.state.trace.now();
        self.state.trace.local(Access {
            space,
            owner: None,
            range,
            role: Role::Local,
            effect,
            begun: now,
            done: Some(now),
            place: self.paths.place(self.state),
            operation: None,
            lock,
            given: Vec::new(),
            rounds: Vec::new(),
        });
    }

    /// Whose bytes a range of an object is.
    pub(super) fn bytes(&mut self, object: u32, at: Term, size: Term) -> Option<(Space, (Term, Term))> {
        let terms = &mut self.paths.prover.terms;
        let (space, at) = match self.state.object(object).part {
            Some(part) => (Space::Window(part.window), terms.sum(at, part.base, -1)?),
            None => (Space::Own(object), at),
        };
        Some((space, (at, terms.sum(at, size, 1)?)))
    }

    /// An object is no more: whoever still uses it loses it, as if all of it were stored to.
    pub(super) fn give_back(&mut self, object: u32) {
        let size = self.state.object(object).size;
        let start = self.paths.prover.terms.constant(0);
        self.note(object, start, size, Effect::Write);
        self.state.object_mut(object).freed = true;
    }

    /// Begins a function of the program.
    pub(super) fn begin(
        &mut self,
        index: u32,
        values: Vec<Value>,
        result: Option<Register>,
    ) -> Result<(), Stop> {
        if self.state.frames.len() >= DEEPEST {
            return outside("a recursion is not followed");
        }
        let function = &self.paths.module.functions[index as usize];
        self.state.frames.push(Frame::of(index, function, values, result));
        Ok(())
    }
}
