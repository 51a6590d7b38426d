//! Nodes of the code that is left, and what is forgotten so that loops stay loops.

use super::{Followed, LONGEST, Machine, Rounds, Stop, WATCHED};
use crate::liveness::Liveness;
use crate::state::Slot;
use crate::value::{Cause, Value};
use std::rc::Rc;

impl Machine<'_> {
    /// A loop is gone round. One that comes back to the state that it had goes round for ever, and does nothing.
    pub(super) fn turn(&mut self) -> Followed<()> {
        self.turns += 1;
        self.outermost_turn = self.outermost_turn.min(self.state.frames().len());
        let watched = self.turns % WATCHED;
        if self.turns < WATCHED || watched >= LONGEST {
            return Ok(());
        }
        self.forget_the_dead();
        if watched == 0 {
            self.turned = Some(self.state.clone());
        } else if self.turned.as_ref() == Some(&self.state) {
            return Err(Stop::End);
        }
        Ok(())
    }

    /// Whether a step to a block may close a loop that only a run decides, or begin one.
    pub(super) fn is_loop(&mut self, function: u32, from: u32, to: u32) -> bool {
        let liveness = self.liveness(function);
        if liveness.is_back(from, to) {
            return self.fresh;
        }
        let begins = liveness.is_header(to) && self.entries > 0;
        self.entries -= u32::from(begins);
        begins
    }

    /// The node of the state, and whether it is new; `counted` if something was done since the last node.
    pub(super) fn node_of_state(&mut self, counted: bool) -> (usize, bool) {
        self.forget_the_dead();
        if counted {
            self.forget_rounds();
        }
        if let Some(&node) = self.known.get(&self.state) {
            return (node, false);
        }
        let node = self.graph.add();
        self.known.insert(self.state.clone(), node);
        (node, true)
    }

    pub(super) fn forget_the_dead(&mut self) {
        let module = self.module;
        if let Some(frame) = self.state.frame() {
            let (function, block, at) = (frame.function(), frame.block(), frame.at());
            let live = self
                .liveness(function)
                .before(&module.functions[function as usize], block, at);
            if let Some(frame) = self.state.frame_mut() {
                frame.keep(&live);
            }
        }
    }

    pub(super) fn liveness(&mut self, function: u32) -> Rc<Liveness> {
        let code = &self.module.functions[function as usize];
        let known = self.liveness.entry(function);
        known.or_insert_with(|| Rc::new(Liveness::of(code))).clone()
    }

    /// Forgets what makes many rounds of a loop differ.
    pub(super) fn forget_rounds(&mut self) {
        let point = self
            .state
            .frames()
            .iter()
            .map(|frame| (frame.path(), frame.block()))
            .collect();
        if self.known.contains_key(&self.state) {
            return;
        }
        let rounds: &mut Rounds = self.rounds.entry(point).or_default();
        rounds.count += 1;
        let most = self.knowledge.detail().most_rounds();
        if rounds.count > most
            && let Some(last) = &rounds.last
        {
            self.knowledge.cut();
            let knowledge = &mut *self.knowledge;
            self.state.replace(|slot, value| {
                if last.slot(slot) != Some(value) {
                    rounds.forgotten.insert(slot);
                    // From the next attempt on, what is stored to communicated memory is left to the calculus.
                    if let Slot::Memory(object, _) = slot
                        && knowledge.is_shared_object(object)
                    {
                        knowledge.vary(object);
                    }
                }
            });
        }
        let text = format!(
            "a loop is followed for {most} rounds with communication that differ, and no end of it is known"
        );
        let line = self.lines.line_of(&self.state, self.module);
        let lost = Cause::Lost(self.tables.note(line, text));
        let tables = &*self.tables;
        self.state.replace(|slot, value| {
            if rounds.forgotten.contains(&slot) {
                *value = match value {
                    Value::Known(address) => match tables.at(*address) {
                        Some((object, _)) => Value::Within(object, lost),
                        None => Value::Unknown(lost),
                    },
                    Value::Within(object, _) => Value::Within(*object, lost),
                    _ => Value::Unknown(lost),
                };
            }
        });
        rounds.last = Some(self.state.clone());
    }
}
