//! How much of one rank's messages another one keeps: at most [`MESSAGES`] and some [`BYTES`] of each class.
//!
//! A rank counts the messages that it has sent to another one and that are not handled there. The other one tells how
//! many it has handled: with each message that goes back anyway, and by one of its own when that is due. Whoever is out
//! of credit has sent at least half of what is allowed, and half is when it is told: so it hears, and nobody waits for
//! a word that is not sent.

use std::collections::VecDeque;

/// Messages of a class that are not handled, at the most.
pub(super) const MESSAGES: usize = 64;

/// Bytes of a class that are not handled, below which one more message may go.
pub(super) const BYTES: usize = 128 << 10;

/// Messages of a class that were sent to a rank and are not known to be handled there.
#[derive(Debug, Default)]
pub(super) struct Sent {
    sizes: VecDeque<usize>,
    bytes: usize,
    /// Those that are known to be handled, modulo 2^32.
    handled: u32,
}

impl Sent {
    /// Whether another one may go.
    pub(super) fn has_room(&self) -> bool {
        self.sizes.len() < MESSAGES && self.bytes < BYTES
    }

    /// One goes.
    pub(super) fn add(&mut self, bytes: usize) {
        self.sizes.push_back(bytes);
        self.bytes += bytes;
    }

    /// The target has handled so many since the beginning.
    pub(super) fn told(&mut self, handled: u32) {
        for _ in 0..handled.wrapping_sub(self.handled) {
            // A target that has handled more than was sent cannot be.
            self.bytes -= self.sizes.pop_front().unwrap_or(0);
        }
        self.handled = handled;
    }
}

/// Messages of a class that a rank has sent here and that were handled.
#[derive(Debug, Default)]
pub(super) struct Handled {
    count: u32,
    told: u32,
    /// Since it was told.
    bytes: usize,
}

impl Handled {
    /// One was handled.
    pub(super) fn add(&mut self, bytes: usize) {
        self.count = self.count.wrapping_add(1);
        self.bytes += bytes;
    }

    /// Whether its source may wait to be told.
    pub(super) fn is_due(&self) -> bool {
        self.count.wrapping_sub(self.told) as usize >= MESSAGES / 2 || self.bytes >= BYTES / 2
    }

    /// What its source knows.
    pub(super) fn told(&self) -> u32 {
        self.told
    }

    /// Its source is told now.
    pub(super) fn tell(&mut self) -> u32 {
        self.told = self.count;
        self.bytes = 0;
        self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Messages of any sizes: if all that were sent are handled and told when that is due, there is room again; and
        /// what is not handled stays within its bounds.
        #[test]
        fn who_is_out_of_credit_is_told(sizes in proptest::collection::vec(0_usize..=2 * BYTES, 1..400)) {
            let (mut sent, mut handled) = (Sent::default(), Handled::default());
            let mut waiting = VecDeque::new();
            for size in sizes {
                while !sent.has_room() {
                    prop_assert!(waiting.len() <= MESSAGES && waiting.iter().sum::<usize>() <= 3 * BYTES);
                    let told_before = handled.told();
                    while let Some(size) = waiting.pop_front() {
                        handled.add(size);
                        if handled.is_due() {
                            sent.told(handled.tell());
                        }
                    }
                    prop_assert_ne!(handled.told(), told_before);
                }
                sent.add(size);
                waiting.push_back(size);
            }
        }
    }
}
