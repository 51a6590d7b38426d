//! Calls through pointers, as far as they are known without running anything.
//!
//! A pointer is known by where it is kept: a global variable, or a field by its distance from the start of its structure, whatever
//! structure that is. Where functions that count are stored to such a place, calls through what is loaded from there
//! may call them (Steensgaard 1996, without unification; a call is one of the first that fits, by its number of arguments).

use super::{Point, calls};
use crate::ir::{Action, Function, Module, Operand, Register};
use rustc_hash::FxHashMap as HashMap;

/// Where a pointer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Global(u32),
    /// Bytes from the start of something.
    Field(i64),
}

/// Of each call through a pointer that may call a function that counts, such a function.
pub(super) fn targets(module: &Module, counts: &dyn Fn(u32) -> bool) -> HashMap<Point, u32> {
    let mut kept: HashMap<Place, Vec<u32>> = HashMap::default();
    for (index, global) in (0..).zip(&module.globals) {
        for (offset, _, value) in &global.initial {
            if let Operand::Function(function) = value
                && counts(*function)
            {
                kept.entry(Place::Global(index)).or_default().push(*function);
                kept.entry(Place::Field(*offset as i64))
                    .or_default()
                    .push(*function);
            }
        }
    }
    for function in &module.functions {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            if let Action::Store {
                address,
                value: Operand::Function(stored),
                ..
            } = &instruction.action
                && counts(*stored)
                && let Some(place) = place(function, address)
            {
                kept.entry(place).or_default().push(*stored);
            }
        }
    }
    if kept.is_empty() {
        return HashMap::default();
    }
    let through_pointers = calls(module).filter_map(|(at, callee)| {
        let function = &module.functions[at.function as usize];
        let code = &function.blocks[at.block as usize].instructions[at.index as usize];
        let Action::Call { arguments, .. } = &code.action else {
            return None;
        };
        let fits = |called: &&u32| module.functions[**called as usize].parameters as usize == arguments.len();
        let mut sources = Vec::new();
        follow(function, callee, &mut sources, 8);
        let mut found = sources.iter().flat_map(|source| match source {
            Source::Function(called) => std::slice::from_ref(called),
            Source::Place(place) => kept.get(place).map_or(&[][..], Vec::as_slice),
        });
        let called = found.find(|called| counts(**called) && fits(called));
        called.map(|called| (at, *called))
    });
    through_pointers.collect()
}

enum Source {
    Function(u32),
    Place(Place),
}

/// Where a value comes from.
fn follow(function: &Function, operand: &Operand, found: &mut Vec<Source>, depth: u32) {
    match operand {
        Operand::Function(called) => found.push(Source::Function(*called)),
        Operand::Register(register) if depth > 0 => {
            match definition(function, *register) {
                Some(Action::Load { address, .. }) => {
                    found.extend(place(function, address).map(Source::Place));
                }
                Some(Action::Select { yes, no, .. }) => {
                    follow(function, yes, found, depth - 1);
                    follow(function, no, found, depth - 1);
                }
                Some(Action::Convert { value, .. }) => follow(function, value, found, depth - 1),
                _ => {}
            }
            let phis = function.blocks.iter().flat_map(|block| &block.phis);
            for (_, values) in phis.filter(|(own, _)| own == register) {
                for (_, value) in values {
                    follow(function, value, found, depth - 1);
                }
            }
        }
        _ => {}
    }
}

/// The place that an address names.
fn place(function: &Function, address: &Operand) -> Option<Place> {
    match address {
        Operand::Global(global, _) => Some(Place::Global(*global)),
        Operand::Register(register) => match definition(function, *register)? {
            Action::Offset {
                base: Operand::Global(global, _),
                ..
            } => Some(Place::Global(*global)),
            Action::Offset { constant, .. } => Some(Place::Field(*constant)),
            _ => None,
        },
        _ => None,
    }
}

fn definition(function: &Function, register: Register) -> Option<&Action> {
    let mut instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let found = instructions.find(|instruction| instruction.result == Some(register));
    found.map(|instruction| &instruction.action)
}
