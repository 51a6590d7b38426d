//! Datatypes with an identity, and elements of them in memory.

use super::kind::Kind;
use super::shape::Shape;
use farside_events::{Buffer, TypeId, TypeMap};
use std::sync::Arc;

/// What a process knows of a datatype.
#[derive(Clone, Debug)]
pub struct Datatype {
    id: TypeId,
    shape: Shape,
    size: u64,
    /// First data byte and end of the last, from the address of an element.
    data: (i64, i64),
    kinds: Vec<Kind>,
}

/// Elements in memory, as a call names them.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Where they are.
    pub address: u64,
    /// How many, as the program says; MPI refuses a negative number.
    pub count: i64,
    /// Of which type.
    pub datatype: Arc<Datatype>,
}

impl Datatype {
    /// The datatype of this identity.
    pub fn new(id: TypeId, shape: Shape) -> Self {
        Self {
            id,
            size: shape.map.size(),
            data: shape.data().unwrap_or((0, 0)),
            kinds: Kind::all_of(&shape.map),
            shape,
        }
    }

    /// The kinds of basic types that its data are of, each once.
    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Its identity.
    pub fn id(&self) -> TypeId {
        self.id
    }

    /// One element.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The data of one element.
    pub fn map(&self) -> &TypeMap {
        &self.shape.map
    }

    /// First data byte and end of the last, from the address of an element: what MPI calls true lower and upper bound
    /// (MPI-4.1 §5.1.8).
    pub fn true_bounds(&self) -> (i64, i64) {
        self.data
    }

    /// Bytes of data in one element.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether the data of one element is one piece, which begins at its address.
    pub fn is_one_piece(&self) -> bool {
        self.data.0 == 0 && u64::try_from(self.data.1) == Ok(self.size)
    }
}

impl Elements {
    /// So many elements; none if the number is negative.
    pub fn number(&self) -> u64 {
        u64::try_from(self.count).unwrap_or(0)
    }

    /// Whether they have data.
    pub fn moves(&self) -> bool {
        self.count > 0 && self.datatype.size > 0
    }

    /// Whether it is one element of at most 8 bytes in one piece, whose value an event can hold.
    pub fn is_single(&self) -> bool {
        let small = (1..=8).contains(&self.datatype.size) && self.datatype.is_one_piece();
        self.count == 1 && self.address != 0 && small
    }

    /// The bytes of all, if they are one piece.
    pub fn one_piece(&self) -> Option<u64> {
        let mut pieces = self.pieces();
        match (pieces.next(), pieces.next()) {
            (Some((_, length)), None) if self.address != 0 && length > 0 => Some(length),
            _ => None,
        }
    }

    /// As much, elsewhere.
    pub fn at(&self, address: u64) -> Self {
        Self {
            address,
            ..self.clone()
        }
    }

    /// As an event says it.
    pub fn buffer(&self) -> Buffer {
        Buffer {
            address: self.address,
            datatype: self.datatype.id,
            count: self.count.cast_unsigned(),
        }
    }

    /// The smallest range that holds all data: address and length.
    pub fn span(&self) -> (u64, u64) {
        if !self.moves() {
            return (self.address, 0);
        }
        let last = (self.count - 1).wrapping_mul(self.datatype.map().extent);
        let (first, end) = self.datatype.data;
        let start = self.address.wrapping_add_signed(first + last.min(0));
        (start, (end + last.max(0) - first - last.min(0)).cast_unsigned())
    }

    /// Address and length of every contiguous piece, in the order of the type map.
    pub fn pieces(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let map = self.datatype.map();
        let dense =
            matches!(&map.blocks[..], [block] if block.count == 1 && block.length as i64 == map.extent);
        let (elements, times) = match dense {
            true => (self.number().min(1), self.number()),
            false => (self.number(), 1),
        };
        (0..elements).flat_map(move |element| {
            map.blocks.iter().flat_map(move |block| {
                let first = (element as i64)
                    .wrapping_mul(map.extent)
                    .wrapping_add(block.offset);
                (0..block.count).map(move |piece| {
                    let offset = first.wrapping_add((piece as i64).wrapping_mul(block.stride));
                    let length = block.length.saturating_mul(times);
                    (self.address.wrapping_add_signed(offset), length)
                })
            })
        })
    }
}
