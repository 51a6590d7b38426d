//! Identities as types of their own, so that a rank is never taken for a thread.

use serde::{Deserialize, Serialize};

macro_rules! identity {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $inner);
    };
}

identity! {
    /// A process, by its rank in `MPI_COMM_WORLD`. Every rank in an event is already translated to this.
    Rank(u32)
}
identity! {
    /// A thread within one process, or a strand of one (see [`ThreadId::strand`]); 0 is the thread that initialised
    /// MPI.
    ThreadId(u32)
}
identity! {
    /// A communicator, equal on all of its members (built from its parent, its members and its place in program order).
    CommId(u64)
}
identity! {
    /// A window, equal on all processes of its group.
    WinId(u64)
}
identity! {
    /// A datatype as one process uses it; defined by an [`crate::EventKind::Type`] before its first use. Never reused.
    TypeId(u32)
}
identity! {
    /// A call stack of one process; defined by an [`crate::EventKind::Stack`] before or after its first use.
    /// 0 is "not known".
    StackId(u64)
}
identity! {
    /// A request of one process, unique over the run (handles are reused by MPI, these are not).
    RequestId(u64)
}
identity! {
    /// A sequence of operations of one process that is completed and ordered by itself: a context of OpenSHMEM, a queue
    /// of GASPI. Never reused.
    #[derive(Default)]
    ChannelId(u32)
}
identity! {
    /// A posted receive of one process, counted in posting order.
    PostId(u64)
}
identity! {
    /// A communication call of one process, counted in issue order over all its threads.
    OperationId(u64)
}
identity! {
    /// Something that orders the threads of one process: a mutex, a barrier, an atomic variable, a task. The number of
    /// one that lies in window memory is its address: it orders all processes that have mapped this memory.
    ObjectId(u64)
}

impl OperationId {
    /// Set in the number of an operation that stands for a lock of OpenSHMEM (1.5 §9.12): a word of the first process
    /// that whoever clears the lock changes (a sum), and whoever sets it reads.
    const OF_LOCK: u64 = 1 << 63;

    /// An operation that stands for a lock; no other one has its number.
    #[must_use]
    pub const fn of_lock(number: u64) -> Self {
        Self(Self::OF_LOCK | number)
    }

    /// Whether it stands for a lock.
    #[must_use]
    pub const fn is_of_lock(self) -> bool {
        self.0 & Self::OF_LOCK != 0
    }
}

impl ObjectId {
    /// Set in the number of an object that is acquired once at most, such as the end of a thread or the creation of a
    /// task. After that it can be forgotten.
    pub const ACQUIRED_ONCE: u64 = 1 << 63;

    /// Whether the object can be forgotten after its first acquire.
    pub const fn is_acquired_once(self) -> bool {
        self.0 & Self::ACQUIRED_ONCE != 0
    }
}

impl ThreadId {
    const THREAD_BITS: u32 = 24;
    const THREADS: u32 = (1 << Self::THREAD_BITS) - 1;

    /// A strand of a thread: a part of what the thread runs that its language does not order after the parts that the
    /// same thread ran before, such as a task or a section of OpenMP. Strands count from 1; strand 0 is the thread.
    #[must_use]
    pub const fn strand(self, number: u8) -> Self {
        Self(self.0 & Self::THREADS | (number as u32) << Self::THREAD_BITS)
    }

    /// The thread that runs it.
    #[must_use]
    pub const fn thread(self) -> Self {
        self.strand(0)
    }

    /// Which strand of its thread it is; 0 is the thread.
    pub const fn strand_number(self) -> u8 {
        (self.0 >> Self::THREAD_BITS) as u8
    }

    /// Whether it is a strand of a thread.
    pub const fn is_strand(self) -> bool {
        self.0 > Self::THREADS
    }
}

impl ChannelId {
    /// The only one where an interface has none, and the default context of OpenSHMEM.
    pub const DEFAULT: Self = Self(0);
}

impl StackId {
    /// The stack that nobody recorded.
    pub const UNKNOWN: Self = Self(0);
}
