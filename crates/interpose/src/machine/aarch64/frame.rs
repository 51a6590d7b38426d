//! The frame of a function that looks at a call and lets it go on: the frame record of the standard, with what the
//! argument registers held above it. Texts of assembly, with the unwind information of each instruction.

/// Makes a frame of `$bytes` bytes, at whose start the frame pointer and the return address lie.
macro_rules! enter {
    ($bytes:literal) => {
        concat!(
            "stp x29, x30, [sp, -",
            $bytes,
            "]!
             .cfi_def_cfa_offset ",
            $bytes,
            "
             .cfi_offset 29, -",
            $bytes,
            "
             .cfi_offset 30, 8 - ",
            $bytes,
            "
             mov x29, sp
             "
        )
    };
}

/// The reverse of [`enter`].
macro_rules! leave {
    ($bytes:literal) => {
        concat!(
            "ldp x29, x30, [sp], ",
            $bytes,
            "
             .cfi_restore 30
             .cfi_restore 29
             .cfi_def_cfa_offset 0
             "
        )
    };
}

/// Stores the argument registers of words above the frame record, 64 bytes.
macro_rules! store_words {
    () => {
        "stp x0, x1, [sp, 16]
         stp x2, x3, [sp, 32]
         stp x4, x5, [sp, 48]
         stp x6, x7, [sp, 64]
         "
    };
}

/// The reverse of [`store_words`].
macro_rules! load_words {
    () => {
        "ldp x0, x1, [sp, 16]
         ldp x2, x3, [sp, 32]
         ldp x4, x5, [sp, 48]
         ldp x6, x7, [sp, 64]
         "
    };
}

pub(crate) use {enter, leave, load_words, store_words};
