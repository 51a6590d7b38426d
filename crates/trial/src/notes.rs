//! Notifications that are added: posted after a write, and awaited at its target before it is used.

use farside_events::{EventKind, Flag, Notice, Operation, OperationId, OperationKind, Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// The first number of an added notification: more than any program uses (GASPI 17.1 §8.1 wants 65,536 at least).
const FIRST: u32 = 1 << 30;
/// The first number of an added operation.
const FIRST_OPERATION: u64 = 1 << 60;

/// Those that were posted, and those that were taken: the first one that a process waits for is the first one that was
/// posted to it.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    all: u64,
    /// By target: how many.
    posted: HashMap<Rank, u32>,
    taken: HashMap<Rank, u32>,
    /// Those of the program: how often each was posted, and how often it was taken where it was not before.
    of_program: HashMap<(Rank, WinId, u32), [u32; 2]>,
    /// What each of those was set to last.
    values: HashMap<(Rank, WinId, u32), u64>,
}

impl Notes {
    /// The notification that an origin posts after this operation; none to nobody.
    pub(crate) fn post(&mut self, after: Operation) -> Option<Operation> {
        let posted = self.posted.entry(after.target?).or_default();
        let number = FIRST + *posted;
        *posted += 1;
        self.all += 1;
        Some(Operation {
            id: OperationId(FIRST_OPERATION + self.all),
            kind: OperationKind::Put,
            origin: None,
            result: None,
            compare: None,
            displacement: 0,
            target_count: 0,
            operator: None,
            operand: None,
            expected: None,
            request: None,
            notice: Some(Notice::Flag(Flag {
                win: after.win,
                number,
                value: 1,
                last: true,
                follows: true,
            })),
            ..after
        })
    }

    /// A process waits for the next one that was posted to it in a segment, and takes it.
    pub(crate) fn take(&mut self, rank: Rank, win: WinId) -> EventKind {
        let taken = self.taken.entry(rank).or_default();
        let number = FIRST + *taken;
        *taken += 1;
        EventKind::FlagSeen {
            win,
            number,
            taken: Some(1),
        }
    }

    /// Takes note of a notification that the program posts.
    pub(crate) fn note(&mut self, operation: &Operation) {
        if let (Some(flag), Some(target)) = (operation.flag().filter(|flag| flag.last), operation.target) {
            let counts = self
                .of_program
                .entry((target, flag.win, flag.number))
                .or_default();
            counts[0] += 1;
            self.values.insert((target, flag.win, flag.number), flag.value);
        }
    }

    /// A process takes a notification of the program that it has seen.
    pub(crate) fn set_back(&mut self, rank: Rank, win: WinId, number: u32) -> EventKind {
        let taken = self.values.get(&(rank, win, number)).copied().or(Some(1));
        EventKind::FlagSeen { win, number, taken }
    }

    /// A process waits for a notification of the program, and takes it.
    pub(crate) fn take_posted(&mut self, rank: Rank, flag: Flag) -> EventKind {
        let Flag {
            win, number, value, ..
        } = flag;
        let counts = self.of_program.entry((rank, win, number)).or_default();
        counts[1] += 1;
        EventKind::FlagSeen {
            win,
            number,
            taken: Some(value),
        }
    }

    /// Whether each process waits for as many as are posted to it: else it waits for ever, or finds one left over.
    pub(crate) fn are_balanced(&self) -> bool {
        let is_even = |[posted, taken]: &[u32; 2]| *taken == 0 || posted == taken;
        self.of_program.values().all(is_even) && self.are_even()
    }

    fn are_even(&self) -> bool {
        let ranks = self.posted.keys().chain(self.taken.keys());
        let number = |of: &HashMap<Rank, u32>, rank| of.get(rank).copied().unwrap_or(0);
        ranks
            .into_iter()
            .all(|rank| number(&self.posted, rank) == number(&self.taken, rank))
    }
}
