//! Where the calling thread is in the program's OpenMP structure, as far as libgomp does not say.

use super::super::object::Kind;
use farside_events::ObjectId;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// A team, named by the thread that made it and how many teams that thread was in then; 0 is "none".
///
/// The same name is given again when the same thread makes its next team at that depth. That is exact: all that the
/// earlier team released was acquired by that thread, at the earlier team's end, before it releases anything to the
/// next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Team(u64);

impl Team {
    /// Outside all parallel regions.
    pub(super) const NONE: Self = Self(0);

    /// The team that thread `parent` makes at `depth`.
    pub(super) fn new(parent: u32, depth: u16) -> Self {
        Self(u64::from(parent) << 16 | u64::from(depth))
    }

    /// The number of the thread that made it; 0 for [`Team::NONE`].
    pub(super) fn parent(self) -> u32 {
        (self.0 >> 16) as u32
    }

    /// As the word that OMPT keeps for a region.
    pub(super) fn into_word(self) -> *mut c_void {
        ptr::without_provenance_mut(self.0 as usize)
    }

    /// Back from that word.
    pub(super) fn from_word(word: *mut c_void) -> Self {
        Self(word.addr() as u64)
    }

    /// What the beginning of its region releases.
    pub(super) fn fork(self) -> ObjectId {
        Kind::Fork.number(self.0)
    }

    /// What its members and tasks release when they end.
    pub(super) fn join(self) -> ObjectId {
        Kind::Join.number(self.0)
    }

    /// Its barrier with this number. Two objects are enough: nobody arrives at barrier n + 2 before all have
    /// left barrier n, since they have to arrive at n + 1.
    pub(super) fn barrier(self, number: u32) -> ObjectId {
        let kind = if number.is_multiple_of(2) {
            Kind::TeamBarrierEven
        } else {
            Kind::TeamBarrierOdd
        };
        kind.number(self.0)
    }

    /// Its ordered regions.
    pub(super) fn ordered(self) -> ObjectId {
        Kind::Ordered.number(self.0)
    }

    /// One iteration of its loop with cross-iteration dependences.
    pub(super) fn iteration(self, iteration: &[i64]) -> ObjectId {
        Kind::Iteration.hash(std::iter::once(self.0).chain(iteration.iter().map(|&index| index as u64)))
    }
}

/// Where a thread is. The initial value is right for a thread outside all parallel regions.
#[derive(Clone, Copy)]
pub(super) struct Position {
    /// The innermost team.
    pub(super) team: Team,
    /// Barriers of that team that the thread has left.
    pub(super) barriers: u32,
    /// It is in one now.
    pub(super) in_barrier: bool,
    /// The current task, implicit or explicit; 0 until it needs a number.
    pub(super) task: u64,
    /// The innermost task group; 0 is "none".
    pub(super) group: u64,
    /// Teams that the thread is in.
    pub(super) depth: u16,
}

thread_local! {
    static POSITION: Cell<Position> = const {
        Cell::new(Position {
            team: Team::NONE, barriers: 0, in_barrier: false, task: 0, group: 0, depth: 0,
        })
    };
}

impl Position {
    /// The calling thread's.
    pub(super) fn get() -> Self {
        POSITION.get()
    }

    /// The calling thread is here now.
    pub(super) fn set(self) {
        POSITION.set(self);
    }

    /// Changes the calling thread's.
    pub(super) fn change(change: impl FnOnce(&mut Self)) {
        let mut position = Self::get();
        change(&mut position);
        position.set();
    }
}

/// A number for a task or a task group that no other gets.
pub(super) fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The number of the task that the calling thread executes.
pub(super) fn current_task() -> u64 {
    let position = Position::get();
    if position.task != 0 {
        return position.task;
    }
    let task = fresh();
    Position { task, ..position }.set();
    task
}
