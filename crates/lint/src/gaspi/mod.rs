//! GASPI (GASPI 17.1, and what GPI-2 adds), as far as memory consistency depends on it. A call becomes the events that
//! `interpose` would record; what it means is said by [`farside_calls::gaspi`].
//!
//! | what | file |
//! |---|---|
//! | what the library knows of one rank | `state` |
//! | where the calls of a rank begin and end; segments | `session`, `segment` |
//! | writes, reads, notifications | `request`, `notification` |
//! | queues | `queue` |
//! | groups, and what they do together | `group`, `collective` |
//! | passive communication, atomic operations | `passive`, `atomic` |
//! | what the library refused | `refusal` |
//! | what is asked, and orders nothing | `query` |
//!
//! Promise: data move when a request is posted, which the standard allows; what may be relied on is the detector's
//! business. A call with a timeout waits as long as anybody goes on, and returns `GASPI_TIMEOUT` after that; with
//! `GASPI_TEST` it returns at once.
//!
//! Limits: those of `interpose`, and: no rank is lost, and what `gaspi_allreduce_user` computes
//! is not known. What the library would refuse (a rank or segment that is not there, a range that leaves its segment)
//! has the code that GPI-2 gives it.

mod atomic;
mod collective;
mod group;
mod notification;
mod passive;
mod query;
mod queue;
mod refusal;
mod request;
mod segment;
mod session;
mod state;

use crate::caller::Caller;
use crate::flow::Flow;
use crate::matching::{MeetingKey, Meetings};
use crate::memory::Content;
use crate::process::Entered;
use crate::value::Scalar;
use farside_calls::gaspi::{Function, Meaning};
use farside_events::{Call as Event, CommId};
use passive::Messages;
use rustc_hash::FxHashMap as HashMap;
use state::State;
use std::collections::BTreeMap;

/// `GASPI_BLOCK`.
const BLOCK: u64 = u64::MAX;
/// More ranks than these no job that is simulated has.
const MOST_RANKS: u32 = 16;
/// `GASPI_TEST`.
const TEST: u64 = 0;

/// What calls return (GASPI 17.1 §4.1, and the numbers of GPI-2).
mod code {
    use crate::flow::Flow;
    use crate::value::Scalar;

    pub(super) const SUCCESS: Flow = Flow::Return(Scalar::known(0));
    pub(super) const TIMEOUT: Flow = Flow::Poll(Scalar::known(1));
    pub(super) const NOT_INITIALISED: Flow = Flow::Return(Scalar::known(6));
    pub(super) const INITIALISED: Flow = Flow::Return(Scalar::known(7));
    pub(super) const NO_SEGMENT: Flow = Flow::Return(Scalar::known(10));
    pub(super) const NO_GROUP: Flow = Flow::Return(Scalar::known(11));
    pub(super) const NO_RANK: Flow = Flow::Return(Scalar::known(12));
    pub(super) const OUT_OF_LOCAL: Flow = Flow::Return(Scalar::known(14));
    pub(super) const OUT_OF_REMOTE: Flow = Flow::Return(Scalar::known(15));
    pub(super) const NO_QUEUE: Flow = Flow::Return(Scalar::known(13));
    pub(super) const NO_VALUE: Flow = Flow::Return(Scalar::known(17));
    pub(super) const NO_NOTIFICATION: Flow = Flow::Return(Scalar::known(18));
    pub(super) const QUEUE_FULL: Flow = Flow::Return(Scalar::known(23));
    pub(super) const NOT_ALIGNED: Flow = Flow::Return(Scalar::known(24));
}

/// The communicator of all ranks, which is that of MPI, too.
const WORLD: CommId = CommId(1);

/// What the GASPI library of a job knows.
pub(crate) struct Library {
    /// By rank.
    ranks: Vec<State>,
    meetings: Meetings,
    /// What each rank brought to a reduction.
    brought: HashMap<MeetingKey, BTreeMap<u32, Content>>,
    messages: Messages,
}

impl Library {
    /// The library of a job of this size.
    pub(crate) fn of(size: u32) -> Self {
        Self {
            ranks: (0..size).map(|_| State::default()).collect(),
            meetings: Meetings::default(),
            brought: HashMap::default(),
            messages: Messages::default(),
        }
    }
}

/// A call of a function that is followed.
pub(crate) fn call(
    caller: &mut Caller<'_>,
    library: &mut Library,
    function: &'static Function,
    given: &[Scalar],
) -> Flow {
    let call = Call { function, given };
    let flow = Gaspi { caller, library }.call(&call);
    if let Flow::Return(code) | Flow::Poll(code) = &flow {
        Gaspi { caller, library }.look_at(&call, code.bits);
        caller.called(given.iter().map(|argument| argument.bits).collect());
    }
    flow
}

/// A call of another function; what is not known is said.
pub(crate) fn ask(caller: &mut Caller<'_>, library: &mut Library, name: &str, given: &[Scalar]) -> Flow {
    let answer = Gaspi { caller, library }.answer(name, given);
    answer.unwrap_or_else(|| caller.unknown_call(name))
}

/// A rank begins after `gaspi_proc_init`.
pub(crate) fn initialize(caller: &mut Caller<'_>, library: &mut Library) {
    Gaspi { caller, library }.begin();
}

/// One number from several.
fn mix(what: impl std::hash::Hash) -> u64 {
    use std::hash::{DefaultHasher, Hasher as _};
    let mut hasher = DefaultHasher::new();
    std::hash::Hash::hash(&("GASPI", what), &mut hasher);
    hasher.finish()
}

/// A call: its function and its arguments.
struct Call<'a> {
    function: &'static Function,
    given: &'a [Scalar],
}

impl Call<'_> {
    fn name(&self) -> &'static str {
        self.function.name()
    }

    /// An argument: the bits of its type.
    fn word(&self, place: usize) -> u64 {
        let given = self.given.get(place).copied().unwrap_or_default();
        given.bits & self.function.mask(place)
    }

    /// An argument that is a number.
    fn number(&self, place: usize) -> u32 {
        self.word(place) as u32
    }

    /// An argument that is a segment, a queue or a group.
    fn small(&self, place: usize) -> u8 {
        self.word(place) as u8
    }
}

/// A thread that calls the library, and the library.
struct Gaspi<'c, 'j> {
    caller: &'c mut Caller<'j>,
    library: &'c mut Library,
}

impl Gaspi<'_, '_> {
    /// What the library knows of the rank that calls.
    fn state(&self) -> &State {
        &self.library.ranks[self.caller.rank() as usize]
    }

    fn state_mut(&mut self) -> &mut State {
        &mut self.library.ranks[self.caller.rank() as usize]
    }

    /// Whether a rank is there; one that is not is noted.
    fn is_rank(&mut self, rank: u32) -> bool {
        let is_there = rank < self.caller.size();
        // A job of any size that is simulated has no such rank: the call is refused in all.
        if !is_there && rank < MOST_RANKS {
            self.caller.notes().miss_target(rank as i32);
        }
        is_there
    }

    /// A call with this timeout has to wait for what others do. One that waits for ever tells so.
    fn waits(&mut self, call: &Call<'_>, timeout: u64) -> Flow {
        if timeout == TEST || timeout != BLOCK && self.caller.is_stalled() {
            return code::TIMEOUT;
        }
        if timeout == BLOCK {
            self.enter_wait(call);
        }
        Flow::Block
    }

    /// A call waits, or would if what it waits for were not there.
    fn enter_wait(&mut self, call: &Call<'_>) {
        if self.caller.entered().is_none() {
            self.caller.enter(Event::Await {
                name: call.name().into(),
                of: None,
            });
            self.caller.set_entered(Entered::Condition);
        }
    }

    /// The call need not wait any more, if it did.
    fn has_waited(&mut self) {
        if self.caller.entered().is_some() {
            self.caller.done();
        }
    }

    /// Who carries out a call, by its meaning.
    fn call(&mut self, call: &Call<'_>) -> Flow {
        if call.function.meaning() == Meaning::Init {
            return self.init();
        }
        if !self.state().has_begun() {
            return code::NOT_INITIALISED;
        }
        match call.function.meaning() {
            Meaning::Init | Meaning::SegmentRegister => code::SUCCESS,
            Meaning::Term => self.term(),
            Meaning::SegmentHere(memory) => self.allocate(call, memory),
            Meaning::SegmentOfGroup(memory) => self.create(call, memory),
            Meaning::SegmentDelete => self.delete(call),
            Meaning::Request(direction, notifies) => self.one(call, direction, notifies),
            Meaning::List(direction, notifies) => self.list(call, direction, notifies),
            Meaning::Notify => self.notify(call),
            Meaning::NotifyWaitsome => self.wait_some(call),
            Meaning::NotifyReset => self.reset(call),
            Meaning::Wait => self.wait(call),
            Meaning::QueueCreate => self.create_queue(call),
            Meaning::QueueDelete => self.delete_queue(call),
            Meaning::PassiveSend => self.send(call),
            Meaning::PassiveReceive => self.receive(call),
            Meaning::FetchAdd => self.fetch_add(call),
            Meaning::CompareSwap => self.compare_swap(call),
            Meaning::GroupCreate => self.create_group(call),
            Meaning::GroupAdd => self.add_to_group(call),
            Meaning::GroupCommit => self.commit_group(call),
            Meaning::GroupDelete => self.delete_group(call),
            Meaning::Collective(what) => self.meet(call, what),
            Meaning::QueuePurge | Meaning::NotUnderstood => self.caller.unknown_call(call.name()),
        }
    }
}
