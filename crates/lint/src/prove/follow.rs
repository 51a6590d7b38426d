//! The paths of one process of any job, followed to their ends.
//!
//! Promise: each process of each job takes one of the paths that are given, and does there what the path says; or
//! [`Outside`] says which line of the program is not followed. A condition that holds of some ranks only makes two
//! paths, and so does one on a value that is not known.

use super::memory::Object;
use super::number::{Number, Outside, Stop};
use super::paths::Paths;
use super::running::{Running, outside, store};
use super::state::{Ended, Frame, State, Value};
use crate::execute::machine::{self, Machine as _};
use crate::ir::{Action, BlockId, End, Operand};

/// Paths, at most.
const PATHS: usize = 512;
/// Instructions of all paths together.
const STEPS: u64 = 4_000_000;
/// How often a path comes to the same fork of the ways: more is a loop whose rounds are not counted.
const FORKS: u32 = 12;

impl Paths<'_> {
    /// All paths, to their ends.
    pub(super) fn all(&mut self, arguments: Option<&[String]>) -> Result<Vec<State>, Outside> {
        let start = self.start(arguments)?;
        self.from(start)
    }

    /// All paths that begin so, to their ends or to that of the round at hand.
    pub(super) fn from(&mut self, start: State) -> Result<Vec<State>, Outside> {
        let mut waiting = vec![start];
        let mut ended = Vec::new();
        while let Some(mut state) = waiting.pop() {
            match self.follow(&mut state) {
                Ok(()) => ended.push(state),
                Err(Stop::Elsewhere(outside)) => return Err(outside),
                Err(Stop::Outside(reason)) => {
                    let place = self.place(&state);
                    return Err(Outside { place, reason });
                }
                Err(stop) => waiting.extend(self.forked(state, &stop)?),
            }
            if ended.len() + waiting.len() > PATHS {
                return Err(Outside {
                    place: 0,
                    reason: format!("there are more than {PATHS} ways through it"),
                });
            }
        }
        Ok(ended)
    }

    /// The two ways that go on from a condition.
    fn forked(&mut self, mut state: State, stop: &Stop) -> Result<[State; 2], Outside> {
        let place = self.place(&state);
        if state.fork() > FORKS {
            let reason = match stop {
                Stop::Either => "how often this goes round depends on data, which are not followed",
                _ => "how often this goes round depends on the rank or the number of ranks",
            };
            let reason = reason.to_owned();
            return Err(Outside { place, reason });
        }
        let (mut yes, mut no) = (state.clone(), state);
        match stop {
            Stop::Fork(condition) => {
                let Some(contrary) = condition.negated(&mut self.prover.terms) else {
                    let reason = "a number is too large".to_owned();
                    return Err(Outside { place, reason });
                };
                yes.given.push(*condition);
                no.given.push(contrary);
            }
            _ => {
                yes.choices.push(true);
                no.choices.push(false);
            }
        }
        Ok([yes, no])
    }

    fn start(&mut self, arguments: Option<&[String]>) -> Result<State, Outside> {
        let outside = |reason: &str| Outside {
            place: 0,
            reason: reason.to_owned(),
        };
        let mut functions = self.module.functions.iter();
        let main = functions.position(|function| function.name == "main" && !function.blocks.is_empty());
        let main = main.ok_or_else(|| outside("there is no function main"))?;
        let begins = |name: &str| {
            self.module
                .globals
                .iter()
                .any(|global| global.name == name && global.size > 0)
        };
        if begins("llvm.global_ctors") {
            return Err(outside("functions run before main"));
        }
        let mut state = State::default();
        for global in &self.module.globals {
            let size = self.prover.terms.constant(global.size as i64);
            // What another module defines holds what nobody knows here.
            state.add(Object::new(size, !global.external));
        }
        for (number, global) in self.module.globals.iter().enumerate() {
            for (offset, ty, operand) in &global.initial {
                let value = self.constant(operand);
                store(state.object_mut(number as u32), *offset as i64, ty, &value);
            }
        }
        let values = self.arguments(&mut state, arguments);
        let function = &self.module.functions[main];
        state.frames.push(Frame::of(main as u32, function, values, None));
        Ok(state)
    }

    /// `argc` and `argv`.
    fn arguments(&mut self, state: &mut State, arguments: Option<&[String]>) -> Vec<Value> {
        let Some(words) = arguments else {
            return vec![Value::default(), Value::default()];
        };
        let words: Vec<&str> = std::iter::once("program")
            .chain(words.iter().map(String::as_str))
            .collect();
        let size = self.prover.terms.constant(8 * (words.len() as i64 + 1));
        let list = state.add(Object::new(size, true));
        let start = self.prover.terms.constant(0);
        for (nth, word) in words.iter().enumerate() {
            let size = self.prover.terms.constant(word.len() as i64 + 1);
            let mut text = Object::new(size, true);
            for (at, byte) in word.bytes().enumerate() {
                text.store(at as i64, 1, Number::Known(u64::from(byte)));
            }
            let text = state.add(text);
            state
                .object_mut(list)
                .store(8 * nth as i64, 8, Number::Pointer(text, start));
        }
        let count = Number::Known(words.len() as u64);
        vec![count.into(), Number::Pointer(list, start).into()]
    }

    /// Follows a path to its end, or to where it is not clear how it goes on.
    fn follow(&mut self, state: &mut State) -> Result<(), Stop> {
        while state.ended.is_none() && !state.round_is_over {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Stop::Outside("it is too long to be followed".to_owned()));
            }
            state.chosen = 0;
            self.step(state)?;
            state.choices.clear();
        }
        Ok(())
    }

    pub(super) fn step(&mut self, state: &mut State) -> Result<(), Stop> {
        let module = self.module;
        let frame = state.frame();
        let block = &module.functions[frame.function as usize].blocks[frame.block as usize];
        let Some(instruction) = block.instructions.get(frame.index) else {
            return self.leave(state, &block.end);
        };
        let mut running = Running { paths: self, state };
        let value = match &instruction.action {
            Action::Call { callee, arguments } => {
                return running.call(callee, arguments, instruction.result);
            }
            Action::Select { condition, yes, no } => running.select(condition, yes, no)?,
            action => machine::act(&mut running, action, instruction.place)?,
        };
        running.finish(instruction.result, value);
        Ok(())
    }

    fn leave(&mut self, state: &mut State, end: &End) -> Result<(), Stop> {
        let to = match end {
            End::Goto(to) | End::Invoke { normal: to, .. } => *to,
            End::Branch { condition, yes, no } => {
                let mut running = Running { paths: self, state };
                let condition = running.number(condition)?;
                if running.decide(condition)? { *yes } else { *no }
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                let mut running = Running { paths: self, state };
                let value = running.number(value)?;
                running.case(value, cases)?.unwrap_or(*default)
            }
            End::Return(value) => return self.returned(state, value.as_ref()),
            End::Resume | End::Unknown | End::Unreachable => {
                let reason = "control goes on in a way that is not followed";
                return Err(Stop::Outside(reason.to_owned()));
            }
        };
        self.enter(state, to)
    }

    fn enter(&mut self, state: &mut State, to: BlockId) -> Result<(), Stop> {
        let module = self.module;
        let frame = state.frame();
        let from = frame.block;
        let blocks = &module.functions[frame.function as usize].blocks;
        let Some(block) = blocks.get(to as usize) else {
            return Err(Stop::Outside("a jump is not followed".to_owned()));
        };
        if self.ends_round(state, to)? || self.taken_together(state, to)? {
            return Ok(());
        }
        machine::merge(&mut Running { paths: self, state }, block, Some(from))?;
        let frame = state.frame_mut();
        (frame.block, frame.index) = (to, 0);
        Ok(())
    }

    fn returned(&mut self, state: &mut State, value: Option<&Operand>) -> Result<(), Stop> {
        let mut running = Running { paths: self, state };
        let value = value.map_or(Ok(Value::default()), |value| running.value(value))?;
        // The local variables end with their function, whoever still uses them (C17 §6.2.4): as if they were stored to.
        for local in running.state.frame().locals().to_vec() {
            running.give_back(local);
        }
        let frame = state
            .frames
            .pop()
            .expect("a path that has not ended is in a function");
        let depth = state.frames.len();
        if state.within.last().is_some_and(|(within, _)| depth < *within) {
            return outside("a loop over the ranks is left early");
        }
        match state.frames.is_empty() {
            true => state.ended = Some(Ended::Returned),
            false => Running { paths: self, state }.finish(frame.result, value),
        }
        Ok(())
    }
}
