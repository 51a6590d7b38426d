//! The machine code of an exported function, and the macro that makes one.

use super::dispatch;
use crate::machine;
use std::arch::naked_asm;

/// Saves the argument registers and calls [`dispatch`].
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn trampoline() {
    naked_asm!(machine::hook_trampoline!(), dispatch = sym dispatch);
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
                    $crate::machine::hook_entry!(),
                    hook = sym HOOK,
                    trampoline = sym $crate::hooks::entry::trampoline,
                )
            }
        };
    };
}

pub(crate) use export;
