//! Counters of what this rank has done (GASPI 17.1 §14).

use crate::abi::{Failure, Number, Outcome};
use std::ffi::CStr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Names and descriptions, by the number of the counter.
const COUNTERS: [(&CStr, &CStr); 6] = [
    (c"writes", c"requests to write, those of lists one by one"),
    (c"bytes written", c"bytes of requests to write"),
    (c"reads", c"requests to read, those of lists one by one"),
    (c"bytes read", c"bytes of requests to read"),
    (c"notifications", c"notifications sent to others, or to this rank"),
    (c"atomics", c"global atomic operations"),
];

/// The counters of a rank. They count from the start, at any level of verbosity.
#[derive(Debug, Default)]
pub(crate) struct Statistics {
    values: [AtomicU64; COUNTERS.len()],
    verbosity: AtomicU32,
}

impl Statistics {
    /// Number of counters.
    pub(crate) const NUMBER: Number = COUNTERS.len() as Number;

    fn add(&self, counter: usize, value: u64) {
        self.values[counter].fetch_add(value, Ordering::Relaxed);
    }

    /// A request to write was posted.
    #[inline]
    pub(crate) fn written(&self, bytes: u64) {
        self.add(0, 1);
        self.add(1, bytes);
    }

    /// A request to read was posted.
    #[inline]
    pub(crate) fn read(&self, bytes: u64) {
        self.add(2, 1);
        self.add(3, bytes);
    }

    /// A notification was sent.
    #[inline]
    pub(crate) fn notified(&self) {
        self.add(4, 1);
    }

    /// An atomic operation was done.
    #[inline]
    pub(crate) fn atomic(&self) {
        self.add(5, 1);
    }

    /// The name of a counter, and what it counts.
    ///
    /// # Errors
    /// NUMBER: there is none.
    pub(crate) fn info(counter: Number) -> Outcome<(&'static CStr, &'static CStr)> {
        COUNTERS.get(counter as usize).copied().ok_or(Failure::NUMBER)
    }

    /// # Errors
    /// As for [`Statistics::info`].
    pub(crate) fn get(&self, counter: Number) -> Outcome<u64> {
        let value = self.values.get(counter as usize).ok_or(Failure::NUMBER)?;
        Ok(value.load(Ordering::Relaxed))
    }

    /// # Errors
    /// As for [`Statistics::info`].
    pub(crate) fn reset(&self, counter: Number) -> Outcome {
        let value = self.values.get(counter as usize).ok_or(Failure::NUMBER)?;
        value.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Kept, and without effect.
    pub(crate) fn set_verbosity(&self, level: Number) {
        self.verbosity.store(level, Ordering::Relaxed);
    }
}
