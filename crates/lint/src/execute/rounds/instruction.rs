//! What an instruction makes of lines.

use super::line::{Line, symbol, width};
use super::round::{Access, Cell, Execution};
use crate::ir::{Action, Operand, PlaceId, Type};
use crate::mathematics;
use crate::value::{Scalar, signed};
use farside_events::{AccessKind, StackId};

/// Calls within calls.
const DEEPEST: usize = 8;

impl Execution<'_, '_> {
    /// Does an instruction; its result, if it is a line. `None` if it is not for here.
    pub(super) fn act(&mut self, action: &Action, place: PlaceId, stack: StackId) -> Option<Option<Line>> {
        Some(match action {
            Action::Load {
                address,
                ty,
                atomic: None,
            } => {
                let address = self.read(address)?;
                self.load(address, ty, place, stack)?
            }
            Action::Store {
                address,
                value,
                ty,
                atomic: None,
            } => {
                let address = self.read(address)?;
                let value = self.read(value);
                self.store(address, value, ty, place, stack)?;
                None
            }
            Action::Offset {
                base,
                constant,
                terms,
            } => self.offset(base, *constant, terms),
            Action::Arithmetic {
                operator,
                bits,
                left,
                right,
            } => {
                let (left, right) = (self.read(left), self.read(right));
                Line::arithmetic(*operator, *bits, left.unwrap_or(NONE), right.unwrap_or(NONE))
                    .filter(|_| left.is_some() && right.is_some())
            }
            Action::FloatArithmetic {
                operator,
                ty,
                left,
                right,
            } => {
                let fixed = (self.fixed(left), self.fixed(right));
                let (Some(left), Some(right)) = fixed else {
                    return Some(None);
                };
                let value = crate::arithmetic::float(*operator, ty, left, right);
                Some(Line::constant(value, width(ty)))
            }
            Action::Compare {
                predicate,
                bits,
                left,
                right,
            } => {
                let (Some(left), Some(right)) = (self.read(left), self.read(right)) else {
                    return Some(None);
                };
                Some(Line::compare(
                    *predicate,
                    *bits,
                    left,
                    right,
                    &mut self.round.bound,
                ))
            }
            Action::FloatCompare {
                predicate,
                ty,
                left,
                right,
            } => {
                let fixed = (self.fixed(left), self.fixed(right));
                let (Some(left), Some(right)) = fixed else {
                    return Some(None);
                };
                let value = crate::arithmetic::float_compare(*predicate, ty, left, right);
                Some(Line::constant(value, 1))
            }
            Action::Convert {
                conversion,
                from,
                to,
                value,
            } => {
                let value = self.read(value);
                value.and_then(|value| value.convert(*conversion, from, to, &mut self.round.bound))
            }
            Action::Select { condition, yes, no } => match self.fixed(condition) {
                Some(condition) if condition.is_known() => {
                    self.read(if condition.bits & 1 == 1 { yes } else { no })
                }
                _ => None,
            },
            Action::Call {
                callee: Operand::Function(function),
                arguments,
            } => self.call(*function, arguments, place, stack)?,
            Action::Extract { .. } | Action::Insert { .. } => None,
            _ => return None,
        })
    }

    fn fixed(&mut self, operand: &Operand) -> Option<Scalar> {
        self.read(operand)?.fixed()
    }

    /// A function that only computes, or one of the module.
    fn call(
        &mut self,
        function: u32,
        arguments: &[Operand],
        place: PlaceId,
        stack: StackId,
    ) -> Option<Option<Line>> {
        let values: Vec<Option<Line>> = arguments.iter().map(|argument| self.read(argument)).collect();
        if let Some(name) = &self.job.survey.computing[function as usize] {
            let fixed: Option<Vec<Scalar>> = values.iter().map(|value| (*value)?.fixed()).collect();
            return Some(
                fixed
                    .and_then(|values| mathematics::value(name, &values))
                    .map(|value| Line::constant(value, 64)),
            );
        }
        let called = &self.job.module.functions[function as usize];
        if called.blocks.is_empty() || self.job.is_replaced(&called.name) || self.called.len() >= DEEPEST {
            return None;
        }
        let stack = self.stacks.push(place, stack);
        self.called.push((0..).zip(values).collect());
        let result = self.blocks(function, stack, None);
        self.called.pop();
        result
    }

    fn offset(&mut self, base: &Operand, constant: i64, terms: &[(Operand, u32, i64)]) -> Option<Line> {
        let mut sum = self.read(base)?;
        sum.base = sum.base.wrapping_add_signed(constant);
        for (index, bits, scale) in terms {
            let index = self.read(index)?;
            let (base, step) = match index.fixed() {
                Some(index) => (signed(index.bits, *bits), 0),
                None => {
                    let (base, step) = index.whole(*bits, true, &mut self.round.bound);
                    (base as i64, step as i64)
                }
            };
            sum.symbol = symbol(&[sum, index]);
            sum.base = sum.base.wrapping_add_signed(base.wrapping_mul(*scale));
            sum.step = sum.step.wrapping_add_signed(step.wrapping_mul(*scale));
        }
        sum.bits = 64;
        Some(sum)
    }

    fn load(&mut self, address: Line, ty: &Type, place: PlaceId, stack: StackId) -> Option<Option<Line>> {
        let is_cell = address.fixed().is_some() && is_scalar(ty);
        self.round.accesses.push(Access {
            kind: AccessKind::Load,
            address,
            size: ty.size(),
            place,
            stack,
            value: None,
            is_cell,
        });
        if !is_cell {
            return Some(None);
        }
        let cell = self.cell(address.base, ty)?;
        Some(cell.value)
    }

    fn store(
        &mut self,
        address: Line,
        value: Option<Line>,
        ty: &Type,
        place: PlaceId,
        stack: StackId,
    ) -> Option<()> {
        let is_cell = address.fixed().is_some() && is_scalar(ty);
        self.round.accesses.push(Access {
            kind: AccessKind::Store,
            address,
            size: ty.size(),
            place,
            stack,
            value: value.filter(|_| is_scalar(ty)),
            is_cell,
        });
        if is_cell {
            let cell = self.cell(address.base, ty)?;
            cell.is_written = true;
            cell.value = value.map(|value| Line {
                bits: width(ty),
                ..value
            });
        }
        Some(())
    }

    /// The variable at an address; `None` if another one lies across it.
    fn cell(&mut self, address: u64, ty: &Type) -> Option<&mut Cell> {
        let end = address.checked_add(ty.size())?;
        let (job, rank, from_before) = (self.job, self.rank, self.from_before);
        let cells = &mut self.round.cells;
        cells.entry(address).or_insert_with(|| Cell {
            ty: ty.clone(),
            value: match from_before.cells.get(&address) {
                Some(value) => *value,
                None => Some(Line::constant(job.load(rank, address, ty).scalar(), width(ty))),
            },
            is_written: false,
        });
        let before = cells.range(..address).next_back();
        let after = cells.range(address + 1..).next();
        let apart = before.is_none_or(|(at, cell)| at + cell.ty.size() <= address)
            && after.is_none_or(|(at, _)| *at >= end)
            && cells[&address].ty.size() == ty.size();
        self.round.cells.get_mut(&address).filter(|_| apart)
    }
}

/// In the place of an operand that is no line.
const NONE: Line = Line {
    base: 0,
    step: 0,
    bits: 64,
    symbol: 0,
};

/// Whether values of a type are kept in one register.
fn is_scalar(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Integer(1..=64) | Type::Pointer | Type::Float | Type::Double
    )
}
