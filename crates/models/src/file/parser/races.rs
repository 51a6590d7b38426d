//! The statements of models of races: `races`, `conflict`, and the sets and relations of conflicts.

use super::super::error::nearest;
use super::super::lexer::Kind;
use super::{KEYWORDS, Parser};
use crate::mpi3::conflicts::{Relation, Set};
use crate::mpi3::rules::{RuleName, RuleSet};
use crate::mpi3::{MemoryModel, RaceModel};
use std::ops::Range;

/// Nesting that an expression may have, and parts that one has, and all of a model together; names of `let` opened.
const DEEPEST: usize = 100;
const MOST_PARTS: usize = 10_000;

/// Binary operators by rising strength.
const OPERATORS: [&str; 3] = ["|", "\\", "&"];

/// A model of races, as far as it is read.
pub(super) struct Draft {
    memory: MemoryModel,
    rules: RuleSet,
    conflicts: Vec<(Relation, String)>,
    /// Of all expressions so far.
    parts: usize,
}

impl Draft {
    /// How many lines of conflicts there are.
    pub(super) fn lines(&self) -> usize {
        self.conflicts.len()
    }

    /// The model.
    pub(super) fn finish(self, name: &str, about: &str) -> RaceModel {
        RaceModel::new(name, about, self.memory, self.rules, self.conflicts)
    }
}

/// A set or a relation of accesses.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Set(Set),
    Relation(Relation),
}

/// Terms of one kind with an operator between them.
enum Chain {
    Sets(Vec<Set>),
    Relations(Vec<Relation>),
}

impl Chain {
    fn of(first: Term) -> Self {
        match first {
            Term::Set(set) => Self::Sets(vec![set]),
            Term::Relation(relation) => Self::Relations(vec![relation]),
        }
    }

    /// `false`: the term is of the other kind.
    fn take(&mut self, next: Term) -> bool {
        match (self, next) {
            (Self::Sets(sets), Term::Set(set)) => sets.push(set),
            (Self::Relations(relations), Term::Relation(relation)) => relations.push(relation),
            _ => return false,
        }
        true
    }

    fn joined(self, operator: &str) -> Term {
        match (self, operator) {
            (Self::Sets(sets), "|") => Term::Set(Set::Union(sets)),
            (Self::Sets(sets), "&") => Term::Set(Set::Intersection(sets)),
            (Self::Sets(sets), _) => Term::Set(Set::Difference(sets)),
            (Self::Relations(relations), "|") => Term::Relation(Relation::Union(relations)),
            (Self::Relations(relations), "&") => Term::Relation(Relation::Intersection(relations)),
            (Self::Relations(relations), _) => Term::Relation(Relation::Difference(relations)),
        }
    }
}

/// A term as read.
#[derive(Clone, Debug)]
pub(super) struct Named {
    term: Term,
    /// How many parts it has.
    parts: usize,
}

impl<'t> Parser<'t, '_, '_> {
    /// `races unified`: begins a model of races, or says whose copies one that is included has here.
    pub(super) fn races(&mut self) -> Option<()> {
        let found = match self.kind() {
            Kind::Word(word) => MemoryModel::ALL.into_iter().find(|memory| memory.name() == word),
            _ => None,
        };
        let Some(memory) = found else {
            let names = MemoryModel::ALL.map(MemoryModel::name).join("` or `");
            self.error_here(format!("expected `{names}`"), None);
            return None;
        };
        if !self.shared.model.is_empty() {
            let place = self.tokens[self.next - 1].place.clone();
            let hint = "it stands before all rules, names and orders";
            self.error(place, "this is no model of races".into(), Some(hint.into()));
            return None;
        }
        self.advance();
        let draft = self.shared.races.get_or_insert_with(|| Draft {
            memory,
            rules: RuleSet::ALL,
            conflicts: Vec::new(),
            parts: 0,
        });
        draft.memory = memory;
        Some(())
    }

    /// Whether a statement fits the kind of the model; an error if not.
    pub(super) fn fits(&mut self, keyword: &str) -> Option<()> {
        let place = self.tokens[self.next - 1].place.clone();
        let of_races = self.shared.races.is_some();
        match keyword {
            "conflict" if !of_races => {
                let hint = "begin it with `races unified` or `include \"mpi3-unified\"`";
                self.error(
                    place,
                    "`conflict` belongs to a model of races".into(),
                    Some(hint.into()),
                );
                None
            }
            "switch" | "accesses" | "completion" | "order" | "acyclic" | "irreflexive" | "empty"
                if of_races =>
            {
                let hint = "it has `races`, `rules`, `without`, `let` and `conflict`";
                self.error(
                    place,
                    format!("a model of races has no `{keyword}`"),
                    Some(hint.into()),
                );
                None
            }
            _ => Some(()),
        }
    }

    /// A rule by its word, switched on or off.
    pub(super) fn rule_of_races(&mut self, word: &str, place: Range<usize>, on: bool) {
        let Some(races) = &mut self.shared.races else {
            return;
        };
        if word == "all" && on {
            races.rules = RuleSet::ALL;
            return;
        }
        if let Some(&(rule, _)) = RuleName::ALL.iter().find(|(_, known)| *known == word) {
            races.rules = if on {
                races.rules.with(rule)
            } else {
                races.rules.without(rule)
            };
            return;
        }
        let words = RuleName::ALL.map(|(_, word)| word);
        let hint = nearest(word, words).map_or_else(
            || format!("rules are {}", words.join(" ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.error(place, format!("there is no rule `{word}`"), Some(hint));
    }

    /// `conflict RELATION as "why"`
    pub(super) fn conflict(&mut self) -> Option<()> {
        let place = self.place();
        let (term, parts) = self.term(0)?;
        self.add_parts(parts, &place)?;
        let Term::Relation(relation) = term else {
            let hint = "`S * T` relates all of S to all of T";
            self.error(
                place,
                "a conflict is a relation; this is a set".into(),
                Some(hint.into()),
            );
            return None;
        };
        if self.kind() != Kind::Word("as") {
            let hint = "`as \"why they conflict, in a sentence\"`";
            self.error_here("a conflict has a reason".into(), Some(hint.into()));
            return None;
        }
        self.advance();
        let why = self.named_text("the reason")?.to_owned();
        if let Some(races) = &mut self.shared.races {
            races.conflicts.push((relation, why));
        }
        Some(())
    }

    /// `let NAME = TERM`, of which the name and `=` are read.
    pub(super) fn define_term(&mut self, name: &str) -> Option<()> {
        let place = self.place();
        let (term, parts) = self.term(0)?;
        self.add_parts(parts, &place)?;
        self.shared.terms.insert(name.to_owned(), Named { term, parts });
        Some(())
    }

    fn term(&mut self, level: usize) -> Option<(Term, usize)> {
        let Some(&operator) = OPERATORS.get(level) else {
            return self.product_of_sets();
        };
        let (first, mut parts) = self.term(level + 1)?;
        if !self.is_symbol(operator) {
            return Some((first, parts));
        }
        let mut chain = Chain::of(first);
        while self.is_symbol(operator) {
            let place = self.place();
            self.advance();
            let (next, more) = self.term(level + 1)?;
            parts = self.sum(parts, more, &place)?;
            if !chain.take(next) {
                let hint = "`S * T` makes a relation of two sets";
                let message = format!("one side of `{operator}` is a set, the other one a relation");
                self.error(place, message, Some(hint.into()));
                return None;
            }
        }
        Some((chain.joined(operator), parts))
    }

    fn product_of_sets(&mut self) -> Option<(Term, usize)> {
        let (left, parts) = self.factor()?;
        let place = self.place();
        if !self.take_symbol("*") {
            return Some((left, parts));
        }
        let (right, more) = self.factor()?;
        let (Term::Set(a), Term::Set(b)) = (left, right) else {
            self.error(place, "`*` stands between two sets".into(), None);
            return None;
        };
        let parts = self.sum(parts, more, &place)?;
        Some((Term::Relation(Relation::Product(Box::new([a, b]))), parts))
    }

    fn factor(&mut self) -> Option<(Term, usize)> {
        let place = self.place();
        match self.kind() {
            Kind::Symbol("{}") => {
                self.advance();
                Some((Term::Set(Set::Empty), 1))
            }
            Kind::Symbol("(") => {
                if self.nesting >= DEEPEST {
                    self.error(place, format!("expressions nest at most {DEEPEST} deep"), None);
                    return None;
                }
                self.nesting += 1;
                self.advance();
                let inner = self.term(0);
                self.nesting -= 1;
                if !self.take_symbol(")") {
                    if inner.is_some() {
                        self.error_here("expected `)`".into(), None);
                    }
                    return None;
                }
                inner
            }
            Kind::Word(word) if !KEYWORDS.contains(&word) => {
                self.advance();
                self.term_named(word, place)
            }
            _ => {
                self.error_here("expected a set or a relation".into(), None);
                None
            }
        }
    }

    fn term_named(&mut self, word: &str, place: Range<usize>) -> Option<(Term, usize)> {
        if let Some(named) = self.shared.terms.get(word) {
            return Some((named.term.clone(), named.parts));
        }
        if let Some(term) = builtin(word) {
            return Some((term, 1));
        }
        let given = self.shared.terms.keys().map(String::as_str);
        let hint = match nearest(word, names()).or_else(|| nearest(word, given)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("sets and relations are {}", names().collect::<Vec<_>>().join(" ")),
        };
        self.error(place, format!("`{word}` is not known"), Some(hint));
        None
    }

    /// An expression of so many parts joins those of the model, if they are not too many.
    fn add_parts(&mut self, parts: usize, place: &Range<usize>) -> Option<()> {
        let before = self.shared.races.as_ref().map_or(0, |races| races.parts);
        let all = self.sum(before, parts, place)?;
        if let Some(races) = &mut self.shared.races {
            races.parts = all;
        }
        Some(())
    }

    /// The parts of both, if they are not too many.
    fn sum(&mut self, some: usize, more: usize, place: &Range<usize>) -> Option<usize> {
        let parts = some + more;
        if parts > MOST_PARTS {
            let message = format!("the expressions of a model have at most {MOST_PARTS} parts, names opened");
            self.error(place.clone(), message, None);
            return None;
        }
        Some(parts)
    }
}

fn builtin(word: &str) -> Option<Term> {
    let set = Set::NAMES.iter().find(|(name, _)| *name == word);
    let relation = Relation::NAMES.iter().find(|(name, _)| *name == word);
    set.map(|(_, set)| Term::Set(set.clone()))
        .or_else(|| relation.map(|(_, relation)| Term::Relation(relation.clone())))
}

/// Whether every model of races knows the name.
pub(super) fn is_builtin(word: &str) -> bool {
    builtin(word).is_some()
}

fn names() -> impl Iterator<Item = &'static str> {
    let sets = Set::NAMES.iter().map(|(name, _)| *name);
    sets.chain(Relation::NAMES.iter().map(|(name, _)| *name))
}
