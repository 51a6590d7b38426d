//! Flushes, and what else waits for all operations of a window.

use crate::declare::{handle, request_handle};
use crate::machine::{Followed, Machine};
use crate::program::{name, number, written};
use crate::value::Value;
use farside_lint::ir::PlaceId;
use farside_pgas::ast::{BinaryOperator, Completion, Expression as Written, StatementKind, Target};

impl Machine<'_> {
    /// The handle of an operation: of its target, or of its request besides.
    pub(super) fn handle_of(&self, window: u32, gives: bool, rank: &Written, request: Option<u32>) -> Target {
        let Some(request) = request else {
            return Target::Element(name(&handle(window, gives)), Box::new(rank.clone()));
        };
        let first = u64::from(request) * u64::from(self.ranks);
        let index = match rank {
            Written::Number(rank, _) => number(first as i64 + rank),
            other => Written::Binary(
                BinaryOperator::Add,
                Box::new(other.clone()),
                Box::new(number(first as i64)),
            ),
        };
        Target::Element(name(&request_handle(window, gives)), Box::new(index))
    }

    /// Waits for the operations on one target.
    pub(super) fn flush(
        &mut self,
        rank: &Value,
        window: &Value,
        completion: Completion,
        place: PlaceId,
    ) -> Followed<()> {
        if self.is_nobody(rank) {
            return Ok(());
        }
        let window = self.window_of(window, place)?;
        let rank = written(&self.number_of(rank, 32, "a process", place)?);
        for (gives, completion) in [(false, completion), (true, Completion::Full)] {
            let requests = self.knowledge.requests(window, gives);
            for request in std::iter::once(None).chain((0..requests).map(Some)) {
                let what = self.handle_of(window, gives, &rank, request);
                self.emit(StatementKind::Wait { what, completion }, place);
            }
        }
        self.state.progress_mut().flushed(window, false);
        Ok(())
    }

    /// Waits for all operations on a window.
    pub(super) fn wait_all(&mut self, window: u32, completion: Completion, place: PlaceId) {
        for (gives, completion) in [(false, completion), (true, Completion::Full)] {
            let mut handles = vec![handle(window, gives)];
            if self.knowledge.requests(window, gives) > 0 {
                handles.push(request_handle(window, gives));
            }
            for handle in handles {
                let what = Target::Name(name(&handle));
                self.emit(StatementKind::Wait { what, completion }, place);
            }
        }
        self.state.progress_mut().flushed(window, false);
    }
}
