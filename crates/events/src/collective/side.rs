//! The buffers of collective calls, as their arguments describe them.

/// How many elements each part of a buffer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// This argument, for each part.
    Each(usize),
    /// Given by an array, this argument.
    Array(usize),
}

/// Where the parts of a buffer lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// One after the other.
    Packed,
    /// At an array of displacements, in elements.
    Elements(usize),
    /// In bytes, as `int` (`MPI_Aint` in forms with large counts).
    Bytes(usize),
    /// In bytes, as `MPI_Aint`.
    Addresses(usize),
}

/// The datatypes of the parts of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// This argument, for all.
    One(usize),
    /// Given by an array, this argument.
    Array(usize),
}

/// One of the two buffers of a call: the argument of its address, and how its parts are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The types say it.
pub struct Side {
    pub base: usize,
    pub counts: Counts,
    pub spread: Spread,
    pub types: Types,
}

impl Side {
    /// `(buffer, count, datatype)`.
    pub const fn packed(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Each(base + 1),
            spread: Spread::Packed,
            types: Types::One(base + 2),
        }
    }

    /// `(buffer, counts, displacements, datatype)`.
    pub const fn vector(base: usize) -> Self {
        Self {
            base,
            counts: Counts::Array(base + 1),
            spread: Spread::Elements(base + 2),
            types: Types::One(base + 3),
        }
    }

    /// `(buffer, counts, displacements in bytes, datatypes)`, where [`Spread::Bytes`] or [`Spread::Addresses`] says
    /// what the displacements are.
    pub const fn general(base: usize, spread: Spread) -> Self {
        Self {
            base,
            counts: Counts::Array(base + 1),
            spread,
            types: Types::Array(base + 3),
        }
    }

    /// How many arguments describe it.
    pub(super) const fn arguments(self) -> usize {
        match self.counts {
            Counts::Each(_) => 3,
            Counts::Array(_) => 4,
        }
    }
}
