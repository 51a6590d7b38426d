//! Exported names that show their arguments to an observer and then jump to the real function.

/// The integer arguments of a call, in order.
pub(super) type Arguments = [u64; 6];

/// `name => observer, first;`: exports `name`, whose observer is `unsafe extern "C" fn(&Arguments, usize)` (the
/// arguments and the return address), and which calls `first` until the real function is known.
macro_rules! observed {
    ($($name:ident => $observer:path, $first:path;)*) => {$(
        const _: () = {
            static REAL: crate::libc::forward::Real =
                crate::libc::forward::Real::new(concat!(stringify!($name), "\0"), $first as *const () as *mut _);

            #[unsafe(link_section = ".init_array")]
            #[used]
            static FIND: extern "C" fn() = {
                extern "C" fn find() {
                    REAL.find();
                }
                find
            };

            #[unsafe(naked)]
            #[cfg_attr(not(test), unsafe(no_mangle))]
            extern "C" fn $name() {
                std::arch::naked_asm!(
                    ".cfi_startproc",
                    "cmp byte ptr [rip + {observing}], 0",
                    "jne 2f",
                    "lea r11, [rip + {real}]",
                    "jmp qword ptr [rip + {real}]",
                    "2:",
                    // What an MPI library does for itself is not looked at.
                    "mov r11, qword ptr [rip + farside_slots@GOTTPOFF]",
                    "cmp dword ptr fs:[r11 + {depth}], 0",
                    "jne 3f",
                    // This library's own calls, of which recording makes many, are nobody's accesses.
                    "mov r11, qword ptr [rsp]",
                    "sub r11, qword ptr [rip + {own}]",
                    "cmp r11, qword ptr [rip + {own} + 8]",
                    "jb 3f",
                    "push r9",
                    "push r8",
                    "push rcx",
                    "push rdx",
                    "push rsi",
                    "push rdi",
                    "sub rsp, 8",
                    ".cfi_adjust_cfa_offset 56",
                    "lea rdi, [rsp + 8]",
                    "mov rsi, qword ptr [rsp + 56]",
                    "call {observer}",
                    "add rsp, 8",
                    "pop rdi",
                    "pop rsi",
                    "pop rdx",
                    "pop rcx",
                    "pop r8",
                    "pop r9",
                    ".cfi_adjust_cfa_offset -56",
                    "3:",
                    "lea r11, [rip + {real}]",
                    "jmp qword ptr [rip + {real}]",
                    ".cfi_endproc",
                    observing = sym crate::memory::OBSERVING,
                    own = sym crate::libc::caller::OWN_CODE,
                    depth = const crate::memory::slots::offset::DEPTH,
                    real = sym REAL,
                    observer = sym $observer,
                )
            }
        };
    )*};
}
pub(super) use observed;

/// As [`observed`], for functions with variable arguments; the observer is
/// `unsafe extern "C" fn(&RegisterArea, *const u64, usize)`: registers, arguments on the stack, return address.
macro_rules! observed_variadic {
    ($($name:ident => $observer:path;)*) => {$(
        const _: () = {
            static REAL: crate::libc::forward::Real = crate::libc::forward::Real::new(
                concat!(stringify!($name), "\0"),
                crate::libc::forward::find_first as *const () as *mut _,
            );

            #[unsafe(naked)]
            #[cfg_attr(not(test), unsafe(no_mangle))]
            extern "C" fn $name() {
                std::arch::naked_asm!(
                    ".cfi_startproc",
                    "cmp byte ptr [rip + {observing}], 0",
                    "jne 2f",
                    "lea r11, [rip + {real}]",
                    "jmp qword ptr [rip + {real}]",
                    "2:",
                    "sub rsp, 200",
                    ".cfi_adjust_cfa_offset 200",
                    crate::libc::registers::save_registers!(),
                    "mov qword ptr [rsp + 176], rax",
                    "mov rdi, rsp",
                    "lea rsi, [rsp + 208]",
                    "mov rdx, qword ptr [rsp + 200]",
                    "call {observer}",
                    "mov rax, qword ptr [rsp + 176]",
                    crate::libc::registers::restore_registers!(),
                    "add rsp, 200",
                    ".cfi_adjust_cfa_offset -200",
                    "lea r11, [rip + {real}]",
                    "jmp qword ptr [rip + {real}]",
                    ".cfi_endproc",
                    observing = sym crate::memory::OBSERVING,
                    real = sym REAL,
                    observer = sym $observer,
                )
            }
        };
    )*};
}
pub(super) use observed_variadic;

/// `name => replacement;`: exports `name` with variable arguments, which `replacement`
/// (`unsafe extern "C" fn(&RegisterArea, *const u64, usize) -> i32`) performs.
macro_rules! replaced_variadic {
    ($($name:ident => $replacement:path;)*) => {$(
        #[unsafe(naked)]
        #[cfg_attr(not(test), unsafe(no_mangle))]
        extern "C" fn $name() {
            std::arch::naked_asm!(
                ".cfi_startproc",
                "sub rsp, 200",
                ".cfi_adjust_cfa_offset 200",
                crate::libc::registers::save_registers!(),
                "mov rdi, rsp",
                "lea rsi, [rsp + 208]",
                "mov rdx, qword ptr [rsp + 200]",
                "call {replacement}",
                "add rsp, 200",
                ".cfi_adjust_cfa_offset -200",
                "ret",
                ".cfi_endproc",
                replacement = sym $replacement,
            )
        }
    )*};
}
pub(super) use replaced_variadic;

/// `name, register => replacement;`: exports `name`, which `replacement` performs; it receives the return address as
/// one more argument, in `register`.
macro_rules! replaced {
    ($($name:ident, $register:literal => $replacement:path;)*) => {$(
        #[unsafe(naked)]
        #[cfg_attr(not(test), unsafe(no_mangle))]
        extern "C" fn $name() {
            std::arch::naked_asm!(
                concat!("mov ", $register, ", qword ptr [rsp]"),
                "jmp {replacement}",
                replacement = sym $replacement,
            )
        }
    )*};
}
pub(super) use replaced;
