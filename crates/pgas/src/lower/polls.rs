//! Loops that poll one location of their own process: what they load is awaited (`docs/design/polls.md`).
//!
//! Promise: [`await_values`] changes nothing but the loads of such loops, and a computation of the automaton as it was
//! becomes one of the new automaton when its failed polls are left out: the same commands otherwise, the same values.
//!
//! A state is that of a poll if a load leads to it, and only two steps leave it, one if a condition holds and one if it
//! does not, of which one leads back to that same load and to nothing else. The load is all that the loop does. That is
//! the shape of `while x == 0 { }`, of `while 1 { r = x  if r { break } }`, and of `r = x  while !r { r = x }`.

use crate::calculus::{Automaton, Command, Expression, Register};
use std::collections::BTreeSet;

/// What is loaded in a loop, and when it ends.
struct Poll {
    /// The state after the load.
    seen: usize,
    /// Index of the step back to the load.
    back: usize,
    into: Register,
    address: Expression,
    until: Expression,
}

/// Lets loads that poll wait for the value that ends their loop; whether there were any.
pub(super) fn await_values(automaton: &mut Automaton) -> bool {
    let polls: Vec<Poll> = (0..automaton.states)
        .filter_map(|state| poll(automaton, state))
        .collect();
    let mut failed = BTreeSet::new();
    for poll in &polls {
        let mut only = true;
        for transition in &mut automaton.transitions {
            if transition.to != poll.seen {
                continue;
            }
            match &mut transition.command {
                Command::Load { into, address, until }
                    if (*into, &*address) == (poll.into, &poll.address) =>
                {
                    *until = Some(poll.until.clone());
                }
                _ => only = false,
            }
        }
        // Where nothing but these loads leads, no poll fails.
        if only {
            failed.insert(poll.back);
        }
    }
    let mut index = 0;
    automaton.transitions.retain(|_| {
        index += 1;
        !failed.contains(&(index - 1))
    });
    reachable(automaton);
    !polls.is_empty()
}

/// The poll whose load leads to a state.
fn poll(automaton: &Automaton, seen: usize) -> Option<Poll> {
    let leaving = |state: usize| {
        let all = automaton.transitions.iter().enumerate();
        all.filter(move |(_, transition)| transition.from == state)
    };
    let [(first, one), (second, other)] = leaving(seen).collect::<Vec<_>>()[..] else {
        return None;
    };
    let condition = |command: &Command| match command {
        Command::Assume {
            condition,
            asserted: false,
        } => Some(condition.clone()),
        _ => None,
    };
    let (holds, fails) = (condition(&one.command)?, condition(&other.command)?);
    if holds.clone().negated() != fails && fails.clone().negated() != holds {
        return None;
    }
    let mut ways = [(first, one.to, fails), (second, other.to, holds)].into_iter();
    ways.find_map(|(back, head, until)| {
        let [(_, load)] = leaving(head).collect::<Vec<_>>()[..] else {
            return None;
        };
        let Command::Load { into, address, .. } = &load.command else {
            return None;
        };
        // The loop must ask for what it loads, and at the same place each time.
        let polls = load.to == seen && until.names(*into) && until.is_total() && !address.names(*into);
        polls.then(|| Poll {
            seen,
            back,
            into: *into,
            address: address.clone(),
            until,
        })
    })
}

/// Leaves out what no step leads to, and numbers the states that are left.
fn reachable(automaton: &mut Automaton) {
    let mut number = vec![None; automaton.states];
    let mut open = vec![0];
    number[0] = Some(0);
    let mut states = 1;
    while let Some(state) = open.pop() {
        for transition in automaton.transitions.iter().filter(|step| step.from == state) {
            if number[transition.to].is_none() {
                number[transition.to] = Some(states);
                states += 1;
                open.push(transition.to);
            }
        }
    }
    automaton.transitions.retain_mut(
        |transition| match (number[transition.from], number[transition.to]) {
            (Some(from), Some(to)) => {
                (transition.from, transition.to) = (from, to);
                true
            }
            _ => false,
        },
    );
    automaton.transitions.sort_by_key(|transition| transition.from);
    automaton.states = states;
}
