//! Integers of 128 bits, as two halves of 64: the lint's own numbers have no more.
//!
//! Such a number is a structure of its lower and its upper half, in memory and in registers. What computes with it
//! becomes several instructions on the halves. Promise: sums, differences, products, bitwise operators, shifts by a
//! constant, comparisons, widening and truncation are exact, as those of 64 bits are; quotients and remainders are
//! those of the functions that compilers call for them (`__udivti3`). Limits: shifts by what is not constant,
//! conversions to and from real numbers, and atomic accesses are not computed.

use crate::instructions::integer_predicate;
use crate::layout::{HALF, has_two};
use crate::lower::Lowering;
use farside_lint::ir::{
    Action, Arithmetic, Conversion, Instruction as Step, Operand, PlaceId, Predicate, Register, Type,
};
use llvm_ir::Constant;
use llvm_ir::instruction::Instruction;

/// The halves of a number.
#[derive(Clone)]
struct Halves {
    low: Operand,
    high: Operand,
}

/// The steps that an instruction becomes.
struct Steps<'l, 'm> {
    lowering: &'l mut Lowering<'m>,
    place: PlaceId,
    made: Vec<Step>,
}

impl Lowering<'_> {
    /// What an instruction on numbers of two halves does; `None` for any other, and for those that are not computed.
    pub(crate) fn on_halves(&mut self, instruction: &Instruction, place: PlaceId) -> Option<Vec<Step>> {
        let mut steps = Steps {
            lowering: self,
            place,
            made: Vec::new(),
        };
        let last = steps.take(instruction)?;
        let result = steps.lowering.register(instruction.try_get_result()?);
        steps.end(last, result);
        Some(steps.made)
    }
}

impl Steps<'_, '_> {
    /// Takes all steps but the last one, which gives the result.
    fn take(&mut self, instruction: &Instruction) -> Option<Action> {
        use Instruction as I;
        macro_rules! both {
            ($i:expr) => {{
                self.is_of_two(&$i.operand0).then_some(())?;
                (self.halves(&$i.operand0), self.halves(&$i.operand1))
            }};
        }
        macro_rules! each {
            ($operator:ident, $i:expr) => {{
                let (a, b) = both!($i);
                Halves {
                    low: self.arithmetic(Arithmetic::$operator, a.low, b.low),
                    high: self.arithmetic(Arithmetic::$operator, a.high, b.high),
                }
            }};
        }
        macro_rules! called {
            ($name:literal, $i:expr) => {{
                let (a, b) = both!($i);
                return Some(Action::Call {
                    callee: Operand::Function(self.lowering.further_function($name)),
                    arguments: vec![a.low, a.high, b.low, b.high],
                });
            }};
        }
        macro_rules! shifted {
            ($shift:ident, $i:expr) => {{
                self.is_of_two(&$i.operand0).then_some(())?;
                let by = constant(&$i.operand1)?;
                let number = self.halves(&$i.operand0);
                self.$shift(number, by)?
            }};
        }
        let number = match instruction {
            I::Add(i) => {
                let (a, b) = both!(i);
                self.sum(a, b)
            }
            I::Sub(i) => {
                let (a, b) = both!(i);
                self.difference(a, b)
            }
            I::Mul(i) => {
                let (a, b) = both!(i);
                self.product(a, b)
            }
            I::UDiv(i) => called!("__udivti3", i),
            I::SDiv(i) => called!("__divti3", i),
            I::URem(i) => called!("__umodti3", i),
            I::SRem(i) => called!("__modti3", i),
            I::And(i) => each!(And, i),
            I::Or(i) => each!(Or, i),
            I::Xor(i) => each!(Xor, i),
            I::Shl(i) => shifted!(shifted_left, i),
            I::LShr(i) => shifted!(shifted_right, i),
            I::AShr(i) => shifted!(shifted_right_with_sign, i),
            I::ZExt(i) if has_two(&i.to_type) => Halves {
                low: self.widened(&i.operand, Conversion::ZeroExtend)?,
                high: Operand::Integer(0),
            },
            I::SExt(i) if has_two(&i.to_type) => {
                let low = self.widened(&i.operand, Conversion::SignExtend)?;
                let high = self.sign(low.clone());
                Halves { low, high }
            }
            I::Trunc(i) if self.is_of_two(&i.operand) => {
                let to = self.lowering.layout.lower(&i.to_type);
                let value = self.halves(&i.operand).low;
                return Some(convert(Conversion::Truncate, Type::Integer(HALF), to, value));
            }
            I::ICmp(i) => {
                let (a, b) = both!(i);
                let holds = self.compared(integer_predicate(i.predicate), a, b);
                let bit = || Type::Integer(1);
                return Some(convert(Conversion::Keep, bit(), bit(), holds));
            }
            _ => return None,
        };
        Some(self.join(number))
    }

    fn is_of_two(&self, operand: &llvm_ir::Operand) -> bool {
        has_two(&self.lowering.layout.type_of(operand))
    }

    fn halves(&mut self, operand: &llvm_ir::Operand) -> Halves {
        let aggregate = self.lowering.operand(operand);
        if let Operand::Aggregate(parts) = &aggregate
            && let [low, high] = &parts[..]
        {
            let (low, high) = (low.clone(), high.clone());
            return Halves { low, high };
        }
        let mut part = |nth| {
            self.step(Action::Extract {
                aggregate: aggregate.clone(),
                path: vec![nth],
            })
        };
        Halves {
            low: part(0),
            high: part(1),
        }
    }

    /// What makes a number of these halves.
    fn join(&mut self, Halves { low, high }: Halves) -> Action {
        let half = self.step(Action::Insert {
            aggregate: Operand::Aggregate(vec![Operand::Integer(0); 2]),
            value: low,
            path: vec![0],
        });
        Action::Insert {
            aggregate: half,
            value: high,
            path: vec![1],
        }
    }

    fn step(&mut self, action: Action) -> Operand {
        let result = self.lowering.further_register();
        self.end(action, result);
        Operand::Register(result)
    }

    fn end(&mut self, action: Action, result: Register) {
        self.made.push(Step {
            place: self.place,
            result: Some(result),
            action,
        });
    }

    fn arithmetic(&mut self, operator: Arithmetic, left: Operand, right: Operand) -> Operand {
        self.step(Action::Arithmetic {
            operator,
            bits: HALF,
            left,
            right,
        })
    }

    fn by(&mut self, operator: Arithmetic, left: &Operand, right: u64) -> Operand {
        self.arithmetic(operator, left.clone(), Operand::Integer(right))
    }

    /// 1 if it holds, else 0.
    fn holds(&mut self, predicate: Predicate, left: &Operand, right: &Operand) -> Operand {
        let bit = self.compare(predicate, left, right);
        let action = convert(Conversion::ZeroExtend, Type::Integer(1), Type::Integer(HALF), bit);
        self.step(action)
    }

    fn compare(&mut self, predicate: Predicate, left: &Operand, right: &Operand) -> Operand {
        self.step(Action::Compare {
            predicate,
            bits: HALF,
            left: left.clone(),
            right: right.clone(),
        })
    }

    /// A shorter number as a half.
    fn widened(&mut self, operand: &llvm_ir::Operand, conversion: Conversion) -> Option<Operand> {
        let from = self.lowering.layout.lower(&self.lowering.layout.type_of(operand));
        let Type::Integer(bits) = from else { return None };
        let value = self.lowering.operand(operand);
        let conversion = match bits {
            HALF => Conversion::Keep,
            _ => conversion,
        };
        Some(self.step(convert(conversion, from, Type::Integer(HALF), value)))
    }

    /// All bits like the sign of a half.
    fn sign(&mut self, half: Operand) -> Operand {
        self.arithmetic(Arithmetic::AShr, half, Operand::Integer(u64::from(HALF - 1)))
    }

    fn sum(&mut self, a: Halves, b: Halves) -> Halves {
        let low = self.arithmetic(Arithmetic::Add, a.low.clone(), b.low);
        let carry = self.holds(Predicate::Ult, &low, &a.low);
        let high = self.arithmetic(Arithmetic::Add, a.high, b.high);
        let high = self.arithmetic(Arithmetic::Add, high, carry);
        Halves { low, high }
    }

    fn difference(&mut self, a: Halves, b: Halves) -> Halves {
        let borrow = self.holds(Predicate::Ult, &a.low, &b.low);
        let low = self.arithmetic(Arithmetic::Sub, a.low, b.low);
        let high = self.arithmetic(Arithmetic::Sub, a.high, b.high);
        let high = self.arithmetic(Arithmetic::Sub, high, borrow);
        Halves { low, high }
    }

    fn product(&mut self, a: Halves, b: Halves) -> Halves {
        use Arithmetic::{Add, And, LShr, Mul};
        const LOWER: u64 = 0xffff_ffff;
        let low = self.arithmetic(Mul, a.low.clone(), b.low.clone());
        // The upper half of the product of the lower halves, in quarters.
        let mut quarters = |half: &Operand| (self.by(And, half, LOWER), self.by(LShr, half, 32));
        let ((a0, a1), (b0, b1)) = (quarters(&a.low), quarters(&b.low));
        let lowest = self.arithmetic(Mul, a0.clone(), b0.clone());
        let (one, two) = (
            self.arithmetic(Mul, a0, b1.clone()),
            self.arithmetic(Mul, a1.clone(), b0),
        );
        let highest = self.arithmetic(Mul, a1, b1);
        let mut middle = self.by(LShr, &lowest, 32);
        let mut high = highest;
        for cross in [one, two] {
            let (lower, upper) = (self.by(And, &cross, LOWER), self.by(LShr, &cross, 32));
            middle = self.arithmetic(Add, middle, lower);
            high = self.arithmetic(Add, high, upper);
        }
        let carry = self.by(LShr, &middle, 32);
        high = self.arithmetic(Add, high, carry);
        for (left, right) in [(a.high, b.low), (a.low, b.high)] {
            let cross = self.arithmetic(Mul, left, right);
            high = self.arithmetic(Add, high, cross);
        }
        Halves { low, high }
    }

    fn shifted_left(&mut self, a: Halves, by: u64) -> Option<Halves> {
        use Arithmetic::{LShr, Or, Shl};
        Some(match by {
            0 => a,
            1..64 => {
                let (upper, carried) = (self.by(Shl, &a.high, by), self.by(LShr, &a.low, 64 - by));
                let high = self.arithmetic(Or, upper, carried);
                let low = self.by(Shl, &a.low, by);
                Halves { low, high }
            }
            64..128 => Halves {
                low: Operand::Integer(0),
                high: self.by(Shl, &a.low, by - 64),
            },
            _ => return None,
        })
    }

    fn shifted_right(&mut self, a: Halves, by: u64) -> Option<Halves> {
        self.shifted_down(Arithmetic::LShr, a, by, Operand::Integer(0))
    }

    fn shifted_right_with_sign(&mut self, a: Halves, by: u64) -> Option<Halves> {
        let sign = self.sign(a.high.clone());
        self.shifted_down(Arithmetic::AShr, a, by, sign)
    }

    /// `shift` is that of the upper half, and `sign` what comes into it.
    fn shifted_down(&mut self, shift: Arithmetic, a: Halves, by: u64, sign: Operand) -> Option<Halves> {
        use Arithmetic::{LShr, Or, Shl};
        Some(match by {
            0 => a,
            1..64 => {
                let (lower, carried) = (self.by(LShr, &a.low, by), self.by(Shl, &a.high, 64 - by));
                let low = self.arithmetic(Or, lower, carried);
                let high = self.by(shift, &a.high, by);
                Halves { low, high }
            }
            64..128 => Halves {
                low: self.by(shift, &a.high, by - 64),
                high: sign,
            },
            _ => return None,
        })
    }

    /// Whether a comparison holds, as one bit.
    fn compared(&mut self, predicate: Predicate, a: Halves, b: Halves) -> Operand {
        let (strict, lower) = match predicate {
            Predicate::Eq | Predicate::Ne => {
                let low = self.arithmetic(Arithmetic::Xor, a.low, b.low);
                let high = self.arithmetic(Arithmetic::Xor, a.high, b.high);
                let differing = self.arithmetic(Arithmetic::Or, low, high);
                return self.compare(predicate, &differing, &Operand::Integer(0));
            }
            Predicate::Ugt => (Predicate::Ugt, Predicate::Ugt),
            Predicate::Uge => (Predicate::Ugt, Predicate::Uge),
            Predicate::Ult => (Predicate::Ult, Predicate::Ult),
            Predicate::Ule => (Predicate::Ult, Predicate::Ule),
            Predicate::Sgt => (Predicate::Sgt, Predicate::Ugt),
            Predicate::Sge => (Predicate::Sgt, Predicate::Uge),
            Predicate::Slt => (Predicate::Slt, Predicate::Ult),
            Predicate::Sle => (Predicate::Slt, Predicate::Ule),
        };
        let by_upper = self.compare(strict, &a.high, &b.high);
        let same = self.compare(Predicate::Eq, &a.high, &b.high);
        let by_lower = self.compare(lower, &a.low, &b.low);
        let mut bits = |operator, left, right| {
            self.step(Action::Arithmetic {
                operator,
                bits: 1,
                left,
                right,
            })
        };
        let by_lower = bits(Arithmetic::And, same, by_lower);
        bits(Arithmetic::Or, by_upper, by_lower)
    }
}

fn convert(conversion: Conversion, from: Type, to: Type, value: Operand) -> Action {
    Action::Convert {
        conversion,
        from,
        to,
        value,
    }
}

/// A constant that one half holds ([`crate::constants`] leaves no other ones).
fn constant(operand: &llvm_ir::Operand) -> Option<u64> {
    match operand.as_constant()? {
        Constant::Int { value, .. } => Some(*value),
        _ => None,
    }
}
