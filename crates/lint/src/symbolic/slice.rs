//! Which conditions of a simulation another one depends on: those that share inputs with it, and those that share some
//! with these. All others stay as they are, as long as their inputs do.
//!
//! Source: Cadar, Dunbar, Engler 2008, KLEE, §3.3 (independent constraints).

use super::answers::Answers;
use super::input::{Condition, Input, List};
use super::terms::{Part, Term, Terms};
use crate::value::{NEGATED, Symbol};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What answers say: a text, or how many there are in a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Text(Input),
    Length(List),
}

type Variables = Rc<BTreeSet<Variable>>;

/// The part of a simulation that a condition depends on.
#[derive(Debug, Default)]
pub(super) struct Slice {
    variables: BTreeSet<Variable>,
}

impl Slice {
    /// The part that `condition` depends on, and those of the conditions before it that belong to it, in their order.
    /// Terms that are deeper than `deepest` are not looked into.
    pub(super) fn of(
        (terms, answers): (&Terms, &Answers),
        before: &[(Symbol, bool)],
        condition: Symbol,
        deepest: u32,
    ) -> (Self, Vec<(Symbol, bool)>) {
        let mut reader = Reader {
            terms,
            answers,
            known: HashMap::default(),
        };
        let mut variables = (*reader.of(condition, deepest)).clone();
        let mut open: Vec<(usize, Variables)> = Vec::new();
        for (nth, (symbol, _)) in before.iter().enumerate() {
            open.push((nth, reader.of(*symbol, deepest)));
        }
        let mut taken = BTreeSet::new();
        loop {
            let size = open.len();
            open.retain(|(nth, of)| {
                let is_apart = variables.is_disjoint(of);
                if !is_apart {
                    variables.extend(of.iter().cloned());
                    taken.insert(*nth);
                }
                is_apart
            });
            if open.len() == size {
                break;
            }
        }
        let conditions = taken.into_iter().map(|nth| before[nth]).collect();
        (Self { variables }, conditions)
    }

    /// Whether the length of a list may change.
    pub(super) fn has_length(&self, list: &List) -> bool {
        self.variables.contains(&Variable::Length(list.clone()))
    }
}

/// Looks up what values are made of.
struct Reader<'t> {
    terms: &'t Terms,
    answers: &'t Answers,
    known: HashMap<Symbol, Variables>,
}

impl Reader<'_> {
    fn of(&mut self, symbol: Symbol, deepest: u32) -> Variables {
        let symbol = symbol & !NEGATED;
        if let Some(known) = self.known.get(&symbol) {
            return Rc::clone(known);
        }
        let variables = match self.terms.get(symbol) {
            None => Variables::default(),
            Some(Term::Number(input) | Term::Choice(Condition::Is(input, _), ..)) => {
                Rc::new(self.text(input))
            }
            Some(Term::Length(list, _) | Term::Choice(Condition::Longer(list, _), ..)) => {
                Rc::new(BTreeSet::from([Variable::Length(list.clone())]))
            }
            Some(Term::Arithmetic(_, _, parts) | Term::Compare(_, _, parts)) => self.of_parts(parts, deepest),
            Some(Term::Truncate(_, part)) => self.of_parts(&[*part], deepest),
        };
        self.known.insert(symbol, Rc::clone(&variables));
        variables
    }

    fn of_parts(&mut self, parts: &[Part], deepest: u32) -> Variables {
        let mut all = Variables::default();
        let Some(deepest) = deepest.checked_sub(1) else {
            return all;
        };
        for part in parts {
            let Part::Of(symbol) = part else { continue };
            let of = self.of(*symbol, deepest);
            if all.is_empty() {
                all = of;
            } else if !of.is_subset(&all) {
                Rc::make_mut(&mut all).extend(of.iter().cloned());
            }
        }
        all
    }

    /// A text, and the length of its list if that is too short for it now.
    fn text(&self, input: &Input) -> BTreeSet<Variable> {
        let (list, place) = input.place();
        let is_there = self.answers.length(&list).is_some_and(|length| length > place);
        let length = (!is_there).then_some(Variable::Length(list));
        BTreeSet::from_iter([Variable::Text(input.clone())].into_iter().chain(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Predicate;
    use crate::value::{Scalar, source};

    #[test]
    fn what_shares_no_input_is_apart() {
        let mut terms = Terms::default();
        terms.begin();
        let texts = [1, 2, 3].map(|nth| terms.number(Input::Argument(nth), 4));
        let longer = terms.choice(Condition::Longer(List::Arguments, 1), true, [1, 0]);
        let mut less = |one: usize, other: usize| {
            let symbol = source(("less", one, other)) & !NEGATED;
            let result = Scalar { bits: 1, symbol };
            terms.compare(Predicate::Slt, 32, [texts[one], texts[other]], result);
            symbol
        };
        let (first, second, third) = (less(0, 0), less(0, 1), less(2, 2));
        let before = [
            (longer.symbol, true),
            (third, true),
            (second, false),
            (first, true),
        ];
        let of = |words: usize, condition: Symbol| {
            let answers = Answers::of(vec!["4".to_owned(); words], false);
            let (slice, conditions) = Slice::of((&terms, &answers), &before, condition, 9);
            (slice.has_length(&List::Arguments), conditions)
        };
        assert_eq!(of(3, first), (false, vec![(second, false), (first, true)]));
        assert_eq!(of(3, third), (false, vec![(third, true)]));
        assert_eq!(of(3, longer.symbol), (true, vec![(longer.symbol, true)]));
        // The third text is not there yet: how many there are decides, too.
        assert_eq!(of(2, third), (true, vec![(longer.symbol, true), (third, true)]));
    }
}
