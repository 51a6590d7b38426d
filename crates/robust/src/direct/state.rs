//! A state of the machine: control, registers, memory, open operations.

use super::causes::Causes;
use super::operation::Operation;
use farside_pgas::calculus::Program;

/// A state of X(P, N) of the paper, with what matters of the happens-before relation of the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// st, a rank each.
    pub(super) control: Vec<usize>,
    /// m of registers: rank by rank.
    pub(super) registers: Vec<u32>,
    /// m of addresses: rank by rank.
    pub(super) memory: Vec<u32>,
    /// fa and fb: sorted by rank, those of a rank in order of issue.
    pub(super) open: Vec<Operation>,
    pub(super) causes: Causes,
}

impl State {
    pub(super) fn first(program: &Program) -> Self {
        let ranks = program.ranks as usize;
        let rows = |rows: &[Vec<u32>]| rows.iter().flatten().copied().collect();
        Self {
            control: vec![0; ranks],
            registers: rows(&program.first_registers),
            memory: rows(&program.first_cells),
            open: Vec::new(),
            causes: Causes::new(ranks, ranks * program.cells.len()),
        }
    }

    /// Open operations of a process.
    pub(super) fn open_of(&self, rank: usize) -> usize {
        self.open
            .iter()
            .filter(|operation| operation.rank == rank)
            .count()
    }

    /// Puts in an operation as the last of its process, and says where. Its `after` is of positions before that.
    pub(super) fn issue(&mut self, operation: Operation) -> usize {
        let position = self.open.partition_point(|known| known.rank <= operation.rank);
        for known in &mut self.open {
            known.after = known.after.making_room(position);
        }
        self.causes.make_room(position, operation.rank);
        self.open.insert(position, operation);
        position
    }

    /// Nobody waits any more for the effect of an operation at its target.
    pub(super) fn took_effect(&mut self, position: usize) {
        for operation in &mut self.open {
            operation.after = operation.after.without(position);
        }
    }

    /// Takes out an operation that is complete.
    pub(super) fn complete(&mut self, position: usize) {
        self.open.remove(position);
        for operation in &mut self.open {
            operation.after = operation.after.closing_gap(position);
        }
        self.causes.close_gap(position);
    }
}
