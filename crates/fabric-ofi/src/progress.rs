//! Who makes progress, and who sleeps.
//!
//! libfabric's providers move the operations of others only when the target calls them. So each endpoint has a thread
//! that does, while the user does not: as long as the user polls, the thread only looks now and then whether he still does;
//! when he does not, it polls, and when nothing comes, it sleeps on the descriptor of the completion queue.
//!
//! All waiting is alike: poll a few times, then let others run, then sleep until something comes, or a moment where the
//! provider has no descriptor. Two processors must carry many ranks.

use crate::engine::Engine;
use crate::port;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Polls in a row before others may run.
const POLLS: u32 = 20;

/// How long polls go on, others running between, before sleep. A time, for on a busy machine each of them may take long,
/// and one who sleeps is woken sooner than one who yields.
const YIELDING: Duration = Duration::from_micros(60);

/// A yield that takes longer tells that many others want to run, and the next waits do without.
const CROWDED: Duration = Duration::from_micros(500);

/// So many of them.
const WITHOUT: u32 = 256;

/// How long a thread sleeps at most, where it is woken by what comes.
const SLEEP: Duration = Duration::from_millis(5);

/// How long where it is not woken, at first and at most.
const NAP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));

/// So many wake-ups in a row without an event, and the descriptor is no help: that of `net` 1.17 is always readable.
const VAIN: u32 = 4;

/// How often the thread looks whether the user still polls.
const LOOK: Duration = Duration::from_micros(250);

/// The engine, and what is needed to wait for it without its lock.
pub(crate) struct Shared {
    engine: Mutex<Engine>,
    descriptor: Option<RawFd>,
    /// Counts the user's calls that make progress.
    calls: AtomicU64,
    /// Waits that are to do without yields.
    crowded: AtomicU32,
    stop: AtomicBool,
}

impl Shared {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            descriptor: engine.port.wait_descriptor(),
            engine: Mutex::new(engine),
            calls: AtomicU64::new(0),
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

    /// What the thread does.
    pub(crate) fn run(&self) {
        let mut seen = u64::MAX;
        let mut patience = Patience::default();
        while !self.stop.load(Ordering::Relaxed) {
            let calls = self.calls.load(Ordering::Relaxed);
            if calls != seen {
                seen = calls;
                patience = Patience::default();
                std::thread::sleep(LOOK);
                continue;
            }
            let events = {
                let mut engine = self.lock();
                engine.look_for_losses();
                engine.progress()
            };
            patience.after(events, self);
        }
    }
}

/// How long somebody has waited in vain.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    turns: u32,
    /// When others were let run first.
    since: Option<Instant>,
    naps: u32,
    /// How often the descriptor was readable, and there was nothing.
    vain: u32,
}

impl Patience {
    /// Waits as long as befits after a poll that gave so many events.
    pub(crate) fn after(&mut self, events: usize, shared: &Shared) {
        if events > 0 {
            *self = Self::default();
            return;
        }
        if self.turns < POLLS {
            self.turns += 1;
            std::hint::spin_loop();
        } else if self.may_yield(shared) {
            let began = Instant::now();
            std::thread::yield_now();
            if began.elapsed() > CROWDED {
                shared.crowded.store(WITHOUT, Ordering::Relaxed);
            }
        } else if let Some(descriptor) = shared
            .descriptor
            .filter(|_| self.vain < VAIN && shared.lock().port.may_sleep())
        {
            self.vain += u32::from(port::sleep_on(descriptor, SLEEP));
        } else {
            // No descriptor, or one that would not wake us now.
            self.naps += 1;
            std::thread::sleep(NAP.0.saturating_mul(1 << (self.naps / 16).min(8)).min(NAP.1));
        }
    }

    /// Whether it is still the time of yields, if there is one on this machine now.
    fn may_yield(&mut self, shared: &Shared) -> bool {
        if let Some(since) = self.since {
            return since.elapsed() < YIELDING;
        }
        let now = Instant::now();
        let crowded = shared.crowded.load(Ordering::Relaxed);
        if crowded > 0 {
            // Threads may lose one another's counts, which does no harm.
            shared.crowded.store(crowded - 1, Ordering::Relaxed);
        }
        self.since = Some(if crowded > 0 {
            now.checked_sub(YIELDING).unwrap_or(now)
        } else {
            now
        });
        crowded == 0
    }
}
