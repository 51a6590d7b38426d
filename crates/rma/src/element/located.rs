//! Values with their index, for the greatest or smallest and where it is (MPI-4.1 §6.9.4).

use super::sealed::Sealed;
use super::{Combine, as_one};
use crate::Operation;
use bytemuck::{Pod, Zeroable};
use std::sync::atomic::AtomicU64;

/// A value and its index, on which [`Operation::MaxLoc`] and [`Operation::MinLoc`] operate (MPI-4.1 §6.9.4).
///
/// Of equal values that with the lower index is taken; what is no number (NaN) loses to each number.
///
/// Reductions combine pairs of an `i32`, `u32` or `f32` and a `u32`, and of an `i64`, `u64` or `f64` and a `u64`. The
/// former are [elements](crate::Element) too: they have 8 bytes, which targets change as one. The latter have 16, which
/// processors and transports do not all change as one: an `accumulate` of them does not compile.
///
/// ```
/// use farside::{Located, Operation};
/// farside::simulate(3, |world| {
///     let error = [0.5, 2.0, 0.25][world.rank() as usize];
///     let mut greatest = [Located::new(error, u64::from(world.rank()))];
///     world.allreduce(Operation::MaxLoc, &mut greatest)?;
///     assert_eq!(greatest, [Located::new(2.0, 1)]);
///     Ok(())
/// })?;
/// # Ok::<(), farside::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(C, align(8))]
pub struct Located<V, I = u32> {
    /// The value.
    pub value: V,
    /// Where it is.
    pub index: I,
}

impl<V, I> Located<V, I> {
    /// A value that is at an index.
    #[must_use]
    pub const fn new(value: V, index: I) -> Self {
        Self { value, index }
    }
}

impl<V: PartialOrd, I: Ord> Located<V, I> {
    /// The one with the greater value by an order of values; that with the lower index if they are equal. A value that
    /// is no number (NaN) loses.
    fn best(self, other: Self, greater: impl Fn(&V, &V) -> bool) -> Self {
        let none = |value: &V| value.partial_cmp(value).is_none();
        let takes = match (none(&self.value), none(&other.value)) {
            (true, false) => true,
            (false, true) => false,
            _ if greater(&other.value, &self.value) => true,
            _ => !greater(&self.value, &other.value) && other.index < self.index,
        };
        if takes { other } else { self }
    }
}

macro_rules! located {
    ($($type:ty, $index:ty;)*) => {$(
        // SAFETY: all zeros are a value and an index.
        unsafe impl Zeroable for Located<$type, $index> {}

        // SAFETY: two fields of the same size, which is half of that of the type, so without padding; both plain data.
        unsafe impl Pod for Located<$type, $index> {}

        const _: () = assert!(size_of::<Located<$type, $index>>() == size_of::<$type>() + size_of::<$index>());

        impl Sealed for Located<$type, $index> {}

        impl Combine for Located<$type, $index> {
            #[inline]
            fn combine(operation: Operation, value: Self, operand: Self) -> Self {
                match operation {
                    Operation::Replace => operand,
                    Operation::MaxLoc => value.best(operand, |a, b| a > b),
                    Operation::MinLoc => value.best(operand, |a, b| a < b),
                    _ => value,
                }
            }

            #[inline]
            fn has(operation: Operation) -> bool {
                use Operation::{MaxLoc, MinLoc, NoOp, Replace};
                matches!(operation, Replace | NoOp | MaxLoc | MinLoc)
            }
        }
    )*};
}

located! { i32, u32; u32, u32; f32, u32; i64, u64; u64, u64; f64, u64; }
as_one!(Located<i32>, I32Located, AtomicU64);
as_one!(Located<u32>, U32Located, AtomicU64);
as_one!(Located<f32>, F32Located, AtomicU64);
