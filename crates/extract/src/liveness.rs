//! Which registers of a function some way on still reads, and where its loops begin. What nobody reads is forgotten, so
//! that states that differ in nothing that matters are one.

use farside_lint::ir::{Block, End, Function, Operand};
use std::collections::BTreeSet;

/// The liveness of a function's registers, and its loops.
pub(crate) struct Liveness {
    /// For each block, what is read after its beginning; what its phis give does not count.
    at_start: Vec<BTreeSet<u32>>,
    /// Edges that lead back, by depth-first search from the entry.
    back: BTreeSet<(u32, u32)>,
}

impl Liveness {
    /// That of a function.
    pub(crate) fn of(function: &Function) -> Self {
        let mut liveness = Self {
            at_start: vec![BTreeSet::new(); function.blocks.len()],
            back: back_edges(function),
        };
        loop {
            let mut changed = false;
            for index in (0..function.blocks.len()).rev() {
                let live = liveness.before(function, index as u32, 0);
                changed |= live.len() != liveness.at_start[index].len();
                liveness.at_start[index] = live;
            }
            if !changed {
                return liveness;
            }
        }
    }

    /// Whether a way from one block to the other leads back to the beginning of a loop.
    pub(crate) fn is_back(&self, from: u32, to: u32) -> bool {
        self.back.contains(&(from, to))
    }

    /// Whether a loop begins with a block.
    pub(crate) fn is_header(&self, block: u32) -> bool {
        self.back.iter().any(|(_, to)| *to == block)
    }

    /// What is read from an instruction of a block on.
    pub(crate) fn before(&self, function: &Function, block: u32, at: usize) -> BTreeSet<u32> {
        let this = &function.blocks[block as usize];
        let mut live = BTreeSet::new();
        for next in successors(this) {
            let next_block = &function.blocks[next as usize];
            live.extend(&self.at_start[next as usize]);
            for (register, _) in &next_block.phis {
                live.remove(register);
            }
        }
        // After all of them: a register may be given by one phi and read by another.
        for next in successors(this) {
            for (_, values) in &function.blocks[next as usize].phis {
                for (from, value) in values {
                    if *from == block {
                        read(value, &mut live);
                    }
                }
            }
        }
        match &this.end {
            End::Branch { condition: value, .. } | End::Switch { value, .. } | End::Return(Some(value)) => {
                read(value, &mut live);
            }
            _ => {}
        }
        for instruction in this.instructions.iter().skip(at).rev() {
            if let Some(result) = instruction.result {
                live.remove(&result);
            }
            instruction
                .action
                .for_each_operand(|operand| read(operand, &mut live));
        }
        live
    }
}

fn read(operand: &Operand, live: &mut BTreeSet<u32>) {
    match operand {
        Operand::Register(register) => {
            live.insert(*register);
        }
        Operand::Aggregate(fields) => fields.iter().for_each(|field| read(field, live)),
        _ => {}
    }
}

fn successors(block: &Block) -> Vec<u32> {
    match &block.end {
        End::Goto(next) => vec![*next],
        End::Branch { yes, no, .. } => vec![*yes, *no],
        End::Switch { cases, default, .. } => {
            let mut all: Vec<u32> = cases.iter().map(|(_, next)| *next).collect();
            all.push(*default);
            all
        }
        End::Invoke { normal, unwind } => vec![*normal, *unwind],
        End::Return(_) | End::Resume | End::Unreachable | End::Unknown => Vec::new(),
    }
}

/// The edges to a block that the search has entered and not left.
fn back_edges(function: &Function) -> BTreeSet<(u32, u32)> {
    let mut back = BTreeSet::new();
    let mut entered = vec![false; function.blocks.len()];
    let mut inside = vec![false; function.blocks.len()];
    let mut stack: Vec<(u32, Vec<u32>)> = Vec::new();
    if let Some(first) = function.blocks.first() {
        (entered[0], inside[0]) = (true, true);
        stack.push((0, successors(first)));
    }
    while let Some((block, rest)) = stack.last_mut() {
        let block = *block;
        let Some(next) = rest.pop() else {
            inside[block as usize] = false;
            stack.pop();
            continue;
        };
        if inside[next as usize] {
            back.insert((block, next));
        } else if !std::mem::replace(&mut entered[next as usize], true) {
            inside[next as usize] = true;
            stack.push((next, successors(&function.blocks[next as usize])));
        }
    }
    back
}
