//! Which way out of a loop a conditional branch is.
//!
//! Natural loops by dominators (Aho et al., *Compilers*, 2nd edition, §9.6). The graphs are small, so that the
//! dominators are found by iteration.

mod polling;
mod repetition;
mod waiting;

pub(crate) use polling::polls;
pub(crate) use repetition::{History, Repetition};

use crate::ir::{Block, End, Function, Module, PlaceId};
use std::collections::BTreeMap;

/// A branch of which exactly one way stays in the innermost loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit {
    /// Whether `yes` leaves.
    pub(crate) leaves: bool,
    /// Whether the loop waits for somebody else.
    pub(crate) waits: bool,
}

/// The ways out of the loops of all functions, by block.
pub(crate) fn all_exits(module: &Module) -> Vec<Vec<Option<Exit>>> {
    let asks = waiting::asking(module);
    module
        .functions
        .iter()
        .map(|function| exits(function, &asks))
        .collect()
}

/// The ways out of loops, by block; `asks` says of each function whether it asks for what others bring.
fn exits(function: &Function, asks: &[bool]) -> Vec<Option<Exit>> {
    let count = function.blocks.len();
    if count == 0 {
        return Vec::new();
    }
    let bodies = bodies(function);
    // The innermost loop of a block is the smallest that holds it.
    let mut innermost: Vec<Option<&Vec<bool>>> = vec![None; count];
    let mut sizes = vec![usize::MAX; count];
    for body in bodies.values() {
        let size = body.iter().filter(|inside| **inside).count();
        for block in (0..count).filter(|block| body[*block]) {
            if size < sizes[block] {
                sizes[block] = size;
                innermost[block] = Some(body);
            }
        }
    }
    (0..count)
        .map(|block| match (&function.blocks[block].end, &innermost[block]) {
            (End::Branch { yes, no, .. }, Some(body)) => {
                let (yes, no) = (body[*yes as usize], body[*no as usize]);
                (yes != no).then(|| Exit {
                    leaves: no,
                    waits: waiting::waits(function, block, body, asks),
                })
            }
            _ => None,
        })
        .collect()
}

/// The natural loops of a function that has blocks, by their headers: which blocks they hold.
pub(crate) fn bodies(function: &Function) -> BTreeMap<usize, Vec<bool>> {
    let count = function.blocks.len();
    let Flow {
        successors,
        predecessors,
        position,
        dominator,
    } = Flow::of(function);
    // Several ways back to one header (`continue`) are one loop.
    let mut bodies: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for (from, next) in successors.iter().enumerate() {
        for &header in next {
            if position[from] == usize::MAX || !dominates(header, from, &dominator) {
                continue;
            }
            let inside = body(header, from, &predecessors);
            let known = bodies.entry(header).or_insert_with(|| vec![false; count]);
            known
                .iter_mut()
                .zip(inside)
                .for_each(|(known, inside)| *known |= inside);
        }
    }
    bodies
}

/// Whether code of a place may be executed several times in one call of its function; also if that is not known.
pub(crate) fn may_repeat(module: &Module, place: PlaceId) -> bool {
    let function = module
        .places
        .get(place as usize)
        .map(|place| place.function as usize);
    let Some(function) = function.and_then(|function| module.functions.get(function)) else {
        return true;
    };
    let has_place = |block: &Block| {
        let mut places = block.instructions.iter().map(|instruction| instruction.place);
        places.any(|other| other == place) || block.end_place == place
    };
    let blocks = &function.blocks;
    let own: Vec<usize> = (0..blocks.len())
        .filter(|block| has_place(&blocks[*block]))
        .collect();
    let mut next: Vec<usize> = own
        .iter()
        .flat_map(|block| successors(&blocks[*block].end))
        .collect();
    let mut reached = vec![false; blocks.len()];
    while let Some(block) = next.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            next.extend(successors(&blocks[block].end));
        }
    }
    own.is_empty() || own.iter().any(|block| reached[*block])
}

/// The blocks that control may go to from the end of one.
pub(crate) fn successors(end: &End) -> Vec<usize> {
    match end {
        End::Goto(to) => vec![*to as usize],
        End::Branch { yes, no, .. } => vec![*yes as usize, *no as usize],
        End::Switch { cases, default, .. } => cases
            .iter()
            .map(|(_, to)| *to as usize)
            .chain([*default as usize])
            .collect(),
        End::Invoke { normal, unwind } => vec![*normal as usize, *unwind as usize],
        End::Return(_) | End::Resume | End::Unreachable | End::Unknown => Vec::new(),
    }
}

/// How control goes within a function that has blocks.
struct Flow {
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
    /// By block: its place in the post-order; `usize::MAX` if nothing leads there.
    position: Vec<usize>,
    /// By block: the block that dominates it immediately; itself for the first, `usize::MAX` if nothing leads there.
    dominator: Vec<usize>,
}

impl Flow {
    fn of(function: &Function) -> Self {
        let ends = function.blocks.iter().map(|block| successors(&block.end));
        let successors: Vec<Vec<usize>> = ends.collect();
        let order = post_order(&successors);
        let mut position = vec![usize::MAX; successors.len()];
        for (index, block) in order.iter().enumerate() {
            position[*block] = index;
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (block, next) in successors.iter().enumerate() {
            for &to in next {
                predecessors[to].push(block);
            }
        }
        let dominator = dominators(&order, &position, &predecessors);
        Self {
            successors,
            predecessors,
            position,
            dominator,
        }
    }
}

/// By block of a function that has some: the block that dominates it immediately; itself for the first, `usize::MAX` if nothing
/// leads there.
pub(crate) fn immediate_dominators(function: &Function) -> Vec<usize> {
    Flow::of(function).dominator
}

fn post_order(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; successors.len()];
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}

fn dominators(order: &[usize], position: &[usize], predecessors: &[Vec<usize>]) -> Vec<usize> {
    let mut dominator = vec![usize::MAX; predecessors.len()];
    dominator[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|block| **block != 0) {
            let known = predecessors[block]
                .iter()
                .copied()
                .filter(|from| dominator[*from] != usize::MAX);
            let found = known.reduce(|mut a, mut b| {
                while a != b {
                    while position[a] < position[b] {
                        a = dominator[a];
                    }
                    while position[b] < position[a] {
                        b = dominator[b];
                    }
                }
                a
            });
            if let Some(found) = found
                && dominator[block] != found
            {
                dominator[block] = found;
                changed = true;
            }
        }
    }
    dominator
}

fn dominates(header: usize, mut block: usize, dominator: &[usize]) -> bool {
    while block != header && block != 0 && dominator[block] != usize::MAX {
        block = dominator[block];
    }
    block == header
}

fn body(header: usize, latch: usize, predecessors: &[Vec<usize>]) -> Vec<bool> {
    let mut inside = vec![false; predecessors.len()];
    inside[header] = true;
    let mut stack = vec![latch];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut inside[block], true) {
            stack.extend(&predecessors[block]);
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Block, Operand};

    fn function(ends: Vec<End>) -> Function {
        let block = |end| Block {
            phis: Vec::new(),
            instructions: Vec::new(),
            end,
            end_place: 0,
        };
        Function {
            blocks: ends.into_iter().map(block).collect(),
            ..Function::default()
        }
    }

    fn branch(yes: u32, no: u32) -> End {
        End::Branch {
            condition: Operand::Undefined,
            yes,
            no,
        }
    }

    #[test]
    fn the_way_out_of_each_of_two_nested_loops() {
        // 1 is the outer header, 2 the inner one, 3 a condition within the inner loop, 6 the end.
        let nested = function(vec![
            End::Goto(1),
            branch(2, 6),
            branch(3, 5),
            branch(4, 2),
            End::Goto(2),
            End::Goto(1),
            End::Return(None),
        ]);
        let leaves = exits(&nested, &[]).into_iter().map(|exit| Some(exit?.leaves));
        assert_eq!(
            leaves.collect::<Vec<_>>(),
            [None, Some(false), Some(false), None, None, None, None]
        );
    }

    #[test]
    fn a_condition_outside_of_loops_leads_out_of_none() {
        let plain = function(vec![branch(1, 2), End::Goto(2), End::Return(None)]);
        assert_eq!(exits(&plain, &[]), [None, None, None]);
        assert!(exits(&Function::default(), &[]).is_empty());
    }
}
