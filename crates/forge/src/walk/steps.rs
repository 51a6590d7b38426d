//! Every statement that may come next, and what it changes.

use super::Walk;
use crate::test::{Kind, Step, VariableName};
use crate::{MOST_PROCESSES, MOST_VARIABLES};
use std::ops::ControlFlow;

impl Walk {
    /// Adds each statement that fits, calls `then`, and takes it away.
    pub(super) fn each_step(
        &mut self,
        then: &mut dyn FnMut(&mut Self, Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for kind in Kind::ALL {
            if self.used + kind.actions() > self.definition.bounds.most() {
                continue;
            }
            if kind == Kind::Flush {
                for target in 0..self.definition.processes {
                    if self.may_target(target) {
                        self.with(Step::flush(target), then)?;
                    }
                }
            } else {
                self.each_operand(Step::new(kind, &[]), 0, then)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn each_operand(
        &mut self,
        step: Step,
        place: usize,
        then: &mut dyn FnMut(&mut Self, Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if place == step.kind.operands() {
            return self.with(step, then);
        }
        let rank = self.rank() as u8;
        for owner in 0..self.definition.processes {
            let fits = match step.kind.target() == Some(place) {
                true => self.may_target(owner),
                false => owner == rank,
            };
            if !fits {
                continue;
            }
            // Variables that this statement names for the first time exist for its later operands.
            let new = step.operands[..place]
                .iter()
                .filter(|variable| variable.owner() == owner)
                .map(|variable| variable.index() + 1);
            let count = new.chain([self.owned[usize::from(owner)]]).max().unwrap_or(0);
            for index in 0..(count + 1).min(MOST_VARIABLES as u8) {
                let mut step = step;
                step.operands[place] = VariableName::new(owner, index);
                self.each_operand(step, place + 1, then)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn with(
        &mut self,
        step: Step,
        then: &mut dyn FnMut(&mut Self, Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let before = (self.used, self.owned, self.routed);
        self.push(step);
        let flow = match self.can_be_completed() {
            true => then(self, step),
            false => ControlFlow::Continue(()),
        };
        self.count(&step, false);
        self.test.processes.last_mut().map(Vec::pop);
        (self.used, self.owned, self.routed) = before;
        flow
    }

    pub(super) fn push(&mut self, step: Step) {
        self.count(&step, true);
        self.used += step.kind.actions();
        for variable in step.variables() {
            let owned = &mut self.owned[usize::from(variable.owner())];
            if variable.index() == *owned {
                *owned += 1;
                self.used += 1;
            }
        }
        let rank = self.rank();
        self.test.processes[rank].push(step);
        if step.kind.target().is_some()
            && let Some(to) = step.destination()
            && (usize::from(to) != rank || self.definition.routing_to_self)
        {
            let same = |other: &&Step| other.kind.target().is_some() && other.destination() == Some(to);
            let routed = self.test.processes[rank].iter().filter(same).count();
            self.routed = self.routed.max(routed as u8);
        }
    }

    /// Counts a statement in or out.
    fn count(&mut self, step: &Step, add: bool) {
        let change = |count: &mut u8| *count = if add { *count + 1 } else { *count - 1 };
        change(&mut self.kinds[step.kind as usize]);
        let count = |counts: &mut [[u8; MOST_VARIABLES]; MOST_PROCESSES], variable: VariableName| {
            change(&mut counts[usize::from(variable.owner())][usize::from(variable.index())]);
        };
        if step.kind == Kind::Load {
            count(&mut self.loads, step.operands[0]);
        }
        for &place in step.kind.written() {
            count(&mut self.writers, step.operands[place]);
        }
    }
}
