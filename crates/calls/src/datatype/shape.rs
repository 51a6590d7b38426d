//! One element of a datatype.

use farside_events::TypeMap;

/// One element of a datatype: its data, and its lower bound. Its extent stands in the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The data.
    pub map: TypeMap,
    /// Lower bound in bytes (§5.1.6).
    pub lower_bound: i64,
}

/// Whether the pieces of a type map keep the order that the standard gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// They do, but in a type of very many pieces. For who moves data.
    Kept,
    /// They need not, and are fewer. For who only asks which bytes are data.
    Free,
}

impl Shape {
    /// A predefined type: `size` bytes at `offset`, one element after another.
    pub fn basic(name: &str, offset: i64, size: u32, extent: i64) -> Self {
        let mut map = TypeMap::basic(name, size);
        map.extent = extent;
        map.blocks[0].offset = offset;
        map.blocks.retain(|block| block.length > 0);
        Self { map, lower_bound: 0 }
    }

    /// So many bytes, whatever lies there.
    pub fn bytes(offset: i64, length: u64, lower_bound: i64, extent: i64) -> Self {
        let mut shape = Self::basic("MPI_BYTE", offset, 1, extent);
        shape.map.blocks[0].length = length;
        shape.lower_bound = lower_bound;
        shape
    }

    /// First data byte and end of the last; `None` if there is no data.
    pub(super) fn data(&self) -> Option<(i64, i64)> {
        let ends = self.map.blocks.iter().map(|block| {
            let last = (block.count as i64 - 1).wrapping_mul(block.stride);
            let low = block.offset.wrapping_add(last.min(0));
            let high = block.offset.wrapping_add(last.max(0));
            (low, high.wrapping_add(block.length as i64))
        });
        ends.fold(None, |all, one| both(all, Some(one)))
    }
}

/// The smallest range that holds two.
pub(super) fn both(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (one, other) => one.or(other),
    }
}
