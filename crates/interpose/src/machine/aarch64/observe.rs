//! The functions of the C library: an observer looks at the arguments before, or in the place of, the real function.

/// The register arguments of a variadic call: eight integer registers, eight vector registers.
#[repr(C, align(16))]
pub(crate) struct RegisterArea([u64; 24]);

/// Bytes of the integer registers, and of the vector registers.
const INTEGERS: i32 = 64;
const VECTORS: i32 = 128;

impl RegisterArea {
    /// The `index`-th integer argument.
    pub(crate) fn integer(&self, index: usize) -> u64 {
        self.0[index]
    }
}

/// `va_list` (AAPCS64, "The va_list type"). It is passed by the address of a copy.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct VaList {
    stack: *const u64,
    /// The ends of both kinds of registers, and how far before them the next one is; not negative: all are used.
    integers_end: *const u8,
    vectors_end: *const u8,
    integers: i32,
    vectors: i32,
}

impl VaList {
    /// The arguments after `named` integer arguments.
    pub(crate) fn after(named: u32, registers: &RegisterArea, overflow: *const u64) -> Self {
        let area = std::ptr::from_ref(registers).cast::<u8>();
        Self {
            stack: overflow,
            integers_end: area.wrapping_add(INTEGERS as usize),
            vectors_end: area.wrapping_add((INTEGERS + VECTORS) as usize),
            integers: 8 * named as i32 - INTEGERS,
            vectors: -VECTORS,
        }
    }

    /// The next integer or pointer.
    ///
    /// # Safety
    /// There is one.
    pub(crate) unsafe fn integer(&mut self) -> u64 {
        // SAFETY: The caller's promise, and the layout of the standard.
        unsafe {
            if self.integers < 0 {
                let value = *self.integers_end.offset(self.integers as isize).cast::<u64>();
                self.integers += 8;
                value
            } else {
                let value = *self.stack;
                self.stack = self.stack.add(1);
                value
            }
        }
    }

    /// Skips a floating-point argument.
    ///
    /// # Safety
    /// There is one.
    pub(crate) unsafe fn skip_float(&mut self, long_double: bool) {
        if self.vectors < 0 {
            self.vectors += 16;
            return;
        }
        // SAFETY: The caller's promise: it lies on the stack, a `long double` at a multiple of 16.
        unsafe {
            self.stack = if long_double {
                self.stack.byte_add(self.stack.align_offset(16) * 8).add(2)
            } else {
                self.stack.add(1)
            };
        }
    }
}

/// Makes room on the stack and stores the argument registers there as a [`RegisterArea`]; the return address lies below
/// it, what `x8` and `x16` held above.
macro_rules! save_registers {
    () => {
        concat!(
            $crate::machine::aarch64::frame::enter!(224),
            $crate::machine::aarch64::frame::store_words!(),
            "stp q0, q1, [sp, 80]
             stp q2, q3, [sp, 112]
             stp q4, q5, [sp, 144]
             stp q6, q7, [sp, 176]
             stp x8, x16, [sp, 208]
            "
        )
    };
}

/// The reverse of [`save_registers`].
macro_rules! restore_registers {
    () => {
        concat!(
            $crate::machine::aarch64::frame::load_words!(),
            "ldp q0, q1, [sp, 80]
             ldp q2, q3, [sp, 112]
             ldp q4, q5, [sp, 144]
             ldp q6, q7, [sp, 176]
             ldp x8, x16, [sp, 208]
            ",
            $crate::machine::aarch64::frame::leave!(224)
        )
    };
}

/// Jumps to the function that `real` points to, which finds `real` in `x16`.
macro_rules! go_on_in_real {
    () => {
        "adrp x16, {real}
         add x16, x16, :lo12:{real}
         ldr x17, [x16]
         br x17
         "
    };
}

/// Shows `observer` the integer arguments and the return address, where `observing` says so, and jumps to the function
/// that `real` points to, which finds `real` in `x16`. What an MPI library does for itself (`depth`) is not looked at;
/// nor are this library's own calls (`own`), of which recording makes many: they are nobody's accesses.
macro_rules! observe {
    () => {
        concat!(
            ".cfi_startproc
             adrp x16, {observing}
             ldrb w16, [x16, :lo12:{observing}]
             cbnz w16, 2f
          3: ",
            $crate::machine::aarch64::observe::go_on_in_real!(),
            "2: adrp x16, :gottprel:farside_slots
             ldr x16, [x16, :gottprel_lo12:farside_slots]
             mrs x17, tpidr_el0
             add x16, x16, x17
             ldr w16, [x16, {depth}]
             cbnz w16, 3b
             adrp x16, {own}
             add x16, x16, :lo12:{own}
             ldp x16, x17, [x16]
             sub x16, x30, x16
             cmp x16, x17
             b.lo 3b
             ",
            $crate::machine::aarch64::frame::enter!(80),
            $crate::machine::aarch64::frame::store_words!(),
            "add x0, sp, 16
             mov x1, x30
             bl {observer}
             ",
            $crate::machine::aarch64::frame::load_words!(),
            $crate::machine::aarch64::frame::leave!(80),
            "b 3b
             .cfi_endproc"
        )
    };
}

/// As [`observe`], of a function with variable arguments.
macro_rules! observe_variadic {
    () => {
        concat!(
            ".cfi_startproc
             adrp x16, {observing}
             ldrb w16, [x16, :lo12:{observing}]
             cbnz w16, 2f
          3: ",
            $crate::machine::aarch64::observe::go_on_in_real!(),
            "2: ",
            $crate::machine::aarch64::observe::save_registers!(),
            "add x0, sp, 16
             add x1, sp, 224
             mov x2, x30
             bl {observer}
             ",
            $crate::machine::aarch64::observe::restore_registers!(),
            "b 3b
             .cfi_endproc"
        )
    };
}

/// Calls `replacement` in the place of a function with variable arguments.
macro_rules! replace_variadic {
    () => {
        concat!(
            ".cfi_startproc
             ",
            $crate::machine::aarch64::observe::save_registers!(),
            "add x0, sp, 16
             add x1, sp, 224
             mov x2, x30
             bl {replacement}
             ",
            $crate::machine::aarch64::frame::leave!(224),
            "ret
             .cfi_endproc"
        )
    };
}

/// Calls `seen` with the return address as a seventh argument.
macro_rules! return_address_to_seventh {
    () => {
        ".cfi_startproc
         mov x6, x30
         b {seen}
         .cfi_endproc"
    };
}

/// Calls `find` with what `x16` points to, then jumps to the function that it points to, with all arguments in place.
macro_rules! find_and_go_on {
    () => {
        concat!(
            ".cfi_startproc
             ",
            $crate::machine::aarch64::observe::save_registers!(),
            "mov x0, x16
             bl {find}
             ",
            $crate::machine::aarch64::observe::restore_registers!(),
            "ldr x17, [x16]
             br x17
             .cfi_endproc"
        )
    };
}

pub(crate) use {
    find_and_go_on, go_on_in_real, observe, observe_variadic, replace_variadic, restore_registers,
    return_address_to_seventh, save_registers,
};
