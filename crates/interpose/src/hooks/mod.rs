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
//! Limits: x86-64 with the System V calling convention.

mod entry;
mod table;
mod view;
mod weak;

pub(crate) use view::{CallView, Choice, Place};

use crate::abi::symbol;
use crate::mpi;
use crate::recorder::{self, MpiGuard};
use farside_calls::meaning::Meaning;
use farside_calls::mpi::Procedure;
use farside_calls::signature::Signature;
use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Most argument words of any hooked call: the 13 of `MPI_Rget_accumulate` and the Fortran error argument.
pub(crate) const MAX_WORDS: usize = 16;

/// The second part of an observer.
pub(crate) type After = Option<Box<dyn FnOnce(&mut CallView)>>;

/// The caller's language, which decides how arguments are passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// By value.
    C,
    /// `mpif.h`, `use mpi`: all by reference, the error code last.
    Fortran,
    /// `use mpi_f08`: likewise; the error argument may be absent.
    Fortran08,
    /// `use mpi_f08` with descriptors for choice buffers (TS 29113). Their layout is the compiler's, and a section with
    /// gaps becomes a datatype: the binding sorts that out and calls the C function, which is observed instead.
    Fortran08Descriptors,
}

/// An MPI function, whatever language it is called from.
pub(crate) struct Function {
    /// The name in C.
    pub(crate) name: &'static str,
    /// What the call means.
    meaning: Meaning,
    signature: &'static Signature,
    /// Whether counts and displacements are `MPI_Count`.
    large: bool,
    /// Number of arguments in C.
    arity: usize,
    /// Arguments that Fortran does not pass (the first ones: `argc`, `argv`).
    dropped: usize,
    /// Number of string arguments, whose lengths Fortran passes after all others.
    texts: usize,
    /// Whether an argument is a choice buffer.
    has_choice: bool,
    /// Observed even while nothing is recorded: it starts recording.
    always: bool,
    /// Makes the calls that Farside adds to this one, where the observer did not: recording has stopped in this process.
    added: Option<fn(&CallView)>,
}

impl Function {
    /// The function of a followed procedure; `large` for its form with large counts.
    const fn of(procedure: Procedure, name: &'static str, large: bool) -> Self {
        let signature = procedure.signature();
        let Some(meaning) = procedure.meaning() else {
            panic!("a procedure without a meaning is not hooked");
        };
        Self {
            name,
            meaning,
            signature,
            large,
            arity: signature.arity(),
            dropped: signature.dropped(),
            texts: signature.texts(),
            has_choice: signature.has_choice(),
            always: matches!(meaning, Meaning::Init),
            added: mpi::added(meaning),
        }
    }
}

/// One exported symbol.
pub(crate) struct Hook {
    pub(crate) symbol: &'static CStr,
    pub(crate) language: Language,
    pub(crate) function: &'static Function,
    /// The library's function; 0 until it was looked up.
    pub(crate) target: AtomicUsize,
    /// The call does not reach the C function, though it was expected to.
    pub(crate) alone: AtomicBool,
}

impl Hook {
    /// Whether observing is left to the C function that the library's binding calls.
    fn left_to_inner_call(&self) -> bool {
        self.language == Language::Fortran08Descriptors
            && self.function.has_choice
            && !self.alone.load(Ordering::Relaxed)
    }

    /// Argument words of this symbol.
    fn words(&self) -> usize {
        match self.language {
            Language::C => self.function.arity,
            _ => self.function.arity - self.function.dropped + 1 + self.function.texts,
        }
    }
}

thread_local! {
    /// Return address of an outer Fortran call that leaves the observing to the C call inside it.
    static OUTER_RETURN: Cell<usize> = const { Cell::new(0) };
}

/// Where all entries go. `registers` are the six argument registers, `stack` the first stack argument.
///
/// # Safety
/// Only called by [`entry`]'s code.
pub(crate) unsafe extern "C-unwind" fn dispatch(
    hook: &'static Hook,
    registers: *const [usize; 6],
    stack: *const usize,
    return_address: usize,
) -> usize {
    let count = hook.words();
    let mut words = [0; MAX_WORDS];
    // SAFETY: the entry saved six registers; the caller passed `count` words, those after the sixth on the stack.
    unsafe {
        words[..6].copy_from_slice(&*registers);
        for (i, word) in words[..count].iter_mut().enumerate().skip(6) {
            *word = *stack.add(i - 6);
        }
    }
    let observed = recorder::active() || hook.function.always;
    let added = hook.function.added.filter(|_| recorder::agreed());
    if recorder::inside_mpi() || !(observed || added.is_some()) {
        // SAFETY: the words that the caller passed.
        return unsafe { forward(hook, &words) };
    }
    let outer = OUTER_RETURN.replace(0);
    let place = if outer == 0 { return_address } else { outer };
    let mut view = CallView::new(hook, words, place);
    if hook.left_to_inner_call() {
        view.provide_error_argument();
        OUTER_RETURN.set(place);
        // SAFETY: the words that the caller passed, but for a place for the error code if the caller has none.
        let result = unsafe { forward(hook, view.words()) };
        view.set_result(result);
        if OUTER_RETURN.replace(0) != 0 {
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
        (Some(after), _) => recorder::observe(|| after(&mut view)),
        (None, Some(added)) => recorder::observe(|| added(&view)),
        (None, None) => None,
    };
    result
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
    // SAFETY: by the System V convention a callee ignores words beyond its own arguments, and the upper half of those
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

/// Finds the library's function. A program that calls one which the library lacks ends as the dynamic linker would end it.
#[cold]
fn look_up(hook: &Hook) -> usize {
    let name = hook.symbol;
    weak::clear_missing();
    match defined_elsewhere(name) {
        Some(address) => {
            hook.target.store(address, Ordering::Relaxed);
            address
        }
        None => {
            eprintln!(
                "symbol lookup error: undefined symbol: {}",
                name.to_string_lossy()
            );
            // SAFETY: ends the process without running anything else, as the dynamic linker does.
            unsafe { ::libc::_exit(127) }
        }
    }
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
