//! What depends on the processor: machine code of exported functions, where arguments lie, and the calling thread's
//! pointer. A port of this library is one file here (and the guard, which decodes instructions, for x86-64 only).
//!
//! Both files define the same names. Macros give the text of assembly with the same places to fill in, so that who
//! uses one names its symbols and constants, and no register. What they rely on:
//!
//! | | x86-64 (System V ABI) | aarch64 (AAPCS64) |
//! |---|---|---|
//! | arguments that are words | `rdi`, `rsi`, `rdx`, `rcx`, `r8`, `r9`, then the stack | `x0` to `x7`, then the stack |
//! | the return address | at `rsp` | in `x30` |
//! | free at the entry of a function | `rax`, `r10`, `r11` | `x9` to `x17` |
//! | order of two loads | as they stand | none: the first is a load that acquires |

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::*;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::*;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!(
    "farside checks programs on x86-64 and aarch64; another processor needs a file in interpose/src/machine"
);
