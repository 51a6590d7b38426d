//! Values that are read and written, and final states.

use super::{Candidate, States};
use farside_litmus::ast::{Observable, Value};
use farside_models::core_rma::value::{Source, Term, accumulate, compare_and_swap};
use std::cell::RefCell;

/// Adds the final states of the execution, if its branches go as the path says.
pub(in crate::core_rma) fn final_states(
    candidate: &Candidate<'_>,
    observables: &[Observable],
    states: &mut States,
) {
    let size = candidate.path.actions.len();
    let values = Values::new(candidate);
    if !values.branches_hold() {
        return;
    }
    let mut options: Vec<Vec<Value>> = vec![Vec::new()];
    for observable in observables {
        let values: Vec<Option<Value>> = match observable {
            Observable::Register(rank, register) => {
                let term = &candidate.path.registers[rank.0 as usize][register.0 as usize];
                vec![values.term(term, 0)]
            }
            Observable::Variable(variable) => (0..size)
                .filter(|&w| candidate.path.actions[w].writes == Some(*variable))
                .filter(|&w| {
                    !(0..size).any(|later| {
                        candidate.path.actions[later].writes == Some(*variable) && candidate.hb[w][later]
                    })
                })
                .map(|w| values.seen(w, 0))
                .collect(),
        };
        options = options
            .iter()
            .flat_map(|option| {
                values.iter().flatten().map(|&value| {
                    let mut option = option.clone();
                    option.push(value);
                    option
                })
            })
            .collect();
    }
    states.extend(options);
}

/// Values in one execution. A value that needs more steps than there are actions depends on itself: it is none.
pub(in crate::core_rma) struct Values<'c> {
    candidate: &'c Candidate<'c>,
    depth: usize,
    /// Values assigned, as far as computed.
    assigned: RefCell<Vec<Option<Value>>>,
}

impl<'c> Values<'c> {
    pub(in crate::core_rma) fn new(candidate: &'c Candidate<'c>) -> Self {
        let assigned = candidate.path.assigned.len();
        Self {
            candidate,
            depth: candidate.path.actions.len() * 2 + assigned + 2,
            assigned: RefCell::new(vec![None; assigned]),
        }
    }

    /// Whether every branch goes as the path says.
    pub(in crate::core_rma) fn branches_hold(&self) -> bool {
        self.candidate
            .path
            .branches
            .iter()
            .all(|(term, holds)| match self.term(term, 0) {
                Some(Value::Known(value)) => (value != 0) == *holds,
                Some(Value::Undefined) => true,
                None => false,
            })
    }

    /// `rval(r)`: rules no-C and C.
    pub(in crate::core_rma) fn read(&self, r: usize, depth: usize) -> Option<Value> {
        if self.candidate.read_conflict(r) {
            return Some(Value::Undefined);
        }
        self.seen(self.candidate.reads_from[r]?, depth + 1)
    }

    /// What a read without conflict sees of a write.
    fn seen(&self, w: usize, depth: usize) -> Option<Value> {
        if self.candidate.write_conflict(w) {
            return Some(Value::Undefined);
        }
        self.written(w, depth)
    }

    /// `wval(w)`
    pub(in crate::core_rma) fn written(&self, w: usize, depth: usize) -> Option<Value> {
        if depth > self.depth {
            return None;
        }
        match self.candidate.path.written[w].as_ref()? {
            Source::Term(term) => self.term(term, depth),
            Source::Copy(read) => self.read(*read, depth),
            Source::Operation {
                operation,
                stored,
                operand,
            } => {
                let stored = self.read(*stored, depth)?;
                Some(accumulate(*operation, stored, self.read(*operand, depth)?))
            }
            Source::CompareAndSwap {
                stored,
                compare,
                swap,
            } => {
                let stored = self.read(*stored, depth)?;
                let compare = self.read(*compare, depth)?;
                Some(compare_and_swap(stored, compare, self.read(*swap, depth)?))
            }
        }
    }

    pub(in crate::core_rma) fn term(&self, term: &Term, depth: usize) -> Option<Value> {
        if depth > self.depth {
            return None;
        }
        term.evaluate(&mut |r| self.read(r, depth), &mut |index| {
            let known = self.assigned.borrow()[index];
            let value = known.or_else(|| self.term(&self.candidate.path.assigned[index], depth + 1));
            self.assigned.borrow_mut()[index] = value;
            value
        })
    }
}
