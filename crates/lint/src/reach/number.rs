//! Whether a program computes with the number of its processes, or only looks whether it suits.
//!
//! A program that loops up to that number, or finds its partners with it, is written for any of them. One that only
//! compares it with a constant may be written for that one. Promise: "only looks" is said of a number that the calling
//! function keeps in a variable of its own, and compares with constants or prints. Whatever else is done with it counts
//! as computing.

use crate::external::{External, without_p};
use crate::ir::{Action, End, Function, Module, Operand, Register};
use farside_calls::mpi::Procedure;
use rustc_hash::FxHashSet as HashSet;

/// Functions whose result it is.
const GIVING_IT_BACK: [&str; 3] = ["shmem_n_pes", "_num_pes", "num_pes"];

/// Whether any function computes with it.
pub(crate) fn computes_with_number(module: &Module, externals: &[External]) -> bool {
    let only_looks = |callee: u32| {
        let function = module.functions.get(callee as usize);
        let asks = function.is_some_and(|function| function.name == "gaspi_proc_num");
        let external = externals.get(callee as usize);
        let is_outside = function.is_none_or(|function| function.blocks.is_empty());
        asks || is_asked(external) || is_outside && matches!(external, None | Some(External::Other))
    };
    module.functions.iter().any(|function| {
        Asked::of(function, module, externals)
            .is_some_and(|asked| asked.finds_computing(function, &only_looks))
    })
}

/// Where a function keeps the number.
struct Asked {
    /// Variables that a call of MPI stores it to.
    variables: HashSet<Register>,
    /// Registers that hold it.
    values: HashSet<Register>,
    /// It is somewhere else, too.
    is_elsewhere: bool,
    /// All variables of the function's own.
    own: HashSet<Register>,
    /// Whether it was found somewhere new.
    has_new: bool,
}

impl Asked {
    /// `None` if the function does not ask.
    fn of(function: &Function, module: &Module, externals: &[External]) -> Option<Self> {
        let names = &module.functions;
        let mut asked = Self {
            variables: HashSet::default(),
            values: HashSet::default(),
            is_elsewhere: false,
            own: HashSet::default(),
            has_new: false,
        };
        let mut asks = false;
        let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
        asked.own = instructions()
            .filter(|instruction| matches!(instruction.action, Action::Allocate { .. }))
            .filter_map(|instruction| instruction.result)
            .collect();
        for instruction in instructions() {
            let Action::Call {
                callee: Operand::Function(callee),
                arguments,
            } = &instruction.action
            else {
                continue;
            };
            let external = externals.get(*callee as usize);
            let name = names
                .get(*callee as usize)
                .map_or("", |function| without_p(&function.name));
            if GIVING_IT_BACK.contains(&name) {
                asks = true;
                asked.values.extend(instruction.result);
                continue;
            }
            let argument = match name {
                "gaspi_proc_num" => 0,
                _ if is_asked(external) => 1,
                _ => continue,
            };
            asks = true;
            match arguments.get(argument) {
                Some(Operand::Register(variable)) if asked.own.contains(variable) => {
                    asked.variables.insert(*variable);
                }
                _ => asked.is_elsewhere = true,
            }
        }
        asks.then_some(asked)
    }

    fn finds_computing(mut self, function: &Function, only_looks: &dyn Fn(u32) -> bool) -> bool {
        loop {
            self.has_new = false;
            for block in &function.blocks {
                let merges = block.phis.iter().flat_map(|(_, from)| from);
                if self.is_elsewhere || merges.into_iter().any(|(_, value)| self.is_number(value)) {
                    return true;
                }
                for instruction in &block.instructions {
                    if self.computes(&instruction.action, instruction.result, only_looks) {
                        return true;
                    }
                }
                if let End::Return(Some(value)) = &block.end
                    && self.is_number(value)
                {
                    return true;
                }
            }
            if !self.has_new {
                return false;
            }
        }
    }

    /// Whether an instruction does more with it than look; notes where it goes.
    fn computes(
        &mut self,
        action: &Action,
        result: Option<Register>,
        only_looks: &dyn Fn(u32) -> bool,
    ) -> bool {
        let mut is_met = false;
        action.for_each_operand(|operand| is_met |= self.is_number(operand) || self.is_variable(operand));
        if !is_met {
            return false;
        }
        match action {
            Action::Load { .. } | Action::Convert { .. } => {
                self.has_new |= result.is_some_and(|result| self.values.insert(result));
                false
            }
            Action::Compare { left, right, .. } => {
                let is_constant = |operand: &Operand| matches!(operand, Operand::Integer(_));
                !is_constant(left) && !is_constant(right)
            }
            // Printed, or asked for once more.
            Action::Call {
                callee: Operand::Function(callee),
                ..
            } => !only_looks(*callee),
            // A variable is begun with a value of its own, or another one has the number, too.
            Action::Store {
                address: Operand::Register(address),
                value,
                ..
            } if self.own.contains(address) => {
                if self.is_number(value) {
                    self.has_new |= self.variables.insert(*address);
                }
                self.is_variable(value)
            }
            _ => true,
        }
    }

    fn is_number(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Register(register) if self.values.contains(register))
    }

    fn is_variable(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Register(register) if self.variables.contains(register))
    }
}

/// Whether a call asks MPI for the number of processes of a communicator.
fn is_asked(external: Option<&External>) -> bool {
    match external {
        Some(External::Mpi(Some((procedure, _)))) => *procedure == Procedure::Comm_size,
        Some(External::Fortran(Some(of_fortran))) => of_fortran.procedure() == Procedure::Comm_size,
        _ => false,
    }
}
