//! What took part in a race, in words from which a smaller program can be made: both accesses, the calls around them
//! that synchronise, and the repair. No names of an interface, no places.
//!
//! Not written into reports: what was made of it is ([`LitmusTest`](crate::LitmusTest)).

use serde::{Deserialize, Serialize};

/// A race without its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Whose calls they are.
    pub api: Api,
    /// The accesses, in the order of the finding's parties.
    pub accesses: [SceneAccess; 2],
    /// What each thread concerned did, one after the other.
    pub lanes: Vec<SceneLane>,
    /// What is to be done; none if it is told in words only.
    pub repair: Option<SceneRepair>,
}

/// Whose calls a scene is told in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Api {
    /// MPI, and the crate `farside`, whose windows are MPI's.
    #[default]
    Mpi,
    /// OpenSHMEM.
    Shmem,
    /// GASPI.
    Gaspi,
}

/// One of the two accesses of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneAccess {
    /// Whose.
    pub rank: u32,
    /// The operation that it is a side of; none for loads, stores and calls that access memory themselves.
    pub transfer: Option<Transfer>,
    /// Whether the bytes in question are at the operation's target.
    pub at_target: bool,
    /// Whether they are changed.
    pub writes: bool,
    /// Whether a processor's atomic instruction does it.
    pub atomic: bool,
}

/// A one-sided operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// Which.
    pub kind: TransferKind,
    /// Its target.
    pub target: u32,
    /// The epoch that it was issued in.
    pub epoch: Epoch,
    /// The queue or context that it was handed to.
    pub queue: u32,
    /// Its buffers are free when the call returns.
    pub blocking: bool,
    /// It leaves its target as it is.
    pub only_reads: bool,
}

/// Kinds of one-sided operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The variants are the names of the standard.
pub enum TransferKind {
    Put,
    Get,
    Accumulate,
    GetAccumulate,
    FetchAndOp,
    CompareAndSwap,
}

/// Kinds of access epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Epoch {
    /// Between fences.
    Fence,
    /// Between start and complete.
    Start,
    /// Under a lock of the target.
    Lock,
    /// Under a lock of all.
    LockAll,
}

/// What a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneLane {
    /// Its process.
    pub rank: u32,
    /// One after the other.
    pub acts: Vec<Act>,
}

/// One thing that a thread did, or shall do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// The access of this number.
    Access(u8),
    /// A call in which all meet; that of another lane with the same number is the same meeting.
    Barrier(u32),
    /// A fence; likewise.
    Fence {
        /// Which.
        meeting: u32,
        /// It waits for nobody.
        noprecede: bool,
    },
    /// Completion of operations.
    Flush {
        /// Of all targets if it is none.
        target: Option<u32>,
        /// At their origin only.
        local: bool,
        /// Of one queue or context only.
        queue: Option<u32>,
    },
    /// Private and public copy of a window are made one.
    Sync,
    /// The process of the other access learns, by way of messages or others, of all that was issued before.
    Tell,
    /// It has learned.
    Hear,
    /// The end of an access epoch of a group.
    Complete,
    /// The end of an exposure.
    Wait,
    /// The end of a lock, or of all.
    Unlock(Option<u32>),
    /// The request of this access is waited for.
    Completion(u8),
    /// Repairs only: a flag that says to a process that what was written before is there, and is seen by it.
    Notify(u32),
    /// Repairs only: an access epoch ends, and the exposure that it meets.
    CompleteAndWait,
    /// Repairs only: an access epoch ends, and another begins.
    CompleteAndStart,
    /// Repairs only: a fence that waits for the others, in the place of one that does not.
    WaitingFences,
    /// Repairs only: an atomic read in the place of a load.
    AtomicRead,
}

/// What is to be done about a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneRepair {
    /// What is added.
    pub acts: Vec<Act>,
    /// What is taken away: lane, and index in it.
    pub gone: Option<(usize, usize)>,
    /// After what it goes; if it is none, after the first access, or before the second if that is all that is known.
    pub after: Option<(usize, usize)>,
    /// It belongs to the process of the second access.
    pub at_second: bool,
}
