//! How a program ends under sequential consistency, where operations take effect when they are issued. All states are
//! looked at, without any reduction. The program does not leave its domain.

use crate::issue::{Issued, ends_poll, issue};
use farside_pgas::calculus::{Command, Program, Transition};
use std::collections::HashSet;

/// How computations end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// Some computation brings all processes to their ends.
    finished: bool,
    /// Some computation stops before.
    stuck: bool,
}

impl Ends {
    /// A program that could end can still, and one that could not get stuck still cannot.
    pub(crate) fn is_as_good_as(self, before: Self) -> bool {
        (self.finished || !before.finished) && (!self.stuck || before.stuck)
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    controls: Vec<usize>,
    registers: Vec<Vec<u32>>,
    cells: Vec<Vec<u32>>,
}

impl State {
    fn first(program: &Program) -> Self {
        Self {
            controls: vec![0; program.ranks as usize],
            registers: program.first_registers.clone(),
            cells: program.first_cells.clone(),
        }
    }
}

/// How the program ends; `None` if that is not seen within so many states.
pub(crate) fn ends(program: &Program, most: usize) -> Option<Ends> {
    let mut ends = Ends {
        finished: false,
        stuck: false,
    };
    let first = State::first(program);
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        let next = steps(program, &state);
        if next.is_empty() {
            let done = (0..state.controls.len()).all(|rank| outgoing(program, &state, rank).next().is_none());
            ends.finished |= done;
            ends.stuck |= !done;
        }
        for state in next {
            if seen.contains(&state) {
                continue;
            }
            if seen.len() >= most {
                return None;
            }
            seen.insert(state.clone());
            open.push(state);
        }
    }
    Some(ends)
}

fn outgoing<'p>(program: &'p Program, state: &State, rank: usize) -> impl Iterator<Item = &'p Transition> {
    let from = state.controls[rank];
    let transitions = &program.codes[program.code_of_rank[rank]].transitions;
    let first = transitions.partition_point(|transition| transition.from < from);
    transitions[first..]
        .iter()
        .take_while(move |transition| transition.from == from)
}

/// What comes after a state.
fn steps(program: &Program, state: &State) -> Vec<State> {
    let mut next = Vec::new();
    let mut at_barrier = Vec::new();
    for rank in 0..state.controls.len() {
        let mut barriers = Vec::new();
        for transition in outgoing(program, state, rank) {
            if transition.command == Command::Barrier {
                barriers.push(transition);
                continue;
            }
            let registers = |register: farside_pgas::calculus::Register| state.registers[rank][register.0];
            let Ok(issued) = issue(program, rank, &transition.command, &registers) else {
                continue;
            };
            if let Issued::Load { cell, .. } = issued
                && !ends_poll(
                    program,
                    rank,
                    &transition.command,
                    &registers,
                    state.cells[rank][cell],
                )
            {
                continue;
            }
            let mut new = state.clone();
            if !apply(program, &mut new, rank, issued) {
                continue;
            }
            for register in &transition.dead {
                new.registers[rank][register.0] = 0;
            }
            new.controls[rank] = transition.to;
            next.push(new);
        }
        at_barrier.push(barriers);
    }
    if at_barrier.iter().all(|barriers| !barriers.is_empty()) {
        let mut together = vec![state.clone()];
        for (rank, barriers) in at_barrier.iter().enumerate() {
            together = together
                .iter()
                .flat_map(|state| {
                    barriers.iter().map(move |transition| {
                        let mut new = state.clone();
                        for register in &transition.dead {
                            new.registers[rank][register.0] = 0;
                        }
                        new.controls[rank] = transition.to;
                        new
                    })
                })
                .collect();
        }
        next.extend(together);
    }
    next
}

/// The effect of a command; whether it is possible.
fn apply(program: &Program, state: &mut State, rank: usize, issued: Issued) -> bool {
    match issued {
        Issued::Stuck | Issued::Barrier => return false,
        Issued::Assume | Issued::Wait { .. } | Issued::Fence { .. } => {}
        Issued::Load { into, cell } => state.registers[rank][into] = state.cells[rank][cell],
        Issued::Store { cell, value } => state.cells[rank][cell] = value,
        Issued::Assign { into, value } => state.registers[rank][into] = value,
        Issued::Remote(remote) => {
            let (owner, cell) = remote.source;
            let old = state.cells[owner][cell];
            if let Some(left) = remote.kind.leaves(old, program.domain) {
                state.cells[owner][cell] = left;
            }
            if let Some((owner, cell)) = remote.destination {
                state.cells[owner][cell] = old;
            }
        }
    }
    true
}
