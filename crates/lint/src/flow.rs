//! How steps and calls go.

use crate::value::Scalar;

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It went on.
    Went,
    /// It went on, and waits for others: they should have their turn.
    Yielded,
    /// It cannot go on yet.
    Blocked,
}

/// It returned zero, which means success where it means anything.
pub(crate) const NOTHING: Flow = Flow::Return(Scalar::known(0));

/// How a function outside the module went.
#[derive(Clone, Debug)]
pub(crate) enum Flow {
    /// It returned.
    Return(Scalar),
    /// It returned a structure of two values in registers.
    Pair(Scalar, Scalar),
    /// It returned, after asking for something that others may bring.
    Poll(Scalar),
    /// It waits.
    Block,
    /// It has begun; the others have their turn before it is asked again.
    Again,
    /// It called a function of the module, which now runs; afterwards it is asked again.
    Entered,
    /// It threw an exception.
    Thrown,
    /// The thread or process is no more.
    Ended,
}

impl Flow {
    /// The same with another result, if it returned.
    pub(crate) fn map_return(self, value: u64) -> Self {
        match self {
            Self::Return(_) => Self::Return(Scalar::known(value)),
            other => other,
        }
    }
}
