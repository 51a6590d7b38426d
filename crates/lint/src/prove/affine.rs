//! Numbers as sums over the rank, the number of ranks, and what is made of them.
//!
//! A term is a mathematical integer: `constant + sum of factor * variable`. Equal terms have equal numbers. A sum that
//! does not fit into 64 bits has no term.

use rustc_hash::FxHashMap as HashMap;

/// A term, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term(u32);

/// What a term is a sum of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Variable {
    /// The rank of the process.
    Rank,
    /// How many ranks there are.
    Size,
    /// The number of a round of a loop, from 0.
    Round(u32),
    /// What is left of a term after division by a positive number: not negative.
    Modulo(Term, i64),
    /// A term divided by a positive number, rounded down.
    Quotient(Term, i64),
    /// The product of two terms.
    Product(Term, Term),
}

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Affine {
    constant: i64,
    /// By variable, ascending; no factor is 0.
    parts: Vec<(Variable, i64)>,
}

impl Affine {
    pub(super) fn constant(&self) -> i64 {
        self.constant
    }

    pub(super) fn parts(&self) -> &[(Variable, i64)] {
        &self.parts
    }
}

/// All terms.
#[derive(Debug, Default)]
pub(super) struct Terms {
    all: Vec<Affine>,
    known: HashMap<Affine, Term>,
}

impl Terms {
    pub(super) fn get(&self, term: Term) -> &Affine {
        &self.all[term.0 as usize]
    }

    /// The number that a term is, if it is one whatever the rank.
    pub(super) fn known(&self, term: Term) -> Option<i64> {
        let affine = self.get(term);
        affine.parts.is_empty().then_some(affine.constant)
    }

    pub(super) fn constant(&mut self, constant: i64) -> Term {
        self.of(Affine {
            constant,
            parts: Vec::new(),
        })
    }

    pub(super) fn variable(&mut self, variable: Variable) -> Term {
        self.of(Affine {
            constant: 0,
            parts: vec![(variable, 1)],
        })
    }

    /// `left + factor * right`.
    pub(super) fn sum(&mut self, left: Term, right: Term, factor: i64) -> Option<Term> {
        let (left, right) = (self.get(left), self.get(right));
        let constant = left.constant.checked_add(right.constant.checked_mul(factor)?)?;
        let mut parts = left.parts.clone();
        for (variable, times) in &right.parts {
            let times = times.checked_mul(factor)?;
            match parts.binary_search_by_key(variable, |(variable, _)| *variable) {
                Ok(at) => parts[at].1 = parts[at].1.checked_add(times)?,
                Err(at) => parts.insert(at, (*variable, times)),
            }
        }
        parts.retain(|(_, times)| *times != 0);
        Some(self.of(Affine { constant, parts }))
    }

    /// `term + constant`.
    pub(super) fn plus(&mut self, term: Term, constant: i64) -> Option<Term> {
        let constant = self.constant(constant);
        self.sum(term, constant, 1)
    }

    pub(super) fn times(&mut self, term: Term, factor: i64) -> Option<Term> {
        let zero = self.constant(0);
        self.sum(zero, term, factor)
    }

    pub(super) fn product(&mut self, left: Term, right: Term) -> Option<Term> {
        match (self.known(left), self.known(right)) {
            (Some(factor), _) => self.times(right, factor),
            (_, Some(factor)) => self.times(left, factor),
            _ => Some(self.variable(Variable::Product(left.min(right), left.max(right)))),
        }
    }

    /// The factor of the round of a loop in a term; `None` if it depends on it in another way.
    pub(super) fn factor(&self, term: Term, round: Variable) -> Option<i64> {
        let mut factor = 0;
        for (variable, times) in &self.get(term).parts {
            if *variable == round {
                factor = *times;
                continue;
            }
            let (left, right) = match variable {
                Variable::Modulo(term, _) | Variable::Quotient(term, _) => (*term, None),
                Variable::Product(left, right) => (*left, Some(*right)),
                _ => continue,
            };
            let within = |term| self.factor(term, round) == Some(0);
            if !within(left) || !right.is_none_or(within) {
                return None;
            }
        }
        Some(factor)
    }

    /// What is left of a term after division by a small number, if that is the same for all ranks.
    pub(super) fn residue(&self, term: Term, by: i64) -> Option<i64> {
        let affine = self.get(term);
        let whole = affine.parts.iter().all(|(_, factor)| factor % by == 0);
        whole.then(|| affine.constant.rem_euclid(by))
    }

    fn of(&mut self, affine: Affine) -> Term {
        if let Some(term) = self.known.get(&affine) {
            return *term;
        }
        let term = Term(self.all.len() as u32);
        self.all.push(affine.clone());
        self.known.insert(affine, term);
        term
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sums_are_one_term() {
        let mut terms = Terms::default();
        let (rank, size) = (terms.variable(Variable::Rank), terms.variable(Variable::Size));
        let one = terms.sum(rank, size, 2).unwrap();
        let back = terms.sum(one, size, -2).unwrap();
        assert_eq!(back, rank);
        let none = terms.sum(rank, rank, -1).unwrap();
        assert_eq!(terms.known(none), Some(0));
        assert_eq!(terms.factor(one, Variable::Size), Some(2));
        let product = terms.product(one, size).unwrap();
        assert_eq!(terms.factor(product, Variable::Rank), None);
        let eight = terms.times(rank, 8).unwrap();
        let shifted = terms.plus(eight, 13).unwrap();
        assert_eq!(
            (terms.residue(shifted, 4), terms.residue(shifted, 16)),
            (Some(1), None)
        );
        assert_eq!(terms.product(rank, size), terms.product(size, rank));
    }

    #[test]
    fn a_sum_that_does_not_fit_has_no_term() {
        let mut terms = Terms::default();
        let large = terms.constant(i64::MAX);
        assert_eq!(terms.plus(large, 1), None);
        assert_eq!(terms.times(large, 2), None);
    }
}
