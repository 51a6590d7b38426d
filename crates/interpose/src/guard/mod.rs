//! Loads and stores of programs as they are built: faults of guarded pages (`farside check --guard`).
//!
//! Pages that are watched are closed (no access at all) while the program runs, and open while it is in a call of the
//! library. An access of the program faults; its instruction is [decoded](decode), its loads and stores are recorded,
//! its pages are opened, and the processor traps after it, so that they are closed again.
//!
//! | part | what |
//! |---|---|
//! | [`pages`] | which pages, and their protection |
//! | [`fault`] | the handlers of faults and traps; [`local`]: what a thread is in the midst of |
//! | [`apart`] | where a thread executes the instruction that it was let pass |
//! | [`code`] | whose instruction it is |
//! | [`signals`] | who has the two signals, and the stacks for them |
//! | [`foreign`] | closed pages of other processes, which the library copies to and from |
//! | [`budget`] | how long all this may take |
//!
//! Promise: every access of the program to a guarded page is seen, but for what [`budget`] counts and the limits. The
//! program's results do not change; its own handlers of these signals are called for what is its own.
//!
//! What system libraries do is let pass, instruction by instruction until they return, and told by the hooks of their
//! functions, as it is of programs that are compiled by the wrappers. So the kernel meets open pages where a library
//! has accessed them before the system call, or where the hook of the call opens them. Functions on memory and strings,
//! which call nothing of the program, are not stepped: their hooks open the pages, call them, and close the pages.
//!
//! Limits:
//! 1. While one thread is in a call of the library, pages are open for all threads of the process.
//! 2. An atomic store that is a plain instruction (`mov`) is a plain store.
//! 3. A system call of the program that no hook knows fails with `EFAULT` if it is given closed memory that nothing of
//!    its library has accessed before.
//! 4. Gathers, scatters and masked accesses are seen in part, and counted.
//! 5. Memory of a page that the program may not write is not guarded: nothing can store to it. Thread-local variables
//!    are not guarded either, for handlers have such ones themselves.

mod apart;
mod budget;
mod code;
mod decode;
mod fault;
mod foreign;
mod local;
mod pages;
mod signals;

use crate::memory::slots::{HOLDS, MAY_HOLD, slots};
use crate::memory::{self, PAGE_SHIFT, Watcher};
use crate::recorder;
use farside_events::EventKind;
use local::Local;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

static ON: AtomicBool = AtomicBool::new(false);

/// What is watched is guarded.
struct Guard;

impl Watcher for Guard {
    fn watch(&self, address: usize, length: usize) {
        pages::watch(address, length);
    }

    fn unwatch(&self, address: usize, length: usize) {
        pages::unwatch(address, length);
    }

    fn several_threads(&self) {
        budget::several_threads();
    }

    fn stop(&self) {
        pages::open_all();
    }

    fn unfollowed(&self, work: &mut dyn FnMut()) {
        local::with(Local::pause);
        // Functions of the C library that it uses itself let go what they hold, and would say that nothing is held.
        // SAFETY: the calling thread's own words.
        let held = unsafe { (*slots()).held };
        work();
        // SAFETY: likewise.
        unsafe { (*slots()).held = held };
        if local::with(|local| local.resume(farside_spool::now())) {
            fault::follow();
        }
    }
}

/// Whether pages are guarded in this process.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Starts, if the user asked for it; called once, when recording starts.
pub(crate) fn initialise() {
    let Some(extent) = farside_spool::guard::told() else {
        return;
    };
    code::search();
    decode::prepare();
    signals::take(fault::on_fault, fault::on_trap);
    signals::unblock();
    budget::begin(extent, fault::time_of_a_trap());
    ON.store(true, Ordering::SeqCst);
    memory::tell(&Guard);
    thread_begins();
}

/// Looks at the modules that are loaded now.
pub(crate) fn look_at_modules() {
    if is_on() {
        code::search();
    }
}

/// The calling thread of the program begins.
pub(crate) fn thread_begins() {
    if is_on() {
        // Not in a handler, on a stack of its own.
        memory::thread_begin();
        signals::unblock();
        signals::give_stack();
        local::with(|local| local.apart().give_page());
        pages::leave_out(pages_of_the_kernel());
        keep_vector_open();
    }
}

/// A thread is about to be created: pages stay open until it is [`born`], or was not created after all. Whether that is
/// so.
pub(crate) fn bears() -> bool {
    let is_on = is_on();
    if is_on {
        pages::enter();
    }
    is_on
}

/// The calling thread, for whose sake pages stayed open, can meet closed ones from now on.
pub(crate) fn born() {
    keep_vector_open();
    not_born();
}

/// A thread for whose sake pages stayed open was not created.
pub(crate) fn not_born() {
    let closed = pages::leave(recorder::active() && budget::allows_all());
    if closed > 0 {
        budget::closed(closed, farside_spool::now());
    }
}

/// The calling thread ends.
pub(crate) fn thread_ends() {
    if is_on() {
        pages::leave_in(&pages_of_the_kernel());
        signals::take_stack();
        local::with(|local| local.apart().take_page());
    }
}

/// A system call is about to access this memory for the program, or a function of the C library: opens it until the
/// thread is back in the program, as if a system library had accessed it.
pub(crate) fn touch(address: usize, length: usize) {
    if is_on() && recorder::active() && length > 0 {
        if may_hold() {
            hold(&pages::of(address, length));
            return;
        }
        for page in pages::of(address, length) {
            let first = address.max(page << PAGE_SHIFT);
            if memory::was_ever_watched(first, 1) {
                // SAFETY: the program gave this memory to the call, and it is mapped: it was watched. The fault opens
                // it.
                unsafe { (first as *const u8).read_volatile() };
            }
        }
    }
}

/// Whether the calling thread is in a function of the C library after which [`let_go`] is called.
fn may_hold() -> bool {
    // SAFETY: the calling thread's own words.
    unsafe { (*slots()).held >= MAY_HOLD }
}

/// Opens these pages until that function returns.
fn hold(pages: &pages::Pages) {
    let since = farside_spool::now();
    let count = Cell::new(0);
    local::with(|local| {
        local.handle(since, || {
            pages::open_closed(pages, |opened| {
                count.set(count.get() + opened.len());
                held(local, &opened);
            });
        });
    });
    budget::closed(count.get(), since);
}

/// These pages have been opened until that function returns.
fn held(local: &Local, pages: &pages::Pages) {
    if !local.holds(pages) {
        budget::left_open();
    }
    // SAFETY: as in `may_hold`.
    unsafe { (*slots()).held = HOLDS };
}

/// The function has returned: closes what was opened for it.
pub(crate) extern "C" fn let_go() {
    // SAFETY: as in `may_hold`.
    unsafe { (*slots()).held = 0 };
    let since = farside_spool::now();
    let closes = budget::allows_all();
    let mut count = 0;
    local::with(|local| {
        for run in local.let_go() {
            if closes {
                pages::close(&run);
            }
            count += run.len();
        }
    });
    if closes {
        budget::closed(count, since);
    } else {
        budget::left_open();
    }
}

/// Whether code at this address works for the program, by what the guard knows of modules.
pub(crate) fn is_program(pc: usize) -> bool {
    matches!(code::owner(pc), code::Owner::Program | code::Owner::Announced)
}

/// What was not seen of loads and stores.
pub(crate) fn report() {
    if let Some(shortfall) = budget::shortfall() {
        recorder::define(EventKind::Shortfall(shortfall));
    }
}

/// While it lives, the calling thread is in a call of the library, and pages are open.
pub(crate) struct Inside(bool);

impl Inside {
    /// The thread goes into a call.
    #[inline]
    pub(crate) fn enter() -> Self {
        if is_on() {
            go_in();
            Self(true)
        } else {
            Self(false)
        }
    }
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        if self.0 {
            come_out();
        }
    }
}

#[cold]
fn go_in() {
    // A function of the C library that was left by a jump holds nothing any more.
    // SAFETY: as in `may_hold`.
    unsafe { (*slots()).held = 0 };
    local::with(Local::go_in);
    pages::enter();
}

#[cold]
fn come_out() {
    local::with(Local::come_out);
    keep_vector_open();
    let closes = recorder::active() && budget::allows_all();
    if !closes && recorder::active() {
        budget::left_open();
    }
    let since = farside_spool::now();
    let closed = pages::leave(closes);
    if closed > 0 {
        budget::closed(closed, since);
    }
}

/// Where the calling thread's own data of the C library begins.
fn thread_pointer() -> usize {
    let address: usize;
    // SAFETY: reads the word that points to itself; has no other effect.
    unsafe {
        std::arch::asm!("mov {}, qword ptr fs:[0]", out(reg) address, options(pure, readonly, nostack));
    }
    address
}

/// Where the calling thread's vector is, by which code finds thread-local values of libraries that were loaded (ELF
/// handling for thread-local storage, §3.4.2).
fn thread_vector() -> usize {
    let address: usize;
    // SAFETY: reads the second word of the C library's data of the thread; has no other effect.
    unsafe {
        std::arch::asm!("mov {}, qword ptr fs:[8]", out(reg) address, options(pure, readonly, nostack));
    }
    address
}

/// Pages of the vector, which a handler reads before it can do anything, and which lies between what the program has
/// allocated.
fn pages_of_the_vector() -> pages::Pages {
    const ENTRY: usize = 16;
    let begin = thread_vector() - ENTRY;
    // SAFETY: before the vector's first entry stands how many there are, but for that and for one more at the start.
    let entries = unsafe { std::ptr::with_exposed_provenance::<usize>(begin).read() };
    pages::of(begin, ENTRY * entries.saturating_add(2))
}

/// Never guards the vector, which moves when it grows. The C library keeps it for the next thread when this one ends.
fn keep_vector_open() {
    if local::with(|local| local.moves_vector(thread_vector())) {
        pages::leave_out_for_good(pages_of_the_vector());
    }
}

/// Pages of the calling thread that are never guarded: the kernel writes to the area of restartable sequences by
/// itself, in the C library's data of the thread, and handlers to our own thread-local values before it.
fn pages_of_the_kernel() -> pages::Pages {
    let end = thread_pointer() + 4096;
    let slots = slots() as usize;
    let begin = local::with(|local| std::ptr::from_ref(local) as usize).min(slots);
    pages::of(begin, end.saturating_sub(begin))
}
