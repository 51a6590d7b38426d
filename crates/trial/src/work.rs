//! How much is done for trials.
//!
//! It is counted in events that are looked at, and in the accesses that these tell of: what is suggested must not
//! depend on the machine, nor on what else that does. A recording counts what is read from it. A clock is there for
//! what an event may cost at the worst; it is read seldom, and so far away that it decides nothing but then.

use std::ops::{Add, Div, Mul};
use std::time::Duration;

/// An amount of work, or what was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work(u64);

impl Work {
    /// As much as can be told of: all that there is to do.
    pub const ALL: Self = Self(u64::MAX);

    /// So many events and accesses.
    #[must_use]
    pub const fn of(amount: u64) -> Self {
        Self(amount)
    }

    /// How much more it is than what was done earlier; none if it is less.
    pub(crate) fn after(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }
}

impl Mul<u64> for Work {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Div<u64> for Work {
    type Output = Self;

    fn div(self, parts: u64) -> Self {
        Self(self.0 / parts.max(1))
    }
}

/// Tells the time.
pub type Clock = fn() -> Duration;

/// A clock that is read seldom, and a time that is far away.
#[derive(Debug)]
pub(crate) struct Net {
    clock: Clock,
    end: Duration,
    steps: u64,
    hit: bool,
}

impl Net {
    /// Steps after which the clock is read.
    const SELDOM: u64 = 64;

    /// It is over when the clock has gone on so far.
    pub(crate) fn new(limit: Duration, clock: Clock) -> Self {
        Self {
            clock,
            end: clock().saturating_add(limit),
            steps: 0,
            hit: false,
        }
    }

    /// One more step was done; whether the time is over.
    pub(crate) fn is_over(&mut self) -> bool {
        self.steps += 1;
        self.hit |= self.steps.is_multiple_of(Self::SELDOM) && (self.clock)() >= self.end;
        self.hit
    }

    /// Whether it was over.
    pub(crate) fn is_hit(&self) -> bool {
        self.hit
    }
}

/// The processor time of the calling thread.
pub(crate) fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let rest = u64::try_from(time.tv_nsec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_more_than_any_amount() {
        let some = Work::of(3);
        assert_eq!(some + Work::ALL, Work::ALL);
        assert_eq!((some * 7 / 8, some.after(Work::ALL)), (Work::of(2), Work::of(0)));
    }
}
