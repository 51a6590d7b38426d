//! What is recorded of OpenSHMEM calls.
//!
//! What a call means is said by [`farside_calls::shmem`]; [`observe`] is the table of who looks at it. [`symmetric`]
//! knows the objects of symmetric memory, [`allocation`] makes them; [`session`] is where recording begins and ends,
//! [`operation`] what moves data, [`in_flight`] what is not complete of that, [`order`] what completes and orders it,
//! [`context`] knows on which channel and to whom operations go, [`team`] teams, and [`collective`] what sets of
//! processes do together. [`mistakes`] looks for rules that one process alone can break.
//!
//! The words of a recording are those of one-sided communication in general. A symmetric object, and all static memory
//! of the program, is a window under a lock of all targets as long as it lives; `shmem_quiet` is a flush of what was
//! used since the last. An operation whose buffers are free when its call returns has a request that is complete then.
//!
//! Limits: atomic operations of contexts of two predefined teams are taken for atomic to each other (§3.2 promises it
//! within one). Calls of one set that come back to back with the same writers are taken to write one after the other.

mod allocation;
mod collective;
mod context;
mod in_flight;
mod mistakes;
mod operation;
mod order;
mod session;
mod symmetric;
mod team;
mod types;

use crate::call::MAX_WORDS;
use crate::machine::{Both, Float};
use crate::recorder::{record, unknown_call};
use crate::{speeds, stacks, start};
use farside_calls::shmem::{Class, Function, Meaning};
use farside_events::{Call as Entered, EventKind, Interface, Outcome, StackId};

/// What is done when the call returned.
pub(crate) type After = Option<Box<dyn FnOnce(&Call, Both)>>;

/// A call on its way to the library.
pub(crate) struct Call {
    function: &'static Function,
    words: [usize; MAX_WORDS],
    float: Float,
    return_address: usize,
}

impl Call {
    /// A call of a function with these argument words and this floating point argument.
    pub(crate) fn new(
        function: &'static Function,
        words: [usize; MAX_WORDS],
        float: Float,
        return_address: usize,
    ) -> Self {
        Self {
            function,
            words,
            float,
            return_address,
        }
    }

    fn function(&self) -> &'static Function {
        self.function
    }

    fn return_address(&self) -> usize {
        self.return_address
    }

    /// An argument word, counted without a context; only those that are integers or pointers count.
    fn word(&self, place: usize) -> usize {
        self.words[self.function.first() + place]
    }

    /// The handle of the context that the call is made on; `None` for the default one.
    fn context(&self) -> Option<usize> {
        self.function.has_context().then(|| self.words[0])
    }

    /// An argument that is an `int`.
    fn int(&self, place: usize) -> i32 {
        self.word(place) as u32 as i32
    }

    /// An argument that is a value of the function's type, and where the next argument is.
    fn value(&self, place: usize) -> (Option<u64>, usize) {
        let element = self.function.element();
        match (element.class, element.size) {
            (Class::Integer, size) => (Some(self.word(place) as u64 & mask(size)), place + 1),
            (Class::Float, 4) => (Some(self.float.bits() & mask(4)), place),
            (Class::Float, 8) => (Some(self.float.bits()), place),
            // More than a word.
            (Class::Float, _) => (None, place),
        }
    }

    /// The result that is a value of the function's type.
    fn result(&self, result: Both) -> u64 {
        let element = self.function.element();
        match element.class {
            Class::Integer => result.word as u64 & mask(element.size),
            Class::Float => result.float.bits() & mask(element.size),
        }
    }

    fn stack(&self) -> StackId {
        stacks::capture(self.return_address)
    }
}

/// The bits of so many bytes.
fn mask(size: u32) -> u64 {
    match size {
        0..8 => (1 << (8 * size)) - 1,
        _ => u64::MAX,
    }
}

/// Looks at a call before it is forwarded.
pub(crate) fn observe(call: &Call) -> After {
    speeds::wait();
    if !start::is_open(Interface::Shmem) && !matches!(call.function().meaning(), Meaning::Init) {
        session::outside(call);
        return None;
    }
    if !mistakes::is_followed(call) {
        return None;
    }
    match call.function().meaning() {
        Meaning::Init => session::init(),
        Meaning::Finalize => session::finalize(call),
        Meaning::GlobalExit => session::exit(),
        Meaning::Allocate { bytes } => allocation::allocate(call, bytes),
        Meaning::Free => allocation::free(call),
        Meaning::Pointer => allocation::pointer(),
        Meaning::Put(returns, strided) => operation::put(call, returns, strided),
        Meaning::Get(returns, strided) => operation::get(call, returns, strided),
        Meaning::PutValue => operation::put_value(call),
        Meaning::GetValue => operation::get_value(call),
        Meaning::Atomic(what, fetches) => operation::atomic(call, what, fetches),
        Meaning::Quiet => order::quiet(call),
        Meaning::Fence => order::fence(call),
        Meaning::ContextCreate { of_team } => context::create(call, of_team),
        Meaning::ContextDestroy => context::destroy(call),
        Meaning::Barrier(members) => collective::barrier(call, members, true),
        Meaning::Sync(members) => collective::barrier(call, members, false),
        Meaning::Wait => order::waiting(call, order::wait(false)),
        Meaning::Test => order::wait(true),
        Meaning::SetLock => order::waiting(call, mistakes::locking(order::set_lock(false), false)),
        Meaning::TestLock => mistakes::locking(order::set_lock(true), true),
        Meaning::ClearLock => order::clear_lock(call),
        Meaning::Collective(what) => collective::move_data(call, what),
        Meaning::PutSignal(returns) => operation::put_signal(call, returns),
        Meaning::Signal if call.function().words() > 1 => order::waiting(call, order::signal_awaited()),
        Meaning::Signal => order::signal_fetched(),
        Meaning::WaitArray { which, tests: true } => order::wait_array(which, true),
        Meaning::WaitArray { which, tests: false } => order::waiting(call, order::wait_array(which, false)),
        Meaning::Team => team::meet(call),
        Meaning::TeamDestroy => team::destroy(call),
        Meaning::TeamCollective(what) => team::move_data(call, what),
        Meaning::Reallocate => allocation::reallocate(call),
        Meaning::NotUnderstood => {
            // The report will say so.
            unknown_call(call.function().name());
            None
        }
    }
}

/// A call that is made while nothing is recorded.
pub(crate) fn unrecorded(call: &Call) {
    session::unrecorded(call);
}

/// Enters a call.
fn enter(entered: Entered, stack: StackId) {
    record(EventKind::Enter { call: entered, stack });
}

/// Leaves the entered call.
fn leave() {
    record(EventKind::Leave(Outcome::Done));
}
