//! Virtual time, in picoseconds: fine enough for the gap between two bytes, 213 days long.

use std::time::Duration;

/// A point of virtual time since the job began, or a length of it. Arithmetic stops at the end of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time(u64);

impl Time {
    pub(crate) const ZERO: Self = Self(0);
    pub(crate) const MAX: Self = Self(u64::MAX);

    /// What so many bytes take at so many picoseconds each.
    pub(crate) fn of_bytes(bytes: usize, picoseconds: u64) -> Self {
        Self(picoseconds.saturating_mul(bytes as u64))
    }

    pub(crate) fn of(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos().saturating_mul(1000)).unwrap_or(u64::MAX))
    }

    /// In whole nanoseconds, as `Duration` has them.
    pub(crate) fn duration(self) -> Duration {
        Duration::from_nanos(self.0 / 1000)
    }

    /// A share of it: `number` of `all` equal steps.
    pub(crate) fn share(self, number: u32, all: u32) -> Self {
        let share = u128::from(self.0) * u128::from(number) / u128::from(all.max(1));
        Self(u64::try_from(share).unwrap_or(u64::MAX))
    }

    pub(crate) fn times(self, number: u64) -> Self {
        Self(self.0.saturating_mul(number))
    }

    /// How many whole steps fit, and one more if something is left.
    pub(crate) fn steps(self, step: Self) -> u64 {
        self.0.div_ceil(step.0.max(1))
    }
}

impl std::ops::Add for Time {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Time {
    type Output = Self;

    /// 0 if `other` is later.
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}
