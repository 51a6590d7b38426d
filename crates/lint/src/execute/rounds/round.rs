//! One round of a loop, executed over lines: what it does in each of the rounds that are to come.

mod instruction;

use super::line::{Bound, ENDLESS, Line, Stop};
use crate::execute::Job;
use crate::execute::machine::{self, Machine};
use crate::ir::{BlockId, End, Operand, PlaceId, Register};
use crate::site::At;
use crate::stacks::Stacks;
use crate::value::Value;
use farside_events::{AccessKind, StackId};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions of a round; a longer one is not taken together.
const LONGEST: u64 = 4096;

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

/// Executes a round for a thread that is about to begin it; `None` if it does something that lines do not say.
pub(super) fn follow(
    job: &Job,
    stacks: &mut Stacks,
    at: At,
    circle: Circle,
    carried: &Carried,
) -> Option<Round> {
    let frame = job.processes.frame(at)?;
    let mut execution = Execution {
        job,
        stacks,
        rank: at.rank,
        start: frame.registers(),
        from_before: carried,
        round: Round {
            registers: BTreeMap::new(),
            carried: BTreeSet::new(),
            cells: BTreeMap::new(),
            accesses: Vec::new(),
            bound: Bound(ENDLESS),
            entered: BTreeSet::new(),
            length: 0,
        },
        called: Vec::new(),
        stack: frame.stack(),
    };
    execution.blocks(circle.function, Some(circle))?;
    Some(execution.round)
}

/// A round that is being executed.
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
    /// The calls that led to the function at hand.
    stack: StackId,
}

impl Execution<'_, '_> {
    /// Executes the blocks of the round, or of a function up to its return, whose value it gives.
    fn blocks(&mut self, function: u32, circle: Option<Circle>) -> Option<Option<Line>> {
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
            self.round.entered.insert((function, at));
            machine::merge(self, block, before).ok()?;
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
                End::Branch { condition, yes, no } => {
                    let condition = self.number(condition).ok()?;
                    if self.decide(condition).ok()? { *yes } else { *no }
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
            (None, Some(Value::Scalar(scalar))) if self.called.is_empty() => Line::constant(*scalar, 64),
            _ => None,
        }
    }

    fn constant(&self, operand: &Operand) -> Option<Line> {
        match operand {
            Operand::Aggregate(_) => None,
            operand => Line::constant(self.job.globals.constant(operand).scalar(), 64),
        }
    }
}
