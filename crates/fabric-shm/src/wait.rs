//! How a rank waits.
//!
//! 1. It asks again at once, some hundred times: what comes from another core comes within that.
//! 2. It asks on, as the [`Crowd`] allows. A rank that is bound to a processor of its own pauses between questions, for the
//!    sibling thread of the core. One that has room, but is not bound, may still share a processor with the rank it waits for:
//!    it also offers its processor now and then. Where ranks share processors, each offers its own after every few
//!    questions: what it waits for can only come if others run.
//! 3. After a while it sleeps, and is woken by the doorbell: to end a sleep costs tens of microseconds. A sleep without a ring
//!    ends by itself after a millisecond, and later after more: a neighbour that stores directly into a mapped
//!    region rings nobody. A ring that was about something else makes the next while awake longer: each
//!    such ring costs its sender a system call.
//!
//! Where somebody else computes on the processors that ranks share, an offer costs milliseconds, and a sleep less: who wakes
//! is soon preferred to who computes. When an offer took that long, ranks sleep early for a while instead.
//!
//! Meanwhile it empties its own rings when they fill, and looks for losses, in its own control page (see
//! [`watch`](crate::watch)).

use crate::ShmFabric;
use crate::card;
use crate::doorbell::{Kernel, Slept};
use crate::place::Place;
use farside_fabric::{Error, Result};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering, fence};
use std::time::{Duration, Instant};

/// How ranks and processors go together.
pub(crate) struct Crowd {
    kind: AtomicU8,
    /// Until when others take offered processors for long: in milliseconds of [`card::clock`].
    hogged: AtomicU64,
}

/// Fewer processors than ranks.
const CROWDED: u8 = 0;
/// A processor for each rank, but nobody is bound to it.
const ROOMY: u8 = 1;
/// A processor of its own.
const BOUND: u8 = 2;

impl Crowd {
    pub(crate) fn new(place: &Place) -> Self {
        let kind = match (place.dedicated, &place.share) {
            (false, _) => CROWDED,
            (true, Some(_)) => ROOMY,
            // One rank, or ranks that a launcher has bound.
            (true, None) => BOUND,
        };
        Self {
            kind: AtomicU8::new(kind),
            hogged: AtomicU64::new(0),
        }
    }

    /// The rank was bound to its share.
    pub(crate) fn bound(&self) {
        self.kind.store(BOUND, Ordering::Relaxed);
    }

    /// Ranks share processors.
    pub(crate) fn is_crowded(&self) -> bool {
        self.is() == CROWDED
    }

    #[inline]
    fn is(&self) -> u8 {
        self.kind.load(Ordering::Relaxed)
    }

    /// Offers the processor; notes whether somebody took it for long.
    fn offer(&self) {
        let began = card::clock();
        rustix::thread::sched_yield();
        let now = card::clock();
        if Duration::from_nanos(now - began) >= LONG_OFFER {
            let until = Duration::from_nanos(now) + HOGGED;
            self.hogged.store(until.as_millis() as u64, Ordering::Relaxed);
        }
    }

    fn is_hogged(&self) -> bool {
        let until = self.hogged.load(Ordering::Relaxed);
        until != 0 && u128::from(until) > Duration::from_nanos(card::clock()).as_millis()
    }
}

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

/// How long to ask before the first sleep: some times what a wake-up costs.
const AWAKE: Duration = Duration::from_micros(100);

/// The same on a processor of its own, which nobody else of the job needs: a wake-up then costs little beside it.
const AWAKE_BOUND: Duration = Duration::from_millis(1);

/// The longest time to ask before a sleep.
const LONGEST_AWAKE: Duration = Duration::from_millis(4);

/// So often a processor is offered in a crowd at least before a sleep: with many ranks a single offer takes long.
const LEAST_OFFERS: u32 = 100;

/// An offer that takes longer was taken by somebody who computes, of this job or of another one.
const LONG_OFFER: Duration = Duration::from_millis(1);

/// So long a rank then sleeps early, and does not offer: who sleeps is soon preferred to who computes, who offers is not.
const HOGGED: Duration = Duration::from_millis(100);

/// How long it asks meanwhile before a sleep.
const AWAKE_HOGGED: Duration = Duration::from_micros(10);

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
        let at_once = match self.crowd.is() {
            CROWDED => AT_ONCE_CROWDED,
            _ => AT_ONCE,
        };
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
            Some(rank) => Err(self.peer_lost(rank)),
        }
    }

    #[cold]
    fn wait_long(&self, limit: Option<Duration>, longest: Duration, ready: Ready<'_>) -> Result<()> {
        let began = Instant::now();
        let first_awake = match self.crowd.is() {
            BOUND => AWAKE_BOUND,
            _ => AWAKE,
        };
        let (mut since, mut awake, mut offers) = (began, first_awake, 0);
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
            let hogged = crowd != BOUND && self.crowd.is_hogged();
            let tired = match (crowd, hogged) {
                (_, true) => now - since >= awake.min(AWAKE_HOGGED),
                (CROWDED, false) => now - since >= awake && offers >= LEAST_OFFERS,
                (_, false) => now - since >= awake,
            };
            if tired {
                let left = limit.map_or(sleep, |limit| sleep.min(limit - (now - began)));
                let bell = self.own().bell();
                match bell.sleep(self.fences, &Kernel, left, &mut || self.ask(ready))? {
                    Slept::Ready => return Ok(()),
                    Slept::Rung => awake = (awake * 2).min(LONGEST_AWAKE),
                    Slept::Alone => {
                        awake = first_awake;
                        sleep = (sleep * 2).min(longest);
                    }
                }
                (since, offers) = (Instant::now(), 0);
            } else if !hogged && (crowd == CROWDED || (crowd == ROOMY && turn.is_multiple_of(OFFERS))) {
                self.crowd.offer();
                offers += 1;
            }
        }
    }
}
