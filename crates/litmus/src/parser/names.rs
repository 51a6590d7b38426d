//! The names that conditions refer to.

use super::cursor::Cursor;
use super::expression::number;
use super::scope::{Registers, Scope};
use crate::ast::{Observable, Rank, VariableId};
use crate::error::{Errors, ParseError, nearest};
use crate::lexer::TokenKind;
use std::ops::Range;

/// Variables and registers, known when all processes are read.
#[derive(Debug)]
pub(super) struct Names<'s> {
    pub(super) scope: &'s Scope<'s>,
    /// By process.
    pub(super) registers: &'s [Registers],
    /// Whether the processes were read without a mistake: otherwise registers may be missing by that.
    pub(super) complete: bool,
    pub(super) errors: &'s mut Errors,
}

/// Stands for a name that is not known, after it was reported: there will be no program.
const UNKNOWN: Observable = Observable::Variable(VariableId(u32::MAX));

impl Names<'_> {
    /// `0:a`, `X`, `[X]`
    pub(super) fn observable(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Observable, ParseError> {
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
                    let error = cursor.unexpected("a register `0:a` or a variable");
                    return Err(error.hint("`exists (0:a = 1 /\\ X = 2)`"));
                };
                cursor.next();
                if bracket {
                    cursor.expect("]", "close what `[` opened")?;
                }
                Ok(self.variable(word, place))
            }
        }
    }

    fn variable(&mut self, word: &str, place: Range<usize>) -> Observable {
        if let Some(variable) = self.scope.variable(word) {
            return Observable::Variable(variable);
        }
        let place = self.scope.misdeclared(word).unwrap_or(place);
        let error = ParseError::new(place, format!("no process owns `{word}`"));
        let variables = self.scope.variables.iter().map(|variable| variable.name.as_str());
        self.errors
            .push(match (self.with_register(word), nearest(word, variables)) {
                (Some(rank), _) => {
                    error.hint(format!("a register is written with its process: `{rank}:{word}`"))
                }
                (None, Some(near)) => error.hint(format!("did you mean `{near}`?")),
                (None, None) => error.hint("a condition is about variables and registers `0:a`"),
            });
        UNKNOWN
    }

    /// The first process that has this register.
    fn with_register(&self, name: &str) -> Option<usize> {
        self.registers
            .iter()
            .position(|registers| registers.get(name).is_some())
    }

    fn register(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Observable, ParseError> {
        let from = cursor.index();
        let value = number(cursor)?;
        let rank_place = cursor.since(from);
        cursor.expect(":", "`0:a` is register a of process 0")?;
        let Some(TokenKind::Word(word)) = cursor.peek() else {
            return Err(cursor.unexpected("a register"));
        };
        cursor.next();
        let rank = u32::try_from(value)
            .ok()
            .filter(|rank| *rank < self.scope.processes);
        let Some(rank) = rank else {
            let error = ParseError::new(rank_place, format!("there is no process {value}"));
            self.errors.push(error.hint(self.scope.known_processes()));
            return Ok(UNKNOWN);
        };
        let registers = self.registers.get(rank as usize);
        if !self.complete {
            return Ok(UNKNOWN);
        }
        if let Some(register) = registers.and_then(|registers| registers.get(word)) {
            return Ok(Observable::Register(Rank(rank), register));
        }
        let message = format!("process {rank} has no register `{word}`");
        let error = ParseError::new(cursor.since(from), message);
        let known = || {
            registers
                .into_iter()
                .flat_map(|registers| registers.names.iter().map(String::as_str))
        };
        self.errors.push(if self.scope.variable(word).is_some() {
            error.hint(format!(
                "`{word}` is a variable: its final value is written `{word}`"
            ))
        } else if let Some(other) = self.with_register(word) {
            error.hint(format!("did you mean `{other}:{word}`?"))
        } else if let Some(near) = nearest(word, known()) {
            error.hint(format!("did you mean `{rank}:{near}`?"))
        } else {
            error.hint(match known().take(8).collect::<Vec<_>>() {
                names if names.is_empty() => String::from("it has no registers"),
                names => format!("it has {}", names.join(", ")),
            })
        });
        Ok(UNKNOWN)
    }
}
