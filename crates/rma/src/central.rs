//! The barrier of ranks that share processors: a counter and a word that all of them map.
//!
//! Who arrives adds one to the counter at the first rank of the group; who arrives last sets it back and writes the
//! word, for which the others wait. Where ranks share processors, what a barrier costs is changes between them, and
//! each arrives once here, whoever runs when; by dissemination (see [`crate::flags`]) a rank goes on only after others
//! have run, once a round. Where each rank has a processor, one line that all write would be slower.
//!
//! Beside the counter is a word with a code of the collective calls until now ([`crate::matching`]): who arrives first
//! writes it, and who has another code says so. Then all learn it.
//!
//! Source: the central barrier of Mellor-Crummey, Scott: *Algorithms for scalable synchronization on shared-memory
//! multiprocessors* (TOCS 1991), §3.1, with the number of the barrier for its sense.
//!
//! Verified: `crates/rma/models/src/lib.rs` (loom).

use crate::atomics::{AtomicU64, Ordering};

/// Bytes of the two words, each on a line.
pub(crate) const BYTES: usize = 128;

/// Set where ranks had different codes.
const DIFFERS: u64 = 1;

/// One rank that has arrived, or one barrier.
const ONE: u64 = 2;

/// Where the code lies, after the counter, in words.
const CODE: usize = 1;

/// The words of a group.
#[derive(Clone, Copy)]
pub(crate) struct Central<'a> {
    /// Number of ranks that have arrived, and [`DIFFERS`].
    arrivals: &'a AtomicU64,
    /// What they are in, by a code; 0: nobody has arrived.
    code: &'a AtomicU64,
    /// Number of the last barrier that is complete, and [`DIFFERS`].
    complete: &'a AtomicU64,
}

impl<'a> Central<'a> {
    /// Words that begin as 0, in memory that all ranks of the group reach.
    pub(crate) fn new(arrivals: &'a [AtomicU64; 2], complete: &'a AtomicU64) -> Self {
        Self {
            arrivals: &arrivals[0],
            code: &arrivals[CODE],
            complete,
        }
    }

    /// Arrives at barrier number `count`, from 1, of `size` ranks, in calls of this code, which is not 0. True for the
    /// last one: the barrier is complete then, and the others want to know.
    pub(crate) fn arrive(self, size: u32, count: u64, code: u64) -> bool {
        let mut there = self.code.load(Ordering::Relaxed);
        if there == 0 {
            let written = self
                .code
                .compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
            there = written.err().unwrap_or(code);
        }
        if there != code {
            self.arrivals.fetch_or(DIFFERS, Ordering::Relaxed);
        }
        // Acquire, for what the others did before; release, for the last one.
        let before = self.arrivals.fetch_add(ONE, Ordering::AcqRel);
        if before / ONE != u64::from(size) - 1 {
            return false;
        }
        // Nobody arrives again before the barrier is complete.
        self.arrivals.store(0, Ordering::Relaxed);
        self.code.store(0, Ordering::Relaxed);
        self.complete
            .store((count * ONE) | (before & DIFFERS), Ordering::Release);
        true
    }

    /// Whether barrier number `count` is complete, and then whether all ranks had one code.
    pub(crate) fn result(self, count: u64) -> Option<bool> {
        let complete = self.complete.load(Ordering::Acquire);
        (complete / ONE >= count).then_some(complete & DIFFERS == 0)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    /// A plain value that each rank writes in turn: a barrier that lets one through too early is a data race, which the
    /// thread sanitizer and Miri see, and a wrong value.
    struct Plain(UnsafeCell<u64>);

    // SAFETY: the test orders all accesses by barriers.
    unsafe impl Sync for Plain {}

    #[test]
    fn nobody_passes_before_all_have_arrived() {
        const SIZE: u32 = 4;
        let rounds: u64 = if cfg!(miri) { 20 } else { 2_000 };
        let (arrivals, complete) = (Default::default(), AtomicU64::new(0));
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
                            if central.arrive(SIZE, count, count) {
                                last.fetch_add(1, Ordering::Relaxed);
                            }
                            let agreed = loop {
                                match central.result(count) {
                                    Some(agreed) => break agreed,
                                    None => std::thread::yield_now(),
                                }
                            };
                            assert!(agreed, "round {round}");
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
    fn all_learn_that_others_have_another_code() {
        let (arrivals, complete) = (Default::default(), AtomicU64::new(0));
        let central = Central::new(&arrivals, &complete);
        assert!(!central.arrive(3, 1, 4));
        assert_eq!(central.result(1), None);
        assert!(!central.arrive(3, 1, 2));
        assert!(central.arrive(3, 1, 4));
        assert_eq!(central.result(1), Some(false));
        assert!(!central.arrive(3, 2, 4));
        assert!(!central.arrive(3, 2, 4));
        assert!(central.arrive(3, 2, 4));
        assert_eq!(central.result(2), Some(true));
    }
}
