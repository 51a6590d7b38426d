//! How a rank waits.
//!
//! 1. It asks again at once, some hundred times: what comes from another core comes within that.
//! 2. Where each rank has a processor of its own, it goes on asking, with pauses for the sibling thread of the core, and
//!    offers its processor now and then, for others may be there in spite of all. Where ranks share processors, it offers
//!    its processor after every few questions: what it waits for can only come if others run.
//! 3. After a while it sleeps, and is woken by the doorbell: a sleep costs tens of microseconds to end. A sleep without
//!    a ring ends by itself after a millisecond, and later after more: a neighbour that stores directly into a mapped
//!    region rings nobody.
//!
//! Meanwhile it empties its own rings when they fill, and looks for losses, in its own control page (see
//! [`watch`](crate::watch)).

use crate::ShmFabric;
use crate::doorbell::Kernel;
use farside_fabric::{Error, Result};
use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

/// Questions without a pause, a system call or a look at the clock.
const AT_ONCE: u32 = 400;

/// The same where ranks share processors.
const AT_ONCE_SHARED: u32 = 150;

/// Questions with pauses between two looks at the clock.
const PAUSED: u32 = 32;

/// Looks at the clock between two offers of a processor of the own.
const OFFERS: u32 = 8;

/// Questions between two offers of a shared processor.
const BETWEEN_OFFERS: u32 = 10;

/// How long to ask before the first sleep.
const AWAKE: Duration = Duration::from_micros(100);

/// So often a shared processor is offered at least before the first sleep: with many ranks a single offer takes long.
const LEAST_OFFERS: u32 = 20;

/// The first sleep; each next one is twice as long, up to the longest.
const FIRST_SLEEP: Duration = Duration::from_millis(1);

/// The longest sleep.
pub(crate) const LONGEST_SLEEP: Duration = Duration::from_millis(64);

/// The longest sleep of who waits for room in a ring: its reader rings only when half is free.
pub(crate) const LONGEST_SLEEP_STARVED: Duration = Duration::from_millis(2);

type Ready<'r> = &'r mut dyn FnMut() -> Result<bool>;

impl ShmFabric {
    /// As [`Fabric::wait`](farside_fabric::Fabric::wait), with sleeps of at most `longest`.
    #[inline]
    pub(crate) fn wait_until(
        &self,
        limit: Option<Duration>,
        longest: Duration,
        ready: Ready<'_>,
    ) -> Result<()> {
        let at_once = if self.dedicated { AT_ONCE } else { AT_ONCE_SHARED };
        for _ in 0..at_once {
            if self.ask(ready)? {
                return Ok(());
            }
        }
        self.wait_long(limit, longest, ready)
    }

    /// Asks, and looks for losses.
    #[inline]
    fn ask(&self, ready: Ready<'_>) -> Result<bool> {
        let lost = self.own().lost();
        if ready()? {
            // What `ready` saw came behind what it may be read for, even if it did not order its loads.
            fence(Ordering::Acquire);
            return Ok(true);
        }
        // A loss that was seen before the question changes nothing any more: what was to come has come.
        match lost {
            None => Ok(false),
            Some(rank) => Err(Error::PeerLost { rank }),
        }
    }

    #[cold]
    fn wait_long(&self, limit: Option<Duration>, longest: Duration, ready: Ready<'_>) -> Result<()> {
        let began = Instant::now();
        let mut sleep = FIRST_SLEEP.min(longest);
        let mut offers = 0;
        let mut awake = began;
        let mut turn = 0_u32;
        loop {
            turn = turn.wrapping_add(1);
            for _ in 0..if self.dedicated { PAUSED } else { BETWEEN_OFFERS } {
                if self.ask(ready)? {
                    return Ok(());
                }
                if self.dedicated {
                    std::hint::spin_loop();
                }
            }
            self.take_in()?;
            let now = Instant::now();
            if let Some(limit) = limit
                && now - began >= limit
            {
                return Err(Error::TimeOut(limit));
            }
            let patient = self.dedicated || offers >= LEAST_OFFERS;
            if patient && now - awake >= AWAKE {
                let left = limit.map_or(sleep, |limit| sleep.min(limit - (now - began)));
                if self
                    .own()
                    .bell()
                    .sleep(self.fences, &Kernel, left, &mut || self.ask(ready))?
                {
                    return Ok(());
                }
                sleep = (sleep * 2).min(longest);
                offers = 0;
                awake = Instant::now();
            } else if !self.dedicated || turn.is_multiple_of(OFFERS) {
                rustix::thread::sched_yield();
                offers += 1;
            }
        }
    }
}
