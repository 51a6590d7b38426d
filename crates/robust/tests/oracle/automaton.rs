//! Automata in the making, and made smaller.

use farside_pgas::calculus::{Automaton, Command, Origin, Transition};
use std::collections::{BTreeMap, VecDeque};

/// A code in the making: steps are added where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    states: usize,
    pub(crate) at: usize,
    transitions: Vec<Transition>,
}

impl Default for Code {
    fn default() -> Self {
        Self {
            states: 1,
            at: 0,
            transitions: Vec::new(),
        }
    }
}

impl Code {
    /// A step to a new state.
    pub(crate) fn step(&mut self, command: Command) {
        let to = self.states;
        self.states += 1;
        self.step_to(command, to);
    }

    /// A step to a state that there is.
    pub(crate) fn step_to(&mut self, command: Command, to: usize) {
        self.transitions.push(transition(self.at, to, command));
        self.at = to;
    }

    pub(crate) fn finish(self) -> Automaton {
        let mut automaton = Automaton {
            states: self.states,
            transitions: self.transitions,
        };
        tidy(&mut automaton);
        automaton
    }
}

fn transition(from: usize, to: usize, command: Command) -> Transition {
    Transition {
        from,
        to,
        command,
        dead: Vec::new(),
        origin: Origin::default(),
    }
}

/// Numbers the states that can be reached in the order in which they are met, and drops the others.
pub(crate) fn tidy(automaton: &mut Automaton) {
    let mut numbers = BTreeMap::from([(0, 0)]);
    let mut queue = VecDeque::from([0]);
    let mut kept = Vec::new();
    while let Some(state) = queue.pop_front() {
        for transition in automaton.transitions.iter().filter(|known| known.from == state) {
            let next = numbers.len();
            let to = *numbers.entry(transition.to).or_insert_with(|| {
                queue.push_back(transition.to);
                next
            });
            let mut moved = transition.clone();
            (moved.from, moved.to) = (numbers[&state], to);
            if !kept.contains(&moved) {
                kept.push(moved);
            }
        }
    }
    kept.sort_by_key(|transition| transition.from);
    automaton.states = numbers.len();
    automaton.transitions = kept;
}

/// Without a transition: its states become one, or it is as if it never were enabled.
pub(crate) fn without(automaton: &Automaton, index: usize, joined: bool) -> Automaton {
    let mut smaller = automaton.clone();
    let gone = smaller.transitions.remove(index);
    if joined {
        for transition in &mut smaller.transitions {
            for state in [&mut transition.from, &mut transition.to] {
                if *state == gone.to {
                    *state = gone.from;
                }
            }
        }
        // The first state keeps its number.
        if gone.to == 0 {
            for transition in &mut smaller.transitions {
                for state in [&mut transition.from, &mut transition.to] {
                    if *state == gone.from {
                        *state = 0;
                    }
                }
            }
        }
    }
    tidy(&mut smaller);
    smaller
}
