//! What stands after the processes: `locations`, `filter`, the final condition.

use super::cursor::Cursor;
use super::expression::{MOST_NESTING, number};
use super::names::Names;
use crate::ast::{Condition, Observable, Proposition, Quantifier, Value};
use crate::error::ParseError;
use crate::lexer::TokenKind;

/// Comparisons, constants and negations in one proposition: a chain of them is a tree as deep as it is long.
const MOST_PARTS: usize = 256;
/// Entries of `locations`.
const MOST_LOCATIONS: usize = 1024;
const LAST: &str = "the final condition is the last thing in a test";
const LOCATIONS: &str = "`locations [0:a; X;]`";

/// What stood after the processes.
#[derive(Debug, Default)]
pub(super) struct Tail {
    pub(super) locations: Vec<Observable>,
    pub(super) filter: Option<Proposition>,
    pub(super) condition: Option<Condition>,
}

impl Names<'_> {
    /// Everything up to the end. Unknown names are reported one by one; another mistake ends the reading.
    pub(super) fn tail(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Tail, ParseError> {
        let mut tail = Tail::default();
        let (mut shows, mut filters) = (false, false);
        loop {
            if !shows && cursor.take_word("locations") {
                (shows, tail.locations) = (true, self.locations(cursor)?);
            } else if !filters && cursor.take_word("filter") {
                (filters, tail.filter) = (true, Some(self.proposition(cursor)?));
            } else {
                break;
            }
        }
        if cursor.ended() {
            return Ok(tail);
        }
        let Some(quantifier) = quantifier(cursor) else {
            let error = cursor.unexpected("`exists`, `~exists`, `forall`, `filter` or `locations`");
            return Err(error.hint(LAST));
        };
        let proposition = self.proposition(cursor)?;
        tail.condition = Some(Condition {
            quantifier,
            proposition,
        });
        if cursor.ended() {
            Ok(tail)
        } else {
            Err(cursor.unexpected("the end of the test").hint(LAST))
        }
    }

    fn locations(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Vec<Observable>, ParseError> {
        let mut locations = Vec::new();
        cursor.expect("[", LOCATIONS)?;
        while !cursor.peek().is_some_and(|kind| kind.is("]")) {
            if locations.len() >= MOST_LOCATIONS {
                let error = ParseError::new(cursor.place(), "there are too many locations");
                return Err(error.hint(format!("at most {MOST_LOCATIONS}")));
            }
            let observable = self.observable(cursor)?;
            if !locations.contains(&observable) {
                locations.push(observable);
            }
            if !cursor.take(";") && !cursor.take(",") {
                break;
            }
        }
        cursor.expect("]", LOCATIONS)?;
        cursor.take(";");
        Ok(locations)
    }

    /// Parentheses around the whole of it are no nesting.
    fn proposition(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Proposition, ParseError> {
        let mut parts = 0;
        let closing = cursor.closing();
        let whole = closing.is_some_and(|ahead| match cursor.peek_at(ahead + 1) {
            None | Some(TokenKind::Word(_)) => true,
            Some(kind) => kind.is("~"),
        });
        if whole {
            cursor.next();
        }
        let proposition = self.or(cursor, 0, &mut parts)?;
        if whole {
            cursor.expect(")", "close what `(` opened")?;
        }
        Ok(proposition)
    }

    fn or(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        parts: &mut usize,
    ) -> Result<Proposition, ParseError> {
        let mut left = self.and(cursor, depth, parts)?;
        while cursor.take("\\/") || cursor.take("||") {
            left = Proposition::Or(Box::new(left), Box::new(self.and(cursor, depth, parts)?));
        }
        Ok(left)
    }

    fn and(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        parts: &mut usize,
    ) -> Result<Proposition, ParseError> {
        let mut left = self.unary(cursor, depth, parts)?;
        while cursor.take("/\\") || cursor.take("&&") {
            left = Proposition::And(Box::new(left), Box::new(self.unary(cursor, depth, parts)?));
        }
        Ok(left)
    }

    fn unary(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        parts: &mut usize,
    ) -> Result<Proposition, ParseError> {
        let open = cursor.peek().is_some_and(|kind| kind.is("("));
        *parts += usize::from(!open);
        if depth > MOST_NESTING || *parts > MOST_PARTS {
            let error = ParseError::new(cursor.place(), "this condition is too large");
            return Err(error.hint(format!("at most {MOST_PARTS} parts and {MOST_NESTING} levels")));
        }
        if cursor.take("~") || cursor.take("!") {
            // `~(p)` is one level, as `~p` is: that is how it is printed.
            let negated = match cursor.peek() {
                Some(TokenKind::Symbol("(")) => self.parentheses(cursor, depth + 1, parts)?,
                _ => self.unary(cursor, depth + 1, parts)?,
            };
            return Ok(Proposition::Not(Box::new(negated)));
        }
        if open {
            return self.parentheses(cursor, depth + 1, parts);
        }
        for (word, value) in [("true", true), ("false", false)] {
            if cursor.take_word(word) {
                return Ok(Proposition::Constant(value));
            }
        }
        self.comparison(cursor)
    }

    /// `(p)`
    fn parentheses(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        parts: &mut usize,
    ) -> Result<Proposition, ParseError> {
        cursor.expect("(", "`(0:a = 1 /\\ X = 2)`")?;
        let inner = self.or(cursor, depth, parts)?;
        cursor.expect(")", "close what `(` opened")?;
        Ok(inner)
    }

    /// `0:a = 1`, `X != T`
    fn comparison(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Proposition, ParseError> {
        let observable = self.observable(cursor)?;
        let equal = cursor.take("=") || cursor.take("==");
        if !equal && !cursor.take("!=") && !cursor.take("<>") {
            return Err(cursor.unexpected("`=` or `!=`").hint("`0:a = 1`, `X = T`"));
        }
        let value = if cursor.take_word("T") {
            Value::Undefined
        } else {
            let error = |error: ParseError| error.hint("a value is a number, or `T` for the undefined one");
            Value::Known(number(cursor).map_err(error)?)
        };
        Ok(if equal {
            Proposition::Equal(observable, value)
        } else {
            Proposition::NotEqual(observable, value)
        })
    }
}

fn quantifier(cursor: &mut Cursor<'_, '_>) -> Option<Quantifier> {
    let negated = cursor.take("~");
    if cursor.take_word("exists") {
        return Some(if negated {
            Quantifier::NotExists
        } else {
            Quantifier::Exists
        });
    }
    (!negated && cursor.take_word("forall")).then_some(Quantifier::Forall)
}
