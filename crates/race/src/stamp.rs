//! Times of the machines that the processes run on.

/// A time of one of several clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    clock: u32,
    time: u64,
}

impl Stamp {
    pub(crate) fn new(clock: u32, time: u64) -> Self {
        Self { clock, time }
    }

    /// Whether it is known to be earlier. Of times of two clocks nothing is known.
    pub(crate) fn is_before(self, other: Self) -> bool {
        self.clock == other.clock && self.time < other.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_two_clocks_are_not_compared() {
        let (early, late) = (Stamp::new(1, 5), Stamp::new(1, 6));
        assert!(early.is_before(late) && !late.is_before(early) && !early.is_before(early));
        let elsewhere = Stamp::new(2, 5_000);
        assert!(!early.is_before(elsewhere) && !elsewhere.is_before(early));
    }
}
