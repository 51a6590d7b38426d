//! What is recorded of GASPI calls.
//!
//! What a call means is said by [`farside_calls::gaspi`]; [`observe`] is the table of who looks at it. [`session`] is
//! where recording begins and ends, [`segment`] where memory lies, [`request`] what moves data and notifies, [`queue`]
//! what completes it, [`notification`] what is seen, [`group`], [`meeting`] and [`collective`] what ranks do together,
//! [`passive`] and [`atomic`] the rest of communication, and [`refusal`] what the library did not do.
//!
//! The words of a recording are those of one-sided communication in general. A segment number is a window, of which
//! each rank has a part from when it has the segment. A queue is a channel; `gaspi_wait` is a local flush of it.
//!
//! What a call posts is recorded after it has returned with success, unless another rank may know of it before that: a
//! request with a notification, a notification, an atomic operation. Those are recorded before the call, and withdrawn
//! if it fails. A collective call that returns GASPI_TIMEOUT is one with its repetitions.
//!
//! Limits: beside MPI, ranks must be those of `MPI_COMM_WORLD`; else calls of GASPI are not followed, which the report
//! says. After `gaspi_queue_purge` what was in the queue is taken for complete.

mod atomic;
mod collective;
mod group;
mod meeting;
mod notification;
mod passive;
mod queue;
mod refusal;
mod request;
mod segment;
mod session;
mod types;

use crate::call::MAX_WORDS;
use crate::recorder::{record, unknown_call};
use crate::{speeds, stacks};
use farside_calls::gaspi::{Function, Meaning};
use farside_events::{Call as Entered, EventKind, Outcome, StackId};

/// `GASPI_SUCCESS`.
const SUCCESS: i32 = 0;
/// `GASPI_TIMEOUT`.
const TIMEOUT: i32 = 1;
/// `GASPI_QUEUE_FULL`.
const QUEUE_FULL: i32 = 23;
/// `GASPI_BLOCK`.
const BLOCK: u64 = u64::MAX;

/// What is done when the call returned this code.
pub(crate) type After = Option<Box<dyn FnOnce(&Call, i32)>>;

/// A call on its way to the library.
pub(crate) struct Call {
    function: &'static Function,
    words: [usize; MAX_WORDS],
    return_address: usize,
}

impl Call {
    /// A call of a function with these argument words.
    pub(crate) fn new(function: &'static Function, words: [usize; MAX_WORDS], return_address: usize) -> Self {
        Self {
            function,
            words,
            return_address,
        }
    }

    fn function(&self) -> &'static Function {
        self.function
    }

    fn return_address(&self) -> usize {
        self.return_address
    }

    /// An argument: the bits of its type.
    fn word(&self, place: usize) -> u64 {
        self.words[place] as u64 & self.function.mask(place)
    }

    /// An argument that is a number.
    fn number(&self, place: usize) -> u32 {
        self.word(place) as u32
    }

    /// An argument that is a segment, a queue or a group.
    fn small(&self, place: usize) -> u8 {
        self.word(place) as u8
    }

    /// An argument that is an address, or a size that must be one.
    fn address(&self, place: usize) -> usize {
        self.word(place) as usize
    }

    /// Element `at` of an argument that is an array.
    ///
    /// # Safety
    /// The program's array has such an element.
    unsafe fn element<T: Copy>(&self, place: usize, at: usize) -> Option<T> {
        let array = self.address(place) as *const T;
        // SAFETY: by the caller.
        (!array.is_null()).then(|| unsafe { array.add(at).read_unaligned() })
    }

    /// What the library wrote to where an argument points; `None` if that is nowhere.
    ///
    /// # Safety
    /// The library has written it.
    unsafe fn result<T: Copy>(&self, place: usize) -> Option<T> {
        // SAFETY: by the caller.
        unsafe { self.element(place, 0) }
    }

    fn stack(&self) -> StackId {
        stacks::capture(self.return_address)
    }
}

/// Whether calls of this function are looked at although nothing is recorded: that which begins, and calls before it
/// and after the end, which are a mistake of the program.
pub(crate) fn looks_at_all(function: &Function) -> bool {
    matches!(function.meaning(), Meaning::Init) || refusal::looks_outside() && !session::has_begun()
}

/// Looks at a call before it is forwarded.
pub(crate) fn observe(call: &Call) -> After {
    speeds::wait();
    let meaning = call.function().meaning();
    if meaning == Meaning::Init {
        return session::init();
    }
    if !session::has_begun() {
        return None;
    }
    match meaning {
        Meaning::Init => None,
        Meaning::Term => session::term(),
        Meaning::SegmentHere(memory) => segment::allocate(memory),
        Meaning::SegmentOfGroup(memory) => segment::create(call, memory),
        Meaning::SegmentDelete => segment::delete(call),
        Meaning::SegmentRegister => None,
        Meaning::Request(direction, notifies) => request::one(call, direction, notifies),
        Meaning::List(direction, notifies) => request::list(call, direction, notifies),
        Meaning::Notify => request::notify(call),
        Meaning::NotifyWaitsome => notification::wait_some(call),
        Meaning::NotifyReset => notification::reset(),
        Meaning::Wait => queue::wait(),
        Meaning::QueueCreate => None,
        Meaning::QueueDelete => queue::delete(),
        Meaning::QueuePurge => queue::purge(),
        Meaning::PassiveSend => passive::send(call),
        Meaning::PassiveReceive => passive::receive(call),
        Meaning::FetchAdd => atomic::fetch_add(call),
        Meaning::CompareSwap => atomic::compare_swap(call),
        Meaning::GroupCreate => group::create(),
        Meaning::GroupAdd => group::add(),
        Meaning::GroupCommit => group::commit(call),
        Meaning::GroupDelete => group::delete(),
        Meaning::Collective(what) => collective::meet(call, what),
        Meaning::NotUnderstood => {
            // The report will say so.
            unknown_call(call.function().name());
            None
        }
    }
}

/// Looks at a call that returned this code.
pub(crate) fn returned(call: &Call, code: i32, after: After) {
    if !session::has_begun() {
        refusal::outside(call, code);
    } else {
        refusal::look_at(call, code);
    }
    if let Some(after) = after {
        after(call, code);
    }
}

/// Enters a call.
fn enter(entered: Entered, stack: StackId) {
    record(EventKind::Enter { call: entered, stack });
}

/// Leaves the entered call.
fn leave() {
    record(EventKind::Leave(Outcome::Done));
}
