//! The exported functions of GASPI: from a caller to one observer, and on to the library.
//!
//! As the `MPI_*` functions ([`super`]): the same few instructions save the argument registers. All arguments are
//! words, of which the upper bits may say nothing; they are forwarded as they came.
//!
//! The library's own calls have names that begin with `pgaspi_` (in GPI-2 and here), and so come by no hook.

use crate::call::MAX_WORDS;
use crate::gaspi::{self, Call};
use crate::guard::Inside;
use crate::recorder::{self, MpiGuard};
use farside_calls::gaspi::width::{GROUP, NUMBER, QUEUE, RANK, SEGMENT, WORD};
use farside_calls::gaspi::{Collective, Direction, Function, Meaning, Memory, Notifies};
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

/// Where all entries go. `registers` are the six argument registers, `stack` the first stack argument.
///
/// # Safety
/// Only called by [`trampoline`].
unsafe extern "C-unwind" fn dispatch(
    hook: &'static Hook,
    registers: *const [usize; 6],
    stack: *const usize,
    return_address: usize,
) -> usize {
    let mut words = [0; MAX_WORDS];
    // SAFETY: the entry saved six registers; the caller passed so many words, those after the sixth on the stack.
    unsafe {
        words[..6].copy_from_slice(&*registers);
        for (i, word) in words[..hook.function.words()].iter_mut().enumerate().skip(6) {
            *word = *stack.add(i - 6);
        }
    }
    if recorder::inside_mpi() || !(recorder::active() || gaspi::looks_at_all(&hook.function)) {
        // SAFETY: the words that the caller passed.
        return unsafe { forward(hook, &words) };
    }
    let _inside = Inside::enter();
    let call = Call::new(&hook.function, words, return_address);
    let after = recorder::observe(|| gaspi::observe(&call)).flatten();
    let result = {
        let _guard = MpiGuard::enter();
        // SAFETY: the words that the caller passed.
        unsafe { forward(hook, &words) }
    };
    // An enumeration.
    let code = result as u32 as i32;
    recorder::observe(|| gaspi::returned(&call, code, after));
    result
}

type Word = usize;
type Six = unsafe extern "C-unwind" fn(Word, Word, Word, Word, Word, Word) -> Word;
#[rustfmt::skip]
type Twelve = unsafe extern "C-unwind" fn(
    Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
) -> Word;

/// Calls the library.
///
/// # Safety
/// The words must be arguments of the hooked function.
unsafe fn forward(hook: &Hook, words: &[usize; MAX_WORDS]) -> usize {
    let address = match hook.target.load(Ordering::Relaxed) {
        0 => look_up(hook),
        address => address,
    };
    let w = words;
    // SAFETY: by the System V convention a callee ignores words beyond its own arguments.
    unsafe {
        match hook.function.words() {
            0..=6 => std::mem::transmute::<usize, Six>(address)(w[0], w[1], w[2], w[3], w[4], w[5]),
            _ => std::mem::transmute::<usize, Twelve>(address)(
                w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11],
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
        "sub rsp, 48",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
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
    ($name:expr, $meaning:expr, [$($width:expr),*], [$($how:expr),*]) => {
        const _: () = {
            static HOOK: Hook = Hook {
                symbol: match CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                    Ok(symbol) => symbol,
                    Err(_) => panic!("symbol with a zero byte"),
                },
                function: Function::new($name, $meaning, &[$($width),*], &[$($how),*]),
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

farside_calls::followed_functions_of_gaspi!(export);
