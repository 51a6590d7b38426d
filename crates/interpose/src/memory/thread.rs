//! The segment of the calling thread: where callbacks and library hooks bring accesses, and where they are taken from.

use super::run::{Code, Key, Line, Run};
use super::segment::{Entry, Limits, Segment};
use super::slots::{Slots, once, slots};
use super::{handed_on, page_table};
use crate::{machine, recorder, stacks};
use farside_events::{AccessKind, AccessRun, AccessSet, AccessSource, StackId};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// More than one thread runs.
static MULTITHREADED: AtomicBool = AtomicBool::new(false);
/// More than one thread ever ran: segments may hold accesses to pages that nobody watches.
static FILTER: AtomicBool = AtomicBool::new(false);
/// Library calls by source number, from [`Code::FIRST_LIBRARY`] on.
static LIBRARY: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

pub(super) fn set_multithreaded(multithreaded: bool) {
    if multithreaded {
        FILTER.store(true, Ordering::SeqCst);
    }
    if MULTITHREADED.swap(multithreaded, Ordering::SeqCst) != multithreaded {
        page_table::watch_everything(multithreaded);
    }
}

pub(super) fn multithreaded() -> bool {
    MULTITHREADED.load(Ordering::Relaxed)
}

/// An access to watched memory, of a size that its code fixes, which no run expects.
pub(super) extern "C" fn hit(address: u64, pc: u64, code: Code) {
    let size = code.size().unwrap_or(1);
    let key = Key::new(pc, code);
    let slots = slots();
    // SAFETY: The slots are this thread's; the segment is alive while `entries` is not null, and `once` keeps a signal
    // handler from making a second reference.
    unsafe {
        if !(*slots).entries.is_null()
            && once(|| (*(*slots).segment).access_dense(key, address, size)) == Some(true)
        {
            return;
        }
    }
    with_segment(|segment| segment.access(key, address, size, stacks::current));
}

/// An access of any size, by an instruction or a call before `pc`, whose callers are `callers`; where an interpreter
/// runs the program, by the line that it is at.
pub(super) fn access(
    kind: AccessKind,
    source: u64,
    address: u64,
    len: u64,
    pc: u64,
    callers: impl FnOnce() -> StackId,
) {
    if len == 0 {
        return;
    }
    let code = Code::variable(kind, source);
    match stacks::line_of(pc as usize) {
        Some((line, stack)) => {
            with_segment(|segment| segment.access(Key::new(line, code), address, len, || stack));
        }
        None => with_segment(|segment| segment.access(Key::new(pc, code), address, len, callers)),
    }
}

/// The callers of the program's code that called a function of ours, which returns to `pc`.
fn callers(pc: usize) -> StackId {
    let mut callers = stacks::current();
    if callers == StackId::UNKNOWN
        && let Some(watcher) = super::watcher()
    {
        watcher.unfollowed(&mut || callers = stacks::callers(pc, machine::stack_pointer()));
    }
    callers
}

/// The accesses of a line, of a size that its code fixes.
pub(super) fn line(key: Key, line: Line) {
    with_segment(|segment| segment.line(key, line, stacks::current));
}

/// The accesses of several lines, `pitch` bytes apart, of a size that their code fixes.
pub(super) fn lines(key: Key, first: Line, lines: u64, pitch: u64) {
    with_segment(|segment| segment.lines(key, first, lines, pitch, stacks::current));
}

/// A library call (`name`) at return address `pc` loads or stores `len` bytes at `address` for the program.
/// Does nothing for pages that are not watched.
pub(crate) fn library_access(kind: AccessKind, name: &'static str, address: usize, len: usize, pc: usize) {
    if !page_table::watched(address, len) {
        return;
    }
    let callers = || callers(pc);
    access(
        kind,
        library(name),
        address as u64,
        len as u64,
        pc as u64,
        callers,
    );
}

/// As [`library_access`], for `count` pieces of `len` bytes, `stride` bytes apart.
pub(crate) fn library_run(
    kind: AccessKind,
    name: &'static str,
    address: usize,
    len: usize,
    count: usize,
    stride: isize,
    pc: usize,
) {
    if len == 0 || count == 0 {
        return;
    }
    let line = Line {
        base: address as u64,
        size: len as u64,
        stride: if count == 1 { 0 } else { stride as u64 },
        count: count as u64,
    };
    let key = Key::new(pc as u64, Code::variable(kind, library(name)));
    let (low, high) = Run::new(key, StackId::UNKNOWN, line).bounds();
    if page_table::watched(low as usize, (high - low) as usize) {
        let run = Run::new(key, callers(pc), line);
        with_segment(|segment| segment.add(run));
    }
}

/// The accesses of a thread since its last drain.
pub(crate) struct Accesses {
    /// Those with a pattern.
    pub(crate) runs: Vec<AccessRun>,
    /// Those without.
    pub(crate) sets: Vec<AccessSet>,
}

impl Accesses {
    /// Takes out what touches memory that another thread got since they were drained. Call with the spool's lock.
    pub(crate) fn leave_out_handed_on(&mut self) {
        for (low, high) in handed_on::of_this_thread() {
            self.runs
                .retain(|run| run.span().start >= high || run.span().end <= low);
        }
    }
}

/// The accesses of the calling thread since its last drain, if there are any. Called without the spool's lock; may call
/// [`crate::recorder::define`]. They must be recorded: later ones may say that they are the same.
#[inline]
pub(crate) fn drain() -> Option<Accesses> {
    let handed_on = handed_on::of_this_thread();
    has_accesses().then(|| drain_segment(&handed_on))
}

/// Whether the calling thread has accesses since its last drain.
#[inline]
pub(crate) fn has_accesses() -> bool {
    // SAFETY: The slots are this thread's; the segment is null or alive.
    unsafe { !(*slots()).segment.as_ref().is_none_or(Segment::is_empty) }
}

#[cold]
fn drain_segment(handed_on: &[(u64, u64)]) -> Accesses {
    let filter = FILTER.load(Ordering::Relaxed);
    let (mut runs, mut sets) = (Vec::new(), Vec::new());
    let mut others = Vec::new();
    with_segment(|segment| {
        let run = |run: Run| {
            if !filter || touches_watched(&run) {
                runs.push(run.into_event(source));
            } else if others.len() < KEPT_UNWATCHED {
                others.push(run.into_event(source));
            }
        };
        segment.drain(handed_on, run, |set| sets.push(set.into_event(source)));
    });
    runs.append(&mut others);
    Accesses { runs, sets }
}

/// Operations in a row from which on loads and stores between them are told together.
const MANY_OPERATIONS: u32 = 16;

/// The calling thread issues an operation that uses these bytes of its process. Whether its loads and stores so far may
/// be told after it, with later ones: none of them is of these bytes, so that nothing depends on which came first.
pub(crate) fn may_wait(ranges: &[(usize, usize)]) -> bool {
    let slots = slots();
    // SAFETY: The slots are this thread's; the segment is null or alive, and `once` keeps a signal handler from
    // changing it.
    unsafe {
        (*slots).operations = (*slots).operations.saturating_add(1);
        let apart = || {
            (*slots).segment.as_ref().is_none_or(|segment| {
                let meets = |&(start, length): &(usize, usize)| {
                    length > 0 && segment.meets(start as u64, (start as u64).saturating_add(length as u64))
                };
                !ranges.iter().any(meets)
            })
        };
        (*slots).operations > MANY_OPERATIONS && once(apart) == Some(true)
    }
}

/// The calling thread does something else than issue an operation.
pub(crate) fn end_operations() {
    // SAFETY: The slots are this thread's.
    unsafe { (*slots()).operations = 0 };
}

/// Runs of a segment that are kept although their memory was never watched: another thread may be about to make it
/// the buffer of an operation.
const KEPT_UNWATCHED: usize = 1 << 16;

/// Whether the run touches a page that was watched at any time.
fn touches_watched(run: &Run) -> bool {
    let (low, high) = run.bounds();
    page_table::ever_watched(low as usize, (high - low) as usize)
}

/// Makes what the calling thread needs now, and not at its first access.
pub(crate) fn thread_begin() {
    with_segment(|_| ());
}

/// Frees what the calling thread holds. Call after its last [`drain`]; a thread that goes on begins anew.
pub(crate) fn thread_end() {
    let slots = slots();
    // SAFETY: The slots are this thread's. The segment came from a box, and nothing points to it or to its entries
    // after both pointers are null.
    unsafe {
        let segment = (*slots).segment;
        (*slots).entries = std::ptr::null_mut();
        (*slots).seen = std::ptr::null_mut();
        (*slots).segment = std::ptr::null_mut();
        if !segment.is_null() {
            drop(Box::from_raw(segment));
        }
    }
    stacks::thread_end();
}

/// `__tsan_ignore_thread_begin` (+1) and `_end` (-1).
pub(super) fn ignore(change: i32) {
    let slots = slots();
    // SAFETY: The slots are this thread's; the segment is null or alive.
    unsafe {
        (*slots).ignored = (*slots).ignored.saturating_add_signed(change);
        (*slots).entries = match (*slots).segment.as_mut() {
            Some(segment) if (*slots).ignored == 0 => segment.entries(),
            _ => std::ptr::null_mut(),
        };
    }
}

/// The call, in progress, of a callback that keeps its return address in the slots.
pub(super) fn call_pc() -> u64 {
    // SAFETY: The slots are this thread's.
    unsafe { (*slots()).pc }
}

/// Runs `work` on the calling thread's segment, unless accesses are ignored or this is a signal handler that
/// interrupted such work.
fn with_segment(work: impl FnOnce(&mut Segment)) {
    let slots = slots();
    // SAFETY: The slots are this thread's.
    if unsafe { (*slots).ignored } != 0 || !recorder::active() {
        return;
    }
    once(|| {
        let done = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: The slots are this thread's, and `once` keeps a signal handler from making a second reference.
            let segment = unsafe { segment(slots) };
            segment.set_bits_limit(Limits::DEFAULT.bits.max(page_table::tracked_bytes() / 4));
            work(segment);
        }));
        if done.is_err() {
            page_table::stop();
        }
    });
}

/// The thread's segment, made on first use.
///
/// # Safety
/// `slots` are the calling thread's, and no other reference to its segment is alive.
unsafe fn segment<'a>(slots: *mut Slots) -> &'a mut Segment {
    // SAFETY: By the contract, this is the only reference. The entries are allocated zeroed (so that untouched pages
    // cost nothing), and zero is a valid entry: integers, and `false`.
    unsafe {
        if (*slots).segment.is_null() {
            let count = Limits::DEFAULT.entries;
            let Ok(layout) = std::alloc::Layout::array::<Entry>(count) else {
                unreachable!("a constant size")
            };
            let entries = std::alloc::alloc_zeroed(layout).cast::<Entry>();
            if entries.is_null() {
                std::alloc::handle_alloc_error(layout);
            }
            let entries = Vec::from_raw_parts(entries, count, count);
            (*slots).segment = Box::into_raw(Box::new(Segment::with_entries(entries, Limits::DEFAULT)));
            (*slots).entries = (*(*slots).segment).entries();
            (*slots).seen = (*(*slots).segment).seen();
        }
        &mut *(*slots).segment
    }
}

/// The source number of a library call.
fn library(name: &'static str) -> u64 {
    let mut names = LIBRARY.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let index = names.iter().position(|&known| known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    });
    (Code::FIRST_LIBRARY + index as u64).min(Code::SOURCES - 1)
}

fn source(number: u64) -> AccessSource {
    match number {
        0 => AccessSource::Instruction,
        Code::ATOMIC => AccessSource::Atomic,
        number => {
            let names = LIBRARY.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            AccessSource::Library(names[(number - Code::FIRST_LIBRARY) as usize].into())
        }
    }
}
