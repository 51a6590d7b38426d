//! A process in the middle of a path: where control is, what memory holds, and what holds of its rank.

use super::affine::Term;
use super::memory::Object;
use super::number::Number;
use super::question::Condition;
use super::trace::{Lock, Trace};
use crate::ir::{BlockId, Function, PlaceId, Register};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a register holds.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(Number),
    Fields(Rc<Vec<Value>>),
}

impl Default for Value {
    fn default() -> Self {
        Self::Number(Number::Any)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl Value {
    pub(super) fn number(&self) -> Number {
        match self {
            Self::Number(number) => *number,
            Self::Fields(fields) => fields.first().map_or(Number::Any, Self::number),
        }
    }

    pub(super) fn field(&self, path: &[u32]) -> Self {
        match (self, path) {
            (value, []) => value.clone(),
            (Self::Fields(fields), [first, rest @ ..]) => {
                let field = fields.get(*first as usize);
                field.map_or_else(Self::default, |field| field.field(rest))
            }
            (Self::Number(_), _) => Self::default(),
        }
    }

    pub(super) fn with_field(&self, path: &[u32], value: Self) -> Self {
        let [first, rest @ ..] = path else { return value };
        let mut fields = match self {
            Self::Fields(fields) => fields.as_ref().clone(),
            Self::Number(_) => Vec::new(),
        };
        let index = *first as usize;
        if fields.len() <= index {
            fields.resize(index + 1, Self::default());
        }
        fields[index] = fields[index].with_field(rest, value);
        Self::Fields(Rc::new(fields))
    }
}

/// A function that is being executed.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: u32,
    pub(super) block: BlockId,
    pub(super) index: usize,
    registers: Vec<Value>,
    pub(super) result: Option<Register>,
    locals: Vec<u32>,
}

impl Frame {
    pub(super) fn of(number: u32, function: &Function, values: Vec<Value>, result: Option<Register>) -> Self {
        let mut registers = values;
        registers.truncate(function.parameters as usize);
        registers.resize(function.registers as usize, Value::default());
        Self {
            function: number,
            block: 0,
            index: 0,
            registers,
            result,
            locals: Vec::new(),
        }
    }

    pub(super) fn register(&self, register: Register) -> Value {
        self.registers.get(register as usize).cloned().unwrap_or_default()
    }

    pub(super) fn set(&mut self, register: Register, value: Value) {
        if let Some(held) = self.registers.get_mut(register as usize) {
            *held = value;
        }
    }

    pub(super) fn add_local(&mut self, object: u32) {
        self.locals.push(object);
    }

    pub(super) fn locals(&self) -> &[u32] {
        &self.locals
    }
}

/// A window, as the process sees it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) size: Term,
    pub(super) unit: i64,
    locks: Vec<Lock>,
    /// The epoch of a fence is open.
    pub(super) fenced: bool,
    pub(super) freed: bool,
}

impl Window {
    pub(super) fn new(size: Term, unit: i64) -> Self {
        Self {
            size,
            unit,
            locks: Vec::new(),
            fenced: false,
            freed: false,
        }
    }

    pub(super) fn lock(&mut self, lock: Lock) {
        self.locks.push(lock);
    }

    /// The lock of a target is given up; false if that is not held, as far as one can tell.
    pub(super) fn unlock(&mut self, target: Option<Term>) -> bool {
        let held = self.locks.iter().rposition(|lock| lock.target == target);
        held.map(|at| self.locks.remove(at)).is_some()
    }

    /// The locks that are held.
    pub(super) fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// The lock that covers an operation on a target.
    pub(super) fn covering(&self, target: Term) -> Option<Lock> {
        let mut locks = self.locks.iter();
        locks
            .find(|lock| lock.target.is_none_or(|locked| locked == target))
            .copied()
    }
}

/// How a path ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The program came to its end.
    Returned,
    /// It ended itself: exit, abort, a failed assertion.
    GaveUp(PlaceId),
}

/// A branch, by the depth of its function in the stack, the function and the block.
pub(super) type Branch = (usize, u32, BlockId);

/// A process in the middle of a path.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) frames: Vec<Frame>,
    objects: Vec<Rc<Object>>,
    /// What holds of its rank and the number of ranks, by the branches that it took.
    pub(super) given: Vec<Condition>,
    /// How what is not known was decided, for the instruction at hand, and how much of that was used.
    pub(super) choices: Vec<bool>,
    pub(super) chosen: usize,
    /// How often it was at a fork of the ways.
    forks: BTreeMap<Branch, u32>,
    pub(super) trace: Trace,
    pub(super) windows: Vec<Window>,
    pub(super) requests: u32,
    pub(super) initialised: bool,
    pub(super) ended: Option<Ended>,
    /// The loops of which a round is being followed, the innermost last: the depth of the stack, and the header.
    pub(super) within: Vec<(usize, BlockId)>,
    /// The round is over.
    pub(super) round_is_over: bool,
}

impl State {
    /// A new object; its number.
    pub(super) fn add(&mut self, object: Object) -> u32 {
        self.objects.push(Rc::new(object));
        self.objects.len() as u32 - 1
    }

    pub(super) fn object(&self, number: u32) -> &Object {
        &self.objects[number as usize]
    }

    pub(super) fn object_mut(&mut self, number: u32) -> &mut Object {
        Rc::make_mut(&mut self.objects[number as usize])
    }

    pub(super) fn objects(&self) -> usize {
        self.objects.len()
    }

    /// Objects that are not as they are in another state that has gone on from this one.
    pub(super) fn changed(&self, later: &Self) -> Vec<u32> {
        let pairs = self.objects.iter().zip(&later.objects).enumerate();
        let changed = pairs.filter(|(_, (one, other))| !Rc::ptr_eq(one, other));
        changed.map(|(nth, _)| nth as u32).collect()
    }

    pub(super) fn frame(&self) -> &Frame {
        self.frames
            .last()
            .expect("a path that has not ended is in a function")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("a path that has not ended is in a function")
    }

    /// It comes to a fork of the ways; how often it has been there.
    pub(super) fn fork(&mut self) -> u32 {
        let frame = self.frame();
        let count = self
            .forks
            .entry((self.frames.len(), frame.function, frame.block))
            .or_default();
        *count += 1;
        *count
    }
}
