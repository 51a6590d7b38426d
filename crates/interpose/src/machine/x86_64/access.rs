//! The callbacks of loads and stores, and of functions, whose every instruction counts.

/// Takes an argument's register: the return address becomes the argument of this number.
macro_rules! return_address_to {
    (1) => {
        "mov rsi, qword ptr [rsp]"
    };
    (2) => {
        "mov rdx, qword ptr [rsp]"
    };
    (3) => {
        "mov rcx, qword ptr [rsp]"
    };
    (4) => {
        "mov r8, qword ptr [rsp]"
    };
    (5) => {
        "mov r9, qword ptr [rsp]"
    };
}

/// Goes on in `to`, which returns to the caller.
macro_rules! go_on {
    () => {
        "jmp {to}"
    };
}

/// Keeps the return address at `pc` of the thread's slots, and goes on in `to`, with all arguments in place: no
/// register is free for it.
macro_rules! keep_return_address {
    () => {
        "mov rax, qword ptr [rsp]
         mov r11, qword ptr [rip + farside_slots@GOTTPOFF]
         mov qword ptr fs:[r11 + {pc}], rax
         jmp {to}"
    };
}

/// Extends the run of the access at `rdi` of the instruction before the return address; or nothing, if the instruction
/// has no pattern and all bytes are seen; or goes on in `slow`. `$seen` says how to ask.
macro_rules! extend_or_go_on {
    ($seen:literal) => {
        concat!(
            "mov rsi, qword ptr [rsp]
             mov r9, qword ptr [rip + farside_slots@GOTTPOFF]
             mov rax, qword ptr fs:[r9]
             test rax, rax
             je 5f
             mov ecx, esi
             shl ecx, 5
             and ecx, {slots_mask}
             cmp qword ptr [rax + rcx + {pc}], rsi
             jne 5f
             cmp qword ptr [rax + rcx + {next}], rdi
             jne 3f
             add rdi, qword ptr [rax + rcx + {stride}]
             inc qword ptr [rax + rcx + {count_up}]
             mov qword ptr [rax + rcx + {next}], rdi
             ret
          3: ",
            $seen,
            "
          5: mov edx, {code}
             jmp {slow}"
        )
    };
}

/// An access that lies within one page.
macro_rules! aligned_access {
    () => {
        concat!(
            "mov rax, rdi
             shr rax, 12
             and rax, qword ptr [rip + {mask}]
             mov rcx, qword ptr [rip + {table}]
             test byte ptr [rcx + rax], {count}
             jne 2f
             ret
          2: ",
            $crate::machine::x86_64::access::extend_or_go_on!(
                "cmp qword ptr [rax + rcx + {next}], {scattered}
                 jne 5f
                 mov r8, qword ptr fs:[r9 + {seen}]
                 mov rax, rdi
                 shr rax, 12
                 lea rcx, [rax + {seen_offset}]
                 and ecx, {seen_mask}
                 shl rax, 4
                 or rax, {seen_tag}
                 cmp qword ptr [r8 + rcx * 8], rax
                 jne 5f
                 shl ecx, {seen_shift}
                 mov edx, edi
                 and edx, 4095
                 shr edx, {seen_class}
                 mov eax, edx
                 shr eax, 6
                 lea rcx, [rcx + rax * 8]
                 mov rax, qword ptr [r8 + rcx + {seen_bits}]
                 bt rax, rdx
                 jnc 5f
                 ret"
            )
        )
    };
}

/// An access that may straddle two pages.
macro_rules! unaligned_access {
    () => {
        concat!(
            "mov rax, rdi
             shr rax, 12
             mov r8, qword ptr [rip + {mask}]
             and rax, r8
             mov rcx, qword ptr [rip + {table}]
             test byte ptr [rcx + rax], {count}
             jne 2f
             lea rax, [rdi + {size} - 1]
             shr rax, 12
             and rax, r8
             test byte ptr [rcx + rax], {count}
             jne 2f
             ret
          2: ",
            $crate::machine::x86_64::access::extend_or_go_on!("")
        )
    };
}

/// `__tsan_func_entry`: pushes a frame.
macro_rules! enter_function {
    () => {
        "mov rax, qword ptr [rip + farside_slots@GOTTPOFF]
         mov rcx, qword ptr fs:[rax + {top}]
         cmp rcx, qword ptr fs:[rax + {limit}]
         jae 2f
         cmp qword ptr [rcx + {sp}], rsp
         jbe 2f
         mov qword ptr [rcx + {size} + {pc}], rdi
         mov qword ptr [rcx + {size} + {sp}], rsp
         mov qword ptr [rcx + {size} + {hash}], 0
         add rcx, {size}
         mov qword ptr fs:[rax + {top}], rcx
         ret
      2: mov rsi, rsp
         jmp {slow}"
    };
}

/// `__tsan_func_exit`: pops the frame. In a tail call the frame's own return address is on top of the stack.
macro_rules! exit_function {
    () => {
        "mov rax, qword ptr [rip + farside_slots@GOTTPOFF]
         mov rcx, qword ptr fs:[rax + {top}]
         test rcx, rcx
         je 3f
         cmp qword ptr [rcx + {sp}], rsp
         jb 2f
         cmp qword ptr fs:[rax + {beyond}], 0
         jne 2f
      4: sub rcx, {size}
         mov qword ptr fs:[rax + {top}], rcx
      3: ret
      2: mov rdx, qword ptr [rsp]
         cmp qword ptr [rcx + {pc}], rdx
         jne 5f
         cmp qword ptr [rcx + {sp}], 0
         je 5f
         cmp qword ptr fs:[rax + {beyond}], 0
         je 4b
      5: mov rdi, rsp
         jmp {slow}"
    };
}

pub(crate) use {
    aligned_access, enter_function, exit_function, extend_or_go_on, go_on, keep_return_address,
    return_address_to, unaligned_access,
};
