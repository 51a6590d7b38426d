//! Names of what orders threads: an [`ObjectId`] is a kind in the top byte and what tells objects of that kind apart
//! below.
//!
//! Kinds start at [`FIRST_KIND`]; smaller top bytes, so plain addresses too, are free for atomic variables and for
//! locks. The top bit is [`ObjectId::ACQUIRED_ONCE`].
//!
//! An atomic variable or a lock has its address as its name, by which it orders other processes, too, that have mapped
//! it (`PTHREAD_PROCESS_SHARED`).

use crate::memory;
use crate::mix::mix;
use farside_events::ObjectId;

/// The lowest top byte that is used here.
const FIRST_KIND: u64 = 0x10;
/// Kinds from here on are acquired once at most.
const ACQUIRED_ONCE: u64 = ObjectId::ACQUIRED_ONCE >> BITS;
/// Bits below the kind.
const BITS: u32 = 56;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Kind {
    /// A `pthread_once_t` or `once_flag`, by address.
    Once = FIRST_KIND,
    /// One generation of a `pthread_barrier_t`, by a hash of both.
    Barrier,
    /// Beginning of a parallel region, by team.
    Fork,
    /// End of a parallel region, by team.
    Join,
    /// Barriers of a team with even and odd numbers.
    TeamBarrierEven,
    /// See [`Kind::TeamBarrierEven`].
    TeamBarrierOdd,
    /// The ordered regions of a team.
    Ordered,
    /// One iteration of a loop with cross-iteration dependences, by a hash of team and iteration.
    Iteration,
    /// A critical region, by the address of its name.
    Critical,
    /// Creation of the tasks of a task loop, by one number for all, and of the parts of an untied task.
    TaskPartStart,
    /// Ends of the children of a task, by its number.
    TaskChildren,
    /// Ends of the tasks of a task group, by its number.
    TaskGroup,
    /// Ends of tasks that read a dependence variable, by a hash of parent task and address.
    DependenceIn,
    /// Ends of tasks that write a dependence variable.
    DependenceOut,
    /// What comes before the strands of a work-shared construct on one thread, by its number.
    ChunkStart,
    /// Ends of those strands.
    ChunkEnd,
    /// Strands that one thread runs, whichever that is, by a hash of the constructs that the thread went through, the
    /// schedule and which strand.
    SameThread,
    /// What asked for the number of its thread, by that of the thread.
    ThreadNumber,
    /// Blocks of memory that were freed, by a hash of their addresses.
    Block,
    /// Creation of a thread, by its number.
    ThreadStart = ACQUIRED_ONCE,
    /// End of a thread, by its number.
    ThreadEnd,
    /// Creation of a task, by its number.
    TaskStart,
    /// End of a task that its creator waits for, by its number.
    TaskEnd,
    /// An implicit task goes on as a strand of its own, by a number.
    StrandStart,
    /// It was that strand for the last time.
    StrandEnd,
}

/// A mutex, spin lock, semaphore or barrier of any interface, or what writers did under a read-write lock.
pub(super) fn lock<T>(address: *const T) -> ObjectId {
    ObjectId(address as usize as u64)
}

/// What readers did under a read-write lock, which has more bytes than one.
pub(super) fn read_lock<T>(address: *const T) -> ObjectId {
    ObjectId(address as usize as u64 + 1)
}

/// Whether the object lies in window memory.
pub(super) fn is_in_window(object: ObjectId) -> bool {
    object.0 >> BITS < FIRST_KIND && memory::is_of_window(object.0)
}

impl Kind {
    /// The object of this kind at an address.
    pub(super) fn at<T>(self, address: *const T) -> ObjectId {
        self.number(address as usize as u64)
    }

    /// The object of this kind with a number.
    pub(super) fn number(self, number: u64) -> ObjectId {
        ObjectId((self as u64) << BITS | number & ((1 << BITS) - 1))
    }

    /// The object of this kind that all of `words` tell apart from others.
    pub(super) fn hash(self, words: impl IntoIterator<Item = u64>) -> ObjectId {
        self.number(mix(0, words))
    }
}
