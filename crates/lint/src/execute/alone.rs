//! What a thread does alone: instructions on its own registers and on memory that no operation is concerned with, one after
//! the other, without the ceremony of [`Job::step`].
//!
//! Promise: the same effects, in the same order, as by that many steps. Whatever else an instruction may concern (tracked
//! memory, other threads, calls, conditions that the outside world decides, loops that have gone round often) is left to `step`.

use super::function_address;
use crate::arithmetic;
use crate::ir::{Action, Block, BlockId, End, Operand, Predicate, Type};
use crate::job::{Job, SHARED};
use crate::loops::Exit;
use crate::mathematics;
use crate::memory::Memory;
use crate::survey::Survey;
use crate::thread::Frame;
use crate::value::{RANK, Scalar, Value, derived, mask, signed};

/// Most operands of an instruction that is followed here.
const OPERANDS: usize = 4;

impl Job<'_> {
    /// Runs at most so many instructions; how many it ran.
    pub(crate) fn run_alone(&mut self, rank: u32, thread: usize, most: u32) -> u32 {
        let limit = self.single_turns();
        let process = &mut self.processes[rank as usize];
        let own = &mut process.threads[thread];
        let Some(frame) = own.frames.last_mut().filter(|_| own.after.is_empty()) else {
            return 0;
        };
        let function = &self.module.functions[frame.function as usize];
        let exits = &self.survey.exits[frame.function as usize];
        let ways_out = &self.survey.ways_out[frame.function as usize];
        let reached = &mut self.reached[frame.function as usize];
        let mut block = &function.blocks[frame.block as usize];
        let mut alone = Alone {
            frame,
            globals: &process.globals,
            memory: &mut process.memory,
            survey: self.survey,
            size: self.size,
            missing_rank: &mut self.notes.missing_rank,
        };
        let mut done = 0;
        while done < most {
            if let Some(instruction) = block.instructions.get(alone.frame.index) {
                let Some(value) = alone.compute(&instruction.action) else {
                    break;
                };
                let slot = instruction.result.map(|register| register as usize);
                if let Some(slot) = slot.and_then(|slot| alone.frame.registers.get_mut(slot)) {
                    *slot = Value::Scalar(value);
                }
                alone.frame.index += 1;
            } else {
                let exit = exits[alone.frame.block as usize];
                let Some((to, turns)) = alone.next(block, exit, limit) else {
                    break;
                };
                let Some(entered) = function.blocks.get(to as usize) else {
                    break;
                };
                // Where a way out begins, certainty ends.
                if ways_out[to as usize] && !ways_out[alone.frame.block as usize] {
                    break;
                }
                if !alone.merge(entered) {
                    break;
                }
                alone.frame.turns[alone.frame.block as usize] = turns;
                alone.frame.previous = alone.frame.block;
                alone.frame.block = to;
                alone.frame.index = 0;
                reached[to as usize] = true;
                block = entered;
            }
            done += 1;
        }
        self.steps += u64::from(done);
        done
    }
}

/// A thread's innermost frame and what it may touch.
struct Alone<'j> {
    frame: &'j mut Frame,
    globals: &'j [u64],
    memory: &'j mut Memory,
    survey: &'j Survey,
    size: u32,
    missing_rank: &'j mut bool,
}

impl Alone<'_> {
    fn read(&self, operand: &Operand) -> Option<Scalar> {
        Some(match operand {
            Operand::Register(register) => match self.frame.registers.get(*register as usize)? {
                Value::Scalar(scalar) => *scalar,
                Value::Aggregate(_) => return None,
            },
            Operand::Integer(value) => Scalar::known(*value),
            Operand::Float(value) => Scalar::known(value.to_bits()),
            Operand::Single(value) => Scalar::known(u64::from(value.to_bits())),
            Operand::Global(global, offset) => {
                Scalar::known(self.globals[*global as usize].wrapping_add_signed(*offset))
            }
            Operand::Function(function) => Scalar::known(function_address(*function)),
            Operand::Undefined => Scalar::default(),
            Operand::Aggregate(_) => return None,
        })
    }

    /// The result of an instruction, whose effect on memory is done then; `None` if it is not for here.
    fn compute(&mut self, action: &Action) -> Option<Scalar> {
        Some(match action {
            Action::Load {
                address,
                ty,
                atomic: None,
            } => {
                let address = self.own(address, ty)?;
                let mut value = self.memory.load(address, ty.size());
                if let Type::Integer(bits) = ty {
                    value.bits = mask(value.bits, *bits);
                }
                value
            }
            Action::Store {
                address,
                value,
                ty,
                atomic: None,
            } => {
                let value = self.read(value)?;
                let address = self.own(address, ty)?;
                self.memory.store(address, ty.size(), value);
                Scalar::default()
            }
            Action::Offset {
                base,
                constant,
                terms,
            } => {
                let base = self.read(base)?;
                let mut bits = base.bits.wrapping_add_signed(*constant);
                let mut parts = [base; OPERANDS];
                for (index, width, scale) in terms {
                    let value = self.read(index)?;
                    bits = bits.wrapping_add_signed(signed(value.bits, *width).wrapping_mul(*scale));
                }
                for (part, (index, _, _)) in parts.get_mut(1..=terms.len())?.iter_mut().zip(terms) {
                    *part = self.read(index)?;
                }
                Scalar {
                    bits,
                    symbol: derived(("offset", *constant), &parts[..=terms.len()]),
                }
            }
            Action::Arithmetic {
                operator,
                bits,
                left,
                right,
            } => arithmetic::integer(*operator, *bits, self.read(left)?, self.read(right)?),
            Action::FloatArithmetic {
                operator,
                ty,
                left,
                right,
            } => arithmetic::float(*operator, ty, self.read(left)?, self.read(right)?),
            Action::Compare {
                predicate,
                bits,
                left,
                right,
            } => {
                let (left, right) = (self.read(left)?, self.read(right)?);
                *self.missing_rank |= names_missing_rank(*predicate, left, right, self.size);
                arithmetic::compare(*predicate, *bits, left, right)
            }
            Action::FloatCompare {
                predicate,
                ty,
                left,
                right,
            } => arithmetic::float_compare(*predicate, ty, self.read(left)?, self.read(right)?),
            Action::Convert {
                conversion,
                from,
                to,
                value,
            } => arithmetic::convert(*conversion, from, to, self.read(value)?),
            Action::Select { condition, yes, no } => {
                let condition = self.read(condition).filter(|condition| condition.is_known())?;
                self.read(if condition.bits & 1 == 1 { yes } else { no })?
            }
            Action::Call {
                callee: Operand::Function(function),
                arguments,
            } if arguments.len() <= OPERANDS => {
                let name = self.survey.computing[*function as usize].as_deref()?;
                let mut values = [Scalar::default(); OPERANDS];
                for (value, argument) in values.iter_mut().zip(arguments) {
                    *value = self.read(argument)?;
                }
                mathematics::value(name, &values[..arguments.len()])?
            }
            _ => return None,
        })
    }

    /// An address in memory of this process that nobody watches, for a value of a scalar type.
    fn own(&self, address: &Operand, ty: &Type) -> Option<u64> {
        let scalar = matches!(
            ty,
            Type::Integer(1..=64) | Type::Pointer | Type::Float | Type::Double
        );
        let address = self.read(address).filter(|_| scalar)?.bits;
        (address < SHARED && !self.memory.is_tracked(address, ty.size())).then_some(address)
    }

    /// The next block, and how often the branch has stayed in its loop then.
    fn next(&self, block: &Block, exit: Option<Exit>, limit: u32) -> Option<(BlockId, u32)> {
        let turns = self.frame.turns[self.frame.block as usize];
        match &block.end {
            End::Goto(to) => Some((*to, turns)),
            End::Branch { condition, yes, no } => {
                let condition = self.read(condition).filter(|condition| condition.is_known())?;
                let holds = condition.bits & 1 == 1;
                let turns = match exit {
                    None => turns,
                    Some(exit) if holds == exit.leaves => 0,
                    Some(_) if turns + 1 >= limit => return None,
                    Some(_) => turns + 1,
                };
                Some((if holds { *yes } else { *no }, turns))
            }
            _ => None,
        }
    }

    /// Gives the phis of a block that is entered from the one at hand their values; false, and none of them has changed, if one
    /// of them is no scalar.
    fn merge(&mut self, entered: &Block) -> bool {
        const FEW: usize = 8;
        if entered.phis.len() > FEW {
            return false;
        }
        // All are read before any of them is written.
        let mut values = [Scalar::default(); FEW];
        for (value, (_, incoming)) in values.iter_mut().zip(&entered.phis) {
            let incoming = incoming.iter().find(|(from, _)| *from == self.frame.block);
            match incoming.map_or(Some(Scalar::default()), |(_, operand)| self.read(operand)) {
                Some(read) => *value = read,
                None => return false,
            }
        }
        for (value, (register, _)) in values.iter().zip(&entered.phis) {
            self.frame.registers[*register as usize] = Value::Scalar(*value);
        }
        true
    }
}

/// Whether a comparison of the own rank speaks of a process that is not there: `rank == 2` of a third one.
pub(super) fn names_missing_rank(predicate: Predicate, left: Scalar, right: Scalar, size: u32) -> bool {
    let named = match (left.symbol, right.symbol) {
        (RANK, 0) => right,
        (0, RANK) => left,
        _ => return false,
    };
    matches!(predicate, Predicate::Eq | Predicate::Ne) && named.signed32() >= size as i32
}
