//! How judges tell each other what follows from accesses.
//!
//! All judges come to the same questions in the same order, so that an answer needs no name: what one judge hears from
//! another is what that one told for the question at hand. Answers wait until they are asked for, which is not long: no
//! judge is further ahead of another than the events are that both are given.

use crate::order::Derived;
use std::sync::mpsc::{Receiver, Sender, channel};

type Answer = Vec<Derived>;

/// From one judge to all others, and back.
#[derive(Debug)]
pub(super) struct Links {
    to: Vec<Sender<Answer>>,
    /// By judge; none from itself.
    from: Vec<Option<Receiver<Answer>>>,
}

impl Links {
    /// Those of so many judges.
    pub(super) fn between(judges: usize) -> Vec<Self> {
        let none = || Self {
            to: Vec::new(),
            from: (0..judges).map(|_| None).collect(),
        };
        let mut all: Vec<Self> = (0..judges).map(|_| none()).collect();
        for from in 0..judges {
            for to in (0..judges).filter(|to| *to != from) {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                all[to].from[from] = Some(receiver);
            }
        }
        all
    }

    /// Tells all others; whether all are there.
    pub(super) fn tell(&self, found: Answer) -> bool {
        let Some((last, others)) = self.to.split_last() else {
            return true;
        };
        // All are told, even if one has left: they decide for themselves what they still need.
        let told = others
            .iter()
            .fold(true, |all, to| to.send(found.clone()).is_ok() & all);
        last.send(found).is_ok() & told
    }

    /// What a judge tells; `None`, if it has left.
    pub(super) fn hear(&self, judge: u32) -> Option<Answer> {
        self.from.get(judge as usize)?.as_ref()?.recv().ok()
    }

    /// What all others tell; `None`, if one has left.
    pub(super) fn hear_all(&self) -> Option<Answer> {
        let mut all = Answer::new();
        for from in self.from.iter().flatten() {
            all.extend(from.recv().ok()?);
        }
        Some(all)
    }
}
