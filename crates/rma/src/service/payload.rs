//! What requests and replies carry: one value, or any number of values.

use crate::message::to_values;
use crate::{Error, Plain, Result};
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// What a request or a reply of a [`Service`](crate::Service) is: a [`Plain`] value, such as `u64`, `[f64; 3]`, `()` or
/// a struct of the program's; or [`Values<T>`], any number of them.
pub trait Payload: sealed::Sealed + 'static {
    /// What a caller gives: a value, or a slice.
    type Given<'a>;
    /// What is taken at the other side: a value, or a vector.
    type Taken: 'static;
    #[doc(hidden)]
    fn write(given: Self::Given<'_>, bytes: &mut Vec<u8>);
    #[doc(hidden)]
    fn give(taken: &Self::Taken) -> Self::Given<'_>;
    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Result<Self::Taken>;
}

/// Any number of values of a type, up to [`LIMIT`](crate::Service::LIMIT) bytes: given as a slice, taken as a vector.
/// It names a [`Payload`]; there is no value of it.
pub struct Values<T>(PhantomData<T>);

impl<T: Plain> sealed::Sealed for T {}
impl<T: Plain> sealed::Sealed for Values<T> {}

impl<T: Plain> Payload for T {
    type Given<'a> = T;
    type Taken = T;

    fn write(given: T, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(bytemuck::bytes_of(&given));
    }

    fn give(taken: &T) -> T {
        *taken
    }

    fn read(bytes: &[u8]) -> Result<T> {
        bytemuck::try_pod_read_unaligned(bytes).map_err(|_| Error::Length {
            what: "bytes of a message of a service",
            expected: size_of::<T>(),
            found: bytes.len(),
        })
    }
}

impl<T: Plain> Payload for Values<T> {
    type Given<'a> = &'a [T];
    type Taken = Vec<T>;

    fn write(given: &[T], bytes: &mut Vec<u8>) {
        const { assert!(size_of::<T>() > 0, "elements of a message have a size") }
        bytes.extend_from_slice(bytemuck::cast_slice(given));
    }

    fn give(taken: &Vec<T>) -> &[T] {
        taken
    }

    fn read(bytes: &[u8]) -> Result<Vec<T>> {
        to_values(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through<P: Payload>(given: P::Given<'_>) -> Result<P::Taken> {
        let mut bytes = vec![1]; // what follows is not aligned
        P::write(given, &mut bytes);
        P::read(&bytes[1..])
    }

    #[test]
    fn values_come_as_they_were_given() {
        assert_eq!(through::<u64>(7), Ok(7));
        assert_eq!(through::<()>(()), Ok(()));
        assert_eq!(through::<[u32; 3]>([1, 2, 3]), Ok([1, 2, 3]));
        assert_eq!(through::<Values<u64>>(&[1, 2]), Ok(vec![1, 2]));
        assert_eq!(through::<Values<u64>>(&[]), Ok(vec![]));
    }

    #[test]
    fn bytes_of_another_length_are_refused() {
        assert!(matches!(
            u64::read(&[0; 7]),
            Err(Error::Length {
                expected: 8,
                found: 7,
                ..
            })
        ));
        assert!(Values::<u64>::read(&[0; 9]).is_err());
    }
}
