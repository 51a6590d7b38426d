//! Which moves a state allows, and what they do: loads, stores, and the dispatch of the rest.

use super::super::World;
use super::{Meeting, Read, State, Told, Write};
use crate::ExploreError;
use crate::mpi3::code::{Does, Step, evaluate, target_of};
use farside_litmus::ast::{Rank, StatementKind, VariableId};
use farside_models::mpi3::action::{Action, ActionKind, Half};
use farside_models::mpi3::rules::RuleName;
use farside_models::mpi3::validity::{Breach, Call, breach};

/// A move of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mpi3) enum Move {
    /// The process executes its next statement, or leaves the collective call that it is in. What it reads, if there is
    /// a choice.
    Step(Rank, Choice),
    /// The operation takes effect.
    Effect(usize, Choice),
}

/// Which write a read returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mpi3) enum Choice {
    /// The latest.
    Latest,
    /// The one with this index.
    Written(usize),
    /// One still to come, with this value.
    Later(i64),
}

impl State {
    /// All moves.
    pub(in crate::mpi3) fn moves(&self, world: &World<'_, '_>) -> Vec<Move> {
        let mut moves = Vec::new();
        for rank in world.code.ranks() {
            let Some(step) = self.next(world, rank) else {
                continue;
            };
            if !self.may_step(world, rank, step) {
                continue;
            }
            match &step.does {
                Does::Load(_, variable) => {
                    let choices = self.choices(world, *variable);
                    moves.extend(choices.into_iter().map(|choice| Move::Step(rank, choice)));
                }
                _ => moves.push(Move::Step(rank, Choice::Latest)),
            }
        }
        for (index, issued) in self.issued.iter().enumerate() {
            if issued.effective || !self.may_take_effect(world, index) {
                continue;
            }
            let choices = match issued.remote.kind {
                ActionKind::Rcg => self.choices(world, issued.remote.location),
                _ => vec![Choice::Latest],
            };
            moves.extend(choices.into_iter().map(|choice| Move::Effect(index, choice)));
        }
        moves
    }

    /// The effect of the operation that is this statement of its process.
    pub(in crate::mpi3) fn operation(&self, rank: Rank, executed: usize) -> Option<Move> {
        let index = self.issued.iter().position(|issued| {
            let action = &self.execution.actions[issued.action];
            action.origin == rank && action.statement == executed
        });
        index.map(|index| Move::Effect(index, Choice::Latest))
    }

    /// What a read may return. The rules (23) to (25) leave one write; without them there are more.
    fn choices(&self, world: &World<'_, '_>, variable: VariableId) -> Vec<Choice> {
        let mut choices = vec![Choice::Latest];
        if !world.model.rules().has(RuleName::R24) || !world.model.rules().has(RuleName::R23) {
            let written = self.writes.iter().enumerate();
            let here = written.filter(|(_, write)| write.variable == variable);
            choices = here.map(|(index, _)| Choice::Written(index)).collect();
        }
        if !world.model.rules().has(RuleName::R23) && !world.model.rules().has(RuleName::R25) {
            let values = world.domain.get(&variable).into_iter().flatten();
            choices.extend(values.map(|&value| Choice::Later(value)));
        }
        choices
    }

    /// Takes a move.
    ///
    /// # Errors
    /// Too many actions.
    pub(in crate::mpi3) fn take(&mut self, world: &World<'_, '_>, chosen: Move) -> Result<(), ExploreError> {
        match chosen {
            Move::Effect(index, choice) => self.effect(index, choice),
            Move::Step(rank, choice) => {
                let Some(step) = self.next(world, rank) else {
                    return Ok(());
                };
                self.step(world, rank, step, choice);
                let actions: usize = self.processes.iter().map(|process| process.executed).sum();
                if actions > farside_relations::MAX {
                    return Err(ExploreError::TooManyActions { actions });
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, world: &World<'_, '_>, rank: Rank, step: &Step<'_>, choice: Choice) {
        if let Some(meeting) = self.process(rank).inside {
            self.told.push(Told::Step {
                rank,
                number: step.number,
                half: Half::End,
            });
            self.leave(rank, step, meeting);
            return self.advance(world, rank);
        }
        let call = call_of(step);
        let waits = matches!(
            step.statement.kind,
            StatementKind::Fence(_) | StatementKind::Barrier
        );
        self.told.push(Told::Step {
            rank,
            number: step.number,
            half: if waits { Half::Start } else { Half::Whole },
        });
        if let Some(breach) = breach(&self.process(rank).history, &call) {
            self.fault(rank, step.number, breach);
            self.process(rank).halted = true;
            return;
        }
        match &step.does {
            Does::Assign(..) => {}
            Does::Load(into, variable) => {
                let action = self.local(rank, ActionKind::Ll, *variable, step.number);
                let value = self.read(action, *variable, choice);
                self.process(rank).registers[into.0 as usize] = value;
            }
            Does::Store(variable, value) => {
                let value = evaluate(value, &self.process(rank).registers);
                let action = self.local(rank, ActionKind::Ls, *variable, step.number);
                self.writes.push(Write {
                    variable: *variable,
                    action: Some(action),
                    value,
                });
            }
            Does::Remote(remote) => self.issue(rank, remote, step),
            Does::Synchronise(_) => self.synchronising(rank, step),
        }
        self.process(rank).history.push(call);
        self.process(rank).numbers.push(step.number);
        if !waits {
            self.advance(world, rank);
        }
    }

    fn advance(&mut self, world: &World<'_, '_>, rank: Rank) {
        let process = self.process(rank);
        process.inside = None;
        process.executed += 1;
        process.at += 1;
        self.run_control(world, rank);
    }

    /// A load or store, of the program or of an operation at its origin.
    pub(super) fn local(
        &mut self,
        rank: Rank,
        kind: ActionKind,
        variable: VariableId,
        number: usize,
    ) -> usize {
        let action = Action {
            location: Some(variable),
            reads: kind == ActionKind::Ll,
            writes: kind == ActionKind::Ls,
            ..self.blank(rank, kind, Half::Whole)
        };
        self.act(action, number)
    }

    /// What a read returns.
    pub(super) fn read(&mut self, action: usize, variable: VariableId, choice: Choice) -> i64 {
        let write = match choice {
            Choice::Latest => self.writes.iter().rev().find(|write| write.variable == variable),
            Choice::Written(index) => self.writes.get(index),
            Choice::Later(_) => None,
        };
        let (value, from) = match (write, choice) {
            (Some(write), _) => (write.value, Some(write.action)),
            (None, Choice::Later(value)) => (value, None),
            (None, _) => (0, Some(None)),
        };
        self.reads.push(Read {
            action,
            variable,
            value,
            from,
        });
        value
    }

    /// Whether a process can execute its statement, or leave the call that it is in. What must not be called does not
    /// wait.
    fn may_step(&self, world: &World<'_, '_>, rank: Rank, step: &Step<'_>) -> bool {
        let process = &self.processes[rank.0 as usize];
        match process.inside {
            Some(Meeting::Fence(number)) => return self.may_leave_fence(world, rank, number),
            Some(Meeting::Barrier(number)) => {
                return self.barriers[number].len() == world.code.processes();
            }
            None => {}
        }
        if breach(&process.history, &call_of(step)).is_some() {
            return true;
        }
        match &step.does {
            Does::Synchronise(kind) => self.may_synchronise(rank, *kind, &step.statement.kind),
            _ => true,
        }
    }
}

/// A statement as the conditions of §3.1 see it.
pub(in crate::mpi3) fn call_of(step: &Step<'_>) -> Call {
    let (kind, target, stores) = match &step.does {
        Does::Load(..) | Does::Assign(..) => (ActionKind::Ll, None, false),
        Does::Store(..) => (ActionKind::Ls, None, true),
        Does::Remote(remote) => (remote.kind, Some(remote.target), remote.into.is_some()),
        Does::Synchronise(kind) => (*kind, target_of(&step.statement.kind), false),
    };
    let (group, assertions) = match &step.statement.kind {
        StatementKind::Post(group) | StatementKind::Start(group) => (group.clone(), Vec::new()),
        StatementKind::Fence(assertions) => (Vec::new(), assertions.clone()),
        _ => (Vec::new(), Vec::new()),
    };
    Call {
        kind,
        target,
        group,
        assertions,
        stores,
    }
}

/// An accumulate that MPI does not have.
pub(super) fn no_op_accumulate(step: &Step<'_>) -> Option<Breach> {
    match &step.does {
        Does::Remote(remote)
            if remote.kind == ActionKind::Rac
                && remote.operation == Some(farside_litmus::ast::Operation::NoOp) =>
        {
            Some(Breach::AccumulateNoOp)
        }
        _ => None,
    }
}
