//! Atomic operations on elements in memory (MPI-4.1 §12.3.4), by the processor: for transports that reach the memory of
//! the target, or run software there.
//!
//! Whole numbers have instructions for replace, sum and bitwise operations; product, minimum, maximum, logical
//! operations, and all of floating point and of pairs loop around a compare-and-swap. A minimum or maximum with a
//! number that is none (NaN) is the other number.

use crate::{AtomicKind, AtomicOperation};
use std::marker::PhantomData;
use std::sync::atomic::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering,
};

/// Of a loop: what it writes is seen with all that this thread wrote before, and the other way round.
const BOTH: Ordering = Ordering::AcqRel;

/// A type of elements.
trait Element: Copy {
    /// Does it, and says what was there. An operation that does not apply changes nothing.
    ///
    /// # Safety
    /// `at` is mapped, and aligned to the size of the element.
    unsafe fn apply(at: *mut u8, operation: AtomicOperation, operand: Self) -> Self;

    /// What an atomic read gives instead of an operand.
    const NOTHING: Self;
}

macro_rules! whole {
    ($($type:ty, $atomic:ty;)*) => {$(
        impl Element for $type {
            const NOTHING: Self = 0;

            #[inline]
            unsafe fn apply(at: *mut u8, operation: AtomicOperation, operand: Self) -> Self {
                // SAFETY: by the caller.
                let there = unsafe { <$atomic>::from_ptr(at.cast()) };
                let update = |compute: fn($type, $type) -> $type| {
                    let result = |value| Some(compute(value, operand));
                    there.fetch_update(BOTH, Ordering::Acquire, result).unwrap_or(0)
                };
                match operation {
                    AtomicOperation::Replace => there.swap(operand, BOTH),
                    AtomicOperation::NoOp => there.load(Ordering::Acquire),
                    AtomicOperation::Sum => there.fetch_add(operand, BOTH),
                    AtomicOperation::And => there.fetch_and(operand, BOTH),
                    AtomicOperation::Or => there.fetch_or(operand, BOTH),
                    AtomicOperation::Xor => there.fetch_xor(operand, BOTH),
                    AtomicOperation::Min => there.fetch_min(operand, BOTH),
                    AtomicOperation::Max => there.fetch_max(operand, BOTH),
                    AtomicOperation::Product => update(<$type>::wrapping_mul),
                    AtomicOperation::LogicalAnd => update(|a, b| (a != 0 && b != 0).into()),
                    AtomicOperation::LogicalOr => update(|a, b| (a != 0 || b != 0).into()),
                    AtomicOperation::LogicalXor => update(|a, b| ((a != 0) != (b != 0)).into()),
                    AtomicOperation::MaxLoc | AtomicOperation::MinLoc => there.load(Ordering::Acquire),
                }
            }
        }
    )*};
}

whole! {
    i8, AtomicI8; i16, AtomicI16; i32, AtomicI32; i64, AtomicI64;
    u8, AtomicU8; u16, AtomicU16; u32, AtomicU32; u64, AtomicU64;
}

macro_rules! floating {
    ($($type:ty, $atomic:ty;)*) => {$(
        impl Element for $type {
            const NOTHING: Self = 0.0;

            #[inline]
            unsafe fn apply(at: *mut u8, operation: AtomicOperation, operand: Self) -> Self {
                // SAFETY: by the caller.
                let there = unsafe { <$atomic>::from_ptr(at.cast()) };
                let compute = |bits| {
                    let value = <$type>::from_bits(bits);
                    let result = match operation {
                        AtomicOperation::Sum => value + operand,
                        AtomicOperation::Product => value * operand,
                        AtomicOperation::Min => value.min(operand),
                        AtomicOperation::Max => value.max(operand),
                        _ => value,
                    };
                    Some(result.to_bits())
                };
                let bits = match operation {
                    AtomicOperation::Replace => there.swap(operand.to_bits(), BOTH),
                    AtomicOperation::NoOp => there.load(Ordering::Acquire),
                    _ => there.fetch_update(BOTH, Ordering::Acquire, compute).unwrap_or(0),
                };
                Self::from_bits(bits)
            }
        }
    )*};
}

floating! { f32, AtomicU32; f64, AtomicU64; }

/// Two fields of 4 bytes each, as one word; `K` says what they are.
#[repr(transparent)]
struct Pair<K>(u64, PhantomData<K>);

impl<K> Clone for Pair<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Pair<K> {}

/// What pairs of a kind become.
trait Pairs {
    /// What an operation makes of what is there and the operand. One that does not apply leaves it as it is.
    fn combine(operation: AtomicOperation, there: Halves, operand: Halves) -> Halves;
}

type Halves = [[u8; 4]; 2];

fn halves(word: u64) -> Halves {
    let [a, b, c, d, e, f, g, h] = word.to_ne_bytes();
    [[a, b, c, d], [e, f, g, h]]
}

fn word([[a, b, c, d], [e, f, g, h]]: Halves) -> u64 {
    u64::from_ne_bytes([a, b, c, d, e, f, g, h])
}

impl<K: Pairs> Element for Pair<K> {
    const NOTHING: Self = Self(0, PhantomData);

    #[inline]
    unsafe fn apply(at: *mut u8, operation: AtomicOperation, operand: Self) -> Self {
        // SAFETY: by the caller; a pair is as large as the word.
        let there = unsafe { AtomicU64::from_ptr(at.cast()) };
        let combine = |found| Some(word(K::combine(operation, halves(found), halves(operand.0))));
        let found = match operation {
            AtomicOperation::Replace => there.swap(operand.0, BOTH),
            AtomicOperation::NoOp => there.load(Ordering::Acquire),
            _ => there.fetch_update(BOTH, Ordering::Acquire, combine).unwrap_or(0),
        };
        Self(found, PhantomData)
    }
}

/// A value, then its index.
struct Located<V>(PhantomData<V>);

macro_rules! located {
    ($($type:ty),*) => {$(
        impl Pairs for Located<$type> {
            fn combine(operation: AtomicOperation, there: Halves, operand: Halves) -> Halves {
                let [value, other] = [there, operand].map(|pair| <$type>::from_ne_bytes(pair[0]));
                let [index, lower] = [there, operand].map(|pair| u32::from_ne_bytes(pair[1]));
                let order = match operation {
                    AtomicOperation::MaxLoc => other.partial_cmp(&value),
                    AtomicOperation::MinLoc => value.partial_cmp(&other),
                    _ => return there,
                };
                let wins = match order {
                    Some(order) => order.then(index.cmp(&lower)).is_gt(),
                    // What is no number (NaN) loses to each number.
                    None if is_none(&value) && is_none(&other) => lower < index,
                    None => is_none(&value),
                };
                if wins { operand } else { there }
            }
        }
    )*};
}

located! { i32, u32, f32 }

/// Whether it is no number (NaN).
#[inline]
fn is_none<V: PartialOrd>(value: &V) -> bool {
    value.partial_cmp(value).is_none()
}

/// A real part, then an imaginary part.
struct Complex;

impl Pairs for Complex {
    fn combine(operation: AtomicOperation, there: Halves, operand: Halves) -> Halves {
        let ([a, b], [c, d]) = (there.map(f32::from_ne_bytes), operand.map(f32::from_ne_bytes));
        let result = match operation {
            AtomicOperation::Sum => [a + c, b + d],
            AtomicOperation::Product => [a * c - b * d, a * d + b * c],
            _ => return there,
        };
        result.map(f32::to_ne_bytes)
    }
}

/// `count` elements, one after the other.
///
/// # Safety
/// `at` is mapped for them and aligned to one; `operands` is valid for reads of them, unless the operation is an atomic
/// read; `results` is null, or valid for writes of them.
#[inline]
pub unsafe fn apply(
    kind: AtomicKind,
    operation: AtomicOperation,
    at: *mut u8,
    operands: *const u8,
    results: *mut u8,
    count: usize,
) {
    // SAFETY: by the caller, for each type alike.
    unsafe {
        match kind {
            AtomicKind::I8 => each::<i8>(operation, at, operands, results, count),
            AtomicKind::I16 => each::<i16>(operation, at, operands, results, count),
            AtomicKind::I32 => each::<i32>(operation, at, operands, results, count),
            AtomicKind::I64 => each::<i64>(operation, at, operands, results, count),
            AtomicKind::U8 => each::<u8>(operation, at, operands, results, count),
            AtomicKind::U16 => each::<u16>(operation, at, operands, results, count),
            AtomicKind::U32 => each::<u32>(operation, at, operands, results, count),
            AtomicKind::U64 => each::<u64>(operation, at, operands, results, count),
            AtomicKind::F32 => each::<f32>(operation, at, operands, results, count),
            AtomicKind::F64 => each::<f64>(operation, at, operands, results, count),
            AtomicKind::I32Located => each::<Pair<Located<i32>>>(operation, at, operands, results, count),
            AtomicKind::U32Located => each::<Pair<Located<u32>>>(operation, at, operands, results, count),
            AtomicKind::F32Located => each::<Pair<Located<f32>>>(operation, at, operands, results, count),
            AtomicKind::F32Complex => each::<Pair<Complex>>(operation, at, operands, results, count),
        }
    }
}

/// # Safety
/// As for [`apply`].
#[inline]
unsafe fn each<T: Element>(
    operation: AtomicOperation,
    at: *mut u8,
    operands: *const u8,
    results: *mut u8,
    count: usize,
) {
    for number in 0..count {
        // SAFETY: by the caller, each element is there; buffers of the origin need no alignment.
        unsafe {
            let operand = match operation {
                AtomicOperation::NoOp => T::NOTHING,
                _ => operands.cast::<T>().add(number).read_unaligned(),
            };
            let found = T::apply(at.cast::<T>().add(number).cast(), operation, operand);
            if !results.is_null() {
                results.cast::<T>().add(number).write_unaligned(found);
            }
        }
    }
}

/// Replaces an element if it has the bits that are expected; writes what was there.
///
/// # Safety
/// `at` is mapped for an element and aligned to it; the others are valid for reads, or writes, of one.
#[inline]
pub unsafe fn compare_swap(
    bytes: usize,
    at: *mut u8,
    expected: *const u8,
    replacement: *const u8,
    result: *mut u8,
) {
    macro_rules! swap {
        ($type:ty, $atomic:ty) => {
            // SAFETY: by the caller.
            unsafe {
                let (expected, replacement) = (
                    expected.cast::<$type>().read_unaligned(),
                    replacement.cast::<$type>().read_unaligned(),
                );
                let there = <$atomic>::from_ptr(at.cast());
                let (Ok(found) | Err(found)) =
                    there.compare_exchange(expected, replacement, BOTH, Ordering::Acquire);
                result.cast::<$type>().write_unaligned(found);
            }
        };
    }
    match bytes {
        1 => swap!(u8, AtomicU8),
        2 => swap!(u16, AtomicU16),
        4 => swap!(u32, AtomicU32),
        _ => swap!(u64, AtomicU64),
    }
}
