//! One step of one thread.

use crate::arithmetic;
use crate::ir::{Action, BlockId, End, Operand, PlaceId, Predicate, Type};
use crate::job::{Decision, FUNCTIONS, Job, Process};
use crate::thread::{Frame, Site, Thread, ThreadState};
use crate::value::{NEGATED, RANK, Scalar, Value, derived, signed, source};
use farside_events::{AccessKind, AccessSource, StackId};
use std::rc::Rc;

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It went on.
    Went,
    /// It went on, and waits for others: they should have their turn.
    Yielded,
    /// It cannot go on yet.
    Blocked,
}

/// How a function outside the module went.
#[derive(Clone, Debug)]
pub(crate) enum Flow {
    /// It returned.
    Return(Scalar),
    /// It returned, after asking for something that others may bring.
    Poll(Scalar),
    /// It waits.
    Block,
    /// It has begun; the others have their turn before it is asked again.
    Again,
    /// It called a function of the module, which now runs; afterwards it is asked again.
    Entered,
    /// The thread or process is no more.
    Ended,
}

/// Frames deeper than this are a recursion without end.
const DEEPEST: usize = 2000;

impl<'m> Job<'m> {
    pub(crate) fn step(&mut self, rank: u32, thread: usize) -> Step {
        let module = self.module;
        let Some(frame) = self.processes[rank as usize].threads[thread].frames.last() else {
            self.end_thread(rank, thread);
            return Step::Went;
        };
        let block = &module.functions[frame.function as usize].blocks[frame.block as usize];
        match block.instructions.get(frame.index) {
            Some(instruction) => {
                let step = self.act(
                    rank,
                    thread,
                    &instruction.action,
                    instruction.result,
                    instruction.place,
                );
                return step;
            }
            None => self.leave_block(rank, thread, &block.end, block.end_place),
        }
        Step::Went
    }

    fn frame(&mut self, rank: u32, thread: usize) -> &mut Frame {
        let frames = &mut self.processes[rank as usize].threads[thread].frames;
        frames.last_mut().expect("the thread is in a function")
    }

    pub(crate) fn value(&self, rank: u32, thread: usize, operand: &Operand) -> Value {
        match operand {
            Operand::Register(register) => {
                let frame = self.processes[rank as usize].threads[thread].frames.last();
                frame
                    .and_then(|frame| frame.registers.get(*register as usize))
                    .cloned()
                    .unwrap_or_default()
            }
            constant => self.constant(rank, constant),
        }
    }

    fn constant(&self, rank: u32, operand: &Operand) -> Value {
        match operand {
            Operand::Register(_) | Operand::Undefined => Value::default(),
            Operand::Integer(value) => Value::known(*value),
            Operand::Single(value) => Value::known(u64::from(value.to_bits())),
            Operand::Float(value) => Value::known(value.to_bits()),
            Operand::Global(global, offset) => {
                let base = self.processes[rank as usize].globals[*global as usize];
                Value::known(base.wrapping_add_signed(*offset))
            }
            Operand::Function(function) => Value::known(function_address(*function)),
            Operand::Aggregate(fields) => Value::Aggregate(Rc::new(
                fields.iter().map(|field| self.constant(rank, field)).collect(),
            )),
        }
    }

    pub(crate) fn scalar(&self, rank: u32, thread: usize, operand: &Operand) -> Scalar {
        match operand {
            Operand::Integer(value) => Scalar::known(*value),
            operand => self.value(rank, thread, operand).scalar(),
        }
    }

    fn act(
        &mut self,
        rank: u32,
        thread: usize,
        action: &'m Action,
        result: Option<u32>,
        place: PlaceId,
    ) -> Step {
        let value = match action {
            Action::Call { callee, arguments } => {
                return self.call(rank, thread, callee, arguments, result, place);
            }
            Action::Allocate { size, count, name } => {
                let count = self.scalar(rank, thread, count).bits.min(1 << 32);
                let base = self.processes[rank as usize]
                    .memory
                    .allocate(size.saturating_mul(count), name);
                self.frame(rank, thread).locals.push(base);
                Value::known(base)
            }
            Action::Load { address, ty, atomic } => {
                let address = self.scalar(rank, thread, address);
                self.touch(
                    rank,
                    thread,
                    AccessKind::Load,
                    address.bits,
                    ty.size(),
                    *atomic,
                    place,
                );
                self.load(rank, address.bits, ty)
            }
            Action::Store {
                address,
                value,
                ty,
                atomic,
            } => {
                let address = self.scalar(rank, thread, address);
                let value = self.value(rank, thread, value);
                self.touch(
                    rank,
                    thread,
                    AccessKind::Store,
                    address.bits,
                    ty.size(),
                    *atomic,
                    place,
                );
                self.store(rank, address.bits, ty, &value);
                Value::default()
            }
            Action::Offset {
                base,
                constant,
                terms,
            } => {
                let base = self.scalar(rank, thread, base);
                let mut bits = base.bits.wrapping_add_signed(*constant);
                let mut parts = vec![base];
                for (index, width, scale) in terms {
                    let index = self.scalar(rank, thread, index);
                    bits = bits.wrapping_add_signed(signed(index.bits, *width).wrapping_mul(*scale));
                    parts.push(index);
                }
                Value::Scalar(Scalar {
                    bits,
                    symbol: derived(("offset", *constant), &parts),
                })
            }
            Action::Arithmetic {
                operator,
                bits,
                left,
                right,
            } => {
                let (left, right) = (self.scalar(rank, thread, left), self.scalar(rank, thread, right));
                Value::Scalar(arithmetic::integer(*operator, *bits, left, right))
            }
            Action::FloatArithmetic {
                operator,
                ty,
                left,
                right,
            } => {
                let (left, right) = (self.scalar(rank, thread, left), self.scalar(rank, thread, right));
                Value::Scalar(arithmetic::float(*operator, ty, left, right))
            }
            Action::Compare {
                predicate,
                bits,
                left,
                right,
            } => {
                let (left, right) = (self.scalar(rank, thread, left), self.scalar(rank, thread, right));
                if let (RANK, 0) | (0, RANK) = (left.symbol, right.symbol) {
                    let named = if left.symbol == RANK { right } else { left };
                    // `rank == 2` speaks of a third process.
                    let equality = matches!(predicate, Predicate::Eq | Predicate::Ne);
                    self.notes.missing_rank |= equality && named.signed32() >= self.size as i32;
                }
                Value::Scalar(arithmetic::compare(*predicate, *bits, left, right))
            }
            Action::FloatCompare {
                predicate,
                ty,
                left,
                right,
            } => {
                let (left, right) = (self.scalar(rank, thread, left), self.scalar(rank, thread, right));
                Value::Scalar(arithmetic::float_compare(*predicate, ty, left, right))
            }
            Action::Convert {
                conversion,
                from,
                to,
                value,
            } => match self.value(rank, thread, value) {
                Value::Scalar(value) => Value::Scalar(arithmetic::convert(*conversion, from, to, value)),
                aggregate => aggregate,
            },
            Action::Select { condition, yes, no } => {
                let condition = self.scalar(rank, thread, condition);
                let chosen = if self.decide(condition) { yes } else { no };
                self.value(rank, thread, chosen)
            }
            Action::AtomicUpdate {
                operator,
                address,
                value,
                ty,
            } => {
                let address = self.scalar(rank, thread, address).bits;
                let value = self.scalar(rank, thread, value);
                self.touch(rank, thread, AccessKind::Load, address, ty.size(), true, place);
                self.touch(rank, thread, AccessKind::Store, address, ty.size(), true, place);
                let old = self.load(rank, address, ty).scalar();
                let new = arithmetic::atomic(*operator, 8 * ty.size() as u32, old, value);
                self.store(rank, address, ty, &Value::Scalar(new));
                self.order_by_atomic(rank, thread, address);
                Value::Scalar(old)
            }
            Action::CompareExchange {
                address,
                expected,
                replacement,
                ty,
            } => {
                let address = self.scalar(rank, thread, address).bits;
                let expected = self.scalar(rank, thread, expected);
                let replacement = self.scalar(rank, thread, replacement);
                self.touch(rank, thread, AccessKind::Load, address, ty.size(), true, place);
                let old = self.load(rank, address, ty).scalar();
                let equal = old.bits == expected.bits;
                if equal {
                    self.touch(rank, thread, AccessKind::Store, address, ty.size(), true, place);
                    self.store(rank, address, ty, &Value::Scalar(replacement));
                }
                self.order_by_atomic(rank, thread, address);
                Value::Aggregate(Rc::new(vec![Value::Scalar(old), Value::known(u64::from(equal))]))
            }
            Action::Extract { aggregate, path } => self.value(rank, thread, aggregate).field(path),
            Action::Insert {
                aggregate,
                value,
                path,
            } => {
                let value = self.value(rank, thread, value);
                self.value(rank, thread, aggregate).with_field(path, value)
            }
            Action::Unknown => Value::Scalar(Scalar {
                bits: 0,
                symbol: source(("unknown", place, rank)),
            }),
        };
        self.finish(rank, thread, result, value);
        Step::Went
    }

    /// Gives an instruction's result, and goes to the next one.
    fn finish(&mut self, rank: u32, thread: usize, result: Option<u32>, value: Value) {
        let frame = self.frame(rank, thread);
        if let Some(register) = result
            && let Some(slot) = frame.registers.get_mut(register as usize)
        {
            *slot = value;
        }
        frame.index += 1;
    }

    #[allow(clippy::too_many_arguments)] // What an access is.
    fn touch(
        &mut self,
        rank: u32,
        thread: usize,
        kind: AccessKind,
        address: u64,
        size: u64,
        atomic: bool,
        place: PlaceId,
    ) {
        let source = if atomic {
            AccessSource::Atomic
        } else {
            AccessSource::Instruction
        };
        self.access(rank, thread, kind, address, size, source, place);
    }

    pub(crate) fn load(&self, rank: u32, address: u64, ty: &Type) -> Value {
        let memory = self.memory(rank, address);
        match ty {
            Type::Structure(fields, _) => {
                let load =
                    |(offset, field): &(u64, Type)| self.load(rank, address.wrapping_add(*offset), field);
                Value::Aggregate(Rc::new(fields.iter().map(load).collect()))
            }
            Type::Integer(bits) => {
                let mut value = memory.load(address, ty.size());
                value.bits = crate::value::mask(value.bits, *bits);
                Value::Scalar(value)
            }
            ty => Value::Scalar(memory.load(address, ty.size().min(8))),
        }
    }

    pub(crate) fn store(&mut self, rank: u32, address: u64, ty: &Type, value: &Value) {
        match ty {
            Type::Structure(fields, _) => {
                for (index, (offset, field)) in fields.iter().enumerate() {
                    self.store(
                        rank,
                        address.wrapping_add(*offset),
                        field,
                        &value.field(&[index as u32]),
                    );
                }
            }
            ty => self
                .memory_mut(rank, address)
                .store(address, ty.size().min(8), value.scalar()),
        }
    }

    /// Whether a condition holds. One that the outside world decides is noted.
    pub(crate) fn decide(&mut self, condition: Scalar) -> bool {
        let sample = condition.bits & 1 == 1;
        if condition.is_known() {
            return sample;
        }
        let (symbol, negated) = (condition.symbol & !NEGATED, condition.symbol & NEGATED != 0);
        let truth = match self.overrides.get(&symbol) {
            Some(truth) => *truth,
            None => sample != negated,
        };
        if self.decisions.len() < 256 && self.decisions.iter().all(|known| known.symbol != symbol) {
            self.decisions.push(Decision { symbol, truth });
        }
        truth != negated
    }

    fn leave_block(&mut self, rank: u32, thread: usize, end: &'m End, place: PlaceId) {
        match end {
            End::Goto(to) => self.enter_block(rank, thread, *to),
            End::Branch { condition, yes, no } => {
                let condition = self.scalar(rank, thread, condition);
                let mut holds = self.decide(condition);
                let frame = self.processes[rank as usize].threads[thread]
                    .frames
                    .last()
                    .expect("in a function");
                let (function, block) = (frame.function as usize, frame.block as usize);
                if let Some(exit) = self.exits[function][block] {
                    let limit = self.turn_limit(!condition.is_known());
                    let frame = self.frame(rank, thread);
                    if holds == exit {
                        frame.turns[block] = 0;
                    } else {
                        frame.turns[block] += 1;
                        if frame.turns[block] > limit {
                            frame.turns[block] = 0;
                            holds = exit;
                            self.notes.cut_loops.insert(place, ());
                        }
                    }
                }
                self.enter_block(rank, thread, if holds { *yes } else { *no });
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.scalar(rank, thread, value);
                let named = |(case, _): &(u64, BlockId)| *case >= u64::from(self.size) && *case < 64;
                self.notes.missing_rank |= value.symbol == RANK && cases.iter().any(named);
                let found = cases.iter().find(|(case, _)| *case == value.bits);
                self.enter_block(rank, thread, found.map_or(*default, |(_, to)| *to));
            }
            End::Return(value) => {
                let value = value
                    .as_ref()
                    .map_or(Value::default(), |value| self.value(rank, thread, value));
                self.leave_function(rank, thread, value);
            }
            End::Unreachable => self.end_process(rank, thread),
        }
    }

    /// How often a loop may go round: less as the whole becomes long, so that it ends.
    fn turn_limit(&self, unknown: bool) -> u32 {
        let used = self.steps * 100 / self.limits.steps.max(1);
        let limit = match used {
            0..10 => 1 << 16,
            10..30 => 256,
            30..60 => 16,
            _ => 2,
        };
        // A loop that the outside world controls is followed for a few rounds.
        if unknown { limit.min(64) } else { limit }
    }

    fn enter_block(&mut self, rank: u32, thread: usize, to: BlockId) {
        let module = self.module;
        let frame = self.processes[rank as usize].threads[thread]
            .frames
            .last()
            .expect("in a function");
        let (function, from) = (frame.function, frame.block);
        let Some(block) = module.functions[function as usize].blocks.get(to as usize) else {
            return self.end_process(rank, thread);
        };
        // All phis read before any of them is written.
        let values: Vec<(u32, Value)> = block
            .phis
            .iter()
            .map(|(register, values)| {
                let value = values.iter().find(|(block, _)| *block == from);
                (
                    *register,
                    value.map_or(Value::default(), |(_, value)| self.value(rank, thread, value)),
                )
            })
            .collect();
        let frame = self.frame(rank, thread);
        for (register, value) in values {
            frame.registers[register as usize] = value;
        }
        frame.block = to;
        frame.index = 0;
        self.reached.insert((function, to));
    }

    fn leave_function(&mut self, rank: u32, thread: usize, value: Value) {
        let process = &mut self.processes[rank as usize];
        let frame = process.threads[thread].frames.pop().expect("in a function");
        for local in frame.locals {
            process.memory.free(local);
        }
        if process.threads[thread].frames.is_empty() {
            if thread == 0 {
                self.end_process(rank, thread);
            } else {
                self.end_thread(rank, thread);
            }
        } else if !frame.again {
            self.finish(rank, thread, frame.result, value);
        }
    }

    /// The program or its `main` has ended in this process.
    pub(crate) fn end_process(&mut self, rank: u32, _thread: usize) {
        self.processes[rank as usize].finished = true;
    }

    pub(crate) fn end_thread(&mut self, rank: u32, thread: usize) {
        self.release_end(rank, thread);
        self.processes[rank as usize].threads[thread].state = ThreadState::Ended;
    }

    fn call(
        &mut self,
        rank: u32,
        thread: usize,
        callee: &'m Operand,
        arguments: &'m [Operand],
        result: Option<u32>,
        place: PlaceId,
    ) -> Step {
        let module = self.module;
        let address = self.scalar(rank, thread, callee).bits;
        let index = address.wrapping_sub(FUNCTIONS) / 16;
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.value(rank, thread, argument))
            .collect();
        let rest = self.processes[rank as usize].threads[thread].stack();
        let stack = self.stacks.push(place, rest);
        let site = Site {
            rank,
            thread,
            place,
            stack,
        };
        let Some(function) = module
            .functions
            .get(index as usize)
            .filter(|_| address >= FUNCTIONS)
        else {
            let value = self.outside_value(&site, "unknown function");
            self.finish(rank, thread, result, Value::Scalar(value));
            return Step::Went;
        };
        if !function.blocks.is_empty() && !self.is_replaced(&function.name) {
            if self.processes[rank as usize].threads[thread].frames.len() >= DEEPEST {
                let value = self.outside_value(&site, &function.name);
                self.notes.cut_loops.insert(place, ());
                self.finish(rank, thread, result, Value::Scalar(value));
                return Step::Went;
            }
            self.enter_function(rank, thread, index as u32, values, result, stack, false);
            return Step::Went;
        }
        let scalars: Vec<Scalar> = values.iter().map(Value::scalar).collect();
        match self.outside(&site, &function.name, &scalars) {
            Flow::Return(value) => {
                self.finish(rank, thread, result, Value::Scalar(value));
                Step::Went
            }
            Flow::Poll(value) => {
                self.finish(rank, thread, result, Value::Scalar(value));
                Step::Yielded
            }
            Flow::Block => Step::Blocked,
            Flow::Again => Step::Yielded,
            Flow::Entered | Flow::Ended => Step::Went,
        }
    }

    /// Begins a function of the module.
    #[allow(clippy::too_many_arguments)] // What a call is.
    pub(crate) fn enter_function(
        &mut self,
        rank: u32,
        thread: usize,
        index: u32,
        values: Vec<Value>,
        result: Option<u32>,
        stack: StackId,
        again: bool,
    ) {
        let function = &self.module.functions[index as usize];
        let mut registers = values;
        registers.resize(
            (function.registers as usize).max(function.parameters as usize),
            Value::default(),
        );
        self.processes[rank as usize].threads[thread].frames.push(Frame {
            function: index,
            block: 0,
            index: 0,
            registers,
            result,
            again,
            locals: Vec::new(),
            stack,
            turns: vec![0; function.blocks.len()],
        });
    }

    /// What a function outside the module returns: unknown, but each time the same in each process.
    pub(crate) fn outside_value(&mut self, site: &Site, name: &str) -> Scalar {
        let count = self.processes[site.rank as usize]
            .outside
            .entry((site.place, site.stack))
            .or_insert(0);
        *count += 1;
        Scalar {
            bits: 0,
            symbol: source((name, site.place, *count)),
        }
    }

    pub(crate) fn initialize_globals(&mut self, rank: u32) {
        let module = self.module;
        for (index, global) in module.globals.iter().enumerate() {
            let base = self.processes[rank as usize].globals[index];
            for (offset, ty, operand) in &global.initial {
                let value = self.constant(rank, operand);
                self.store(rank, base + offset, ty, &value);
            }
        }
    }
}

impl Process {
    /// A process that has not begun.
    pub(crate) fn new(module: &crate::ir::Module) -> Self {
        let mut memory = crate::memory::Memory::starting_at(0x1_0000_0000);
        let globals = module
            .globals
            .iter()
            .map(|global| memory.allocate(global.size, &global.name))
            .collect();
        Self {
            memory,
            threads: vec![Thread {
                team: (0, 1),
                ..Thread::default()
            }],
            handles: Default::default(),
            globals,
            initialized: false,
            finished: false,
            outside: Default::default(),
            locks: Default::default(),
        }
    }
}

/// The address of a function.
pub(crate) fn function_address(index: u32) -> u64 {
    FUNCTIONS + 16 * u64::from(index)
}
