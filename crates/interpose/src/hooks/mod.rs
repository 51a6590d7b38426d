//! The exported `MPI_*` functions: from a caller in any language to one observer, and on to the library.
//!
//! An exported function is a few instructions ([`entry`]) that save the argument registers and the return address and
//! go to [`dispatch`]. The arguments are machine words that are forwarded as they came, to the next function of the
//! same name (its `PMPI_` form where there is no other). Before that an observer looks at them through a [`CallView`], and
//! may give a second part that runs after the call returned. What is hooked is what the table of calls gives a meaning.
//!
//! Promises: the call is forwarded exactly once, whatever an observer does; exceptions of the program pass through;
//! a Fortran binding that calls the C function inside is observed once, at the outer call.
//! A weak reference to a function that the library lacks stays null ([`weak`]).
//! Limits: the calling conventions of [`crate::machine`].

mod by_name;
mod entry;
pub(crate) mod gaspi;
pub(crate) mod shmem;
mod table;
mod weak;

use crate::abi::symbol;
use crate::call::{CallView, Hook, MAX_WORDS};
use crate::guard::Inside;
use crate::machine::REGISTERS;
use crate::memory::slots::slots;
use crate::mpi;
use crate::recorder::{self, MpiGuard};
use std::ffi::{CStr, CString};
use std::sync::atomic::Ordering;

/// Where all entries go. `registers` are the argument registers, `stack` the first stack argument.
///
/// # Safety
/// Only called by [`entry`]'s code.
pub(crate) unsafe extern "C-unwind" fn dispatch(
    hook: &'static Hook,
    registers: *const [usize; REGISTERS],
    stack: *const usize,
    return_address: usize,
) -> usize {
    let count = hook.words();
    let mut words = [0; MAX_WORDS];
    // SAFETY: the entry saved the registers; the caller passed `count` words, those that have none on the stack.
    unsafe {
        words[..REGISTERS].copy_from_slice(&*registers);
        for (i, word) in words[..count].iter_mut().enumerate().skip(REGISTERS) {
            *word = *stack.add(i - REGISTERS);
        }
    }
    let observed = recorder::active() || hook.function.is_always_observed();
    let added = hook.function.added().filter(|_| recorder::agreed());
    if recorder::inside_mpi() || !(observed || added.is_some()) {
        // SAFETY: the words that the caller passed.
        return unsafe { forward(hook, &words) };
    }
    let _inside = Inside::enter();
    let outer = replace_outer_return(0);
    let place = if outer == 0 { return_address } else { outer };
    let mut view = CallView::new(hook, words, place);
    if hook.left_to_inner_call() {
        view.provide_error_argument();
        replace_outer_return(place);
        // SAFETY: the words that the caller passed, but for a place for the error code if the caller has none.
        let result = unsafe { forward(hook, view.words()) };
        view.set_result(result);
        if replace_outer_return(0) != 0 {
            hook.alone.store(true, Ordering::Relaxed);
            recorder::unknown_call(hook.function.name);
            if let Some(added) = added {
                recorder::observe(|| added(&view));
            }
        }
        return result;
    }
    let observing = || mpi::observe(&mut view);
    let after = observed.then(|| recorder::observe(observing)).flatten().flatten();
    view.provide_error_argument();
    let result = {
        let _guard = MpiGuard::enter();
        // SAFETY: the caller's words, but for places that the observer provided for answers the caller ignores.
        unsafe { forward(hook, view.words()) }
    };
    view.set_result(result);
    match (after, added) {
        (Some(after), _) => recorder::observe(|| after.run(&mut view)),
        (None, Some(added)) => recorder::observe(|| added(&view)),
        (None, None) => None,
    };
    result
}

/// Keeps the return address of an outer Fortran call, or 0; gives what was kept.
fn replace_outer_return(address: usize) -> usize {
    // SAFETY: The slots are this thread's.
    unsafe { std::mem::replace(&mut (*slots()).outer_return, address) }
}

type Word = usize;
type Six = unsafe extern "C-unwind" fn(Word, Word, Word, Word, Word, Word) -> Word;
#[rustfmt::skip]
type Ten = unsafe extern "C-unwind" fn(
    Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
) -> Word;
#[rustfmt::skip]
type Sixteen = unsafe extern "C-unwind" fn(
    Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
) -> Word;

/// Calls the library.
///
/// # Safety
/// `words` must be arguments of the hooked function.
unsafe fn forward(hook: &Hook, words: &[usize; MAX_WORDS]) -> usize {
    let address = match hook.target.load(Ordering::Relaxed) {
        0 => look_up(hook),
        address => address,
    };
    let w = words;
    // SAFETY: by the calling convention a callee ignores words beyond its own arguments, and the upper half of those
    // registers that hold 32-bit arguments.
    unsafe {
        match hook.words() {
            0..=6 => std::mem::transmute::<usize, Six>(address)(w[0], w[1], w[2], w[3], w[4], w[5]),
            7..=10 => std::mem::transmute::<usize, Ten>(address)(
                w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9],
            ),
            _ => std::mem::transmute::<usize, Sixteen>(address)(
                w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13],
                w[14], w[15],
            ),
        }
    }
}

/// Finds the library's function.
#[cold]
fn look_up(hook: &Hook) -> usize {
    weak::clear_missing();
    let address = library_function(hook.symbol);
    hook.target.store(address, Ordering::Relaxed);
    address
}

/// The library's function of this name. A program that calls one which the library lacks ends as the dynamic linker
/// would end it.
fn library_function(name: &CStr) -> usize {
    defined_elsewhere(name).unwrap_or_else(|| {
        eprintln!(
            "symbol lookup error: undefined symbol: {}",
            name.to_string_lossy()
        );
        // SAFETY: ends the process without running anything else, as the dynamic linker does.
        unsafe { ::libc::_exit(127) }
    })
}

/// The function of this name that another module defines, or its `PMPI_` form.
fn defined_elsewhere(name: &CStr) -> Option<usize> {
    let prefix: &[u8] = if name.to_bytes().starts_with(b"M") {
        b"P"
    } else {
        b"p"
    };
    let profiling = CString::new([prefix, name.to_bytes()].concat()).ok();
    symbol::next(name).or_else(|| profiling.and_then(|name| symbol::next(&name)))
}
