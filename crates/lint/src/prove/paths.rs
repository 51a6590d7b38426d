//! What the paths of a program have in common: its code, who is asked about numbers, and what was counted.

use super::number::Number;
use super::question::Prover;
use super::state::{State, Value};
use crate::abi::Abi;
use crate::ir::{Module, Operand, PlaceId};
use crate::layout::{Globals, function_address};
use crate::loops;
use crate::survey::Survey;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The exploration of all paths of a program.
pub(super) struct Paths<'p> {
    pub(super) module: &'p Module,
    pub(super) survey: &'p Survey,
    pub(super) globals: Globals,
    pub(super) abi: Abi,
    pub(super) prover: &'p mut Prover,
    pub(super) steps: u64,
    operations: u32,
    pub(super) rounds: u32,
    bodies: HashMap<u32, Rc<Bodies>>,
}

/// The loops of a function, by their headers: which blocks they hold.
pub(super) type Bodies = BTreeMap<usize, Vec<bool>>;

impl<'p> Paths<'p> {
    pub(super) fn of(module: &'p Module, survey: &'p Survey, prover: &'p mut Prover) -> Self {
        let globals = Globals::of(module);
        Self {
            module,
            survey,
            abi: Abi::of(module, &globals),
            globals,
            prover,
            steps: 0,
            operations: 0,
            rounds: 0,
            bodies: HashMap::default(),
        }
    }

    /// The number of an operation that begins.
    pub(super) fn operation(&mut self) -> u32 {
        self.operations += 1;
        self.operations
    }

    /// The loops of a function.
    pub(super) fn bodies(&mut self, function: u32) -> Rc<Bodies> {
        let module = self.module;
        let bodies = self.bodies.entry(function);
        Rc::clone(bodies.or_insert_with(|| Rc::new(loops::bodies(&module.functions[function as usize]))))
    }

    /// Where control is.
    pub(super) fn place(&self, state: &State) -> PlaceId {
        let Some(frame) = state.frames.last() else {
            return 0;
        };
        let block = &self.module.functions[frame.function as usize].blocks[frame.block as usize];
        let instruction = block.instructions.get(frame.index);
        instruction.map_or(block.end_place, |instruction| instruction.place)
    }

    /// What an operand is that is no register.
    pub(super) fn constant(&mut self, operand: &Operand) -> Value {
        let number = match operand {
            Operand::Register(_) | Operand::Undefined => Number::Any,
            Operand::Integer(value) => Number::Known(*value),
            Operand::Single(value) => Number::Known(u64::from(value.to_bits())),
            Operand::Float(value) => Number::Known(value.to_bits()),
            Operand::Global(global, offset) => Number::Pointer(*global, self.prover.terms.constant(*offset)),
            Operand::Function(function) => Number::Known(function_address(*function)),
            Operand::Aggregate(fields) => {
                let fields = fields.iter().map(|field| self.constant(field)).collect();
                return Value::Fields(Rc::new(fields));
            }
        };
        number.into()
    }
}
