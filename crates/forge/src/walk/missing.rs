//! What a prefix of a test still lacks: a lower bound, by which a walk turns back early.
//!
//! F1, F2 and F3 are pivots only where one process has a remote statement, a flush of its target, and something after
//! it that the flush orders. For of the edges that end at a flush, those of LO are no help: what is local comes before
//! all that follows, flush or not. So a cycle through a flush comes to it from a remote statement, by F2, and leaves it
//! by F1 or F3.

use super::Walk;
use crate::definition::{PivotRule, Reads};
use crate::test::{Kind, Step};
use crate::{MOST_ACTIONS, MOST_PROCESSES};

/// How far the statements of processes are on the way to a pivot of F1, F2 or F3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Flushed {
    /// In some process: a remote statement, a flush of its target, and a local statement.
    then_local: bool,
    /// The same with another remote statement to that target in the end.
    then_remote: bool,
    /// Of the last process: 1 with a remote statement, 2 if its target is flushed after it.
    stage: u8,
}

/// Local reads and writers that do not fit one another, action for action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Debts {
    /// Reads that writers ask for.
    reads: u8,
    /// Writers that reads ask for: all the surplus if there are to be as many, else none.
    writers: u8,
    /// Reads in excess of writers.
    surplus: u8,
}

impl Flushed {
    fn by(processes: &[Vec<Step>]) -> Self {
        let mut flushed = Self::default();
        for steps in processes {
            let mut stages = [0_u8; MOST_PROCESSES];
            for step in steps {
                let Some(to) = step.destination().map(usize::from) else {
                    flushed.then_local |= stages.contains(&2);
                    continue;
                };
                match (step.kind, stages[to]) {
                    (Kind::Flush, 1) => stages[to] = 2,
                    (Kind::Flush, _) => {}
                    (_, 2) => flushed.then_remote = true,
                    (_, _) => stages[to] = 1,
                }
            }
            flushed.stage = stages.into_iter().max().unwrap_or(0);
        }
        flushed
    }
}

impl Walk {
    /// Local reads that are missing or in excess; none if the process that had to read has ended.
    fn debts(&self) -> Option<Debts> {
        let rank = self.rank();
        let mut debts = Debts::default();
        for owner in 0..usize::from(self.definition.processes) {
            for index in 0..usize::from(self.owned[owner]) {
                let [loads, writers] = [self.loads[owner][index], self.writers[owner][index]];
                if writers > loads {
                    if owner < rank {
                        return None;
                    }
                    debts.reads += writers - loads;
                } else {
                    debts.surplus += loads - writers;
                }
            }
        }
        debts.writers = match self.definition.reads {
            Reads::AsManyAsWriters => debts.surplus,
            Reads::AtLeast => 0,
        };
        Some(debts)
    }

    /// Whether every writer has its reads, and every read a writer if it must have one.
    pub(super) fn is_balanced(&self) -> bool {
        self.debts()
            .is_some_and(|debts| debts.reads == 0 && debts.writers == 0)
    }

    /// Whether some test that begins so may be wanted: a lower bound of what is missing fits within some rule's bound.
    pub(super) fn can_be_completed(&self) -> bool {
        let variables: u8 = self.owned.iter().sum();
        if self.definition.variables.is_some_and(|most| variables > most)
            || usize::from(self.used - variables) > MOST_ACTIONS
        {
            return false;
        }
        let Some(Debts {
            reads,
            writers,
            surplus,
        }) = self.debts()
        else {
            return false;
        };
        // Later processes are not shorter than this one, and earlier ones not longer.
        let rank = self.rank();
        let length = self.test.processes[rank].len() as u8;
        let later = self.definition.processes - 1 - rank as u8;
        let least = rank
            .checked_sub(1)
            .map_or(0, |before| self.test.processes[before].len() as u8);
        let lengths = later * length.max(least) + least.saturating_sub(length);
        let flushed = Flushed::by(&self.test.processes);
        // `count` statements with `cost` actions and `new` writers each. These writers take reads in excess before they
        // ask for more, and pay for reads that ask for writers.
        let brings = |count: u8, cost: u8, new: u8| {
            let brought = count * new;
            count * cost + reads + brought.saturating_sub(surplus) + writers.saturating_sub(brought)
        };
        self.definition.bounds.iter().any(|(rule, bound)| {
            let missing = match rule {
                PivotRule::R1 | PivotRule::R2 | PivotRule::Lo | PivotRule::Ws => reads + writers,
                PivotRule::F1 | PivotRule::F2 => {
                    let there = flushed.then_local || rule == PivotRule::F2 && flushed.then_remote;
                    match (there, flushed.stage) {
                        (true, _) => reads + writers,
                        (false, 0) => brings(1, 2, 1) + 1,
                        // The flush, and a local statement that a debt may pay for.
                        (false, stage) => (2 - stage) + (reads + writers).max(1),
                    }
                }
                PivotRule::F3 => match (flushed.then_remote, flushed.stage) {
                    (true, _) => reads + writers,
                    (false, 0) => brings(2, 2, 1) + 1,
                    (false, stage) => (2 - stage) + brings(1, 2, 1),
                },
                PivotRule::Pg => {
                    let some = self.kinds[Kind::Get as usize] + self.kinds[Kind::Put as usize];
                    brings(u8::from(some == 0), 2, 1)
                }
                PivotRule::Ga => brings(u8::from(self.kinds[Kind::Rga as usize] == 0), 3, 2),
                PivotRule::CasF | PivotRule::CasT => {
                    brings(u8::from(self.kinds[Kind::Cas as usize] == 0), 4, 2)
                }
                PivotRule::Ir => brings(2_u8.saturating_sub(self.routed), 2, 1),
            };
            self.used + missing.max(lengths) <= bound
        })
    }
}
