//! Notifications that are added: posted after a write, and awaited at its target before it is used.

use farside_events::{EventKind, Flag, Notice, Operation, OperationId, OperationKind, Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// The first number of an added notification: more than any program uses (GASPI 17.1 §8.1 wants 65,536 at least).
const FIRST: u32 = 1 << 30;
/// The first number of an added operation.
const FIRST_OPERATION: u64 = 1 << 60;

/// Those that were posted, and not taken.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    posted: u32,
    /// By target.
    open: HashMap<Rank, Vec<(WinId, u32)>>,
}

impl Notes {
    /// The notification that an origin posts after this operation; none to nobody.
    pub(crate) fn post(&mut self, after: Operation) -> Option<Operation> {
        let target = after.target?;
        let number = FIRST + self.posted;
        self.posted += 1;
        self.open.entry(target).or_default().push((after.win, number));
        Some(Operation {
            id: OperationId(FIRST_OPERATION + u64::from(number)),
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

    /// A process takes all that were posted to it.
    pub(crate) fn take(&mut self, rank: Rank) -> Vec<EventKind> {
        let open = self.open.remove(&rank).unwrap_or_default();
        let seen = open.into_iter().map(|(win, number)| EventKind::FlagSeen {
            win,
            number,
            taken: Some(1),
        });
        seen.collect()
    }
}
