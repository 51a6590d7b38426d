//! Whether a program, as it is started, comes to any of its one-sided operations. One that only says how it is to be
//! used is robust, and that says nothing of it.

use crate::declare::MESSAGES;
use crate::graph::{Graph, Step};
use farside_calls::meaning::Meaning;
use farside_calls::mpi::Procedure;
use farside_lint::ir::{Action, Module, Operand};
use farside_pgas::ast::{Statement, StatementKind, Target};

/// The program takes arguments and calls one-sided operations, and no rank comes to one.
pub(crate) fn is_idle(module: &Module, graphs: &[Graph]) -> bool {
    calls_operations(module) && !graphs.iter().any(operates)
}

/// Whether `main` takes arguments, and calls operations, or what it calls does.
fn calls_operations(module: &Module) -> bool {
    let main = module
        .functions
        .iter()
        .position(|function| function.name == "main" && function.parameters > 0);
    let mut open: Vec<usize> = main.into_iter().collect();
    let mut seen = vec![false; module.functions.len()];
    while let Some(number) = open.pop() {
        if std::mem::replace(&mut seen[number], true) {
            continue;
        }
        let function = &module.functions[number];
        if function.blocks.is_empty() && is_operation(&function.name) {
            return true;
        }
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        open.extend(instructions.filter_map(|instruction| match &instruction.action {
            Action::Call {
                callee: Operand::Function(callee),
                ..
            } => Some(*callee as usize),
            _ => None,
        }));
    }
    false
}

fn operates(graph: &Graph) -> bool {
    let mut nodes = graph.reachable().into_iter();
    nodes.any(|node| {
        graph.steps(node).iter().any(|step| match step {
            Step::Statement(kind, _) => is_communication(kind),
            // What comes there is not known.
            Step::Lost(_) | Step::Beyond(_) => true,
            _ => false,
        })
    })
}

fn is_communication(kind: &StatementKind) -> bool {
    let within = |body: &[Statement]| body.iter().any(|statement| is_communication(&statement.kind));
    match kind {
        StatementKind::Transfer { .. } => true,
        StatementKind::Atomic { queue, .. } => !matches!(queue, Target::Name(name) if name.text == MESSAGES),
        StatementKind::Call { call, .. } => is_operation(&call.name.text),
        StatementKind::Loop(body) | StatementKind::While { body, .. } => within(body),
        _ => false,
    }
}

/// Whether a function of a library moves data, or changes it, at another process.
fn is_operation(name: &str) -> bool {
    if let Some((procedure, _)) = Procedure::of_name(name) {
        return matches!(procedure.meaning(), Some(Meaning::Operation(_)));
    }
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if name.starts_with("gaspi_") {
        return has(&["write", "read", "notify", "atomic"]) && !has(&["waitsome", "reset"]);
    }
    name.starts_with("shmem_")
        && (has(&["put", "get", "atomic", "swap", "fadd", "finc", "fetch"])
            || name.ends_with("_p")
            || name.ends_with("_g"))
}

#[cfg(test)]
mod tests {
    use super::is_operation;

    #[test]
    fn operations_are_known_by_their_names() {
        for name in [
            "MPI_Put",
            "MPI_Rget",
            "shmem_int_p",
            "shmem_putmem_nbi",
            "gaspi_write_notify",
        ] {
            assert!(is_operation(name), "{name}");
        }
        for name in [
            "MPI_Barrier",
            "MPI_Win_fence",
            "shmem_quiet",
            "gaspi_notify_reset",
            "printf",
        ] {
            assert!(!is_operation(name), "{name}");
        }
    }
}
