//! Ways out: blocks after which a program can only fail, whatever else happens.
//!
//! A program that rejects its input prints why, may give things back, and leaves with a status that is not zero. What it does wrong
//! on this way happens only to those who start it wrongly: such findings are possible ones. A block belongs to a way
//! out if each way on from it ends in `abort`, `MPI_Abort`, `exit` with a constant other than zero, a function that does not return, or
//! `main` returning a constant other than zero.
//!
//! Limits: a status that a function hands through to `main` in a variable in memory is not followed. Loops that never end are no ways out.

use crate::ir::{Action, Block, End, Function, Module, Operand};
use crate::loops::successors;
use rustc_hash::FxHashMap as HashMap;

/// Functions that end a process or a thread, or go somewhere else, without saying that the program failed.
const LEAVING: [&str; 12] = [
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "_FortranAStopStatement",
    "_FortranAStopStatementText",
    "pthread_exit",
    "thrd_exit",
    "__cxa_throw",
    "__cxa_rethrow",
    "longjmp",
    "siglongjmp",
];

/// The blocks of all functions that belong to a way out.
pub(crate) fn doomed(module: &Module) -> Vec<Vec<bool>> {
    let functions = &module.functions;
    let mut doomed: Vec<Vec<bool>> = functions.iter().map(|f| vec![false; f.blocks.len()]).collect();
    for (function, marks) in functions.iter().zip(&mut doomed) {
        for (block, mark) in function.blocks.iter().zip(marks.iter_mut()) {
            *mark = ends_in_failure(module, block);
        }
        if function.name == "main" {
            for (block, mark) in marks.iter_mut().enumerate() {
                *mark |= returns_failure(function, block);
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (index, function) in functions.iter().enumerate() {
            for (number, block) in function.blocks.iter().enumerate().rev() {
                if doomed[index][number] {
                    continue;
                }
                let next = successors(&block.end);
                let led = |to: &usize| doomed[index].get(*to) == Some(&true);
                let calls_doomed =
                    called(block).any(|(callee, _)| doomed[callee as usize].first() == Some(&true));
                if calls_doomed || !next.is_empty() && next.iter().all(led) {
                    doomed[index][number] = true;
                    changed = true;
                }
            }
        }
    }
    doomed
}

fn called(block: &Block) -> impl Iterator<Item = (u32, &[Operand])> {
    block
        .instructions
        .iter()
        .filter_map(|instruction| match &instruction.action {
            Action::Call {
                callee: Operand::Function(callee),
                arguments,
                ..
            } => Some((*callee, arguments.as_slice())),
            _ => None,
        })
}

/// Whether a call in the block ends the program with a failure, or a call at its end does not return.
fn ends_in_failure(module: &Module, block: &Block) -> bool {
    let name = |callee: u32| module.functions[callee as usize].name.as_str();
    if called(block).any(|(callee, arguments)| fails(name(callee), arguments)) {
        return true;
    }
    let leaves = called(block).any(|(callee, _)| {
        let name = name(callee);
        // What libstdc++ throws may be caught, as what the program throws.
        LEAVING.contains(&name) || name.starts_with("_ZSt") && name.contains("__throw_")
    });
    block.end == End::Unreachable && called(block).next().is_some() && !leaves
}

/// Whether a call says that the program failed.
fn fails(name: &str, arguments: &[Operand]) -> bool {
    let number = |index: usize| match arguments.get(index) {
        Some(Operand::Integer(value)) => *value,
        _ => 0,
    };
    match name {
        "abort" | "__assert_fail" | "_ZSt9terminatev" | "MPI_Abort" | "PMPI_Abort" | "mpi_abort_"
        | "pmpi_abort_" => true,
        "exit" | "_exit" | "_Exit" | "quick_exit" | "shmem_global_exit" => number(0) != 0,
        "_FortranAStopStatement" => number(0) != 0 || number(1) & 1 == 1,
        "_FortranAStopStatementText" => number(2) & 1 == 1,
        _ => false,
    }
}

/// Whether all ways from the end of a block lead to `return` with a constant other than zero.
fn returns_failure(function: &Function, from: usize) -> bool {
    let mut values: HashMap<u32, u64> = HashMap::default();
    let mut came: HashMap<usize, HashMap<u32, u64>> = HashMap::default();
    let mut waiting = vec![(from, None)];
    while let Some((block, before)) = waiting.pop() {
        let Some(code) = function.blocks.get(block) else {
            return false;
        };
        if let Some(before) = before {
            let mut known = HashMap::default();
            for (register, incoming) in &code.phis {
                let value = incoming.iter().find(|(block, _)| *block as usize == before);
                if let Some(value) = value.and_then(|(_, value)| constant(value, &values)) {
                    known.insert(*register, value);
                }
            }
            match came.get(&block) {
                Some(earlier) if *earlier == known => continue,
                // By two ways with two values: what is returned then is not said here.
                Some(_) => return false,
                None => {}
            }
            values.extend(&known);
            came.insert(block, known);
        }
        match &code.end {
            End::Return(Some(value)) if constant(value, &values).is_some_and(|value| value as u32 != 0) => {}
            End::Return(_) | End::Resume | End::Unreachable | End::Unknown => return false,
            end => waiting.extend(successors(end).into_iter().map(|next| (next, Some(block)))),
        }
    }
    true
}

fn constant(operand: &Operand, values: &HashMap<u32, u64>) -> Option<u64> {
    match operand {
        Operand::Integer(value) => Some(*value),
        Operand::Register(register) => values.get(register).copied(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Block;
    use crate::ir::Instruction;

    fn block(end: End, phis: Vec<(u32, Vec<(u32, Operand)>)>, callee: Option<u32>) -> Block {
        let call = |callee| Instruction {
            place: 0,
            result: None,
            action: Action::Call {
                callee: Operand::Function(callee),
                arguments: vec![Operand::Integer(0)],
            },
        };
        Block {
            phis,
            instructions: callee.map(call).into_iter().collect(),
            end,
            end_place: 0,
        }
    }

    fn branch(yes: u32, no: u32) -> End {
        End::Branch {
            condition: Operand::Undefined,
            yes,
            no,
        }
    }

    fn marks(blocks: Vec<Block>) -> Vec<bool> {
        let function = |name: &str, blocks| Function {
            name: name.into(),
            blocks,
            ..Function::default()
        };
        let functions = vec![
            function("main", blocks),
            function("exit", Vec::new()),
            function("die", Vec::new()),
        ];
        let module = Module {
            functions,
            ..Module::default()
        };
        doomed(&module).swap_remove(0)
    }

    #[test]
    fn a_status_that_is_not_zero_dooms_the_blocks_that_give_it() {
        // 1 fails and 2 works; both clean up in 3, and return in 4.
        let status = vec![(1, vec![(1, Operand::Integer(1)), (2, Operand::Integer(0))])];
        let blocks = vec![
            block(branch(1, 2), Vec::new(), None),
            block(End::Goto(3), Vec::new(), None),
            block(End::Goto(3), Vec::new(), None),
            block(End::Goto(4), status, None),
            block(End::Return(Some(Operand::Register(1))), Vec::new(), None),
        ];
        assert_eq!(marks(blocks), [false, true, false, false, false]);
    }

    #[test]
    fn calls_that_do_not_return_doom_and_exit_with_zero_does_not() {
        for (callee, doomed) in [(1, false), (2, true)] {
            let blocks = vec![
                block(branch(1, 2), Vec::new(), None),
                block(End::Unreachable, Vec::new(), Some(callee)),
                block(End::Return(Some(Operand::Integer(0))), Vec::new(), None),
            ];
            assert_eq!(marks(blocks), [false, doomed, false], "{callee}");
        }
    }
}
