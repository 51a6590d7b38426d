//! What the atomic callbacks of `-fsanitize=thread` must do: the operation itself, which the compiler replaced by them.
//!
//! `libfarside_callbacks.so` and `libfarside_interpose.so` both perform them by this crate, so that a program computes
//! the same with and without the checker. Operations are sequentially consistent, which satisfies every requested order
//! and costs nothing more on x86-64, except for stores, which are told apart. On aarch64 it costs more than a relaxed
//! operation, and a program whose orders are too weak shows wrong values less often than without callbacks; what the
//! checker says of it rests on the orders that the program asked for, and not on the processor's. 16-byte operations
//! use `cmpxchg16b`, or `ldaxp` and `stlxp` (which every aarch64 processor has), as the compilers' own library does; a
//! 16-byte load therefore needs writable memory.

mod wide;

use std::sync::atomic::Ordering::{Release, SeqCst};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

/// The memory orders of C11, as the callbacks pass them.
pub mod order {
    /// `memory_order_relaxed`.
    pub const RELAXED: i32 = 0;
    /// `memory_order_release`.
    pub const RELEASE: i32 = 3;
    /// `memory_order_seq_cst`.
    pub const SEQ_CST: i32 = 5;

    /// Whether what came before becomes visible.
    #[must_use]
    pub fn releases(order: i32) -> bool {
        (RELEASE..=SEQ_CST).contains(&order)
    }

    /// Whether what was released becomes visible here (`consume` and stronger, but not `release`).
    #[must_use]
    pub fn acquires(order: i32) -> bool {
        order != RELAXED && order != RELEASE
    }
}

/// An integer that atomic callbacks operate on.
///
/// A place `at` is valid for reads and writes of the type, aligned to its size, and all concurrent accesses
/// to it are atomic, or the program itself has a race there.
pub trait Atomic: Copy + Eq {
    /// Reads the value at `at`.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn load(at: *mut Self) -> Self;
    /// Writes `value` at `at`, with the memory order `order` of C11.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn store(at: *mut Self, value: Self, order: i32);
    /// Writes `value`, and gives what was there.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn exchange(at: *mut Self, value: Self) -> Self;
    /// Adds, and gives what was there.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn fetch_add(at: *mut Self, value: Self) -> Self;
    /// Subtracts, and gives what was there.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn fetch_sub(at: *mut Self, value: Self) -> Self;
    /// Bitwise and; gives what was there.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn fetch_and(at: *mut Self, value: Self) -> Self;
    /// Bitwise or; gives what was there.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn fetch_or(at: *mut Self, value: Self) -> Self;
    /// Bitwise exclusive or; gives what was there.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn fetch_xor(at: *mut Self, value: Self) -> Self;
    /// Bitwise not-and; gives what was there.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn fetch_nand(at: *mut Self, value: Self) -> Self;
    /// Gives what was there: `expected` if the exchange took place.
    ///
    /// # Safety
    /// `at` is a valid place: see [`Atomic`].
    unsafe fn compare_exchange(at: *mut Self, expected: Self, value: Self) -> Self;

    /// As C does it: `expected` receives what was there, the result is 1 if the exchange took place.
    ///
    /// # Safety
    /// As for the others, and `expected` is valid for reads and writes.
    #[inline]
    unsafe fn compare_exchange_c(at: *mut Self, expected: *mut Self, value: Self) -> i32 {
        // SAFETY: The caller's promise.
        unsafe {
            let wanted = expected.read_unaligned();
            let found = Self::compare_exchange(at, wanted, value);
            if found != wanted {
                expected.write_unaligned(found);
            }
            i32::from(found == wanted)
        }
    }
}

macro_rules! atomic {
    ($($int:ty, $atomic:ty;)*) => {$(
        impl Atomic for $int {
            #[inline]
            unsafe fn load(at: *mut Self) -> Self {
                // SAFETY: what the trait asks for is what `from_ptr` asks for.
                unsafe { <$atomic>::from_ptr(at) }.load(SeqCst)
            }
            #[inline]
            unsafe fn store(at: *mut Self, value: Self, order: i32) {
                // SAFETY: what the trait asks for is what `from_ptr` asks for.
                let to = unsafe { <$atomic>::from_ptr(at) };
                if order == order::SEQ_CST {
                    to.store(value, SeqCst);
                } else {
                    to.store(value, Release);
                }
            }
            atomic! { updates $atomic: exchange swap, fetch_add fetch_add, fetch_sub fetch_sub, fetch_and fetch_and,
                fetch_or fetch_or, fetch_xor fetch_xor, fetch_nand fetch_nand }
            #[inline]
            unsafe fn compare_exchange(at: *mut Self, expected: Self, value: Self) -> Self {
                // SAFETY: what the trait asks for is what `from_ptr` asks for.
                unsafe { <$atomic>::from_ptr(at) }
                    .compare_exchange(expected, value, SeqCst, SeqCst)
                    .unwrap_or_else(|found| found)
            }
        }
    )*};
    (updates $atomic:ty: $($name:ident $operation:ident),*) => {$(
        #[inline]
        unsafe fn $name(at: *mut Self, value: Self) -> Self {
            // SAFETY: what the trait asks for is what `from_ptr` asks for.
            unsafe { <$atomic>::from_ptr(at) }.$operation(value, SeqCst)
        }
    )*};
}

atomic! {
    u8, AtomicU8;
    u16, AtomicU16;
    u32, AtomicU32;
    u64, AtomicU64;
}

/// Replaces the 16 bytes by what `change` makes of them; gives what was there.
///
/// # Safety
/// As for [`Atomic`].
#[inline]
unsafe fn update(at: *mut u128, change: impl Fn(u128) -> u128) -> u128 {
    // SAFETY: The caller's promise.
    unsafe {
        let mut now = u128::load(at);
        loop {
            let found = u128::compare_exchange(at, now, change(now));
            if found == now {
                return now;
            }
            now = found;
        }
    }
}

/// The operations that [`update`] performs.
macro_rules! updates {
    ($($name:ident |$now:ident, $value:ident| $result:expr;)*) => {$(
        #[inline]
        unsafe fn $name(at: *mut Self, $value: Self) -> Self {
            // SAFETY: what the trait asks for is what `update` asks for.
            unsafe { update(at, |$now| $result) }
        }
    )*};
}

impl Atomic for u128 {
    #[inline]
    unsafe fn load(at: *mut Self) -> Self {
        // Replaces 0 by 0, anything else by nothing.
        // SAFETY: the caller's promise is the same.
        unsafe { Self::compare_exchange(at, 0, 0) }
    }
    #[inline]
    unsafe fn store(at: *mut Self, value: Self, _order: i32) {
        // SAFETY: what the trait asks for is what `update` asks for.
        unsafe { update(at, |_| value) };
    }
    updates! {
        exchange |_now, value| value;
        fetch_add |now, value| now.wrapping_add(value);
        fetch_sub |now, value| now.wrapping_sub(value);
        fetch_and |now, value| now & value;
        fetch_or |now, value| now | value;
        fetch_xor |now, value| now ^ value;
        fetch_nand |now, value| !(now & value);
    }
    #[inline]
    unsafe fn compare_exchange(at: *mut Self, expected: Self, value: Self) -> Self {
        // SAFETY: what the trait asks for is what the instructions need.
        let (low, high) = unsafe {
            wide::compare_exchange(
                at,
                (expected as u64, (expected >> 64) as u64),
                (value as u64, (value >> 64) as u64),
            )
        };
        u128::from(high) << 64 | u128::from(low)
    }
}

/// Gives all atomic callbacks of one width to a macro: `$make! { type, operation => name; ... }`.
#[macro_export]
macro_rules! atomic_callbacks {
    ($make:ident) => {
        $crate::atomic_callbacks! { $make u8:
            __tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange
            __tsan_atomic8_fetch_add __tsan_atomic8_fetch_sub __tsan_atomic8_fetch_and
            __tsan_atomic8_fetch_or __tsan_atomic8_fetch_xor __tsan_atomic8_fetch_nand
            __tsan_atomic8_compare_exchange_strong __tsan_atomic8_compare_exchange_weak
            __tsan_atomic8_compare_exchange_val
        }
        $crate::atomic_callbacks! { $make u16:
            __tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange
            __tsan_atomic16_fetch_add __tsan_atomic16_fetch_sub __tsan_atomic16_fetch_and
            __tsan_atomic16_fetch_or __tsan_atomic16_fetch_xor __tsan_atomic16_fetch_nand
            __tsan_atomic16_compare_exchange_strong __tsan_atomic16_compare_exchange_weak
            __tsan_atomic16_compare_exchange_val
        }
        $crate::atomic_callbacks! { $make u32:
            __tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange
            __tsan_atomic32_fetch_add __tsan_atomic32_fetch_sub __tsan_atomic32_fetch_and
            __tsan_atomic32_fetch_or __tsan_atomic32_fetch_xor __tsan_atomic32_fetch_nand
            __tsan_atomic32_compare_exchange_strong __tsan_atomic32_compare_exchange_weak
            __tsan_atomic32_compare_exchange_val
        }
        $crate::atomic_callbacks! { $make u64:
            __tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange
            __tsan_atomic64_fetch_add __tsan_atomic64_fetch_sub __tsan_atomic64_fetch_and
            __tsan_atomic64_fetch_or __tsan_atomic64_fetch_xor __tsan_atomic64_fetch_nand
            __tsan_atomic64_compare_exchange_strong __tsan_atomic64_compare_exchange_weak
            __tsan_atomic64_compare_exchange_val
        }
        $crate::atomic_callbacks! { $make u128:
            __tsan_atomic128_load __tsan_atomic128_store __tsan_atomic128_exchange
            __tsan_atomic128_fetch_add __tsan_atomic128_fetch_sub __tsan_atomic128_fetch_and
            __tsan_atomic128_fetch_or __tsan_atomic128_fetch_xor __tsan_atomic128_fetch_nand
            __tsan_atomic128_compare_exchange_strong __tsan_atomic128_compare_exchange_weak
            __tsan_atomic128_compare_exchange_val
        }
    };
    ($make:ident $int:ident:
        $load:ident $store:ident $exchange:ident
        $add:ident $sub:ident $and:ident $or:ident $xor:ident $nand:ident
        $strong:ident $weak:ident $value:ident
    ) => {
        $make! { load $int, $load }
        $make! { store $int, $store }
        $make! { update $int, $exchange exchange }
        $make! { update $int, $add fetch_add }
        $make! { update $int, $sub fetch_sub }
        $make! { update $int, $and fetch_and }
        $make! { update $int, $or fetch_or }
        $make! { update $int, $xor fetch_xor }
        $make! { update $int, $nand fetch_nand }
        $make! { compare $int, $strong }
        $make! { compare $int, $weak }
        $make! { compare_value $int, $value }
    };
}
