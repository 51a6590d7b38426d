//! What the ranks of a group do together (GASPI 17.1 §11): each has come with its first call, and knows that all have
//! come when a call returns GASPI_SUCCESS. Calls that return GASPI_TIMEOUT before that are of the same operation.

use super::{After, Call, SUCCESS, TIMEOUT, BLOCK, enter, group, leave};
use crate::memory;
use crate::mpi::next_request;
use crate::recorder::record;
use farside_calls::gaspi::Collective;
use farside_events::{AccessKind, Call as Event, CommId, Direction, EventKind};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The operations of this rank on groups.
#[derive(Debug, Default)]
struct Meetings {
    /// So far, on each.
    counts: BTreeMap<CommId, u64>,
    /// Those that a call has begun which returned GASPI_TIMEOUT.
    begun: BTreeMap<u8, (CommId, u64)>,
}

static MEETINGS: Mutex<Meetings> = Mutex::new(Meetings {
    counts: BTreeMap::new(),
    begun: BTreeMap::new(),
});

fn meetings() -> MutexGuard<'static, Meetings> {
    MEETINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call of a collective operation, on its way.
pub(super) struct Meeting {
    group: u8,
    place: (CommId, u64),
    /// The thread is within the recorded call, for it waits.
    waits: bool,
}

impl Meeting {
    /// A call on a group, with this timeout; `None` if the group is not known.
    pub(super) fn begin(call: &Call, number: u8, timeout: u64) -> Option<Self> {
        let comm = group::comm(number)?;
        let mut meetings = meetings();
        if let Some(&place) = meetings.begun.get(&number) {
            return Some(Self {
                group: number,
                place,
                waits: false,
            });
        }
        let count = meetings.counts.entry(comm).or_default();
        let sequence = *count;
        *count += 1;
        drop(meetings);
        let waits = timeout == BLOCK;
        let entered = Event::Collective {
            comm,
            sequence,
            direction: Direction::All,
            name: call.function().name().into(),
            request: (!waits).then(next_request),
        };
        enter(entered, call.stack());
        if !waits {
            leave();
        }
        Some(Self {
            group: number,
            place: (comm, sequence),
            waits,
        })
    }

    /// The call returned.
    pub(super) fn end(self, code: i32) {
        let Self { group, place, waits } = self;
        if waits {
            return leave();
        }
        match code {
            SUCCESS => {
                meetings().begun.remove(&group);
                record(EventKind::CollectiveDone {
                    comm: place.0,
                    sequence: place.1,
                });
            }
            TIMEOUT => {
                meetings().begun.insert(group, place);
            }
            _ => {}
        }
    }
}

/// `gaspi_barrier(group, timeout)`, `gaspi_allreduce(send, receive, number, operation, type, group, timeout)`,
/// `gaspi_allreduce_user(send, receive, number, size, function, state, group, timeout)`.
pub(super) fn meet(call: &Call, what: Collective) -> After {
    let (number, timeout, bytes) = match what {
        Collective::Barrier => (call.small(0), call.word(1), 0),
        Collective::Allreduce => {
            let bytes = call.number(2) as usize * size_of_type(call.number(4));
            (call.small(5), call.word(6), bytes)
        }
        Collective::AllreduceUser => {
            let bytes = (call.number(2) as usize).saturating_mul(call.address(3));
            (call.small(6), call.word(7), bytes)
        }
    };
    let touch = move |call: &Call, kind, place| {
        if bytes > 0 {
            let name = call.function().name();
            memory::library_access(kind, name, call.address(place), bytes, call.return_address());
        }
    };
    touch(call, AccessKind::Load, 0);
    let meeting = Meeting::begin(call, number, timeout)?;
    Some(Box::new(move |call: &Call, code| {
        meeting.end(code);
        if code == SUCCESS {
            touch(call, AccessKind::Store, 1);
        }
    }))
}

/// Bytes of a type, by the numbers of GPI-2.
fn size_of_type(number: u32) -> usize {
    match number {
        0..=2 => 4,
        3..=5 => 8,
        _ => 0,
    }
}
