//! What a thread does alone: instructions on its own registers and on memory that no operation is concerned with, one after
//! the other. They mean what they mean in [`machine`]; what is saved is to look at all else that a step may concern.
//!
//! Promise: the same effects, in the same order, as by that many steps ([`Job::step`]). What an instruction may concern besides
//! (tracked memory, other threads, calls, conditions that the outside world decides, loops that have gone round often) is
//! left to such a step.

use super::concrete::{Concrete, Ranks};
use super::known::{Declined, Known, plain_scalar};
use super::machine::{self, Machine};
use crate::budget::Turns;
use crate::execute::Job;
use crate::ir::{Action, Block, BlockId, End, Operand, Ordering, PlaceId, Register, Type};
use crate::layout::function_at;
use crate::layout::{Globals, SHARED};
use crate::loops::Exit;
use crate::mathematics;
use crate::memory::Memory;
use crate::process::Frame;
use crate::site::At;
use crate::survey::Survey;
use crate::symbolic::Terms;
use crate::value::{Scalar, Value, mask};

/// Most arguments of a call that is followed here.
const OPERANDS: usize = 4;

impl Job<'_> {
    /// Runs at most so many instructions; how many it ran.
    pub(crate) fn run_alone(&mut self, at: At, most: u32) -> u32 {
        let limits = self.budget.turns();
        let process = self.processes.of_mut(at.rank);
        let (own, memory) = process.thread_and_memory(at.thread);
        let may_run = own.after().is_empty();
        let Some(frame) = own.frame_mut().filter(|_| may_run) else {
            return 0;
        };
        let function = &self.module.functions[frame.function() as usize];
        let exits = self.survey.exits(frame.function());
        let ways_out = self.survey.ways_out(frame.function());
        let (entered_blocks, missing_rank, terms) = self.notes.within(frame.function());
        let mut block = &function.blocks[frame.block() as usize];
        let mut alone = Alone {
            frame,
            globals: &self.globals,
            memory,
            survey: self.survey,
            size: self.size,
            is_watched: self.still.is_open(),
            missing_rank,
            terms,
        };
        let mut done = 0;
        while done < most {
            if let Some(instruction) = block.instructions.get(alone.frame.index()) {
                let followed = machine::step(&mut alone.known(), instruction)
                    .or_else(|Declined| machine::step(&mut alone, instruction));
                let Ok(()) = followed else { break };
                alone.frame.advance();
            } else {
                let exit = exits[alone.frame.block() as usize];
                let Some((to, turns)) = alone.next(block, exit, limits) else {
                    break;
                };
                let Some(entered) = function.blocks.get(to as usize) else {
                    break;
                };
                // Where a way out begins, certainty ends.
                if ways_out[to as usize] && !ways_out[alone.frame.block() as usize] {
                    break;
                }
                let from = alone.frame.block();
                let followed = machine::merge(&mut alone.known(), entered, Some(from))
                    .or_else(|Declined| machine::merge(&mut alone, entered, Some(from)));
                let Ok(()) = followed else { break };
                alone.frame.set_turns(turns);
                alone.frame.go_to(to);
                entered_blocks[to as usize] = true;
                block = entered;
            }
            done += 1;
        }
        self.budget.spend(u64::from(done));
        done
    }
}

/// A thread's innermost frame and what it may touch.
struct Alone<'j> {
    frame: &'j mut Frame,
    globals: &'j Globals,
    memory: &'j mut Memory,
    survey: &'j Survey,
    size: u32,
    /// Whether it matters how each round of a loop ends.
    is_watched: bool,
    missing_rank: &'j mut bool,
    terms: &'j mut Terms,
}

impl Machine for Alone<'_> {
    type Domain = Concrete<Declined>;
    type Number = Scalar;
    type Value = Scalar;
    type Stop = Declined;

    #[inline]
    fn number(&mut self, operand: &Operand) -> Result<Scalar, Declined> {
        self.read(operand).ok_or(Declined)
    }

    #[inline]
    fn value(&mut self, operand: &Operand) -> Result<Scalar, Declined> {
        self.number(operand)
    }

    #[inline]
    fn unnamed(&mut self) -> Result<Scalar, Declined> {
        Ok(Scalar::default())
    }

    #[inline]
    fn set(&mut self, register: Register, value: Scalar) {
        self.frame.set(register, Value::Scalar(value));
    }

    #[inline]
    fn notes(&mut self) -> Ranks<'_> {
        Ranks::new(self.size, (self.missing_rank, self.terms))
    }

    #[inline]
    fn load(
        &mut self,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        _: PlaceId,
    ) -> Result<Scalar, Declined> {
        let chosen = address;
        let address = self.own(address, ty, atomic)?;
        let mut value = self.memory.load(address, ty.size());
        // Which function it is may be a question to the outside world.
        if matches!(ty, Type::Pointer)
            && function_at(value.bits).is_some()
            && !self.number(chosen)?.is_known()
        {
            return Err(Declined);
        }
        if let Type::Integer(bits) = ty {
            value.bits = mask(value.bits, *bits);
        }
        Ok(value)
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
        self.memory.store(address, ty.size(), value);
        Ok(())
    }

    #[inline]
    fn decide(&mut self, condition: Scalar) -> Result<bool, Declined> {
        match condition.is_known() {
            true => Ok(condition.bits & 1 == 1),
            false => Err(Declined),
        }
    }

    #[inline]
    fn special(&mut self, action: &Action, _: PlaceId) -> Result<Scalar, Declined> {
        match action {
            Action::Call {
                callee: Operand::Function(function),
                arguments,
            } => self.compute(*function, arguments),
            _ => Err(Declined),
        }
    }
}

impl Alone<'_> {
    /// The same thread, as long as all numbers are known.
    #[inline]
    fn known(&mut self) -> Known<'_> {
        Known::new(self.frame, self.globals, self.memory)
    }

    fn read(&self, operand: &Operand) -> Option<Scalar> {
        match operand {
            Operand::Register(register) => match self.frame.register(*register)? {
                Value::Scalar(scalar) => Some(*scalar),
                Value::Aggregate(_) => None,
            },
            constant => self.globals.number(constant).map(Scalar::known),
        }
    }

    /// What a function returns that only computes.
    fn compute(&mut self, function: u32, arguments: &[Operand]) -> Result<Scalar, Declined> {
        let name = self.survey.computing(function);
        let mut values = [Scalar::default(); OPERANDS];
        let values = values.get_mut(..arguments.len()).ok_or(Declined)?;
        for (value, argument) in values.iter_mut().zip(arguments) {
            *value = self.number(argument)?;
        }
        name.and_then(|name| mathematics::value(name, values))
            .ok_or(Declined)
    }

    /// An address in memory of this process that nobody watches, for a value of a scalar type.
    fn own(&mut self, address: &Operand, ty: &Type, atomic: Option<Ordering>) -> Result<u64, Declined> {
        plain_scalar(ty, atomic)?;
        let address = self.number(address)?;
        let (at, size) = (address.bits, ty.size());
        match at < SHARED && !address.is_uncomputed() && !self.memory.is_tracked(at, size) {
            true => Ok(at),
            false => Err(Declined),
        }
    }

    /// The next block, and how often the branch has stayed in its loop then.
    fn next(&mut self, block: &Block, exit: Option<Exit>, limits: Turns) -> Option<(BlockId, u32)> {
        let turns = self.frame.turns();
        match &block.end {
            End::Goto(to) => Some((*to, turns)),
            End::Branch { condition, yes, no } => {
                let holds = match Known::read(self.frame, self.globals, condition) {
                    Some(condition) => condition & 1 == 1,
                    None => {
                        let condition = self.number(condition).ok()?;
                        self.decide(condition).ok()?
                    }
                };
                let turns = match exit {
                    None => turns,
                    Some(exit) if holds == exit.leaves => 0,
                    Some(_) if self.is_watched || limits.need_a_step(turns + 1) => return None,
                    Some(_) => turns + 1,
                };
                Some((if holds { *yes } else { *no }, turns))
            }
            _ => None,
        }
    }
}
