//! Which pages are watched: a byte a page, so that a callback asks with one load.
//!
//! The table is indexed by `(address >> 12) & mask`. Where 32 GiB of address space can be reserved, 64 on aarch64
//! (pages of the table that nobody writes cost nothing), the mask covers user space and the answer is exact. Where it
//! cannot (a limit on address space), the table is smaller, pages share bytes, and the answer errs towards "watched",
//! which costs time and nothing else. The mask also keeps wild pointers of the program within the table: the fault that
//! they deserve comes from their own access. Before [`initialise`] a small table in `.bss` says "not watched" to all.
//!
//! With a mask of 0 every address asks for byte 0 (the null page, which nobody can watch), which says "watched": so
//! all accesses are recorded while several threads run, at no cost to the check.
//!
//! Programs that were compiled with the plugin of `llvm-filter` ask the table in place: copies of its address and of its mask are
//! exported. (The callbacks' assembly cannot reach exported names, for which another library may have a variable, in one step.)
//!
//! A byte counts the watchers in its low seven bits (127 stays for good), and remembers in the top bit that the page was ever watched.

use crate::machine;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// log2 of the bytes of a page of the table; those of the system may be larger.
pub(crate) const PAGE_SHIFT: u32 = 12;
/// Bytes of a page.
pub(crate) const PAGE: usize = 1 << PAGE_SHIFT;
/// log2 of the pages of user space.
const USER_PAGES: u32 = machine::USER_SPACE - PAGE_SHIFT;
/// The watchers of a page in its byte.
pub(super) const COUNT: u8 = 0x7f;
const EVER: u8 = 0x80;
const SMALL: usize = 1 << 12;

static SMALL_TABLE: [AtomicU8; SMALL] = [const { AtomicU8::new(0) }; SMALL];

/// The table. Callbacks load [`MASK`] first, and [`initialise`] stores this first: no index leaves the table.
pub(super) static TABLE: AtomicPtr<AtomicU8> = AtomicPtr::new(SMALL_TABLE.as_ptr().cast_mut());
/// What callbacks mask page numbers with: [`FULL_MASK`], or 0 to see everything.
pub(super) static MASK: AtomicU64 = AtomicU64::new(SMALL as u64 - 1);
/// [`TABLE`] and [`MASK`], for programs.
#[cfg_attr(not(test), unsafe(export_name = "__farside_page_table"))]
static EXPORTED_TABLE: AtomicPtr<AtomicU8> = AtomicPtr::new(SMALL_TABLE.as_ptr().cast_mut());
#[cfg_attr(not(test), unsafe(export_name = "__farside_page_mask"))]
static EXPORTED_MASK: AtomicU64 = AtomicU64::new(SMALL as u64 - 1);
/// The mask that fits the table.
static FULL_MASK: AtomicU64 = AtomicU64::new(SMALL as u64 - 1);
/// Bytes in [`track`]ed ranges.
static TRACKED: AtomicUsize = AtomicUsize::new(0);

/// Reserves the table. Call once, before anything is watched.
pub(super) fn initialise() {
    for bits in [USER_PAGES, 28, 24, 20] {
        let len = 1usize << bits;
        // SAFETY: A new anonymous mapping at an address of the kernel's choice touches no existing memory.
        let table = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if table == libc::MAP_FAILED {
            continue;
        }
        // SAFETY: The range is the mapping just made. Failure of the advice only costs memory.
        unsafe {
            libc::madvise(table, len, libc::MADV_NOHUGEPAGE);
            libc::madvise(table, len, libc::MADV_DONTDUMP);
        }
        TABLE.store(table.cast(), Ordering::SeqCst);
        EXPORTED_TABLE.store(table.cast(), Ordering::SeqCst);
        // What the plugin of GCC puts into programs loads the mask, and then the table, by plain instructions. Without
        // an order between the two, all pages share one byte, which belongs to every table.
        let mask = if machine::order_for_all() {
            len as u64 - 1
        } else {
            0
        };
        FULL_MASK.store(mask, Ordering::SeqCst);
        set_mask(mask);
        byte(0).store(EVER, Ordering::SeqCst);
        return;
    }
}

/// Watches the pages of a range.
pub(super) fn track(address: usize, len: usize) {
    TRACKED.fetch_add(len, Ordering::Relaxed);
    for page in pages(address, len) {
        let _ = byte(page).fetch_update(Ordering::SeqCst, Ordering::Relaxed, |now| {
            Some(EVER | (now & COUNT).saturating_add(1).min(COUNT))
        });
    }
}

/// Ends one [`track`] of the same range.
pub(super) fn untrack(address: usize, len: usize) {
    TRACKED.fetch_sub(len, Ordering::Relaxed);
    for page in pages(address, len) {
        let _ = byte(page).fetch_update(Ordering::SeqCst, Ordering::Relaxed, |now| match now & COUNT {
            0 | COUNT => None,
            count => Some(EVER | (count - 1)),
        });
    }
}

/// Bytes in watched ranges.
pub(super) fn tracked_bytes() -> usize {
    TRACKED.load(Ordering::Relaxed)
}

/// Whether accesses to this range are recorded now.
#[inline]
pub(super) fn watched(address: usize, len: usize) -> bool {
    let mask = MASK.load(Ordering::Relaxed);
    // Acquire: the table is loaded after the mask.
    std::sync::atomic::fence(Ordering::Acquire);
    if mask == 0 {
        return byte_at(0, 0).load(Ordering::Relaxed) & COUNT != 0;
    }
    pages(address, len).any(|page| byte_at(page, mask).load(Ordering::Relaxed) & COUNT != 0)
}

/// Whether a page of this range is watched for its own sake, and not because all are.
pub(super) fn watched_itself(address: usize, len: usize) -> bool {
    pages(address, len).any(|page| byte(page).load(Ordering::Relaxed) & COUNT != 0)
}

/// Whether all pages of this range are watched now.
pub(super) fn all_watched(address: usize, len: usize) -> bool {
    let mask = MASK.load(Ordering::Relaxed);
    // Acquire: the table is loaded after the mask.
    std::sync::atomic::fence(Ordering::Acquire);
    if mask == 0 {
        return byte_at(0, 0).load(Ordering::Relaxed) & COUNT != 0;
    }
    pages(address, len).all(|page| byte_at(page, mask).load(Ordering::Relaxed) & COUNT != 0)
}

/// Whether a page of this range was ever watched. Yes, where there are so many that it would take long to tell.
pub(super) fn ever_watched(address: usize, len: usize) -> bool {
    const MANY: usize = 1 << 16;
    len > MANY << PAGE_SHIFT || pages(address, len).any(|page| byte(page).load(Ordering::Relaxed) & EVER != 0)
}

/// Sees all accesses, or those to watched pages only.
pub(super) fn watch_everything(everything: bool) {
    if everything {
        byte(0).fetch_or(COUNT, Ordering::SeqCst);
        set_mask(0);
    } else {
        set_mask(FULL_MASK.load(Ordering::Relaxed));
    }
}

fn set_mask(mask: u64) {
    MASK.store(mask, Ordering::SeqCst);
    EXPORTED_MASK.store(mask, Ordering::SeqCst);
}

/// Sees nothing any more.
pub(super) fn stop() {
    byte(0).store(EVER, Ordering::SeqCst);
    set_mask(0);
}

fn pages(address: usize, len: usize) -> std::ops::RangeInclusive<u64> {
    let first = address as u64 >> PAGE_SHIFT;
    if len == 0 {
        #[allow(clippy::reversed_empty_ranges)] // An empty range is meant.
        return 1..=0;
    }
    first..=(address.saturating_add(len - 1) as u64 >> PAGE_SHIFT)
}

fn byte(page: u64) -> &'static AtomicU8 {
    byte_at(page, FULL_MASK.load(Ordering::Relaxed))
}

#[inline]
fn byte_at(page: u64, mask: u64) -> &'static AtomicU8 {
    // SAFETY: The table is never unmapped, has one byte more than the largest mask, and `mask` was loaded before it.
    unsafe { &*TABLE.load(Ordering::Relaxed).add((page & mask) as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // One test, because the table belongs to the process.
    #[test]
    fn pages_are_counted() {
        initialise();
        let memory = 0x5000_0000_0000usize;
        track(memory + 10, 4096);
        track(memory + 4096, 8);
        assert!(watched(memory, 1) && watched(memory + 4096, 8) && !watched(memory + 8192, 8));
        assert!(all_watched(memory, 8192) && !all_watched(memory, 8193) && !all_watched(memory - 1, 2));
        assert!(!watched(memory - 8, 8) && watched(memory - 8, 9) && !watched(memory, 0));
        untrack(memory + 10, 4096);
        assert!(!watched(memory, 4096) && watched(memory + 8191, 1));
        untrack(memory + 4096, 8);
        assert!(!watched(memory, 8192) && ever_watched(memory + 4096, 1) && !ever_watched(memory + 8192, 1));
        watch_everything(true);
        assert!(watched(memory + 8192, 1) && !ever_watched(memory + 8192, 1));
        watch_everything(false);
        assert!(!watched(memory + 8192, 1));
        for _ in 0..200 {
            track(memory, 1);
        }
        for _ in 0..200 {
            untrack(memory, 1);
        }
        assert!(watched(memory, 1), "a saturated count stays");
        assert_eq!(tracked_bytes(), 0);
        stop();
        assert!(!watched(memory, 1));
    }
}
