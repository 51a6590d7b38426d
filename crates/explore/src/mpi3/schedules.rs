//! The schedules of a program, call by call, as one sees them who watches the processes; each with its judgement.
//!
//! For comparing the models with tools that see one run.

use super::code::Code;
use super::naive::{self, Judge, Judgement, State, Told, World};
use crate::{ExploreError, Limits};
use farside_litmus::ast::{Program, Rank, StatementKind};
use farside_models::mpi3::RaceModel;
use farside_models::mpi3::action::Half;

/// A schedule.
#[derive(Clone, Debug)]
pub struct Schedule<'p> {
    /// What is seen, in order.
    pub seen: Vec<Observed<'p>>,
    /// How each process ends.
    pub ends: Vec<End>,
    /// What the model says of its execution.
    pub judged: Judged,
}

/// Something that a watcher sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed<'p> {
    /// A process executes a statement; enters or leaves it, if it is one that waits for others.
    Statement {
        /// Whose.
        rank: Rank,
        /// Its number in its process, as written.
        number: usize,
        /// What.
        kind: &'p StatementKind,
        /// Enters, leaves, or both.
        half: Half,
    },
    /// The communication call that was just seen has this number in the schedule, and read this operand (the swap
    /// value, for compare and swap).
    Issued {
        /// Counted over all processes.
        call: usize,
        /// None for those that read nothing.
        operand: Option<i64>,
    },
    /// The result of a call is at its origin.
    Fetched {
        /// The number of the call.
        call: usize,
        /// Its process.
        rank: Rank,
        /// What it brought.
        value: i64,
    },
}

/// How a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Complete,
    /// It was stopped at a call that is not allowed.
    Stopped,
    /// It waits in the call with this number: for ever, unless another one's loop was cut.
    Waits(usize),
    /// A loop of it came to its bound.
    Cut,
}

/// What the model says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// A loop came to its bound, and nothing is wrong up to there.
    Cut,
    /// Not valid.
    Invalid,
    /// It has races, between these statements.
    Race(Vec<[(Rank, usize); 2]>),
    /// Well-defined.
    Defined,
}

/// All schedules, until `visit` says that it is enough.
///
/// # Errors
/// As [`crate::outcomes`].
pub fn all<'p>(
    program: &'p Program,
    model: &RaceModel,
    limits: &Limits,
    visit: &mut dyn FnMut(&Schedule<'p>) -> bool,
) -> Result<(), ExploreError> {
    let code = Code::new(program, model.name())?;
    let world = naive::world(&code, model, limits)?;
    let mut judge = Judge::default();
    naive::walk(&world, limits, &mut |state| {
        visit(&schedule(&world, state, &mut judge))
    })
}

/// One schedule: `choose` gets the number of moves and says which.
///
/// # Errors
/// As [`crate::outcomes`].
pub fn one<'p>(
    program: &'p Program,
    model: &RaceModel,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<Schedule<'p>, ExploreError> {
    let code = Code::new(program, model.name())?;
    let world = naive::world(&code, model, &Limits::default())?;
    let mut state = State::new(&world)?;
    loop {
        let moves = state.moves(&world);
        if moves.is_empty() {
            return Ok(schedule(&world, &state, &mut Judge::default()));
        }
        let chosen = moves[choose(moves.len()) % moves.len()];
        state.take(&world, chosen)?;
    }
}

fn schedule<'p>(world: &World<'_, 'p>, state: &State, judge: &mut Judge) -> Schedule<'p> {
    let call = |action: usize| {
        let index = state.issued.iter().position(|issued| issued.action == action)?;
        Some((index, &state.issued[index]))
    };
    let seen = state.told.iter().filter_map(|told| match told {
        Told::Step { rank, number, half } => {
            let statement = super::statement(world.code, (*rank, *number))?;
            Some(Observed::Statement {
                rank: *rank,
                number: *number,
                kind: &statement.kind,
                half: *half,
            })
        }
        Told::Issued { action } => call(*action).map(|(call, issued)| Observed::Issued {
            call,
            operand: issued.operands.last().copied(),
        }),
        Told::Fetched { action, value } => call(*action).map(|(call, issued)| Observed::Fetched {
            call,
            rank: issued.origin,
            value: *value,
        }),
        Told::Effect { .. } => None,
    });
    let ends = world.code.ranks().map(|rank| match state.next(world, rank) {
        _ if state.processes[rank.0 as usize].halted => End::Stopped,
        _ if state.processes[rank.0 as usize].cut => End::Cut,
        Some(step) => End::Waits(step.number),
        None => End::Complete,
    });
    Schedule {
        seen: seen.collect(),
        ends: ends.collect(),
        judged: match judge.judge(world, state) {
            Judgement::Cut | Judgement::Impossible => Judged::Cut,
            Judgement::Faulty(_) => Judged::Invalid,
            Judgement::Racy(races) => Judged::Race(races.into_iter().map(|(spots, _)| spots).collect()),
            Judgement::Fine => Judged::Defined,
        },
    }
}
