//! `long double` by value: `shmem_longdouble_p`, `_g` and their forms with a context.
//!
//! Rust has no such type, so `long_double.c` takes and returns the values. An exported function here is a jump there:
//! the arguments lie where the caller has put them.

use crate::call::Call;
use crate::element::LongDouble;
use crate::handle::Ctx;
use crate::rma;
use std::ffi::c_int;

unsafe extern "C" {
    fn farside_shmem_p();
    fn farside_shmem_ctx_p();
    fn farside_shmem_g();
    fn farside_shmem_ctx_g();
}

macro_rules! jumps {
    ($($symbol:literal => $target:ident;)*) => {$(
        const _: () = {
            #[unsafe(export_name = $symbol)]
            #[unsafe(naked)]
            unsafe extern "C" fn function() {
                #[cfg(target_arch = "x86_64")]
                std::arch::naked_asm!("jmp {}", sym $target);
                #[cfg(target_arch = "aarch64")]
                std::arch::naked_asm!("b {}", sym $target);
            }
        };
    )*};
}

jumps! {
    "shmem_longdouble_p" => farside_shmem_p;
    "pshmem_longdouble_p" => farside_shmem_p;
    "shmem_ctx_longdouble_p" => farside_shmem_ctx_p;
    "pshmem_ctx_longdouble_p" => farside_shmem_ctx_p;
    "shmem_longdouble_g" => farside_shmem_g;
    "pshmem_longdouble_g" => farside_shmem_g;
    "shmem_ctx_longdouble_g" => farside_shmem_ctx_g;
    "pshmem_ctx_longdouble_g" => farside_shmem_ctx_g;
}

/// What `long_double.c` does with a value that it was given.
///
/// # Safety
/// As for [`rma::put`].
#[unsafe(no_mangle)]
unsafe extern "C" fn farside_shmem_put_long_double(
    ctx: Ctx,
    dest: *mut LongDouble,
    source: *const LongDouble,
    pe: c_int,
    is_ctx: c_int,
) {
    let (call, ctx) = match is_ctx {
        0 => (Call::new("shmem_longdouble_p"), Ctx::DEFAULT),
        _ => (Call::new("shmem_ctx_longdouble_p"), ctx),
    };
    // SAFETY: by the caller.
    unsafe { rma::put(call, ctx, dest, source, 1, pe) }
}

/// What `long_double.c` does for a value that it returns.
///
/// # Safety
/// As for [`rma::get`].
#[unsafe(no_mangle)]
unsafe extern "C" fn farside_shmem_get_long_double(
    ctx: Ctx,
    dest: *mut LongDouble,
    source: *const LongDouble,
    pe: c_int,
    is_ctx: c_int,
) {
    let (call, ctx) = match is_ctx {
        0 => (Call::new("shmem_longdouble_g"), Ctx::DEFAULT),
        _ => (Call::new("shmem_ctx_longdouble_g"), ctx),
    };
    // SAFETY: by the caller.
    unsafe { rma::get(call, ctx, dest, source, 1, pe) }
}
