//! Memory that another thread got while this one has accesses of it that are yet to be told.
//!
//! A thread freed a block and another got its memory. What the first did with the block came before that; told later,
//! it would look as if it came after. It is not told: nobody but threads of this process could reach the block, and
//! none of its bytes was of an operation.
//!
//! Promise: a thread is told of a range once, with what it records next after another thread got it. Only then may it
//! access these bytes again, for what gives them to it, an allocation or a thread that it waits for, is recorded.
//! Where another thread gets it between a drain and the record, accesses without a pattern are told nevertheless, and
//! of a run that goes beyond the range nothing is.

use farside_events::ThreadId;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

/// First byte, and the byte after the last.
type Range = (u64, u64);

/// By thread: what others got.
static RANGES: LazyLock<Mutex<FxHashMap<ThreadId, Vec<Range>>>> = LazyLock::new(Mutex::default);
/// Threads in it.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Another thread got these bytes, which `thread` freed and had accessed.
pub(crate) fn hand_on(thread: ThreadId, bytes: std::ops::Range<usize>) {
    let mut ranges = RANGES.lock().unwrap_or_else(PoisonError::into_inner);
    ranges
        .entry(thread)
        .or_default()
        .push((bytes.start as u64, bytes.end as u64));
    THREADS.store(ranges.len(), Ordering::Release);
}

/// What others got of the calling thread since it last asked.
#[inline]
pub(super) fn of_this_thread() -> Vec<Range> {
    if THREADS.load(Ordering::Acquire) == 0 {
        return Vec::new();
    }
    take(crate::recorder::thread_id().thread())
}

#[cold]
fn take(thread: ThreadId) -> Vec<Range> {
    let mut ranges = RANGES.lock().unwrap_or_else(PoisonError::into_inner);
    let taken = ranges.remove(&thread).unwrap_or_default();
    THREADS.store(ranges.len(), Ordering::Release);
    taken
}
