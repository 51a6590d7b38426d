//! What to do about a finding: code to insert, to replace or to move, and what to add to it.

use super::{Argument, CallKind, Name, RawParty, Site};
use farside_events::{AccumulateOp, Assertions, ChannelId, Flag, GaspiArgument, LockKind, Rank, WinId};
use farside_findings::{Action, Guarantee, Proof, Stretch};
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

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Code {
    /// What ends a fence epoch, and begins another.
    Fence,
    /// A call that orders all ranks.
    Barrier,
    /// One that orders all ranks and completes nothing, where [`Self::Barrier`] does.
    Meet,
    /// A call after which what one process sends to another on a channel arrives after what it sent before.
    Order(ChannelId),
    /// A call that completes operations to a target, or to all; at their origin only, or there too.
    Flush {
        /// `None`: all.
        target: Option<Rank>,
        /// At the origin only.
        local: bool,
        /// What was issued on it.
        channel: ChannelId,
    },
    /// A call that completes an operation with a request.
    WaitForRequest,
    /// What ends an access epoch.
    Complete,
    /// What ends an access epoch and begins another.
    CompleteAndStart,
    /// What ends an exposure epoch.
    Wait,
    /// What ends an access epoch and the exposure that it meets.
    CompleteAndWait,
    /// A lock for a target.
    Lock(Rank),
    /// The unlock of a target, or of the one whose lock is open.
    Unlock(Option<Rank>),
    /// The unlock of all targets.
    UnlockAll,
    /// The beginning of an attachment, of each of [`RawSuggestion::regions`].
    Attach,
    /// The end of an attachment.
    Detach,
    /// A call that tells a rank that what was written before is there.
    Notify(Rank),
    /// A wait for a notification that is posted already, which is set back then.
    Await(Flag),
    /// What sets back a notification that a wait has found.
    SetBack,
    /// How to read a word that others write, without polling by loads.
    AtomicRead,
    /// A call that writes as a put does, and element by element at once.
    AtomicWrite,
    /// A call that updates as others do, with this operator, in the place of a store.
    AtomicUpdate(AccumulateOp),
    /// A copy of what an operation sends, made right before the call each time, which it sends in its place; of so
    /// many bytes at the most.
    SecondBuffer(u64),
    /// A barrier of the threads of a team.
    TeamBarrier,
    /// A wait for the tasks that the thread has made.
    TaskWait,
    /// A lock of the threads of a process, around each of [`RawSuggestion::sections`].
    Exclusion,
    /// A copy of what a call reads, made right before it, which it is given in the place of its `source`.
    CopyBefore,
    /// A copy of what a call writes, made right after it: it is given another place in the place of its `dest`.
    CopyAfter,
    /// A call in a loop that repeats it as long as a queue is full.
    RepeatWhenFull,
    /// A call in a loop that repeats it as long as it times out.
    RepeatWhenTimedOut,
    /// An argument, as it is or as it would be right.
    Argument(Argument),
    /// A word in the declaration of a variable.
    Static,
    /// The name of a call.
    Call(CallKind),
    /// The statement that makes an access.
    Access,
    /// An argument.
    Assertions(Assertions),
    /// An argument of a lock.
    Kind(LockKind),
}

/// What to add to advice in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The variants say it; the phrasebook has the sentences.
pub enum Note {
    OnAllRanks,
    OnAllRanksOfWindow,
    /// Or a message in the place of a call on all ranks.
    OnAllRanksOrMessage {
        from: Rank,
        to: Rank,
    },
    /// Completion on one rank, and a barrier on all or a message.
    OnRankThenBarrierOrMessage {
        from: Rank,
        to: Rank,
    },
    /// The ranks of another finding like this one were asked: what is done there, all do that come there.
    OnRanksThatComeThere,
    /// The same, and then a barrier.
    OnRanksThenBarrier,
    /// What goes with a number that is that of a rank of another finding like this one.
    AndOnOthersLikewise,
    OrderThreads,
    AndOrderThreads,
    AndExposureForEach,
    OneTypeAndOperator,
    /// What goes with [`Code::AtomicRead`].
    AtomicRead,
    OrSameOnAllRanks,
    AndInOtherLock,
    AndInPost,
    WithoutRequest,
    /// What goes with a lock, and what could be there in its place.
    AndUnlock(Rank),
    /// What goes with [`Code::Notify`] at its target.
    SeenBefore(Rank),
    /// The same, where a barrier tells others.
    SeenBeforeBarrier(Rank),
    /// The same, where a call of the target that is there tells others.
    SeenBeforeCall(Rank),
    /// What goes with [`Code::Await`].
    AndSetItBack,
    /// What goes with another number of a notification: its target waits for it besides, before the other place.
    AwaitedBesides(Flag),
    SendTheCopy,
    /// What goes with a statement that is moved over loops.
    OutsideLoops,
    /// What goes with [`Code::Static`].
    InItsDeclaration,
    /// What goes with [`Code::Argument`].
    IfMeant,
    /// What goes with a group of a start.
    AndPostedFor,
    /// What goes with [`Code::CopyBefore`].
    GiveTheCopy,
    /// What goes with [`Code::CopyAfter`].
    WriteTheCopy,
    AfterInit,
    BeforeFinalize,
    BetweenInitAndTerm,
    /// Why nothing is suggested: what was meant is known to nobody but the author.
    MeaningNotKnown,
    /// The same, where no call is known that would be another one.
    NoneKnown,
    OtherMemory,
    NotAfterItsEnd,
    DestroyedLater,
    AttachFirst,
    DetachLater,
    WithoutNoLocks,
    /// One collective call after the other, or on different communicators.
    OneCollectiveAtATime,
    /// Memory of a window ends after the window.
    NotBeforeItsWindow,
    WithoutSameUnit,
    /// What goes with [`Code::Attach`].
    OfAllThatIsReached,
    EndTheExposureFirst,
    EndTheLockFirst,
    AnotherNotification,
    GroupsThatMeet,
    /// What goes with a lock that some ways keep.
    OnWaysThatKeep,
    /// Threads would make a collective call at once: one of them makes it.
    ByOneOfATeam,
    /// What goes with a barrier of threads.
    WhereTheTeamComes,
    CollectivesInOneOrder,
    EpochsInOneOrder,
    /// The first party is a start: its post belongs before all that comes after the start.
    PostFirst,
    /// What goes with a call that comes too late for others.
    OrEpochsInOneOrder,
    WriteAwaitedWord,
    LocksByTheirCalls,
}

impl Code {
    /// Whether another call does what this one does, and more.
    fn does_less_than(&self, more: &Self) -> bool {
        match (self, more) {
            (Self::Meet, Self::Barrier) => true,
            (
                Self::Flush {
                    target,
                    local: true,
                    channel,
                },
                Self::Flush {
                    target: of_more,
                    local: false,
                    channel: on,
                },
            ) => (target, channel) == (of_more, on),
            _ => false,
        }
    }

    /// What it gives to accesses before and after it; nothing if it is not there for an order.
    pub(crate) fn guarantees(self) -> &'static [Guarantee] {
        use Guarantee::{HappensBefore, LocalCompletion, RemoteCompletion};
        match self {
            Self::Fence | Self::CompleteAndStart | Self::CompleteAndWait => {
                &[LocalCompletion, RemoteCompletion, HappensBefore]
            }
            Self::Barrier | Self::Meet => &[HappensBefore],
            Self::Wait | Self::Notify(_) | Self::Await(_) => &[RemoteCompletion, HappensBefore],
            Self::Flush { local: true, .. } | Self::WaitForRequest => &[LocalCompletion],
            Self::Flush { local: false, .. } | Self::Complete | Self::Unlock(_) | Self::UnlockAll => {
                &[LocalCompletion, RemoteCompletion]
            }
            // An order within one process is none of these.
            Self::Order(_)
            | Self::Lock(_)
            | Self::Attach
            | Self::Detach
            | Self::SetBack
            | Self::AtomicRead
            | Self::AtomicWrite
            | Self::AtomicUpdate(_)
            | Self::Static
            | Self::CopyBefore
            | Self::CopyAfter
            | Self::RepeatWhenFull
            | Self::RepeatWhenTimedOut
            | Self::Argument(_)
            | Self::SecondBuffer(_)
            | Self::TeamBarrier
            | Self::TaskWait
            | Self::Exclusion
            | Self::Call(_)
            | Self::Access
            | Self::Assertions(_)
            | Self::Kind(_) => &[],
        }
    }

    /// The same for all targets at once.
    pub(crate) fn for_every_target(self) -> Self {
        match self {
            Self::Flush { local, channel, .. } => Self::Flush {
                target: None,
                local,
                channel,
            },
            Self::Unlock(_) => Self::Unlock(None),
            _ => self,
        }
    }
}

impl Note {
    /// Whether it says on which ranks the code belongs.
    pub(crate) fn names_ranks(self) -> bool {
        matches!(
            self,
            Self::OnAllRanks
                | Self::OnAllRanksOfWindow
                | Self::OnAllRanksOrMessage { .. }
                | Self::OnRankThenBarrierOrMessage { .. }
                | Self::OnRanksThatComeThere
                | Self::OnRanksThenBarrier
                | Self::OfAllThatIsReached
                | Self::ByOneOfATeam
        )
    }
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
