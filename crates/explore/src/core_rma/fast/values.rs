//! Values of an execution that has been decided far enough.

use super::scene::Scene;
use farside_litmus::ast::{Observable, Value};
use farside_models::core_rma::value::{Source, Term, accumulate, binary, compare_and_swap};
use farside_relations::{MAX, Set};

/// What is decided of an execution.
pub(super) struct Decided<'d> {
    /// By reader: the write that it reads.
    pub(super) reads_from: &'d [Option<u8>; MAX],
    /// By observable: the last write to it, for variables.
    pub(super) last: &'d [Option<u8>],
    /// Reads that have a conflict.
    pub(super) conflicting_reads: Set,
    /// Writes that have a conflict with a write.
    pub(super) conflicting_writes: Set,
}

#[derive(Clone, Copy)]
enum Read {
    New,
    Open,
    Done(Option<Value>),
}

/// Values of reads, each computed once.
pub(super) struct Values<'v> {
    scene: &'v Scene<'v>,
    decided: &'v Decided<'v>,
    reads: [Read; MAX],
    assigned: Vec<Option<Option<Value>>>,
}

impl<'v> Values<'v> {
    pub(super) fn new(scene: &'v Scene<'v>, decided: &'v Decided<'v>) -> Self {
        Self {
            scene,
            decided,
            reads: [Read::New; MAX],
            assigned: vec![None; scene.path.assigned.len()],
        }
    }

    /// Whether no branch goes otherwise than the path says, as far as decided; with `all`, whether every branch is
    /// decided.
    pub(super) fn branches(&mut self, all: bool) -> bool {
        let path = self.scene.path;
        path.branches.iter().all(|(term, holds)| match self.term(term) {
            None => !all,
            Some(Value::Undefined) => true,
            Some(Value::Known(value)) => (value != 0) == *holds,
        })
    }

    /// Values of the observables; none if one depends on itself.
    pub(super) fn state(&mut self, observables: &[Observable]) -> Option<Vec<Value>> {
        let path = self.scene.path;
        let mut state = Vec::with_capacity(observables.len());
        for (index, observable) in observables.iter().enumerate() {
            state.push(match observable {
                Observable::Register(rank, register) => {
                    self.term(&path.registers[rank.0 as usize][register.0 as usize])?
                }
                Observable::Variable(_) => self.seen(usize::from(self.decided.last[index]?))?,
            });
        }
        Some(state)
    }

    /// What the action reads.
    pub(super) fn read(&mut self, r: usize) -> Option<Value> {
        match self.reads[r] {
            Read::Done(value) => value,
            Read::Open => None,
            Read::New => {
                self.reads[r] = Read::Open;
                let value = if self.decided.conflicting_reads.has(r) {
                    Some(Value::Undefined)
                } else {
                    self.decided.reads_from[r].and_then(|w| self.seen(usize::from(w)))
                };
                self.reads[r] = Read::Done(value);
                value
            }
        }
    }

    fn seen(&mut self, w: usize) -> Option<Value> {
        if self.decided.conflicting_writes.has(w) {
            return Some(Value::Undefined);
        }
        self.written(w)
    }

    /// What the action writes.
    pub(super) fn written(&mut self, w: usize) -> Option<Value> {
        let path = self.scene.path;
        match path.written[w].as_ref()? {
            Source::Term(term) => self.term(term),
            Source::Copy(read) => self.read(*read),
            Source::Operation {
                operation,
                stored,
                operand,
            } => {
                let [stored, operand] = [self.read(*stored), self.read(*operand)];
                Some(accumulate(*operation, stored?, operand?))
            }
            Source::CompareAndSwap {
                stored,
                compare,
                swap,
            } => {
                let [stored, compare, swap] = [self.read(*stored), self.read(*compare), self.read(*swap)];
                Some(compare_and_swap(stored?, compare?, swap?))
            }
        }
    }

    fn term(&mut self, term: &Term) -> Option<Value> {
        let path = self.scene.path;
        Some(match term {
            Term::Number(number) => Value::Known(*number),
            Term::Read(read) => self.read(*read)?,
            Term::Assigned(index) => match self.assigned[*index] {
                Some(value) => value?,
                None => {
                    let value = self.term(&path.assigned[*index]);
                    self.assigned[*index] = Some(value);
                    value?
                }
            },
            Term::Negative(inner) => match self.term(inner)? {
                Value::Known(number) => Value::Known(number.wrapping_neg()),
                Value::Undefined => Value::Undefined,
            },
            Term::Not(inner) => match self.term(inner)? {
                Value::Known(number) => Value::Known(i64::from(number == 0)),
                Value::Undefined => Value::Undefined,
            },
            Term::Binary(operator, left, right) => match (self.term(left)?, self.term(right)?) {
                (Value::Known(left), Value::Known(right)) => Value::Known(binary(*operator, left, right)),
                _ => Value::Undefined,
            },
        })
    }
}
