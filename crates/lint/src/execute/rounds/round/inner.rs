//! Loops within the round of a loop: their rounds are taken together, too.

use super::proof::proved;
use super::{Before, Circle, Execution, Round};
use crate::execute::rounds::access::joined;
use crate::execute::rounds::bound::NESTED;
use crate::ir::BlockId;
use std::collections::BTreeSet;

/// Rounds of loops within that are executed one by one.
const SINGLE: u32 = 8;

impl Execution<'_, '_> {
    /// A loop within is about to begin a further round: so many are skipped as take the same way. `seen` are the blocks
    /// that were entered since. `None` if nothing is said of the loop, and it has gone round often.
    pub(super) fn inner_rounds(&mut self, circle: Circle, seen: &mut BTreeSet<BlockId>) -> Option<()> {
        match self.proved_rounds(circle) {
            Some(round) => self.take(round, circle, seen),
            None => {
                self.single += 1;
                (self.single <= SINGLE).then_some(())
            }
        }
    }

    fn proved_rounds(&mut self, circle: Circle) -> Option<Round> {
        if self.round.bound.depth() + 1 == NESTED {
            return None;
        }
        let mut stacks = std::mem::take(self.stacks);
        let (round, length) = proved(Before::Round(self), &mut stacks, circle);
        *self.stacks = stacks;
        self.round.length += length;
        round.filter(|round| !round.bound.is_endless())
    }

    fn take(&mut self, round: Round, circle: Circle, seen: &mut BTreeSet<BlockId>) -> Option<()> {
        let depth = round.bound.depth();
        let rounds = round.bound.rounds();
        self.round.bound.include(&round.bound);
        for register in round.carried {
            if self.called.is_empty() && !self.round.registers.contains_key(&register) {
                self.round.carried.insert(register);
            }
        }
        // What comes next is a round that goes another way.
        seen.retain(|block| !round.entered.contains(&(circle.function, *block)));
        seen.insert(circle.to);
        self.round.entered.extend(round.entered);
        for mut access in round.accesses {
            access.repeat(depth, rounds);
            self.round.accesses.push(access);
            self.go_on();
        }
        for (address, inner) in round.cells {
            let cell = self.cell(address, inner.size)?;
            if inner.is_written {
                cell.value = inner.value.map(|value| value.in_round(depth, rounds - 1));
                cell.is_written = true;
            }
        }
        for (register, value) in round.registers {
            let value = value.map(|value| value.in_round(depth, rounds - 1));
            match self.called.last_mut() {
                Some(registers) => registers.insert(register, value),
                None => self.round.registers.insert(register, value),
            };
        }
        Some(())
    }

    /// The last access is joined with an earlier one of the same instruction, if it goes on with it in the next rounds
    /// of a loop within.
    pub(super) fn go_on(&mut self) {
        let accesses = &mut self.round.accesses;
        let Some(last) = accesses.pop() else { return };
        let found = accesses.iter().rposition(|access| access.is_like(&last));
        let whole = found.and_then(|nth| {
            let whole = (self.round.bound.depth() + 1..NESTED)
                .find_map(|depth| joined(&accesses[nth], &last, depth))?;
            Some((nth, whole))
        });
        match whole {
            Some((nth, whole)) => accesses[nth] = whole,
            None => accesses.push(last),
        }
    }
}
