//! Who holds what threads exclude each other with, by its address: locks, semaphores, signals; and barriers. What lies in
//! shared windows is for the threads of all processes.

use rustc_hash::FxHashMap as HashMap;

/// Held by readers: their number in the other bits.
const READERS: u32 = 1 << 31;
/// Beside an address: who does what is done once.
const ONCE: u64 = 1 << 63;

/// A thread of any process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holder(u32);

impl Holder {
    /// Threads of a process that are told apart.
    const THREADS: u32 = 1 << 16;

    pub(crate) fn new(rank: u32, thread: usize) -> Self {
        Self(rank * Self::THREADS + thread as u32 % Self::THREADS + 1)
    }
}

/// How full a barrier is.
#[derive(Clone, Copy, Debug, Default)]
struct Fill {
    /// How many it is for.
    count: u32,
    /// How many have arrived since it was full last.
    arrived: u32,
    /// How often it was full.
    times: u32,
}

/// Locks: 0, or the number of the holder; counts of semaphores, and signals of condition variables.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    words: HashMap<u64, u32>,
    barriers: HashMap<u64, Fill>,
}

impl Locks {
    fn at(&mut self, address: u64) -> &mut u32 {
        self.words.entry(address).or_insert(0)
    }

    /// A thread takes a lock; false if another one holds it.
    pub(crate) fn lock(&mut self, address: u64, thread: Holder) -> bool {
        let holder = self.at(address);
        let free = *holder == 0 || *holder == thread.0;
        if free {
            *holder = thread.0;
        }
        free
    }

    /// A lock is free.
    pub(crate) fn unlock(&mut self, address: u64) {
        *self.at(address) = 0;
    }

    /// One more reader; false if a writer holds the lock.
    pub(crate) fn read(&mut self, address: u64) -> bool {
        let holders = self.at(address);
        let free = *holders == 0 || *holders & READERS != 0;
        if free {
            *holders = (*holders | READERS) + 1;
        }
        free
    }

    /// One reader less, or no writer any more.
    pub(crate) fn end_read_or_write(&mut self, address: u64) {
        let holders = self.at(address);
        *holders = match *holders {
            readers if readers & READERS != 0 && readers > READERS + 1 => readers - 1,
            _ => 0,
        };
    }

    /// A semaphore has this count.
    pub(crate) fn set_count(&mut self, address: u64, count: u32) {
        *self.at(address) = count;
    }

    /// The count of a semaphore.
    pub(crate) fn count(&mut self, address: u64) -> u32 {
        *self.at(address)
    }

    /// Takes one from the count of a semaphore; false if it is zero.
    pub(crate) fn take(&mut self, address: u64) -> bool {
        let count = self.at(address);
        let some = *count > 0;
        *count = count.saturating_sub(1);
        some
    }

    /// Adds one to the count of a semaphore.
    pub(crate) fn add(&mut self, address: u64) {
        *self.at(address) += 1;
    }

    /// A condition variable is signalled.
    pub(crate) fn signal(&mut self, address: u64) {
        let signals = self.at(address);
        *signals = signals.wrapping_add(1);
    }

    /// How often a condition variable has been signalled.
    pub(crate) fn signals(&self, address: u64) -> u32 {
        self.words.get(&address).copied().unwrap_or(0)
    }

    /// A thread begins what is done once.
    pub(crate) fn begin_once(&mut self, address: u64, thread: Holder) {
        *self.at(address ^ ONCE) = thread.0;
    }

    /// Whether it is this thread that began what is done once.
    pub(crate) fn did_once(&self, address: u64, thread: Holder) -> bool {
        self.words.get(&(address ^ ONCE)) == Some(&thread.0)
    }

    /// A barrier is for so many threads.
    pub(crate) fn set_barrier(&mut self, address: u64, count: u32) {
        let fill = self.barriers.entry(address).or_default();
        *fill = Fill {
            count,
            arrived: 0,
            times: fill.times,
        };
    }

    /// A thread arrives at a barrier: how often it was full before, and whether it is now.
    pub(crate) fn arrive(&mut self, address: u64) -> (u32, bool) {
        let fill = self.barriers.entry(address).or_default();
        let times = fill.times;
        fill.arrived += 1;
        let is_full = fill.arrived >= fill.count;
        if is_full {
            fill.arrived = 0;
            fill.times = times.wrapping_add(1);
        }
        (times, is_full)
    }

    /// How often a barrier was full.
    pub(crate) fn times(&self, address: u64) -> u32 {
        self.barriers.get(&address).map_or(0, |fill| fill.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_a_lock_and_writers_do_not() {
        let mut locks = Locks::default();
        let [one, other] = [Holder::new(0, 0), Holder::new(1, 0)];
        assert!(locks.read(8) && locks.read(8) && !locks.lock(8, one));
        locks.end_read_or_write(8);
        assert!(!locks.lock(8, one));
        locks.end_read_or_write(8);
        assert!(locks.lock(8, one) && locks.lock(8, one) && !locks.lock(8, other) && !locks.read(8));
        locks.unlock(8);
        assert!(locks.lock(8, other));
    }

    #[test]
    fn a_barrier_is_full_once_all_came_and_begins_anew() {
        let mut locks = Locks::default();
        locks.set_barrier(8, 2);
        assert_eq!([locks.arrive(8), locks.arrive(8)], [(0, false), (0, true)]);
        assert_eq!((locks.arrive(8), locks.times(8)), ((1, false), 1));
    }

    #[test]
    fn a_semaphore_is_taken_as_often_as_it_was_posted() {
        let mut locks = Locks::default();
        locks.set_count(8, 1);
        locks.add(8);
        assert!(locks.take(8) && locks.take(8) && !locks.take(8));
    }
}
