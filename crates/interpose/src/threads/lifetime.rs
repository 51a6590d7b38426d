//! Creation and end of threads: what the creator did comes before the thread, the thread before what follows its join.
//!
//! A thread that an MPI library makes for itself is not the program's: it counts as inside MPI for its whole life.

use super::object::Kind;
use super::{acquire, ends, release, thread_is_gone, thread_starts};
use super::{blocks, caller};
use crate::guard;
use crate::interposed::{interpose, next};
use crate::recorder;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A start routine of `pthread_create`; that of `thrd_create` differs in the type of its result only.
pub(super) type Routine = unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void;

/// What a new thread must know.
pub(super) struct Birth {
    routine: *const c_void,
    argument: *mut c_void,
    whose: Whose,
    /// Unlike its `pthread_t`, this is never reused. Never 0.
    number: u64,
    /// Guarded pages stay open until it begins.
    is_born_open: bool,
}

/// Who made a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Program,
    OpenMp,
    MpiLibrary,
}

/// Threads of the program that can be joined, by `pthread_t`.
static JOINABLE: LazyLock<Mutex<Joinable>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Joinable {
    numbers: HashMap<u64, u64>,
    /// Threads that registered themselves before their creators did.
    early: Vec<u64>,
}

impl Birth {
    /// The calling thread is about to create one that runs `routine`.
    pub(super) fn announce(routine: *const c_void, argument: *mut c_void) -> *mut Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        if recorder::active() {
            recorder::observe(caller::search);
        }
        let whose = if recorder::inside_mpi() {
            Whose::MpiLibrary
        } else if caller::is_openmp(routine as usize) {
            Whose::OpenMp
        } else {
            Whose::Program
        };
        if whose != Whose::MpiLibrary {
            thread_starts(whose == Whose::OpenMp);
            release(Kind::ThreadStart.number(number));
        }
        Box::into_raw(Box::new(Self {
            routine,
            argument,
            whose,
            number,
            is_born_open: guard::bears(),
        }))
    }

    /// The thread was not created after all.
    ///
    /// # Safety
    /// `birth` is from [`Birth::announce`] and no thread has it.
    pub(super) unsafe fn failed(birth: *mut Self) {
        // SAFETY: by the contract, nobody else uses it.
        let birth = unsafe { Box::from_raw(birth) };
        if birth.is_born_open {
            guard::not_born();
        }
        if birth.whose != Whose::MpiLibrary {
            thread_is_gone(birth.whose == Whose::OpenMp);
        }
    }

    /// Number of the thread to be, or `None` if the program cannot join it.
    ///
    /// # Safety
    /// `birth` is from [`Birth::announce`] and no thread has it yet.
    pub(super) unsafe fn number(birth: *const Self) -> Option<u64> {
        // SAFETY: by the contract.
        let birth = unsafe { &*birth };
        (birth.whose == Whose::Program).then_some(birth.number)
    }
}

/// The creator knows the new thread's `pthread_t`. The thread itself may have been faster.
pub(super) fn created(thread: u64, number: u64) {
    recorder::observe(|| {
        let mut joinable = JOINABLE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = joinable.early.iter().position(|&early| early == number) {
            joinable.early.swap_remove(place);
        } else {
            // The thread will write the same; until then a join finds it here.
            joinable.numbers.insert(thread, number);
            joinable.early.push(number);
        }
    });
}

/// The new thread registers itself; without a number, it takes the place of one that was there before.
fn registers(number: Option<u64>) {
    // SAFETY: no arguments, cannot fail.
    let thread = unsafe { ::libc::pthread_self() };
    if let Some(number) = number {
        created(thread, number);
    }
    recorder::observe(|| {
        let mut joinable = JOINABLE.lock().unwrap_or_else(PoisonError::into_inner);
        match number {
            Some(number) => joinable.numbers.insert(thread, number),
            None => joinable.numbers.remove(&thread),
        };
    });
}

/// The number of a thread about to be joined.
pub(super) fn joins(thread: u64) -> Option<u64> {
    if recorder::inside_mpi() {
        return None;
    }
    recorder::observe(|| {
        let joinable = JOINABLE.lock().unwrap_or_else(PoisonError::into_inner);
        joinable.numbers.get(&thread).copied()
    })
    .flatten()
}

/// The thread was joined.
pub(super) fn joined(thread: u64, number: Option<u64>) {
    let Some(number) = number else { return };
    acquire(Kind::ThreadEnd.number(number));
    recorder::observe(|| {
        let mut joinable = JOINABLE.lock().unwrap_or_else(PoisonError::into_inner);
        // A new thread may have the same `pthread_t` already.
        if joinable.numbers.get(&thread) == Some(&number) {
            joinable.numbers.remove(&thread);
        }
    });
    thread_is_gone(false);
}

/// First function of every new thread.
///
/// # Safety
/// `birth` is from [`Birth::announce`] and given up to this thread.
pub(super) unsafe extern "C-unwind" fn begin(birth: *mut c_void) -> *mut c_void {
    // SAFETY: by the contract. Taken out of its box, because unwinding must meet no destructor here.
    let Birth {
        routine,
        argument,
        whose,
        number,
        is_born_open,
    } = *unsafe { Box::from_raw(birth.cast::<Birth>()) };
    if is_born_open {
        guard::born();
    }
    // SAFETY: the start routine that the creator gave.
    let routine = unsafe { std::mem::transmute::<*const c_void, Routine>(routine) };
    registers((whose == Whose::Program).then_some(number));
    if whose == Whose::MpiLibrary {
        let _for_life = ManuallyDrop::new(recorder::MpiGuard::enter());
        // SAFETY: the routine and its argument belong together.
        return unsafe { routine(argument) };
    }
    guard::thread_begins();
    acquire(Kind::ThreadStart.number(number));
    // A cleanup handler sees every end: return, pthread_exit and cancellation; and before thread-local values are
    // destroyed.
    let mut cleanup = MaybeUninit::<CleanupBuffer>::uninit();
    let ending = std::ptr::without_provenance_mut(number as usize);
    // SAFETY: glibc fills the buffer and keeps it in a list until it is popped below or the frame is unwound.
    unsafe { push_cleanup(&mut cleanup, ending) };
    // SAFETY: the routine and its argument belong together.
    let result = unsafe { routine(argument) };
    // SAFETY: the buffer that was pushed above; nothing else was left pushed.
    unsafe { pop_cleanup(&mut cleanup) };
    result
}

/// Last words of the thread with this number.
extern "C-unwind" fn end(number: *mut c_void) {
    release(Kind::ThreadEnd.number(number.addr() as u64));
    recorder::observe(crate::memory::thread_end);
    blocks::thread_ends();
    ends();
    guard::thread_ends();
}

/// `struct _pthread_cleanup_buffer` of glibc's `pthread.h`.
#[repr(C)]
struct CleanupBuffer {
    routine: *mut c_void,
    argument: *mut c_void,
    cancel_type: c_int,
    previous: *mut c_void,
}

/// # Safety
/// `buffer` stays where it is until [`pop_cleanup`] or the unwinding of the caller's frame.
unsafe fn push_cleanup(buffer: &mut MaybeUninit<CleanupBuffer>, argument: *mut c_void) {
    type Push =
        unsafe extern "C-unwind" fn(*mut CleanupBuffer, extern "C-unwind" fn(*mut c_void), *mut c_void);
    // SAFETY: this symbol of glibc has this type (nptl/cleanup_compat.c).
    let push = unsafe { std::mem::transmute::<*mut c_void, Push>(next!(_pthread_cleanup_push).address()) };
    // SAFETY: the buffer is valid for as long as the contract says.
    unsafe { push(buffer.as_mut_ptr(), end, argument) };
}

/// # Safety
/// `buffer` was pushed last.
unsafe fn pop_cleanup(buffer: &mut MaybeUninit<CleanupBuffer>) {
    type Pop = unsafe extern "C-unwind" fn(*mut CleanupBuffer, c_int);
    // SAFETY: this symbol of glibc has this type.
    let pop = unsafe { std::mem::transmute::<*mut c_void, Pop>(next!(_pthread_cleanup_pop).address()) };
    // SAFETY: pushed by the contract; 1 asks for the handler to run.
    unsafe { pop(buffer.as_mut_ptr(), 1) };
}

interpose! {
    fn pthread_create(
        thread: *mut u64,
        attributes: *const c_void,
        routine: *const c_void,
        argument: *mut c_void,
    ) -> c_int |unsafe real| {
        let birth = Birth::announce(routine, argument);
        // SAFETY: `announce` just made it.
        let number = unsafe { Birth::number(birth) };
        let first: Routine = begin;
        // SAFETY: the caller's arguments, and a routine that runs his.
        let result = unsafe { real(thread, attributes, first as *const c_void, birth.cast()) };
        if result == 0 {
            if let Some(number) = number {
                // SAFETY: the call succeeded, so the caller's `thread` was written.
                created(unsafe { thread.read() }, number);
            }
        } else {
            // SAFETY: no thread was created.
            unsafe { Birth::failed(birth) };
        }
        result
    }

    fn pthread_join(thread: u64, result: *mut *mut c_void) -> c_int |real| {
        let number = joins(thread);
        let status = real();
        if status == 0 {
            joined(thread, number);
        }
        status
    }

    fn pthread_tryjoin_np(thread: u64, result: *mut *mut c_void) -> c_int |real| {
        let number = joins(thread);
        let status = real();
        if status == 0 {
            joined(thread, number);
        }
        status
    }

    fn pthread_timedjoin_np(thread: u64, result: *mut *mut c_void, until: *const c_void) -> c_int |real| {
        let number = joins(thread);
        let status = real();
        if status == 0 {
            joined(thread, number);
        }
        status
    }

    fn pthread_clockjoin_np(
        thread: u64,
        result: *mut *mut c_void,
        clock: c_int,
        until: *const c_void,
    ) -> c_int |real| {
        let number = joins(thread);
        let status = real();
        if status == 0 {
            joined(thread, number);
        }
        status
    }
}
