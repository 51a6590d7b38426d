//! Which pages are guarded, and their protection.
//!
//! A page is guarded while a part of it is watched, if the program may write it. Guarded pages are closed while the
//! program runs, and open while a call of the library does. Pages with the kernel's own data of a thread (restartable
//! sequences) are left out: a fault there would end the process.

use super::code;
use crate::memory::PAGE_SHIFT;
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Page numbers.
pub(super) type Pages = Range<usize>;

/// The pages of a range of bytes.
pub(super) fn of(address: usize, length: usize) -> Pages {
    let first = address >> PAGE_SHIFT;
    first..(address.saturating_add(length.max(1) - 1) >> PAGE_SHIFT) + 1
}

/// What is watched, and what of it is guarded.
struct Guarded {
    /// Watched ranges, each as often as it is watched.
    watched: Vec<Pages>,
    /// Guarded pages: in order, apart from each other. Old while `changed` holds.
    runs: Vec<Pages>,
    changed: bool,
    /// Pages of threads that the kernel writes to, or handlers read.
    left_out: Vec<Pages>,
    /// Mappings that the program may write, as they were when last looked at.
    writable: Vec<Pages>,
    closed: bool,
}

/// A lock that a handler of a fault takes, too: never for a fault in this library's own code, which may hold it.
struct Lock {
    taken: AtomicBool,
    guarded: UnsafeCell<Guarded>,
}

// SAFETY: who has the lock is alone with what it guards.
unsafe impl Sync for Lock {}

static GUARDED: Lock = Lock {
    taken: AtomicBool::new(false),
    guarded: UnsafeCell::new(Guarded {
        watched: Vec::new(),
        runs: Vec::new(),
        changed: false,
        left_out: Vec::new(),
        writable: Vec::new(),
        closed: false,
    }),
};

/// Threads that are in a call of the library: pages are open while there is one.
static INSIDE: AtomicUsize = AtomicUsize::new(0);

struct Locked(());

impl Deref for Locked {
    type Target = Guarded;

    fn deref(&self) -> &Guarded {
        // SAFETY: this value has the lock.
        unsafe { &*GUARDED.guarded.get() }
    }
}

impl DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut Guarded {
        // SAFETY: this value has the lock.
        unsafe { &mut *GUARDED.guarded.get() }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        GUARDED.taken.store(false, Ordering::Release);
    }
}

fn lock() -> Locked {
    while GUARDED.taken.swap(true, Ordering::Acquire) {
        std::thread::yield_now();
    }
    Locked(())
}

/// Starts to guard the pages of a range; as many [`unwatch`] calls end it.
pub(super) fn watch(address: usize, length: usize) {
    if length == 0 {
        return;
    }
    let pages = of(address, length);
    let mut guarded = lock();
    let is_known = |guarded: &Guarded| {
        guarded
            .writable
            .iter()
            .any(|known| known.start <= pages.start && pages.end <= known.end)
    };
    if !is_known(&guarded) {
        guarded.writable = writable_mappings();
        // What is in no one mapping as a whole may be in several: neighbours are joined, so it is not writable whole.
        if !is_known(&guarded) {
            return;
        }
    }
    guarded.watched.push(pages);
    guarded.changed = true;
}

/// Ends one [`watch`] of the same range.
pub(super) fn unwatch(address: usize, length: usize) {
    if length == 0 {
        return;
    }
    let pages = of(address, length);
    let mut guarded = lock();
    let Some(place) = guarded.watched.iter().rposition(|known| *known == pages) else {
        return;
    };
    guarded.watched.swap_remove(place);
    guarded.changed = true;
    if guarded.closed {
        protect(&pages, Protection::Open);
    }
}

/// As [`leave_out`], for as long as the process runs.
pub(super) fn leave_out_for_good(pages: Pages) {
    if !lock().left_out.contains(&pages) {
        leave_out(pages);
    }
}

/// The kernel writes there for a thread, or a handler reads there: these pages are not guarded.
pub(super) fn leave_out(pages: Pages) {
    let mut guarded = lock();
    if guarded.closed {
        protect_all(&guarded.runs, Protection::Open);
        guarded.closed = false;
    }
    guarded.left_out.push(pages);
    guarded.changed = true;
}

/// The thread with these pages has ended.
pub(super) fn leave_in(pages: &Pages) {
    let mut guarded = lock();
    if let Some(place) = guarded.left_out.iter().position(|known| known == pages) {
        guarded.left_out.swap_remove(place);
        guarded.changed = true;
    }
}

/// A thread goes into a call of the library.
pub(super) fn enter() {
    if INSIDE.fetch_add(1, Ordering::SeqCst) == 0 {
        open_all();
    }
}

/// A thread leaves a call of the library; the last one closes the pages, if so. Gives how many it has closed.
pub(super) fn leave(closes: bool) -> usize {
    if INSIDE.fetch_sub(1, Ordering::SeqCst) != 1 || !closes {
        return 0;
    }
    let mut guarded = lock();
    guarded.join();
    guarded.closed = true;
    protect_all(&guarded.runs, Protection::Closed);
    guarded.runs.iter().map(Range::len).sum()
}

/// Opens all pages.
pub(super) fn open_all() {
    let mut guarded = lock();
    if guarded.closed {
        protect_all(&guarded.runs, Protection::Open);
        guarded.closed = false;
    }
}

/// Whether a page is guarded and closed, as far as it is known: a thread may be inside a call meanwhile.
pub(super) fn is_guarded(page: usize) -> bool {
    lock().runs.iter().any(|run| run.contains(&page))
}

/// Opens those of the pages that are guarded, and gives each run of them.
pub(super) fn open(pages: &Pages, mut opened: impl FnMut(Pages)) {
    let guarded = lock();
    let after = guarded.runs.partition_point(|run| run.end <= pages.start);
    for run in &guarded.runs[after..] {
        let part = run.start.max(pages.start)..run.end.min(pages.end);
        if part.is_empty() {
            break;
        }
        protect(&part, Protection::Open);
        opened(part);
    }
}

/// As [`open`], if pages are closed now.
pub(super) fn open_closed(pages: &Pages, opened: impl FnMut(Pages)) {
    if lock().closed {
        open(pages, opened);
    }
}

/// Opens one page, without a look at what is guarded: in the midst of this library's own code.
pub(super) fn open_one(page: usize) {
    protect(&(page..page + 1), Protection::Open);
}

/// Closes pages that were opened for one instruction, unless a thread has gone into a call of the library since, or the
/// pages are not guarded any more.
pub(super) fn close(pages: &Pages) {
    if INSIDE.load(Ordering::SeqCst) == 0 {
        protect(pages, Protection::Closed);
        // A call may have begun in between, and found them open.
        if INSIDE.load(Ordering::SeqCst) != 0 {
            protect(pages, Protection::Open);
        }
    }
}

impl Guarded {
    /// Joins what is watched to runs.
    fn join(&mut self) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        self.runs.clear();
        self.watched.sort_unstable_by_key(|pages| pages.start);
        for pages in &self.watched {
            match self.runs.last_mut() {
                Some(last) if pages.start <= last.end => last.end = last.end.max(pages.end),
                _ => self.runs.push(pages.clone()),
            }
        }
        for out in &self.left_out {
            while let Some(place) = self
                .runs
                .iter()
                .position(|run| run.start < out.end && out.start < run.end)
            {
                let run = self.runs.remove(place);
                let parts = [run.start..out.start, out.end..run.end];
                let parts = parts.into_iter().filter(|part| part.start < part.end);
                self.runs.splice(place..place, parts);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Protection {
    Open,
    Closed,
}

fn protect_all(runs: &[Pages], protection: Protection) {
    runs.iter().for_each(|run| protect(run, protection));
}

/// Pages that are not mapped any more are passed over.
fn protect(pages: &Pages, protection: Protection) {
    if !change(pages, protection) && pages.len() > 1 {
        for page in pages.clone() {
            change(&(page..page + 1), protection);
        }
    }
}

fn change(pages: &Pages, protection: Protection) -> bool {
    let bits = match protection {
        Protection::Open => ::libc::PROT_READ | ::libc::PROT_WRITE,
        Protection::Closed => ::libc::PROT_NONE,
    };
    code::without_errno(|| {
        // SAFETY: only the protection of pages changes that the program may write; closed ones are opened for each
        // access by the handler of faults.
        unsafe {
            ::libc::mprotect(
                (pages.start << PAGE_SHIFT) as *mut _,
                pages.len() << PAGE_SHIFT,
                bits,
            ) == 0
        }
    })
}

/// Mappings that can be read and written, neighbours joined. Closed pages are such ones, too.
fn writable_mappings() -> Vec<Pages> {
    let mut all: Vec<Pages> = Vec::new();
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else {
        return all;
    };
    for line in maps.lines() {
        let mut words = line.split(' ');
        let (Some(range), Some(protection)) = (words.next(), words.next()) else {
            continue;
        };
        let Some((start, end)) = range.split_once('-') else {
            continue;
        };
        let number = |text| {
            usize::from_str_radix(text, 16)
                .ok()
                .map(|address| address >> PAGE_SHIFT)
        };
        let (Some(start), Some(end)) = (number(start), number(end)) else {
            continue;
        };
        if !protection.starts_with("rw-") {
            continue;
        }
        match all.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => all.push(start..end),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_bytes() {
        assert_eq!(of(0x1000, 1), 1..2);
        assert_eq!(of(0x1fff, 2), 1..3);
        assert_eq!(of(0x1000, 0x2000), 1..3);
    }

    #[test]
    fn watched_ranges_become_runs_without_what_is_left_out() {
        let mut guarded = Guarded {
            watched: vec![10..12, 1..3, 2..5, 20..30],
            runs: Vec::new(),
            changed: true,
            left_out: vec![22..23, 40..41, 20..21],
            writable: Vec::new(),
            closed: false,
        };
        guarded.join();
        assert_eq!(guarded.runs, [1..5, 10..12, 21..22, 23..30]);
    }

    #[test]
    fn the_stack_is_writable_and_code_is_not() {
        let here = 0u8;
        let page = (&raw const here) as usize >> PAGE_SHIFT;
        let code = writable_mappings as *const () as usize >> PAGE_SHIFT;
        let all = writable_mappings();
        assert!(all.iter().any(|pages| pages.contains(&page)));
        assert!(!all.iter().any(|pages| pages.contains(&code)));
    }
}
