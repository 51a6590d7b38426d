//! The exported functions of OpenSHMEM: from a caller to one observer, and on to the library.
//!
//! As the `MPI_*` functions ([`super`]), with one difference: an argument, or the result, may be in a floating point
//! register. All of them have one such argument at most, which is the first of its kind: it is forwarded in its
//! register, and the result in both. A `long double` lies on the stack when it is an argument, and its result stays in
//! the register of the coprocessor, which nothing here uses.

use crate::call::MAX_WORDS;
use crate::guard::Inside;
use crate::recorder::{self, MpiGuard};
use crate::shmem::{self, Both, Call};
use farside_calls::shmem::{
    Atomic, Class, Collective, Element, Function, Meaning, Members, Returns, Strided, Which,
};
use std::arch::naked_asm;
use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One exported function.
pub(crate) struct Hook {
    symbol: &'static CStr,
    function: Function,
    /// The library's function; 0 until it was looked up.
    target: AtomicUsize,
}

impl Hook {
    /// Machine words that the library gets: those of a `long double` are on the stack, after six that are not used.
    fn words(&self) -> usize {
        match (self.function.meaning(), self.function.element()) {
            (
                Meaning::PutValue,
                Element {
                    size: 16,
                    class: Class::Float,
                },
            ) => 8,
            _ => self.function.words(),
        }
    }
}

/// Where all entries go. `registers` are the six argument registers and the first one for floating point numbers,
/// `stack` the first stack argument.
///
/// # Safety
/// Only called by [`trampoline`].
unsafe extern "C-unwind" fn dispatch(
    hook: &'static Hook,
    registers: *const [usize; 7],
    stack: *const usize,
    return_address: usize,
) -> Both {
    let mut words = [0; MAX_WORDS];
    // SAFETY: the entry saved seven registers; the caller passed so many words, those after the sixth on the stack.
    let float = unsafe {
        words[..6].copy_from_slice(&(&*registers)[..6]);
        for (i, word) in words[..hook.words()].iter_mut().enumerate().skip(6) {
            *word = *stack.add(i - 6);
        }
        f64::from_bits((*registers)[6] as u64)
    };
    let starts = matches!(hook.function.meaning(), Meaning::Init);
    if recorder::inside_mpi() {
        // SAFETY: the words that the caller passed.
        return unsafe { forward(hook, &words, float) };
    }
    if !(recorder::active() || starts) {
        unrecorded(hook, return_address);
        // SAFETY: the words that the caller passed.
        return unsafe { forward(hook, &words, float) };
    }
    let _inside = Inside::enter();
    let call = Call::new(&hook.function, words, float, return_address);
    let after = recorder::observe(|| shmem::observe(&call)).flatten();
    let result = {
        let _guard = MpiGuard::enter();
        // SAFETY: the words that the caller passed.
        unsafe { forward(hook, &words, float) }
    };
    if let Some(after) = after {
        recorder::observe(|| after(&call, result));
    }
    result
}

/// A call that is made while nothing is recorded: it may be one that must not be made then.
#[cold]
fn unrecorded(hook: &'static Hook, return_address: usize) {
    let call = Call::new(&hook.function, [0; MAX_WORDS], 0.0, return_address);
    recorder::observe(|| shmem::unrecorded(&call));
}

type Word = usize;
type Six = unsafe extern "C-unwind" fn(Word, Word, Word, Word, Word, Word, f64) -> Both;
type Ten =
    unsafe extern "C-unwind" fn(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, f64) -> Both;

/// Calls the library.
///
/// # Safety
/// The arguments must be those of the hooked function.
unsafe fn forward(hook: &Hook, words: &[usize; MAX_WORDS], float: f64) -> Both {
    let address = match hook.target.load(Ordering::Relaxed) {
        0 => look_up(hook),
        address => address,
    };
    let w = words;
    // SAFETY: by the System V convention a callee ignores words beyond its own arguments, registers for floating point
    // numbers that it has no argument in, and of the results the caller the one that it does not expect.
    unsafe {
        match hook.words() {
            0..=6 => std::mem::transmute::<usize, Six>(address)(w[0], w[1], w[2], w[3], w[4], w[5], float),
            _ => std::mem::transmute::<usize, Ten>(address)(
                w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], float,
            ),
        }
    }
}

/// Finds the library's function.
#[cold]
fn look_up(hook: &Hook) -> usize {
    let address = super::library_function(hook.symbol);
    hook.target.store(address, Ordering::Relaxed);
    address
}

/// Saves the argument registers and calls [`dispatch`] with the hook (from r11), those registers, the stack arguments
/// and the return address. Has unwind information, since stacks are taken and exceptions may pass through it.
#[unsafe(naked)]
unsafe extern "C-unwind" fn trampoline() {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "sub rsp, 64",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "movsd [rsp + 48], xmm0",
        "mov rdi, r11",
        "mov rsi, rsp",
        "lea rdx, [rbp + 16]",
        "mov rcx, [rbp + 8]",
        "call {dispatch}",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        dispatch = sym dispatch,
    );
}

/// Exports a function of the table.
macro_rules! export {
    ($name:expr, $meaning:expr, $size:expr, $class:ident, $context:expr, $words:expr) => {
        const _: () = {
            static HOOK: Hook = Hook {
                symbol: match CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                    Ok(symbol) => symbol,
                    Err(_) => panic!("symbol with a zero byte"),
                },
                function: Function::new(
                    $name,
                    $meaning,
                    Element {
                        size: $size,
                        class: Class::$class,
                    },
                    $context,
                    $words,
                ),
                target: AtomicUsize::new(0),
            };

            #[unsafe(export_name = $name)]
            #[unsafe(naked)]
            unsafe extern "C-unwind" fn entry() {
                naked_asm!(
                    ".cfi_startproc",
                    "lea r11, [rip + {hook}]",
                    "jmp {trampoline}",
                    ".cfi_endproc",
                    hook = sym HOOK,
                    trampoline = sym trampoline,
                )
            }
        };
    };
}

farside_calls::functions_of_openshmem!(export);
