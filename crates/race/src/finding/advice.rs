//! What to do about a finding: code to insert, to replace or to move, and where.

use super::{Argument, CallKind, Code, Name, Note, RawParty, Site};
use farside_events::{Assertions, Flag, GaspiArgument, Rank, WinId};
use farside_findings::{Action, Proof, Stretch};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A change of the code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawSuggestion {
    /// What to do with `code`.
    pub action: Action,
    /// The calls, one after the other; none if words say all.
    pub code: Vec<Code>,
    /// For a replacement: the code that is there; `None` if it is what stands at `at`.
    pub instead_of: Option<Code>,
    /// What is to be replaced, or moved.
    pub at: Option<Spot>,
    /// After what it goes.
    pub after: Option<Spot>,
    /// Before what it goes; for a lock of another kind, the other lock that becomes one.
    pub before: Option<Spot>,
    /// Whether a loop leads from the one to the other; if that is not known, the sources tell.
    pub next_round: Option<bool>,
    /// What to add in words.
    pub notes: Vec<Note>,
    /// For [`Code::Exclusion`]: where each of what excludes each other begins, and where it ends.
    pub sections: Vec<[Spot; 2]>,
    /// For [`Code::Attach`]: which process attaches which bytes.
    pub regions: Vec<(Rank, Range<u64>)>,
    /// What to do instead if in the sources what it goes after comes too late, after the second access of a race.
    pub otherwise: Option<Box<RawSuggestion>>,
    /// What came of trying it; `None` if it was not tried.
    pub proof: Option<Proof>,
    /// For what was verified in part: percent of the events that were judged, the first ones.
    pub judged: Option<u8>,
    /// For each piece of code, where in the text it was tried and helps; nothing if that is not known. Of
    /// [`Code::Notify`], first where it is posted, then where it is awaited.
    pub stands: Vec<Vec<Stretch>>,
    /// Nanoseconds that it costs each time that its place is passed; `None` if that is not known.
    pub cost: Option<u64>,
    /// What helps as well, dearer.
    pub others: Vec<RawSuggestion>,
}

/// A call or an access in the code, and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// Where.
    pub site: Site,
    /// What is there.
    pub name: Name,
}

impl Spot {
    /// Where a party of a finding is.
    pub(crate) fn of(party: &RawParty) -> Self {
        Self {
            site: party.site,
            name: party.name.clone(),
        }
    }

    /// Where a call is.
    pub(crate) fn of_call(kind: CallKind, site: Site) -> Self {
        Self {
            site,
            name: Name::Call(kind),
        }
    }
}

impl RawSuggestion {
    /// Nothing but words.
    pub(crate) fn note(note: Note) -> Self {
        Self {
            notes: vec![note],
            ..Self::default()
        }
    }

    /// Code that is not there.
    pub(crate) fn insert(code: Vec<Code>, after: Option<Spot>, before: Option<Spot>) -> Self {
        Self {
            code,
            after,
            before,
            ..Self::default()
        }
    }

    /// Code that is not there, between two parties.
    pub(crate) fn between(code: Code, after: &RawParty, before: &RawParty) -> Self {
        Self::insert(vec![code], Some(Spot::of(after)), Some(Spot::of(before)))
    }

    /// Code that belongs in the place of other code.
    pub(crate) fn replace(code: Code, instead_of: Option<Code>, at: Spot) -> Self {
        Self {
            action: Action::Replace,
            code: vec![code],
            instead_of,
            at: Some(at),
            ..Self::default()
        }
    }

    /// The end of an exposure epoch is missing; where a test was there that said that it is not over, a wait in its
    /// place, or else this.
    #[must_use]
    pub(crate) fn or_wait_at(self, test: Option<Spot>) -> Self {
        match test {
            Some(test) => Self {
                otherwise: Some(Box::new(self)),
                ..Self::replace(Code::Wait, Some(Code::Call(CallKind::Test)), test)
            },
            None => self,
        }
    }

    /// A call that should not be there.
    pub(crate) fn remove(call: CallKind, at: Spot) -> Self {
        Self {
            action: Action::Remove,
            code: vec![Code::Call(call)],
            at: Some(at),
            ..Self::default()
        }
    }

    /// A call gives `given`, of which `wrong` does not hold.
    pub(crate) fn without(given: Assertions, wrong: Assertions, at: Spot) -> Self {
        let right = Assertions {
            nocheck: given.nocheck && !wrong.nocheck,
            nostore: given.nostore && !wrong.nostore,
            noput: given.noput && !wrong.noput,
            noprecede: given.noprecede && !wrong.noprecede,
            nosucceed: given.nosucceed && !wrong.nosucceed,
        };
        Self::replace(Code::Assertions(right), Some(Code::Assertions(given)), at)
    }

    /// A call that is there, on the other side of a place: right after it, or right before it.
    #[must_use]
    pub fn moved(kind: CallKind, call: Spot, place: Spot, after: bool) -> Self {
        let (after, before) = match after {
            true => (Some(place), None),
            false => (None, Some(place)),
        };
        Self {
            action: Action::Move,
            code: vec![Code::Call(kind)],
            at: Some(call),
            after,
            before,
            ..Self::default()
        }
    }

    /// The same, where a loop lies between the statement that is moved and its new place, or around that.
    #[must_use]
    pub fn outside_loops(self) -> Self {
        self.noting(Note::OutsideLoops)
    }

    /// What a call is given is made static, as far as it is a variable.
    pub(crate) fn symmetric(call: Spot) -> Self {
        Self::insert(vec![Code::Static], None, Some(call)).noting(Note::InItsDeclaration)
    }

    /// An argument of a call, as it would be right if that is what was meant.
    pub(crate) fn argument(given: Argument, right: Argument, call: Spot) -> Self {
        Self::replace(Code::Argument(right), Some(Code::Argument(given)), call).noting(Note::IfMeant)
    }

    /// What tells of a write too early, because it is not on the queue of the write; both queues.
    #[must_use]
    pub fn on_another_queue([given, right]: [Argument; 2], call: Spot) -> Self {
        Self::replace(Code::Argument(right), Some(Code::Argument(given)), call)
    }

    /// A notification that would be lost has another number, `right`, for which its target waits besides, before it
    /// waits for the other one.
    #[must_use]
    pub fn of_another_number(given: u32, right: Flag, post: Spot, wait: Spot) -> Self {
        let [given, number] = [given, right.number]
            .map(|number| Argument::OfGaspi(GaspiArgument::NotificationId, number.into()));
        Self {
            before: Some(wait),
            ..Self::replace(Code::Argument(number), Some(Code::Argument(given)), post)
        }
        .noting(Note::AwaitedBesides(right))
    }

    /// The notification that its target waits for besides.
    #[must_use]
    pub fn awaited_besides(&self) -> Option<Flag> {
        self.notes.iter().find_map(|note| match note {
            Note::AwaitedBesides(flag) => Some(*flag),
            _ => None,
        })
    }

    /// What completes operations to one target is given another one.
    #[must_use]
    pub fn of_another_target([given, right]: [Rank; 2], call: Spot) -> Self {
        let [given, right] = [given, right].map(Argument::Target);
        Self::replace(Code::Argument(right), Some(Code::Argument(given)), call)
    }

    /// What completes operations on one window is given that of an operation.
    #[must_use]
    pub fn of_window(window: WinId, call: Spot) -> Self {
        Self::replace(
            Code::Argument(Argument::Window(window)),
            Some(Code::Argument(Argument::Given)),
            call,
        )
    }

    /// What some processes of a window call is called by all of them.
    #[must_use]
    pub fn of_all(window: WinId, call: Spot) -> Self {
        Self::replace(
            Code::Argument(Argument::Communicator(window)),
            Some(Code::Argument(Argument::Given)),
            call,
        )
    }

    /// A notification that is posted at one place, and for which nobody waits, is what another wait is for, which
    /// brings nothing.
    #[must_use]
    pub fn awaited_instead(flag: Flag, posted: Spot, wait: Spot) -> Self {
        Self {
            after: Some(posted),
            ..Self::replace(Code::Await(flag), None, wait)
        }
    }

    /// A notification that is posted at one place, and for which nobody waits, is awaited before another one.
    #[must_use]
    pub fn awaited(flag: Flag, posted: Spot, before: Spot) -> Self {
        Self::insert(vec![Code::Await(flag)], Some(posted), Some(before)).noting(Note::AndSetItBack)
    }

    /// Memory of a dynamic window is attached before a call, by whoever has it.
    #[must_use]
    pub fn attached(regions: Vec<(Rank, Range<u64>)>, before: Spot) -> Self {
        Self {
            regions,
            ..Self::insert(vec![Code::Attach], None, Some(before))
        }
        .noting(Note::OfAllThatIsReached)
    }

    /// What a wait finds is set back right after it.
    #[must_use]
    pub fn set_back(wait: Spot) -> Self {
        Self::insert(vec![Code::SetBack], Some(wait), None)
    }

    /// After a write its target is notified, which waits for that before a call of its own that tells others.
    #[must_use]
    pub fn told_before_call(target: Rank, write: Spot, call: Spot) -> Self {
        Self::insert(vec![Code::Notify(target)], Some(write), Some(call)).noting(Note::SeenBeforeCall(target))
    }

    /// A call is repeated until it is done.
    pub(crate) fn repeat(code: Code, call: Spot) -> Self {
        Self::replace(code, None, call)
    }

    /// What a call reads or writes is not what it writes or reads: one of the two is a copy.
    pub(crate) fn apart(code: Code, call: Spot) -> Self {
        match code {
            Code::CopyAfter => Self::insert(vec![code], Some(call), None).noting(Note::WriteTheCopy),
            _ => Self::insert(vec![code], None, Some(call)).noting(Note::GiveTheCopy),
        }
    }

    /// Whether it tells in words what is to be done, or why nothing is suggested, where nothing was tried before.
    #[must_use]
    pub fn only_says_why(&self) -> bool {
        let says_why = |note: &Note| {
            matches!(
                note,
                Note::MeaningNotKnown
                    | Note::NoneKnown
                    | Note::OtherMemory
                    | Note::NotAfterItsEnd
                    | Note::DestroyedLater
                    | Note::AttachFirst
                    | Note::DetachLater
                    | Note::WithoutNoLocks
                    | Note::OneCollectiveAtATime
                    | Note::ByTheMainThread
                    | Note::OneCallAtATime
                    | Note::NotBeforeItsWindow
                    | Note::WithoutSameUnit
                    | Note::EndTheExposureFirst
                    | Note::EndTheLockFirst
                    | Note::AnotherNotification
                    | Note::GroupsThatMeet
            )
        };
        self.code.is_empty() && !self.notes.is_empty() && self.notes.iter().all(says_why)
    }

    /// Whether it is about what one call is given: no other call in another place makes that right.
    #[must_use]
    pub fn is_of_one_call(&self) -> bool {
        let is_of_one_call = |code: &Code| {
            matches!(
                code,
                Code::Argument(_)
                    | Code::CopyBefore
                    | Code::CopyAfter
                    | Code::RepeatWhenFull
                    | Code::RepeatWhenTimedOut
            )
        };
        self.code.iter().any(is_of_one_call)
    }

    /// Whether it changes what the program does, unless it was meant so.
    #[must_use]
    pub fn is_if_meant(&self) -> bool {
        self.notes.contains(&Note::IfMeant)
    }

    /// A call that comes before the library is there, or when it is gone; the note says to where it goes.
    pub(crate) fn inside(call: Spot, note: Note) -> Self {
        Self {
            action: Action::Move,
            code: vec![Code::Call(CallKind::Other)],
            at: Some(call),
            ..Self::default()
        }
        .noting(note)
    }

    /// A call that the program makes later, before another one, in which its process waits; after what it ends, if it
    /// ends something.
    pub(crate) fn earlier(kind: CallKind, opened: Option<Spot>, before: Spot) -> Self {
        Self {
            action: Action::Move,
            code: vec![Code::Call(kind)],
            after: opened,
            before: Some(before),
            ..Self::default()
        }
        .noting(Note::OrEpochsInOneOrder)
    }

    /// For [`Self::earlier`]: the call that its process does not come to.
    pub(crate) fn awaited_call(&self) -> Option<CallKind> {
        match self.code.as_slice() {
            [Code::Call(kind)] if self.notes.contains(&Note::OrEpochsInOneOrder) => Some(*kind),
            _ => None,
        }
    }

    /// The same where the program makes no such call at all: it was forgotten, and belongs right before that in which
    /// its process waits. `None` if the run does not tell what it would be given.
    pub(crate) fn forgotten(&self) -> Option<Self> {
        let code = match self.awaited_call()? {
            CallKind::Complete => Code::Complete,
            CallKind::Unlock => Code::Unlock(None),
            CallKind::UnlockAll => Code::UnlockAll,
            _ => return None,
        };
        Some(Self::insert(vec![code], None, self.before.clone()))
    }

    /// A statement that makes an access, on the other side of a call: right after it, or right before it.
    #[must_use]
    pub fn moved_access(access: Spot, place: Spot, after: bool) -> Self {
        let (after, before) = match after {
            true => (Some(place), None),
            false => (None, Some(place)),
        };
        Self {
            action: Action::Move,
            code: vec![Code::Access],
            at: Some(access),
            after,
            before,
            ..Self::default()
        }
    }

    /// Threads meet between two places, after calls that are not there.
    #[must_use]
    pub fn meeting(code: Vec<Code>, after: Spot, before: Spot) -> Self {
        let is_of_team = code.contains(&Code::TeamBarrier);
        let meeting = Self::insert(code, Some(after), Some(before));
        match is_of_team {
            true => meeting.noting(Note::WhereTheTeamComes),
            false => meeting,
        }
    }

    /// A copy of so many bytes at the most, which an operation takes in the place of its buffer.
    #[must_use]
    pub fn second_buffer(bytes: u64, operation: Spot) -> Self {
        Self::insert(vec![Code::SecondBuffer(bytes)], None, Some(operation)).noting(Note::SendTheCopy)
    }

    /// One thread at a time executes any of these; before that, calls that are not there, in the first of them.
    #[must_use]
    pub fn exclusive(mut code: Vec<Code>, after: Option<Spot>, sections: Vec<[Spot; 2]>) -> Self {
        code.push(Code::Exclusion);
        Self {
            code,
            after,
            sections,
            ..Self::default()
        }
    }

    /// Whether a call or an access is moved as it is, wherever it is made, and with all who make it.
    pub(crate) fn moves_a_statement(&self) -> bool {
        self.action == Action::Move && matches!(self.code.as_slice(), [Code::Call(_) | Code::Access])
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.code.is_empty() && self.notes.is_empty()
    }

    /// Whether what is moved is a statement with an access or an operation.
    #[must_use]
    pub fn moves_an_access(&self) -> bool {
        let accesses = matches!(
            self.code.as_slice(),
            [Code::Access | Code::Call(CallKind::Operation { .. })]
        );
        self.action == Action::Move && accesses
    }

    /// Whether it fills a gap for which another call is named: one that is moved, or gives less than what is missing.
    pub(crate) fn has_gap_of_others(&self) -> bool {
        let is_less = |code: &Code| {
            matches!(
                code,
                Code::Order(_)
                    | Code::Await(_)
                    | Code::Exclusion
                    | Code::SecondBuffer(_)
                    | Code::TeamBarrier
                    | Code::TaskWait
            )
        };
        self.moves_a_statement() || self.code.iter().any(is_less)
    }

    /// Whether it makes locks of another kind.
    #[must_use]
    pub fn changes_locks(&self) -> bool {
        self.action == Action::Replace && matches!(self.code.as_slice(), [Code::Kind(_)])
    }

    /// Whether the other says to add more calls, these among them, or calls that do more.
    #[must_use]
    pub fn is_part_of(&self, other: &Self) -> bool {
        let inserts = |of: &Self| of.action == Action::Insert;
        let is_there = |code: &Code| {
            other
                .code
                .iter()
                .any(|more| code == more || code.does_less_than(more))
        };
        let all = self.code.len() <= other.code.len() && self.code.iter().all(is_there);
        let is_same_kind = self.sections == other.sections && !self.code.is_empty();
        inserts(self) && inserts(other) && is_same_kind && all && self.code != other.code
    }

    /// The same, which was tried.
    #[must_use]
    pub fn with_proof(self, proof: Proof) -> Self {
        Self {
            proof: Some(proof),
            ..self
        }
    }

    /// The same with one more note.
    pub(crate) fn noting(mut self, note: Note) -> Self {
        self.notes.push(note);
        self
    }
}
