//! The rules that a finding can break: stable ids, titles, and where the standard says so.

use serde::{Deserialize, Serialize};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Defined only under an assumption that the report names.
    Warning,
    /// Undefined or erroneous by the standard.
    Error,
}

impl Severity {
    /// The word for it, as it stands in every format: `warning`, `error`.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $variant:ident = $id:literal, $severity:ident, $source:literal, $title:literal;)*) => {
        /// What was broken.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Rule { $($(#[$doc])* #[serde(rename = $id)] $variant,)* }

        impl Rule {
            /// All rules, in the order of their ids' groups.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),*];
            /// The stable id, as it stands in reports and suppression files.
            pub fn id(self) -> &'static str { match self { $(Rule::$variant => $id),* } }
            /// The rule with this id.
            pub fn from_id(id: &str) -> Option<Rule> { Self::ALL.iter().copied().find(|rule| rule.id() == id) }
            /// One line for people.
            pub fn title(self) -> &'static str { match self { $(Rule::$variant => $title),* } }
            /// Where the rule comes from, in all standards.
            pub fn source(self) -> &'static str { match self { $(Rule::$variant => $source),* } }
            /// How much it weighs.
            pub fn severity(self) -> Severity { match self { $(Rule::$variant => Severity::$severity),* } }
        }
    };
}

impl Rule {
    /// Whether it is about accesses that nothing orders.
    #[must_use]
    pub fn is_race(self) -> bool {
        matches!(
            self,
            Self::LocalRace | Self::RemoteRace | Self::AccumulateMismatch | Self::SharedMemoryRace
        )
    }
}

rules! {
    /// Two accesses at the origin of an operation conflict before its local completion.
    LocalRace = "local-race", Error, "MPI-4.1 §12.3, §12.7; OpenSHMEM 1.5 §9.6, §9.11; \
        GASPI 17.1 §8.2.1; Ait Kaci 2022, Table 3.1",
        "origin buffer used before the operation completed locally";
    /// Two accesses by different processes, or at a target, conflict and are unordered.
    RemoteRace = "remote-race", Error, "MPI-4.1 §12.7; OpenSHMEM 1.5 §9.11; \
        GASPI 17.1 §8.2.3, §8.3; Hoefler et al. 2014, §3.3; Ait Kaci 2022, Table 3.1",
        "conflicting accesses to window memory are not ordered";
    /// Concurrent accumulates that are not compatible: basic type, alignment or operator.
    AccumulateMismatch = "accumulate-mismatch", Error, "MPI-4.1 §12.7.1, §12.2.1 (accumulate_ops); \
        OpenSHMEM 1.5 §3.2; GASPI 17.1 §10",
        "concurrent accumulates differ in basic type, alignment or operator";
    /// A load polls for a remote update.
    Polling = "polling", Warning, "MPI-4.1 §12.7; OpenSHMEM 1.5 §9.10; GASPI 17.1 §8.3; \
        Hoefler et al. 2014, Fig. 8a",
        "polling with loads is defined only in the unified memory model";
    /// Direct loads and stores of two processes on shared window memory conflict.
    SharedMemoryRace = "shared-memory-race", Error, "MPI-4.1 §12.2.3",
        "unordered direct accesses to shared window memory by two processes";
    /// An operation without an epoch that covers its target.
    OutsideEpoch = "outside-epoch", Error, "MPI-4.1 §12.5",
        "operation outside an access epoch";
    /// A target that is not in the group given to `MPI_Win_start`, or is not locked.
    WrongTarget = "wrong-target", Error, "MPI-4.1 §12.5.2, §12.5.3",
        "the open epoch does not cover this target";
    /// A request form in an active target epoch.
    RequestOutsidePassive = "request-outside-passive", Error, "MPI-4.1 §12.3.4",
        "request-based operation outside a passive target epoch";
    /// Lock of a target that this process has locked already.
    DoubleLock = "double-lock", Error, "MPI-4.1 §12.5.3", "window locked twice by the same process";
    /// Unlock, complete, wait or flush without the call that it closes.
    UnmatchedClose = "unmatched-close", Error, "MPI-4.1 §12.5", "synchronisation call without the call that opens its \
        epoch";
    /// An epoch opened while one of another kind, or the same, is open.
    MixedEpochs = "mixed-epochs", Error, "MPI-4.1 §12.5", "epochs of different kinds overlap on one window";
    /// Post and start groups do not agree.
    GroupMismatch = "group-mismatch", Error, "MPI-4.1 §12.5.2", "groups of post and start do not match";
    /// An assertion given by the program does not hold.
    ViolatedAssertion = "violated-assertion", Error, "MPI-4.1 §12.5.5", "an assertion does not hold";
    /// Window freed with an epoch open or an operation pending.
    FreedInEpoch = "freed-in-epoch", Error, "MPI-4.1 §12.2.5; OpenSHMEM 1.5 §9.3.1",
        "window freed with an open epoch or a pending operation";
    /// Finalize with an epoch open or an operation pending.
    FinalizedInEpoch = "finalized-in-epoch", Error, "MPI-4.1 §11.2.2, §12.5; GASPI 17.1 §5.3.3",
        "the library is finalised with an open epoch or a pending operation";
    /// No process has the number of the target.
    InvalidTarget = "invalid-target", Error, "MPI-4.1 §12.3; OpenSHMEM 1.5 §9.6, annex C", "no process has the number of the target";
    /// An argument is not one that the call takes.
    InvalidArgument = "invalid-argument", Error, "MPI-4.1 §12.2, §12.3, §12.5; OpenSHMEM 1.5 §9.4, §9.5",
        "an argument is not one that the call takes";
    /// An address that is not that of symmetric memory.
    NotSymmetric = "not-symmetric", Error, "OpenSHMEM 1.5 §3, annex C", "an argument is not in symmetric memory";
    /// Memory that was freed is used.
    UseAfterFree = "use-after-free", Error, "OpenSHMEM 1.5 §9.3.1", "symmetric memory used after it was freed";
    /// What is freed is no allocation, or not any more.
    InvalidFree = "invalid-free", Error, "MPI-4.1 §12.2.4, §12.2.5; OpenSHMEM 1.5 §9.3.1", "memory is freed that must \
        not be";
    /// Arguments of one call overlap, and one of them is written.
    OverlappingArguments = "overlapping-arguments", Error, "OpenSHMEM 1.5 §4.2, §9.8, §9.9", "arguments of one call \
        overlap, and one of them is written";
    /// A lock is set by its holder, or cleared by another.
    InvalidLock = "invalid-lock", Error, "OpenSHMEM 1.5 §9.12", "lock set by its holder, or cleared by another";
    /// A call before the library is initialised, or after it is finalised.
    OutsideLibrary = "outside-library", Error, "OpenSHMEM 1.5 §9.1.1, §9.1.4", "call before the library is \
        initialised, or after it is finalised";
    /// A thread calls MPI that may not, or not then.
    ThreadLevel = "thread-level", Error, "MPI-4.1 §11.6.2", "a thread calls MPI that may not by the level of thread \
        support, or not then";
    /// The target range leaves the target's window.
    OutOfRange = "out-of-range", Error, "MPI-4.1 §12.3; OpenSHMEM 1.5 §3, annex C", "target range lies outside the target's window";
    /// Dynamic window memory used or detached without being attached, or attached twice.
    UnmatchedAttach = "unmatched-attach", Error, "MPI-4.1 §12.2.4", "memory of a dynamic window is not attached, or \
        attached twice";
    /// A collective call on the window was not made by all, or in another order.
    CollectiveMismatch = "collective-mismatch", Error, "MPI-4.1 §12.5.1; OpenSHMEM 1.5 §9.3.1, §9.9; \
        GASPI 17.1 §11",
        "collective calls do not match";
    /// A notification is set again before the last setting is known to have been taken.
    LostNotification = "lost-notification", Warning, "GASPI 17.1 §8.3.1, §8.3.3",
        "a notification may overwrite one that was not reset";
    /// The library did not do what a call asks for.
    RefusedCall = "refused-call", Error, "GASPI 17.1 §4.1, §8.2.1",
        "a call was refused, and did nothing";
    /// Processes wait for each other.
    Deadlock = "deadlock", Error, "MPI-4.1 §12.5, §12.7.3; OpenSHMEM 1.5 §9.9, §9.10, §9.12; \
        GASPI 17.1 §8.3.2, §9, §11", "processes wait for each other in a cycle";
}
