//! How a rank waits.
//!
//! 1. It asks again at once, some hundred times: what comes from another core comes within that.
//! 2. It asks on, as the [`Crowd`](crate::crowd::Crowd) allows. A rank that is bound to a processor of its own pauses
//!    between questions, for the sibling thread of the core. One that has room, but is not bound, may still share a
//!    processor with the rank it waits for: it also offers its processor now and then. Where ranks share processors,
//!    each offers its own after every few questions: what it waits for can only come if others run.
//! 3. After a while it sleeps, and is woken by the doorbell: to end a sleep costs tens of microseconds. A sleep without
//!    a ring ends by itself after a millisecond, and later after more: a neighbour that stores directly into a mapped
//!    region rings nobody. A ring soon after the beginning of a sleep says that it came too early: the next whiles
//!    awake are longer, in later calls, too. Else ranks that wake one another are slow, sleep because all is slow, and
//!    stay so.
//!
//! Where somebody else computes on the processors that ranks share, an offer costs milliseconds, and a sleep less: who
//! wakes is soon preferred to who computes. When offers took that long, ranks sleep early for a while instead. One long
//! offer alone says nothing: now and then somebody runs for a moment on any machine, and a rank that sleeps makes all
//! that wait for it slow.
//!
//! Meanwhile it empties its own rings when they fill, and looks for losses, in its own control page (see
//! [`watch`](crate::watch)).

use super::ShmFabric;
use crate::crowd::{BOUND, CROWDED, ROOMY};
use crate::doorbell::{Kernel, Slept};
use farside_fabric::{Error, Result};
use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

/// Questions without a pause, a system call or a look at the clock.
const AT_ONCE: u32 = 400;

/// The same in a crowd.
const AT_ONCE_CROWDED: u32 = 50;

/// Questions with pauses between two looks at the clock.
const PAUSED: u32 = 32;

/// Looks at the clock between two offers of a processor, where there is room.
const OFFERS: u32 = 8;

/// Questions between two offers of a processor in a crowd.
const BETWEEN_OFFERS: u32 = 10;

/// So often a processor is offered in a crowd at least before a sleep: with many ranks a single offer takes long.
const LEAST_OFFERS: u32 = 100;

/// How long it asks before a sleep while somebody else computes on the processors.
const AWAKE_HOGGED: Duration = Duration::from_micros(10);

/// The first sleep; each next one is twice as long, up to the longest.
const FIRST_SLEEP: Duration = Duration::from_millis(1);

/// The longest sleep.
pub(crate) const LONGEST_SLEEP: Duration = Duration::from_millis(64);

/// The longest sleep of who waits for room in a ring: its reader rings only when half is free.
pub(crate) const LONGEST_SLEEP_STARVED: Duration = Duration::from_millis(2);

type Ready<'r> = &'r mut dyn FnMut() -> Result<bool>;

impl ShmFabric {
    /// As [`Fabric::wait`](farside_fabric::Fabric::wait), with sleeps of at most `longest`, and `before_sleep` in front
    /// of each: for who waits for more than this transport. Whoever brings that wakes the rank.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn wait_until(
        &self,
        limit: Option<Duration>,
        longest: Duration,
        ready: &mut dyn FnMut() -> Result<bool>,
        before_sleep: &dyn Fn(),
    ) -> Result<()> {
        let at_once = match self.crowd.is() {
            CROWDED => AT_ONCE_CROWDED,
            _ => AT_ONCE,
        };
        for _ in 0..at_once {
            if self.ask(ready)? {
                return Ok(());
            }
        }
        self.wait_long(limit, longest, ready, before_sleep)
    }

    /// Asks, and looks for losses.
    #[inline]
    fn ask(&self, ready: Ready<'_>) -> Result<bool> {
        let lost = self.own().lost();
        if ready()? {
            // What `ready` saw came after what it may be read for, even if it did not order its loads.
            fence(Ordering::Acquire);
            return Ok(true);
        }
        // A loss that was seen before the question changes nothing any more: what was to come has come.
        match lost {
            None => Ok(false),
            Some(rank) => Err(self.peer_lost(rank)),
        }
    }

    #[cold]
    fn wait_long(
        &self,
        limit: Option<Duration>,
        longest: Duration,
        ready: Ready<'_>,
        before_sleep: &dyn Fn(),
    ) -> Result<()> {
        let began = Instant::now();
        let (mut since, mut offers) = (began, 0);
        let mut sleep = FIRST_SLEEP.min(longest);
        let mut turn = 0_u32;
        loop {
            turn = turn.wrapping_add(1);
            let crowd = self.crowd.is();
            for _ in 0..if crowd == CROWDED { BETWEEN_OFFERS } else { PAUSED } {
                if self.ask(ready)? {
                    return Ok(());
                }
                if crowd != CROWDED {
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
            let awake = self.crowd.awake();
            let hogged = crowd != BOUND && self.crowd.is_hogged();
            let tired = match (crowd, hogged) {
                (_, true) => now - since >= awake.min(AWAKE_HOGGED),
                (CROWDED, false) => now - since >= awake && offers >= LEAST_OFFERS,
                (_, false) => now - since >= awake,
            };
            if tired {
                let left = limit.map_or(sleep, |limit| sleep.min(limit - (now - began)));
                let bell = self.own().bell();
                before_sleep();
                let slept = bell.sleep(self.fences, &Kernel, left, &mut || self.ask(ready))?;
                if slept == Slept::Ready {
                    return Ok(());
                }
                (since, offers) = (Instant::now(), 0);
                self.crowd.slept(slept, since - now);
                if slept == Slept::Alone {
                    sleep = (sleep * 2).min(longest);
                }
            } else if !hogged && (crowd == CROWDED || (crowd == ROOMY && turn.is_multiple_of(OFFERS))) {
                self.crowd.offer();
                offers += 1;
            }
        }
    }
}
