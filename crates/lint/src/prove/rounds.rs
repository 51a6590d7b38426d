//! Rounds of a loop that goes round as often as the number of ranks says, or the rank: taken together.
//!
//! One round is followed whose number is a variable: what goes up or down by the same amount in each round is a number
//! in it, and all else that a round changes is any value. What the round does, each round does, on one of the paths of
//! that one.
//!
//! Promise: the accesses of all rounds are among those that are told, with the conditions under which they are made;
//! and what is known after the loop holds after as many rounds as there are. Limits: the condition stands at the head
//! of the loop and compares such a number with one that no round changes; nobody leaves the loop elsewhere; processes
//! do not meet in it; and each round ends in the epochs in which it began. Source: induction variables by closed form,
//! as in Bachmann, Wang and Zima 1994.

use super::affine::{Term, Variable};
use super::facts::Facts;
use super::number::{Number, Stop};
use super::paths::Paths;
use super::question::Condition;
use super::running::{Running, outside};
use super::state::{State, Value};
use crate::execute::machine::{self, Machine as _};
use crate::ir::{Action, Arithmetic, Block, BlockId, End, Instruction, Operand, Predicate, Register};
use crate::value::signed;
use std::collections::BTreeSet;

/// Times that a round is followed until it is known what it changes.
const TRIES: usize = 4;
/// Instructions before the condition of a loop, at most.
const LONGEST: usize = 1000;

/// A loop at whose head control is: its condition stands there.
struct Head<'m> {
    block: &'m Block,
    to: BlockId,
    /// Where control comes from.
    from: BlockId,
    /// Where in the block the comparison stands, and what must hold that a round is made.
    at: usize,
    predicate: Predicate,
    bits: u32,
    operands: [&'m Operand; 2],
}

/// What goes up or down by the same amount in each round.
struct Counter {
    register: Register,
    bits: u32,
    first: Number,
    step: i64,
}

impl<'p> Paths<'p> {
    /// Control comes to the head of a loop again of which a round is being followed, or leaves it.
    pub(super) fn ends_round(&mut self, state: &mut State, to: BlockId) -> Result<bool, Stop> {
        let innermost = state.within.last().copied();
        let Some((_, header)) = innermost.filter(|(depth, _)| *depth == state.frames.len()) else {
            return Ok(false);
        };
        if to == header {
            state.round_is_over = true;
            return Ok(true);
        }
        let bodies = self.bodies(state.frame().function);
        match bodies
            .get(&(header as usize))
            .is_some_and(|body| body[to as usize])
        {
            true => Ok(false),
            false => outside("a loop over the ranks is left early"),
        }
    }

    /// Takes all rounds of a loop together, if control comes to its head from outside and the rank or the number of
    /// ranks says how often it goes round; whether it did.
    pub(super) fn taken_together(&mut self, state: &mut State, to: BlockId) -> Result<bool, Stop> {
        let Some(head) = self
            .head(state, to)
            .filter(|head| self.is_counted_by_ranks(state, head))
        else {
            return Ok(false);
        };
        let counters = self.counters(state, &head)?;
        self.rounds += 1;
        let number = self.rounds;
        let round = self.prover.terms.variable(Variable::Round(number));
        let mut generic = state.clone();
        generic.choices.clear();
        generic.trace.begin();
        self.at_head(&mut generic, &head, &counters, round);
        let Some((count, stay)) = self.count(state, generic.clone(), &head, number)? else {
            return Ok(false);
        };
        generic.given.push(stay);
        generic.within.push((generic.frames.len(), to));
        let (ends, changed) = self.round(&mut generic)?;
        let known = state.given.len();
        let mut after = generic;
        after.within.pop();
        after.given.truncate(known);
        let traces = ends
            .iter()
            .map(|end| (end.trace.clone(), end.given[known..].to_vec()));
        after.trace.take_rounds(number, &traces.collect::<Vec<_>>());
        for end in &ends {
            after.requests = after.requests.max(end.requests);
            while after.objects() < end.objects() {
                let object = end.object(after.objects() as u32).clone();
                after.add(object);
            }
        }
        for object in changed {
            after.object_mut(object).smear();
        }
        self.at_head(&mut after, &head, &counters, count);
        *state = after;
        Ok(true)
    }

    /// The loop that control comes to from outside, if its condition stands at its head.
    fn head(&mut self, state: &State, to: BlockId) -> Option<Head<'p>> {
        let frame = state.frame();
        let (function, from) = (frame.function, frame.block);
        let bodies = self.bodies(function);
        if bodies.get(&(to as usize))?[from as usize] {
            return None;
        }
        let exit = self.survey.exits(function)[to as usize].filter(|exit| !exit.waits)?;
        let module = self.module;
        let block = &module.functions[function as usize].blocks[to as usize];
        let End::Branch {
            condition: Operand::Register(condition),
            ..
        } = &block.end
        else {
            return None;
        };
        let mut instructions = block.instructions.iter();
        let at = instructions.position(|instruction| instruction.result == Some(*condition))?;
        let Action::Compare {
            predicate,
            bits,
            left,
            right,
        } = &block.instructions[at].action
        else {
            return None;
        };
        Some(Head {
            block,
            to,
            from,
            at,
            predicate: if exit.leaves {
                contrary(*predicate)
            } else {
                *predicate
            },
            bits: *bits,
            operands: [left, right],
        })
    }

    /// What the condition compares, where control is at the head; `None` if that is not clear.
    fn compared(&mut self, state: &mut State, head: &Head<'_>) -> Option<[Number; 2]> {
        let depth = state.frames.len();
        for _ in 0..LONGEST {
            if state.frames.len() == depth && state.frame().index == head.at {
                let mut running = Running { paths: self, state };
                let [left, right] = head.operands.map(|operand| running.number(operand).ok());
                return Some([left?, right?]);
            }
            state.chosen = 0;
            self.step(state).ok()?;
        }
        None
    }

    fn is_counted_by_ranks(&mut self, state: &State, head: &Head<'_>) -> bool {
        let mut probe = state.clone();
        probe.choices.clear();
        let first = machine::merge(
            &mut Running {
                paths: self,
                state: &mut probe,
            },
            head.block,
            Some(head.from),
        );
        let frame = probe.frame_mut();
        (frame.block, frame.index) = (head.to, 0);
        let compared = first.ok().and_then(|()| self.compared(&mut probe, head));
        matches!(
            compared,
            Some([Number::Term(_), Number::Term(_) | Number::Known(_)] | [Number::Known(_), Number::Term(_)])
        )
    }

    /// What each round changes by the same amount.
    fn counters(&mut self, state: &State, head: &Head<'_>) -> Result<Vec<Counter>, Stop> {
        let function = state.frame().function;
        let bodies = self.bodies(function);
        let inside = &bodies[&(head.to as usize)];
        let blocks = &self.module.functions[function as usize].blocks;
        let made = |register: Register| {
            let mut all = blocks.iter().flat_map(|block| &block.instructions);
            all.find(|instruction| instruction.result == Some(register))
        };
        let mut counters = Vec::new();
        for (register, incoming) in &head.block.phis {
            let mut later = incoming.iter().filter(|(block, _)| inside[*block as usize]);
            let Some((_, Operand::Register(next))) = later.next() else {
                continue;
            };
            if later.any(|(_, operand)| *operand != Operand::Register(*next)) {
                continue;
            }
            let Some((bits, step)) = made(*next).and_then(|made| step_of(made, *register)) else {
                continue;
            };
            let Some((_, first)) = incoming.iter().find(|(block, _)| *block == head.from) else {
                continue;
            };
            let mut before = state.clone();
            let first = Running {
                paths: self,
                state: &mut before,
            }
            .number(first)?;
            counters.push(Counter {
                register: *register,
                bits,
                first,
                step,
            });
        }
        Ok(counters)
    }

    /// Puts control at the head of the loop, before the round of this number.
    fn at_head(&mut self, state: &mut State, head: &Head<'_>, counters: &[Counter], round: Term) {
        for (register, _) in &head.block.phis {
            let counter = counters.iter().find(|counter| counter.register == *register);
            let number = counter.map_or(Number::Any, |counter| self.counted(state, counter, round));
            state.frame_mut().set(*register, Value::Number(number));
        }
        let frame = state.frame_mut();
        (frame.block, frame.index) = (head.to, 0);
    }

    fn counted(&mut self, state: &State, counter: &Counter, round: Term) -> Number {
        let Some(moved) = self.prover.terms.times(round, counter.step) else {
            return Number::Any;
        };
        if let Number::Pointer(object, at) = counter.first {
            let at = self.prover.terms.sum(at, moved, 1);
            return at.map_or(Number::Any, |at| Number::Pointer(object, at));
        }
        let mut facts = Facts {
            prover: self.prover,
            given: &state.given,
        };
        let first = facts.term(counter.first, counter.bits);
        let sum = first.and_then(|first| facts.prover.terms.sum(first, moved, 1));
        sum.map_or(Number::Any, |sum| facts.number(sum, counter.bits))
    }

    /// How often the loop goes round, which is once at least, and the condition under which a round is made; `None` if
    /// that is not clear, or if there is no round.
    fn count(
        &mut self,
        state: &State,
        mut generic: State,
        head: &Head<'_>,
        number: u32,
    ) -> Result<Option<(Term, Condition)>, Stop> {
        let Some([left, right]) = self.compared(&mut generic, head) else {
            return Ok(None);
        };
        let mut facts = Facts {
            prover: self.prover,
            given: &generic.given,
        };
        let (Some(left), Some(right)) = (facts.term(left, head.bits), facts.term(right, head.bits)) else {
            return Ok(None);
        };
        let mut positive =
            |term| facts.prover.decides(&generic.given, Condition::NotNegative(term)) == Some(true);
        let unsigned = matches!(
            head.predicate,
            Predicate::Ult | Predicate::Ule | Predicate::Ugt | Predicate::Uge
        );
        if unsigned && !(positive(left) && positive(right)) {
            return Ok(None);
        }
        let (from, to, more) = match head.predicate {
            Predicate::Slt | Predicate::Ult | Predicate::Ne => (left, right, 0),
            Predicate::Sle | Predicate::Ule => (left, right, 1),
            Predicate::Sgt | Predicate::Ugt => (right, left, 0),
            Predicate::Sge | Predicate::Uge => (right, left, 1),
            Predicate::Eq => return Ok(None),
        };
        let terms = &mut self.prover.terms;
        let round = Variable::Round(number);
        // A round is made as long as this is not negative.
        let distance = terms
            .sum(to, from, -1)
            .and_then(|term| terms.plus(term, more - 1));
        let factor = distance.and_then(|distance| terms.factor(distance, round));
        let (Some(distance), Some(factor @ ..=-1)) = (distance, factor) else {
            return Ok(None);
        };
        if head.predicate == Predicate::Ne && factor != -1 {
            return Ok(None);
        }
        let variable = terms.variable(round);
        let Some(first) = terms.sum(distance, variable, -factor) else {
            return Ok(None);
        };
        let mut facts = Facts {
            prover: self.prover,
            given: &state.given,
        };
        if !facts.decide(Condition::NotNegative(first))? {
            return Ok(None);
        }
        let terms = &mut self.prover.terms;
        let whole = match factor {
            -1 => first,
            factor => terms.variable(Variable::Quotient(first, -factor)),
        };
        let count = terms.plus(whole, 1);
        Ok(count.map(|count| (count, Condition::NotNegative(distance))))
    }

    /// The ways through a round, and the objects that it changes: the state before it knows nothing of these.
    fn round(&mut self, generic: &mut State) -> Result<(Vec<State>, BTreeSet<u32>), Stop> {
        let mut forgotten = BTreeSet::new();
        for _ in 0..TRIES {
            let ends = self.from(generic.clone()).map_err(Stop::Elsewhere)?;
            let mut again = false;
            for end in &ends {
                if end.ended.is_some() {
                    return outside("the program may end within a loop over the ranks");
                }
                if end.trace.meetings() != generic.trace.meetings() || end.windows != generic.windows {
                    return outside("processes meet or epochs change in each round of a loop over the ranks");
                }
                for object in generic.changed(end) {
                    let (before, later) = (generic.object(object), end.object(object));
                    if before.part != later.part || before.freed != later.freed {
                        return outside("memory is given back within a loop over the ranks");
                    }
                    let watched = later.watched && !before.watched;
                    again |= forgotten.insert(object) || watched;
                    let changed = generic.object_mut(object);
                    changed.smear();
                    changed.watched |= watched;
                }
            }
            if !again {
                return Ok((ends, forgotten));
            }
        }
        outside("what a loop over the ranks changes is not clear")
    }
}

/// What is added to a register in an instruction.
fn step_of(instruction: &Instruction, register: Register) -> Option<(u32, i64)> {
    let of_register = |operand: &Operand| *operand == Operand::Register(register);
    match &instruction.action {
        Action::Arithmetic {
            operator,
            bits,
            left,
            right: Operand::Integer(step),
        } if of_register(left) => match operator {
            Arithmetic::Add => Some((*bits, signed(*step, *bits))),
            Arithmetic::Sub => Some((*bits, signed(*step, *bits).checked_neg()?)),
            _ => None,
        },
        Action::Offset {
            base,
            constant,
            terms,
        } if of_register(base) && terms.is_empty() => Some((64, *constant)),
        _ => None,
    }
}

fn contrary(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::Eq => Predicate::Ne,
        Predicate::Ne => Predicate::Eq,
        Predicate::Ugt => Predicate::Ule,
        Predicate::Uge => Predicate::Ult,
        Predicate::Ult => Predicate::Uge,
        Predicate::Ule => Predicate::Ugt,
        Predicate::Sgt => Predicate::Sle,
        Predicate::Sge => Predicate::Slt,
        Predicate::Slt => Predicate::Sge,
        Predicate::Sle => Predicate::Sgt,
    }
}
