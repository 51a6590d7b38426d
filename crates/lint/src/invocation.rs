//! A call of MPI by a simulated process: its procedure, and its arguments in the C binding.

use crate::value::Scalar;
use farside_calls::mpi::Procedure;
use farside_calls::signature::Role;
use std::ops::Index;

/// No procedure that is followed has more arguments.
const MOST: usize = 13;

/// A call. Arguments are found by their roles, or by their places where the table has no roles.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    procedure: Procedure,
    arguments: [Scalar; MOST],
    /// Whether it is the form with large counts (MPI-4.1 §2.5.8), which means the same with wider numbers.
    large: bool,
}

impl Invocation {
    /// A call with these arguments; a call with too few of them is not MPI's, and is given zeros.
    pub(crate) fn new(procedure: Procedure, large: bool, given: &[Scalar]) -> Self {
        let mut arguments = [Scalar::default(); MOST];
        let count = given.len().min(MOST);
        arguments[..count].copy_from_slice(&given[..count]);
        Self {
            procedure,
            arguments,
            large,
        }
    }

    pub(crate) fn procedure(&self) -> Procedure {
        self.procedure
    }

    /// The name in C, of the form without large counts.
    pub(crate) fn name(&self) -> &'static str {
        self.procedure.name()
    }

    /// An argument or element of an array that is a count or displacement: `int`, or `MPI_Count` and `MPI_Aint`.
    pub(crate) fn number(&self, value: Scalar) -> i64 {
        if self.large {
            value.bits as i64
        } else {
            i64::from(value.signed32())
        }
    }

    /// Bytes of a count.
    pub(crate) fn number_width(&self) -> u64 {
        if self.large { 8 } else { 4 }
    }

    /// Whether an argument plays this role.
    pub(crate) fn has(&self, role: Role) -> bool {
        self.procedure.signature().has(role)
    }
}

impl Index<usize> for Invocation {
    type Output = Scalar;

    fn index(&self, place: usize) -> &Scalar {
        &self.arguments[place]
    }
}

impl Index<Role> for Invocation {
    type Output = Scalar;

    fn index(&self, role: Role) -> &Scalar {
        let place = self.procedure.signature().place(role);
        &self.arguments[place.expect("the call has this role")]
    }
}
