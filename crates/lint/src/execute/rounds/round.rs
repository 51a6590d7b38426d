//! One round of a loop, executed over lines: what it does in each of the rounds that are to come.

mod inner;
mod instruction;
pub(super) mod proof;

use super::access::Access;
use super::bound::Bound;
use super::line::{Line, Stop};
use crate::choices::Choice;
use crate::execute::Job;
use crate::execute::machine::{self, Machine};
use crate::ir::{Block, BlockId, End, Operand, Register};
use crate::site::At;
use crate::stacks::Stacks;
use crate::value::Value;
use farside_events::StackId;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions of a round, with those that it takes to know what loops within do; a longer one is not taken together.
const LONGEST: u64 = 1 << 14;

/// What the values that go from round to round are in each of them; `None` for those that are no line.
#[derive(Clone, Debug, Default)]
pub(super) struct Carried {
    pub(super) registers: BTreeMap<Register, Option<Line>>,
    pub(super) cells: BTreeMap<u64, Option<Line>>,
}

/// A variable in memory whose address is the same in every round.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) size: u64,
    pub(super) value: Option<Line>,
    pub(super) is_written: bool,
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
    /// The blocks that it enters, with their functions.
    pub(super) entered: BTreeSet<(u32, BlockId)>,
    pub(super) length: u64,
}

/// Where a loop is entered for a round, and where the round ends: at the branch of a block that stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    pub(super) function: u32,
    pub(super) from: BlockId,
    pub(super) to: BlockId,
}

/// What there is before the first of the rounds.
#[derive(Clone, Copy)]
pub(super) enum Before<'b, 'm> {
    /// A thread that is about to begin it.
    Thread(&'b Job<'m>, At),
    /// A round of a loop around it.
    Round(&'b Execution<'b, 'm>),
}

impl<'b, 'm> Before<'b, 'm> {
    fn job(self) -> &'b Job<'m> {
        match self {
            Self::Thread(job, _) => job,
            Self::Round(execution) => execution.job,
        }
    }

    fn rank(self) -> u32 {
        match self {
            Self::Thread(_, at) => at.rank,
            Self::Round(execution) => execution.rank,
        }
    }

    fn stack(self) -> Option<StackId> {
        match self {
            Self::Thread(job, at) => job.processes.frame(at).map(|frame| frame.stack()),
            Self::Round(execution) => Some(execution.stack),
        }
    }

    /// The loops around the one at hand whose rounds are taken, too.
    pub(super) fn depth(self) -> usize {
        match self {
            Self::Thread(..) => 0,
            Self::Round(execution) => execution.round.bound.depth() + 1,
        }
    }

    /// What a register of the function at hand holds.
    pub(super) fn register(self, register: Register) -> Option<Line> {
        match self {
            Self::Thread(job, at) => match job.processes.frame(at)?.register(register)? {
                Value::Scalar(scalar) => Line::constant(*scalar, 64),
                Value::Aggregate(_) => None,
            },
            Self::Round(execution) => execution.register(register),
        }
    }

    /// What a variable in memory holds; `None` if another one lies across it.
    pub(super) fn cell(self, address: u64, size: u64) -> Option<Option<Line>> {
        match self {
            Self::Thread(job, at) => {
                let value = job.memory(at.rank, address).load(address, size);
                Some(Line::constant(value, 8 * size as u32))
            }
            Self::Round(execution) => execution.variable(address, size),
        }
    }
}

/// Executes a round of what is about to begin one; `None` if it does something that lines do not say.
pub(super) fn follow(
    before: Before,
    stacks: &mut Stacks,
    circle: Circle,
    carried: &Carried,
) -> Option<Round> {
    let mut execution = Execution {
        job: before.job(),
        stacks,
        rank: before.rank(),
        before,
        from_before: carried,
        round: Round {
            registers: BTreeMap::new(),
            carried: BTreeSet::new(),
            cells: BTreeMap::new(),
            accesses: Vec::new(),
            bound: Bound::of_loop(before.depth()),
            entered: BTreeSet::new(),
            length: 0,
        },
        called: Vec::new(),
        stack: before.stack()?,
        single: 0,
    };
    execution.blocks(circle.function, Some(circle))?;
    Some(execution.round)
}

/// A round that is being executed.
pub(super) struct Execution<'e, 'm> {
    job: &'e Job<'m>,
    stacks: &'e mut Stacks,
    rank: u32,
    before: Before<'e, 'm>,
    from_before: &'e Carried,
    round: Round,
    /// The registers of functions that are being called.
    called: Vec<BTreeMap<Register, Option<Line>>>,
    /// The calls that led to the function at hand.
    stack: StackId,
    /// Rounds of loops within that were executed one by one.
    single: u32,
}

impl Execution<'_, '_> {
    /// Executes the blocks of the round, or of a function up to its return, whose value it gives.
    fn blocks(&mut self, function: u32, circle: Option<Circle>) -> Option<Option<Line>> {
        let blocks = &self.job.module.functions[function as usize].blocks;
        let mut seen = BTreeSet::new();
        let mut chosen: Option<Choice> = None;
        let mut before = circle.map(|circle| circle.from);
        let mut at = circle.map_or(0, |circle| circle.to);
        loop {
            if !seen.insert(at) {
                let from = before?;
                let circle = Circle {
                    function,
                    from,
                    to: at,
                };
                self.inner_rounds(circle, &mut seen)?;
            }
            let block = blocks.get(at as usize)?;
            self.round.entered.insert((function, at));
            match chosen.take() {
                Some(choice) => self.choose(block, choice),
                None => machine::merge(self, block, before).ok()?,
            }
            for instruction in &block.instructions {
                self.round.length += 1;
                if self.round.length > LONGEST {
                    return None;
                }
                let value = match machine::act(self, &instruction.action, instruction.place) {
                    Ok(value) => value,
                    Err(Stop::NoLine) => None,
                    Err(Stop::NotFollowed) => return None,
                };
                if let Some(register) = instruction.result {
                    self.set(register, value);
                }
            }
            let next = match &block.end {
                End::Goto(to) => *to,
                End::Branch { condition, yes, no } => match self.number(condition) {
                    Ok(condition) if self.decide(condition).ok()? => *yes,
                    Ok(_) => *no,
                    Err(_) => {
                        let choice = self.job.survey.choice(function, at)?;
                        let sides = choice.from().map(|from| (function, from));
                        self.round.entered.extend(sides);
                        chosen = Some(choice);
                        choice.join()
                    }
                },
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

    /// Gives the phis of a block their values, in which two ways meet of which either may have been taken.
    fn choose(&mut self, block: &Block, choice: Choice) {
        let merged = block.phis.iter().map(|(register, incoming)| {
            let value = choice.same(incoming).and_then(|same| self.read(same));
            (*register, value)
        });
        for (register, value) in merged.collect::<Vec<_>>() {
            self.set(register, value);
        }
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
        match operand {
            Operand::Register(register) => self.register(*register),
            constant => self.constant(constant),
        }
    }

    fn register(&self, register: Register) -> Option<Line> {
        let known = match self.called.last() {
            Some(registers) => return registers.get(&register).copied().flatten(),
            None => self.round.registers.get(&register),
        };
        let known = known.or_else(|| self.from_before.registers.get(&register));
        known.copied().unwrap_or_else(|| self.before.register(register))
    }

    fn constant(&self, operand: &Operand) -> Option<Line> {
        match operand {
            Operand::Aggregate(_) => None,
            operand => Line::constant(self.job.globals.constant(operand).scalar(), 64),
        }
    }

    /// What the variable at an address holds; `None` if another one lies across it.
    fn variable(&self, address: u64, size: u64) -> Option<Option<Line>> {
        let end = address.checked_add(size)?;
        let cells = &self.round.cells;
        match cells.get(&address) {
            Some(cell) => return (cell.size == size).then_some(cell.value),
            None if cells.range(address..end).next().is_some() => return None,
            None => {}
        }
        let before = cells.range(..address).next_back();
        if before.is_some_and(|(at, cell)| at + cell.size > address) {
            return None;
        }
        match self.from_before.cells.get(&address) {
            Some(value) => Some(*value),
            None => self.before.cell(address, size),
        }
    }

    /// The variable at an address; `None` if another one lies across it.
    fn cell(&mut self, address: u64, size: u64) -> Option<&mut Cell> {
        let value = self.variable(address, size)?;
        let cells = &mut self.round.cells;
        Some(cells.entry(address).or_insert(Cell {
            size,
            value,
            is_written: false,
        }))
    }
}
