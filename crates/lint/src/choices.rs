//! Branches that only choose between values: both ways compute, and meet again in one block.
//!
//! Promise: whichever way such a branch takes, a process does the same but for the values of the phis of that block. So
//! nothing else depends on its condition.

use crate::ir::{Action, Block, BlockId, End, Function, Operand};

/// A branch that only chooses between values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Where both ways meet.
    join: BlockId,
    /// The blocks that lead there: if the condition holds, and if not.
    from: [BlockId; 2],
}

impl Choice {
    pub(crate) fn join(self) -> BlockId {
        self.join
    }

    pub(crate) fn from(self) -> [BlockId; 2] {
        self.from
    }

    /// What both ways bring to a phi of the block where they meet, if that is the same.
    pub(crate) fn same(self, incoming: &[(BlockId, Operand)]) -> Option<&Operand> {
        let [yes, no] = self.from.map(|from| {
            let named = incoming.iter().find(|(block, _)| *block == from);
            named.map(|(_, operand)| operand)
        });
        yes.filter(|_| yes == no)
    }
}

/// The branches of a function that only choose between values, by block.
pub(crate) fn choices(function: &Function) -> Vec<Option<Choice>> {
    let blocks = &function.blocks;
    let mut entrances = vec![0; blocks.len()];
    for next in blocks
        .iter()
        .flat_map(|block| crate::loops::successors(&block.end))
    {
        entrances[next] += 1;
    }
    // Where control goes on from a block that only computes, and that only the branch leads to.
    let passed = |block: BlockId| match &blocks[block as usize] {
        Block {
            phis,
            end: End::Goto(to),
            instructions,
            ..
        } if phis.is_empty()
            && entrances[block as usize] == 1
            && instructions
                .iter()
                .all(|instruction| computes(&instruction.action)) =>
        {
            Some(*to)
        }
        _ => None,
    };
    let choice = |(at, block): (usize, &Block)| {
        let End::Branch { yes, no, .. } = block.end else {
            return None;
        };
        let at = at as BlockId;
        let choice = |join, from| Some(Choice { join, from }).filter(|_| yes != no && join != at);
        match (passed(yes), passed(no)) {
            (Some(join), Some(other)) if join == other => choice(join, [yes, no]),
            (Some(join), _) if join == no => choice(join, [yes, at]),
            (_, Some(join)) if join == yes => choice(join, [at, no]),
            _ => None,
        }
    };
    blocks.iter().enumerate().map(choice).collect()
}

/// Whether an instruction has a result, and does nothing else.
fn computes(action: &Action) -> bool {
    matches!(
        action,
        Action::Offset { .. }
            | Action::Arithmetic { .. }
            | Action::FloatArithmetic { .. }
            | Action::Compare { .. }
            | Action::FloatCompare { .. }
            | Action::Convert { .. }
            | Action::Select { .. }
            | Action::Extract { .. }
            | Action::Insert { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Module;

    fn of(text: &str) -> Vec<Option<Choice>> {
        let module: Module = text.parse().unwrap();
        choices(&module.functions[0])
    }

    #[test]
    fn ways_that_only_compute_and_meet_are_a_choice() {
        let found = of("function f(i64) registers 4 {
            0:
              %1 = compare slt i64 %0, 0 !1
              branch %1, 1, 2 !1
            1:
              %2 = sub i64 0, %0 !2
              goto 2 !2
            2:
              %3 = phi [0: %0, 1: %2]
              return %3 !3
            }");
        let choice = Choice {
            join: 2,
            from: [1, 0],
        };
        assert_eq!(found, [Some(choice), None, None]);
    }

    #[test]
    fn a_way_that_stores_or_stays_in_a_loop_is_none() {
        let found = of("global @cell 8
            function f(i64) registers 2 {
            0:
              %1 = compare slt i64 %0, 0 !1
              branch %1, 1, 2 !1
            1:
              store i64 0, @cell !2
              goto 2 !2
            2:
              branch %1, 3, 4 !3
            3:
              goto 2 !4
            4:
              return 0 !5
            }");
        assert_eq!(found, [None; 5]);
    }
}
