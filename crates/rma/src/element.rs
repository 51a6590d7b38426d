//! Types that can be transferred, and types of atomic operations.

use crate::{Error, Operation, Result};
use farside_fabric::AtomicKind;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// Plain data: every pattern of bits is a value, and there is nothing but bits. Only such types cross the network.
///
/// Numbers, arrays of them, and structs that derive `bytemuck::Pod`. Size 0 and alignments above 64 are refused.
pub use bytemuck::Pod as Plain;

mod sealed {
    pub trait Sealed {}
}

/// Numbers on which targets operate atomically (MPI-4.1 §12.3.4: the predefined datatypes).
///
/// Implemented for `i8` to `i64`, `u8` to `u64`, `isize`, `usize`, `f32` and `f64`; not to be implemented elsewhere.
pub trait Element: Plain + PartialOrd + std::fmt::Debug + sealed::Sealed {
    /// What the transport calls it.
    const KIND: AtomicKind;

    /// What an operation makes of `value` and `operand`. Whole numbers wrap. Bitwise and logical operations leave the
    /// `value` of a floating-point type as it is; calls refuse them before.
    #[must_use]
    fn combine(operation: Operation, value: Self, operand: Self) -> Self;

    /// Loads atomically, with acquire ordering.
    ///
    /// # Safety
    /// `place` is aligned and valid, and written by atomic accesses of this size, or from outside of this process,
    /// only.
    #[doc(hidden)]
    unsafe fn load(place: *const Self) -> Self;

    /// Stores atomically, with release ordering.
    ///
    /// # Safety
    /// As for `load`.
    #[doc(hidden)]
    unsafe fn store(place: *mut Self, value: Self);
}

/// Whether the operation exists for the type, as an error if not.
#[inline]
pub(crate) fn check<T: Element>(operation: Operation) -> Result<()> {
    if operation.applies_to(T::KIND) {
        return Ok(());
    }
    Err(refused(operation))
}

#[cold]
fn refused(operation: Operation) -> Error {
    Error::Unsupported {
        what: "a bitwise or logical operation on a floating-point type",
        reason: format!("{operation:?} is for whole numbers (MPI-4.1 §6.9.2)"),
    }
}

macro_rules! element {
    ($type:ty, $kind:ident, $atomic:ty, $bits:ty, $combine:expr) => {
        impl sealed::Sealed for $type {}

        impl Element for $type {
            const KIND: AtomicKind = AtomicKind::$kind;

            #[inline]
            fn combine(operation: Operation, value: Self, operand: Self) -> Self {
                let combine: fn(Operation, Self, Self) -> Self = $combine;
                combine(operation, value, operand)
            }

            #[inline]
            unsafe fn load(place: *const Self) -> Self {
                // SAFETY: the caller promises an aligned, valid place; the atomic type has the same size and alignment.
                let bits = unsafe { (*place.cast::<$atomic>()).load(Ordering::Acquire) };
                bytemuck::cast(bits)
            }

            #[inline]
            unsafe fn store(place: *mut Self, value: Self) {
                let bits: $bits = bytemuck::cast(value);
                // SAFETY: the caller promises an aligned, valid place; the atomic type has the same size and alignment.
                unsafe { (*place.cast::<$atomic>()).store(bits, Ordering::Release) };
            }
        }
    };
}

macro_rules! whole {
    ($type:ty, $kind:ident, $atomic:ty, $bits:ty) => {
        element!(
            $type,
            $kind,
            $atomic,
            $bits,
            |operation, value, operand| match operation {
                Operation::Replace => operand,
                Operation::NoOp => value,
                Operation::Sum => value.wrapping_add(operand),
                Operation::Product => value.wrapping_mul(operand),
                Operation::Min => value.min(operand),
                Operation::Max => value.max(operand),
                Operation::And => value & operand,
                Operation::Or => value | operand,
                Operation::Xor => value ^ operand,
                Operation::LogicalAnd => (value != 0 && operand != 0).into(),
                Operation::LogicalOr => (value != 0 || operand != 0).into(),
                Operation::LogicalXor => ((value != 0) != (operand != 0)).into(),
            }
        );
    };
}

macro_rules! floating {
    ($type:ty, $kind:ident, $atomic:ty, $bits:ty) => {
        element!(
            $type,
            $kind,
            $atomic,
            $bits,
            |operation, value, operand| match operation {
                Operation::Replace => operand,
                Operation::Sum => value + operand,
                Operation::Product => value * operand,
                Operation::Min => value.min(operand),
                Operation::Max => value.max(operand),
                _ => value,
            }
        );
    };
}

whole!(i8, I8, AtomicU8, u8);
whole!(i16, I16, AtomicU16, u16);
whole!(i32, I32, AtomicU32, u32);
whole!(i64, I64, AtomicU64, u64);
whole!(u8, U8, AtomicU8, u8);
whole!(u16, U16, AtomicU16, u16);
whole!(u32, U32, AtomicU32, u32);
whole!(u64, U64, AtomicU64, u64);
#[cfg(target_pointer_width = "64")]
whole!(isize, I64, AtomicU64, u64);
#[cfg(target_pointer_width = "64")]
whole!(usize, U64, AtomicU64, u64);
#[cfg(target_pointer_width = "32")]
whole!(isize, I32, AtomicU32, u32);
#[cfg(target_pointer_width = "32")]
whole!(usize, U32, AtomicU32, u32);
floating!(f32, F32, AtomicU32, u32);
floating!(f64, F64, AtomicU64, u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_wrap_and_bits_combine() {
        assert_eq!(u8::combine(Operation::Sum, 250, 10), 4);
        assert_eq!(i8::combine(Operation::Product, 64, 2), -128);
        assert_eq!(i32::combine(Operation::Min, -3, 2), -3);
        assert_eq!(u16::combine(Operation::Xor, 0b1100, 0b1010), 0b0110);
        assert_eq!(u64::combine(Operation::Replace, 1, 2), 2);
        assert_eq!(u64::combine(Operation::NoOp, 1, 2), 1);
    }

    /// The tables of truth; a number other than 0 is true, and true is 1 (MPI-4.1 §6.9.2).
    #[test]
    fn logical_operations_have_their_tables() {
        let tables = [
            (Operation::LogicalAnd, [0, 0, 0, 1]),
            (Operation::LogicalOr, [0, 1, 1, 1]),
            (Operation::LogicalXor, [0, 1, 1, 0]),
        ];
        for (operation, table) in tables {
            let rows = [(0, 0), (0, 4), (-2, 0), (-2, 4)];
            assert_eq!(
                rows.map(|(a, b)| i32::combine(operation, a, b)),
                table,
                "{operation:?}"
            );
        }
    }

    #[test]
    fn operations_on_bits_and_truth_of_floating_point_are_refused() {
        for operation in Operation::ALL {
            let whole = matches!(
                operation,
                Operation::And
                    | Operation::Or
                    | Operation::Xor
                    | Operation::LogicalAnd
                    | Operation::LogicalOr
                    | Operation::LogicalXor
            );
            assert_eq!(check::<f64>(operation).is_err(), whole, "{operation:?}");
            assert!(check::<i16>(operation).is_ok());
        }
    }

    #[test]
    fn loads_and_stores_keep_the_bits() {
        let mut place = 0f64;
        // SAFETY: the place is a local variable that nobody else touches.
        unsafe {
            f64::store(&raw mut place, -0.5);
            assert_eq!(f64::load(&raw const place), -0.5);
        }
    }
}
