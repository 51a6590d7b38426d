//! The atomic callbacks: the operations of [`farside_atomics`] under their exported names.

use farside_atomics::{Atomic, atomic_callbacks};
use std::sync::atomic::{Ordering, compiler_fence, fence};

macro_rules! export {
    (load $int:ty, $name:ident) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(at: *mut $int, _order: i32) -> $int {
            // SAFETY: The program's own operation, with its own arguments.
            unsafe { <$int>::load(at) }
        }
    };
    (store $int:ty, $name:ident) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(at: *mut $int, value: $int, order: i32) {
            // SAFETY: The program's own operation, with its own arguments.
            unsafe { <$int>::store(at, value, order) }
        }
    };
    (update $int:ty, $name:ident $operation:ident) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(at: *mut $int, value: $int, _order: i32) -> $int {
            // SAFETY: The program's own operation, with its own arguments.
            unsafe { <$int>::$operation(at, value) }
        }
    };
    (compare $int:ty, $name:ident) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            at: *mut $int,
            expected: *mut $int,
            value: $int,
            _order: i32,
            _failure: i32,
        ) -> i32 {
            // SAFETY: The program's own operation, with its own arguments.
            unsafe { <$int>::compare_exchange_c(at, expected, value) }
        }
    };
    (compare_value $int:ty, $name:ident) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            at: *mut $int,
            expected: $int,
            value: $int,
            _order: i32,
            _failure: i32,
        ) -> $int {
            // SAFETY: The program's own operation, with its own arguments.
            unsafe { <$int>::compare_exchange(at, expected, value) }
        }
    };
}

atomic_callbacks!(export);

/// `atomic_thread_fence`.
#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_thread_fence(_order: i32) {
    fence(Ordering::SeqCst);
}

/// `atomic_signal_fence`.
#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_signal_fence(_order: i32) {
    compiler_fence(Ordering::SeqCst);
}
