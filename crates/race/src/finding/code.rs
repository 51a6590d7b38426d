//! The pieces of code that suggestions are made of, and what they say besides in words.

use super::{Argument, CallKind};
use farside_events::{AccumulateOp, Assertions, ChannelId, Flag, LockKind, Rank};
use farside_findings::Guarantee;
use serde::{Deserialize, Serialize};

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
    /// The beginning of an attachment, of each of [`RawSuggestion::regions`](super::RawSuggestion::regions).
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
    /// A lock of the threads of a process, around each of [`RawSuggestion::sections`](super::RawSuggestion::sections).
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
    /// The thread that initialised MPI makes the call, or more is asked for.
    ByTheMainThread,
    /// Something orders the calls of two threads, or more is asked for.
    OneCallAtATime,
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
    pub(super) fn does_less_than(&self, more: &Self) -> bool {
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
