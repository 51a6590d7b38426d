//! What sets of processes do together (OpenSHMEM 1.5 §9.9): barriers, and collective movement of data on active sets.

use super::{After, Call, enter, in_flight, leave, symmetric};
use crate::memory;
use crate::mpi::mix;
use crate::recorder::define;
use farside_calls::shmem::{Collective, Members};
use farside_events::{AccessKind, Call as Event, CommId, Direction, EventKind, Rank, StackId};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The number of this process.
static RANK: OnceLock<Rank> = OnceLock::new();

/// This process has this number.
pub(super) fn begin(rank: Rank) {
    let _ = RANK.set(rank);
}

fn own_rank() -> Option<Rank> {
    RANK.get().copied()
}

/// The calls of this process on each set so far.
static CALLS: Mutex<BTreeMap<CommId, u64>> = Mutex::new(BTreeMap::new());

/// A call that a set of processes makes together, entered.
pub(super) struct Entered(());

impl Entered {
    /// All processes make it.
    pub(super) fn all(call: &Call, stack: StackId) -> Self {
        Self::of(call, symmetric::world(), Direction::All, stack)
    }

    fn of(call: &Call, comm: CommId, direction: Direction, stack: StackId) -> Self {
        let sequence = {
            let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
            let calls = calls.entry(comm).or_default();
            std::mem::replace(calls, *calls + 1)
        };
        let name = call.function().name().into();
        enter(
            Event::Collective {
                comm,
                // Those of MPI on the same processes are others.
                sequence: sequence | OF_OPENSHMEM,
                direction,
                name,
                request: None,
            },
            stack,
        );
        Self(())
    }

    /// The call returned.
    pub(super) fn leave(self) {
        leave();
    }
}

/// Sets the calls of OpenSHMEM on a set apart from those of MPI.
const OF_OPENSHMEM: u64 = 1 << 62;

/// An active set: `PE_start`, `logPE_stride`, `PE_size`.
struct ActiveSet {
    start: u32,
    log_stride: u32,
    size: u32,
}

impl ActiveSet {
    /// The set that three arguments from this one on name.
    fn at(call: &Call, place: usize) -> Option<Self> {
        let argument = |offset: usize| u32::try_from(call.int(place + offset)).ok();
        Some(Self {
            start: argument(0)?,
            log_stride: argument(1).filter(|log| *log < 31)?,
            size: argument(2)?,
        })
    }

    /// Its process of this number.
    fn member(&self, number: u32) -> Rank {
        Rank(
            self.start
                .saturating_add(number.saturating_mul(1 << self.log_stride)),
        )
    }

    /// Its communicator, told at its first use.
    fn comm(&self) -> CommId {
        let id = CommId(mix([
            9,
            u64::from(self.start),
            u64::from(self.log_stride),
            u64::from(self.size),
        ]));
        let is_new = !CALLS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(&id);
        if is_new {
            define(EventKind::Comm {
                id,
                members: (0..self.size).map(|number| self.member(number)).collect(),
            });
        }
        id
    }
}

/// A barrier; `completes` says whether it completes the operations of the caller first.
pub(super) fn barrier(call: &Call, members: Members, completes: bool) -> After {
    let comm = match members {
        Members::All => symmetric::world(),
        Members::ActiveSet => ActiveSet::at(call, 0)?.comm(),
    };
    let stack = call.stack();
    if completes {
        in_flight::complete(stack);
    }
    let entered = Entered::of(call, comm, Direction::All, stack);
    Some(Box::new(move |_, _| entered.leave()))
}

/// Movement of data on an active set. Arguments are the destination, the source, strides (alltoalls), the number of
/// elements, the root (broadcast), and the set.
pub(super) fn move_data(call: &Call, what: Collective) -> After {
    let (count, set) = match what {
        Collective::Broadcast => (2, 4),
        Collective::Alltoalls => (4, 5),
        _ => (2, 3),
    };
    let set = ActiveSet::at(call, set)?;
    let elements = match what {
        // An `int`, where the others have a `size_t`.
        Collective::Reduce => usize::try_from(call.int(count)).unwrap_or(0),
        _ => call.word(count),
    };
    let direction = match what {
        Collective::Broadcast => Direction::FromRoot(set.member(u32::try_from(call.int(3)).ok()?)),
        _ if elements == 0 => Direction::Nothing,
        _ => Direction::All,
    };
    let size = set.size as usize;
    // What is read of the source, and what is written of the destination, in elements.
    let (read, written) = match what {
        Collective::Broadcast | Collective::Reduce => (elements, elements),
        Collective::Collect | Collective::Fcollect => (elements, elements.saturating_mul(size)),
        Collective::Alltoall => (elements.saturating_mul(size), elements.saturating_mul(size)),
        Collective::Alltoalls => {
            let far = |stride: usize| {
                let all = elements.saturating_mul(size);
                all.saturating_sub(1).saturating_mul(stride).saturating_add(1)
            };
            (far(call.word(3)), far(call.word(2)))
        }
    };
    touch(call, AccessKind::Load, 1, read);
    let is_root = matches!(direction, Direction::FromRoot(root) if Some(root) == own_rank());
    let entered = Entered::of(call, set.comm(), direction, call.stack());
    Some(Box::new(move |call: &Call, _| {
        entered.leave();
        // The destination of a broadcast's root stays as it is. How much `collect` writes only the others know.
        if !is_root && !matches!(what, Collective::Collect) {
            touch(call, AccessKind::Store, 0, written);
        }
    }))
}

/// The library reads or writes elements that an argument names.
fn touch(call: &Call, kind: AccessKind, argument: usize, elements: usize) {
    let bytes = elements.saturating_mul(call.function().element().size as usize);
    if bytes > 0 {
        let name = call.function().name();
        memory::library_access(kind, name, call.word(argument), bytes, call.return_address());
    }
}
