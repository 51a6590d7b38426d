//! Types that can be transferred, and types of reductions and of atomic operations.

#[cfg(feature = "num-complex")]
mod complex;
mod located;

use crate::{Error, Operation, Result};
use farside_fabric::AtomicKind;
pub use located::Located;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

/// Plain data: every pattern of bits is a value, and there is nothing but bits. Only such types cross the network.
///
/// Numbers, arrays of them, and structs that derive it; size 0 and alignments above 64 are refused. It is
/// `bytemuck::Pod`; a program that does not depend on `bytemuck` says where it is:
///
/// ```
/// use farside::{Plain, Zeroable};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Plain, Zeroable)]
/// #[bytemuck(crate = "farside::bytemuck")]
/// #[repr(C)]
/// struct Particle {
///     place: [f64; 3],
///     charge: f64,
/// }
///
/// farside::simulate(2, |world| {
///     let mut window = farside::Window::<Particle>::allocate(world, 1)?;
///     let mine = [Particle { place: [1.0, 2.0, 3.0], charge: f64::from(world.rank()) }];
///     window.fence(|epoch| epoch.put(&mine, 1 - world.rank(), 0))?;
///     assert_eq!(window.local()?[0].charge, f64::from(1 - world.rank()));
///     window.free()
/// })?;
/// # Ok::<(), farside::Error>(())
/// ```
pub use bytemuck::Pod as Plain;

mod sealed {
    pub trait Sealed {}
}

/// What reductions combine (MPI-4.1 §6.9.2: the predefined datatypes).
///
/// Implemented for each [`Element`], for [`Located`] pairs of 16 bytes and, with the feature `num-complex`, for
/// `Complex<f64>`; not to be implemented elsewhere. Other types: [`Group::reduce_with`](crate::Group::reduce_with).
pub trait Combine: Plain + PartialEq + std::fmt::Debug + sealed::Sealed {
    /// What an operation makes of `value` and `operand`. Whole numbers wrap. Operations that the type
    /// lacks leave the `value` as it is; calls refuse them before.
    #[must_use]
    fn combine(operation: Operation, value: Self, operand: Self) -> Self;

    /// Whether the operation exists for the type.
    #[must_use]
    fn has(operation: Operation) -> bool;
}

/// What [`accumulate`](crate::Epoch::accumulate) combines at a target: each [`Element`], by each operation that it has,
/// and types of several elements, by those operations that come to the same when each element is changed by itself.
///
/// These types are `Complex<f64>` (feature `num-complex`), by [`Operation::Sum`]: all sums arrive, and who reads while
/// they do may see one part of a sum without the other. What is read and written as one is refused, by the types:
/// `get_accumulate`, `fetch_and_op`, `compare_and_swap`.
pub trait Accumulate: Combine {
    /// What the transport calls an element of it.
    const KIND: AtomicKind;

    /// Elements of it.
    const PARTS: usize;

    /// Whether targets combine by the operation.
    #[must_use]
    fn accumulates(operation: Operation) -> bool;
}

/// Numbers on which targets operate atomically (MPI-4.1 §12.3.4: the predefined datatypes).
///
/// Implemented for `i8` to `i64`, `u8` to `u64`, `isize`, `usize`, `f32`, `f64`, [`Located`] pairs of 8 bytes and, with
/// the feature `num-complex`, for `Complex<f32>`; not to be implemented elsewhere.
pub trait Element: Accumulate {
    /// Loads atomically, with acquire ordering.
    ///
    /// # Safety
    /// `place` is aligned to its size and valid, and written by atomic accesses of this size, or from outside of this
    /// process, only.
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
pub(crate) fn check<T: Combine>(operation: Operation) -> Result<()> {
    if T::has(operation) {
        return Ok(());
    }
    Err(refused(operation, std::any::type_name::<T>()))
}

/// Whether targets combine the type by the operation, as an error if not.
#[inline]
pub(crate) fn check_accumulated<T: Accumulate>(operation: Operation) -> Result<()> {
    check::<T>(operation)?;
    if T::accumulates(operation) {
        return Ok(());
    }
    Err(Error::Unsupported {
        what: "an operation that targets cannot do as one",
        reason: format!(
            "{operation:?} changes a {} as a whole, which is longer than what processors change at a time",
            std::any::type_name::<T>()
        ),
    })
}

#[cold]
fn refused(operation: Operation, element: &str) -> Error {
    Error::Unsupported {
        what: "an operation that does not exist for the type",
        reason: match operation {
            Operation::MaxLoc | Operation::MinLoc => {
                format!("{operation:?} is for `Located` pairs, not for {element} (MPI-4.1 §6.9.4)")
            }
            _ => format!("{operation:?} is not for {element} (MPI-4.1 §6.9.2)"),
        },
    }
}

/// A type that targets change as one, as the bits of an atomic type of its size.
macro_rules! as_one {
    ($type:ty, $kind:ident, $atomic:ty) => {
        impl $crate::element::Accumulate for $type {
            const KIND: farside_fabric::AtomicKind = farside_fabric::AtomicKind::$kind;
            const PARTS: usize = 1;

            #[inline]
            fn accumulates(operation: $crate::Operation) -> bool {
                operation.applies_to(Self::KIND)
            }
        }

        impl $crate::element::Element for $type {
            #[inline]
            unsafe fn load(place: *const Self) -> Self {
                // SAFETY: the caller promises a valid place, aligned to its size, which the atomic type has too.
                let bits = unsafe { (*place.cast::<$atomic>()).load(std::sync::atomic::Ordering::Acquire) };
                bytemuck::cast(bits)
            }

            #[inline]
            unsafe fn store(place: *mut Self, value: Self) {
                let bits = bytemuck::cast(value);
                // SAFETY: the caller promises a valid place, aligned to its size, which the atomic type has too.
                unsafe { (*place.cast::<$atomic>()).store(bits, std::sync::atomic::Ordering::Release) };
            }
        }
    };
}

use as_one;

macro_rules! number {
    ($type:ty, $kind:ident, $atomic:ty, $combine:expr) => {
        impl sealed::Sealed for $type {}

        impl Combine for $type {
            #[inline]
            fn combine(operation: Operation, value: Self, operand: Self) -> Self {
                let combine: fn(Operation, Self, Self) -> Self = $combine;
                combine(operation, value, operand)
            }

            #[inline]
            fn has(operation: Operation) -> bool {
                operation.applies_to(Self::KIND)
            }
        }

        as_one!($type, $kind, $atomic);
    };
}

macro_rules! whole {
    ($type:ty, $kind:ident, $atomic:ty) => {
        number!(
            $type,
            $kind,
            $atomic,
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
                Operation::MaxLoc | Operation::MinLoc => value,
            }
        );
    };
}

macro_rules! floating {
    ($type:ty, $kind:ident, $atomic:ty) => {
        number!(
            $type,
            $kind,
            $atomic,
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

whole!(i8, I8, AtomicU8);
whole!(i16, I16, AtomicU16);
whole!(i32, I32, AtomicU32);
whole!(i64, I64, AtomicU64);
whole!(isize, I64, AtomicU64);
whole!(u8, U8, AtomicU8);
whole!(u16, U16, AtomicU16);
whole!(u32, U32, AtomicU32);
whole!(u64, U64, AtomicU64);
whole!(usize, U64, AtomicU64);
floating!(f32, F32, AtomicU32);
floating!(f64, F64, AtomicU64);

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
                Operation::MaxLoc
                    | Operation::MinLoc
                    | Operation::And
                    | Operation::Or
                    | Operation::Xor
                    | Operation::LogicalAnd
                    | Operation::LogicalOr
                    | Operation::LogicalXor
            );
            assert_eq!(check::<f64>(operation).is_err(), whole, "{operation:?}");
            let pairs = matches!(operation, Operation::MaxLoc | Operation::MinLoc);
            assert_eq!(check::<i16>(operation).is_err(), pairs, "{operation:?}");
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
