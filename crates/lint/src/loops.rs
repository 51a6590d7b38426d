//! Which way out of a loop a conditional branch is.
//!
//! Natural loops by dominators (Aho et al., *Compilers*, 2nd edition, §9.6). The graphs are small, so that the
//! dominators are found by iteration.

use crate::ir::{End, Function};

/// For each block that ends in a branch of which exactly one way stays in the innermost loop: whether `yes` leaves.
pub(crate) fn exits(function: &Function) -> Vec<Option<bool>> {
    let count = function.blocks.len();
    if count == 0 {
        return Vec::new();
    }
    let successors: Vec<Vec<usize>> = function.blocks.iter().map(|block| successors(&block.end)).collect();
    let order = post_order(&successors);
    let mut position = vec![usize::MAX; count];
    for (index, block) in order.iter().enumerate() {
        position[*block] = index;
    }
    let mut predecessors = vec![Vec::new(); count];
    for (block, next) in successors.iter().enumerate() {
        for &to in next {
            predecessors[to].push(block);
        }
    }
    let dominator = dominators(&order, &position, &predecessors);
    // The innermost loop of a block is the smallest that holds it.
    let mut innermost: Vec<Option<Vec<bool>>> = vec![None; count];
    let mut sizes = vec![usize::MAX; count];
    for (from, next) in successors.iter().enumerate() {
        for &header in next {
            if position[from] == usize::MAX || !dominates(header, from, &dominator) {
                continue;
            }
            let body = body(header, from, &predecessors);
            let size = body.iter().filter(|inside| **inside).count();
            for block in 0..count {
                if body[block] && size < sizes[block] {
                    sizes[block] = size;
                    innermost[block] = Some(body.clone());
                }
            }
        }
    }
    (0..count)
        .map(|block| match (&function.blocks[block].end, &innermost[block]) {
            (End::Branch { yes, no, .. }, Some(body)) => match (body[*yes as usize], body[*no as usize]) {
                (false, true) => Some(true),
                (true, false) => Some(false),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

fn successors(end: &End) -> Vec<usize> {
    match end {
        End::Goto(to) => vec![*to as usize],
        End::Branch { yes, no, .. } => vec![*yes as usize, *no as usize],
        End::Switch { cases, default, .. } => {
            cases.iter().map(|(_, to)| *to as usize).chain([*default as usize]).collect()
        }
        End::Return(_) | End::Unreachable => Vec::new(),
    }
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
            let known = predecessors[block].iter().copied().filter(|from| dominator[*from] != usize::MAX);
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
