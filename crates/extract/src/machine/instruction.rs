//! Instructions but calls: computed as far as their operands are known.

use super::{Followed, Machine};
use crate::expression::Expression;
use crate::tables::ObjectKind;
use crate::value::{Value, cause_of};
use farside_lint::ir::{
    Action, Arithmetic, AtomicOperator, Conversion, Instruction, Operand, Ordering, PlaceId, Predicate, Type,
};
use farside_lint::{mask, signed};
use farside_pgas::ast::{AtomicOperation, BinaryOperator};

impl Machine<'_> {
    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Followed<()> {
        let place = instruction.place;
        let result = instruction.result.unwrap_or(u32::MAX);
        let value = match &instruction.action {
            Action::Allocate {
                size, count, name, ..
            } => {
                let count = self.operand(count, place);
                let size = size.saturating_mul(self.count(&count, place)?);
                let object = self
                    .tables
                    .object(ObjectKind::Local(self.path(), result), size, name);
                Value::Known(crate::tables::Tables::address(object, 0))
            }
            Action::Load { address, ty, atomic } => {
                let address = self.operand(address, place);
                if *atomic == Some(Ordering::Both) {
                    self.order_in_total(place);
                }
                self.load(&address, ty, result, place)?
            }
            Action::Store {
                address,
                value,
                ty,
                atomic,
            } => {
                let address = self.operand(address, place);
                let value = self.operand(value, place);
                return self.store_in_order(&address, &value, (ty, *atomic), place);
            }
            Action::Offset {
                base,
                constant,
                terms,
            } => self.offset(base, *constant, terms, place),
            Action::Arithmetic {
                operator,
                bits,
                left,
                right,
            } => {
                let [left, right] = [self.operand(left, place), self.operand(right, place)];
                self.arithmetic(*operator, *bits, &left, &right, place)
            }
            Action::Compare {
                predicate,
                bits,
                left,
                right,
            } => {
                let [left, right] = [self.operand(left, place), self.operand(right, place)];
                self.compare(*predicate, *bits, &left, &right, place)
            }
            Action::FloatArithmetic { .. } | Action::FloatCompare { .. } => {
                self.unknown(place, "a floating-point number is computed")
            }
            Action::Convert {
                conversion,
                from,
                to,
                value,
            } => {
                let value = self.operand(value, place);
                self.convert(*conversion, from, to, value, place)
            }
            Action::Select { condition, yes, no } => {
                let condition = self.operand(condition, place);
                let [yes, no] = [self.operand(yes, place), self.operand(no, place)];
                self.select(&condition, yes, no, place)
            }
            Action::Call { callee, arguments } => {
                return self.call(callee, arguments, instruction.result, place);
            }
            Action::AtomicUpdate {
                operator,
                address,
                value,
                ty,
                ordering,
            } => {
                let address = self.operand(address, place);
                let value = self.operand(value, place);
                let reached = self.reached(&address, ty.size(), true, place)?;
                let does = match (operator, &value) {
                    (AtomicOperator::Exchange, _) => Some((AtomicOperation::Swap, value)),
                    (AtomicOperator::Add, _) => Some((AtomicOperation::FetchAdd, value)),
                    (AtomicOperator::Sub, Value::Known(bits)) => {
                        let less = mask(bits.wrapping_neg(), super::bytes::bits_of(ty));
                        Some((AtomicOperation::FetchAdd, Value::Known(less)))
                    }
                    _ => None,
                };
                let (Some(reached), Some((does, value))) = (reached, does) else {
                    return Err(self.lost(place, "an atomic operation of C"));
                };
                self.change_reached(&reached, (does, &[value]), (ty, *ordering), result, place)?
            }
            Action::CompareExchange {
                address,
                expected,
                replacement,
                ty,
                ordering,
            } => {
                let address = self.operand(address, place);
                let operands = self.operands(&[expected.clone(), replacement.clone()], place);
                let Some(reached) = self.reached(&address, ty.size(), true, place)? else {
                    return Err(self.lost(place, "an atomic operation of C"));
                };
                let does = (AtomicOperation::CompareSwap, operands.as_slice());
                let old = self.change_reached(&reached, does, (ty, *ordering), result, place)?;
                let bits = super::bytes::bits_of(ty);
                let same = self.compare(Predicate::Eq, bits, &old, &operands[0], place);
                Value::Aggregate(vec![old, same])
            }
            Action::Fence(ordering) => {
                if ordering.releases() {
                    self.fence_of_c(place);
                }
                return Ok(());
            }
            Action::Extract { aggregate, path } => {
                let aggregate = self.operand(aggregate, place);
                self.extract(aggregate, path, place)
            }
            Action::Insert { .. } | Action::LandingPad | Action::Unknown => {
                self.unknown(place, "an instruction that is not followed")
            }
        };
        if instruction.result.is_some() {
            self.set(result, value);
        }
        Ok(())
    }

    fn extract(&mut self, aggregate: Value, path: &[u32], place: PlaceId) -> Value {
        let mut value = aggregate;
        for field in path {
            value = match value {
                Value::Aggregate(fields) => match fields.get(*field as usize) {
                    Some(field) => field.clone(),
                    None => return self.unknown(place, "a field"),
                },
                _ => return self.unknown(place, "a field"),
            };
        }
        value
    }

    fn offset(
        &mut self,
        base: &Operand,
        constant: i64,
        terms: &[(Operand, u32, i64)],
        place: PlaceId,
    ) -> Value {
        let base = self.operand(base, place);
        let mut values = Vec::new();
        for (operand, bits, scale) in terms {
            values.push((self.operand(operand, place), *bits, *scale));
        }
        if let Some(cause) = cause_of(std::iter::once(&base).chain(values.iter().map(|(value, _, _)| value)))
        {
            let object = match &base {
                Value::Known(address) => self.tables.at(*address).map(|(object, _)| object),
                Value::Within(object, _) => Some(*object),
                Value::Dynamic(expression) => self
                    .tables
                    .at(expression.linear().0 as u64)
                    .map(|(object, _)| object),
                _ => None,
            };
            return object.map_or(Value::Unknown(cause), |object| Value::Within(object, cause));
        }
        let sum = values
            .iter()
            .try_fold(base.number(64), |sum, (value, bits, scale)| {
                let value = value.number(*bits)?;
                let part = Expression::binary(BinaryOperator::Multiply, &value, &Expression::Number(*scale))?;
                Some(Expression::binary(BinaryOperator::Add, &sum?, &part))
            });
        let sum = sum
            .flatten()
            .and_then(|sum| Expression::binary(BinaryOperator::Add, &sum, &Expression::Number(constant)));
        match sum {
            Some(sum) => Value::of(sum, 64),
            None => self.unknown(place, "an address"),
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: Arithmetic,
        bits: u32,
        left: &Value,
        right: &Value,
        place: PlaceId,
    ) -> Value {
        use BinaryOperator as B;
        if let (Value::Known(a), Value::Known(b)) = (left, right) {
            return match operator.of(bits, *a, *b) {
                Some(value) => Value::Known(mask(value, bits)),
                None => self.unknown(place, "a division by zero"),
            };
        }
        if let Some(cause) = cause_of([left, right]) {
            return Value::Unknown(cause);
        }
        let result = (|| {
            let (a, b) = (left.number(bits)?, right.number(bits)?);
            if a.is_wide(bits) || b.is_wide(bits) {
                return None;
            }
            let computed =
                |operator, a: &Expression, b: &Expression| Expression::computed(operator, a, b, bits);
            let truths = a.is_truth() && b.is_truth();
            match (operator, &b) {
                (Arithmetic::Add, _) => computed(B::Add, &a, &b),
                (Arithmetic::Sub, _) => computed(B::Subtract, &a, &b),
                (Arithmetic::Mul, _) => Expression::product(&a, &b, bits),
                (Arithmetic::SDiv, _) => Expression::quotient(&a, &b, bits),
                (Arithmetic::SRem, _) => Expression::rest(&a, &b, bits),
                // Of what is negative as a signed number, an unsigned one is large.
                (Arithmetic::UDiv | Arithmetic::URem | Arithmetic::LShr, _) if a.range().0 < 0 => None,
                (Arithmetic::UDiv, _) => computed(B::Divide, &a, &b),
                (Arithmetic::URem, _) => computed(B::Remainder, &a, &b),
                (Arithmetic::Xor, Expression::Number(1 | -1)) if a.is_truth() && bits == 1 => {
                    Some(a.negated())
                }
                (Arithmetic::Xor, _) if truths => Expression::binary(B::NotEqual, &a, &b),
                (Arithmetic::And, _) if truths => Expression::binary(B::And, &a, &b),
                (Arithmetic::Or, _) if truths => Expression::binary(B::Or, &a, &b),
                (Arithmetic::And, Expression::Number(mask)) if *mask > 0 && (mask + 1).count_ones() == 1 => {
                    computed(B::Remainder, &a, &Expression::Number(mask + 1))
                }
                (Arithmetic::Shl, Expression::Number(by @ 0..=30)) => {
                    computed(B::Multiply, &a, &Expression::Number(1 << by))
                }
                (Arithmetic::LShr | Arithmetic::AShr, Expression::Number(by @ 0..=30)) => {
                    computed(B::Divide, &a, &Expression::Number(1 << by))
                }
                _ => None,
            }
        })();
        match result {
            Some(result) => Value::of(result, bits),
            None => self.unknown(place, "a computation that whole numbers do not have"),
        }
    }

    pub(super) fn compare(
        &mut self,
        predicate: Predicate,
        bits: u32,
        left: &Value,
        right: &Value,
        place: PlaceId,
    ) -> Value {
        use BinaryOperator as B;
        if let (Value::Known(a), Value::Known(b)) = (left, right) {
            return Value::Known(u64::from(predicate.holds(bits, *a, *b)));
        }
        // An address is never null.
        if let (Value::Within(..), Value::Known(0)) | (Value::Known(0), Value::Within(..)) = (left, right)
            && matches!(predicate, Predicate::Eq | Predicate::Ne)
        {
            return Value::Known(u64::from(predicate == Predicate::Ne));
        }
        if let Some(cause) = cause_of([left, right]) {
            return Value::Unknown(cause);
        }
        let result = (|| {
            let (a, b) = (left.number(bits)?, right.number(bits)?);
            if a.is_wide(bits) || b.is_wide(bits) {
                return None;
            }
            let unsigned = matches!(
                predicate,
                Predicate::Ugt | Predicate::Uge | Predicate::Ult | Predicate::Ule
            );
            // As unsigned numbers, negative ones are the largest.
            if unsigned && (a.range().0 < 0 || b.range().0 < 0) {
                return None;
            }
            let operator = match predicate {
                Predicate::Eq => B::Equal,
                Predicate::Ne => B::NotEqual,
                Predicate::Ugt | Predicate::Sgt => B::Greater,
                Predicate::Uge | Predicate::Sge => B::GreaterOrEqual,
                Predicate::Ult | Predicate::Slt => B::Less,
                Predicate::Ule | Predicate::Sle => B::LessOrEqual,
            };
            Expression::binary(operator, &a, &b)
        })();
        match result {
            Some(result) => Value::of(result, 1),
            None => self.unknown(place, "a comparison that whole numbers do not have"),
        }
    }

    fn convert(
        &mut self,
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: Value,
        place: PlaceId,
    ) -> Value {
        let (width, room) = (super::bytes::bits_of(from), super::bytes::bits_of(to));
        match (conversion, &value) {
            (_, Value::Unknown(_) | Value::Within(..)) | (Conversion::Keep, _) => value,
            (Conversion::ZeroExtend, Value::Known(_)) => value,
            (Conversion::SignExtend, Value::Known(bits)) => {
                Value::Known(mask(signed(*bits, width) as u64, room))
            }
            (Conversion::Truncate, Value::Known(bits)) => Value::Known(mask(*bits, room)),
            (Conversion::ZeroExtend, Value::Dynamic(expression)) if expression.range().0 >= 0 => value,
            // One bit that is set is -1 as a signed number.
            (Conversion::SignExtend, Value::Dynamic(expression))
                if width > 1 && !expression.is_wide(width) =>
            {
                value
            }
            (Conversion::Truncate, Value::Dynamic(expression)) => {
                let (least, most) = expression.range();
                let half = 1_i64 << (room.clamp(1, 62) - 1);
                let fits = (least >= -half && most < half) || (room == 1 && expression.is_truth());
                if fits {
                    value
                } else {
                    self.unknown(place, "a number that may be cut off")
                }
            }
            _ => self.unknown(place, "a conversion of numbers"),
        }
    }

    fn select(&mut self, condition: &Value, yes: Value, no: Value, place: PlaceId) -> Value {
        match condition {
            Value::Known(condition) => {
                if condition & 1 == 1 {
                    yes
                } else {
                    no
                }
            }
            _ if yes == no => yes,
            Value::Dynamic(condition) => {
                // How many bits they have is not said: a number that may have a sign is not followed.
                let number = |value: &Value| match value {
                    Value::Known(0x8000_0000..=0xffff_ffff) => None,
                    other => other.number(64),
                };
                let made = (|| {
                    let (yes, no) = (number(&yes)?, number(&no)?);
                    // no + condition * (yes - no)
                    let gain = Expression::binary(BinaryOperator::Subtract, &yes, &no)?;
                    let gain = Expression::binary(BinaryOperator::Multiply, condition, &gain)?;
                    condition
                        .is_truth()
                        .then(|| Expression::binary(BinaryOperator::Add, &no, &gain))?
                })();
                match (made, cause_of([&yes, &no])) {
                    (Some(made), None) => Value::Dynamic(made),
                    (_, Some(cause)) => Value::Unknown(cause),
                    (None, None) => self.unknown(place, "one of two values"),
                }
            }
            other => match other.cause() {
                Some(cause) => Value::Unknown(cause),
                None => self.unknown(place, "one of two values"),
            },
        }
    }
}
