//! What the detector found, before code addresses become source places.

use farside_events::{Rank, StackId, ThreadId, WinId};
use farside_findings::{ByteRange, MissingOrder, Rule};

/// A broken rule, with code addresses instead of source places.
#[derive(Clone, Debug, PartialEq)]
pub struct RawFinding {
    /// The rule.
    pub rule: Rule,
    /// One sentence, without places.
    pub message: String,
    /// The accesses or calls involved, in the order in which they were seen.
    pub parties: Vec<RawParty>,
    /// The window, if one is involved.
    pub window: Option<WinId>,
    /// The bytes in common.
    pub bytes: Option<ByteRange>,
    /// Absolute address of the first of those bytes in the process that owns them (for naming a variable).
    pub address: Option<u64>,
    /// Why the two are unordered.
    pub missing: Option<MissingOrder>,
    /// What to do.
    pub suggestion: Option<RawSuggestion>,
    /// How often this pair of code places was met.
    pub count: u64,
    /// What the ranks did around it.
    pub timeline: Option<RawTimeline>,
}

/// One side of a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct RawParty {
    /// `MPI_Put`, `LOAD`, `memcpy`, ...
    pub operation: String,
    /// `reads`, `writes`, `updates`, or empty.
    pub effect: String,
    /// The thread.
    pub thread: ThreadId,
    /// The target, for communication calls.
    pub target: Option<Rank>,
    /// Where in the code.
    pub site: Site,
}

/// A place in the code of one process: the frames are `pc` (if any), then those of `stack`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The process.
    pub rank: Rank,
    /// Return address of an access callback; `None` for MPI calls, whose stack begins with the return address.
    pub pc: Option<u64>,
    /// The stack.
    pub stack: StackId,
}

/// A call to insert. Places are given by parties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawSuggestion {
    /// The call or calls as code, for the language of the C binding: `MPI_Win_flush(1, win)`.
    pub call: String,
    /// Index of the party after whose place it goes.
    pub after: Option<usize>,
    /// Index of the party before whose place it goes.
    pub before: Option<usize>,
    /// What to add in words (`on rank 0`, `together with a barrier`); may be empty.
    pub note: String,
}

/// What the ranks concerned did around a finding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawTimeline {
    /// Rank and its events, by `order`.
    pub lanes: Vec<(Rank, Vec<RawLaneEvent>)>,
    /// Existing orders between lanes.
    pub arrows: Vec<farside_findings::Arrow>,
}

/// One event in a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLaneEvent {
    /// Position in the order of all events of the timeline.
    pub order: u32,
    /// `MPI_Win_fence`, `MPI_Put to 1`, `STORE`.
    pub label: String,
    /// Where.
    pub site: Site,
    /// Index of the finding's party that this is.
    pub party: Option<u32>,
    /// For operations: where it was complete.
    pub open_until: Option<u32>,
}
