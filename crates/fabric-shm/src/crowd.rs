//! How the ranks of a job and the processors go together, as one rank has seen.
//!
//! Two things are guessed from what has happened: whether somebody else computes on the processors that ranks share,
//! from how long offers of the own one took; and how long to stay awake, from how soon sleeps ended.

use crate::card;
use crate::doorbell::Slept;
use crate::place::Place;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// How ranks and processors go together.
pub(crate) struct Crowd {
    kind: AtomicU8,
    /// Until when others take offered processors for long: in milliseconds of [`card::clock`].
    hogged: AtomicU64,
    /// How long it was to last, in milliseconds; 0 if the last long offer was a single one.
    hogged_for: AtomicU32,
    /// Short offers since the last long one.
    short_offers: AtomicU32,
    /// In nanoseconds: how long to ask before the first sleep.
    awake: AtomicU64,
}

/// Fewer processors than ranks.
pub(crate) const CROWDED: u8 = 0;
/// A processor for each rank, but nobody is bound to it.
pub(crate) const ROOMY: u8 = 1;
/// A processor of its own.
pub(crate) const BOUND: u8 = 2;

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
            hogged_for: AtomicU32::new(0),
            short_offers: AtomicU32::new(FEW_OFFERS),
            awake: AtomicU64::new(0),
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
    pub(crate) fn is(&self) -> u8 {
        self.kind.load(Ordering::Relaxed)
    }

    /// Offers the processor; notes whether somebody took it for long.
    pub(crate) fn offer(&self) {
        let began = card::clock();
        rustix::thread::sched_yield();
        let now = card::clock();
        self.offered(Duration::from_nanos(now - began), Duration::from_nanos(now));
    }

    /// An offer took so long, and ended now.
    fn offered(&self, took: Duration, now: Duration) {
        // Threads of a rank may count at the same time, and lose some: it is a guess.
        let short = self.short_offers.load(Ordering::Relaxed);
        if took < LONG_OFFER {
            self.short_offers
                .store(short.saturating_add(1), Ordering::Relaxed);
            return;
        }
        self.short_offers.store(0, Ordering::Relaxed);
        let again = match short {
            0..FEW_OFFERS => {
                (self.hogged_for.load(Ordering::Relaxed) * 2).clamp(SHORTEST_HOGGED, LONGEST_HOGGED)
            }
            _ => 0,
        };
        self.hogged_for.store(again, Ordering::Relaxed);
        if again > 0 {
            let until = now.as_millis() as u64 + u64::from(again);
            self.hogged.store(until, Ordering::Relaxed);
        }
    }

    /// How long to ask before a sleep.
    pub(crate) fn awake(&self) -> Duration {
        let least = match self.is() {
            BOUND => AWAKE_BOUND,
            _ => AWAKE,
        };
        least.max(Duration::from_nanos(self.awake.load(Ordering::Relaxed)))
    }

    /// A sleep has ended: what it says of those to come.
    pub(crate) fn slept(&self, how: Slept, time: Duration) {
        let awake = self.awake();
        let next = match how {
            Slept::Ready => return,
            Slept::Rung if time < SHORT_SLEEP => (awake * 2).min(LONGEST_AWAKE),
            Slept::Rung if time < LONGEST_AWAKE => return,
            Slept::Rung | Slept::Alone => Duration::ZERO,
        };
        self.awake.store(next.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Whether somebody else computes on the processors.
    pub(crate) fn is_hogged(&self) -> bool {
        self.hogged.load(Ordering::Relaxed) != 0 && self.is_hogged_at(Duration::from_nanos(card::clock()))
    }

    fn is_hogged_at(&self, now: Duration) -> bool {
        u128::from(self.hogged.load(Ordering::Relaxed)) > now.as_millis()
    }
}

/// How long to ask before the first sleep: some times what a wake-up costs.
const AWAKE: Duration = Duration::from_micros(100);

/// The same on a processor of its own, which nobody else of the job needs: a wake-up then costs little beside it.
const AWAKE_BOUND: Duration = Duration::from_millis(1);

/// The longest time to ask before a sleep.
const LONGEST_AWAKE: Duration = Duration::from_millis(4);

/// A sleep that ends sooner came too early: to end it has cost much of what it lasted.
const SHORT_SLEEP: Duration = Duration::from_millis(1);

/// An offer that takes longer was taken by somebody who computes, of this job or of another one.
const LONG_OFFER: Duration = Duration::from_millis(1);

/// Two long offers with fewer short ones between them were taken by one who goes on computing. It holds across a time
/// of early sleeps, too: the first offer after it tells whether it goes on.
const FEW_OFFERS: u32 = 8;

/// So long a rank then sleeps early, and does not offer, in milliseconds: who sleeps is soon preferred to who computes,
/// who offers is not. At first, as ranks that start compute for a moment; then twice as long whenever it has not ended,
/// up to the longest.
const SHORTEST_HOGGED: u32 = 10;

/// See [`SHORTEST_HOGGED`]. A look whether it has ended costs some milliseconds.
const LONGEST_HOGGED: u32 = 160;

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn crowded() -> Crowd {
        Crowd::new(&Place {
            dedicated: false,
            share: None,
        })
    }

    #[test]
    fn one_long_offer_says_nothing_and_two_say_that_somebody_computes() {
        let crowd = crowded();
        crowd.offered(3 * MILLISECOND, 10 * MILLISECOND);
        assert!(!crowd.is_hogged_at(10 * MILLISECOND));
        (0..FEW_OFFERS).for_each(|_| crowd.offered(MILLISECOND / 100, 11 * MILLISECOND));
        crowd.offered(3 * MILLISECOND, 20 * MILLISECOND);
        assert!(!crowd.is_hogged_at(20 * MILLISECOND));
        crowd.offered(3 * MILLISECOND, 23 * MILLISECOND);
        assert!(crowd.is_hogged_at(32 * MILLISECOND) && !crowd.is_hogged_at(33 * MILLISECOND));
    }

    #[test]
    fn who_goes_on_computing_is_looked_at_less_and_less() {
        let crowd = crowded();
        let mut now = MILLISECOND;
        crowd.offered(3 * MILLISECOND, now);
        for milliseconds in [10, 20, 40, 80, 160, 160] {
            crowd.offered(3 * MILLISECOND, now);
            let end = now + milliseconds * MILLISECOND;
            assert!(crowd.is_hogged_at(end - MILLISECOND) && !crowd.is_hogged_at(end));
            now = end;
        }
        (0..FEW_OFFERS).for_each(|_| crowd.offered(MILLISECOND / 100, now));
        crowd.offered(3 * MILLISECOND, now);
        crowd.offered(3 * MILLISECOND, now);
        assert!(!crowd.is_hogged_at(now + 10 * MILLISECOND));
    }

    #[test]
    fn short_sleeps_make_the_next_ones_later_and_long_ones_sooner() {
        let crowd = crowded();
        assert_eq!(crowd.awake(), AWAKE);
        crowd.slept(Slept::Rung, MILLISECOND / 10);
        assert_eq!(crowd.awake(), 2 * AWAKE);
        (0..20).for_each(|_| crowd.slept(Slept::Rung, MILLISECOND / 10));
        assert_eq!(crowd.awake(), LONGEST_AWAKE);
        crowd.slept(Slept::Rung, 2 * MILLISECOND);
        crowd.slept(Slept::Ready, Duration::ZERO);
        assert_eq!(crowd.awake(), LONGEST_AWAKE);
        crowd.slept(Slept::Alone, 64 * MILLISECOND);
        assert_eq!(crowd.awake(), AWAKE);
    }
}
