//! All states, shortest computations first.
//!
//! An operation counts with its two pops when it is issued, for they must follow. So the computation that is found is a
//! shortest violating one, and not only the shortest until the cycle closes.

use super::encoding::{decode, encode};
use super::machine::{Machine, Step};
use super::operation::Pop;
use super::state::State;
use super::store::Store;
use super::{Answer, Options, Verdict};
use crate::{Action, Limit, domain};
use farside_pgas::calculus::Program;
use std::collections::BTreeMap;

/// How many states are expanded between two questions whether to stop.
const BETWEEN: u32 = 256;

pub(super) fn explore(program: &Program, options: &Options, stop: &dyn Fn() -> bool) -> Answer {
    let machine = Machine::new(program, options.queue_bound);
    let mut search = Search {
        program,
        machine: &machine,
        store: Store::default(),
        waiting: BTreeMap::new(),
        cut: false,
        violation: None,
    };
    let verdict = search.run(options, stop);
    Answer {
        verdict,
        states: search.store.len() as u64,
        bytes: search.store.size(),
    }
}

struct Search<'p> {
    program: &'p Program,
    machine: &'p Machine<'p>,
    store: Store,
    /// States to expand, by events of the computation to them.
    waiting: BTreeMap<u32, Vec<u32>>,
    /// The bound held an operation back somewhere.
    cut: bool,
    /// The first one, where it is not known yet that all values are in the domain.
    violation: Option<Vec<Action>>,
}

impl Search<'_> {
    fn run(&mut self, options: &Options, stop: &dyn Fn() -> bool) -> Verdict {
        let mut bytes = Vec::new();
        encode(&State::first(self.program), &mut bytes);
        self.add(&bytes, 0, 0, 0);
        let may_leave = domain::may_be_left(self.program);
        let mut until_question = 0;
        while let Some((events, state)) = self.next() {
            if until_question == 0 {
                until_question = BETWEEN;
                if stop() {
                    return Verdict::Inconclusive(Limit::Time);
                }
            }
            until_question -= 1;
            let from = decode(self.program, self.store.bytes(state));
            let found = self.machine.steps(&from);
            self.cut |= found.cut;
            if let Some(outside) = found.outside {
                return Verdict::OutsideDomain(outside);
            }
            for (number, step) in found.steps.iter().enumerate() {
                let mut to = from.clone();
                if self.machine.take(&mut to, step).violating {
                    let violation = || self.computation(state, step);
                    if !may_leave {
                        return Verdict::NotRobust(violation());
                    }
                    if self.violation.is_none() {
                        self.violation = Some(violation());
                    }
                    continue;
                }
                bytes.clear();
                encode(&to, &mut bytes);
                self.add(&bytes, state, number as u32, events + self.machine.events(step));
            }
            let limits = &options.limits;
            if self.store.len() as u64 > limits.states.min(u64::from(u32::MAX) / 2) {
                return Verdict::Inconclusive(Limit::States);
            }
            if self.store.size() > limits.bytes {
                return Verdict::Inconclusive(Limit::Memory);
            }
        }
        if let Some(violation) = self.violation.take() {
            return Verdict::NotRobust(violation);
        }
        match self.cut {
            false => Verdict::Robust,
            true => Verdict::RobustUpTo(self.machine.bound()),
        }
    }

    fn add(&mut self, bytes: &[u8], parent: u32, step: u32, events: u32) {
        if let Some(state) = self.store.add(bytes, parent, step, events) {
            self.waiting.entry(events).or_default().push(state);
        }
    }

    /// A state with the fewest events.
    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            let mut shortest = self.waiting.first_entry()?;
            let events = *shortest.key();
            match shortest.get_mut().pop() {
                None => {
                    shortest.remove();
                }
                // Otherwise a shorter way was found later.
                Some(state) if self.store.met(state).events == events => return Some((events, state)),
                Some(_) => {}
            }
        }
    }

    /// The way to a state and a step on, then pops until all queues are empty.
    fn computation(&self, state: u32, last: &Step) -> Vec<Action> {
        let mut ways = Vec::new();
        let mut at = state;
        while self.store.met(at).parent != at {
            let met = self.store.met(at);
            ways.push(met.step as usize);
            at = met.parent;
        }
        let mut written = Written::new(State::first(self.program));
        for number in ways.into_iter().rev() {
            let step = self.machine.steps(&written.state).steps.swap_remove(number);
            written.take(self.machine, &step);
        }
        written.take(self.machine, last);
        while let Some(first) = written.state.open.first() {
            // It is the first of its process, so both stages let it go.
            let pop = if first.is_requested() { Pop::A } else { Pop::B };
            let step = Step::Pop(0, pop);
            written.take(self.machine, &step);
        }
        written.actions
    }
}

/// A computation as it is written down.
struct Written {
    state: State,
    /// The number of the command of each open operation.
    commands: Vec<usize>,
    next: usize,
    actions: Vec<Action>,
}

impl Written {
    fn new(state: State) -> Self {
        Self {
            state,
            commands: Vec::new(),
            next: 0,
            actions: Vec::new(),
        }
    }

    fn command(&mut self, rank: usize, transition: usize) {
        self.actions.push(Action::Command {
            rank,
            transition,
            command: self.next,
        });
        self.next += 1;
    }

    fn take(&mut self, machine: &Machine<'_>, step: &Step) {
        let done = machine.take(&mut self.state, step);
        match step {
            &Step::Command { rank, transition } => {
                if let Some(position) = done.issued {
                    self.commands.insert(position, self.next);
                }
                self.command(rank, transition);
            }
            Step::Barrier(transitions) => {
                for (rank, &transition) in transitions.iter().enumerate() {
                    self.command(rank, transition);
                }
            }
            &Step::Pop(position, Pop::A) => self.actions.push(Action::Popa {
                command: self.commands[position],
            }),
            &Step::Pop(position, Pop::B) => self.actions.push(Action::Popb {
                command: self.commands[position],
            }),
        }
        for position in done.completed {
            self.commands.remove(position);
        }
    }
}
