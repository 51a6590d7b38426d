//! Statements of one process.

use super::cursor::Cursor;
use super::scope::{Registers, Scope};
use super::words::{CALLS, RESERVED, RESULTS, TAIL};
use crate::ast::{Atomicity, Place, Rank, Statement, StatementKind};
use crate::error::{Errors, ParseError, nearest};
use crate::lexer::TokenKind;

/// More statements than this in one process are refused; no engine reaches as far.
const MOST_STATEMENTS: usize = 4096;

/// What a process' statements are read with.
#[derive(Debug)]
pub(super) struct Body<'s> {
    pub(super) scope: &'s Scope<'s>,
    pub(super) registers: Registers,
    pub(super) rank: Rank,
    pub(super) accesses: Atomicity,
    statements: usize,
}

impl<'s> Body<'s> {
    pub(super) fn new(scope: &'s Scope<'s>, rank: Rank, accesses: Atomicity) -> Self {
        Self {
            scope,
            registers: Registers::default(),
            rank,
            accesses,
            statements: 0,
        }
    }

    /// All statements of the process.
    pub(super) fn process(&mut self, cursor: &mut Cursor<'_, '_>, errors: &mut Errors) -> Vec<Statement> {
        let mut statements = self.statements(cursor, errors, 0);
        while !cursor.ended() && !errors.full() {
            let error = ParseError::new(cursor.place(), "this `}` closes nothing");
            errors.push(error.hint("in columns each statement of a block has a row of its own"));
            cursor.next();
            statements.extend(self.statements(cursor, errors, 0));
        }
        statements
    }

    /// Statements up to the end, or to a `}` that closes more than was opened.
    pub(super) fn statements(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !cursor.ended() && !errors.full() && !cursor.peek().is_some_and(|kind| kind.is("}")) {
            if cursor.take(";") {
                continue;
            }
            self.statements += 1;
            if self.statements > MOST_STATEMENTS {
                let message = format!("process {} has too many statements", self.rank.0);
                let error = ParseError::new(cursor.place(), message);
                errors.push(error.hint(format!("at most {MOST_STATEMENTS}")));
                cursor.give_up();
                break;
            }
            let from = cursor.index();
            let read = self.statement(cursor, errors, depth).and_then(|kind| {
                let kind = self.on_queue(kind, cursor)?;
                let place = Place(cursor.since(from));
                statements.push(Statement { kind, place });
                separated(cursor)
            });
            if let Err(error) = read {
                errors.push(error);
                cursor.recover();
            }
        }
        statements
    }

    pub(super) fn statement(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<StatementKind, ParseError> {
        let place = cursor.place();
        let Some(TokenKind::Word(word)) = cursor.peek() else {
            return Err(cursor
                .unexpected("a statement")
                .hint("`a = X`, `X = 1`, `put(X@1, Y)`, `flush(1)`"));
        };
        cursor.next();
        if CALLS.contains(&word) {
            return self.call(word, cursor, errors, depth);
        }
        if RESULTS.contains(&word) {
            let error = ParseError::new(place, format!("`{word}` needs a variable for its result"));
            return Err(error.hint(format!("`X = {word}(...)`")));
        }
        if RESERVED.contains(&word) {
            let error = ParseError::new(place, format!("no statement begins with `{word}`"));
            return Err(error.hint(match word {
                "else" => String::from("it follows the `}` of an `if`"),
                "take" => String::from("its result goes to a register: `a = take(N)`"),
                _ => format!("`{word}` is a word of the language and names no register"),
            }));
        }
        let follows = cursor.peek();
        if follows.is_some_and(|kind| kind.is("(")) {
            let known = nearest(word, CALLS.into_iter().chain(RESULTS).chain(TAIL));
            let error = ParseError::new(place, format!("there is no statement `{word}`"));
            return Err(match known {
                Some(known) => error.hint(format!("did you mean `{known}`?")),
                None => error.hint("`put(X@1, Y)`, `X = get(Y@1)`, `flush(1)`, `fence`, ..."),
            });
        }
        match self.scope.variable(word) {
            Some(variable) => self.assignment_to_variable(word, variable, place, cursor),
            None => self.assignment_to_register(word, place, cursor),
        }
    }
}

/// Checks that a statement ends here. A block needs nothing after its `}`.
fn separated(cursor: &Cursor<'_, '_>) -> Result<(), ParseError> {
    let block = matches!(cursor.peek_before(), Some(TokenKind::Symbol("}")));
    match cursor
        .peek()
        .filter(|kind| !block && !kind.is(";") && !kind.is("}"))
    {
        Some(kind) => {
            let error = ParseError::new(
                cursor.place(),
                format!("the statement ends before {}", kind.shown()),
            );
            Err(error.hint("statements are separated by `;`, or stand in rows of their own"))
        }
        None => Ok(()),
    }
}
