//! What `auto` sees while it holds a choice: whether epochs are still those of the trial, in numbers and in time.

use super::trial::middle;
use std::time::Duration;

/// Epochs whose time is taken as one.
const BLOCK: u32 = 8;

/// What an epoch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) targets: usize,
    pub(super) bytes: u64,
}

impl Pattern {
    /// Whether a design could be better for one than for the other: numbers differ by a factor of 4 or so.
    pub(super) fn differs(self, other: Self) -> bool {
        let far = |left: u64, right: u64| (left + 1).ilog2().abs_diff((right + 1).ilog2()) > 1;
        (self.targets == 0) != (other.targets == 0)
            || far(self.targets as u64, other.targets as u64)
            || far(self.bytes, other.bytes)
    }
}

/// What was seen while a choice is held, since the ranks have asked one another.
pub(super) struct Watch {
    /// They ask after so many epochs.
    pub(super) period: u32,
    pub(super) epochs: u32,
    /// Of these had another pattern than the trial.
    pub(super) others: u32,
    /// When this block of epochs began, and the nanoseconds of those before.
    began: Duration,
    blocks: Vec<u64>,
}

impl Watch {
    pub(super) fn new(period: u32, now: Duration) -> Self {
        Self {
            period,
            epochs: 0,
            others: 0,
            began: now,
            blocks: Vec::new(),
        }
    }

    /// An epoch is over; `now` is asked for the time at the end of a block.
    pub(super) fn advance(&mut self, is_other: bool, now: impl Fn() -> Duration) {
        self.epochs += 1;
        self.others += u32::from(is_other);
        if self.epochs.is_multiple_of(BLOCK) {
            let now = now();
            let time = now.saturating_sub(std::mem::replace(&mut self.began, now));
            self.blocks.push(time.as_nanos() as u64);
        }
    }

    /// Nanoseconds of an epoch: as in a trial, what disturbed some of them does not count.
    pub(super) fn time(&mut self) -> u64 {
        middle(&mut self.blocks) / u64::from(BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_differ_by_order_of_magnitude() {
        let pattern = |targets, bytes| Pattern { targets, bytes };
        assert!(!pattern(8, 4096).differs(pattern(10, 8192)));
        assert!(pattern(1, 16).differs(pattern(8, 16)));
        assert!(pattern(1, 16).differs(pattern(1, 65536)));
        assert!(pattern(0, 0).differs(pattern(1, 0)));
    }
}
