//! Who makes progress, and who sleeps.
//!
//! libfabric's providers move the operations of others only when the target calls them. One does that at a time:
//! 1. A caller that waits polls the completion queue itself. So an operation that is answered at once costs no switch
//!    of threads.
//! 2. The endpoint's thread stays away as long as a caller waits, or called a moment ago; it looks now and then. When
//!    nobody calls, it polls, and when nothing comes, it sleeps on the descriptors of the completion queue. So a put
//!    completes at a target that computes; and one that is held back (see `engine/held.rs`) leaves within 6 ms, though
//!    its origin calls nothing more.
//!
//! All waiting is alike: poll, then poll and let others run between, then sleep until something comes, or a moment
//! where the provider has no descriptor. A write of a peer leaves no entry in our queue, so being woken counts as an
//! event. A caller that is woken soon after it went to sleep gave up too early, and polls for longer from then on. Two
//! processors must carry many ranks: where there are more ranks than processors, sleep comes early; where yields take
//! long, others want to run, and waits do without yields for a while.

use crate::engine::Engine;
use crate::port::Descriptors;
use farside_fabric::Rank;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Polls in a row before others may run: those of the thread, and of callers where ranks outnumber processors; and of
/// callers that have a processor each. What these wait for mostly comes within some microseconds, and who lets others
/// run on a busy machine is gone for milliseconds: at a load of 10 on 2 processors, a fence of 2 ranks over TCP takes 6
/// us with 200 polls, and took 44 with 20 (docs/fences.md).
const POLLS: (u32, u32) = (20, 200);

/// How long a caller's polls go on, others running between, before sleep: at first, and at most. To be woken costs 50
/// to 180 µs on the machines that this was measured on.
const CALLER: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(16));

/// The same for the thread, for which nobody waits, and for callers where ranks outnumber processors: those who poll
/// there take the time of those that they wait for.
const BRIEFLY: (Duration, Duration) = (Duration::from_micros(60), Duration::from_micros(60));

/// A yield that takes longer tells that many others want to run, and the next waits do without.
const CROWDED: Duration = Duration::from_micros(500);

/// So many of them.
const WITHOUT: u32 = 256;

/// How long a thread sleeps at most, where it is woken by what comes.
const SLEEP: Duration = Duration::from_millis(5);

/// How long where it is not woken, at first and at most.
const NAP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));

/// So many wake-ups in a row after which it was readable again at once, and the descriptor is no help.
const VAIN: u32 = 64;

/// A sleep that ends sooner was none.
const AT_ONCE: Duration = Duration::from_micros(5);

/// How often the thread looks whether callers still poll.
const LOOK: Duration = Duration::from_micros(400);

/// What the endpoint's thread calls when something may have come, and when a rank is lost: see
/// [`Ofi::open_within`](crate::Ofi::open_within).
pub type Notice = Arc<dyn Fn(Option<Rank>) + Send + Sync>;

/// The engine, and what is needed to wait for it without its lock.
pub(crate) struct Shared {
    engine: Mutex<Engine>,
    descriptors: Descriptors,
    /// This machine has more ranks of the job than processors.
    outnumbered: bool,
    /// Counts the calls that make progress.
    calls: AtomicU64,
    /// Callers that wait now.
    waiting: AtomicU32,
    /// Counts the polls of the thread.
    polls: AtomicU64,
    /// Waits that are to do without yields.
    crowded: AtomicU32,
    stop: AtomicBool,
    notice: Option<Notice>,
    /// The endpoint's, once it runs.
    thread: OnceLock<Thread>,
    /// No caller polls from now on: the thread need not look for that.
    handed_over: AtomicBool,
}

impl Shared {
    pub(crate) fn new(engine: Engine, outnumbered: bool, notice: Option<Notice>) -> Self {
        Self {
            notice,
            thread: OnceLock::new(),
            handed_over: AtomicBool::new(false),
            outnumbered,
            descriptors: engine.port.descriptors(),
            engine: Mutex::new(engine),
            calls: AtomicU64::new(0),
            waiting: AtomicU32::new(0),
            polls: AtomicU64::new(0),
            crowded: AtomicU32::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// The engine, for a call of the user.
    pub(crate) fn engine(&self) -> MutexGuard<'_, Engine> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.lock()
    }

    /// No code that holds the lock panics with the state half changed: it has no panics but for broken invariants.
    fn lock(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the thread end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The caller polls no more, and goes to sleep elsewhere: the thread begins at once.
    pub(crate) fn hand_over(&self) {
        self.handed_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
    }

    /// What the thread does.
    pub(crate) fn run(&self) {
        let _ = self.thread.set(std::thread::current());
        let mut seen = u64::MAX;
        let mut patience = Patience::of_thread(self);
        let (mut woken, mut told) = (false, None);
        while !self.stop.load(Ordering::Relaxed) {
            let calls = self.calls.load(Ordering::Relaxed);
            if self.handed_over.swap(false, Ordering::Acquire) {
                seen = calls;
                patience = Patience::of_thread(self);
            } else if calls != seen || self.waiting.load(Ordering::Relaxed) > 0 {
                seen = calls;
                patience = Patience::of_thread(self);
                std::thread::park_timeout(LOOK);
                continue;
            }
            let (events, lost) = {
                let mut engine = self.lock();
                engine.look_for_losses();
                let events = engine.progress();
                self.polls.fetch_add(1, Ordering::Relaxed);
                (events, engine.lost())
            };
            // A write of a peer leaves no entry in our queue, but wakes.
            if let Some(notice) = &self.notice
                && (events > 0 || woken || lost != told)
            {
                told = lost;
                notice(lost);
            }
            woken = patience.after(events);
        }
    }
}

/// How long somebody has waited in vain.
pub(crate) struct Patience<'s> {
    shared: &'s Shared,
    /// How long polls go on before sleep: now, and at most.
    yielding: (Duration, Duration),
    is_caller: bool,
    counted: bool,
    /// Polls of the thread that are known.
    polls: u64,
    turns: u32,
    /// When others were let run first.
    since: Option<Instant>,
    naps: u32,
    /// How often a descriptor was readable again at once.
    vain: u32,
}

impl<'s> Patience<'s> {
    /// For a call. The thread stays away from its first vain poll until the value is dropped.
    pub(crate) fn of_caller(shared: &'s Shared) -> Self {
        Self::new(shared, if shared.outnumbered { BRIEFLY } else { CALLER }, true)
    }

    fn of_thread(shared: &'s Shared) -> Self {
        Self::new(shared, BRIEFLY, false)
    }

    fn new(shared: &'s Shared, yielding: (Duration, Duration), is_caller: bool) -> Self {
        Self {
            shared,
            yielding,
            is_caller,
            counted: false,
            polls: shared.polls.load(Ordering::Relaxed),
            turns: 0,
            since: None,
            naps: 0,
            vain: 0,
        }
    }

    /// Waits as long as befits after a poll that gave so many events. True: it slept until something came.
    pub(crate) fn after(&mut self, events: usize) -> bool {
        if events > 0 {
            self.begin_again();
            self.vain = 0;
            return false;
        }
        if self.is_caller && !self.counted {
            self.shared.waiting.fetch_add(1, Ordering::Relaxed);
            self.counted = true;
        }
        if self.turns < self.polls_in_a_row() {
            self.turns += 1;
            std::hint::spin_loop();
        } else if self.may_yield() {
            let began = Instant::now();
            std::thread::yield_now();
            if began.elapsed() > CROWDED {
                self.shared.crowded.store(WITHOUT, Ordering::Relaxed);
            }
        } else if self.is_caller && self.misses_a_poll() {
            // The thread may have taken in what this caller waits for, after its last look: it looks again.
        } else if self.vain < VAIN
            && !self.shared.descriptors.is_empty()
            && self.shared.lock().port.may_sleep()
        {
            return self.sleep();
        } else {
            // No descriptor, or one that would not wake us now.
            self.naps += 1;
            std::thread::sleep(NAP.0.saturating_mul(1 << (self.naps / 16).min(8)).min(NAP.1));
        }
        false
    }

    fn polls_in_a_row(&self) -> u32 {
        if self.is_caller && !self.shared.outnumbered {
            POLLS.1
        } else {
            POLLS.0
        }
    }

    fn misses_a_poll(&mut self) -> bool {
        let polls = self.shared.polls.load(Ordering::Relaxed);
        std::mem::replace(&mut self.polls, polls) != polls
    }

    fn begin_again(&mut self) {
        (self.turns, self.since, self.naps) = (0, None, 0);
    }

    fn sleep(&mut self) -> bool {
        let began = Instant::now();
        if !self.shared.descriptors.sleep(SLEEP) {
            return false;
        }
        let slept = began.elapsed();
        if slept < AT_ONCE {
            // What is there will be seen by the next poll; if it was no event, the descriptor may say so for ever.
            self.vain += 1;
            return true;
        }
        self.vain = 0;
        if slept < self.yielding.0 {
            self.yielding.0 = (self.yielding.0 * 2).min(self.yielding.1);
        }
        self.begin_again();
        true
    }

    /// Whether it is still the time of yields, if there is one on this machine now.
    fn may_yield(&mut self) -> bool {
        if let Some(since) = self.since {
            return since.elapsed() < self.yielding.0;
        }
        let now = Instant::now();
        let crowded = self.shared.crowded.load(Ordering::Relaxed);
        if crowded > 0 {
            // Threads may lose one another's counts, which does no harm.
            self.shared.crowded.store(crowded - 1, Ordering::Relaxed);
        }
        self.since = Some(if crowded > 0 {
            now.checked_sub(self.yielding.0).unwrap_or(now)
        } else {
            now
        });
        crowded == 0
    }
}

impl Drop for Patience<'_> {
    fn drop(&mut self) {
        if self.counted {
            self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
