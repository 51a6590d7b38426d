//! OpenSHMEM (OpenSHMEM 1.5), as far as memory consistency depends on it. A call becomes the events that `interpose`
//! would record; what it means is said by [`farside_calls::shmem`].
//!
//! | what | file |
//! |---|---|
//! | what the library knows of one process (a PE) | `pe` |
//! | where the calls of a job begin and end | `session` |
//! | symmetric objects; how they are made and freed | `symmetric`, `allocation` |
//! | elements in memory, and how they move | `elements` |
//! | put, get, atomic operations, signals | `operation`, `atomic` |
//! | calls that are wrong by themselves | `mistakes` |
//! | what completes and orders: quiet, fence, locks | `order` |
//! | who has which lock, and who waits for it | `locks` |
//! | waits for words | `wait` |
//! | what sets of processes do together | `collective`, `movement`, `team` |
//! | on which channel operations go, and to whom | `context` |
//! | what is asked, and orders nothing | `query` |
//! | constants of the program's header | `constants` |
//!
//! Promise: data move when the call is made, which the standard allows; what may be relied on is the detector's
//! business. An address is never taken for that of another process: it becomes an object and a distance, at the
//! process that has it.
//!
//! Limits: those of `interpose` (`docs/design/check-openshmem.md`), and: `shmem_ptr` gives no address of static data of
//! others, as the standard allows (§9.3.4); `shmem_global_exit` ends the job whatever its status; a number that no
//! process has is taken for one of a larger job.

mod allocation;
mod atomic;
mod collective;
mod constants;
mod context;
mod elements;
mod locks;
mod mistakes;
mod movement;
mod operation;
mod order;
mod pe;
mod query;
mod session;
mod symmetric;
mod team;
mod wait;

use crate::caller::Caller;
use crate::external::without_p;
use crate::flow::{Flow, NOTHING};
use crate::matching::{MeetingKey, Meetings};
use crate::memory::Content;
use crate::value::{Scalar, mask};
use constants::Constants;
use farside_calls::shmem::{Function, Meaning};
use farside_events::Mistake;
use locks::Locks;
use pe::Pe;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// What the OpenSHMEM library of a job knows.
pub(crate) struct Library {
    /// By rank.
    pes: Vec<Pe>,
    meetings: Meetings,
    /// What each process brought to a collective call that moves data, until all have taken of it.
    brought: HashMap<MeetingKey, Brought>,
    locks: Locks,
    constants: Constants,
}

/// What was brought to a collective call, by rank, and how many have taken of it.
#[derive(Default)]
struct Brought {
    contents: BTreeMap<u32, Content>,
    taken: usize,
}

impl Library {
    /// The library of a job of this size.
    pub(crate) fn of(size: u32) -> Self {
        Self {
            pes: (0..size).map(|_| Pe::default()).collect(),
            meetings: Meetings::default(),
            brought: HashMap::default(),
            locks: Locks::default(),
            constants: Constants::default(),
        }
    }
}

/// A call of a function that is in the table.
pub(crate) fn call(
    caller: &mut Caller<'_>,
    library: &mut Library,
    function: &'static Function,
    given: &[Scalar],
) -> Flow {
    let call = Call { function, given };
    let flow = Shmem { caller, library }.call(&call);
    if matches!(flow, Flow::Return(_) | Flow::Poll(_)) {
        caller.called(given.iter().map(|argument| argument.bits).collect());
    }
    flow
}

/// A call of another function; what is not known is said.
pub(crate) fn ask(caller: &mut Caller<'_>, library: &mut Library, name: &str, given: &[Scalar]) -> Flow {
    let name = without_p(name);
    let answer = Shmem { caller, library }.answer(name, given);
    answer.unwrap_or_else(|| caller.unknown_call(name))
}

/// A process begins after `shmem_init`.
pub(crate) fn initialize(caller: &mut Caller<'_>, library: &mut Library) {
    Shmem { caller, library }.begin();
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

    /// An argument, counted without a context.
    fn argument(&self, place: usize) -> Scalar {
        let given = self.given.get(self.function.first() + place);
        given.copied().unwrap_or_default()
    }

    fn word(&self, place: usize) -> u64 {
        self.argument(place).bits
    }

    /// An argument that is an `int`.
    fn int(&self, place: usize) -> i32 {
        self.argument(place).signed32()
    }

    /// Bytes of an element.
    fn size(&self) -> u64 {
        u64::from(self.function.element().size)
    }

    /// An argument that is a value of the function's type.
    fn value(&self, place: usize) -> Scalar {
        let given = self.argument(place);
        Scalar {
            bits: mask(given.bits, 8 * self.function.element().size.min(8)),
            ..given
        }
    }
}

/// A thread that calls the library, and the library.
struct Shmem<'c, 'j> {
    caller: &'c mut Caller<'j>,
    library: &'c mut Library,
}

impl Shmem<'_, '_> {
    /// What the library knows of the process that calls.
    fn pe(&self) -> &Pe {
        &self.library.pes[self.caller.rank() as usize]
    }

    fn pe_mut(&mut self) -> &mut Pe {
        &mut self.library.pes[self.caller.rank() as usize]
    }

    /// Who carries out a call, by its meaning.
    fn call(&mut self, call: &Call<'_>) -> Flow {
        if !self.pe().has_begun() && !matches!(call.function.meaning(), Meaning::Init) {
            let mistake = match self.pe().has_ended() {
                true => Mistake::AfterFinalize,
                false => Mistake::BeforeInit,
            };
            self.mistaken(call, mistake, None);
            return NOTHING;
        }
        if !self.is_there(call) {
            return NOTHING;
        }
        match call.function.meaning() {
            Meaning::Init => self.init(call),
            Meaning::Finalize => self.finalize(),
            Meaning::GlobalExit => self.exit(call),
            Meaning::Allocate { bytes } => self.allocate_call(call, bytes),
            Meaning::Reallocate => self.reallocate(call),
            Meaning::Free => self.free(call),
            Meaning::Pointer => self.pointer(call),
            Meaning::Put(returns, strided) => self.put(call, returns, strided),
            Meaning::Get(returns, strided) => self.get(call, returns, strided),
            Meaning::PutValue => self.put_value(call),
            Meaning::GetValue => self.get_value(call),
            Meaning::Atomic(what, fetches) => self.atomic(call, what, fetches),
            Meaning::PutSignal(returns) => self.put_signal(call, returns),
            Meaning::Signal => self.signal(call),
            Meaning::Quiet => self.quiet(call),
            Meaning::Fence => self.fence(call),
            Meaning::Barrier(members) => self.barrier(call, members, true),
            Meaning::Sync(members) => self.barrier(call, members, false),
            Meaning::Wait => self.wait(call),
            Meaning::Test => self.test(call),
            Meaning::WaitArray { which, tests } => self.wait_array(call, which, tests),
            Meaning::SetLock => self.set_lock(call),
            Meaning::TestLock => self.test_lock(call),
            Meaning::ClearLock => self.clear_lock(call),
            Meaning::Collective(what) => self.move_data(call, what),
            Meaning::Team => self.team_call(call),
            Meaning::TeamDestroy => self.destroy_team(call),
            Meaning::TeamCollective(what) => self.move_data_of_team(call, what),
            Meaning::ContextCreate { of_team } => self.create_context(call, of_team),
            Meaning::ContextDestroy => self.destroy_context(call),
            Meaning::NotUnderstood => self.caller.unknown_call(call.name()),
        }
    }
}
