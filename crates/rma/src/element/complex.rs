//! Complex numbers (MPI-4.1 §6.9.2: sums and products).

use super::sealed::Sealed;
use super::{Accumulate, Combine, as_one};
use crate::Operation;
use farside_fabric::AtomicKind;
use num_complex::Complex;
use std::sync::atomic::AtomicU64;

macro_rules! complex {
    ($($type:ty),*) => {$(
        impl Sealed for Complex<$type> {}

        impl Combine for Complex<$type> {
            #[inline]
            fn combine(operation: Operation, value: Self, operand: Self) -> Self {
                match operation {
                    Operation::Replace => operand,
                    Operation::Sum => value + operand,
                    Operation::Product => value * operand,
                    _ => value,
                }
            }

            #[inline]
            fn has(operation: Operation) -> bool {
                use Operation::{NoOp, Product, Replace, Sum};
                matches!(operation, Replace | NoOp | Sum | Product)
            }
        }
    )*};
}

complex! { f32, f64 }

as_one!(Complex<f32>, F32Complex, AtomicU64);

/// Part by part: a sum is the sums of its parts.
impl Accumulate for Complex<f64> {
    const KIND: AtomicKind = AtomicKind::F64;
    const PARTS: usize = 2;

    #[inline]
    fn accumulates(operation: Operation) -> bool {
        operation == Operation::Sum
    }
}
