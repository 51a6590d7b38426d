//! How much time is left for simulations.
//!
//! Promise: with a limit, no simulation begins after it or runs on after it; what is left out for that reason is
//! noted by those who leave it out. Without one, nothing depends on time. Where the limit is met depends on the
//! machine, so that two reports of a long program may differ in what they say was not tried.

use crate::budget::{Deadline, End, TimeLimit};
use std::time::Duration;

/// The time up to which simulations may run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    end: Option<Deadline>,
}

impl Clock {
    /// From now on, there is so much time.
    pub(super) fn begin(limit: Option<TimeLimit>) -> Self {
        Self {
            end: limit.map(|limit| Deadline::after(limit.time, limit.clock)),
        }
    }

    /// A part of the time that is left: one of so many.
    pub(super) fn part(self, of: u32) -> Self {
        Self {
            end: self.end.map(|end| end.part(of)),
        }
    }

    /// Whether no time is left.
    pub(super) fn is_over(self) -> bool {
        self.end.is_some_and(Deadline::is_past)
    }

    /// What ends a simulation of this thread.
    pub(super) fn end(self) -> End {
        End::default().at(self.end)
    }

    /// How much time is left; `None` if nothing limits it.
    pub(super) fn left(self) -> Option<Duration> {
        self.end.map(Deadline::left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static NOW: Cell<u64> = const { Cell::new(0) };
    }

    fn limit(seconds: u64) -> Option<TimeLimit> {
        let clock = || Duration::from_secs(NOW.get());
        let time = Duration::from_secs(seconds);
        Some(TimeLimit { time, clock })
    }

    #[test]
    fn a_part_ends_before_the_whole_and_no_limit_never() {
        NOW.set(1000);
        let whole = Clock::begin(limit(40));
        let part = whole.part(4);
        NOW.set(1009);
        assert!(!part.is_over());
        NOW.set(1010);
        assert!(part.is_over() && !whole.is_over());
        let rest = whole.part(2);
        NOW.set(1025);
        assert!(rest.is_over() && !whole.is_over());
        NOW.set(1040);
        assert!(whole.is_over() && whole.part(2).is_over());
        assert!(!Clock::begin(None).part(2).is_over());
        assert!(Clock::begin(limit(0)).is_over());
    }
}
