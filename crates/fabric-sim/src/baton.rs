//! Who may run: one rank at a time, all on one thread.
//!
//! Ranks are coroutines on the thread that called [`Simulation::run`](crate::Simulation::run). An endpoint lends the
//! world to a caller only if that is the rank of the endpoint, running, on that thread; everybody else is refused.
//! Nothing that is lent outlives a switch.

use crate::coroutine::Yielder;
use crate::world::{Memory, World};
use farside_fabric::{Error, Rank, Result};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread::{self, ThreadId};

/// What a rank is told when it goes on.
pub(crate) enum Signal {
    /// To go on.
    Go,
    /// To end: it was killed, or the run is over.
    Stop,
}

/// How a rank gives way.
pub(crate) type Way = Yielder<Signal, ()>;

/// Where a rank runs.
#[derive(Clone)]
struct Berth {
    /// How it gives way.
    way: *const Way,
    /// Its stack.
    stack: Range<usize>,
}

impl Default for Berth {
    fn default() -> Self {
        Self {
            way: std::ptr::null(),
            stack: 0..0,
        }
    }
}

/// What a rank unwinds with when it is told to end.
pub(crate) struct Stopped;

thread_local! {
    static THREAD: ThreadId = thread::current().id();
}

/// What endpoints and scheduler share.
pub(crate) struct Baton {
    thread: ThreadId,
    running: Cell<Option<Rank>>,
    berths: RefCell<Vec<Berth>>,
    world: RefCell<Option<World>>,
    /// Memory that ranks exposed, after the end of the run: who has an endpoint may still look at it.
    kept: RefCell<BTreeMap<u64, Memory>>,
}

// Under Miri each rank has a thread: then one thread at a time touches them, with a lock passed in between.
// SAFETY: all fields but `thread`, which does not change, are touched only on that thread: `lend` and `give_way` check
// it first, and the other methods are called by the scheduler, which runs there. When the scheduler is done it takes
// the world out (`close`), so that whoever drops the last endpoint, on whatever thread, drops plain numbers and
// allocations.
unsafe impl Send for Baton {}
// SAFETY: `lend` refuses whoever calls on another thread before it touches a field but `thread`, which does not change;
// the scheduler calls the other methods on its own thread.
unsafe impl Sync for Baton {}

impl Baton {
    pub(crate) fn new(world: World) -> Self {
        let ranks = world.ranks() as usize;
        Self {
            thread: THREAD.with(|thread| *thread),
            running: Cell::new(None),
            berths: RefCell::new(vec![Berth::default(); ranks]),
            world: RefCell::new(Some(world)),
            kept: RefCell::default(),
        }
    }

    /// For a rank that runs: the world.
    ///
    /// # Errors
    /// The rank does not run, or not on this thread; it was killed, or unwinds.
    pub(crate) fn lend<T>(&self, rank: Rank, use_it: impl FnOnce(&mut World) -> T) -> Result<T> {
        let refused = |reason: &str| Error::Unsupported {
            transport: "sim".to_owned(),
            what: "call from here".to_owned(),
            reason: reason.to_owned(),
        };
        // Under Miri each rank has a thread.
        if !cfg!(miri) && THREAD.with(|thread| *thread != self.thread) {
            return Err(refused("a rank is one thread, and this is another"));
        }
        if self.running.get() != Some(rank) {
            return Err(refused("this endpoint belongs to a rank that does not run now"));
        }
        let here = 0_u8;
        if !self.berths.borrow()[rank as usize]
            .stack
            .contains(&(&raw const here as usize))
        {
            return Err(refused(
                "a rank has one stack, and this is a coroutine with another",
            ));
        }
        match &mut *self.world.borrow_mut() {
            None => Err(refused("the run is over")),
            Some(world) if world.stopping || world.is_dead(rank) => Err(Error::PeerLost { rank }),
            // Who unwinds cannot give way: the count of panics belongs to the thread, and would be the others' as well.
            // So nothing can be waited for any more; and what a destructor waits for, it is not to be touched after it.
            Some(world) if thread::panicking() => {
                world.forsake(rank);
                Err(Error::PeerLost { rank })
            }
            Some(world) => Ok(use_it(world)),
        }
    }

    /// A rank that runs gives way until the scheduler lets it go on. Called only directly after a successful `lend`.
    pub(crate) fn give_way(&self, rank: Rank) {
        let way = self.berths.borrow()[rank as usize].way;
        // SAFETY: `begin` stored the yielder of this rank's coroutine, which is alive as long as the coroutine runs;
        // and it runs, for this is called by the rank itself, on the coroutine's own stack: `lend` has made sure.
        let signal = unsafe { (*way).suspend(()) };
        if let Signal::Stop = signal {
            // Without the panic hook: this is no panic, only a way out that drops what is on the stack.
            resume_unwind(Box::new(Stopped));
        }
    }

    /// A rank begins, on a stack.
    pub(crate) fn begin(&self, rank: Rank, way: &Way, stack: Range<usize>) {
        self.berths.borrow_mut()[rank as usize] = Berth { way, stack };
    }

    /// The scheduler says who runs now.
    pub(crate) fn set_running(&self, rank: Option<Rank>) {
        self.running.set(rank);
    }

    /// The world, for the scheduler, while no rank runs. `None` after `close`.
    pub(crate) fn world<T>(&self, use_it: impl FnOnce(&mut World) -> T) -> Option<T> {
        self.world.borrow_mut().as_mut().map(use_it)
    }

    /// The run is over. Memory that was exposed stays as long as an endpoint does.
    pub(crate) fn close(&self) -> Option<World> {
        let mut world = self.world.borrow_mut().take()?;
        self.kept.replace(world.take_regions());
        Some(world)
    }
}
