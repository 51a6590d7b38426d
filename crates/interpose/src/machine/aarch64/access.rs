//! The callbacks of loads and stores, and of functions, whose every instruction counts.
//!
//! `adrp` and `:lo12:` reach what lies in this library. Two loads of different words may be made in any order, so the
//! mask of the page table is loaded with `ldar`, and the table after it: the one that fits the mask, or a larger one.

/// Takes an argument's register: the return address becomes the argument of this number.
macro_rules! return_address_to {
    ($number:literal) => {
        concat!("mov x", $number, ", x30")
    };
}

/// Goes on in `to`, which returns to the caller.
macro_rules! go_on {
    () => {
        "b {to}"
    };
}

/// The address of the thread's slots, in `x9`; `x10` is lost.
macro_rules! slots_to_x9 {
    () => {
        "adrp x9, :gottprel:farside_slots
         ldr x9, [x9, :gottprel_lo12:farside_slots]
         mrs x10, tpidr_el0
         add x9, x9, x10
         "
    };
}

/// Keeps the return address at `pc` of the thread's slots, and goes on in `to`, with all arguments in place.
macro_rules! keep_return_address {
    () => {
        concat!(
            $crate::machine::aarch64::access::slots_to_x9!(),
            "str x30, [x9, {pc}]
             b {to}"
        )
    };
}

/// Extends the run of the access at `x0` of the instruction before the return address; or nothing, if the instruction
/// has no pattern and all bytes are seen; or goes on in `slow`. `$seen` says how to ask.
macro_rules! extend_or_go_on {
    ($seen:literal) => {
        concat!(
            "mov x1, x30
             ",
            $crate::machine::aarch64::access::slots_to_x9!(),
            "ldr x10, [x9]
             cbz x10, 5f
             lsl w11, w1, 5
             and w11, w11, {slots_mask}
             add x10, x10, x11
             ldr x12, [x10, {pc}]
             cmp x12, x1
             b.ne 5f
             ldr x12, [x10, {next}]
             cmp x12, x0
             b.ne 3f
             ldr x12, [x10, {stride}]
             add x12, x12, x0
             ldr x13, [x10, {count_up}]
             add x13, x13, 1
             str x13, [x10, {count_up}]
             str x12, [x10, {next}]
             ret
          3: ",
            $seen,
            "
          5: mov w2, {code}
             b {slow}"
        )
    };
}

/// The byte of the page of the address in `x8`, in `w9`; goes to `2` if it counts. The mask stays in `x10`, the table
/// in `x11`.
macro_rules! look_at_page {
    () => {
        "lsr x9, x8, 12
         and x9, x9, x10
         ldrb w9, [x11, x9]
         tst w9, {count}
         b.ne 2f
         "
    };
}

/// The mask of the page table in `x10`, then the table in `x11`.
macro_rules! page_table {
    () => {
        "adrp x10, {mask}
         add x10, x10, :lo12:{mask}
         ldar x10, [x10]
         adrp x11, {table}
         ldr x11, [x11, :lo12:{table}]
         "
    };
}

/// An access that lies within one page.
macro_rules! aligned_access {
    () => {
        concat!(
            $crate::machine::aarch64::access::page_table!(),
            "mov x8, x0
             ",
            $crate::machine::aarch64::access::look_at_page!(),
            "ret
          2: ",
            $crate::machine::aarch64::access::extend_or_go_on!(
                "mov x11, {scattered}
                 cmp x12, x11
                 b.ne 5f
                 ldr x13, [x9, {seen}]
                 lsr x14, x0, 12
                 add x15, x14, {seen_offset}
                 and x15, x15, {seen_mask}
                 lsl x14, x14, 4
                 add x14, x14, {seen_tag}
                 ldr x12, [x13, x15, lsl 3]
                 cmp x12, x14
                 b.ne 5f
                 lsl x15, x15, {seen_shift}
                 and x14, x0, 4095
                 lsr x14, x14, {seen_class}
                 lsr x12, x14, 6
                 add x15, x15, x12, lsl 3
                 add x15, x15, {seen_bits}
                 ldr x12, [x13, x15]
                 lsr x12, x12, x14
                 tbz x12, 0, 5f
                 ret"
            )
        )
    };
}

/// An access that may straddle two pages.
macro_rules! unaligned_access {
    () => {
        concat!(
            $crate::machine::aarch64::access::page_table!(),
            "mov x8, x0
             ",
            $crate::machine::aarch64::access::look_at_page!(),
            "add x8, x0, {size} - 1
             ",
            $crate::machine::aarch64::access::look_at_page!(),
            "ret
          2: ",
            $crate::machine::aarch64::access::extend_or_go_on!("")
        )
    };
}

/// `__tsan_func_entry`: pushes a frame.
macro_rules! enter_function {
    () => {
        concat!(
            $crate::machine::aarch64::access::slots_to_x9!(),
            "ldr x10, [x9, {top}]
             ldr x11, [x9, {limit}]
             cmp x10, x11
             b.hs 2f
             ldr x11, [x10, {sp}]
             mov x12, sp
             cmp x11, x12
             b.ls 2f
             add x10, x10, {size}
             str x0, [x10, {pc}]
             str x12, [x10, {sp}]
             str xzr, [x10, {hash}]
             str x10, [x9, {top}]
             ret
          2: mov x1, sp
             b {slow}"
        )
    };
}

/// `__tsan_func_exit`: pops the frame. In a tail call `x30` is the frame's own return address.
macro_rules! exit_function {
    () => {
        concat!(
            $crate::machine::aarch64::access::slots_to_x9!(),
            "ldr x10, [x9, {top}]
             cbz x10, 3f
             ldr x11, [x10, {sp}]
             ldr x13, [x9, {beyond}]
             mov x12, sp
             cmp x11, x12
             b.lo 2f
             cbnz x13, 2f
          4: sub x10, x10, {size}
             str x10, [x9, {top}]
          3: ret
          2: ldr x14, [x10, {pc}]
             cmp x14, x30
             b.ne 5f
             cbz x11, 5f
             cbz x13, 4b
          5: mov x0, sp
             b {slow}"
        )
    };
}

pub(crate) use {
    aligned_access, enter_function, exit_function, extend_or_go_on, go_on, keep_return_address, look_at_page,
    page_table, return_address_to, slots_to_x9, unaligned_access,
};
