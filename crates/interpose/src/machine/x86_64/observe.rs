//! The functions of the C library: an observer looks at the arguments before, or in the place of, the real function.

/// The register arguments of a variadic call: six integer registers, eight vector registers (System V ABI 3.5.7).
#[repr(C, align(16))]
pub(crate) struct RegisterArea([u64; 22]);

impl RegisterArea {
    /// The `index`-th integer argument.
    pub(crate) fn integer(&self, index: usize) -> u64 {
        self.0[index]
    }
}

/// `va_list`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct VaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow: *const u64,
    registers: *const RegisterArea,
}

impl VaList {
    /// The arguments after `named` integer arguments.
    pub(crate) fn after(named: u32, registers: &RegisterArea, overflow: *const u64) -> Self {
        Self {
            gp_offset: named * 8,
            fp_offset: 48,
            overflow,
            registers,
        }
    }

    /// The next integer or pointer.
    ///
    /// # Safety
    /// There is one.
    pub(crate) unsafe fn integer(&mut self) -> u64 {
        // SAFETY: The caller's promise, and the layout of the ABI.
        unsafe {
            if self.gp_offset < 48 {
                let value = *self
                    .registers
                    .cast::<u8>()
                    .add(self.gp_offset as usize)
                    .cast::<u64>();
                self.gp_offset += 8;
                value
            } else {
                self.overflow()
            }
        }
    }

    unsafe fn overflow(&mut self) -> u64 {
        // SAFETY: There is one: see the callers.
        unsafe {
            let value = *self.overflow;
            self.overflow = self.overflow.add(1);
            value
        }
    }

    /// Skips a floating-point argument.
    ///
    /// # Safety
    /// There is one.
    pub(crate) unsafe fn skip_float(&mut self, long_double: bool) {
        // SAFETY: The caller's promise, and the layout of the ABI: `long double` lies on the stack, at a multiple of
        // 16.
        unsafe {
            if long_double {
                self.overflow = self.overflow.byte_add(self.overflow.align_offset(16) * 8).add(2);
            } else if self.fp_offset < 176 {
                self.fp_offset += 16;
            } else {
                self.overflow();
            }
        }
    }
}

/// Stores the argument registers at `rsp` as a [`RegisterArea`].
macro_rules! save_registers {
    () => {
        "mov qword ptr [rsp], rdi
         mov qword ptr [rsp + 8], rsi
         mov qword ptr [rsp + 16], rdx
         mov qword ptr [rsp + 24], rcx
         mov qword ptr [rsp + 32], r8
         mov qword ptr [rsp + 40], r9
         test al, al
         je 3f
         movaps xmmword ptr [rsp + 48], xmm0
         movaps xmmword ptr [rsp + 64], xmm1
         movaps xmmword ptr [rsp + 80], xmm2
         movaps xmmword ptr [rsp + 96], xmm3
         movaps xmmword ptr [rsp + 112], xmm4
         movaps xmmword ptr [rsp + 128], xmm5
         movaps xmmword ptr [rsp + 144], xmm6
         movaps xmmword ptr [rsp + 160], xmm7
      3:
"
    };
}

/// The reverse of [`save_registers`].
macro_rules! restore_registers {
    () => {
        "mov rdi, qword ptr [rsp]
         mov rsi, qword ptr [rsp + 8]
         mov rdx, qword ptr [rsp + 16]
         mov rcx, qword ptr [rsp + 24]
         mov r8, qword ptr [rsp + 32]
         mov r9, qword ptr [rsp + 40]
         test al, al
         je 4f
         movaps xmm0, xmmword ptr [rsp + 48]
         movaps xmm1, xmmword ptr [rsp + 64]
         movaps xmm2, xmmword ptr [rsp + 80]
         movaps xmm3, xmmword ptr [rsp + 96]
         movaps xmm4, xmmword ptr [rsp + 112]
         movaps xmm5, xmmword ptr [rsp + 128]
         movaps xmm6, xmmword ptr [rsp + 144]
         movaps xmm7, xmmword ptr [rsp + 160]
      4:
"
    };
}

/// Shows `observer` the integer arguments and the return address, where `observing` says so, and jumps to the function
/// that `real` points to, which finds `real` in `r11`. What an MPI library does for itself (`depth`) is not looked at;
/// nor are this library's own calls (`own`), of which recording makes many: they are nobody's accesses.
macro_rules! observe {
    () => {
        ".cfi_startproc
         cmp byte ptr [rip + {observing}], 0
         jne 2f
         lea r11, [rip + {real}]
         jmp qword ptr [rip + {real}]
      2: mov r11, qword ptr [rip + farside_slots@GOTTPOFF]
         cmp dword ptr fs:[r11 + {depth}], 0
         jne 3f
         mov r11, qword ptr [rsp]
         sub r11, qword ptr [rip + {own}]
         cmp r11, qword ptr [rip + {own} + 8]
         jb 3f
         push r9
         push r8
         push rcx
         push rdx
         push rsi
         push rdi
         sub rsp, 8
         .cfi_adjust_cfa_offset 56
         lea rdi, [rsp + 8]
         mov rsi, qword ptr [rsp + 56]
         call {observer}
         add rsp, 8
         pop rdi
         pop rsi
         pop rdx
         pop rcx
         pop r8
         pop r9
         .cfi_adjust_cfa_offset -56
      3: lea r11, [rip + {real}]
         jmp qword ptr [rip + {real}]
         .cfi_endproc"
    };
}

/// As [`observe`], of a function that calls nothing of the program and has its arguments in registers: where `observer`
/// has asked for it (`held`), the function is called, and `let_go` after it.
macro_rules! observe_leaf {
    () => {
        ".cfi_startproc
         cmp byte ptr [rip + {observing}], 0
         jne 2f
         lea r11, [rip + {real}]
         jmp qword ptr [rip + {real}]
      2: mov r11, qword ptr [rip + farside_slots@GOTTPOFF]
         cmp dword ptr fs:[r11 + {depth}], 0
         jne 3f
         mov r11, qword ptr [rsp]
         sub r11, qword ptr [rip + {own}]
         cmp r11, qword ptr [rip + {own} + 8]
         jb 3f
         push r9
         push r8
         push rcx
         push rdx
         push rsi
         push rdi
         sub rsp, 8
         .cfi_adjust_cfa_offset 56
         mov r11, qword ptr [rip + farside_slots@GOTTPOFF]
         mov dword ptr fs:[r11 + {held}], {may_hold}
         lea rdi, [rsp + 8]
         mov rsi, qword ptr [rsp + 56]
         call {observer}
         add rsp, 8
         pop rdi
         pop rsi
         pop rdx
         pop rcx
         pop r8
         pop r9
         .cfi_adjust_cfa_offset -56
         mov r11, qword ptr [rip + farside_slots@GOTTPOFF]
         cmp dword ptr fs:[r11 + {held}], {may_hold}
         jg 4f
         mov dword ptr fs:[r11 + {held}], 0
      3: lea r11, [rip + {real}]
         jmp qword ptr [rip + {real}]
      4: sub rsp, 24
         .cfi_adjust_cfa_offset 24
         lea r11, [rip + {real}]
         call qword ptr [rip + {real}]
         mov qword ptr [rsp], rax
         call {let_go}
         mov rax, qword ptr [rsp]
         add rsp, 24
         .cfi_adjust_cfa_offset -24
         ret
         .cfi_endproc"
    };
}

/// As [`observe`], of a function with variable arguments.
macro_rules! observe_variadic {
    () => {
        concat!(
            ".cfi_startproc
             cmp byte ptr [rip + {observing}], 0
             jne 2f
             lea r11, [rip + {real}]
             jmp qword ptr [rip + {real}]
          2: sub rsp, 200
             .cfi_adjust_cfa_offset 200
             ",
            $crate::machine::x86_64::observe::save_registers!(),
            "mov qword ptr [rsp + 176], rax
             mov rdi, rsp
             lea rsi, [rsp + 208]
             mov rdx, qword ptr [rsp + 200]
             call {observer}
             mov rax, qword ptr [rsp + 176]
             ",
            $crate::machine::x86_64::observe::restore_registers!(),
            "add rsp, 200
             .cfi_adjust_cfa_offset -200
             lea r11, [rip + {real}]
             jmp qword ptr [rip + {real}]
             .cfi_endproc"
        )
    };
}

/// Calls `replacement` in the place of a function with variable arguments.
macro_rules! replace_variadic {
    () => {
        concat!(
            ".cfi_startproc
             sub rsp, 200
             .cfi_adjust_cfa_offset 200
             ",
            $crate::machine::x86_64::observe::save_registers!(),
            "mov rdi, rsp
             lea rsi, [rsp + 208]
             mov rdx, qword ptr [rsp + 200]
             call {replacement}
             add rsp, 200
             .cfi_adjust_cfa_offset -200
             ret
             .cfi_endproc"
        )
    };
}

/// Calls `seen` with the return address as a seventh argument.
macro_rules! return_address_to_seventh {
    () => {
        ".cfi_startproc
         mov rax, qword ptr [rsp]
         push rax
         .cfi_adjust_cfa_offset 8
         call {seen}
         add rsp, 8
         .cfi_adjust_cfa_offset -8
         ret
         .cfi_endproc"
    };
}

/// Calls `find` with what `r11` points to, then jumps to the function that it points to, with all arguments in place.
macro_rules! find_and_go_on {
    () => {
        concat!(
            ".cfi_startproc
             sub rsp, 200
             .cfi_adjust_cfa_offset 200
             mov qword ptr [rsp + 184], rax
             mov qword ptr [rsp + 192], r11
             mov eax, 1
             ",
            $crate::machine::x86_64::observe::save_registers!(),
            "mov rdi, r11
             call {find}
             mov eax, 1
             ",
            $crate::machine::x86_64::observe::restore_registers!(),
            "mov rax, qword ptr [rsp + 184]
             mov r11, qword ptr [rsp + 192]
             add rsp, 200
             .cfi_adjust_cfa_offset -200
             jmp qword ptr [r11]
             .cfi_endproc"
        )
    };
}

pub(crate) use {
    find_and_go_on, observe, observe_leaf, observe_variadic, replace_variadic, restore_registers,
    return_address_to_seventh, save_registers,
};
