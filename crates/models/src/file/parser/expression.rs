//! Reading relational expressions.

use super::super::error::nearest;
use super::super::lexer::Kind;
use super::{KEYWORDS, Parser};
use crate::core_rma::Rule;
use crate::core_rma::expression::{BaseRelation, BaseSet, Expression};
use crate::core_rma::rules::ORDERING;
use std::ops::Range;

/// Nesting that an expression may have, names of `let` opened.
const DEEPEST: usize = 100;

/// Set or relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Set,
    Relation,
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Self::Set => "a set",
            Self::Relation => "a relation",
        }
    }
}

/// What is known of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nature {
    pub(super) type_: Type,
    /// Whether it depends on hb.
    pub(super) hb: bool,
    /// Whether it depends on rf or hb.
    pub(super) dynamic: bool,
    /// Whether it grows with hb.
    pub(super) grows: bool,
    /// Nesting, names of `let` opened.
    depth: usize,
}

impl Nature {
    fn constant(type_: Type) -> Self {
        Self {
            type_,
            hb: false,
            dynamic: false,
            grows: true,
            depth: 1,
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            type_: self.type_,
            hb: self.hb || other.hb,
            dynamic: self.dynamic || other.dynamic,
            grows: self.grows && other.grows,
            depth: self.depth.max(other.depth),
        }
    }
}

/// An expression as read.
pub(super) struct Read {
    pub(super) expression: Expression,
    pub(super) nature: Nature,
    pub(super) place: Range<usize>,
}

/// Binary operators by rising strength.
const OPERATORS: [&str; 4] = ["|", ";", "\\", "&"];

impl<'t> Parser<'t, '_, '_> {
    /// An expression. `None` after an error, which has been reported.
    pub(super) fn expression(&mut self) -> Option<Read> {
        self.binary(0)
    }

    fn binary(&mut self, level: usize) -> Option<Read> {
        let Some(&operator) = OPERATORS.get(level) else {
            return self.product();
        };
        let first = self.binary(level + 1)?;
        if !self.is_symbol(operator) {
            return Some(first);
        }
        let mut nature = first.nature;
        let mut place = first.place.clone();
        if operator == ";" {
            self.expect_type(&first, Type::Relation)?;
        }
        let mut parts = vec![first.expression];
        while self.take_symbol(operator) {
            let next = self.binary(level + 1)?;
            self.expect_type(&next, nature.type_)?;
            if operator == "\\" {
                nature.grows &= !next.nature.hb;
                nature.depth += 1;
            }
            nature = nature.with(next.nature);
            place.end = next.place.end;
            if operator == "\\" {
                let left = parts.pop().unwrap_or(next.expression.clone());
                parts.push(Expression::Difference(Box::new(left), Box::new(next.expression)));
                self.check_depth(nature.depth, &place)?;
            } else {
                parts.push(next.expression);
            }
        }
        let expression = match operator {
            "|" => Expression::Union(parts),
            "&" => Expression::Intersection(parts),
            ";" => Expression::Composition(parts),
            _ => parts.pop()?,
        };
        self.deeper(expression, nature, place)
    }

    fn product(&mut self) -> Option<Read> {
        let left = self.postfix()?;
        if !(self.is_symbol("*") && self.operand_follows()) {
            return Some(left);
        }
        self.advance();
        let right = self.postfix()?;
        self.expect_type(&left, Type::Set)?;
        self.expect_type(&right, Type::Set)?;
        let mut nature = left.nature.with(right.nature);
        nature.type_ = Type::Relation;
        let place = left.place.start..right.place.end;
        let product = Expression::Product(Box::new(left.expression), Box::new(right.expression));
        self.deeper(product, nature, place)
    }

    /// Whether what follows the token at hand begins an operand: then `*` is a product, else a closure.
    fn operand_follows(&self) -> bool {
        match self.after() {
            Kind::Word(word) => !KEYWORDS.contains(&word),
            Kind::Symbol(symbol) => ["(", "[", "{}"].contains(&symbol),
            Kind::Text(_) | Kind::End => false,
        }
    }

    fn postfix(&mut self) -> Option<Read> {
        let mut read = self.operand()?;
        loop {
            let closure = self.is_symbol("*") && !self.operand_follows();
            let wrap: fn(Box<Expression>) -> Expression = match self.kind() {
                Kind::Symbol("+" | "^+") => Expression::Closure,
                Kind::Symbol("?" | "^?") => Expression::Optional,
                Kind::Symbol("^-1") => Expression::Inverse,
                Kind::Symbol("^*") => Expression::ReflexiveClosure,
                Kind::Symbol("*") if closure => Expression::ReflexiveClosure,
                _ => return Some(read),
            };
            self.expect_type(&read, Type::Relation)?;
            let end = self.place().end;
            self.advance();
            let place = read.place.start..end;
            read = self.deeper(wrap(Box::new(read.expression)), read.nature, place)?;
        }
    }

    fn operand(&mut self) -> Option<Read> {
        let place = self.place();
        match self.kind() {
            Kind::Word("0") => {
                self.advance();
                Some(Read {
                    expression: Expression::EmptyRelation,
                    nature: Nature::constant(Type::Relation),
                    place,
                })
            }
            Kind::Symbol("{}") => {
                self.advance();
                Some(Read {
                    expression: Expression::EmptySet,
                    nature: Nature::constant(Type::Set),
                    place,
                })
            }
            Kind::Symbol(open @ ("(" | "[")) => {
                self.enter(&place)?;
                self.advance();
                let inner = self.expression();
                self.leave();
                let inner = inner?;
                let close = if open == "(" { ")" } else { "]" };
                let end = self.place().end;
                if !self.take_symbol(close) {
                    self.error_here(format!("expected `{close}`"), None);
                    return None;
                }
                if open == "(" {
                    return Some(inner);
                }
                self.expect_type(&inner, Type::Set)?;
                let nature = Nature {
                    type_: Type::Relation,
                    ..inner.nature
                };
                self.deeper(
                    Expression::IdentityOn(Box::new(inner.expression)),
                    nature,
                    place.start..end,
                )
            }
            Kind::Word(word @ ("domain" | "range")) => {
                self.enter(&place)?;
                self.advance();
                let inner = self.operand();
                self.leave();
                let inner = inner?;
                self.expect_type(&inner, Type::Relation)?;
                let nature = Nature {
                    type_: Type::Set,
                    ..inner.nature
                };
                let end = inner.place.end;
                let inner = Box::new(inner.expression);
                let expression = match word {
                    "domain" => Expression::Domain(inner),
                    _ => Expression::Range(inner),
                };
                self.deeper(expression, nature, place.start..end)
            }
            Kind::Word(word) if !KEYWORDS.contains(&word) => {
                self.advance();
                self.name(word, place)
            }
            Kind::Symbol("~") => {
                self.error_here(
                    "there is no complement".into(),
                    Some("write a difference: `(_ * _) \\ r`, `_ \\ S`".into()),
                );
                None
            }
            _ => {
                self.error_here("expected a set or a relation".into(), None);
                None
            }
        }
    }

    fn name(&mut self, word: &'t str, place: Range<usize>) -> Option<Read> {
        let known = |table: Option<(Expression, Nature)>| {
            table.map(|(expression, nature)| Read {
                expression,
                nature,
                place: place.clone(),
            })
        };
        if let Some(&(index, nature)) = self.shared.names.get(word) {
            return known(Some((Expression::Defined(index), nature)));
        }
        if let Some(found) = builtin(word) {
            return known(Some(found));
        }
        if let Some(rule) = Rule::ALL.iter().find(|rule| rule.name() == word) {
            self.error(
                place,
                format!(
                    "rule {} depends on what is read from where: it is no relation by itself",
                    rule.name()
                ),
                Some("rf and hb can stand in expressions".into()),
            );
            return None;
        }
        let known = || self.shared.names.keys().map(String::as_str);
        let hint = nearest(word, builtin_names())
            .or_else(|| nearest(word, known()))
            .map(|near| format!("did you mean `{near}`?"));
        self.error(place, format!("`{word}` is not known"), hint);
        None
    }

    fn expect_type(&mut self, read: &Read, expected: Type) -> Option<()> {
        if read.nature.type_ == expected {
            return Some(());
        }
        let hint = match expected {
            Type::Relation => "`[S]` makes a relation of a set, `S * T` of two",
            Type::Set => "`domain(r)` and `range(r)` make a set of a relation",
        };
        self.error(
            read.place.clone(),
            format!(
                "this is {}, but {} is needed",
                read.nature.type_.name(),
                expected.name()
            ),
            Some(hint.into()),
        );
        None
    }

    fn deeper(&mut self, expression: Expression, nature: Nature, place: Range<usize>) -> Option<Read> {
        let nature = Nature {
            depth: nature.depth + 1,
            ..nature
        };
        self.check_depth(nature.depth, &place)?;
        Some(Read {
            expression,
            nature,
            place,
        })
    }

    fn check_depth(&mut self, depth: usize, place: &Range<usize>) -> Option<()> {
        if depth > DEEPEST {
            self.error(
                place.clone(),
                format!("expressions nest at most {DEEPEST} deep"),
                None,
            );
            return None;
        }
        Some(())
    }

    fn enter(&mut self, place: &Range<usize>) -> Option<()> {
        self.nesting += 1;
        let nesting = self.nesting;
        let fits = self.check_depth(nesting, place);
        if fits.is_none() {
            self.nesting -= 1;
        }
        fits
    }

    fn leave(&mut self) {
        self.nesting -= 1;
    }
}

/// The set or relation that every model knows by this name.
fn builtin(word: &str) -> Option<(Expression, Nature)> {
    if let Some(&(_, set)) = BaseSet::NAMES.iter().find(|&&(name, _)| name == word) {
        return Some((Expression::Set(set), Nature::constant(Type::Set)));
    }
    let relation = BaseRelation::NAMES
        .iter()
        .find(|&&(name, _)| name == word)
        .map(|&(_, relation)| relation)
        .or_else(|| {
            ORDERING
                .iter()
                .find(|(rule, _)| rule.name() == word)
                .map(|&(rule, _)| BaseRelation::Rule(rule))
        })?;
    let hb = relation == BaseRelation::Hb;
    let nature = Nature {
        hb,
        dynamic: hb || relation == BaseRelation::Rf,
        ..Nature::constant(Type::Relation)
    };
    Some((Expression::Relation(relation), nature))
}

/// Whether every model knows the name.
pub(super) fn is_builtin(word: &str) -> bool {
    builtin(word).is_some()
        || Rule::ALL.iter().any(|rule| rule.name() == word)
        || ["domain", "range", "0"].contains(&word)
}

fn builtin_names() -> impl Iterator<Item = &'static str> {
    let sets = BaseSet::NAMES.iter().map(|&(name, _)| name);
    let relations = BaseRelation::NAMES.iter().map(|&(name, _)| name);
    sets.chain(relations)
        .chain(ORDERING.iter().map(|(rule, _)| rule.name()))
}
