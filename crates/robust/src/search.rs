//! Breadth first through a system, so that what is found is near.

use crate::moves::Move;
use crate::states::States;
use crate::system::{BARRIER, NOWHERE, Step, System, Visitor, Wrong};
use std::collections::BTreeSet;

/// How a search ended.
pub(crate) enum End {
    /// All states were seen.
    Exhausted,
    /// A violation.
    Found(Vec<Move>),
    /// A rank and its transition, and the value that it makes.
    OutsideDomain(usize, usize, i64),
    /// A limit.
    Stopped(crate::Limit),
}

/// What a search found.
pub(crate) struct Searched {
    pub(crate) end: End,
    pub(crate) states: u64,
    pub(crate) bytes: u64,
    pub(crate) wrong: BTreeSet<(usize, usize, Wrong)>,
}

struct Frontier<'s, S> {
    system: &'s S,
    states: States,
    /// Of each state, the one before and the step.
    parents: Vec<(u32, Step)>,
    /// The state whose steps are looked at.
    at: usize,
    violation: Option<Step>,
    outside: Option<(usize, usize, i64)>,
    wrong: BTreeSet<(usize, usize, Wrong)>,
    renamed: Vec<u32>,
}

impl<S: System> Visitor for Frontier<'_, S> {
    fn next(&mut self, state: &[u32], step: Step) -> bool {
        self.renamed.clear();
        self.renamed.extend_from_slice(state);
        self.system.settle(&mut self.renamed, &mut |_| ());
        let _ = self.system.rename(&mut self.renamed);
        let (number, new) = self.states.insert(&self.renamed);
        if new {
            self.parents.push((self.at as u32, step));
        }
        number > self.at
    }

    fn violation(&mut self, last: Step) {
        self.violation.get_or_insert(last);
    }

    fn wrong(&mut self, rank: usize, transition: usize, wrong: Wrong) {
        if let Wrong::OutsideDomain(value) = wrong {
            self.outside.get_or_insert((rank, transition, value));
        } else {
            self.wrong.insert((rank, transition, wrong));
        }
    }
}

/// Searches within limits; `stop` is asked now and then.
pub(crate) fn search<S: System>(
    system: &S,
    limits: &crate::Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Searched {
    let mut frontier = Frontier {
        system,
        states: States::new(),
        parents: Vec::new(),
        at: 0,
        violation: None,
        outside: None,
        wrong: BTreeSet::new(),
        renamed: Vec::new(),
    };
    frontier.next(&system.first(), NOWHERE);
    let mut state = Vec::new();
    let memory = |frontier: &Frontier<'_, S>| {
        frontier.states.memory() + (frontier.parents.capacity() * size_of::<(u32, Step)>()) as u64
    };
    let end = loop {
        if frontier.at == frontier.states.len() {
            break End::Exhausted;
        }
        if frontier.states.len() as u64 > limits.states || frontier.states.len() >= (u32::MAX - 1) as usize {
            break End::Stopped(crate::Limit::States);
        }
        if frontier.at.is_multiple_of(256) {
            if memory(&frontier) > limits.bytes {
                break End::Stopped(crate::Limit::Memory);
            }
            if stop() {
                break End::Stopped(crate::Limit::Time);
            }
        }
        frontier.states.get(frontier.at, &mut state);
        system.expand(&state, &mut frontier);
        if let Some((rank, transition, value)) = frontier.outside {
            break End::OutsideDomain(rank, transition, value);
        }
        if let Some(last) = frontier.violation {
            break End::Found(way(
                system,
                &frontier.states,
                &frontier.parents,
                frontier.at,
                last,
            ));
        }
        frontier.at += 1;
    };
    Searched {
        end,
        states: frontier.states.len() as u64,
        bytes: memory(&frontier),
        wrong: frontier.wrong,
    }
}

/// The way to a state, and the last step, in the names of the program.
pub(crate) fn way<S: System>(
    system: &S,
    states: &States,
    parents: &[(u32, Step)],
    at: usize,
    last: Step,
) -> Vec<Move> {
    let mut numbers = vec![at];
    while let Some(&number) = numbers.last()
        && number != 0
    {
        numbers.push(parents[number].0 as usize);
    }
    numbers.reverse();
    let steps = numbers
        .iter()
        .skip(1)
        .map(|&number| parents[number].1)
        .chain([last]);
    let mut names = Names((0..system.ranks()).collect());
    let mut first = system.first();
    let settled = settled(system, &mut first);
    let mut moves: Vec<Move> = settled
        .iter()
        .map(|&step| names.of(&first, step, system))
        .collect();
    names.rename(system.rename(&mut first));
    let (mut state, mut retraced) = (Vec::new(), Retraced::new(system));
    for (index, step) in steps.enumerate() {
        states.get(numbers[index], &mut state);
        moves.push(names.of(&state, step, system));
        if let Some(&next) = numbers.get(index + 1) {
            states.get(next, &mut retraced.state);
            retraced.step = step;
            system.expand(&state, &mut retraced);
            if let Some((settled, renamed)) = retraced.found.take() {
                moves.extend(settled.into_iter().map(|step| names.of(&state, step, system)));
                names.rename(renamed);
            }
        }
    }
    moves
}

/// Lets a state settle, and gives the steps of that; none of them is a barrier.
fn settled<S: System>(system: &S, state: &mut Vec<u32>) -> Vec<Step> {
    let mut taken = Vec::new();
    system.settle(state, &mut |step| taken.push(step));
    taken
}

/// The rank in the program that each rank of a state stands for.
struct Names(Vec<usize>);

impl Names {
    fn rename(&mut self, renamed: Option<Vec<usize>>) {
        if let Some(renamed) = renamed {
            let old = self.0.clone();
            for (from, to) in renamed.into_iter().enumerate() {
                self.0[to] = old[from];
            }
        }
    }

    fn of<S: System>(&self, state: &[u32], step: Step, system: &S) -> Move {
        let (rank, transition) = (step.rank, step.transition as usize);
        if rank == BARRIER {
            let controls = system.controls(state);
            let mut transitions = vec![0; controls.len()];
            for (rank, taken) in system
                .outgoing()
                .barrier(&controls, transition)
                .into_iter()
                .enumerate()
            {
                transitions[self.0[rank]] = taken;
            }
            Move::Barrier(transitions)
        } else {
            Move::Command {
                rank: self.0[usize::from(rank)],
                transition,
                parts: step.parts,
            }
        }
    }
}

/// Looks for the way from a step to the next state: what settles, and the renaming.
struct Retraced<'s, S> {
    system: &'s S,
    step: Step,
    /// The state after it.
    state: Vec<u32>,
    found: Option<(Vec<Step>, Option<Vec<usize>>)>,
}

impl<'s, S> Retraced<'s, S> {
    fn new(system: &'s S) -> Self {
        Self {
            system,
            step: NOWHERE,
            state: Vec::new(),
            found: None,
        }
    }
}

impl<S: System> Visitor for Retraced<'_, S> {
    fn next(&mut self, state: &[u32], step: Step) -> bool {
        if step == self.step && self.found.is_none() {
            let mut next = state.to_vec();
            let settled = settled(self.system, &mut next);
            let renamed = self.system.rename(&mut next);
            if next == self.state {
                self.found = Some((settled, renamed));
            }
        }
        // As if nothing were left to do: all steps come.
        false
    }

    fn violation(&mut self, _: Step) {}

    fn wrong(&mut self, _: usize, _: usize, _: Wrong) {}
}
