//! Queues, and the flags that notifications set.

use super::cursor::Cursor;
use super::expression::number;
use super::statement::Body;
use crate::ast::{Notification, Queue, StatementKind, VariableId};
use crate::error::ParseError;
use crate::lexer::TokenKind;

/// Queues of a process, at most.
const MOST_QUEUES: u32 = 64;

impl Body<'_> {
    /// `N@1`, `N@1, 5`: a flag at its process, and what it is set to; 1 where nothing is said.
    pub(super) fn notification(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Notification, ParseError> {
        let flag = self.target(cursor)?.variable;
        let mut value = 1;
        if cursor.take(",") {
            let place = cursor.place();
            value = number(cursor)?;
            if value == 0 {
                let error = ParseError::new(place, "a notification is not 0");
                return Err(error.hint("0 says that nothing came"));
            }
        }
        Ok(Notification { flag, value })
    }

    /// `N`: a flag of this process.
    pub(super) fn flag(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<VariableId, ParseError> {
        Ok(self.local(cursor)?.variable)
    }

    /// `2`
    pub(super) fn queue(&mut self, cursor: &mut Cursor<'_, '_>) -> Result<Queue, ParseError> {
        let place = cursor.place();
        if !matches!(cursor.peek(), Some(TokenKind::Number(_))) {
            return Err(cursor
                .unexpected("a queue")
                .hint("queues are written as numbers: `put(X@1, Y) on 2`, `wait_queue(2)`"));
        }
        let value = number(cursor)?;
        u32::try_from(value)
            .ok()
            .filter(|queue| *queue < MOST_QUEUES)
            .map(Queue)
            .ok_or_else(|| {
                let error = ParseError::new(place, format!("there is no queue {value}"));
                error.hint(format!("queues are 0 to {}", MOST_QUEUES - 1))
            })
    }

    /// What a statement is with the `on 2` that may follow it.
    pub(super) fn on_queue(
        &mut self,
        kind: StatementKind,
        cursor: &mut Cursor<'_, '_>,
    ) -> Result<StatementKind, ParseError> {
        let queued = matches!(
            kind,
            StatementKind::Put { .. }
                | StatementKind::Get { .. }
                | StatementKind::Rga { .. }
                | StatementKind::Cas { .. }
                | StatementKind::Notify(_)
                | StatementKind::PutNotify { .. }
                | StatementKind::GetNotify { .. }
        );
        if !queued || !cursor.take_word("on") {
            return Ok(kind);
        }
        Ok(StatementKind::On {
            queue: self.queue(cursor)?,
            operation: Box::new(kind),
        })
    }
}
