//! What the detector found, as data: no words, and code addresses in the place of source places.
//!
//! [`crate::findings`] makes sentences and places of it.

mod advice;
mod argument;
mod candidates;
mod code;
mod in_words;
mod misuse;
mod name;
mod scene;

pub use advice::{RawSuggestion, Spot};
pub use argument::Argument;
pub(crate) use argument::{Reach, group, nearest_pe};
pub use candidates::{candidates, candidates_between_rounds, is_misplaced, superfluous_calls};
pub use code::{Code, Note};
pub use farside_events::CallKind;
pub use misuse::{Misuse, Open, Wait};
pub use name::Name;
pub use scene::{RawScene, RawSceneLane};

use farside_conflicts::{Effect, Role};
use farside_events::{Interface, Rank, StackId, ThreadId, WinId};
use farside_findings::{ByteRange, Rule};
use serde::{Deserialize, Serialize};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawFinding {
    /// The rule.
    pub rule: Rule,
    /// What broke it.
    pub what: What,
    /// The accesses or calls involved; of a race, first the one that should come first.
    pub parties: Vec<RawParty>,
    /// The window, if one is involved.
    pub window: Option<WinId>,
    /// The bytes in common.
    pub bytes: Option<ByteRange>,
    /// Absolute address of the first of those bytes in the process that owns them (for naming a variable).
    pub address: Option<u64>,
    /// What to do.
    pub suggestion: Option<RawSuggestion>,
    /// How often this pair of code places was met.
    pub count: u64,
    /// What the ranks did around it.
    pub timeline: Option<RawTimeline>,
    /// For races: what took part in it.
    pub scene: Option<Box<RawScene>>,
    /// For races: the same told from the second party, if only the sources can say which comes first.
    pub turned: Option<Box<Turned>>,
}

/// What broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// Two conflicting accesses are unordered.
    Race(Missing),
    /// A call is used as it must not be.
    Misuse(Misuse),
}

/// Which order between the two accesses of a race is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// No chain of synchronisation leads from the first to the second.
    pub happens_before: bool,
    /// The first is an operation, and not complete before the second.
    pub completion: Option<Incomplete>,
}

/// How far an operation is from being complete before another access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Incomplete {
    /// It is complete at its target, which the second does not know.
    UnknownAtTarget,
    /// It is open at its target.
    OpenAtTarget,
    /// It is complete at its origin, which the second does not know.
    UnknownAtOrigin,
    /// It is open at its origin.
    OpenAtOrigin,
}

/// How a race reads if its second party is the one that should come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turned {
    /// For each party of the finding, the call before it in which both processes met last: a round begins there.
    pub since: Option<[Site; 2]>,
    /// What the finding says then.
    pub told: Told,
}

/// What a race says in the order of its parties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// Both accesses.
    pub parties: Vec<RawParty>,
    /// Why the two are unordered.
    pub missing: Missing,
    /// What to do.
    pub suggestion: RawSuggestion,
}

impl RawFinding {
    /// A call is used as it must not be; at least one party says where.
    pub(crate) fn misuse(misuse: Misuse, window: Option<WinId>, parties: Vec<RawParty>) -> Self {
        Self {
            rule: misuse.rule(),
            what: What::Misuse(misuse),
            parties,
            window,
            bytes: None,
            address: None,
            suggestion: None,
            count: 1,
            timeline: None,
            scene: None,
            turned: None,
        }
    }

    /// Whose words tell it: of a race of operations of two interfaces, those of the one that should come first. `None`:
    /// those of its window.
    #[must_use]
    pub fn interface(&self) -> Option<Interface> {
        self.parties.iter().find_map(|party| match party.name {
            Name::CallOf(interface, _) => Some(interface),
            _ => None,
        })
    }

    /// The same with advice.
    pub(crate) fn with(self, suggestion: RawSuggestion) -> Self {
        Self {
            suggestion: Some(suggestion),
            ..self
        }
    }

    /// Tells a race from its second party.
    pub(crate) fn turn(&mut self, told: Told) {
        self.what = What::Race(told.missing);
        self.parties = told.parties;
        self.suggestion = Some(told.suggestion);
        if let Some(scene) = &mut self.scene {
            scene.turn();
        }
        let events = self.timeline.iter_mut().flat_map(|timeline| &mut timeline.lanes);
        for event in events.flat_map(|(_, events)| events) {
            event.party = event.party.map(|party| 1 - party.min(1));
        }
    }
}

/// One side of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawParty {
    /// What it is.
    pub name: Name,
    /// For accesses: by what way the bytes are reached, and what happens to them.
    pub access: Option<(Role, Effect)>,
    /// The thread.
    pub thread: ThreadId,
    /// The target, for communication calls.
    pub target: Option<Rank>,
    /// Where in the code.
    pub site: Site,
}

impl RawParty {
    /// Whether it only reads the bytes.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        matches!(self.access, Some((_, Effect::Read)))
    }

    /// Whether it is a put or an accumulate that sends the bytes, which it needs until it is complete.
    #[must_use]
    pub fn sends(&self) -> bool {
        let is_sender = |kind: &CallKind| {
            use farside_events::OperationKind::{Accumulate, Put};
            matches!(
                kind,
                CallKind::Operation {
                    kind: Put | Accumulate,
                    ..
                }
            )
        };
        let is_operation = match &self.name {
            Name::Call(kind) | Name::CallOf(_, kind) => is_sender(kind),
            Name::Load | Name::Store | Name::Making(_) | Name::Text(_) => false,
        };
        is_operation && self.access == Some((Role::Origin, Effect::Read))
    }

    /// A call that touches no bytes itself.
    pub(crate) fn call(name: impl Into<Name>, site: Site, thread: ThreadId, target: Option<Rank>) -> Self {
        Self {
            name: name.into(),
            access: None,
            thread,
            target,
            site,
        }
    }
}

/// A place in the code of one process: the frames are `pc` (if any), then those of `stack`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The process.
    pub rank: Rank,
    /// Return address of an access callback; `None` for MPI calls, whose stack begins with the return address.
    pub pc: Option<u64>,
    /// The stack.
    pub stack: StackId,
}

impl Site {
    /// The place of a call.
    pub(crate) fn of_call(rank: Rank, stack: StackId) -> Self {
        Self {
            rank,
            pc: None,
            stack,
        }
    }
}

/// What the ranks concerned did around a finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawTimeline {
    /// Rank and its events, by `order`.
    pub lanes: Vec<(Rank, Vec<RawLaneEvent>)>,
    /// Existing orders between lanes.
    pub arrows: Vec<RawArrow>,
}

/// One event in a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawLaneEvent {
    /// Position in the order of all events of the timeline.
    pub order: u32,
    /// What it is.
    pub name: Name,
    /// The rank that it is directed to.
    pub target: Option<Rank>,
    /// Where.
    pub site: Site,
    /// Index of the finding's party that this is.
    pub party: Option<u32>,
    /// For operations: where it was complete.
    pub open_until: Option<u32>,
}

/// An order between events of two lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawArrow {
    /// Rank and `order` where it starts.
    pub from: (Rank, u32),
    /// Rank and `order` where it ends.
    pub to: (Rank, u32),
    /// What makes it.
    pub link: Link,
}

/// What orders an event of one process after one of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Link {
    /// A message.
    Message,
    /// The end of an access epoch.
    Complete,
    /// A notice.
    Notice,
    /// A value that was seen.
    Value,
}
