//! What instructions do with lines: the machine that executes one round.

use super::Execution;
use crate::arithmetic;
use crate::execute::machine::{Domain, Machine};
use crate::execute::rounds::access::Access;
use crate::execute::rounds::bound::Bound;
use crate::execute::rounds::line::{Line, Stop, width};
use crate::ir::{
    Action, Arithmetic, Conversion, FloatArithmetic, FloatPredicate, Operand, Ordering, PlaceId, Predicate,
    Register, Type,
};
use crate::mathematics;
use crate::mpi;
use crate::value::{Scalar, derived, signed};
use farside_events::AccessKind;

/// Calls within calls.
const DEEPEST: usize = 8;

/// Numbers that are lines; of each result a bound says for how many rounds it holds.
#[derive(Debug)]
pub(in crate::execute::rounds) struct Lines;

/// An address that is being made, and what it is made of in the first round.
#[derive(Debug)]
pub(in crate::execute::rounds) struct Sum {
    line: Line,
    constant: i64,
    parts: Vec<Scalar>,
}

impl Domain for Lines {
    type Number = Line;
    type Sum = Sum;
    type Notes<'n> = &'n mut Bound;
    type Stop = Stop;

    fn integer(
        operator: Arithmetic,
        bits: u32,
        left: Line,
        right: Line,
        _: &mut Bound,
    ) -> Result<Line, Stop> {
        Line::arithmetic(operator, bits, left, right).ok_or(Stop::NoLine)
    }

    fn float(operator: FloatArithmetic, ty: &Type, left: Line, right: Line) -> Result<Line, Stop> {
        let value = arithmetic::float(operator, ty, fixed(left)?, fixed(right)?);
        Line::constant(value, width(ty)).ok_or(Stop::NoLine)
    }

    fn compare(
        predicate: Predicate,
        bits: u32,
        left: Line,
        right: Line,
        bound: &mut Bound,
    ) -> Result<Line, Stop> {
        Line::compare(predicate, bits, left, right, bound).ok_or(Stop::NoLine)
    }

    fn float_compare(predicate: FloatPredicate, ty: &Type, left: Line, right: Line) -> Result<Line, Stop> {
        let value = arithmetic::float_compare(predicate, ty, fixed(left)?, fixed(right)?);
        Line::constant(value, 1).ok_or(Stop::NoLine)
    }

    fn convert(
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: Line,
        bound: &mut Bound,
    ) -> Result<Line, Stop> {
        let converted = value.convert(conversion, from, to, bound);
        converted.ok_or(Stop::NoLine)
    }

    fn sum(base: Line, constant: i64, bound: &mut Bound) -> Sum {
        let line = base.wide(bound);
        Sum {
            line: Line {
                base: line.base.wrapping_add_signed(constant),
                ..line
            },
            constant,
            parts: vec![base.first()],
        }
    }

    fn add(sum: &mut Sum, index: Line, bits: u32, scale: i64, bound: &mut Bound) {
        let whole = index.whole(bits, true, bound);
        let base = signed(index.base, bits);
        sum.line.base = sum.line.base.wrapping_add_signed(base.wrapping_mul(scale));
        for (step, add) in sum.line.steps.iter_mut().zip(whole.steps()) {
            *step = step.wrapping_add_signed((add as i64).wrapping_mul(scale));
        }
        sum.parts.push(index.first());
    }

    fn total(sum: Sum, _: &mut Bound) -> Line {
        Line {
            symbol: derived(("offset", sum.constant), &sum.parts),
            ..sum.line
        }
    }
}

/// The value in all rounds, where arithmetic makes no line of others.
fn fixed(line: Line) -> Result<Scalar, Stop> {
    line.fixed().ok_or(Stop::NoLine)
}

impl Machine for Execution<'_, '_> {
    type Domain = Lines;
    type Number = Line;
    type Value = Option<Line>;
    type Stop = Stop;

    fn number(&mut self, operand: &Operand) -> Result<Line, Stop> {
        self.read(operand).ok_or(Stop::NoLine)
    }

    fn value(&mut self, operand: &Operand) -> Result<Option<Line>, Stop> {
        Ok(self.read(operand))
    }

    fn unnamed(&mut self) -> Result<Option<Line>, Stop> {
        Err(Stop::NotFollowed)
    }

    fn set(&mut self, register: Register, value: Option<Line>) {
        match self.called.last_mut() {
            Some(registers) => registers.insert(register, value),
            None => self.round.registers.insert(register, value),
        };
    }

    fn notes(&mut self) -> &mut Bound {
        &mut self.round.bound
    }

    fn load(
        &mut self,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        place: PlaceId,
    ) -> Result<Option<Line>, Stop> {
        let Some(cell) = self.announce(AccessKind::Load, address, ty, atomic, place)? else {
            self.go_on();
            return Ok(None);
        };
        let value = self.cell(cell, ty.size()).ok_or(Stop::NotFollowed)?.value;
        Ok(value.map(|value| value.narrow(width(ty))))
    }

    fn store(
        &mut self,
        address: &Operand,
        value: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        place: PlaceId,
    ) -> Result<(), Stop> {
        let cell = self.announce(AccessKind::Store, address, ty, atomic, place)?;
        let value = self.read(value);
        if let Some(address) = cell {
            let cell = self.cell(address, ty.size()).ok_or(Stop::NotFollowed)?;
            cell.is_written = true;
            cell.value = value.map(|value| value.narrow(8 * ty.size() as u32));
        } else if let Some(access) = self.round.accesses.last_mut() {
            access.value = value.filter(|_| is_scalar(ty));
            self.go_on();
        }
        Ok(())
    }

    /// A condition that is known and the same in all rounds, as far as they are bounded.
    fn decide(&mut self, condition: Line) -> Result<bool, Stop> {
        let condition = fixed(condition)?;
        match condition.is_known() {
            true => Ok(condition.bits & 1 == 1),
            false => Err(Stop::NoLine),
        }
    }

    fn special(&mut self, action: &Action, place: PlaceId) -> Result<Option<Line>, Stop> {
        match action {
            Action::Call {
                callee: Operand::Function(function),
                arguments,
            } => self.call(*function, arguments, place).ok_or(Stop::NotFollowed),
            Action::Extract { .. } | Action::Insert { .. } => Ok(None),
            _ => Err(Stop::NotFollowed),
        }
    }
}

impl Execution<'_, '_> {
    /// A function that only computes, or one of the module.
    fn call(&mut self, function: u32, arguments: &[Operand], place: PlaceId) -> Option<Option<Line>> {
        let values: Vec<Option<Line>> = arguments.iter().map(|argument| self.read(argument)).collect();
        if let Some(name) = self.job.survey.computing(function) {
            let fixed: Option<Vec<Scalar>> = values.iter().map(|value| (*value)?.fixed()).collect();
            return Some(
                fixed
                    .and_then(|values| mathematics::value(name, &values))
                    .and_then(|value| Line::constant(value, 64)),
            );
        }
        let called = &self.job.module.functions[function as usize];
        if called.blocks.is_empty() || mpi::is_replaced(&called.name) || self.called.len() >= DEEPEST {
            return None;
        }
        let inner = self.stacks.push(place, self.stack);
        let outer = std::mem::replace(&mut self.stack, inner);
        self.called.push((0..).zip(values).collect());
        let result = self.blocks(function, None);
        self.called.pop();
        self.stack = outer;
        result
    }

    /// Notes a load or store; its address, if it is one variable in all rounds.
    fn announce(
        &mut self,
        kind: AccessKind,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        place: PlaceId,
    ) -> Result<Option<u64>, Stop> {
        let address = self.read(address).filter(|_| atomic.is_none());
        let address = address.ok_or(Stop::NotFollowed)?.wide(&mut self.round.bound);
        let cell = address.fixed().filter(|_| is_scalar(ty));
        let place = (place, self.stack);
        let access = Access::single(kind, (address, ty.size()), place, cell.is_some());
        self.round.accesses.push(access);
        Ok(cell.map(|cell| cell.bits))
    }
}

/// Whether values of a type are kept in one register.
fn is_scalar(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Integer(1..=64) | Type::Pointer | Type::Float | Type::Double
    )
}
