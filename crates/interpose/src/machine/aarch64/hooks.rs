//! The exported functions of the libraries that are followed: from a caller to a dispatcher, and on to the library.

use std::arch::naked_asm;

/// Argument words that are passed in registers.
pub(crate) const REGISTERS: usize = 8;
/// Words of the register of floating point numbers that are kept: all of it, for a `long double` has 16 bytes.
pub(crate) const FLOAT_WORDS: usize = 2;
/// A `long double` is passed, and comes back, in the register of other floating point numbers.
pub(crate) const LONG_DOUBLE_ON_STACK: bool = false;

/// What the first register of floating point numbers holds.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Float([usize; FLOAT_WORDS]);

impl Float {
    /// Nothing in particular.
    pub(crate) const ZERO: Self = Self([0; FLOAT_WORDS]);

    /// What was kept of the register.
    pub(crate) fn new(words: [usize; FLOAT_WORDS]) -> Self {
        Self(words)
    }

    /// The lowest eight bytes.
    pub(crate) fn bits(self) -> u64 {
        self.0[0] as u64
    }
}

/// What a function returns: a word in `x0`, or a floating point number in `q0`. As a structure of three words it comes
/// in memory that the caller names in `x8`, from where [`hook_trampoline_with_float`] takes both.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Both {
    pub(crate) word: usize,
    pub(crate) float: Float,
}

const _: () = assert!(size_of::<Both>() == 24);

/// Calls a function with these words, of which `count` are arguments (12 at most), and a floating point number.
///
/// # Safety
/// A function with such arguments lies at `address`.
pub(crate) unsafe fn call_with_float<const N: usize>(
    address: usize,
    words: &[usize; N],
    count: usize,
    float: Float,
) -> Both {
    const { assert!(N >= WORDS) };
    debug_assert!(count <= WORDS);
    // SAFETY: by the convention a callee ignores words beyond its own arguments, a register for floating point numbers
    // that it has no argument in, and the caller of the results the one that it does not expect.
    unsafe { call(address, words.as_ptr(), &raw const float) }
}

/// Argument words that [`call`] passes.
const WORDS: usize = 12;

/// Puts the words where arguments are (8 in registers, 4 on the stack), the float into `q0`, and calls.
#[unsafe(naked)]
unsafe extern "C-unwind" fn call(_address: usize, _words: *const usize, _float: *const Float) -> Both {
    naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, -32]!",
        ".cfi_def_cfa_offset 32",
        ".cfi_offset 29, -32",
        ".cfi_offset 30, -24",
        "mov x29, sp",
        ".cfi_def_cfa 29, 32",
        "str x19, [sp, 16]",
        ".cfi_offset 19, -16",
        "mov x19, x8",
        "mov x16, x0",
        "mov x17, x1",
        "ldr q0, [x2]",
        "ldp x0, x1, [x17, 64]",
        "ldp x2, x3, [x17, 80]",
        "stp x2, x3, [sp, -16]!",
        "stp x0, x1, [sp, -16]!",
        "ldp x0, x1, [x17]",
        "ldp x2, x3, [x17, 16]",
        "ldp x4, x5, [x17, 32]",
        "ldp x6, x7, [x17, 48]",
        "blr x16",
        "str x0, [x19]",
        "stur q0, [x19, 8]",
        "mov sp, x29",
        "ldr x19, [sp, 16]",
        ".cfi_restore 19",
        "ldp x29, x30, [sp], 32",
        ".cfi_restore 30",
        ".cfi_restore 29",
        ".cfi_def_cfa 31, 0",
        "ret",
        ".cfi_endproc",
    )
}

/// The entry of a hook: goes on in `trampoline`, which finds `hook` in `x16`.
macro_rules! hook_entry {
    () => {
        ".cfi_startproc
         adrp x16, {hook}
         add x16, x16, :lo12:{hook}
         b {trampoline}
         .cfi_endproc"
    };
}

/// Saves the argument registers and calls `dispatch` with the hook (from `x16`), those registers, the stack arguments
/// and the return address. Has unwind information, since stacks are taken and exceptions may pass through it.
macro_rules! hook_trampoline {
    () => {
        concat!(
            ".cfi_startproc
            ",
            $crate::machine::aarch64::frame::enter!(80),
            $crate::machine::aarch64::frame::store_words!(),
            "mov x0, x16
             add x1, sp, 16
             add x2, sp, 80
             mov x3, x30
             bl {dispatch}
            ",
            $crate::machine::aarch64::frame::leave!(80),
            "ret
             .cfi_endproc"
        )
    };
}

/// As [`hook_trampoline`], with the first register of floating point numbers after those of words; `dispatch` gives
/// [`Both`].
macro_rules! hook_trampoline_with_float {
    () => {
        concat!(
            ".cfi_startproc
            ",
            $crate::machine::aarch64::frame::enter!(128),
            $crate::machine::aarch64::frame::store_words!(),
            "str q0, [sp, 80]
             mov x0, x16
             add x1, sp, 16
             add x2, sp, 128
             mov x3, x30
             add x8, sp, 96
             bl {dispatch}
             ldr x0, [sp, 96]
             ldur q0, [sp, 104]
            ",
            $crate::machine::aarch64::frame::leave!(128),
            "ret
             .cfi_endproc"
        )
    };
}

/// Calls `answer` with both arguments and the return address; returns what it gives, or jumps to the function that
/// `real` points to if that is null. Null, too, if nobody knows that function.
macro_rules! answer_or_go_on {
    () => {
        concat!(
            ".cfi_startproc
            ",
            $crate::machine::aarch64::frame::enter!(32),
            "stp x0, x1, [sp, 16]
             mov x2, x30
             bl {answer}
             mov x17, x0
             ldp x0, x1, [sp, 16]
            ",
            $crate::machine::aarch64::frame::leave!(32),
            "cbnz x17, 2f
             adrp x16, {real}
             add x16, x16, :lo12:{real}
             ldr x17, [x16]
             cbz x17, 2f
             br x17
          2: mov x0, x17
             ret
             .cfi_endproc"
        )
    };
}

pub(crate) use {answer_or_go_on, hook_entry, hook_trampoline, hook_trampoline_with_float};
