//! Types of elements: what can be moved, waited for, changed atomically, and combined.

use farside_fabric::AtomicKind;
use std::ffi::c_int;
use std::sync::atomic::{
    AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering,
};

/// Elements of so many bytes, of any alignment: of `shmem_put32` and the like.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Bits<const BYTES: usize>([u8; BYTES]);

/// `long double`, which Rust has not: its bytes.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(crate) struct LongDouble([u8; 16]);

/// `double _Complex`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ComplexDouble(f64, f64);

/// `float _Complex`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ComplexFloat(f32, f32);

/// A type of atomic operations and of waits.
pub(crate) trait Word: Copy + PartialOrd + Send + Sync + 'static {
    /// What the transport calls it.
    const KIND: AtomicKind;

    /// What increments add.
    const ONE: Self;

    /// An atomic load of own memory, before all that this thread reads after.
    ///
    /// # Safety
    /// `at` is mapped and aligned.
    unsafe fn load(at: *const Self) -> Self;
}

macro_rules! words {
    ($($type:ty, $kind:ident, $atomic:ty;)*) => {$(
        impl Word for $type {
            const KIND: AtomicKind = AtomicKind::$kind;
            const ONE: Self = 1 as $type;

            #[inline]
            unsafe fn load(at: *const Self) -> Self {
                // SAFETY: by the caller.
                let bits = unsafe { <$atomic>::from_ptr(at.cast_mut().cast()) }.load(Ordering::Acquire);
                Self::from_ne_bytes(bits.to_ne_bytes())
            }
        }
    )*};
}

words! {
    i16, I16, AtomicI16;
    u16, U16, AtomicU16;
    i32, I32, AtomicI32;
    u32, U32, AtomicU32;
    i64, I64, AtomicI64;
    u64, U64, AtomicU64;
    isize, I64, AtomicIsize;
    usize, U64, AtomicUsize;
    f32, F32, AtomicU32;
    f64, F64, AtomicU64;
}

/// What a reduction does with two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    And,
    Or,
    Xor,
    Min,
    Max,
    Sum,
    Product,
}

/// A type of reductions.
pub(crate) trait Combine: Copy {
    /// Combines `count` elements of `from` into `to`.
    ///
    /// # Safety
    /// Both are valid for `count` elements, and do not overlap.
    unsafe fn combine(combination: Combination, to: *mut Self, from: *const Self, count: usize);
}

/// Combines element by element.
///
/// # Safety
/// As for [`Combine::combine`].
#[inline]
unsafe fn each<T: Copy>(to: *mut T, from: *const T, count: usize, with: impl Fn(T, T) -> T) {
    for number in 0..count {
        // SAFETY: by the caller; elements may be anywhere, as far as Rust knows.
        unsafe {
            let (to, from) = (to.add(number), from.add(number));
            to.write_unaligned(with(to.read_unaligned(), from.read_unaligned()));
        }
    }
}

macro_rules! whole {
    ($($type:ty)*) => {$(
        impl Combine for $type {
            unsafe fn combine(combination: Combination, to: *mut Self, from: *const Self, count: usize) {
                // SAFETY: by the caller.
                unsafe {
                    match combination {
                        Combination::And => each(to, from, count, |a, b| a & b),
                        Combination::Or => each(to, from, count, |a, b| a | b),
                        Combination::Xor => each(to, from, count, |a, b| a ^ b),
                        Combination::Min => each(to, from, count, Ord::min),
                        Combination::Max => each(to, from, count, Ord::max),
                        Combination::Sum => each(to, from, count, Self::wrapping_add),
                        Combination::Product => each(to, from, count, Self::wrapping_mul),
                    }
                }
            }
        }
    )*};
}

whole! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize }

macro_rules! floating {
    ($($type:ty)*) => {$(
        impl Combine for $type {
            unsafe fn combine(combination: Combination, to: *mut Self, from: *const Self, count: usize) {
                // SAFETY: by the caller. Bitwise operations do not exist for the type, by the table.
                unsafe {
                    match combination {
                        Combination::Min => each(to, from, count, Self::min),
                        Combination::Max => each(to, from, count, Self::max),
                        Combination::Product => each(to, from, count, |a, b| a * b),
                        _ => each(to, from, count, |a, b| a + b),
                    }
                }
            }
        }
    )*};
}

floating! { f32 f64 }

macro_rules! complex {
    ($($type:ident)*) => {$(
        impl Combine for $type {
            unsafe fn combine(combination: Combination, to: *mut Self, from: *const Self, count: usize) {
                // SAFETY: by the caller. Sums and products alone exist for the type, by the table.
                unsafe {
                    match combination {
                        Combination::Product => each(to, from, count, |a, b| {
                            $type(a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
                        }),
                        _ => each(to, from, count, |a, b| $type(a.0 + b.0, a.1 + b.1)),
                    }
                }
            }
        }
    )*};
}

complex! { ComplexDouble ComplexFloat }

unsafe extern "C" {
    /// Of `long_double.c`.
    fn farside_shmem_combine_long_double(
        operation: c_int,
        to: *mut LongDouble,
        from: *const LongDouble,
        count: usize,
    );
}

impl Combine for LongDouble {
    unsafe fn combine(combination: Combination, to: *mut Self, from: *const Self, count: usize) {
        // Bitwise operations do not exist for the type, by the table.
        let operation = match combination {
            Combination::Min => 0,
            Combination::Max => 1,
            Combination::Product => 3,
            _ => 2,
        };
        // SAFETY: by the caller; `LongDouble` has the size and alignment of C's type on x86-64 and aarch64.
        unsafe { farside_shmem_combine_long_double(operation, to, from, count) }
    }
}
