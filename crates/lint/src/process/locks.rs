//! Who holds what the threads of a process exclude each other with, by its address: locks, semaphores, signals.

use rustc_hash::FxHashMap as HashMap;

/// Held by readers: their number in the other bits.
const READERS: u32 = 1 << 31;
/// Beside an address: who does what is done once.
const ONCE: u64 = 1 << 63;

/// The locks of a process: 0, or the number of the holder and one; counts of semaphores, and signals of condition variables.
#[derive(Debug, Default)]
pub(crate) struct Locks(HashMap<u64, u32>);

impl Locks {
    fn at(&mut self, address: u64) -> &mut u32 {
        self.0.entry(address).or_insert(0)
    }

    /// A thread takes a lock; false if another one holds it.
    pub(crate) fn lock(&mut self, address: u64, thread: usize) -> bool {
        let owner = thread as u32 + 1;
        let holder = self.at(address);
        let free = *holder == 0 || *holder == owner;
        if free {
            *holder = owner;
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
        self.0.get(&address).copied().unwrap_or(0)
    }

    /// A thread begins what is done once.
    pub(crate) fn begin_once(&mut self, address: u64, thread: usize) {
        *self.at(address ^ ONCE) = thread as u32 + 1;
    }

    /// Whether it is this thread that began what is done once.
    pub(crate) fn did_once(&self, address: u64, thread: usize) -> bool {
        self.0.get(&(address ^ ONCE)) == Some(&(thread as u32 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_a_lock_and_writers_do_not() {
        let mut locks = Locks::default();
        assert!(locks.read(8) && locks.read(8) && !locks.lock(8, 0));
        locks.end_read_or_write(8);
        assert!(!locks.lock(8, 0));
        locks.end_read_or_write(8);
        assert!(locks.lock(8, 0) && locks.lock(8, 0) && !locks.lock(8, 1) && !locks.read(8));
        locks.unlock(8);
        assert!(locks.lock(8, 1));
    }

    #[test]
    fn a_semaphore_is_taken_as_often_as_it_was_posted() {
        let mut locks = Locks::default();
        locks.set_count(8, 1);
        locks.add(8);
        assert!(locks.take(8) && locks.take(8) && !locks.take(8));
    }
}
