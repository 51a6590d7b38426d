//! One step of one thread.

mod access;
mod alone;
mod atomic;
mod call;
mod control;
mod rounds;

use crate::arithmetic;
use crate::ir::{Action, Operand, PlaceId};
use crate::job::{FUNCTIONS, Job};
use crate::thread::Frame;
use crate::threads::FENCES;
use crate::value::{Scalar, Value, derived, signed, source};
use farside_events::AccessKind;
use std::rc::Rc;

use alone::names_missing_rank;

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

impl<'m> Job<'m> {
    pub(crate) fn step(&mut self, rank: u32, thread: usize) -> Step {
        let module = self.module;
        let own = &self.processes[rank as usize].threads[thread];
        if !own.after.is_empty() && !self.may_begin(rank, thread) {
            return Step::Blocked;
        }
        let Some(frame) = self.processes[rank as usize].threads[thread].frames.last() else {
            self.end_thread(rank, thread);
            return Step::Went;
        };
        let block = &module.functions[frame.function as usize].blocks[frame.block as usize];
        match block.instructions.get(frame.index) {
            Some(instruction) => self.act(
                rank,
                thread,
                &instruction.action,
                instruction.result,
                instruction.place,
            ),
            None => {
                self.leave_block(rank, thread, &block.end, block.end_place);
                Step::Went
            }
        }
    }

    pub(super) fn frame(&mut self, rank: u32, thread: usize) -> &mut Frame {
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

    pub(crate) fn constant(&self, rank: u32, operand: &Operand) -> Value {
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
                self.access(
                    rank,
                    thread,
                    AccessKind::Load,
                    address.bits,
                    ty.size(),
                    access::source(*atomic),
                    place,
                );
                self.after_atomic(rank, thread, address.bits, *atomic);
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
                self.before_atomic(rank, thread, address.bits, *atomic);
                self.access(
                    rank,
                    thread,
                    AccessKind::Store,
                    address.bits,
                    ty.size(),
                    access::source(*atomic),
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
                self.notes.missing_rank |= names_missing_rank(*predicate, left, right, self.size);
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
            Action::AtomicUpdate { .. } | Action::CompareExchange { .. } => {
                self.exchange(rank, thread, action, place)
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
            Action::Fence(ordering) => {
                self.before_atomic(rank, thread, FENCES, Some(*ordering));
                self.after_atomic(rank, thread, FENCES, Some(*ordering));
                Value::default()
            }
            Action::LandingPad => self.landing(rank, thread),
            Action::Unknown => Value::Scalar(Scalar {
                bits: 0,
                symbol: source(("unknown", place, rank)),
            }),
        };
        self.finish(rank, thread, result, value);
        Step::Went
    }

    /// Gives an instruction's result, and goes to the next one.
    pub(super) fn finish(&mut self, rank: u32, thread: usize, result: Option<u32>, value: Value) {
        let frame = self.frame(rank, thread);
        if let Some(register) = result
            && let Some(slot) = frame.registers.get_mut(register as usize)
        {
            *slot = value;
        }
        frame.index += 1;
    }
}

/// The address of a function.
pub(crate) fn function_address(index: u32) -> u64 {
    FUNCTIONS + 16 * u64::from(index)
}
