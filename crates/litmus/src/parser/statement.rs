//! Statements of one process.

use super::cursor::{Cursor, Errors};
use super::scope::{Registers, Scope};
use super::words::{CALLS, RESERVED, RESULTS};
use crate::ast::{Atomicity, Place, Rank, Statement, StatementKind};
use crate::error::{ParseError, nearest};
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
            let from = cursor.index();
            match self.statement(cursor, errors, depth) {
                Ok(kind) => {
                    let place = Place(cursor.since(from));
                    statements.push(Statement { kind, place });
                    if let Some(kind) = cursor.peek().filter(|kind| !kind.is(";") && !kind.is("}")) {
                        let block = matches!(cursor.peek_before(), Some(TokenKind::Symbol("}")));
                        if !block {
                            let error = ParseError::new(
                                cursor.place(),
                                format!("the statement ends before {}", kind.shown()),
                            );
                            errors.push(
                                error.hint("statements are separated by `;`, or stand in rows of their own"),
                            );
                            cursor.recover();
                        }
                    }
                }
                Err(error) => {
                    errors.push(error);
                    cursor.recover();
                }
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
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            let error = ParseError::new(
                cursor.place(),
                format!("process {} has too many statements", self.rank.0),
            );
            return Err(error.hint(format!("at most {MOST_STATEMENTS}")));
        }
        let place = cursor.place();
        let Some(TokenKind::Word(word)) = cursor.peek() else {
            return Err(cursor.unexpected("a statement"));
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
            return Err(ParseError::new(
                place,
                format!("no statement begins with `{word}`"),
            ));
        }
        let follows = cursor.peek();
        if follows.is_some_and(|kind| kind.is("(")) {
            let known = nearest(word, CALLS.into_iter().chain(RESULTS));
            let error = ParseError::new(place, format!("there is no statement `{word}`"));
            return Err(match known {
                Some(known) => error.hint(format!("did you mean `{known}`?")),
                None => error,
            });
        }
        match self.scope.variable(word) {
            Some(variable) => self.assignment_to_variable(word, variable, place, cursor),
            None => self.assignment_to_register(word, place, cursor),
        }
    }
}
