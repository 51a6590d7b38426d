//! Calls without a result, and blocks.

use super::cursor::Cursor;
use super::expression::MOST_NESTING;
use super::statement::Body;
use super::words::usage;
use crate::ast::{Expression, Statement, StatementKind};
use crate::error::{Errors, ParseError};
use crate::lexer::TokenKind;

/// More turns of a loop than this are refused.
const MOST_TURNS: u64 = 64;
/// Turns of a loop that says nothing.
const USUAL_TURNS: u32 = 2;

impl Body<'_> {
    pub(super) fn call(
        &mut self,
        word: &str,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<StatementKind, ParseError> {
        if matches!(word, "while" | "if") {
            return self.control(word, cursor, errors, depth);
        }
        let open = cursor.take("(");
        let needs = !matches!(
            word,
            "flush_all"
                | "flush_local_all"
                | "fence"
                | "lock_all"
                | "unlock_all"
                | "complete"
                | "wait"
                | "sync"
                | "barrier"
        );
        if needs && !open {
            return Err(cursor.unexpected("`(`").hint(usage(word)));
        }
        let kind = match word {
            "put" => {
                let target = self.target(cursor)?;
                StatementKind::Put {
                    target,
                    from: self.operand(cursor)?,
                }
            }
            "accumulate" => {
                let target = self.target(cursor)?;
                let operand = self.operand(cursor)?;
                StatementKind::Accumulate {
                    target,
                    operand,
                    operation: self.operation(cursor)?,
                }
            }
            "notify" => StatementKind::Notify(self.notification(cursor)?),
            "put_notify" => {
                let target = self.target(cursor)?;
                let from = self.operand(cursor)?;
                cursor.expect(",", usage(word))?;
                let place = cursor.place();
                let notification = self.notification(cursor)?;
                let owner = self.scope.owner(target.variable);
                if self.scope.owner(notification.flag) != owner {
                    let error = ParseError::new(place, "the flag lies at another process than the data");
                    return Err(error.hint(format!("a flag of process {}", owner.0)));
                }
                StatementKind::PutNotify {
                    target,
                    from,
                    notification,
                }
            }
            "wait_queue" => StatementKind::WaitQueue(self.queue(cursor)?),
            "await" => StatementKind::Await(self.flag(cursor)?),
            "flush" => StatementKind::Flush(self.rank(cursor)?),
            "flush_local" => StatementKind::FlushLocal(self.rank(cursor)?),
            "lock_shared" => StatementKind::LockShared(self.rank(cursor)?),
            "lock_exclusive" => StatementKind::LockExclusive(self.rank(cursor)?),
            "unlock" => StatementKind::Unlock(self.rank(cursor)?),
            "send" => StatementKind::Send(self.rank(cursor)?),
            "recv" => StatementKind::Receive(self.rank(cursor)?),
            "post" => StatementKind::Post(self.ranks(cursor)?),
            "start" => StatementKind::Start(self.ranks(cursor)?),
            "fence" => StatementKind::Fence(if open {
                self.assertions(cursor)?
            } else {
                Vec::new()
            }),
            "flush_all" => StatementKind::FlushAll,
            "flush_local_all" => StatementKind::FlushLocalAll,
            "lock_all" => StatementKind::LockAll,
            "unlock_all" => StatementKind::UnlockAll,
            "complete" => StatementKind::Complete,
            "wait" => StatementKind::Wait,
            "sync" => StatementKind::Sync,
            _ => StatementKind::Barrier,
        };
        if open {
            cursor.expect(")", usage(word))?;
        }
        Ok(kind)
    }

    pub(super) fn control(
        &mut self,
        word: &str,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<StatementKind, ParseError> {
        if depth >= MOST_NESTING {
            let error = ParseError::new(cursor.place(), "statements are nested too deeply");
            return Err(error.hint(format!("at most {MOST_NESTING} levels")));
        }
        cursor.expect("(", usage(word))?;
        let condition: Expression = self.expression(cursor)?;
        cursor.expect(")", usage(word))?;
        if word == "if" {
            let then = self.block(cursor, errors, depth)?;
            let mut ahead = cursor.clone();
            while ahead.take(";") {}
            let otherwise = if ahead.take_word("else") {
                *cursor = ahead;
                self.block(cursor, errors, depth)?
            } else {
                Vec::new()
            };
            return Ok(StatementKind::If {
                condition,
                then,
                otherwise,
            });
        }
        let mut bound = USUAL_TURNS;
        if cursor.take_word("bound") {
            let place = cursor.place();
            let Some(TokenKind::Number(turns)) = cursor.peek() else {
                return Err(cursor.unexpected("a number of turns").hint(usage(word)));
            };
            cursor.next();
            bound = u32::try_from(turns)
                .ok()
                .filter(|turns| u64::from(*turns) <= MOST_TURNS)
                .ok_or_else(|| {
                    ParseError::new(place, "this bound is too large")
                        .hint(format!("at most {MOST_TURNS} turns"))
                })?;
        }
        let body = self.block(cursor, errors, depth)?;
        Ok(StatementKind::While {
            condition,
            bound,
            body,
        })
    }

    pub(super) fn block(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        errors: &mut Errors,
        depth: usize,
    ) -> Result<Vec<Statement>, ParseError> {
        while cursor.take(";") {}
        cursor.expect("{", "the statements of a block stand in braces")?;
        let open = cursor.last_place();
        let body = self.statements(cursor, errors, depth + 1);
        if cursor.take("}") {
            Ok(body)
        } else {
            Err(ParseError::new(open, "this block is not closed").hint("close it with `}`"))
        }
    }
}
