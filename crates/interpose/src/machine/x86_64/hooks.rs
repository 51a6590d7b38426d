//! The exported functions of the libraries that are followed: from a caller to a dispatcher, and on to the library.

/// Argument words that are passed in registers.
pub(crate) const REGISTERS: usize = 6;
/// Words of the register of floating point numbers that are kept.
pub(crate) const FLOAT_WORDS: usize = 1;
/// An argument that is a `long double` lies on the stack, and its result in a register that nothing here uses.
pub(crate) const LONG_DOUBLE_ON_STACK: bool = true;

/// What the first register of floating point numbers holds.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Float(f64);

impl Float {
    /// Nothing in particular.
    pub(crate) const ZERO: Self = Self(0.0);

    /// What was kept of the register.
    pub(crate) fn new([low]: [usize; FLOAT_WORDS]) -> Self {
        Self(f64::from_bits(low as u64))
    }

    /// The lowest eight bytes.
    pub(crate) fn bits(self) -> u64 {
        self.0.to_bits()
    }
}

/// What a function returns: a structure of these two comes in `rax` and `xmm0`, where the results of all functions are.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Both {
    pub(crate) word: usize,
    pub(crate) float: Float,
}

type Word = usize;
type Six = unsafe extern "C-unwind" fn(Word, Word, Word, Word, Word, Word, Float) -> Both;
type Ten =
    unsafe extern "C-unwind" fn(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Float) -> Both;

/// Calls a function with these words, of which `count` are arguments (10 at most), and a floating point number.
///
/// # Safety
/// A function with such arguments lies at `address`.
pub(crate) unsafe fn call_with_float<const N: usize>(
    address: usize,
    w: &[usize; N],
    count: usize,
    float: Float,
) -> Both {
    const { assert!(N >= 10) };
    // SAFETY: by the convention a callee ignores words beyond its own arguments, registers for floating point numbers
    // that it has no argument in, and of the results the caller the one that it does not expect.
    unsafe {
        match count {
            0..=6 => std::mem::transmute::<usize, Six>(address)(w[0], w[1], w[2], w[3], w[4], w[5], float),
            _ => std::mem::transmute::<usize, Ten>(address)(
                w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], float,
            ),
        }
    }
}

/// The entry of a hook: goes on in `trampoline`, which finds `hook` in `r11`.
macro_rules! hook_entry {
    () => {
        ".cfi_startproc
         lea r11, [rip + {hook}]
         jmp {trampoline}
         .cfi_endproc"
    };
}

/// Saves the argument registers and calls `dispatch` with the hook (from `r11`), those registers, the stack arguments
/// and the return address. Has unwind information, since stacks are taken and exceptions may pass through it.
macro_rules! hook_trampoline {
    () => {
        ".cfi_startproc
         push rbp
         .cfi_def_cfa_offset 16
         .cfi_offset rbp, -16
         mov rbp, rsp
         .cfi_def_cfa_register rbp
         sub rsp, 48
         mov [rsp], rdi
         mov [rsp + 8], rsi
         mov [rsp + 16], rdx
         mov [rsp + 24], rcx
         mov [rsp + 32], r8
         mov [rsp + 40], r9
         mov rdi, r11
         mov rsi, rsp
         lea rdx, [rbp + 16]
         mov rcx, [rbp + 8]
         call {dispatch}
         leave
         .cfi_def_cfa rsp, 8
         ret
         .cfi_endproc"
    };
}

/// As [`hook_trampoline`], with the first register of floating point numbers after those of words; `dispatch` gives
/// [`Both`].
macro_rules! hook_trampoline_with_float {
    () => {
        ".cfi_startproc
         push rbp
         .cfi_def_cfa_offset 16
         .cfi_offset rbp, -16
         mov rbp, rsp
         .cfi_def_cfa_register rbp
         sub rsp, 64
         mov [rsp], rdi
         mov [rsp + 8], rsi
         mov [rsp + 16], rdx
         mov [rsp + 24], rcx
         mov [rsp + 32], r8
         mov [rsp + 40], r9
         movsd [rsp + 48], xmm0
         mov rdi, r11
         mov rsi, rsp
         lea rdx, [rbp + 16]
         mov rcx, [rbp + 8]
         call {dispatch}
         leave
         .cfi_def_cfa rsp, 8
         ret
         .cfi_endproc"
    };
}

/// Calls `answer` with both arguments and the return address; returns what it gives, or jumps to the function that
/// `real` points to if that is null. Null, too, if nobody knows that function.
macro_rules! answer_or_go_on {
    () => {
        ".cfi_startproc
         push rdi
         .cfi_adjust_cfa_offset 8
         push rsi
         .cfi_adjust_cfa_offset 8
         sub rsp, 8
         .cfi_adjust_cfa_offset 8
         mov rdx, [rsp + 24]
         call {answer}
         add rsp, 8
         .cfi_adjust_cfa_offset -8
         pop rsi
         .cfi_adjust_cfa_offset -8
         pop rdi
         .cfi_adjust_cfa_offset -8
         test rax, rax
         jne 2f
         mov rax, qword ptr [rip + {real}]
         test rax, rax
         je 2f
         jmp rax
      2: ret
         .cfi_endproc"
    };
}

pub(crate) use {answer_or_go_on, hook_entry, hook_trampoline, hook_trampoline_with_float};
