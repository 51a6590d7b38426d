//! The signals of faults and traps, and the stacks that their handlers run on: the guard has them, the program believes
//! that it does.
//!
//! A handler of the program for one of the two signals is called for what is not the guard's. No thread may block them:
//! a fault in a thread that blocks its signal ends the process. A thread's own stack may be closed, so handlers run on
//! another, of this library; if the program asks for one of its own, it is answered as if it had it.

use super::is_on;
use crate::interposed::{interpose, replaced};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Room for two handlers, one of which interrupts the other, with all vector registers, and for recording.
const STACK: usize = 1 << 20;

/// A handler that is told what happened, and where.
pub(super) type Action = unsafe extern "C" fn(c_int, *mut ::libc::siginfo_t, *mut c_void);

/// A stack for handlers: address, length, flags.
type Stack = (usize, usize, i32);

thread_local! {
    /// The calling thread's stack for handlers, if it has one of ours, and the one that the program believes it to
    /// have.
    static STACKS: Cell<Option<(usize, Stack)>> = const { Cell::new(None) };
}

/// Whether the calling thread's handlers run on a stack of ours.
pub(super) fn has_stack() -> bool {
    STACKS.get().is_some()
}

/// What the program has asked for, by signal.
struct Asked {
    action: AtomicPtr<::libc::sigaction>,
}

static ASKED: [Asked; 2] = [const {
    Asked {
        action: AtomicPtr::new(std::ptr::null_mut()),
    }
}; 2];

const SIGNALS: [c_int; 2] = [::libc::SIGSEGV, ::libc::SIGTRAP];

fn asked(signal: c_int) -> Option<&'static Asked> {
    let place = SIGNALS.iter().position(|&known| known == signal)?;
    Some(&ASKED[place])
}

/// Takes both signals, with these handlers.
pub(super) fn take(on_fault: Action, on_trap: Action) {
    for (signal, handler) in SIGNALS.into_iter().zip([on_fault, on_trap]) {
        // SAFETY: zero is a valid value of all fields.
        let mut ours: ::libc::sigaction = unsafe { std::mem::zeroed() };
        ours.sa_sigaction = handler as usize;
        ours.sa_flags = ::libc::SA_SIGINFO | ::libc::SA_ONSTACK | ::libc::SA_NODEFER | ::libc::SA_RESTART;
        let mut before = MaybeUninit::uninit();
        // SAFETY: a handler of the right type, and a place for the answer, which is written on success.
        unsafe {
            if real_sigaction(signal, &raw const ours, before.as_mut_ptr()) == 0 {
                remember(signal, before.assume_init());
            }
        }
    }
}

/// The program's action for a signal from now on. The one before is not freed: a handler may be reading it.
fn remember(signal: c_int, action: ::libc::sigaction) {
    if let Some(asked) = asked(signal) {
        asked
            .action
            .store(Box::into_raw(Box::new(action)), Ordering::Release);
    }
}

/// Does what the program has asked for.
///
/// # Safety
/// Called in a handler of the signal, with what the kernel gave.
pub(super) unsafe fn previous(signal: c_int, info: *mut ::libc::siginfo_t, context: *mut c_void) {
    let action = asked(signal).map_or(std::ptr::null_mut(), |asked| asked.action.load(Ordering::Acquire));
    // SAFETY: null, or an action that is never freed.
    let action = unsafe { action.as_ref() };
    match action.map_or(::libc::SIG_DFL, |action| action.sa_sigaction) {
        ::libc::SIG_IGN if signal == ::libc::SIGTRAP => {}
        ::libc::SIG_DFL | ::libc::SIG_IGN => {
            // The instruction is executed again, and ends the process as it would have without us.
            // SAFETY: zero is a valid value: the default action.
            unsafe {
                let default: ::libc::sigaction = std::mem::zeroed();
                real_sigaction(signal, &raw const default, std::ptr::null_mut());
                if signal == ::libc::SIGTRAP {
                    ::libc::raise(signal);
                }
            }
        }
        handler => {
            let flags = action.map_or(0, |action| action.sa_flags);
            // SAFETY: a handler of the program, of the type that its flags say.
            unsafe {
                if flags & ::libc::SA_SIGINFO != 0 {
                    std::mem::transmute::<usize, Action>(handler)(signal, info, context);
                } else {
                    std::mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal);
                }
            }
        }
    }
}

/// Gives the calling thread a stack for handlers.
pub(super) fn give_stack() {
    // SAFETY: a new mapping at an address of the kernel's choice touches no existing memory.
    let stack = unsafe {
        ::libc::mmap(
            std::ptr::null_mut(),
            STACK,
            ::libc::PROT_READ | ::libc::PROT_WRITE,
            ::libc::MAP_PRIVATE | ::libc::MAP_ANONYMOUS | ::libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if stack == ::libc::MAP_FAILED {
        return;
    }
    let ours = ::libc::stack_t {
        ss_sp: stack,
        ss_flags: 0,
        ss_size: STACK,
    };
    let mut before = MaybeUninit::<::libc::stack_t>::uninit();
    // SAFETY: the stack is mapped until `take_stack`, and the answer is written on success.
    let before = unsafe {
        if real_sigaltstack(&raw const ours, before.as_mut_ptr()) != 0 {
            ::libc::munmap(stack, STACK);
            return;
        }
        before.assume_init()
    };
    let of_program = (before.ss_sp as usize, before.ss_size, before.ss_flags);
    STACKS.set(Some((stack as usize, of_program)));
}

/// Takes the stack of [`give_stack`] back, at the end of a thread.
pub(super) fn take_stack() {
    if let Some((stack, (address, size, flags))) = STACKS.take() {
        let before = ::libc::stack_t {
            ss_sp: address as *mut c_void,
            ss_flags: flags,
            ss_size: size,
        };
        // SAFETY: what the program asked for, and a mapping of `give_stack`; the thread is in no handler.
        unsafe {
            real_sigaltstack(&raw const before, std::ptr::null_mut());
            ::libc::munmap(stack as *mut c_void, STACK);
        }
    }
}

/// Lets the calling thread see both signals.
pub(super) fn unblock() {
    // SAFETY: a set of signals that is made here.
    unsafe {
        let mut both = MaybeUninit::uninit();
        ::libc::sigemptyset(both.as_mut_ptr());
        for signal in SIGNALS {
            ::libc::sigaddset(both.as_mut_ptr(), signal);
        }
        real_mask(::libc::SIG_UNBLOCK, both.as_ptr(), std::ptr::null_mut());
    }
}

/// A set of signals to block, without those of the guard.
unsafe fn without_ours(how: c_int, set: *const ::libc::sigset_t) -> Option<::libc::sigset_t> {
    if set.is_null() || how == ::libc::SIG_UNBLOCK {
        return None;
    }
    // SAFETY: the caller's set.
    let mut set = unsafe { *set };
    for signal in SIGNALS {
        // SAFETY: a set, and a signal that exists.
        unsafe { ::libc::sigdelset(&raw mut set, signal) };
    }
    Some(set)
}

macro_rules! real {
    ($($real:ident = $name:ident($($argument:ident: $type:ty),*);)*) => {$(
        unsafe fn $real($($argument: $type),*) -> c_int {
            replaced! { unsafe real = $name($($argument: $type),*) -> c_int }
            // SAFETY: by the caller's contract, that of the function of the C library.
            unsafe { real($($argument),*) }
        }
    )*};
}

real! {
    real_sigaction = sigaction(signal: c_int, new: *const ::libc::sigaction, old: *mut ::libc::sigaction);
    real_sigaltstack = sigaltstack(new: *const ::libc::stack_t, old: *mut ::libc::stack_t);
    real_mask = pthread_sigmask(how: c_int, new: *const ::libc::sigset_t, old: *mut ::libc::sigset_t);
}

interpose! {
    fn sigaction(signal: c_int, new: *const ::libc::sigaction, old: *mut ::libc::sigaction) -> c_int |unsafe real| {
        let taken = is_on().then(|| asked(signal)).flatten();
        let Some(asked) = taken else {
            // SAFETY: the caller's own arguments.
            return unsafe { real(signal, new, old) };
        };
        // SAFETY: null or an action that is never freed; the caller's own places.
        unsafe {
            let before = asked.action.load(Ordering::Acquire);
            if !old.is_null() && !before.is_null() {
                *old = *before;
            }
            if !new.is_null() {
                remember(signal, *new);
            }
        }
        0
    }

    fn signal(signal: c_int, handler: usize) -> usize |unsafe real| {
        let taken = is_on().then(|| asked(signal)).flatten();
        let Some(asked) = taken else {
            // SAFETY: the caller's own arguments.
            return unsafe { real(signal, handler) };
        };
        // SAFETY: null or an action that is never freed.
        let before = unsafe { asked.action.load(Ordering::Acquire).as_ref() };
        // SAFETY: zero is a valid value of all fields.
        let mut new: ::libc::sigaction = unsafe { std::mem::zeroed() };
        new.sa_sigaction = handler;
        new.sa_flags = ::libc::SA_RESTART;
        remember(signal, new);
        before.map_or(::libc::SIG_DFL, |before| before.sa_sigaction)
    }

    fn pthread_sigmask(how: c_int, new: *const ::libc::sigset_t, old: *mut ::libc::sigset_t) -> c_int |unsafe real| {
        // SAFETY: the caller's own arguments, and a set that lives during the call.
        unsafe {
            match is_on().then(|| without_ours(how, new)).flatten() {
                Some(set) => real(how, &raw const set, old),
                None => real(how, new, old),
            }
        }
    }

    fn sigprocmask(how: c_int, new: *const ::libc::sigset_t, old: *mut ::libc::sigset_t) -> c_int |unsafe real| {
        // SAFETY: as for `pthread_sigmask`.
        unsafe {
            match is_on().then(|| without_ours(how, new)).flatten() {
                Some(set) => real(how, &raw const set, old),
                None => real(how, new, old),
            }
        }
    }

    fn sigaltstack(new: *const ::libc::stack_t, old: *mut ::libc::stack_t) -> c_int |unsafe real| {
        let Some((ours, (address, size, flags))) = STACKS.get() else {
            // SAFETY: the caller's own arguments.
            return unsafe { real(new, old) };
        };
        // SAFETY: the caller's own places, where he gives some.
        unsafe {
            if !old.is_null() {
                *old = ::libc::stack_t { ss_sp: address as *mut c_void, ss_flags: flags, ss_size: size };
            }
            if !new.is_null() {
                STACKS.set(Some((ours, ((*new).ss_sp as usize, (*new).ss_size, (*new).ss_flags))));
            }
        }
        0
    }
}
