//! How much time is left for simulations.
//!
//! Promise: with a limit, no simulation begins after it or runs on after it; what is left out for that reason is
//! noted by those who leave it out. Without one, nothing depends on time. Where the limit is met depends on the machine,
//! so that two reports of a long program may differ in what they say was not tried.

use std::time::{Duration, Instant};

/// The time up to which simulations may run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    end: Option<Instant>,
}

impl Clock {
    /// From now on, there is so much time.
    pub(super) fn begin(limit: Option<Duration>) -> Self {
        Self {
            end: limit.map(|limit| Instant::now() + limit),
        }
    }

    /// A part of the time that is left: one of so many.
    pub(super) fn part(self, of: u32) -> Self {
        let now = Instant::now();
        Self {
            end: self.end.map(|end| now + end.saturating_duration_since(now) / of),
        }
    }

    /// Whether no time is left.
    pub(super) fn is_over(self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    pub(super) fn end(self) -> Option<Instant> {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_before_the_whole_and_no_limit_never() {
        let whole = Clock::begin(Some(Duration::from_secs(3600)));
        let part = whole.part(4);
        assert!(part.end() < whole.end() && part.end() > whole.part(8).end());
        assert!(!whole.is_over() && !Clock::begin(None).part(2).is_over());
        assert!(Clock::begin(Some(Duration::ZERO)).is_over());
        assert_eq!(Clock::begin(None).end(), None);
    }
}
