//! The two buffers of a collective call, part by part (MPI-4.1 chapter 6).

use crate::arguments::Arguments;
use crate::datatype::{Datatype, Elements};
use crate::signature::{Kind, Role, Signature};
use std::sync::Arc;

/// One of the two buffers of a call, by the roles of the arguments that describe its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The types say it.
pub struct Side {
    pub buffer: Role,
    pub counts: Counts,
    pub spread: Spread,
    pub types: Types,
}

/// How many elements each part of a buffer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// This argument, for each part.
    Each(Role),
    /// Given by an array, this argument.
    Array(Role),
}

/// Where the parts of a buffer lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// One after the other.
    Packed,
    /// At an array of displacements, in elements.
    Elements(Role),
    /// In bytes, as `int` (`MPI_Aint` in forms with large counts).
    Bytes(Role),
    /// In bytes, as `MPI_Aint`.
    Addresses(Role),
}

/// The datatypes of the parts of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// This argument, for all.
    One(Role),
    /// Given by an array, this argument.
    Array(Role),
}

impl Side {
    /// The buffer that a call with this signature takes from the process.
    pub fn sent(signature: &Signature) -> Self {
        Self::of(
            signature,
            Role::SendBuffer,
            Role::SendCount,
            Role::SendDisplacements,
            Role::SendType,
        )
    }

    /// The buffer in which the process gets something.
    pub fn received(signature: &Signature) -> Self {
        Self::of(
            signature,
            Role::ReceiveBuffer,
            Role::ReceiveCount,
            Role::ReceiveDisplacements,
            Role::ReceiveType,
        )
    }

    fn of(signature: &Signature, buffer: Role, count: Role, displacements: Role, datatype: Role) -> Self {
        let is_array = |role| signature.parameter(role).is_some_and(|parameter| parameter.array);
        let spread = match signature.parameter(displacements) {
            None => Spread::Packed,
            Some(_) if !is_array(datatype) => Spread::Elements(displacements),
            Some(parameter) if parameter.kind == Kind::Address => Spread::Addresses(displacements),
            Some(_) => Spread::Bytes(displacements),
        };
        Self {
            buffer,
            counts: if is_array(count) {
                Counts::Array(count)
            } else {
                Counts::Each(count)
            },
            spread,
            types: if is_array(datatype) {
                Types::Array(datatype)
            } else {
                Types::One(datatype)
            },
        }
    }

    /// Whether all parts have the same number of elements of the same type.
    pub fn is_uniform(&self) -> bool {
        matches!((self.counts, self.types), (Counts::Each(_), Types::One(_)))
    }

    /// Whether the call gives `MPI_IN_PLACE` for this buffer.
    pub(super) fn is_in_place<A: Arguments>(&self, call: &A) -> bool {
        call.is_in_place(self.buffer)
    }

    /// Part `k`; `None` if its datatype is not known.
    pub(super) fn part<A: Arguments>(&self, call: &mut A, k: usize) -> Option<Elements> {
        let (count, datatype) = (self.count(call, k), self.datatype(call, k)?);
        let extent = datatype.map().extent;
        let offset = match self.spread {
            Spread::Packed => (k as i64).wrapping_mul(count).wrapping_mul(extent),
            Spread::Elements(role) => call.element_count(role, k).wrapping_mul(extent),
            Spread::Bytes(role) => call.element_count(role, k),
            Spread::Addresses(role) => call.element_aint(role, k),
        };
        Some(Elements {
            address: call.address(self.buffer).wrapping_add_signed(offset),
            count,
            datatype,
        })
    }

    /// Whether part `k` has data.
    pub(super) fn moves<A: Arguments>(&self, call: &mut A, k: usize) -> bool {
        self.count(call, k) > 0 && self.datatype(call, k).is_some_and(|datatype| datatype.size() > 0)
    }

    fn count<A: Arguments>(&self, call: &A, k: usize) -> i64 {
        match self.counts {
            Counts::Each(role) => call.count(role),
            Counts::Array(role) => call.element_count(role, k),
        }
    }

    fn datatype<A: Arguments>(&self, call: &mut A, k: usize) -> Option<Arc<Datatype>> {
        match self.types {
            Types::One(role) => call.datatype(role),
            Types::Array(role) => call.element_datatype(role, k),
        }
    }
}
