//! What unknown values are made of, as a simulation computed them.

use super::input::{Condition, Input, List};
use crate::ir::{Arithmetic, Predicate};
use crate::value::{NEGATED, Scalar, Symbol, UNCOMPUTED};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Terms that are written down of one simulation, at most.
const MOST: usize = 1 << 16;

/// What a value is made of.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// The number that a text is.
    Number(Input),
    /// How many texts a list has, and so many more.
    Length(List, u64),
    /// One of two values.
    Choice(Condition, u64, u64),
    /// The result of an operator on numbers of so many bits.
    Arithmetic(Arithmetic, u32, [Part; 2]),
    /// Whether a comparison of numbers of so many bits holds.
    Compare(Predicate, u32, [Part; 2]),
    /// The low bits of a number.
    Truncate(u32, Part),
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Known(u64),
    Of(Symbol),
}

/// How a text stands in its stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// What the program wants to read before it.
    before: String,
    /// Whether it is a whole line.
    line: bool,
}

impl Shape {
    /// A number or word, after something that the program wants to read before it.
    pub(crate) fn after(before: &str) -> Self {
        Self {
            before: before.to_owned(),
            line: false,
        }
    }

    /// A whole line.
    pub(crate) fn line() -> Self {
        Self {
            before: String::new(),
            line: true,
        }
    }

    /// What the program wants to read before it.
    pub(super) fn before(&self) -> &str {
        &self.before
    }

    /// Whether it is a whole line.
    pub(super) fn is_line(&self) -> bool {
        self.line
    }
}

/// The terms of a simulation, and what it read. Nothing is written down before [`Terms::begin`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    active: bool,
    terms: HashMap<Symbol, Term>,
    shapes: BTreeMap<(String, usize), Shape>,
    /// Texts that were looked at without asking whether there are so many.
    wanted: BTreeSet<(List, usize)>,
}

impl Part {
    fn of(value: Scalar) -> Self {
        match value.is_known() {
            true => Self::Known(value.bits),
            false => Self::Of(value.symbol),
        }
    }
}

impl Terms {
    /// From now on terms are written down.
    pub(crate) fn begin(&mut self) {
        self.active = true;
    }

    /// What a symbol stands for, without its negation.
    pub(super) fn get(&self, symbol: Symbol) -> Option<&Term> {
        self.terms.get(&symbol)
    }

    /// Whether something is known of a symbol.
    pub(crate) fn knows(&self, symbol: Symbol) -> bool {
        self.terms.contains_key(&symbol)
    }

    /// The texts that were read, by stream and number.
    pub(crate) fn shapes(&self) -> &BTreeMap<(String, usize), Shape> {
        &self.shapes
    }

    /// Texts that were looked at without asking whether there are so many.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &(List, usize)> {
        self.wanted.iter()
    }

    /// Whether a value depends on nothing that the program is given but how many words its command line has.
    pub(crate) fn is_of_count(&self, symbol: Symbol) -> bool {
        let (mut open, mut seen) = (vec![symbol & !NEGATED], BTreeSet::new());
        while let Some(symbol) = open.pop() {
            let parts = match self.terms.get(&symbol) {
                None | Some(Term::Length(List::Arguments, _)) => continue,
                Some(Term::Number(_) | Term::Length(..) | Term::Choice(..)) => return false,
                Some(Term::Arithmetic(_, _, parts) | Term::Compare(_, _, parts)) => *parts,
                Some(Term::Truncate(_, part)) => [*part; 2],
            };
            let symbols = parts.iter().filter_map(|part| match part {
                Part::Known(_) => None,
                Part::Of(symbol) => Some(symbol & !NEGATED),
            });
            open.extend(symbols.filter(|symbol| seen.insert(*symbol)));
        }
        true
    }

    /// The number of a text, which is this by the answers at hand.
    pub(crate) fn number(&mut self, input: Input, bits: u64) -> Scalar {
        let symbol = input.symbol();
        self.add(symbol, || Term::Number(input));
        Scalar { bits, symbol }
    }

    /// How many texts a list has, and so many more, which is this by the answers at hand.
    pub(crate) fn length(&mut self, list: List, more: u64, bits: u64) -> Scalar {
        let symbol = list.length(more);
        self.add(symbol, || Term::Length(list, more));
        Scalar { bits, symbol }
    }

    /// One of two values, as a condition says that holds or not by the answers at hand.
    pub(crate) fn choice(&mut self, condition: Condition, holds: bool, [yes, no]: [u64; 2]) -> Scalar {
        let symbol = condition.symbol(yes, no);
        self.add(symbol, || Term::Choice(condition, yes, no));
        let bits = if holds { yes } else { no };
        Scalar { bits, symbol }
    }

    /// A text is read.
    pub(crate) fn read(&mut self, stream: &str, nth: usize, shape: impl FnOnce() -> Shape) {
        if self.active && self.shapes.len() < MOST {
            self.shapes.entry((stream.to_owned(), nth)).or_insert_with(shape);
        }
    }

    /// A text was looked at that may not be there.
    pub(crate) fn want(&mut self, list: List, nth: usize) {
        self.wanted.insert((list, nth));
    }

    /// The result of an operator.
    #[inline]
    pub(crate) fn arithmetic(
        &mut self,
        operator: Arithmetic,
        bits: u32,
        operands: [Scalar; 2],
        result: Scalar,
    ) {
        if self.active && !result.is_known() && result.symbol & NEGATED == 0 {
            self.add_of(result.symbol, operands, || {
                Term::Arithmetic(operator, bits, operands.map(Part::of))
            });
        }
    }

    /// Whether it is noted what values are made of.
    #[inline]
    pub(crate) fn are_noted(&self) -> bool {
        self.active
    }

    /// A comparison; its negation has the same term.
    #[inline]
    pub(crate) fn compare(&mut self, predicate: Predicate, bits: u32, operands: [Scalar; 2], result: Scalar) {
        if self.active && !result.is_known() {
            let normal = match predicate {
                Predicate::Ne => Predicate::Eq,
                Predicate::Ugt => Predicate::Ule,
                Predicate::Uge => Predicate::Ult,
                Predicate::Sgt => Predicate::Sle,
                Predicate::Sge => Predicate::Slt,
                normal => normal,
            };
            self.add_of(result.symbol & !NEGATED, operands, || {
                Term::Compare(normal, bits, operands.map(Part::of))
            });
        }
    }

    /// The low bits of a number.
    #[inline]
    pub(crate) fn truncate(&mut self, bits: u32, operand: Scalar, result: Scalar) {
        if self.active && !result.is_known() && result.symbol != operand.symbol {
            self.add_of(result.symbol, [operand; 2], || {
                Term::Truncate(bits, Part::of(operand))
            });
        }
    }

    /// Of what is no term, there is none; what is known does not say whether memory of others is mapped.
    fn add_of(&mut self, symbol: Symbol, operands: [Scalar; 2], term: impl FnOnce() -> Term) {
        let is_known = |value: &Scalar| value.is_known() || self.knows(value.symbol & !NEGATED);
        if operands.iter().all(is_known) && !operands.iter().all(|operand| operand.is_known()) {
            self.add(symbol, term);
        }
    }

    fn add(&mut self, symbol: Symbol, term: impl FnOnce() -> Term) {
        if self.active && symbol != UNCOMPUTED && self.terms.len() < MOST {
            self.terms.entry(symbol).or_insert_with(term);
        }
    }
}
