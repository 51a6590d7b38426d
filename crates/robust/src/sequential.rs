//! A program under sequential consistency, where operations take effect when they are issued: how it ends, and whether
//! it makes a value that its domain does not have. All states are looked at, without any reduction.

use crate::answer::OutsideDomain;
use crate::issue::{Issued, issue};
use farside_pgas::calculus::{Command, Program, Transition, Undefined};
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

    /// What one takes, roughly.
    fn size(program: &Program) -> u64 {
        let rows = program.registers.len() + program.cells.len();
        program.ranks as u64 * (size_of::<usize>() + 2 * size_of::<Vec<u32>>() + 4 * rows) as u64
            + 2 * size_of::<Self>() as u64
    }
}

/// How a search of all states ended.
enum Seen {
    /// All were looked at, or the visitor wanted no more.
    Enough,
    /// There are more.
    TooMany,
    /// It was told to stop.
    Stopped,
}

/// Visits each state with its next ones, until the visitor says that it is enough. At most so many states.
fn walk(
    program: &Program,
    most: u64,
    stop: &mut dyn FnMut() -> bool,
    visit: &mut dyn FnMut(&State, &Next) -> bool,
) -> Seen {
    let first = State::first(program);
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut visited = 0_u64;
    while let Some(state) = open.pop() {
        if visited.is_multiple_of(256) && stop() {
            return Seen::Stopped;
        }
        visited += 1;
        let next = steps(program, &state);
        if visit(&state, &next) {
            return Seen::Enough;
        }
        for state in next.states {
            if seen.contains(&state) {
                continue;
            }
            if seen.len() as u64 >= most {
                return Seen::TooMany;
            }
            seen.insert(state.clone());
            open.push(state);
        }
    }
    Seen::Enough
}

/// How the program ends; `None` if that is not seen within so many states.
pub(crate) fn ends(program: &Program, most: usize) -> Option<Ends> {
    let mut ends = Ends {
        finished: false,
        stuck: false,
    };
    let seen = walk(program, most as u64, &mut || false, &mut |state, next| {
        if next.states.is_empty() {
            let done = (0..state.controls.len()).all(|rank| outgoing(program, state, rank).next().is_none());
            ends.finished |= done;
            ends.stuck |= !done;
        }
        false
    });
    matches!(seen, Seen::Enough).then_some(ends)
}

/// A value that is stored or sent and that the domain does not have, if the program makes one.
///
/// # Errors
/// A limit.
pub(crate) fn outside_domain(
    program: &Program,
    limits: &crate::Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<OutsideDomain>, crate::Limit> {
    let in_memory = limits.bytes / State::size(program);
    let mut outside = None;
    let seen = walk(program, limits.states.min(in_memory), stop, &mut |_, next| {
        outside = next.outside;
        outside.is_some()
    });
    match seen {
        Seen::Enough => Ok(outside),
        Seen::TooMany if in_memory < limits.states => Err(crate::Limit::Memory),
        Seen::TooMany => Err(crate::Limit::States),
        Seen::Stopped => Err(crate::Limit::Time),
    }
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
#[derive(Default)]
struct Next {
    states: Vec<State>,
    /// A step that is none, for it makes a value that the domain does not have.
    outside: Option<OutsideDomain>,
}

fn steps(program: &Program, state: &State) -> Next {
    let mut next = Next::default();
    let mut at_barrier = Vec::new();
    for rank in 0..state.controls.len() {
        let mut barriers = Vec::new();
        for transition in outgoing(program, state, rank) {
            if transition.command == Command::Barrier {
                barriers.push(transition);
                continue;
            }
            let registers = |register: farside_pgas::calculus::Register| state.registers[rank][register.0];
            let issued = match issue(program, rank, &transition.command, &registers) {
                Ok(issued) => issued,
                Err(undefined) => {
                    if let Undefined::OutsideDomain(value) = undefined {
                        next.outside = Some(outside(program, rank, transition, value));
                    }
                    continue;
                }
            };
            if let Issued::Remote(remote) = &issued {
                let (owner, cell) = remote.source;
                if let Some(value) = remote.kind.outside(state.cells[owner][cell], program.domain) {
                    next.outside = Some(outside(program, rank, transition, value));
                    continue;
                }
            }
            let mut new = state.clone();
            if !apply(program, &mut new, rank, issued) {
                continue;
            }
            for register in &transition.dead {
                new.registers[rank][register.0] = 0;
            }
            new.controls[rank] = transition.to;
            next.states.push(new);
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
        next.states.extend(together);
    }
    next
}

/// That a transition of a rank makes this value.
fn outside(program: &Program, rank: usize, transition: &Transition, value: i64) -> OutsideDomain {
    let transitions = &program.codes[program.code_of_rank[rank]].transitions;
    let index = transitions
        .iter()
        .position(|known| std::ptr::eq(known, transition));
    OutsideDomain {
        rank,
        // It is one of them.
        transition: index.unwrap_or_default(),
        value,
    }
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
