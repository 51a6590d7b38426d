//! Statements with `=`: loads, stores, and calls with a result.

use super::cursor::Cursor;
use super::expression::operator;
use super::statement::Body;
use super::words::{CALLS, RESULTS, usage};
use crate::ast::{Access, StatementKind, VariableId};
use crate::error::{ParseError, nearest};
use crate::lexer::TokenKind;
use std::ops::Range;

impl Body<'_> {
    /// `X = ...`
    pub(super) fn assignment_to_variable(
        &mut self,
        name: &str,
        variable: VariableId,
        place: Range<usize>,
        cursor: &mut Cursor<'_, '_>,
    ) -> Result<StatementKind, ParseError> {
        let into = Access {
            variable,
            atomicity: self.mark(cursor)?,
        };
        self.own(name, variable, place)?;
        cursor.expect("=", "`X = 1`, `X = get(Y@1)`")?;
        let result = match cursor.peek() {
            Some(TokenKind::Word(word))
                if RESULTS.contains(&word) && cursor.peek_at(1).is_some_and(|kind| kind.is("(")) =>
            {
                word
            }
            _ => {
                let value = self.value(cursor)?;
                return Ok(StatementKind::Store { into, value });
            }
        };
        cursor.next();
        cursor.expect("(", "arguments stand in parentheses")?;
        let target = self.target(cursor)?;
        let kind = match result {
            "get" => StatementKind::Get { into, target },
            "get_notify" => {
                cursor.expect(",", usage(result))?;
                StatementKind::GetNotify {
                    into,
                    target,
                    flag: self.flag(cursor)?,
                }
            }
            "rga" => StatementKind::Rga {
                into,
                target,
                operand: self.operand(cursor)?,
            },
            "cas" | "compare_and_swap" => {
                let (compare, swap) = (self.operand(cursor)?, self.operand(cursor)?);
                if result == "cas" {
                    StatementKind::Cas {
                        into,
                        target,
                        compare,
                        swap,
                    }
                } else {
                    StatementKind::CompareAndSwap {
                        into,
                        target,
                        compare,
                        swap,
                    }
                }
            }
            _ => {
                let operand = self.operand(cursor)?;
                let operation = self.operation(cursor)?;
                if result == "get_accumulate" {
                    StatementKind::GetAccumulate {
                        into,
                        target,
                        operand,
                        operation,
                    }
                } else {
                    StatementKind::FetchAndOp {
                        into,
                        target,
                        operand,
                        operation,
                    }
                }
            }
        };
        cursor.expect(")", usage(result))?;
        Ok(kind)
    }

    /// `a = ...`
    pub(super) fn assignment_to_register(
        &mut self,
        name: &str,
        place: Range<usize>,
        cursor: &mut Cursor<'_, '_>,
    ) -> Result<StatementKind, ParseError> {
        if !cursor.peek().is_some_and(|kind| kind.is("=")) {
            let error = cursor.unexpected("`=`");
            return Err(match nearest(name, CALLS) {
                Some(call) => error.hint(format!("did you mean `{call}`?")),
                None => error.hint("`a = X`, `X = 1`, `put(X@1, Y)`, `flush(1)`"),
            });
        }
        cursor.next();
        match cursor.peek() {
            Some(TokenKind::Word("take")) => {
                cursor.next();
                cursor.expect("(", usage("take"))?;
                let flag = self.flag(cursor)?;
                cursor.expect(")", usage("take"))?;
                let into = self.register(name, place)?;
                Ok(StatementKind::Take { into, flag })
            }
            Some(TokenKind::Word(word)) if RESULTS.contains(&word) => {
                let error = ParseError::new(
                    place,
                    format!("no process owns `{name}`, so it is a register, and `{word}` writes a variable"),
                );
                Err(error.hint(format!("declare it: `{{ {}: {name} = 0; }}`", self.rank.0)))
            }
            Some(TokenKind::Word(word))
                if self.scope.variable(word).is_some() && cursor.peek_at(1).and_then(operator).is_none() =>
            {
                let from = self.local(cursor)?;
                let into = self.register(name, place)?;
                Ok(StatementKind::Load { into, from })
            }
            _ => {
                let value = self.value(cursor)?;
                let into = self.register(name, place)?;
                Ok(StatementKind::Assign { into, value })
            }
        }
    }
}
