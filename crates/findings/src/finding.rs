//! One finding, and all that belongs to it.

use crate::gap::Gap;
use crate::given::GivenInputs;
use crate::litmus_test::LitmusTest;
use crate::place::{Frame, Place, shown_frame};
use crate::proof::Proof;
use crate::ranks::Ranks;
use crate::rule::{Rule, Severity};
use crate::scene::Scene;
use crate::stand::{Stand, Stretch};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One broken rule, with everything that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Deterministic id: same rule and same places, same id.
    pub id: String,
    /// The rule.
    pub rule: Rule,
    /// The id of what explains it; see [`Cause`](crate::Cause).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Its weight.
    pub severity: Severity,
    /// One sentence: what is wrong here.
    pub message: String,
    /// Whether it is possible at most: only some ways through the program have it, and nothing says that it goes there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub possible: bool,
    /// The command line with which it was found, in words, where the analysis made that itself; none if it needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// The inputs with which it was found, where the analysis worked them out; a run with them does what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<GivenInputs>,
    /// The matches of receives from any source with which a run found it (`farside check --replay`); none if it was
    /// found in the first run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    /// Whether it was found only where processes went on in another order than that of their ranks (`farside lint`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub other_order: bool,
    /// With how many processes on a node it was found, if not all of them were on one (`farside lint`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_node: Option<u32>,
    /// The accesses or calls that are involved; a race has two, in the order in which they were seen.
    pub parties: Vec<Party>,
    /// The window, if one is involved: the name that the program gave it, else the variable that holds it, else where
    /// it was created.
    pub window: Option<String>,
    /// How the window was made, if `window` is the name of a variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<Creation>,
    /// The bytes in common, at the process that owns them.
    pub bytes: Option<ByteRange>,
    /// For races: why the two are unordered.
    pub missing: Option<MissingOrder>,
    /// What to do.
    pub suggestion: Option<Suggestion>,
    /// How often this pair of places was met.
    pub count: u64,
    /// The ranks that met it, on any side: those of `parties`, and of others like them. Empty if that was not counted.
    #[serde(default, skip_serializing_if = "Ranks::is_empty")]
    pub ranks: Ranks,
    /// What the ranks did around it.
    pub timeline: Option<Timeline>,
    /// For races: what took part in it. Not written.
    #[serde(skip)]
    pub scene: Option<Box<Scene>>,
    /// The litmus test that was made of it, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub litmus: Option<LitmusTest>,
}

impl Finding {
    /// Where its rule comes from: of several standards, those of its calls.
    pub fn source(&self) -> String {
        const STANDARDS: [(&str, &str); 3] = [("MPI", "MPI_"), ("OpenSHMEM", "shmem_"), ("GASPI", "gaspi_")];
        let is_called = |prefix: &str| {
            self.parties
                .iter()
                .any(|party| party.operation.starts_with(prefix))
        };
        let mut own: Vec<&str> = STANDARDS
            .iter()
            .filter(|(_, prefix)| is_called(prefix))
            .map(|(name, _)| *name)
            .collect();
        if own.is_empty() {
            // The crate `farside` has the rules of MPI.
            own.push("MPI");
        }
        let clauses: Vec<&str> = self.rule.source().split("; ").collect();
        let is_of = |clause: &str, names: &[&str]| names.iter().any(|name| clause.starts_with(name));
        let is_told = |clause: &&str| is_of(clause, &own) || !is_of(clause, &STANDARDS.map(|(name, _)| name));
        match clauses.iter().any(|clause| is_of(clause, &own)) {
            true => clauses.into_iter().filter(is_told).collect::<Vec<_>>().join("; "),
            false => self.rule.source().to_owned(),
        }
    }

    /// The window as reports show it: `win (MPI_Win_allocate at exchange.c:12)`, since many variables have that name.
    pub fn window_shown(&self) -> Option<String> {
        let window = self.window.as_ref()?;
        Some(match &self.created {
            Some(created) => format!("{window} ({created})"),
            None => window.clone(),
        })
    }
}

/// How a window was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Creation {
    /// `MPI_Win_allocate`, `MPI_Win_create`, ...
    pub call: String,
    /// Where.
    pub place: Place,
}

impl fmt::Display for Creation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}:{}", self.call, self.place.file, self.place.line)
    }
}

/// One side of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Party {
    /// `MPI_Put`, `LOAD`, `STORE`, `memcpy`, ...
    pub operation: String,
    /// What it does to the bytes in question: `reads`, `writes`, `updates`; empty for calls that touch none.
    pub effect: String,
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Where it ran, if the program ran on several hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Thread within the process.
    pub thread: u32,
    /// Part of the thread's work that OpenMP does not order with others: a section, a chunk of a loop, a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strand: Option<u32>,
    /// Target rank, for communication calls.
    pub target: Option<u32>,
    /// The stack, innermost first, with a note at the frame to look at if one has a place. Empty if it is not known.
    pub stack: Vec<Frame>,
}

impl Party {
    /// The place to look at: that of the frame to look at.
    pub fn place(&self) -> Option<&Place> {
        self.stack.get(self.shown()?)?.place.as_ref()
    }

    /// The index in the stack of the frame to look at; see [`shown_frame`].
    pub fn shown(&self) -> Option<usize> {
        shown_frame(&self.stack)
    }

    /// The function of a library between the program and MPI that the program called.
    pub fn layer(&self) -> Option<&str> {
        let called = self.stack.get(self.shown()?.checked_sub(1)?)?;
        called.function.as_deref()
    }
}

/// A range of bytes in the memory of one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ByteRange {
    /// Rank that owns the memory.
    pub rank: u32,
    /// First byte: offset in the window if there is one, else the address.
    pub start: u64,
    /// End, exclusive.
    pub end: u64,
    /// Whether `start` and `end` count from the window's base.
    pub in_window: bool,
    /// Variable or allocation, where known: `halo (global)`, `window memory`.
    pub variable: Option<String>,
}

/// Why two accesses are unordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MissingOrder {
    /// No chain of synchronisation leads from the first to the second.
    pub happens_before: bool,
    /// The first is not completed (locally, or at the target) before the second.
    pub consistency_order: bool,
    /// In words.
    pub explanation: String,
}

/// A change that would repair it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// What to do with `call`.
    #[serde(default)]
    pub action: Action,
    /// The code to insert, to put in the place of other code, or to move: `MPI_Win_flush(1, win)`. Empty if words say
    /// all.
    pub call: String,
    /// For a replacement: the code that is there now, `MPI_MODE_NOPUT | MPI_MODE_NOSTORE`; [`GIVEN`] if the events do
    /// not tell how it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// Where, in words: `after main.c:54 and before main.c:56, on rank 0`.
    pub position: String,
    /// The place of what is to be replaced or moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// The place after which the call belongs.
    pub after: Option<Place>,
    /// The place before which the call belongs.
    pub before: Option<Place>,
    /// What one thread at a time is to execute, of all these: the call is a lock, taken before each and given back
    /// after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// What came of trying it in the events of the run; none if that was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// For what was verified in part: percent of the run's events that were judged, the first ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<u8>,
    /// For each call that was tried and helps, where in the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stands: Vec<Stand>,
    /// Nanoseconds that it costs each time that its place is passed, by the table of costs; none if it was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// What helps as well, dearer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Suggestion>,
    /// For calls that give an order which is missing between two accesses: where, and what. Not written.
    #[serde(skip)]
    pub gap: Option<Box<Gap>>,
}

/// An argument of a call, however it is written.
pub const GIVEN: &str = "what it is given";

impl Suggestion {
    /// Whether both change the text at the same places by the same calls, whatever numbers these are given: one text
    /// calls them for each of several targets.
    #[must_use]
    pub fn changes_alike(&self, other: &Self) -> bool {
        let names = |one: &Self| -> Vec<String> {
            let calls = one.call.split("; ");
            calls
                .map(|call| call.split('(').next().unwrap_or(call).to_owned())
                .collect()
        };
        let what = |one: &Self| (one.action, one.instead_of.clone(), names(one));
        let places = |one: &Self| [&one.at, &one.after, &one.before].map(Clone::clone);
        !self.call.is_empty() && what(self) == what(other) && places(self) == places(other)
    }

    /// Whether both read the same: the places of what they change may differ within a line.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        (self.action, &self.call, &self.instead_of, &self.position)
            == (other.action, &other.call, &other.instead_of, &other.position)
    }

    /// The call that it inserts helps, too, where another one that reads the same was tried.
    pub fn stand_also(&mut self, other: Self) {
        let is_of_one = self.action == Action::Insert && self.proof == other.proof;
        if let ([own], [other]) = (self.stands.as_mut_slice(), other.stands.as_slice())
            && is_of_one
            && own.call == other.call
        {
            let new = other.stretches.iter();
            let new: Vec<Stretch> = new.filter(|one| !own.stretches.contains(one)).cloned().collect();
            own.stretches.extend(new);
        }
    }

    /// The places that it names.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let ends = self
            .sections
            .iter()
            .flat_map(|section| [&section.from, &section.to]);
        [&self.at, &self.after, &self.before]
            .into_iter()
            .flatten()
            .chain(ends)
    }

    /// What is left of it and of what helps as well, without some; `None` if nothing changes, or nothing is left.
    #[must_use]
    pub fn without(&self, is_left_out: impl Fn(&Self) -> bool) -> Option<Self> {
        let all = std::iter::once(self).chain(&self.others);
        let mut kept = all.filter(|one| !is_left_out(one));
        let first = kept.next()?;
        let others: Vec<Self> = kept.cloned().collect();
        let changes = others.len() < self.others.len();
        changes.then(|| Self {
            others,
            gap: self.gap.clone(),
            ..first.clone()
        })
    }
}

/// Statements of a function that follow one another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Section {
    /// What the first one does.
    pub from: Place,
    /// What the last one does.
    pub to: Place,
}

/// What to do with the code of a suggestion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Add it.
    #[default]
    Insert,
    /// Write it in the place of other code.
    Replace,
    /// It is there, but in the wrong place.
    Move,
    /// It is there, and should not be.
    Remove,
}

/// A change of a source: a text in the place of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub file: String,
    /// Line and column, from 1, of the first character that goes; columns count characters.
    pub from: (u32, u32),
    /// Line and column after the last one; equal to `from` if text is only added.
    pub to: (u32, u32),
    /// What stands there afterwards.
    pub text: String,
}

/// What the ranks concerned did around a finding, in the order in which it was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timeline {
    /// One lane a rank.
    pub lanes: Vec<Lane>,
    /// Orders between events of different lanes that do exist (message, lock, fence).
    pub arrows: Vec<Arrow>,
}

/// The events of one rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lane {
    /// The rank.
    pub rank: u32,
    /// Where it ran, if the program ran on several hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Its events, by `order`.
    pub events: Vec<LaneEvent>,
}

/// One event in a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LaneEvent {
    /// Position in the order of all events of the timeline; for drawing, equal steps.
    pub order: u32,
    /// `MPI_Win_fence`, `MPI_Put to 1`, `STORE`.
    pub label: String,
    /// Where, if known.
    pub place: Option<Place>,
    /// Index of the party of the finding that this is, if any.
    pub party: Option<u32>,
    /// For operations: the `order` at which it was complete; `None` if it stays open. Other events leave it `None`.
    pub open_until: Option<u32>,
}

/// An order that exists between two lanes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Arrow {
    /// Rank and `order` where it starts.
    pub from: (u32, u32),
    /// Rank and `order` where it ends.
    pub to: (u32, u32),
    /// `message`, `fence`, `lock`, `post`, ...
    pub label: String,
}
