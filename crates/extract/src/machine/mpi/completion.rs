//! Flushes, and what else waits for all operations of a window.

use super::constants::target_of;
use crate::declare::{Effect, handle, request_handle};
use crate::machine::{Followed, Machine};
use crate::program::{name, number, written};
use crate::value::Value;
use farside_lint::ir::PlaceId;
use farside_pgas::ast::{BinaryOperator, Completion, Expression as Written, StatementKind, Target};

impl Machine<'_> {
    /// The handle of an operation: of its target, or of its request besides.
    pub(super) fn handle_of(
        &self,
        window: u32,
        effect: Effect,
        rank: &Written,
        request: Option<u32>,
    ) -> Target {
        let Some(request) = request else {
            return Target::Element(name(&handle(window, effect)), Box::new(rank.clone()));
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
        let of = request_handle(window, effect == Effect::Gives);
        Target::Element(name(&of), Box::new(index))
    }

    /// What a flush waits for, and how far.
    fn waited_for(&self, window: u32, completion: Completion) -> Vec<(Effect, Completion)> {
        let mut all = vec![(Effect::Writes, completion)];
        // What an atomic operation takes along is a value in the calculus: a local flush waits for nothing of it.
        if completion == Completion::Full && self.knowledge.is_changed_by_others(window) {
            all.push((Effect::Changes, Completion::Full));
        }
        all.push((Effect::Gives, Completion::Full));
        all
    }

    fn requests_of(&self, window: u32, effect: Effect) -> u32 {
        match effect {
            Effect::Writes => self.knowledge.requests(window, false),
            Effect::Changes => 0,
            Effect::Gives => self.knowledge.requests(window, true),
        }
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
        let rank = &self.target_process(rank, window, place)?;
        let known = target_of(rank);
        self.state.progress_mut().flush_requests(window);
        let rank = written(&self.number_of(rank, 32, "a process", place)?);
        for (effect, completion) in self.waited_for(window, completion) {
            let requests = 0..self.requests_of(window, effect);
            for request in std::iter::once(None).chain(requests.map(Some)) {
                let what = self.handle_of(window, effect, &rank, request);
                self.emit(StatementKind::Wait { what, completion }, place);
            }
        }
        if completion == Completion::Full {
            self.show_stores(window, Some(&rank), place);
        }
        if let (Completion::Full, Some(target)) = (completion, known) {
            self.state.progress_mut().flushed(window, target);
        }
        Ok(())
    }

    /// Waits for all operations on a window.
    pub(super) fn wait_all(&mut self, window: u32, completion: Completion, place: PlaceId) {
        self.state.progress_mut().flush_requests(window);
        for (effect, completion) in self.waited_for(window, completion) {
            let mut handles = vec![handle(window, effect)];
            if self.requests_of(window, effect) > 0 {
                handles.push(request_handle(window, effect == Effect::Gives));
            }
            for handle in handles {
                let what = Target::Name(name(&handle));
                self.emit(StatementKind::Wait { what, completion }, place);
            }
        }
        if completion == Completion::Full {
            self.show_stores(window, None, place);
            self.state.progress_mut().flushed_all(window);
        }
    }
}
