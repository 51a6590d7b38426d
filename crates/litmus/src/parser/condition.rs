//! What stands behind the processes: `locations`, `filter`, the final condition.

use super::cursor::Cursor;
use super::expression::{MOST_NESTING, number};
use super::scope::{Registers, Scope};
use crate::ast::{Condition, Observable, Proposition, Quantifier, Rank, Value};
use crate::error::{ParseError, nearest};
use crate::lexer::TokenKind;

/// Atoms in one proposition: a chain of them is a tree as deep as it is long.
const MOST_ATOMS: usize = 256;

/// The names that a condition can refer to.
#[derive(Debug)]
pub(super) struct Names<'s> {
    pub(super) scope: &'s Scope<'s>,
    pub(super) registers: &'s [Registers],
}

/// What stood behind the processes.
#[derive(Debug, Default)]
pub(super) struct Tail {
    pub(super) locations: Vec<Observable>,
    pub(super) filter: Option<Proposition>,
    pub(super) condition: Option<Condition>,
}

impl Names<'_> {
    pub(super) fn tail(&self, cursor: &mut Cursor<'_, '_>) -> Result<Tail, ParseError> {
        let mut tail = Tail::default();
        if cursor.take_word("locations") {
            tail.locations = self.locations(cursor)?;
        }
        if cursor.take_word("filter") {
            tail.filter = Some(self.proposition(cursor)?);
        }
        if cursor.ended() {
            return Ok(tail);
        }
        let quantifier = if cursor.take_word("exists") {
            Quantifier::Exists
        } else if cursor.take_word("forall") {
            Quantifier::Forall
        } else if cursor.peek().is_some_and(|kind| kind.is("~"))
            && cursor.peek_at(1) == Some(TokenKind::Word("exists"))
        {
            cursor.next();
            cursor.next();
            Quantifier::NotExists
        } else {
            let error = cursor.unexpected("`exists`, `~exists`, `forall`, `filter` or `locations`");
            return Err(error.hint("the final condition is the last thing in a test"));
        };
        let proposition = self.proposition(cursor)?;
        tail.condition = Some(Condition {
            quantifier,
            proposition,
        });
        if !cursor.ended() {
            return Err(cursor
                .unexpected("the end of the test")
                .hint("the final condition is the last thing in a test"));
        }
        Ok(tail)
    }

    fn locations(&self, cursor: &mut Cursor<'_, '_>) -> Result<Vec<Observable>, ParseError> {
        let mut locations = Vec::new();
        cursor.expect("[", "`locations [0:a; X;]`")?;
        while !cursor.peek().is_some_and(|kind| kind.is("]")) {
            let observable = self.observable(cursor)?;
            if !locations.contains(&observable) {
                locations.push(observable);
            }
            if !cursor.take(";") && !cursor.take(",") {
                break;
            }
        }
        cursor.expect("]", "`locations [0:a; X;]`")?;
        cursor.take(";");
        Ok(locations)
    }

    fn proposition(&self, cursor: &mut Cursor<'_, '_>) -> Result<Proposition, ParseError> {
        let mut atoms = 0;
        self.or(cursor, 0, &mut atoms)
    }

    fn or(
        &self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        atoms: &mut usize,
    ) -> Result<Proposition, ParseError> {
        let mut left = self.and(cursor, depth, atoms)?;
        while cursor.take("\\/") || cursor.take("||") {
            left = Proposition::Or(Box::new(left), Box::new(self.and(cursor, depth, atoms)?));
        }
        Ok(left)
    }

    fn and(
        &self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        atoms: &mut usize,
    ) -> Result<Proposition, ParseError> {
        let mut left = self.unary(cursor, depth, atoms)?;
        while cursor.take("/\\") || cursor.take("&&") {
            left = Proposition::And(Box::new(left), Box::new(self.unary(cursor, depth, atoms)?));
        }
        Ok(left)
    }

    fn unary(
        &self,
        cursor: &mut Cursor<'_, '_>,
        depth: usize,
        atoms: &mut usize,
    ) -> Result<Proposition, ParseError> {
        *atoms += 1;
        if depth > MOST_NESTING || *atoms > MOST_ATOMS {
            let error = ParseError::new(cursor.place(), "this condition is too large");
            return Err(error.hint(format!("at most {MOST_ATOMS} parts and {MOST_NESTING} levels")));
        }
        if cursor.take("~") || cursor.take("!") {
            return Ok(Proposition::Not(Box::new(self.unary(
                cursor,
                depth + 1,
                atoms,
            )?)));
        }
        if cursor.take("(") {
            let inner = self.or(cursor, depth + 1, atoms)?;
            cursor.expect(")", "close what `(` opened")?;
            return Ok(inner);
        }
        for (word, value) in [("true", true), ("false", false)] {
            if cursor.take_word(word) {
                return Ok(Proposition::Constant(value));
            }
        }
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

    /// `0:a`, `X`, `[X]`
    fn observable(&self, cursor: &mut Cursor<'_, '_>) -> Result<Observable, ParseError> {
        let place = cursor.place();
        match cursor.peek() {
            Some(TokenKind::Number(_)) => self.register(cursor),
            Some(TokenKind::Word(word)) if cursor.peek_at(1).is_some_and(|kind| kind.is(":")) => {
                let rank = word.strip_prefix('P').unwrap_or("0");
                let error = ParseError::new(place, "a register is written with the number of its process");
                Err(error.hint(format!("`{rank}:a`")))
            }
            _ => {
                let bracket = cursor.take("[");
                let place = cursor.place();
                let Some(TokenKind::Word(word)) = cursor.peek() else {
                    return Err(cursor
                        .unexpected("a register `0:a` or a variable")
                        .hint("`exists (0:a = 1 /\\ X = 2)`"));
                };
                cursor.next();
                let variable = self
                    .scope
                    .variable(word)
                    .ok_or_else(|| self.unknown_variable(word, place))?;
                if bracket {
                    cursor.expect("]", "close what `[` opened")?;
                }
                Ok(Observable::Variable(variable))
            }
        }
    }

    fn unknown_variable(&self, word: &str, place: std::ops::Range<usize>) -> ParseError {
        let error = ParseError::new(place, format!("no process owns `{word}`"));
        let owner = self
            .registers
            .iter()
            .position(|registers| registers.get(word).is_some());
        let variables = self.scope.variables.iter().map(|variable| variable.name.as_str());
        match (owner, nearest(word, variables)) {
            (Some(rank), _) => error.hint(format!("a register is written with its process: `{rank}:{word}`")),
            (None, Some(near)) => error.hint(format!("did you mean `{near}`?")),
            (None, None) => error,
        }
    }

    fn register(&self, cursor: &mut Cursor<'_, '_>) -> Result<Observable, ParseError> {
        let from = cursor.place();
        let value = number(cursor)?;
        let rank = u32::try_from(value)
            .ok()
            .filter(|rank| *rank < self.scope.processes)
            .ok_or_else(|| {
                let error = ParseError::new(from.clone(), format!("there is no process {value}"));
                error.hint(format!(
                    "the processes are 0 to {}",
                    self.scope.processes.saturating_sub(1)
                ))
            })?;
        cursor.expect(":", "`0:a` is register a of process 0")?;
        let Some(TokenKind::Word(word)) = cursor.peek() else {
            return Err(cursor.unexpected("a register"));
        };
        let place = from.start..cursor.place().end;
        cursor.next();
        let registers = self.registers.get(rank as usize);
        if let Some(register) = registers.and_then(|registers| registers.get(word)) {
            return Ok(Observable::Register(Rank(rank), register));
        }
        let error = ParseError::new(place, format!("process {rank} has no register `{word}`"));
        if self.scope.variable(word).is_some() {
            return Err(error.hint(format!(
                "`{word}` is a variable: its final value is written `{word}`"
            )));
        }
        if let Some(other) = self
            .registers
            .iter()
            .position(|registers| registers.get(word).is_some())
        {
            return Err(error.hint(format!("did you mean `{other}:{word}`?")));
        }
        let known = registers
            .into_iter()
            .flat_map(|registers| registers.names.iter().map(String::as_str));
        Err(match nearest(word, known) {
            Some(near) => error.hint(format!("did you mean `{rank}:{near}`?")),
            None => error,
        })
    }
}
