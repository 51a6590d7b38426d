//! The exported functions of GASPI: from a caller to one observer, and on to the library.
//!
//! As the `MPI_*` functions ([`super`]): the same few instructions save the argument registers. All arguments are
//! words, of which the upper bits may say nothing; they are forwarded as they came.
//!
//! The library's own calls have names that begin with `pgaspi_` (in GPI-2 and here), and so come by no hook.

use crate::call::MAX_WORDS;
use crate::gaspi::{self, Call};
use crate::guard::Inside;
use crate::machine;
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

/// Where all entries go. `registers` are the argument registers, `stack` the first stack argument.
///
/// # Safety
/// Only called by [`trampoline`].
unsafe extern "C-unwind" fn dispatch(
    hook: &'static Hook,
    registers: *const [usize; machine::REGISTERS],
    stack: *const usize,
    return_address: usize,
) -> usize {
    let mut words = [0; MAX_WORDS];
    // SAFETY: the entry saved the registers; the caller passed so many words, those that have none on the stack.
    unsafe {
        words[..machine::REGISTERS].copy_from_slice(&*registers);
        for (i, word) in words[..hook.function.words()]
            .iter_mut()
            .enumerate()
            .skip(machine::REGISTERS)
        {
            *word = *stack.add(i - machine::REGISTERS);
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
    // SAFETY: by the calling convention a callee ignores words beyond its own arguments.
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

/// Saves the argument registers and calls [`dispatch`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn trampoline() {
    naked_asm!(machine::hook_trampoline!(), dispatch = sym dispatch);
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
                    machine::hook_entry!(),
                    hook = sym HOOK,
                    trampoline = sym trampoline,
                )
            }
        };
    };
}

farside_calls::followed_functions_of_gaspi!(export);
