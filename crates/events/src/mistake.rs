//! Rules of calls that one process alone can break.

use serde::{Deserialize, Serialize};

/// What is wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mistake {
    /// No process has the number of its target; there are so many (OpenSHMEM 1.5 §9.6, annex C).
    Target {
        /// The number that was given.
        number: i32,
        /// Processes of the job.
        processes: u32,
    },
    /// An argument is not an address of symmetric memory (§3).
    NotSymmetric {
        /// Its name in the standard.
        argument: Box<str>,
    },
    /// An argument reaches beyond its symmetric object.
    Beyond {
        /// Its name in the standard.
        argument: Box<str>,
        /// First byte, from the beginning of the object.
        start: u64,
        /// End, exclusive.
        end: u64,
        /// Bytes of the object.
        size: u64,
    },
    /// An argument lies in memory that the earlier call has freed (§9.3).
    Freed {
        /// Its name in the standard.
        argument: Box<str>,
    },
    /// What is freed is not the beginning of an allocation.
    NotAllocated,
    /// What is freed was freed by the earlier call.
    FreedTwice,
    /// What ends is memory that a window has since the earlier call (MPI-4.1 §12.2.4, §12.2.5).
    OfWindow,
    /// Two arguments overlap, and one of them is written (§4.2).
    Overlap {
        /// Their names in the standard.
        arguments: [Box<str>; 2],
    },
    /// A lock is set by the thread that has it since the earlier call (§9.12).
    LockHeld,
    /// A lock is cleared by a process that does not have it.
    LockNotHeld,
    /// The library has not done what it asks for; the reason follows the name of the call in a sentence (GASPI 17.1
    /// §4.1).
    Refused {
        /// The reason.
        reason: Box<str>,
        /// Which argument it does not take, and which value it would have taken, where one is nearer than others.
        nearest: Option<Nearest>,
    },
    /// An argument is not one that the call takes (MPI-4.1 §12.2, §12.3, §12.5).
    Argument {
        /// Its name in the standard.
        argument: Box<str>,
        /// What is wrong with it.
        fault: Fault,
    },
    /// A context or a team that the earlier call has destroyed (§9.4, §9.5).
    Destroyed {
        /// Its name in the standard.
        argument: Box<str>,
    },
    /// Before the library is initialised (§9.1.1).
    BeforeInit,
    /// After the library is finalised (§9.1.4).
    AfterFinalize,
    /// An argument is the word of a lock that the process has since the earlier call: only calls on locks may change it
    /// (§9.12).
    OnLock {
        /// Its name in the standard.
        argument: Box<str>,
    },
}

/// Why a call of MPI does not take an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// A handle that stands for no object, as `MPI_DATATYPE_NULL` and `MPI_WIN_NULL`.
    NoObject,
    /// A derived datatype that was not committed (MPI-4.1 §5.1.9).
    NotCommitted,
    /// A datatype that is none of C integer, Fortran integer, logical, multi-language types and byte (§12.3.5).
    NotComparable,
    /// A derived datatype, where only predefined ones are allowed (§12.3.4).
    Derived,
    /// A datatype made of basic types of several kinds, where only one is allowed (§12.3.4).
    MixedTypes,
    /// An operator that the datatype does not have (§6.9.2, §6.9.4).
    NotForType,
    /// An operator of the program's own, or none (§12.3.4).
    NotPredefined,
    /// `MPI_NO_OP`, where nothing is fetched (§12.3.4).
    NothingFetched,
    /// The address 0, where so many bytes are.
    NoMemory {
        /// How many.
        bytes: u64,
    },
    /// It is negative.
    Negative(i64),
    /// It is not positive.
    NotPositive(i64),
    /// It is neither `MPI_LOCK_EXCLUSIVE` nor `MPI_LOCK_SHARED` (§12.5.3).
    NoLock(i32),
    /// It has assertions that the call does not take (§12.5.5).
    NoAssertion(i32),
    /// So many bytes are asked for from there on, and its object has fewer (§12.2.1).
    Beyond {
        /// Bytes that are asked for.
        asked: u64,
        /// Bytes that there are.
        left: u64,
    },
    /// It is made of another basic type than that of the other side (§12.3.1, §12.3.4, §3.3.1).
    UnlikeTypes,
    /// What is moved there is more than it holds (§12.3.1, §3.3.1).
    TooSmall {
        /// Bytes that are moved.
        moved: u64,
        /// Bytes that it holds.
        room: u64,
    },
}

impl Fault {
    /// Whether it is clear nevertheless which bytes the call would read and write.
    pub fn leaves_bytes_clear(self) -> bool {
        matches!(
            self,
            Self::NotComparable
                | Self::Derived
                | Self::MixedTypes
                | Self::NotForType
                | Self::NotPredefined
                | Self::UnlikeTypes
        )
    }
}

/// An argument that a library does not take, and the nearest value that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nearest {
    argument: GaspiArgument,
    given: u64,
    right: u64,
}

/// An argument of a call of GASPI that is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GaspiArgument {
    /// Of an atomic operation.
    Offset,
    /// Where in its segment the range of this rank begins.
    LocalOffset,
    /// Where in its segment the range of the other rank begins.
    RemoteOffset,
    /// Bytes of a range.
    Size,
    /// The number of a queue.
    Queue,
    /// The number of a notification.
    NotificationId,
    /// What a notification is set to.
    NotificationValue,
}

impl Nearest {
    /// The value that an argument has, and the one that the library would take; `None` if these are the same.
    #[must_use]
    pub fn new(argument: GaspiArgument, given: u64, right: u64) -> Option<Self> {
        (given != right).then_some(Self {
            argument,
            given,
            right,
        })
    }

    /// Which argument it is.
    #[must_use]
    pub fn argument(&self) -> GaspiArgument {
        self.argument
    }

    /// The value that it has.
    #[must_use]
    pub fn given(&self) -> u64 {
        self.given
    }

    /// The nearest one that the library takes.
    #[must_use]
    pub fn right(&self) -> u64 {
        self.right
    }
}

impl GaspiArgument {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Offset,
        Self::LocalOffset,
        Self::RemoteOffset,
        Self::Size,
        Self::Queue,
        Self::NotificationId,
        Self::NotificationValue,
    ];

    /// Its name in the standard.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Offset => "offset",
            Self::LocalOffset => "offset_local",
            Self::RemoteOffset => "offset_remote",
            Self::Size => "size",
            Self::Queue => "queue",
            Self::NotificationId => "notification_id",
            Self::NotificationValue => "notification_value",
        }
    }
}
