//! How long seeing accesses may take, and what was not seen for it.

use farside_events::Shortfall;
use farside_spool::guard::Extent;
use farside_spool::now;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What the kernel takes at least for the half of a fault and a trap that no handler can time, in nanoseconds.
const KERNEL: u64 = 2000;
/// What a page costs after it was closed and before it is as it was, in nanoseconds. An estimate, too.
const PAGE: u64 = 1500;
/// So long all accesses are seen in any case.
const FREE: u64 = 200_000_000;

static ALL: AtomicBool = AtomicBool::new(false);
/// How long a trap by the processor's flag takes.
static TRAP: AtomicU64 = AtomicU64::new(0);
static BEGAN: AtomicU64 = AtomicU64::new(0);
static SPENT: AtomicU64 = AtomicU64::new(0);
/// How often a page, or all of them, stayed open until the next call of the library had ended.
static LEFT_OPEN: AtomicU64 = AtomicU64::new(0);
/// Instructions of which not all bytes could be told.
static PARTLY: AtomicU64 = AtomicU64::new(0);
/// More than one thread of the program ran.
static THREADS: AtomicBool = AtomicBool::new(false);

/// Several threads of the program run.
pub(super) fn several_threads() {
    THREADS.store(true, Ordering::Relaxed);
}

/// Time runs from now on; a trap by the processor's flag takes so long.
pub(super) fn begin(extent: Extent, trap: u64) {
    TRAP.store(trap, Ordering::Relaxed);
    ALL.store(extent == Extent::All, Ordering::Relaxed);
    BEGAN.store(now(), Ordering::Relaxed);
}

/// An access has been seen that was looked at since then: from the fault's handler to the trap's end, or to the fault's
/// if the page stays open. Two ways through the kernel lie within that time and two beside it, which take as long on a
/// busy or a virtual machine, too; about half of what was timed is the kernel's. Of a trap by the processor's flag, as
/// much again as it takes lies beside what was timed.
pub(super) fn spent(since: u64, by_flag: bool) {
    let timed = now().saturating_sub(since);
    let trap = if by_flag { TRAP.load(Ordering::Relaxed) } else { 0 };
    SPENT.fetch_add(timed + KERNEL.max(timed / 2).max(trap), Ordering::Relaxed);
}

/// So many pages have been closed, which was begun then. Each costs as much again when it is opened, and a fault of its
/// own in the kernel when it is accessed next.
pub(super) fn closed(pages: usize, since: u64) {
    let later = PAGE.saturating_mul(pages as u64);
    SPENT.fetch_add(now().saturating_sub(since) + later, Ordering::Relaxed);
}

/// Whether there is time to see accesses: up to a half of the time that all else took.
pub(super) fn allows_all() -> bool {
    allows(SPENT.load(Ordering::Relaxed))
}

/// Whether there is time to go on with an access that has been looked at since then.
pub(super) fn allows_more(since: u64) -> bool {
    allows(SPENT.load(Ordering::Relaxed) + now().saturating_sub(since))
}

fn allows(spent: u64) -> bool {
    let all = now().saturating_sub(BEGAN.load(Ordering::Relaxed));
    ALL.load(Ordering::Relaxed) || spent < FREE || spent < all / 3
}

/// A page stays open after an access, or all do after a call: further accesses are not seen until the next call of the
/// library has ended.
pub(super) fn left_open() {
    LEFT_OPEN.fetch_add(1, Ordering::Relaxed);
}

/// Some bytes of an instruction's accesses are not known.
pub(super) fn partly_seen() {
    PARTLY.fetch_add(1, Ordering::Relaxed);
}

/// What was not seen, if there is anything.
pub(super) fn shortfall() -> Option<Shortfall> {
    let left_open = LEFT_OPEN.load(Ordering::Relaxed);
    let partly = PARTLY.load(Ordering::Relaxed);
    let threads = THREADS.load(Ordering::Relaxed);
    (left_open > 0 || partly > 0 || threads).then_some(Shortfall::Guard {
        left_open,
        partly,
        threads,
    })
}
