//! Where a program begins, and with what.

use crate::ir::{Action, Module, Operand};
use crate::symbolic::Answers;

/// What may stand in the place of each argument, the smallest first: programs have least sizes of their own.
pub(crate) const GIVEN: [u32; 4] = [4, 16, 64, 256];

/// The arguments of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    /// None, but the program may be tried with some.
    Nothing,
    /// The same small number in each place.
    Each(u32),
    /// Those that the user says.
    These(&'a [String]),
    /// Those of answers; they and all else that the program asks of the outside world are symbols.
    Answers(&'a Answers),
}

/// The functions by which a module without `main` can be entered: those that no other function calls.
pub(crate) fn entries(module: &Module) -> Vec<u32> {
    let mut called = vec![false; module.functions.len()];
    for function in &module.functions {
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            if let Action::Call {
                callee: Operand::Function(callee),
                ..
            } = &instruction.action
            {
                called[*callee as usize] = true;
            }
        }
    }
    let open = |index: &u32| {
        let function = &module.functions[*index as usize];
        !called[*index as usize] && !function.internal && !function.blocks.is_empty()
    };
    (0..module.functions.len() as u32).filter(open).collect()
}

/// The functions that a program with a `main` begins with: these, and those that run before.
pub(crate) fn program(module: &Module) -> Vec<u32> {
    let named = (0..).zip(&module.functions);
    let mains = named.filter(|(_, function)| ["main", "_QQmain"].contains(&function.name.as_str()));
    let before = module
        .globals
        .iter()
        .filter(|global| global.name == "llvm.global_ctors");
    let initial = before.flat_map(|global| &global.initial);
    let constructors = initial.filter_map(|(_, _, value)| match value {
        Operand::Function(function) => Some(*function),
        _ => None,
    });
    mains.map(|(index, _)| index).chain(constructors).collect()
}
