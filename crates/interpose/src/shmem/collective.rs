//! What sets of processes do together (OpenSHMEM 1.5 §9.9): barriers, and collective movement of data on active sets.

use super::{After, Call, enter, in_flight, leave, symmetric, types};
use crate::memory;
use crate::mpi::mix;
use crate::recorder::{define, record};
use crate::stacks;
use farside_calls::shmem::{Collective, Members};
use farside_events::{
    AccessKind, Buffer, Call as Event, ChannelId, CommId, Direction, EventKind, Exchange, Rank, StackId,
};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The number of this process, and how many there are.
static NUMBERS: OnceLock<(Rank, u32)> = OnceLock::new();

/// This process has this number, of so many.
pub(super) fn begin(rank: Rank, size: u32) {
    let _ = NUMBERS.set((rank, size));
}

/// The number of this process, and how many there are.
pub(super) fn numbers() -> Option<(Rank, u32)> {
    NUMBERS.get().copied()
}

fn own_rank() -> Option<Rank> {
    numbers().map(|(rank, _)| rank)
}

/// The calls of this process on each set so far.
static CALLS: Mutex<BTreeMap<CommId, u64>> = Mutex::new(BTreeMap::new());

/// A call that a set of processes makes together, entered.
pub(super) struct Entered {
    comm: CommId,
    sequence: u64,
}

impl Entered {
    /// All processes make it.
    pub(super) fn all(call: &Call, stack: StackId) -> Self {
        Self::of(call, symmetric::world(), Direction::All, stack)
    }

    /// The processes of a communicator make it.
    pub(super) fn of(call: &Call, comm: CommId, direction: Direction, stack: StackId) -> Self {
        let sequence = {
            let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
            let calls = calls.entry(comm).or_default();
            std::mem::replace(calls, *calls + 1)
        };
        // Those of MPI on the same processes are others.
        let sequence = sequence | OF_OPENSHMEM;
        let name = call.function().name().into();
        enter(
            Event::Collective {
                comm,
                sequence,
                direction,
                name,
                request: None,
            },
            stack,
        );
        Self { comm, sequence }
    }

    /// An argument is the same at all members.
    pub(super) fn agree(&self, argument: &str, value: u64) {
        record(EventKind::Agreed {
            comm: self.comm,
            sequence: self.sequence,
            argument: argument.into(),
            value,
        });
    }

    /// Which call of which set it is.
    pub(super) fn identity(&self) -> (CommId, u64) {
        (self.comm, self.sequence)
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

    fn members(&self) -> Vec<Rank> {
        (0..self.size).map(|number| self.member(number)).collect()
    }
}

/// Processes that make calls together.
#[derive(Clone, Debug)]
pub(super) struct Set {
    comm: CommId,
    members: Vec<Rank>,
}

impl Set {
    /// An active set, or a team that the library has made: told at its first use. Those of the same processes are one:
    /// each of these makes the calls on all of them in the same order. Calls that all processes make are on the team of
    /// all (§9.9.1, §9.9.3).
    pub(super) fn of(members: Vec<Rank>) -> Self {
        let is_of_all = numbers().is_some_and(|(_, size)| members.iter().map(|rank| rank.0).eq(0..size));
        if is_of_all {
            let comm = symmetric::world();
            return Self { comm, members };
        }
        let numbers = members.iter().map(|member| u64::from(member.0));
        let comm = CommId(mix(std::iter::once(9).chain(numbers)));
        let is_new = !CALLS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(&comm);
        if is_new {
            define(EventKind::Comm {
                id: comm,
                members: members.clone(),
            });
        }
        Self { comm, members }
    }

    /// A team that a call of all members of another has made, and which of the call's teams it is.
    pub(super) fn split((comm, sequence): (CommId, u64), which: u64, members: Vec<Rank>) -> Self {
        let numbers = members.iter().map(|member| u64::from(member.0));
        let comm = CommId(mix([14, comm.0, sequence, which].into_iter().chain(numbers)));
        define(EventKind::Comm {
            id: comm,
            members: members.clone(),
        });
        Self { comm, members }
    }

    /// What stands for it.
    pub(super) fn comm(&self) -> CommId {
        self.comm
    }

    /// Its processes, in the numbers of the world.
    pub(super) fn members(&self) -> &[Rank] {
        &self.members
    }
}

/// A barrier; `completes` says whether it completes the operations of the caller first.
pub(super) fn barrier(call: &Call, members: Members, completes: bool) -> After {
    let comm = match members {
        Members::All => symmetric::world(),
        Members::ActiveSet => Set::of(ActiveSet::at(call, 0)?.members()).comm(),
    };
    let stack = call.stack();
    if completes {
        in_flight::complete(Some(ChannelId::DEFAULT), stack);
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
    let root = match what {
        Collective::Broadcast => Some(set.member(u32::try_from(call.int(3)).ok()?)),
        _ => None,
    };
    let strides = matches!(what, Collective::Alltoalls).then(|| (call.word(2), call.word(3)));
    Movement::new(what, elements, root, strides).by(call, &Set::of(set.members()))
}

/// What a collective call moves.
pub(super) struct Movement {
    what: Collective,
    elements: usize,
    /// Of a broadcast.
    root: Option<Rank>,
    /// At the destination and at the source, where they are told.
    strides: Option<(usize, usize)>,
    /// Which argument the destination is; the source is the next.
    first: usize,
    /// The root of a broadcast writes its destination, too.
    at_root: bool,
}

impl Movement {
    /// So many elements on an active set, from a root, or with strides at destination and source.
    pub(super) fn new(
        what: Collective,
        elements: usize,
        root: Option<Rank>,
        strides: Option<(usize, usize)>,
    ) -> Self {
        Self {
            what,
            elements,
            root,
            strides,
            first: 0,
            at_root: false,
        }
    }

    /// The same on a team, which is the first argument, and where a root writes its own destination.
    pub(super) fn on_a_team(self) -> Self {
        Self {
            first: 1,
            at_root: true,
            ..self
        }
    }

    /// These processes make it.
    pub(super) fn by(self, call: &Call, set: &Set) -> After {
        let Self { what, elements, .. } = self;
        let direction = match self.root {
            Some(root) => Direction::FromRoot(root),
            None if elements == 0 => Direction::Nothing,
            None => Direction::All,
        };
        let all = elements.saturating_mul(set.members().len());
        // What is read of the source, and what is written of the destination, in elements.
        let (read, written) = match what {
            Collective::Broadcast | Collective::Reduce => (elements, elements),
            Collective::Collect | Collective::Fcollect => (elements, all),
            Collective::Alltoall | Collective::Alltoalls => (all, all),
        };
        let (far, near) = self.strides.unwrap_or((1, 1));
        let (source, destination) = (self.first + 1, self.first);
        // Only the source of a root is read.
        let is_read = self.root.is_none() || self.root == own_rank();
        let read = if is_read { read } else { 0 };
        load(call, source, read, near);
        let keeps = !self.at_root && self.root.is_some() && self.root == own_rank();
        // Where the result lies on the operand, nobody writes it before its owner has handed that in.
        let in_place = what == Collective::Reduce && call.word(source) == call.word(destination);
        let receives = !keeps && !in_place && (written > 0 || matches!(what, Collective::Collect));
        let entered = Entered::of(call, set.comm(), direction, call.stack());
        if let Some(root) = self.root {
            entered.agree("the root", u64::from(root.0));
        }
        if !matches!(what, Collective::Collect) {
            entered.agree("the number of elements", elements as u64);
        }
        record(EventKind::Exchange(Exchange {
            comm: entered.comm,
            sequence: entered.sequence,
            writer: self.root,
            destination: receives.then(|| Buffer {
                address: call.word(destination) as u64,
                datatype: types::of(call.function().element(), far),
                count: written as u64,
            }),
            contributes: elements as u64,
            collects: matches!(what, Collective::Collect),
            name: call.function().name().into(),
            place: (call.return_address() as u64, stacks::current()),
        }));
        Some(Box::new(move |call: &Call, _| {
            // Others may read it until now.
            load(call, source, read, near);
            if in_place {
                access(AccessKind::Store, call, destination, written, far);
            }
            entered.leave();
        }))
    }
}

/// The library reads elements that an argument names, so many apart.
fn load(call: &Call, argument: usize, elements: usize, stride: usize) {
    access(AccessKind::Load, call, argument, elements, stride);
}

/// The library reads or writes elements that an argument names, so many apart.
fn access(kind: AccessKind, call: &Call, argument: usize, elements: usize, stride: usize) {
    let (size, at) = (call.function().element().size as usize, call.word(argument));
    let name = call.function().name();
    match stride {
        _ if elements == 0 => {}
        1 => memory::library_access(
            kind,
            name,
            at,
            elements.saturating_mul(size),
            call.return_address(),
        ),
        _ => memory::library_run(
            kind,
            name,
            at,
            size,
            elements,
            stride.saturating_mul(size) as isize,
            call.return_address(),
        ),
    }
}
