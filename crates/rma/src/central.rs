//! The barrier of ranks that share processors: a counter and a word that all of them map.
//!
//! Who arrives adds one to the counter at the first rank of the group; who arrives last sets it back and writes the word, for which the
//! others wait. Where ranks share processors, what a barrier costs is changes between them, and each arrives once here, whoever
//! runs when; by dissemination (see [`crate::flags`]) a rank goes on only after others have run, once a round. Where each rank
//! has a processor, one line that all write would be slower.
//!
//! The counter also collects which collective function ranks called, a bit each, so that those who called different ones all
//! learn it.
//!
//! Source: the central barrier of Mellor-Crummey, Scott: *Algorithms for scalable synchronization on shared-memory
//! multiprocessors* (TOCS 1991), §3.1, with the number of the barrier for its sense.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the two words, each on a line.
pub(crate) const BYTES: usize = 128;

/// Bits of the functions that were called.
const CODES: u32 = 16;

/// The words of a group.
#[derive(Clone, Copy)]
pub(crate) struct Central<'a> {
    /// Number of ranks that have arrived, and in the lower bits a bit for each function that they call.
    arrivals: &'a AtomicU64,
    /// Number of the last barrier that is complete, and in the lower bits what was called there.
    complete: &'a AtomicU64,
}

impl<'a> Central<'a> {
    /// Words that begin as 0, in memory that all ranks of the group reach.
    pub(crate) fn new(arrivals: &'a AtomicU64, complete: &'a AtomicU64) -> Self {
        Self { arrivals, complete }
    }

    /// Arrives at barrier number `count`, from 1, of `size` ranks, in function number `code` (below 16). True for the last one:
    /// the barrier is complete then, and the others want to know.
    pub(crate) fn arrive(self, size: u32, count: u64, code: u32) -> bool {
        let bit = 1 << code;
        if self.arrivals.load(Ordering::Relaxed) & bit == 0 {
            self.arrivals.fetch_or(bit, Ordering::Relaxed);
        }
        // Acquire, for what the others did before; release, for the last one.
        let before = self.arrivals.fetch_add(1 << CODES, Ordering::AcqRel);
        if before >> CODES != u64::from(size) - 1 {
            return false;
        }
        // Nobody arrives again before the barrier is complete.
        self.arrivals.store(0, Ordering::Relaxed);
        let codes = before & ((1 << CODES) - 1);
        self.complete.store(count << CODES | codes, Ordering::Release);
        true
    }

    /// Whether barrier number `count` is complete, and then what was called: a bit each.
    pub(crate) fn result(self, count: u64) -> Option<u64> {
        let complete = self.complete.load(Ordering::Acquire);
        (complete >> CODES >= count).then_some(complete & ((1 << CODES) - 1))
    }

    /// A function that was called in a barrier, other than `code`.
    pub(crate) fn other(codes: u64, code: u32) -> Option<u32> {
        let others = codes & !(1 << code);
        (others != 0).then(|| others.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    /// A plain value that each rank writes in turn: a barrier that lets one through too early is a data race, which the thread
    /// sanitizer and Miri see, and a wrong value.
    struct Plain(UnsafeCell<u64>);

    // SAFETY: the test orders all accesses by barriers.
    unsafe impl Sync for Plain {}

    #[test]
    fn nobody_passes_before_all_have_arrived() {
        const SIZE: u32 = 4;
        let rounds: u64 = if cfg!(miri) { 20 } else { 2_000 };
        let (arrivals, complete) = (AtomicU64::new(0), AtomicU64::new(0));
        let value = Plain(UnsafeCell::new(0));
        let last = AtomicU64::new(0);
        let (central, value, last) = (Central::new(&arrivals, &complete), &value, &last);
        std::thread::scope(|scope| {
            for rank in 0..u64::from(SIZE) {
                scope.spawn(move || {
                    for round in 0..rounds {
                        if round % u64::from(SIZE) == rank {
                            // SAFETY: between two barriers one rank writes, and the others read in another round.
                            unsafe { *value.0.get() += 1 };
                        }
                        for count in [2 * round + 1, 2 * round + 2] {
                            if central.arrive(SIZE, count, (count % 2) as u32) {
                                last.fetch_add(1, Ordering::Relaxed);
                            }
                            let codes = loop {
                                match central.result(count) {
                                    Some(codes) => break codes,
                                    None => std::thread::yield_now(),
                                }
                            };
                            assert_eq!(codes, 1 << (count % 2), "round {round}");
                            // SAFETY: nobody writes before the second barrier.
                            assert!(count % 2 == 0 || unsafe { *value.0.get() } == round + 1);
                        }
                    }
                });
            }
        });
        assert_eq!(last.load(Ordering::Relaxed), 2 * rounds);
    }

    #[test]
    fn all_learn_what_others_called() {
        let (arrivals, complete) = (AtomicU64::new(0), AtomicU64::new(0));
        let central = Central::new(&arrivals, &complete);
        assert!(!central.arrive(3, 1, 4));
        assert_eq!(central.result(1), None);
        assert!(!central.arrive(3, 1, 2));
        assert!(central.arrive(3, 1, 4));
        let codes = central.result(1).expect("complete");
        assert_eq!(
            (Central::other(codes, 4), Central::other(codes, 2)),
            (Some(2), Some(4))
        );
        assert!(!central.arrive(3, 2, 4));
        assert!(!central.arrive(3, 2, 4));
        assert!(central.arrive(3, 2, 4));
        assert_eq!(central.result(2).and_then(|codes| Central::other(codes, 4)), None);
    }
}
