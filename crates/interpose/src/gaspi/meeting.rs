//! A collective operation of a group (GASPI 17.1 §11): each rank has come with its first call, and knows that all have
//! come when a call returns GASPI_SUCCESS. Calls that return GASPI_TIMEOUT before that are of the same operation.

use super::{BLOCK, Call, SUCCESS, TIMEOUT, enter, leave};
use crate::mpi::next_request;
use crate::recorder::record;
use farside_events::{Call as Event, CommId, Direction, EventKind};
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

/// Sets the calls of GASPI on a group apart from those of MPI.
const OF_GASPI: u64 = 1 << 61;

impl Meeting {
    /// A call on a group, for which `comm` stands, with this timeout, and with arguments that are the same at all its
    /// ranks; `None` if the group is not known.
    pub(super) fn begin(
        call: &Call,
        (number, comm): (u8, Option<CommId>),
        timeout: u64,
        agreed: &[(&str, u64)],
    ) -> Option<Self> {
        let comm = comm?;
        let mut meetings = meetings();
        if let Some(&place) = meetings.begun.get(&number) {
            return Some(Self {
                group: number,
                place,
                waits: false,
            });
        }
        let count = meetings.counts.entry(comm).or_default();
        // Those of MPI on the same processes are others.
        let sequence = *count | OF_GASPI;
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
        for (argument, value) in agreed {
            record(EventKind::Agreed {
                comm,
                sequence,
                argument: (*argument).into(),
                value: *value,
            });
        }
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
