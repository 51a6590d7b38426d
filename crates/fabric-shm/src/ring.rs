//! A bounded queue of records in shared memory: any thread of any rank writes, one rank reads.
//!
//! Records are words of 8 bytes in whole cells. A writer reserves cells by a compare-and-swap on `reserved`, fills
//! them, and stores the first word last, with release; it is never 0. The reader finds a record where the first word is
//! not 0, takes it, sets the first word of each of its cells back to 0, and moves `taken` on, with release, which gives
//! the cells back.
//!
//! Promise: records of one thread come in the order of its pushes; a record is read only when all that its writer wrote
//! before is visible; nothing is lost, and a full ring refuses. All accesses are atomic: no data race, whatever others
//! do.
//!
//! Why one ring per reader, and not one per pair: the reader looks at one place whatever the number of ranks; memory
//! per rank does not grow with it; and threads of a rank need no lock to write. The price is one locked instruction a
//! record, and a line that concurrent writers share (`crates/fabric-shm/examples/latency` measures both).
//!
//! Limits: a writer that dies between its reservation and its first word stops the ring. Then a rank is lost, and the
//! job ends for this reason anyway.
//!
//! Verified: `ring::models` (loom).

use crate::atomics::{AtomicU32, AtomicU64, Line, Ordering};

/// The two ends, in the shared control page. Numbers of cells since the beginning; they do not wrap in centuries.
#[repr(C)]
#[derive(Default)]
pub(crate) struct Ends {
    /// Cells that were reserved by writers.
    reserved: Line<AtomicU64>,
    /// Of the reader.
    taken: Line<Taken>,
}

/// What the reader writes.
#[repr(C)]
#[derive(Default)]
struct Taken {
    /// Cells that were given back.
    cells: AtomicU64,
    /// A writer waits for room: not 0.
    starved: AtomicU32,
}

/// A ring over shared memory.
#[derive(Clone, Copy)]
pub(crate) struct Ring<'m> {
    ends: &'m Ends,
    /// A power of two of them.
    words: &'m [AtomicU64],
    /// Words of a cell, a power of two.
    cell: usize,
}

impl<'m> Ring<'m> {
    pub(crate) fn new(ends: &'m Ends, words: &'m [AtomicU64], cell: usize) -> Self {
        debug_assert!(words.len().is_power_of_two() && cell.is_power_of_two() && cell <= words.len());
        Self { ends, words, cell }
    }

    fn cells(&self) -> u64 {
        (self.words.len() / self.cell) as u64
    }

    fn at(&self, cell: u64, word: usize) -> &'m AtomicU64 {
        &self.words[(cell as usize * self.cell + word) & (self.words.len() - 1)]
    }

    /// Writes a record of `words` words; `word(0)` is not 0. False if there is no room. `known` is what this process
    /// knows of the reader's end: it saves a look at the reader's line as long as there is room.
    #[inline]
    pub(crate) fn push(&self, known: &AtomicU64, words: usize, word: impl Fn(usize) -> u64) -> bool {
        let cells = words.div_ceil(self.cell) as u64;
        // Acquire, here and below: the reader's zeros come before what is written now. The reader's end is read before
        // the writers', so that it is never ahead of it.
        let mut taken = known.load(Ordering::Acquire);
        let mut reserved = self.ends.reserved.0.load(Ordering::Relaxed);
        let first = loop {
            if reserved + cells - taken > self.cells() {
                let now = self.ends.taken.0.cells.load(Ordering::Acquire);
                if now == taken {
                    return false;
                }
                known.fetch_max(now, Ordering::Release);
                taken = now;
                reserved = self.ends.reserved.0.load(Ordering::Relaxed);
                continue;
            }
            match self.ends.reserved.0.compare_exchange_weak(
                reserved,
                reserved + cells,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(first) => break first,
                Err(now) => reserved = now,
            }
        };
        for number in 1..words {
            self.at(first, number).store(word(number), Ordering::Relaxed);
        }
        self.at(first, 0).store(word(0), Ordering::Release);
        true
    }

    /// The first word of the next record, if there is one. For any thread; to take it, be the only reader.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u64> {
        let cell = self.ends.taken.0.cells.load(Ordering::Relaxed);
        match self.at(cell, 0).load(Ordering::Acquire) {
            0 => None,
            first => Some(first),
        }
    }

    /// A word of the record that was peeked at.
    pub(crate) fn word(&self, number: usize) -> u64 {
        let cell = self.ends.taken.0.cells.load(Ordering::Relaxed);
        self.at(cell, number).load(Ordering::Relaxed)
    }

    /// Gives back the record that was peeked at, of `words` words.
    pub(crate) fn advance(&self, words: usize) {
        let cells = words.div_ceil(self.cell) as u64;
        let begin = self.ends.taken.0.cells.load(Ordering::Relaxed);
        for cell in begin..begin + cells {
            self.at(cell, 0).store(0, Ordering::Relaxed);
        }
        self.ends.taken.0.cells.store(begin + cells, Ordering::Release);
    }

    /// Whether more than half is reserved.
    pub(crate) fn is_half_full(&self) -> bool {
        let taken = self.ends.taken.0.cells.load(Ordering::Relaxed);
        let reserved = self.ends.reserved.0.load(Ordering::Relaxed);
        reserved.saturating_sub(taken) > self.cells() / 2
    }

    /// A writer says that it waits for room.
    pub(crate) fn starve(&self) {
        if self.ends.taken.0.starved.load(Ordering::Relaxed) == 0 {
            self.ends.taken.0.starved.store(1, Ordering::Relaxed);
        }
    }

    /// Whether writers wait for room, and there is some again: says so once.
    pub(crate) fn feeds(&self) -> bool {
        self.ends.taken.0.starved.load(Ordering::Relaxed) != 0
            && !self.is_half_full()
            && self.ends.taken.0.starved.swap(0, Ordering::Relaxed) != 0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn words(number: usize) -> Vec<AtomicU64> {
        (0..number).map(|_| AtomicU64::new(0)).collect()
    }

    #[test]
    fn a_full_ring_refuses_and_takes_again_when_it_was_read() {
        let (ends, memory, known) = (Ends::default(), words(8), AtomicU64::new(0));
        let ring = Ring::new(&ends, &memory, 2);
        assert_eq!(ring.peek(), None);
        for number in 1..=4 {
            assert!(ring.push(&known, 1, |_| number));
        }
        assert!(!ring.push(&known, 1, |_| 9));
        assert_eq!(ring.peek(), Some(1));
        ring.advance(1);
        assert!(ring.push(&known, 2, |word| 5 + word as u64));
        assert!(!ring.push(&known, 1, |_| 9));
        for number in 2..=5 {
            assert_eq!(ring.peek(), Some(number));
            ring.advance(1);
        }
        assert_eq!(ring.peek(), None);
    }

    #[test]
    fn payload_that_looks_like_a_first_word_is_never_read_as_one() {
        let (ends, memory, known) = (Ends::default(), words(16), AtomicU64::new(0));
        let ring = Ring::new(&ends, &memory, 2);
        for round in 1..100_u64 {
            let length = 1 + (round as usize % 9);
            assert!(ring.push(&known, length, |word| round + word as u64));
            assert_eq!(ring.peek(), Some(round));
            assert_eq!(ring.word(length - 1), round + length as u64 - 1);
            ring.advance(length);
            assert_eq!(ring.peek(), None, "round {round}");
        }
    }

    #[test]
    fn writers_who_wait_are_fed_once_when_half_is_free() {
        let (ends, memory, known) = (Ends::default(), words(4), AtomicU64::new(0));
        let ring = Ring::new(&ends, &memory, 1);
        while ring.push(&known, 1, |_| 1) {}
        ring.starve();
        ring.advance(1);
        assert!(!ring.feeds(), "three of four are in use");
        ring.advance(1);
        assert!(ring.feeds());
        assert!(!ring.feeds());
    }

    #[test]
    fn records_of_many_threads_come_whole_and_in_the_order_of_each() {
        const THREADS: u64 = 4;
        const RECORDS: u64 = if cfg!(miri) { 100 } else { 2_000 };
        let (ends, memory) = (Ends::default(), words(256));
        let ring = Ring::new(&ends, &memory, 4);
        let known = AtomicU64::new(0);
        let mut next = [0; THREADS as usize];
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let known = &known;
                scope.spawn(move || {
                    for number in 0..RECORDS {
                        let length = 2 + (number % 7) as usize;
                        let word = |at: usize| match at {
                            0 => 1 << 63 | thread << 32 | length as u64,
                            at => number << 8 | at as u64,
                        };
                        while !ring.push(known, length, word) {
                            std::thread::yield_now();
                        }
                    }
                });
            }
            for _ in 0..THREADS * RECORDS {
                let first = loop {
                    match ring.peek() {
                        Some(first) => break first,
                        None => std::thread::yield_now(),
                    }
                };
                let (thread, length) = ((first >> 32 & 0xFF) as usize, first as u32 as usize);
                for at in 1..length {
                    assert_eq!(ring.word(at), next[thread] << 8 | at as u64);
                }
                next[thread] += 1;
                ring.advance(length);
            }
        });
        assert_eq!(next, [RECORDS; THREADS as usize]);
        assert_eq!(ring.peek(), None);
    }
}

#[cfg(all(test, loom))]
mod models;
