//! Whether a loop waits: for a message, a flag, a lock that somebody else brings.
//!
//! Such a loop cannot be left early, as if what it waits for had come: what follows would be no execution. It is told from
//! one that counts by what its condition reads: a variable that the loop itself changes by arithmetic is a counter.

use crate::external::asks;
use crate::ir::{Action, Block, Function, Instruction, Module, Operand};

/// Functions that ask for something that others bring, and those that give them time.
const ASKING: [&str; 17] = [
    "MPI_Test",
    "MPI_Iprobe",
    "MPI_Improbe",
    "MPI_Win_test",
    "MPI_Win_sync",
    "MPI_Win_flush",
    "MPI_Get",
    "MPI_Rget",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "sched_yield",
    "usleep",
    "nanosleep",
    "pthread_yield",
    "pthread_mutex_trylock",
    "thrd_yield",
    "omp_test_lock",
];

/// For each function, whether it or one that it calls asks for something that others bring.
pub(super) fn asking(module: &Module) -> Vec<bool> {
    let mut asks: Vec<bool> = module.functions.iter().map(asks_itself).collect();
    let calls: Vec<Vec<usize>> = module.functions.iter().map(called).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (function, called) in calls.iter().enumerate() {
            if !asks[function] && called.iter().any(|called| asks[*called]) {
                asks[function] = true;
                changed = true;
            }
        }
    }
    asks
}

/// Whether a loop of these blocks waits, seen from the branch of the block `exit` that may leave it.
pub(super) fn waits(function: &Function, exit: usize, body: &[bool], asks: &[bool]) -> bool {
    let blocks = || {
        let inside = function.blocks.iter().zip(body);
        inside.filter(|(_, inside)| **inside).map(|(block, _)| block)
    };
    if counts(&function.blocks[exit], blocks) {
        return false;
    }
    let instructions = || blocks().flat_map(|block| &block.instructions);
    let asking = |instruction: &Instruction| match &instruction.action {
        Action::Call {
            callee: Operand::Function(called),
            ..
        } => asks.get(*called as usize).copied().unwrap_or(false),
        Action::Load { atomic, .. } => atomic.is_some(),
        Action::AtomicUpdate { .. } | Action::CompareExchange { .. } => true,
        _ => false,
    };
    let changes =
        |instruction: &Instruction| matches!(instruction.action, Action::Store { .. } | Action::Call { .. });
    // Where nothing changes from round to round, somebody else has to change it.
    let idle = || !instructions().any(changes) && blocks().all(|block| block.phis.is_empty());
    instructions().any(asking) || idle()
}

fn asks_itself(function: &Function) -> bool {
    let name = &function.name;
    let is_listed = || {
        ASKING
            .iter()
            .any(|asking| name.trim_start_matches('P').starts_with(asking))
    };
    function.blocks.is_empty() && (is_listed() || asks(name))
}

fn called(function: &Function) -> Vec<usize> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let callee = |instruction: &Instruction| match &instruction.action {
        Action::Call {
            callee: Operand::Function(called),
            ..
        } => Some(*called as usize),
        _ => None,
    };
    instructions.filter_map(callee).collect()
}

/// Whether the condition of a block's branch reads a variable that the loop changes by arithmetic.
fn counts<'f, B: Iterator<Item = &'f Block>>(exit: &'f Block, blocks: impl Fn() -> B) -> bool {
    let crate::ir::End::Branch { condition, .. } = &exit.end else {
        return false;
    };
    let (mut wanted, mut seen) = (vec![condition], Vec::new());
    while let Some(operand) = wanted.pop() {
        let Operand::Register(register) = operand else {
            continue;
        };
        if seen.contains(register) {
            continue;
        }
        seen.push(*register);
        let phi = blocks()
            .flat_map(|block| &block.phis)
            .find(|(own, _)| own == register);
        if let Some((_, values)) = phi {
            if values.iter().any(|(_, value)| is_arithmetic(value, &blocks)) {
                return true;
            }
            continue;
        }
        match definition(*register, &blocks) {
            Some(Action::Compare { left, right, .. } | Action::Arithmetic { left, right, .. }) => {
                wanted.extend([left, right]);
            }
            Some(Action::Convert { value, .. }) => wanted.push(value),
            Some(Action::Load { address, .. }) => {
                let stored = |instruction: &Instruction| match &instruction.action {
                    Action::Store {
                        address: to, value, ..
                    } => to == address && is_arithmetic(value, &blocks),
                    _ => false,
                };
                if blocks().flat_map(|block| &block.instructions).any(stored) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn is_arithmetic<'f, B: Iterator<Item = &'f Block>>(value: &Operand, blocks: &impl Fn() -> B) -> bool {
    let Operand::Register(register) = value else {
        return false;
    };
    match definition(*register, blocks) {
        Some(Action::Arithmetic { .. } | Action::Offset { .. }) => true,
        Some(Action::Convert { value, .. }) => is_arithmetic(value, blocks),
        _ => false,
    }
}

/// What makes the value of a register in some blocks.
pub(super) fn definition<'f, B: Iterator<Item = &'f Block>>(
    register: u32,
    blocks: &impl Fn() -> B,
) -> Option<&'f Action> {
    let mut instructions = blocks().flat_map(|block| &block.instructions);
    let found = instructions.find(|instruction| instruction.result == Some(register));
    found.map(|instruction| &instruction.action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Arithmetic, End, Predicate, Type};

    /// Block 1 loads a variable and compares it; block 2 is the body; block 3 lies behind.
    fn looping(body: Vec<Action>) -> Function {
        let load = Action::Load {
            address: Operand::Register(0),
            ty: Type::Integer(32),
            atomic: None,
        };
        let compare = Action::Compare {
            predicate: Predicate::Eq,
            bits: 32,
            left: Operand::Register(1),
            right: Operand::Integer(0),
        };
        let block = |actions: Vec<Action>, end| Block {
            phis: Vec::new(),
            instructions: (1..)
                .zip(actions)
                .map(|(result, action)| Instruction {
                    place: 0,
                    result: Some(result),
                    action,
                })
                .collect(),
            end,
            end_place: 0,
        };
        let branch = End::Branch {
            condition: Operand::Register(2),
            yes: 2,
            no: 3,
        };
        let mut function = Function {
            blocks: vec![
                block(Vec::new(), End::Goto(1)),
                block(vec![load, compare], branch),
                block(body, End::Goto(1)),
                block(Vec::new(), End::Return(None)),
            ],
            ..Function::default()
        };
        for instruction in &mut function.blocks[2].instructions {
            instruction.result = instruction.result.map(|register| register + 10);
        }
        function
    }

    fn call() -> Action {
        Action::Call {
            callee: Operand::Function(1),
            arguments: Vec::new(),
        }
    }

    fn count() -> [Action; 2] {
        [
            Action::Arithmetic {
                operator: Arithmetic::Add,
                bits: 32,
                left: Operand::Register(1),
                right: Operand::Integer(1),
            },
            Action::Store {
                address: Operand::Register(0),
                value: Operand::Register(11),
                ty: Type::Integer(32),
                atomic: None,
            },
        ]
    }

    #[test]
    fn loops_that_ask_or_do_nothing_wait_and_those_that_count_do_not() {
        let body = [false, true, true, false];
        let waits = |actions: Vec<Action>, asks: bool| waits(&looping(actions), 1, &body, &[false, asks]);
        assert!(waits(Vec::new(), false), "while (flag == 0);");
        assert!(waits(vec![call()], true), "while (flag == 0) MPI_Win_sync(win);");
        assert!(!waits(vec![call()], false), "while (flag == 0) compute();");
        let counting: Vec<Action> = count().into_iter().chain([call()]).collect();
        assert!(!waits(counting, true), "for (i ...) MPI_Win_flush(win);");
    }
}
