//! One round of a loop, executed over lines: what it does in each of the rounds that are to come.

use super::line::{Bound, ENDLESS, Line, symbol, width};
use crate::ir::{Action, Block, BlockId, End, Operand, PlaceId, Register, Type};
use crate::job::Job;
use crate::mathematics;
use crate::stacks::Stacks;
use crate::value::{Scalar, Value, signed};
use farside_events::{AccessKind, StackId};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions of a round; a longer one is not taken together.
const LONGEST: u64 = 4096;
/// Calls within calls.
const DEEPEST: usize = 8;

/// What the values that go from round to round are in each of them; `None` for those that are no line.
#[derive(Clone, Debug, Default)]
pub(super) struct Carried {
    pub(super) registers: BTreeMap<Register, Option<Line>>,
    pub(super) cells: BTreeMap<u64, Option<Line>>,
}

/// A variable in memory whose address is the same in every round.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) ty: Type,
    pub(super) value: Option<Line>,
    pub(super) is_written: bool,
    /// Whether its value of the round before is read.
    pub(super) is_carried: bool,
}

/// A load or store of each round.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) kind: AccessKind,
    pub(super) address: Line,
    pub(super) size: u64,
    pub(super) place: PlaceId,
    pub(super) stack: StackId,
    /// What a store to an address that is not the same in each round leaves there.
    pub(super) value: Option<Line>,
    pub(super) is_cell: bool,
}

/// What a round does.
#[derive(Debug)]
pub(super) struct Round {
    pub(super) registers: BTreeMap<Register, Option<Line>>,
    /// Registers whose value of the round before is read.
    pub(super) carried: BTreeSet<Register>,
    pub(super) cells: BTreeMap<u64, Cell>,
    pub(super) accesses: Vec<Access>,
    pub(super) bound: Bound,
    pub(super) length: u64,
}

/// Where a loop is entered for a round, and where the round ends: at the branch of a block that stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    pub(super) function: u32,
    pub(super) from: BlockId,
    pub(super) to: BlockId,
}

/// Executes a round for a thread that is about to begin it; `None` if it does something that lines do not say.
pub(super) fn follow(
    job: &Job,
    stacks: &mut Stacks,
    (rank, thread): (u32, usize),
    circle: Circle,
    carried: &Carried,
) -> Option<Round> {
    let frame = job.processes[rank as usize].threads[thread].frames.last()?;
    let mut execution = Execution {
        job,
        stacks,
        rank,
        start: &frame.registers,
        from_before: carried,
        round: Round {
            registers: BTreeMap::new(),
            carried: BTreeSet::new(),
            cells: BTreeMap::new(),
            accesses: Vec::new(),
            bound: Bound(ENDLESS),
            length: 0,
        },
        called: Vec::new(),
    };
    execution.blocks(circle.function, frame.stack, Some(circle))?;
    Some(execution.round)
}

struct Execution<'e, 'm> {
    job: &'e Job<'m>,
    stacks: &'e mut Stacks,
    rank: u32,
    /// The registers before the first round.
    start: &'e [Value],
    from_before: &'e Carried,
    round: Round,
    /// The registers of functions that are being called.
    called: Vec<BTreeMap<Register, Option<Line>>>,
}

impl Execution<'_, '_> {
    /// Executes the blocks of the round, or of a function up to its return, whose value it gives.
    fn blocks(&mut self, function: u32, stack: StackId, circle: Option<Circle>) -> Option<Option<Line>> {
        let blocks = &self.job.module.functions[function as usize].blocks;
        let mut seen = BTreeSet::new();
        let mut before = circle.map(|circle| circle.from);
        let mut at = circle.map_or(0, |circle| circle.to);
        loop {
            // A loop within the loop.
            if !seen.insert(at) {
                return None;
            }
            let block = blocks.get(at as usize)?;
            self.merge(block, before)?;
            for instruction in &block.instructions {
                self.round.length += 1;
                if self.round.length > LONGEST {
                    return None;
                }
                let value = self.act(&instruction.action, instruction.place, stack)?;
                if let Some(register) = instruction.result {
                    self.set(register, value);
                }
            }
            let next = match &block.end {
                End::Goto(to) => *to,
                End::Branch { condition, yes, no } => {
                    let condition = self.condition(condition)?;
                    if condition { *yes } else { *no }
                }
                End::Switch {
                    value,
                    cases,
                    default,
                } => {
                    let value = self.read(value)?.fixed().filter(|value| value.is_known())?;
                    let case = cases.iter().find(|(case, _)| *case == value.bits);
                    case.map_or(*default, |(_, to)| *to)
                }
                End::Return(value) if circle.is_none() => {
                    return Some(value.as_ref().and_then(|value| self.read(value)));
                }
                _ => return None,
            };
            if let Some(circle) = circle
                && at == circle.from
            {
                return (next == circle.to).then_some(None);
            }
            before = Some(at);
            at = next;
        }
    }

    /// A condition that is known and the same in all rounds, as far as they are bounded.
    fn condition(&mut self, operand: &Operand) -> Option<bool> {
        let value = self.read(operand)?.fixed()?;
        value.is_known().then_some(value.bits & 1 == 1)
    }

    fn merge(&mut self, block: &Block, before: Option<BlockId>) -> Option<()> {
        let mut values = Vec::with_capacity(block.phis.len());
        for (register, incoming) in &block.phis {
            let (_, operand) = incoming.iter().find(|(from, _)| Some(*from) == before)?;
            values.push((*register, self.read(operand)));
        }
        for (register, value) in values {
            self.set(register, value);
        }
        Some(())
    }

    fn set(&mut self, register: Register, value: Option<Line>) {
        match self.called.last_mut() {
            Some(registers) => registers.insert(register, value),
            None => self.round.registers.insert(register, value),
        };
    }

    fn read(&mut self, operand: &Operand) -> Option<Line> {
        if let (Operand::Register(register), true) = (operand, self.called.is_empty())
            && !self.round.registers.contains_key(register)
        {
            self.round.carried.insert(*register);
        }
        self.read_plain(operand)
    }

    fn read_plain(&self, operand: &Operand) -> Option<Line> {
        let Operand::Register(register) = operand else {
            return self.constant(operand);
        };
        let known = match self.called.last() {
            Some(registers) => registers.get(register),
            None => self
                .round
                .registers
                .get(register)
                .or_else(|| self.from_before.registers.get(register)),
        };
        match (known, self.start.get(*register as usize)) {
            (Some(value), _) => *value,
            (None, Some(Value::Scalar(scalar))) if self.called.is_empty() => {
                Some(Line::constant(*scalar, 64))
            }
            _ => None,
        }
    }

    fn constant(&self, operand: &Operand) -> Option<Line> {
        match operand {
            Operand::Aggregate(_) => None,
            operand => Some(Line::constant(self.job.constant(self.rank, operand).scalar(), 64)),
        }
    }

    /// Does an instruction; its result, if it is a line. `None` if it is not for here.
    fn act(&mut self, action: &Action, place: PlaceId, stack: StackId) -> Option<Option<Line>> {
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
        if !cell.is_written {
            cell.is_carried = true;
        }
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
        let cells = &mut self.round.cells;
        if !cells.contains_key(&address) {
            let (job, rank) = (self.job, self.rank);
            let value = match self.from_before.cells.get(&address) {
                Some(value) => *value,
                None => Some(Line::constant(job.load(rank, address, ty).scalar(), width(ty))),
            };
            let cell = Cell {
                ty: ty.clone(),
                value,
                is_written: false,
                is_carried: false,
            };
            cells.insert(address, cell);
        }
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
