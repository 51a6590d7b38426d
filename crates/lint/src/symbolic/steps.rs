//! What conditions are by other answers than those at hand: their terms as steps, each of which needs only those before
//! it.
//!
//! Promise: a step computes what a [question](super::question) says of its term to the solver, numbers of 64 bits, and
//! nothing where that would be undefined: a result that does not fit, a division by zero, a text that is not there.

use super::answers::Answers;
use super::input::{Condition, Input, List};
use super::range::Range;
use super::terms::{Part, Term, Terms};
use crate::ir::{Arithmetic, Predicate};
use crate::value::{NEGATED, Symbol, mask, signed};
use rustc_hash::FxHashMap as HashMap;

/// An operand: a number, or the result of a step.
#[derive(Clone, Copy)]
enum Operand {
    Known(u64),
    Step(usize),
}

enum Step<'t> {
    Number(&'t Input),
    Length(&'t List, u64),
    Choice(&'t Condition, u64, u64),
    Arithmetic(Arithmetic, u32, [Operand; 2]),
    Compare(Predicate, [Operand; 2]),
    Truncate(u32, Operand),
}

/// A condition: what it needs, and what it is to be.
struct Wanted {
    steps: usize,
    value: usize,
    truth: u64,
}

/// Conditions that are to hold, each with its terms.
pub(super) struct Steps<'t> {
    terms: &'t Terms,
    deepest: u32,
    most: usize,
    steps: Vec<Step<'t>>,
    known: HashMap<Symbol, Option<usize>>,
    wanted: Vec<Wanted>,
    computed: usize,
}

impl<'t> Steps<'t> {
    /// No condition yet. Terms that are deeper than `deepest`, or more than `most`, are not looked into.
    pub(super) fn of(terms: &'t Terms, deepest: u32, most: usize) -> Self {
        Self {
            terms,
            deepest,
            most,
            steps: Vec::new(),
            known: HashMap::default(),
            wanted: Vec::new(),
            computed: 0,
        }
    }

    /// One more condition that is to hold, or not; whether anything can be said of it.
    pub(super) fn want(&mut self, condition: Symbol, truth: bool) -> bool {
        let value = self.step(condition & !NEGATED, 0);
        if let Some(value) = value {
            self.wanted.push(Wanted {
                steps: self.steps.len(),
                value,
                truth: u64::from(truth != (condition & NEGATED != 0)),
            });
        }
        value.is_some()
    }

    /// The texts that become numbers.
    pub(super) fn numbers(&self) -> Vec<&'t Input> {
        let inputs = self.steps.iter().filter_map(|step| match step {
            Step::Number(input) => Some(*input),
            _ => None,
        });
        inputs.collect()
    }

    /// The lists whose length is asked for.
    pub(super) fn lists(&self) -> Vec<&'t List> {
        let mut lists: Vec<&List> = Vec::new();
        for step in &self.steps {
            let list: &List = match step {
                Step::Length(list, _) => list,
                Step::Choice(Condition::Longer(list, _), ..) => list,
                _ => continue,
            };
            if !lists.contains(&list) {
                lists.push(list);
            }
        }
        lists
    }

    /// How many steps were computed so far.
    pub(super) fn computed(&self) -> usize {
        self.computed
    }

    /// Whether all conditions are as they are to be by these answers.
    pub(super) fn hold(&mut self, answers: &Answers) -> bool {
        self.failing(answers, 1).is_empty()
    }

    /// The first conditions, by number, that are not as they are to be by these answers, so many at most.
    pub(super) fn failing(&mut self, answers: &Answers, most: usize) -> Vec<usize> {
        let mut values: Vec<Option<u64>> = Vec::with_capacity(self.steps.len());
        let mut failing = Vec::new();
        for (nth, wanted) in self.wanted.iter().enumerate() {
            for step in &self.steps[values.len().min(wanted.steps)..wanted.steps] {
                values.push(step.value(&values, answers));
            }
            if values[wanted.value].map(|value| value & 1) != Some(wanted.truth) {
                failing.push(nth);
                if failing.len() == most {
                    break;
                }
            }
        }
        self.computed += values.len();
        failing
    }

    /// Whether any of them depends on what a text is, besides its number.
    pub(super) fn has_words(&self) -> bool {
        let is_word = |step: &Step<'_>| matches!(step, Step::Choice(Condition::Is(..), ..));
        self.steps.iter().any(is_word)
    }

    /// Whether all conditions are as they are to be by all answers whose numbers are within ranges; `None`: by some
    /// they may be, by others not.
    pub(super) fn hold_within(
        &mut self,
        range: &dyn Fn(&Input) -> Option<Range>,
        answers: &Answers,
    ) -> Option<bool> {
        let mut ranges: Vec<Option<Range>> = Vec::with_capacity(self.steps.len());
        let mut all = Some(true);
        for wanted in &self.wanted {
            for step in &self.steps[ranges.len().min(wanted.steps)..wanted.steps] {
                ranges.push(step.range(&ranges, range, answers));
            }
            match ranges[wanted.value].map(|value| value.is(wanted.truth)) {
                // Of what is undefined everywhere, nothing is so.
                None | Some(Some(false)) => {
                    all = Some(false);
                    break;
                }
                Some(None) => all = None,
                Some(Some(true)) => {}
            }
        }
        self.computed += ranges.len();
        all
    }

    fn step(&mut self, symbol: Symbol, depth: u32) -> Option<usize> {
        if let Some(known) = self.known.get(&symbol) {
            return *known;
        }
        let step = self.made(symbol, depth);
        let number = step.map(|step| {
            self.steps.push(step);
            self.steps.len() - 1
        });
        self.known.insert(symbol, number);
        number
    }

    fn made(&mut self, symbol: Symbol, depth: u32) -> Option<Step<'t>> {
        if depth > self.deepest || self.known.len() > self.most {
            return None;
        }
        let terms = self.terms;
        Some(match terms.get(symbol)? {
            Term::Number(input) => Step::Number(input),
            Term::Length(list, more) => Step::Length(list, *more),
            Term::Choice(condition, yes, no) => Step::Choice(condition, *yes, *no),
            Term::Arithmetic(operator, bits, [left, right]) => {
                let operands = [
                    self.operand(*left, *bits, depth)?,
                    self.operand(*right, *bits, depth)?,
                ];
                Step::Arithmetic(*operator, *bits, operands)
            }
            Term::Compare(predicate, bits, [left, right]) => {
                let operands = [
                    self.operand(*left, *bits, depth)?,
                    self.operand(*right, *bits, depth)?,
                ];
                Step::Compare(*predicate, operands)
            }
            Term::Truncate(bits, part) => Step::Truncate(*bits, self.operand(*part, 64, depth)?),
        })
    }

    fn operand(&mut self, part: Part, bits: u32, depth: u32) -> Option<Operand> {
        Some(match part {
            Part::Known(value) => Operand::Known(widened(value, bits)),
            // A negated condition as a number: its own term has no name, so nothing is said of it.
            Part::Of(symbol) if symbol & NEGATED != 0 => {
                let plain = self.step(symbol & !NEGATED, depth + 1)?;
                self.steps.push(Step::Arithmetic(
                    Arithmetic::Xor,
                    1,
                    [Operand::Step(plain), Operand::Known(1)],
                ));
                Operand::Step(self.steps.len() - 1)
            }
            Part::Of(symbol) => Operand::Step(self.step(symbol, depth + 1)?),
        })
    }
}

impl Step<'_> {
    fn value(&self, values: &[Option<u64>], answers: &Answers) -> Option<u64> {
        let operand = |operand: &Operand| match operand {
            Operand::Known(value) => Some(*value),
            Operand::Step(step) => values[*step],
        };
        match self {
            Self::Number(input) => {
                // What begins with no number is zero.
                answers
                    .has(input)
                    .then(|| answers.text(input).trim().parse::<i64>().unwrap_or(0) as u64)
            }
            Self::Length(list, more) => Some((answers.length(list)? as u64).wrapping_add(*more)),
            Self::Choice(Condition::Longer(list, nth), yes, no) => {
                Some(if answers.length(list)? > *nth { *yes } else { *no })
            }
            Self::Choice(Condition::Is(input, word), yes, no) => {
                Some(if answers.text(input).trim() == word {
                    *yes
                } else {
                    *no
                })
            }
            Self::Arithmetic(operator, bits, [left, right]) => {
                computed(*operator, *bits, operand(left)?, operand(right)?)
            }
            Self::Compare(predicate, [left, right]) => {
                Some(u64::from(predicate.holds(64, operand(left)?, operand(right)?)))
            }
            Self::Truncate(bits, value) => Some(widened(operand(value)?, *bits)),
        }
    }

    /// All that it may be; `None` if it is undefined.
    fn range(
        &self,
        ranges: &[Option<Range>],
        range: &dyn Fn(&Input) -> Option<Range>,
        answers: &Answers,
    ) -> Option<Range> {
        let operand = |operand: &Operand| match operand {
            Operand::Known(value) => Some(Range::one(*value)),
            Operand::Step(step) => ranges[*step],
        };
        match self {
            Self::Number(input) if range(input).is_some() => range(input),
            Self::Choice(Condition::Is(input, _), yes, no) if range(input).is_some() => {
                Some(Range::either(*yes, *no))
            }
            Self::Number(_) | Self::Length(..) | Self::Choice(..) => self.value(&[], answers).map(Range::one),
            Self::Arithmetic(operator, bits, [left, right]) => {
                Range::combined(*operator, *bits, operand(left)?, operand(right)?)
            }
            Self::Compare(predicate, [left, right]) => {
                Some(Range::compared(*predicate, operand(left)?, operand(right)?))
            }
            Self::Truncate(bits, value) => Some(operand(value)?.truncated(*bits)),
        }
    }
}

/// The result of an operator, if it is defined.
pub(super) fn computed(operator: Arithmetic, bits: u32, left: u64, right: u64) -> Option<u64> {
    let whole = match operator {
        Arithmetic::Add => Some(left.wrapping_add(right)),
        Arithmetic::Sub => Some(left.wrapping_sub(right)),
        Arithmetic::Mul => Some(left.wrapping_mul(right)),
        _ => None,
    };
    // What an `int` does that overflows is not defined (C17 §6.5).
    if let (Some(whole), 2..64) = (whole, bits) {
        return (widened(whole, bits) == whole).then_some(whole);
    }
    let result = operator.of(bits, mask(left, bits), mask(right, bits))?;
    Some(widened(result, bits))
}

/// A number of so many bits in 64, with its sign; a truth value has none.
fn widened(value: u64, bits: u32) -> u64 {
    match bits {
        1 => value & 1,
        64.. => value,
        _ => signed(mask(value, bits), bits) as u64,
    }
}
