//! The exported functions of OpenSHMEM: from a caller to one observer, and on to the library.
//!
//! As the `MPI_*` functions ([`super`]), with one difference: an argument, or the result, may be in a floating point
//! register. All of them have one such argument at most, which is the first of its kind: it is forwarded in its
//! register, and the result in both. Where a `long double` has other places, see [`crate::machine`].

use crate::call::MAX_WORDS;
use crate::guard::Inside;
use crate::machine::{self, Both, Float};
use crate::recorder::{self, MpiGuard};
use crate::shmem::{self, Call};
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
    /// Machine words that the library gets: those of a `long double` may be on the stack, after registers that are not
    /// used.
    fn words(&self) -> usize {
        match (self.function.meaning(), self.function.element()) {
            (
                Meaning::PutValue,
                Element {
                    size: 16,
                    class: Class::Float,
                },
            ) if machine::LONG_DOUBLE_ON_STACK => machine::REGISTERS + 2,
            _ => self.function.words(),
        }
    }
}

/// Words of registers that an entry keeps.
const KEPT: usize = machine::REGISTERS + machine::FLOAT_WORDS;

/// Where all entries go. `registers` are the argument registers and the first one for floating point numbers,
/// `stack` the first stack argument.
///
/// # Safety
/// Only called by [`trampoline`].
unsafe extern "C-unwind" fn dispatch(
    hook: &'static Hook,
    registers: *const [usize; KEPT],
    stack: *const usize,
    return_address: usize,
) -> Both {
    let mut words = [0; MAX_WORDS];
    // SAFETY: the entry saved the registers; the caller passed so many words, those that have none on the stack.
    let float = unsafe {
        let (of_words, of_float) = (&*registers).split_at(machine::REGISTERS);
        words[..machine::REGISTERS].copy_from_slice(of_words);
        for (i, word) in words[..hook.words()]
            .iter_mut()
            .enumerate()
            .skip(machine::REGISTERS)
        {
            *word = *stack.add(i - machine::REGISTERS);
        }
        Float::new(of_float.try_into().unwrap_or_default())
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
    let call = Call::new(&hook.function, [0; MAX_WORDS], Float::ZERO, return_address);
    recorder::observe(|| shmem::unrecorded(&call));
}

/// Calls the library.
///
/// # Safety
/// The arguments must be those of the hooked function.
unsafe fn forward(hook: &Hook, words: &[usize; MAX_WORDS], float: Float) -> Both {
    let address = match hook.target.load(Ordering::Relaxed) {
        0 => look_up(hook),
        address => address,
    };
    // SAFETY: by the caller's contract.
    unsafe { machine::call_with_float(address, words, hook.words(), float) }
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
    naked_asm!(machine::hook_trampoline_with_float!(), dispatch = sym dispatch);
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
                    machine::hook_entry!(),
                    hook = sym HOOK,
                    trampoline = sym trampoline,
                )
            }
        };
    };
}

farside_calls::functions_of_openshmem!(export);
