//! What the detector found, before code addresses become source places.

use farside_events::{Assertions, Rank, StackId, ThreadId, WinId};
use farside_findings::{Action, ByteRange, MissingOrder, Rule};

/// A broken rule, with code addresses instead of source places.
#[derive(Clone, Debug, PartialEq)]
pub struct RawFinding {
    /// The rule.
    pub rule: Rule,
    /// One sentence, without places.
    pub message: String,
    /// The accesses or calls involved; of a race, first the one that should come first.
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
    /// For races: the same told from the second party, if only the sources can say which comes first.
    pub turned: Option<Box<Turned>>,
}

/// How a race reads if its second party is the one that should come first.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// For each party of the finding, the call before it in which both processes met last: a round begins there.
    pub since: Option<[Site; 2]>,
    /// What the finding says then.
    pub told: Told,
}

/// What a race says in the order of its parties.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// One sentence, without places.
    pub message: String,
    /// Both accesses.
    pub parties: Vec<RawParty>,
    /// Why the two are unordered.
    pub missing: MissingOrder,
    /// What to do.
    pub suggestion: RawSuggestion,
}

impl RawFinding {
    /// Tells a race from its second party.
    pub(crate) fn turn(&mut self, told: Told) {
        self.message = told.message;
        self.parties = told.parties;
        self.missing = Some(told.missing);
        self.suggestion = Some(told.suggestion);
        let events = self.timeline.iter_mut().flat_map(|timeline| &mut timeline.lanes);
        for event in events.flat_map(|(_, events)| events) {
            event.party = event.party.map(|party| 1 - party.min(1));
        }
    }
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

/// A change of the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSuggestion {
    /// What to do with `call`.
    pub action: Action,
    /// The call or calls as code, for the language of the C binding: `MPI_Win_flush(1, win)`.
    pub call: String,
    /// For a replacement: the code that is there; `None` if it is what stands at `at`.
    pub instead_of: Option<String>,
    /// What is to be replaced, or moved.
    pub at: Option<Spot>,
    /// After what it goes.
    pub after: Option<Spot>,
    /// Before what it goes.
    pub before: Option<Spot>,
    /// Whether a loop leads from the one to the other; if that is not known, the sources tell.
    pub next_round: Option<bool>,
    /// What to add in words (`on rank 0`, `together with a barrier`); may be empty.
    pub note: String,
    /// What to do instead if in the sources what it goes after comes too late, after the second access of a race.
    pub otherwise: Option<Box<RawSuggestion>>,
}

/// A call or an access in the code, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Where.
    pub site: Site,
    /// `MPI_Put`, `LOAD`.
    pub name: String,
}

impl Spot {
    /// Where a party of a finding is.
    pub(crate) fn of(party: &RawParty) -> Self {
        Self {
            site: party.site,
            name: party.operation.clone(),
        }
    }
}

impl RawSuggestion {
    /// `call` is not there.
    pub(crate) fn insert(call: &str, after: Option<Spot>, before: Option<Spot>, note: &str) -> Self {
        Self {
            call: call.to_owned(),
            after,
            before,
            note: note.to_owned(),
            ..Self::default()
        }
    }

    /// `call` belongs in the place of other code.
    pub(crate) fn replace(call: &str, instead_of: Option<String>, at: Spot, note: &str) -> Self {
        Self {
            action: Action::Replace,
            call: call.to_owned(),
            instead_of,
            at: Some(at),
            note: note.to_owned(),
            ..Self::default()
        }
    }

    /// A call gives `given`, of which `wrong` does not hold.
    pub(crate) fn without(given: Assertions, wrong: Assertions, at: Spot, note: &str) -> Self {
        let right = Assertions {
            nocheck: given.nocheck && !wrong.nocheck,
            nostore: given.nostore && !wrong.nostore,
            noput: given.noput && !wrong.noput,
            noprecede: given.noprecede && !wrong.noprecede,
            nosucceed: given.nosucceed && !wrong.nosucceed,
        };
        Self::replace(&in_words(right), Some(in_words(given)), at, note)
    }
}

/// The argument as it is written in C: `MPI_MODE_NOPUT | MPI_MODE_NOSTORE`, or `0`.
fn in_words(assertions: Assertions) -> String {
    let names = [
        (assertions.nocheck, "MPI_MODE_NOCHECK"),
        (assertions.nostore, "MPI_MODE_NOSTORE"),
        (assertions.noput, "MPI_MODE_NOPUT"),
        (assertions.noprecede, "MPI_MODE_NOPRECEDE"),
        (assertions.nosucceed, "MPI_MODE_NOSUCCEED"),
    ];
    let given: Vec<&str> = names
        .iter()
        .filter(|(given, _)| *given)
        .map(|(_, name)| *name)
        .collect();
    if given.is_empty() {
        "0".to_owned()
    } else {
        given.join(" | ")
    }
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
