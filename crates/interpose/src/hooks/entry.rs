//! The machine code of an exported function, and the macro that makes one.

use super::dispatch;
use std::arch::naked_asm;

/// Saves the argument registers and calls [`dispatch`] with the hook (from r11), those registers, the stack arguments
/// and the return address. Has unwind information, since stacks are taken and exceptions may pass through it.
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn trampoline() {
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

/// Exports one symbol for a function.
macro_rules! export {
    ($symbol:expr, $language:expr, $function:expr) => {
        const _: () = {
            static HOOK: $crate::call::Hook = $crate::call::Hook {
                symbol: match ::std::ffi::CStr::from_bytes_with_nul(concat!($symbol, "\0").as_bytes()) {
                    Ok(symbol) => symbol,
                    Err(_) => panic!("symbol with a zero byte"),
                },
                language: $language,
                function: $function,
                target: ::std::sync::atomic::AtomicUsize::new(0),
                alone: ::std::sync::atomic::AtomicBool::new(false),
            };

            #[unsafe(export_name = $symbol)]
            #[unsafe(naked)]
            unsafe extern "C-unwind" fn entry() {
                ::std::arch::naked_asm!(
                    ".cfi_startproc",
                    "lea r11, [rip + {hook}]",
                    "jmp {trampoline}",
                    ".cfi_endproc",
                    hook = sym HOOK,
                    trampoline = sym $crate::hooks::entry::trampoline,
                )
            }
        };
    };
}

pub(crate) use export;
