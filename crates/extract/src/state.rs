//! What a process knows at a point of its program before the run: its calls, its registers, its private memory.

use crate::progress::Progress;
use crate::tables::{Object, Path};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    function: u32,
    path: Path,
    block: u32,
    at: usize,
    registers: BTreeMap<u32, Value>,
}

impl Frame {
    pub(crate) fn new(function: u32, path: Path, arguments: Vec<Value>) -> Self {
        Self {
            function,
            path,
            block: 0,
            at: 0,
            registers: (0..).zip(arguments).collect(),
        }
    }

    pub(crate) fn function(&self) -> u32 {
        self.function
    }

    pub(crate) fn path(&self) -> Path {
        self.path
    }

    pub(crate) fn block(&self) -> u32 {
        self.block
    }

    /// The next instruction of the block.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Goes on to the next instruction.
    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }

    /// Goes to the beginning of a block.
    pub(crate) fn enter(&mut self, block: u32) {
        (self.block, self.at) = (block, 0);
    }

    pub(crate) fn get(&self, register: u32) -> Option<&Value> {
        self.registers.get(&register)
    }

    pub(crate) fn set(&mut self, register: u32, value: Value) {
        self.registers.insert(register, value);
    }

    /// Forgets all other registers.
    pub(crate) fn keep(&mut self, live: &BTreeSet<u32>) {
        self.registers.retain(|register, _| live.contains(register));
    }
}

/// The state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    frames: Vec<Frame>,
    /// Values by where they begin, with their size; what was never written is not here.
    memory: BTreeMap<(Object, u64), (u64, Value)>,
    /// How often something was allocated: symmetric memory, and other memory by where.
    symmetric: u32,
    progress: Progress,
    allocated: BTreeMap<(Path, u32), u32>,
}

impl State {
    /// A process that calls its first function.
    pub(crate) fn beginning(frame: Frame) -> Self {
        Self {
            frames: vec![frame],
            ..Self::default()
        }
    }

    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    pub(crate) fn frame_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    pub(crate) fn call(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    pub(crate) fn leave(&mut self) -> Option<Frame> {
        self.frames.pop()
    }

    /// The number of the next symmetric object.
    pub(crate) fn next_symmetric(&mut self) -> u32 {
        self.symmetric += 1;
        self.symmetric - 1
    }

    /// How far it is in what it does together with others by MPI.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    pub(crate) fn progress_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }

    /// How often memory was allocated there before.
    pub(crate) fn next_allocated(&mut self, path: Path, register: u32) -> u32 {
        let count = self.allocated.entry((path, register)).or_insert(0);
        *count += 1;
        *count - 1
    }

    /// What is held by these bytes: one value, if one was written there as a whole, or known numbers in parts.
    pub(crate) fn read(&self, object: Object, start: u64, size: u64) -> Held {
        let before = self.memory.range((object, 0)..=(object, start)).next_back();
        if let Some((&(_, at), (length, value))) = before {
            if at == start && *length == size {
                return Held::Value(value.clone());
            }
            if at + length >= start + size {
                return part(value, *length, start - at, size).map_or(Held::Parts, Held::Value);
            }
            if at < start && at + length > start {
                return Held::Parts;
            }
        }
        let pieces = self.pieces(object, start, size);
        if pieces.is_empty() {
            let inside = self.memory.range((object, start)..(object, start + size)).next();
            return if inside.is_some() {
                Held::Parts
            } else {
                Held::Nothing
            };
        }
        together(&pieces, size).map_or(Held::Parts, Held::Value)
    }

    /// Writes a value. What it overwrites in part is cut where it is a known number, and forgotten otherwise.
    pub(crate) fn write(&mut self, object: Object, start: u64, size: u64, value: Value, other: &Value) {
        let end = start + size;
        let touched: Vec<u64> = self
            .memory
            .range((object, 0)..(object, end))
            .filter(|((_, at), (length, _))| at + length > start)
            .map(|((_, at), _)| *at)
            .collect();
        for at in touched {
            let Some((length, old)) = self.memory.remove(&(object, at)) else {
                continue;
            };
            let cut = |from: u64, size: u64| part(&old, length, from, size).unwrap_or_else(|| other.clone());
            if at < start {
                self.memory.insert((object, at), (start - at, cut(0, start - at)));
            }
            if at + length > end {
                let left = at + length - end;
                self.memory.insert((object, end), (left, cut(end - at, left)));
            }
        }
        self.memory.insert((object, start), (size, value));
    }

    /// What lies within some bytes: offset from the first, size, value.
    pub(crate) fn pieces(&self, object: Object, start: u64, size: u64) -> Vec<(u64, u64, Value)> {
        self.memory
            .range((object, start)..(object, start + size))
            .filter(|((_, at), (length, _))| at + length <= start + size)
            .map(|((_, at), (length, value))| (at - start, *length, value.clone()))
            .collect()
    }

    /// Forgets what objects hold.
    pub(crate) fn forget(&mut self, gone: impl Fn(Object) -> bool) {
        self.memory.retain(|(object, _), _| !gone(*object));
    }

    /// Lets a value of each register of the last call and of memory be another one.
    pub(crate) fn replace(&mut self, mut each: impl FnMut(Slot, &mut Value)) {
        for (depth, frame) in self.frames.iter_mut().enumerate() {
            for (register, value) in &mut frame.registers {
                each(Slot::Register(depth, *register), value);
            }
        }
        for ((object, at), (_, value)) in &mut self.memory {
            each(Slot::Memory(*object, *at), value);
        }
    }

    /// The value of a slot.
    pub(crate) fn slot(&self, slot: Slot) -> Option<&Value> {
        match slot {
            Slot::Register(depth, register) => self.frames.get(depth)?.registers.get(&register),
            Slot::Memory(object, at) => self.memory.get(&(object, at)).map(|(_, value)| value),
        }
    }
}

/// Where a value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    Register(usize, u32),
    Memory(Object, u64),
}

/// A part of a number that is known, in the order of bytes of the machines here, least first.
fn part(value: &Value, length: u64, from: u64, size: u64) -> Option<Value> {
    let Value::Known(number) = *value else {
        return None;
    };
    if number == 0 {
        return Some(Value::Known(0));
    }
    if length > 8 || size > 8 {
        return None;
    }
    let mask = u64::MAX >> (64 - 8 * size);
    Some(Value::Known(number >> (8 * from) & mask))
}

/// The number that known numbers make together, if they fill these bytes.
fn together(pieces: &[(u64, u64, Value)], size: u64) -> Option<Value> {
    let (mut number, mut filled) = (0, 0);
    for (at, length, value) in pieces {
        let Value::Known(one) = *value else {
            return None;
        };
        if *at != filled || *length > 8 || size > 8 && one != 0 {
            return None;
        }
        let mask = u64::MAX >> (64 - 8 * length);
        number |= if size > 8 { 0 } else { (one & mask) << (8 * at) };
        filled += length;
    }
    (filled == size).then_some(Value::Known(number))
}

/// What bytes of private memory hold.
pub(crate) enum Held {
    /// This value.
    Value(Value),
    /// Several values, or a part of one.
    Parts,
    /// What they held at first.
    Nothing,
}
