//! Whether a load polls: whether a loop goes on until it reads another value.
//!
//! The value is followed forward through registers, and out of a function to those that call it. A loop ends by it if
//! a branch out of the loop depends on it while the address stays the same from round to round. What is stored
//! elsewhere, or handed to a function, is followed no further.

use super::waiting::definition;
use super::{bodies, successors};
use crate::ir::{Action, Block, End, Function, Instruction, Module, Operand, PlaceId, Register};
use rustc_hash::FxHashSet as HashSet;

/// Calls through which a value is followed back to a loop.
const DEPTH: usize = 3;

/// What becomes of a value that is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// No loop ends by it.
    Nothing,
    /// It goes where it is not followed.
    Elsewhere,
    /// A loop ends by it.
    EndsLoop,
}

/// Whether the load of a place is made until its value changes; `None` if that is not known.
pub(crate) fn polls(module: &Module, place: PlaceId) -> Option<bool> {
    let number = module.places.get(place as usize)?.function;
    let function = module.functions.get(number as usize)?;
    let loads = instructions(function).filter_map(|(block, instruction)| match &instruction.action {
        Action::Load { address, .. } if instruction.place == place => {
            Some((block, instruction.result?, address))
        }
        _ => None,
    });
    let uses = loads.map(|(block, value, address)| {
        let given = Given {
            block,
            value,
            by: vec![address],
        };
        given.used(module, number, DEPTH)
    });
    match uses.max()? {
        Use::EndsLoop => Some(true),
        Use::Nothing => Some(false),
        Use::Elsewhere => None,
    }
}

/// A value that a function has from a block on.
struct Given<'m> {
    block: usize,
    value: Register,
    /// What it was made from: the address, or the arguments of the call.
    by: Vec<&'m Operand>,
}

impl Given<'_> {
    fn used(&self, module: &Module, number: u32, depth: usize) -> Use {
        let function = &module.functions[number as usize];
        let Reached { values, escapes } = reached(function, self.value, &self.by);
        let depends = |operand: &Operand| is_one_of(operand, &values);
        let ends_by_it = |block: &Block, body: &[bool]| {
            let condition = match &block.end {
                End::Branch { condition, .. } => condition,
                End::Switch { value, .. } => value,
                _ => return false,
            };
            depends(condition) && successors(&block.end).iter().any(|next| !body[*next])
        };
        let ends_loop = bodies(function).values().any(|body| {
            let mut inside = function.blocks.iter().zip(body).filter(|(_, inside)| **inside);
            body[self.block]
                && inside.any(|(block, _)| ends_by_it(block, body))
                && self
                    .by
                    .iter()
                    .all(|operand| is_same_each_round(function, body, operand))
        });
        if ends_loop {
            return Use::EndsLoop;
        }
        let returns = function.blocks.iter().any(|block| match &block.end {
            End::Return(Some(value)) => depends(value),
            _ => false,
        });
        let own = if escapes { Use::Elsewhere } else { Use::Nothing };
        match returns {
            true if depth == 0 => Use::Elsewhere,
            true => own.max(used_by_callers(module, number, depth - 1)),
            false => own,
        }
    }
}

/// What those do with the result who call a function.
fn used_by_callers(module: &Module, called: u32, depth: usize) -> Use {
    let mut all = Use::Nothing;
    for (number, function) in (0..).zip(&module.functions) {
        for (block, instruction) in instructions(function) {
            instruction.action.for_each_operand(|operand| {
                // Who calls it through a pointer is not known.
                if *operand == Operand::Function(called)
                    && !matches!(&instruction.action, Action::Call { callee, .. } if callee == operand)
                {
                    all = all.max(Use::Elsewhere);
                }
            });
            if let (Action::Call { callee, arguments }, Some(value)) =
                (&instruction.action, instruction.result)
                && *callee == Operand::Function(called)
            {
                let by = arguments.iter().collect();
                all = all.max(Given { block, value, by }.used(module, number, depth));
            }
        }
    }
    all
}

/// The registers whose values depend on one.
struct Reached {
    values: HashSet<Register>,
    /// Something else does, too.
    escapes: bool,
}

fn reached(function: &Function, value: Register, address: &[&Operand]) -> Reached {
    let mut values = HashSet::from_iter([value]);
    let mut escapes = false;
    let mut before = 0;
    while before != values.len() {
        before = values.len();
        for block in &function.blocks {
            for (own, incoming) in &block.phis {
                let depends = |(_, operand): &(_, Operand)| is_one_of(operand, &values);
                if incoming.iter().any(depends) {
                    values.insert(*own);
                }
            }
            for instruction in &block.instructions {
                let mut depends = false;
                instruction
                    .action
                    .for_each_operand(|operand| depends |= is_one_of(operand, &values));
                if !depends {
                    continue;
                }
                match &instruction.action {
                    // The word itself is changed: it is read as before.
                    Action::Store { address: to, .. } => escapes |= !address.contains(&to),
                    Action::Call { .. } | Action::AtomicUpdate { .. } | Action::CompareExchange { .. } => {
                        escapes = true;
                    }
                    _ => {}
                }
                values.extend(instruction.result);
            }
        }
    }
    Reached { values, escapes }
}

fn is_one_of(operand: &Operand, values: &HashSet<Register>) -> bool {
    matches!(operand, Operand::Register(register) if values.contains(register))
}

/// Whether no counter of a loop is in a value.
fn is_same_each_round(function: &Function, body: &[bool], operand: &Operand) -> bool {
    let inside = || {
        let blocks = function.blocks.iter().zip(body);
        blocks.filter(|(_, inside)| **inside).map(|(block, _)| block)
    };
    let (mut wanted, mut seen) = (vec![operand], HashSet::default());
    while let Some(operand) = wanted.pop() {
        let Operand::Register(register) = operand else {
            continue;
        };
        if !seen.insert(*register) {
            continue;
        }
        if inside().any(|block| block.phis.iter().any(|(own, _)| own == register)) {
            return false;
        }
        if let Some(made) = definition(*register, &inside) {
            made.for_each_operand(|operand| wanted.push(operand));
        }
    }
    true
}

fn instructions(function: &Function) -> impl Iterator<Item = (usize, &Instruction)> {
    let blocks = function.blocks.iter().enumerate();
    blocks.flat_map(|(number, block)| block.instructions.iter().map(move |one| (number, one)))
}
