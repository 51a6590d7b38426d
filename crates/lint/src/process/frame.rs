//! Functions that are being executed.

use crate::ir::{Block, BlockId, Function, Instruction, Module, Register};
use crate::loops::{History, Repetition};
use crate::reach::Point;
use crate::value::Value;
use farside_events::StackId;
use std::hash::{Hash, Hasher};

/// A function that is being executed: where control is, and what its registers hold.
#[derive(Debug)]
pub(crate) struct Frame {
    function: u32,
    block: BlockId,
    /// The block before it.
    previous: BlockId,
    index: usize,
    registers: Vec<Value>,
    /// Arguments after those that have a name.
    further: Vec<Value>,
    /// What receives the result in the caller.
    result: Option<Register>,
    /// Whether the caller's call instruction is executed once more after this frame.
    is_again: bool,
    locals: Vec<u64>,
    /// The calls that led here.
    stack: StackId,
    /// How often each block's branch stayed in its loop.
    turns: Vec<u32>,
    /// What the rounds of loops were like whose end the outside world decides, by the block of the branch.
    repetitions: Vec<(BlockId, Repetition)>,
}

impl Frame {
    /// A function that is about to begin, with these arguments.
    pub(crate) fn of(index: u32, function: &Function, arguments: Vec<Value>, stack: StackId) -> Self {
        let mut registers = arguments;
        let named = registers.len().min(function.parameters as usize);
        let further = registers.split_off(named);
        registers.resize(
            (function.registers as usize).max(function.parameters as usize),
            Value::default(),
        );
        Self {
            function: index,
            block: 0,
            previous: 0,
            index: 0,
            registers,
            further,
            result: None,
            is_again: false,
            locals: Vec::new(),
            stack,
            turns: vec![0; function.blocks.len()],
            repetitions: Vec::new(),
        }
    }

    /// The same; a register of the caller receives the result, and the call is executed once more after it, or not.
    pub(crate) fn returning(self, result: Option<Register>, is_again: bool) -> Self {
        Self {
            result,
            is_again,
            ..self
        }
    }

    /// What receives the result in the caller.
    pub(crate) fn result(&self) -> Option<Register> {
        self.result
    }

    /// Whether the caller's call instruction is executed once more after this frame.
    pub(crate) fn is_again(&self) -> bool {
        self.is_again
    }

    /// Its arguments after those that have a name.
    pub(crate) fn further(&self) -> &[Value] {
        &self.further
    }

    /// The calls that led here.
    pub(crate) fn stack(&self) -> StackId {
        self.stack
    }

    /// The local variables that it has made.
    pub(crate) fn locals(&self) -> &[u64] {
        &self.locals
    }

    pub(crate) fn add_local(&mut self, base: u64) {
        self.locals.push(base);
    }
}

/// Where control is, and what the function goes on from there with.
impl Hash for Frame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.function, self.block, self.index).hash(state);
        (&self.registers, &self.further).hash(state);
    }
}

/// Where control is.
impl Frame {
    #[inline]
    pub(crate) fn function(&self) -> u32 {
        self.function
    }

    #[inline]
    pub(crate) fn block(&self) -> BlockId {
        self.block
    }

    /// The block before the one at hand.
    pub(crate) fn previous(&self) -> BlockId {
        self.previous
    }

    /// The number in its block of the instruction at hand; that of the block's end is the number of its instructions.
    #[inline]
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    pub(crate) fn point(&self) -> Point {
        Point {
            function: self.function,
            block: self.block,
            index: self.index as u32,
        }
    }

    /// The block at hand, and its instruction at hand; `None` at its end.
    pub(crate) fn code<'m>(&self, module: &'m Module) -> (&'m Block, Option<&'m Instruction>) {
        let block = &module.functions[self.function as usize].blocks[self.block as usize];
        (block, block.instructions.get(self.index))
    }

    /// Control goes to the next instruction.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.index += 1;
    }

    /// Control goes to the start of another block.
    #[inline]
    pub(crate) fn go_to(&mut self, block: BlockId) {
        (self.previous, self.block, self.index) = (self.block, block, 0);
    }
}

/// Registers.
impl Frame {
    #[inline]
    pub(crate) fn register(&self, register: Register) -> Option<&Value> {
        self.registers.get(register as usize)
    }

    /// Gives a register of the function a value.
    #[inline]
    pub(crate) fn set(&mut self, register: Register, value: Value) {
        if let Some(slot) = self.registers.get_mut(register as usize) {
            *slot = value;
        }
    }
}

/// Loops.
impl Frame {
    /// How often the branch of the block at hand has stayed in its loop.
    #[inline]
    pub(crate) fn turns(&self) -> u32 {
        self.turns[self.block as usize]
    }

    #[inline]
    pub(crate) fn set_turns(&mut self, turns: u32) {
        self.turns[self.block as usize] = turns;
    }

    /// The branch of the block at hand ends a round of its loop, or what came before the first one.
    pub(crate) fn note_round(&mut self, history: &History, is_first: bool) {
        let own = self.block;
        if is_first {
            self.repetitions.retain(|(block, _)| *block != own);
            self.repetitions.push((own, Repetition::beginning(history)));
        } else if let Some((_, known)) = self.repetitions.iter_mut().find(|(block, _)| *block == own) {
            known.round(history);
        }
    }

    /// Whether the last round of that loop was like an earlier one.
    pub(crate) fn repeats(&self) -> bool {
        let mut known = self.repetitions.iter();
        known.any(|(block, known)| *block == self.block && known.repeats())
    }
}
