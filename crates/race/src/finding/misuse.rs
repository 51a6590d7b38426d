//! Calls that are used as they must not be. The parties of the finding say who and where; what is here are the other
//! arguments of its sentence.

use super::{CallKind, Name};
use farside_events::{Mistake, Rank, ThreadLevel};
use farside_findings::Rule;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What is wrong with a call. "First" and "second" are parties of the finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Misuse {
    /// An operation outside any access epoch.
    OutsideEpoch,
    /// An operation with a request in an epoch of active target synchronisation.
    RequestOutsidePassive,
    /// An operation to a target that its access epoch, opened by the second, does not cover.
    WrongTarget,
    /// The end of an epoch that none of these calls has opened.
    UnmatchedClose(Cow<'static, [CallKind]>),
    /// The first overlaps an epoch that the second opened.
    MixedEpochs,
    /// The second locks the window of `target`, which the first exposes.
    LocksExposed {
        /// Whose window it is.
        target: Rank,
    },
    /// The second exposes a window that the first has locked.
    ExposesLocked,
    /// The same lock twice.
    DoubleLock,
    /// An operation after a fence with `MPI_MODE_NOSUCCEED`.
    NotSucceeded,
    /// An operation that is pending at a fence with `MPI_MODE_NOPRECEDE`.
    NotPreceded,
    /// An update in an epoch that the second opened with `MPI_MODE_NOPUT`.
    NotPut,
    /// A store before the second, which gives `MPI_MODE_NOSTORE`.
    NotStored,
    /// Processes disagree on `MPI_MODE_NOPRECEDE` or `MPI_MODE_NOSUCCEED` at one fence.
    FencesDisagree,
    /// One of a start (the first) and the post that it meets (the second) gives `MPI_MODE_NOCHECK`, the other does not.
    NoCheckOfOne {
        /// It is the post that gives it.
        by_post: bool,
    },
    /// A start with `MPI_MODE_NOCHECK` before the post of `target` is known to have been called.
    NoCheckTooEarly {
        /// Who posts.
        target: Rank,
    },
    /// Locks of two processes that exclude each other at the same time, one with `MPI_MODE_NOCHECK`.
    NoCheckOfLocks([Rank; 2]),
    /// A lock of a window whose info says that nobody locks it.
    NoLocks,
    /// Collective calls of two threads of a process on one communicator at the same time.
    Concurrent,
    /// The first is made by a thread that may not by this level, which the second has.
    ByAnotherThread(ThreadLevel),
    /// Two threads call MPI, and nothing orders the calls, where one may at a time.
    NotSerialized,
    /// Different units of two processes whose infos say that they are the same.
    UnlikeUnits([u32; 2]),
    /// The second frees the window while something of the first is open.
    FreedWhileOpen(Open),
    /// The second ends the process while something of the first is open.
    FinalizedWhileOpen(Open),
    /// A start that no post meets.
    NotPosted {
        /// Who starts.
        origin: Rank,
        /// Who does not post.
        target: Rank,
    },
    /// A post that no start meets.
    NotStarted {
        /// Who does not start.
        origin: Rank,
        /// Who posts.
        target: Rank,
    },
    /// Starts that wait for each other where each waits for its posts, which it may.
    StartsWait {
        /// Who waits for whom: the parties of starts, and the processes that post after the next of them.
        waits: Vec<[Rank; 2]>,
    },
    /// Memory that is attached already.
    AttachedTwice,
    /// The end of an attachment that is none.
    NotAttached,
    /// An operation to memory that is not attached.
    ToUnattached {
        /// First address.
        start: u64,
        /// End, exclusive.
        end: u64,
    },
    /// An operation to memory that is attached, which nothing orders after that.
    ToAttachedUnknown {
        /// First address.
        start: u64,
        /// End, exclusive.
        end: u64,
    },
    /// An operation to memory that its target detaches, which nothing orders after it.
    ToDetached {
        /// First address.
        start: u64,
        /// End, exclusive.
        end: u64,
    },
    /// An operation to memory that its target has detached before.
    AfterDetach {
        /// First address.
        start: u64,
        /// End, exclusive.
        end: u64,
    },
    /// An operation to bytes beyond the target's part of the window.
    BeyondWindow {
        /// Offset of the first byte.
        start: i64,
        /// End, exclusive.
        end: i64,
        /// Bytes of the part.
        size: u64,
    },
    /// A negative count.
    NegativeCount(i64),
    /// The second sets a flag of its target that the first set before, and it is not known that it was taken.
    LostNotification {
        /// The number of the flag.
        number: u32,
        /// Whose it is.
        of: Rank,
    },
    /// The first loads or stores what the second has freed (OpenSHMEM 1.5 §9.3.1).
    UsedAfterFree,
    /// What the process of the first party alone can break; the second made it wrong, if it is there.
    Mistaken(Mistake),
    /// The parties give an argument of one collective call different values.
    Unequal {
        /// Its name.
        argument: String,
        /// What the first and the second give.
        values: [u64; 2],
    },
    /// The parties make different calls where all make the same.
    UnlikeCalls,
    /// Processes that wait for each other for ever.
    Deadlock {
        /// Who waits for whom.
        waits: Vec<Wait>,
        /// The one who is waited for has ended.
        ended: bool,
        /// All of them wait in collective calls.
        collective: bool,
    },
}

/// What is open at the end of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Open {
    /// An epoch that the first party opened.
    Epoch,
    /// An operation.
    Operation,
    /// The request of an operation.
    Request,
}

/// A process that waits for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// Who waits.
    pub rank: Rank,
    /// In which call.
    pub call: Name,
    /// For whom.
    pub whom: Rank,
}

impl Misuse {
    /// The rule that it breaks.
    pub fn rule(&self) -> Rule {
        match self {
            Self::OutsideEpoch => Rule::OutsideEpoch,
            Self::RequestOutsidePassive => Rule::RequestOutsidePassive,
            Self::WrongTarget => Rule::WrongTarget,
            Self::UnmatchedClose(_) => Rule::UnmatchedClose,
            Self::MixedEpochs | Self::LocksExposed { .. } | Self::ExposesLocked => Rule::MixedEpochs,
            Self::DoubleLock => Rule::DoubleLock,
            Self::NotSucceeded
            | Self::NotPreceded
            | Self::NotPut
            | Self::NotStored
            | Self::FencesDisagree
            | Self::NoCheckOfOne { .. }
            | Self::NoCheckTooEarly { .. }
            | Self::NoCheckOfLocks(_)
            | Self::NoLocks
            | Self::UnlikeUnits(_) => Rule::ViolatedAssertion,
            Self::ByAnotherThread(_) | Self::NotSerialized => Rule::ThreadLevel,
            Self::FreedWhileOpen(_) => Rule::FreedInEpoch,
            Self::FinalizedWhileOpen(_) => Rule::FinalizedInEpoch,
            Self::NotPosted { .. } | Self::NotStarted { .. } => Rule::GroupMismatch,
            Self::AttachedTwice
            | Self::NotAttached
            | Self::ToUnattached { .. }
            | Self::ToAttachedUnknown { .. }
            | Self::ToDetached { .. }
            | Self::AfterDetach { .. } => Rule::UnmatchedAttach,
            Self::BeyondWindow { .. } | Self::NegativeCount(_) => Rule::OutOfRange,
            Self::LostNotification { .. } => Rule::LostNotification,
            Self::UsedAfterFree => Rule::UseAfterFree,
            Self::Mistaken(mistake) => match mistake {
                Mistake::Target { .. } => Rule::InvalidTarget,
                Mistake::NotSymmetric { .. } => Rule::NotSymmetric,
                Mistake::Beyond { .. } => Rule::OutOfRange,
                Mistake::Freed { .. } => Rule::UseAfterFree,
                Mistake::NotAllocated | Mistake::FreedTwice | Mistake::OfWindow => Rule::InvalidFree,
                Mistake::Overlap { .. } => Rule::OverlappingArguments,
                Mistake::LockHeld | Mistake::LockNotHeld | Mistake::OnLock { .. } => Rule::InvalidLock,
                Mistake::Refused { .. } => Rule::RefusedCall,
                Mistake::Argument { .. } | Mistake::Destroyed { .. } => Rule::InvalidArgument,
                Mistake::BeforeInit | Mistake::AfterFinalize => Rule::OutsideLibrary,
            },
            Self::Unequal { .. } | Self::UnlikeCalls | Self::Concurrent => Rule::CollectiveMismatch,
            Self::Deadlock { collective: true, .. } => Rule::CollectiveMismatch,
            Self::Deadlock { .. } | Self::StartsWait { .. } => Rule::Deadlock,
        }
    }
}
