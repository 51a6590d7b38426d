//! From a draft with empty steps to an automaton without: small, with reachable states only, numbered in the order in
//! which they are met, and with the registers that die at each step.

use super::polls;
use crate::calculus::{Automaton, Command, Expression, Origin, Polls, Register, Transition};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// An automaton in the making; steps without a command are empty.
#[derive(Default)]
pub(super) struct Draft {
    states: usize,
    steps: BTreeMap<usize, Vec<Step>>,
}

struct Step {
    to: usize,
    command: Option<Command>,
    origin: Origin,
}

impl Draft {
    /// A new state.
    pub(super) fn state(&mut self) -> usize {
        self.states += 1;
        self.states - 1
    }

    /// A new step.
    pub(super) fn step(&mut self, from: usize, to: usize, command: Option<Command>, origin: &Origin) {
        self.steps.entry(from).or_default().push(Step {
            to,
            command,
            origin: origin.clone(),
        });
    }

    /// What can be done at a state, after any number of empty steps; each once.
    fn behind(&self, from: usize) -> Vec<&Step> {
        let (mut seen, mut stack, mut found) = (BTreeSet::from([from]), vec![from], Vec::new());
        while let Some(state) = stack.pop() {
            for step in self.steps.get(&state).into_iter().flatten() {
                if step.command.is_some() {
                    found.push(step);
                } else if seen.insert(step.to) {
                    stack.push(step.to);
                }
            }
        }
        found
    }
}

/// The automaton of a draft whose first state is 0.
pub(super) fn finish(draft: Draft, polls: Polls) -> Automaton {
    let mut number: BTreeMap<usize, usize> = BTreeMap::from([(0, 0)]);
    let mut queue = VecDeque::from([0]);
    let mut transitions = Vec::new();
    while let Some(state) = queue.pop_front() {
        for step in draft.behind(state) {
            let next = number.len();
            let to = *number.entry(step.to).or_insert_with(|| {
                queue.push_back(step.to);
                next
            });
            transitions.push(Transition {
                from: number[&state],
                to,
                command: step.command.clone().unwrap_or(Command::Barrier),
                dead: Vec::new(),
                origin: step.origin.clone(),
            });
        }
    }
    let mut automaton = Automaton {
        states: number.len(),
        transitions,
    };
    while merge(&mut automaton) {}
    if polls == Polls::Awaited && polls::await_values(&mut automaton) {
        while merge(&mut automaton) {}
    }
    mark_dead(&mut automaton);
    automaton
}

/// Makes states one that do the same from the same place of the text; whether there were any.
fn merge(automaton: &mut Automaton) -> bool {
    let mut outgoing: Vec<BTreeSet<(usize, usize)>> = vec![BTreeSet::new(); automaton.states];
    // Commands have no order, so each different one gets a number.
    let mut commands: HashMap<(&Command, usize), usize> = HashMap::new();
    for transition in &automaton.transitions {
        let next = commands.len();
        let command = *commands
            .entry((&transition.command, transition.origin.place.0.start))
            .or_insert(next);
        outgoing[transition.from].insert((command, transition.to));
    }
    // Of states with nothing to do, one is enough, too.
    let mut first: BTreeMap<&BTreeSet<(usize, usize)>, usize> = BTreeMap::new();
    let mut new = Vec::with_capacity(automaton.states);
    for does in &outgoing {
        let next = first.len();
        new.push(*first.entry(does).or_insert(next));
    }
    let states = first.len();
    if states == automaton.states {
        return false;
    }
    let mut seen = BTreeSet::new();
    let commands: Vec<usize> = automaton
        .transitions
        .iter()
        .map(|transition| commands[&(&transition.command, transition.origin.place.0.start)])
        .collect();
    let mut numbers = commands.into_iter();
    automaton.transitions.retain_mut(|transition| {
        (transition.from, transition.to) = (new[transition.from], new[transition.to]);
        numbers
            .next()
            .is_some_and(|command| seen.insert((transition.from, command, transition.to)))
    });
    automaton.transitions.sort_by_key(|transition| transition.from);
    automaton.states = states;
    true
}

/// A register is alive at a state if some way on reads it before it is written.
fn mark_dead(automaton: &mut Automaton) {
    let alive = automaton.alive(|transition, after: &BTreeSet<Register>| {
        let mut before = after.clone();
        if let Some(written) = written(&transition.command) {
            before.remove(&written);
        }
        read(&transition.command, &mut before);
        before
    });
    for transition in &mut automaton.transitions {
        let mut held = alive[transition.from].clone();
        held.extend(written(&transition.command));
        transition.dead = held.difference(&alive[transition.to]).copied().collect();
    }
}

fn written(command: &Command) -> Option<Register> {
    match command {
        Command::Load { into, .. } | Command::Assign { into, .. } => Some(*into),
        _ => None,
    }
}

fn read(command: &Command, registers: &mut BTreeSet<Register>) {
    let mut each =
        |expression: &Expression| expression.registers(&mut |register| _ = registers.insert(register));
    match command {
        Command::Load { into, address, until } => {
            each(address);
            // What it waits for is a value that it gets itself.
            let mut asked = |register| _ = (register != *into).then(|| registers.insert(register));
            until.iter().for_each(|until| until.registers(&mut asked));
        }
        Command::Barrier => {}
        Command::Store { address, value } => {
            each(address);
            each(value);
        }
        Command::Assign { value, .. } => each(value),
        Command::Assume { condition, .. } => each(condition),
        Command::Transfer(transfer) => {
            [&transfer.local, &transfer.rank, &transfer.remote, &transfer.queue]
                .into_iter()
                .for_each(&mut each);
            transfer.handle.iter().for_each(each);
        }
        Command::Atomic(atomic) => {
            [&atomic.rank, &atomic.remote, &atomic.operand, &atomic.queue]
                .into_iter()
                .for_each(&mut each);
            [&atomic.local, &atomic.expected, &atomic.handle]
                .into_iter()
                .flatten()
                .for_each(each);
        }
        Command::Wait { queues, handles, .. } => queues.iter().chain(handles).for_each(each),
        Command::Fence { queue, rank } => {
            each(queue);
            rank.iter().for_each(each);
        }
    }
}
