//! Reductions of values: the three of the standard, and the program's own (GASPI 17.1 §11.3, §11.4).

use crate::abi::{Datatype, Failure, Outcome, ReduceFunction, Reduction, Timeout};
use std::ffi::c_void;

/// Combines elements one by one. Integers wrap; of a number and a NaN, the least and the greatest are the number.
pub(crate) fn reduce(reduction: Reduction, datatype: Datatype, left: &[u8], right: &[u8]) -> Vec<u8> {
    macro_rules! each {
        ($type:ty, $add:expr) => {{
            let add: fn($type, $type) -> $type = $add;
            let combine = |(left, right): (&[u8], &[u8])| {
                let read = |bytes: &[u8]| <$type>::from_ne_bytes(bytes.try_into().unwrap_or_default());
                let (left, right) = (read(left), read(right));
                let value = match reduction {
                    Reduction::Min => left.min(right),
                    Reduction::Max => left.max(right),
                    Reduction::Sum => add(left, right),
                };
                value.to_ne_bytes()
            };
            let size = size_of::<$type>();
            left.chunks_exact(size)
                .zip(right.chunks_exact(size))
                .flat_map(combine)
                .collect()
        }};
    }
    match datatype {
        Datatype::Int => each!(i32, i32::wrapping_add),
        Datatype::Uint => each!(u32, u32::wrapping_add),
        Datatype::Long => each!(i64, i64::wrapping_add),
        Datatype::Ulong => each!(u64, u64::wrapping_add),
        Datatype::Float => each!(f32, |left, right| left + right),
        Datatype::Double => each!(f64, |left, right| left + right),
    }
}

/// The program's own reduction.
pub(crate) struct Own {
    function: ReduceFunction,
    state: *mut c_void,
    elements: u32,
    /// Of an element.
    bytes: u64,
    timeout: Timeout,
}

/// Aligned for every type of C.
fn aligned(bytes: &[u8]) -> Vec<u128> {
    let mut words = vec![0_u128; bytes.len().div_ceil(size_of::<u128>())];
    // SAFETY: the words have at least so many bytes, and are not part of `bytes`.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), words.as_mut_ptr().cast(), bytes.len()) };
    words
}

impl Own {
    /// Of so many elements of so many bytes each.
    pub(crate) fn new(
        function: ReduceFunction,
        state: *mut c_void,
        (elements, bytes): (u32, u64),
        timeout: Timeout,
    ) -> Self {
        Self {
            function,
            state,
            elements,
            bytes,
            timeout,
        }
    }

    /// # Errors
    /// What the function returns: TIMEOUT, or ERROR for all else but success.
    pub(crate) fn combine(&self, left: &[u8], right: &[u8]) -> Outcome<Vec<u8>> {
        let (left_words, right_words) = (aligned(left), aligned(right));
        let mut result = vec![0_u128; left_words.len()];
        // SAFETY: the program gave a function that reads so many elements at each of the first two, and writes as many
        // at the third (GASPI 17.1 §11.4).
        let code = unsafe {
            (self.function)(
                left_words.as_ptr().cast(),
                right_words.as_ptr().cast(),
                result.as_mut_ptr().cast(),
                self.state,
                self.elements,
                self.bytes,
                self.timeout,
            )
        };
        match code {
            0 => {}
            1 => return Err(Failure::TIMEOUT),
            _ => return Err(Failure::ERROR),
        }
        // SAFETY: the words have at least so many bytes.
        Ok(unsafe { std::slice::from_raw_parts(result.as_ptr().cast(), left.len()) }.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<const N: usize>(values: [[u8; N]; 2]) -> Vec<u8> {
        values.concat()
    }

    #[test]
    fn elements_are_combined_by_their_types() {
        let left = of([(-1_i32).to_ne_bytes(), 5_i32.to_ne_bytes()]);
        let right = of([1_i32.to_ne_bytes(), i32::MAX.to_ne_bytes()]);
        let both = |reduction, datatype| reduce(reduction, datatype, &left, &right);
        assert_eq!(
            both(Reduction::Min, Datatype::Int),
            of([(-1_i32).to_ne_bytes(), 5_i32.to_ne_bytes()])
        );
        // The same bytes without a sign.
        assert_eq!(
            both(Reduction::Min, Datatype::Uint),
            of([1_i32.to_ne_bytes(), 5_i32.to_ne_bytes()])
        );
        assert_eq!(
            both(Reduction::Sum, Datatype::Int),
            of([0_i32.to_ne_bytes(), (i32::MIN + 4).to_ne_bytes()])
        );
        let (left, right) = (1.5_f64.to_ne_bytes(), 2.25_f64.to_ne_bytes());
        assert_eq!(
            reduce(Reduction::Sum, Datatype::Double, &left, &right),
            3.75_f64.to_ne_bytes()
        );
        assert_eq!(reduce(Reduction::Max, Datatype::Double, &left, &right), right);
    }
}
