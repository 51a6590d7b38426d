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
    },
    /// Before the library is initialised (§9.1.1).
    BeforeInit,
    /// After the library is finalised (§9.1.4).
    AfterFinalize,
}
