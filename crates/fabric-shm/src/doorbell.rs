//! Sleep and wake-up between ranks: who sleeps says so, who has something rings.
//!
//! The pattern is Dekker's: a sleeper stores `asleep`, then looks for work again; a ringer stores its work, then looks
//! at `asleep`. A full fence between the two steps of each makes that at least one sees the other. Work comes with
//! every put, so the ringer's fence should cost nothing: with [`Fences::Asymmetric`] the sleeper pays for both, by
//! membarrier(2), which puts a full fence into all running threads of all processes that registered. Its cost of
//! microseconds comes only before a sleep of many. Where the kernel has none, and in a crowd, where sleeps are many,
//! both sides fence.
//!
//! Verified: `doorbell::models` (loom), with a fence on both sides, and a sleep that only a ring ends.

use crate::atomics::{AtomicU32, Ordering};
use std::time::Duration;

/// The words of a sleeper, in its control page.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Doorbell {
    /// Not 0: a thread sleeps, or is about to. Whoever rings sets it back.
    asleep: AtomicU32,
    /// Counts rings; the futex.
    rings: AtomicU32,
}

/// How a sleep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slept {
    /// It did not begin: there was something to do.
    Ready,
    /// Somebody rang, about this or about something else.
    Rung,
    /// Its time was over.
    Alone,
}

/// How the two sides fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fences {
    /// The ringer orders only the compiler, the sleeper everybody.
    Asymmetric,
    /// Both order the processor.
    Symmetric,
}

impl Fences {
    /// Asymmetric if the kernel does it; from then on this process is reached by the fences of others.
    #[cfg(not(all(test, loom)))]
    pub(crate) fn register() -> Self {
        use rustix::thread::{MembarrierCommand, membarrier, membarrier_query};
        let registered = membarrier_query().contains_command(MembarrierCommand::GlobalExpedited)
            && membarrier(MembarrierCommand::RegisterGlobalExpedited).is_ok();
        match registered {
            true => Self::Asymmetric,
            false => Self::Symmetric,
        }
    }

    /// Of the ringer.
    #[inline]
    fn light(self) {
        #[cfg(all(test, loom))]
        models::fence(self);
        #[cfg(not(all(test, loom)))]
        match self {
            Self::Asymmetric => std::sync::atomic::compiler_fence(Ordering::SeqCst),
            Self::Symmetric => std::sync::atomic::fence(Ordering::SeqCst),
        }
    }

    /// Of the sleeper. False if the system refused, and nobody may sleep.
    fn heavy(self) -> bool {
        #[cfg(all(test, loom))]
        {
            models::fence(self);
            true
        }
        #[cfg(not(all(test, loom)))]
        {
            std::sync::atomic::fence(Ordering::SeqCst);
            self == Self::Symmetric
                || rustix::thread::membarrier(rustix::thread::MembarrierCommand::GlobalExpedited).is_ok()
        }
    }
}

/// How threads are put to sleep: by the kernel, or by a model of it.
pub(crate) trait Park {
    /// Sleeps while `word` is `value`, until a wake-up, or for `longest`; may end early.
    fn sleep(&self, word: &AtomicU32, value: u32, longest: Duration);

    /// Wakes all who sleep on `word`.
    fn wake(&self, word: &AtomicU32);
}

impl Doorbell {
    /// Not 0 while a thread sleeps, or is about to: for ringers that fence themselves.
    #[cfg(not(all(test, loom)))]
    pub(crate) fn asleep(&self) -> &AtomicU32 {
        &self.asleep
    }

    /// Wakes the rank if it sleeps, after work that the caller has made visible to it.
    #[inline]
    pub(crate) fn ring(&self, fences: Fences, park: &impl Park) {
        fences.light();
        if self.asleep.load(Ordering::Relaxed) != 0 {
            self.wake(park);
        }
    }

    #[cold]
    fn wake(&self, park: &impl Park) {
        // Of many ringers, one does it. Between the swap and the count, a new sleeper finds the count changed.
        if self.asleep.swap(0, Ordering::AcqRel) != 0 {
            self.rings.fetch_add(1, Ordering::Release);
            park.wake(&self.rings);
        }
    }

    /// Sleeps until a ring, or for `longest`, unless `ready`, which is asked when ringers can see the sleeper.
    pub(crate) fn sleep<E>(
        &self,
        fences: Fences,
        park: &impl Park,
        longest: Duration,
        ready: &mut dyn FnMut() -> Result<bool, E>,
    ) -> Result<Slept, E> {
        let rings = self.rings.load(Ordering::Acquire);
        self.asleep.store(1, Ordering::Relaxed);
        let fenced = fences.heavy();
        // `asleep` stays, if this thread does not sleep after all: another one of the rank may.
        if ready()? {
            return Ok(Slept::Ready);
        }
        if fenced {
            park.sleep(&self.rings, rings, longest);
        }
        match self.rings.load(Ordering::Acquire) == rings {
            true => Ok(Slept::Alone),
            false => Ok(Slept::Rung),
        }
    }
}

/// The kernel's futex, between processes.
#[cfg(not(all(test, loom)))]
pub(crate) struct Kernel;

#[cfg(not(all(test, loom)))]
impl Park for Kernel {
    fn sleep(&self, word: &AtomicU32, value: u32, longest: Duration) {
        use rustix::thread::futex::{Flags, Timespec, wait};
        let limit = Timespec {
            tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: longest.subsec_nanos().into(),
        };
        // It ends with a wake-up, AGAIN (the word has changed), INTR or TIMEDOUT: the caller looks again in all cases.
        let _ = wait(word, Flags::empty(), value, Some(&limit));
    }

    fn wake(&self, word: &AtomicU32) {
        // Fails for an address that is not mapped only, and this is one.
        let _ = rustix::thread::futex::wake(word, rustix::thread::futex::Flags::empty(), i32::MAX as u32);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::atomics::AtomicU64;
    use std::convert::Infallible;

    #[test]
    fn who_has_work_does_not_sleep() {
        let bell = Doorbell::default();
        let answer = bell.sleep(Fences::Symmetric, &Kernel, Duration::from_secs(3600), &mut || {
            Ok::<_, Infallible>(true)
        });
        assert_eq!(answer, Ok(Slept::Ready));
    }

    #[test]
    fn a_sleep_ends_with_its_time() {
        let bell = Doorbell::default();
        let answer = bell.sleep(Fences::Symmetric, &Kernel, Duration::from_millis(1), &mut || {
            Ok::<_, Infallible>(false)
        });
        assert_eq!(answer, Ok(Slept::Alone));
    }

    /// Sleeps are an hour long: a lost wake-up hangs the test.
    #[test]
    fn two_threads_wake_one_another_many_times() {
        for fences in [Fences::register(), Fences::Symmetric] {
            let bells = [Doorbell::default(), Doorbell::default()];
            let turn = AtomicU64::new(0);
            let play = |own: usize| {
                for round in 0..2_000_u64 {
                    let mut ready =
                        || Ok::<_, Infallible>(turn.load(Ordering::Acquire) == 2 * round + own as u64);
                    while !ready().unwrap() {
                        let hour = Duration::from_secs(3600);
                        let slept = bells[own].sleep(fences, &Kernel, hour, &mut ready).unwrap();
                        if slept == Slept::Ready {
                            break;
                        }
                    }
                    turn.store(2 * round + own as u64 + 1, Ordering::Release);
                    bells[1 - own].ring(fences, &Kernel);
                }
            };
            std::thread::scope(|scope| {
                scope.spawn(|| play(0));
                play(1);
            });
            assert_eq!(turn.into_inner(), 4_000);
        }
    }
}

#[cfg(all(test, loom))]
mod models;
