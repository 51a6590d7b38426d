//! Blocks of memory that one thread gives back and another gets: the first comes before the second (C11 §7.22.3).
//!
//! A range that is freed is noted, with who freed it. Who gets memory of it from an allocation, if that is another
//! thread, acquires an object that the first has released. So what threads do with scratch buffers of their own is not
//! a race because the allocator handed the same bytes out twice, and a use after `free` still is one.
//!
//! A program frees too often to tell of each: of memory that no operation ever used, the release is told when the
//! memory is handed on, on behalf of the thread that freed it ([`recorder::record_for`]). What that thread has not told
//! by then of the block is left out ([`memory::hand_on`]).
//!
//! It is the thread that releases, not its strand ([`ThreadId::strand`]): what strands do with memory of the heap is
//! ordered as the threads are that run them, and the order of other memory is not to depend on that. So a thread
//! that gets memory that it freed itself acquires nothing.
//!
//! Limits: what libraries free within MPI calls, and memory that the program itself unmaps, is not noted. What is
//! released on behalf of a thread is all that it has told until then, also what it did after the `free`; objects are
//! told apart by a hash of 12 bits of where a block begins, and have one clock. So order may be seen that is not there.
//! Of more than [`MOST`] ranges, some are forgotten, and may be reported.

use super::object::Kind;
use super::observing;
use crate::memory::slots::busy;
use crate::{memory, recorder};
use farside_events::{EventKind, ObjectId, ThreadId};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Ranges of a part of the memory that are noted at most.
const MOST: usize = 1 << 16;
/// log2 of the bytes that lie together in a part: what glibc gives a thread to allocate from.
const PART: u32 = 26;
/// Parts that memory is divided into, so that threads seldom wait for each other. Those so many parts away share one.
const PARTS: usize = 16;
/// Objects that blocks share.
const OBJECTS: u64 = 1 << 12;

static FREED: [Part; PARTS] = [const { Part::new() }; PARTS];

/// What is noted of a part of the memory; on lines of the cache of its own.
#[repr(align(128))]
struct Part {
    freed: Mutex<Freed>,
    /// How many ranges: if none, an allocation there has nothing to look up.
    noted: AtomicUsize,
}

impl Part {
    const fn new() -> Self {
        Self {
            freed: Mutex::new(Freed {
                ranges: BTreeMap::new(),
            }),
            noted: AtomicUsize::new(0),
        }
    }

    /// Of the memory at an address.
    fn of(address: usize) -> &'static Self {
        &FREED[(address >> PART) % PARTS]
    }

    fn change<T>(&self, change: impl FnOnce(&mut Freed) -> T) -> T {
        let mut freed = self.freed.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut freed);
        self.noted.store(freed.ranges.len(), Ordering::Relaxed);
        result
    }
}

/// These bytes as they lie in parts of the memory.
fn in_parts(bytes: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = bytes.start;
    std::iter::from_fn(move || {
        let end = bytes.end.min(((start >> PART) + 1) << PART);
        let part = start..end;
        start = end;
        (!part.is_empty()).then_some(part)
    })
}

thread_local! {
    /// Whether the calling thread has come to its end: what it frees now is its own data, as C++ has them.
    static ENDED: Cell<bool> = const { Cell::new(false) };
}

/// The calling thread, if it is one of the program's and is observed.
fn observed() -> Option<ThreadId> {
    (observing() && !busy())
        .then(recorder::known_thread)?
        .map(ThreadId::thread)
}

/// The calling thread is about to free these bytes, which are a block.
pub(crate) fn given_back(address: usize, len: usize) {
    let Some(by) = observed() else { return };
    if len == 0 || !memory::multithreaded() {
        return;
    }
    recorder::observe(|| {
        let block = Block {
            object: object_of(address),
            by,
            released: ENDED.get() || memory::was_ever_watched(address, len),
        };
        if block.released {
            // Its loads and stores so far belong before it.
            recorder::record_all(&[]);
            recorder::record_for(by, &EventKind::Release { object: block.object });
            if ENDED.get() {
                recorder::record_for(by, &EventKind::ThreadEnd);
            }
        }
        for bytes in in_parts(address..address + len) {
            Part::of(bytes.start).change(|freed| freed.give(bytes, block));
        }
    });
}

/// An allocation gave the calling thread this block; null is none.
#[inline]
pub(crate) fn taken(block: *const c_void) {
    // While one thread runs, nobody else frees; what others freed before, it knows.
    if memory::multithreaded() && !block.is_null() {
        look_up(block);
    }
}

fn look_up(block: *const c_void) {
    // SAFETY: The block was allocated just now.
    let len = unsafe { ::libc::malloc_usable_size(block.cast_mut()) };
    let bytes = block as usize..block as usize + len;
    let is_noted = |bytes: Range<usize>| Part::of(bytes.start).noted.load(Ordering::Relaxed) != 0;
    if !in_parts(bytes.clone()).any(is_noted) {
        return;
    }
    let Some(own) = observed() else { return };
    recorder::observe(|| {
        let take = |bytes: Range<usize>| Part::of(bytes.start).change(|freed| freed.take(bytes));
        let mut objects = Vec::new();
        for (bytes, Block { object, by, released }) in in_parts(bytes).flat_map(take) {
            if by == own {
                continue;
            }
            if !released {
                memory::hand_on(by, bytes);
                recorder::record_for(by, &EventKind::Release { object });
            }
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        for object in objects {
            recorder::record(EventKind::Acquire { object });
        }
    });
}

/// The calling thread tells nothing any more from now on.
pub(super) fn thread_ends() {
    ENDED.set(true);
    let Some(own) = observed() else { return };
    let release = |(_, block): &mut (usize, Block)| {
        if block.by == own && !block.released {
            block.released = true;
            recorder::record_for(own, &EventKind::Release { object: block.object });
        }
    };
    recorder::observe(|| {
        for part in &FREED {
            part.change(|freed| freed.ranges.values_mut().for_each(release));
        }
    });
}

fn object_of(address: usize) -> ObjectId {
    let hash = crate::mix::mix(0, [address as u64]);
    Kind::Block.number(hash % OBJECTS)
}

/// A block that was freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    /// What orders it before what lies there later.
    object: ObjectId,
    /// The thread that freed it.
    by: ThreadId,
    /// Whether the object is released.
    released: bool,
}

/// Memory that was freed and not allocated since.
#[derive(Debug)]
struct Freed {
    /// By first byte: the byte after the last, and what lay there. They do not overlap.
    ranges: BTreeMap<usize, (usize, Block)>,
}

impl Freed {
    /// These bytes are freed.
    fn give(&mut self, bytes: Range<usize>, block: Block) {
        // What is noted of them went back to the system, and came again.
        self.take(bytes.clone());
        if self.ranges.len() >= MOST {
            self.ranges.pop_first();
        }
        self.ranges.insert(bytes.start, (bytes.end, block));
    }

    /// These bytes are allocated: what of them was of which block that was freed.
    fn take(&mut self, bytes: Range<usize>) -> Vec<(Range<usize>, Block)> {
        let mut all = Vec::new();
        while let Some((&start, &(end, block))) = self.ranges.range(..bytes.end).next_back() {
            if end <= bytes.start {
                break;
            }
            all.push((start.max(bytes.start)..end.min(bytes.end), block));
            self.ranges.remove(&start);
            if bytes.end < end {
                self.ranges.insert(bytes.end, (end, block));
            }
            if start < bytes.start {
                self.ranges.insert(start, (bytes.start, block));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Ranges say what a table of single bytes says.
        #[test]
        fn each_byte_is_noted_until_it_is_allocated(
            steps in prop::collection::vec((any::<bool>(), 0..60usize, 1..20usize, 0..3u32), 0..60)
        ) {
            let mut ranges = Freed { ranges: BTreeMap::new() };
            let mut bytes = vec![None; 80];
            for (frees, start, len, thread) in steps {
                let range = start..start + len;
                if frees {
                    let block = Block { object: object_of(start), by: ThreadId(thread), released: false };
                    ranges.give(range.clone(), block);
                    bytes[range].fill(Some(ThreadId(thread)));
                } else {
                    let mut found = vec![None; 80];
                    for (range, block) in ranges.take(range.clone()) {
                        found[range].fill(Some(block.by));
                    }
                    prop_assert_eq!(&found[range.clone()], &bytes[range.clone()]);
                    bytes[range].fill(None);
                }
            }
        }
    }
}
