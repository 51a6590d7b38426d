//! What a thread does with numbers that are known, and that nobody watches: most of what a program computes.
//!
//! Promise: each instruction that is followed here has the same effect as by `Alone`, for which numbers are known or
//! not; all others are declined. What is saved is to carry along where numbers come from: they come from nowhere.

use super::machine::{Domain, Machine};
use crate::arithmetic;
use crate::ir::{
    Action, Arithmetic, Conversion, FloatArithmetic, FloatPredicate, Operand, Ordering, PlaceId, Predicate,
    Register, Type,
};
use crate::layout::{Globals, SHARED};
use crate::memory::Memory;
use crate::process::Frame;
use crate::value::{Scalar, Value, mask, signed};

/// What is left to a machine that follows more.
#[derive(Debug)]
pub(super) struct Declined;

/// Declines a load or store that is atomic, or not of a scalar.
#[inline]
pub(super) fn plain_scalar(ty: &Type, atomic: Option<Ordering>) -> Result<(), Declined> {
    match (ty, atomic) {
        (Type::Integer(1..=64) | Type::Pointer | Type::Float | Type::Double, None) => Ok(()),
        _ => Err(Declined),
    }
}

/// Numbers.
#[derive(Debug)]
pub(super) struct Numbers;

impl Domain for Numbers {
    type Number = u64;
    type Sum = u64;
    type Notes<'n> = ();
    type Stop = Declined;

    #[inline]
    fn integer(operator: Arithmetic, bits: u32, left: u64, right: u64, (): ()) -> Result<u64, Declined> {
        Ok(arithmetic::integers(operator, bits, left, right))
    }

    #[inline]
    fn float(operator: FloatArithmetic, ty: &Type, left: u64, right: u64) -> Result<u64, Declined> {
        Ok(arithmetic::floats(operator, ty, left, right))
    }

    #[inline]
    fn compare(predicate: Predicate, bits: u32, left: u64, right: u64, (): ()) -> Result<u64, Declined> {
        Ok(u64::from(predicate.holds(bits, left, right)))
    }

    #[inline]
    fn float_compare(predicate: FloatPredicate, ty: &Type, left: u64, right: u64) -> Result<u64, Declined> {
        Ok(u64::from(arithmetic::floats_compare(predicate, ty, left, right)))
    }

    #[inline]
    fn convert(conversion: Conversion, from: &Type, to: &Type, value: u64, (): ()) -> Result<u64, Declined> {
        Ok(arithmetic::converted(conversion, from, to, value))
    }

    #[inline]
    fn sum(base: u64, constant: i64, (): ()) -> u64 {
        base.wrapping_add_signed(constant)
    }

    #[inline]
    fn add(sum: &mut u64, index: u64, bits: u32, scale: i64, (): ()) {
        *sum = sum.wrapping_add_signed(signed(index, bits).wrapping_mul(scale));
    }

    #[inline]
    fn total(sum: u64, (): ()) -> u64 {
        sum
    }
}

/// A thread alone, as long as it meets only numbers that are known.
pub(super) struct Known<'j> {
    frame: &'j mut Frame,
    globals: &'j Globals,
    memory: &'j mut Memory,
}

impl<'j> Known<'j> {
    /// A thread's innermost frame and what it may touch.
    #[inline]
    pub(super) fn new(frame: &'j mut Frame, globals: &'j Globals, memory: &'j mut Memory) -> Self {
        Self {
            frame,
            globals,
            memory,
        }
    }

    /// A number, if it is known.
    #[inline]
    pub(super) fn read(frame: &Frame, globals: &Globals, operand: &Operand) -> Option<u64> {
        match operand {
            Operand::Register(register) => match frame.register(*register)? {
                Value::Scalar(Scalar { bits, symbol: 0 }) => Some(*bits),
                _ => None,
            },
            constant => globals.number(constant),
        }
    }

    /// The address of a scalar in memory of this process that nobody watches.
    #[inline]
    fn own(&mut self, address: &Operand, ty: &Type, atomic: Option<Ordering>) -> Result<u64, Declined> {
        plain_scalar(ty, atomic)?;
        let address = self.number(address)?;
        match address < SHARED && !self.memory.is_tracked(address, ty.size()) {
            true => Ok(address),
            false => Err(Declined),
        }
    }
}

impl Machine for Known<'_> {
    type Domain = Numbers;
    type Number = u64;
    type Value = u64;
    type Stop = Declined;

    #[inline]
    fn number(&mut self, operand: &Operand) -> Result<u64, Declined> {
        Self::read(self.frame, self.globals, operand).ok_or(Declined)
    }

    #[inline]
    fn value(&mut self, operand: &Operand) -> Result<u64, Declined> {
        self.number(operand)
    }

    #[inline]
    fn unnamed(&mut self) -> Result<u64, Declined> {
        Ok(0)
    }

    #[inline]
    fn set(&mut self, register: Register, value: u64) {
        self.frame.set(register, Value::known(value));
    }

    #[inline]
    fn notes(&mut self) {}

    #[inline]
    fn load(
        &mut self,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        _: PlaceId,
    ) -> Result<u64, Declined> {
        let address = self.own(address, ty, atomic)?;
        let value = self.memory.plain(address, ty.size()).ok_or(Declined)?;
        Ok(match ty {
            Type::Integer(bits) => mask(value, *bits),
            _ => value,
        })
    }

    #[inline]
    fn store(
        &mut self,
        address: &Operand,
        value: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        _: PlaceId,
    ) -> Result<(), Declined> {
        let value = self.number(value)?;
        let address = self.own(address, ty, atomic)?;
        let stored = self.memory.store_plain(address, ty.size(), value);
        stored.ok_or(Declined)
    }

    #[inline]
    fn decide(&mut self, condition: u64) -> Result<bool, Declined> {
        Ok(condition & 1 == 1)
    }

    #[inline]
    fn special(&mut self, _: &Action, _: PlaceId) -> Result<u64, Declined> {
        Err(Declined)
    }
}
