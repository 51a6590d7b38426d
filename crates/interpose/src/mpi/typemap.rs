//! Building type maps (MPI-4.1 §5.1.1) block by block, with no knowledge of any MPI library.
//!
//! Runs of equal pieces stay one block. Limit: a type of more than [`MOST_BLOCKS`] blocks is given up, and the caller
//! takes all bytes of its true extent for data.

use farside_events::{BasicType, TypeBlock, TypeMap};

/// More blocks than this are not kept.
pub(crate) const MOST_BLOCKS: usize = 1 << 16;
/// From this many copies on, the copies of several blocks are kept block by block instead of copy by copy.
const MANY_COPIES: u64 = 16;

/// A type map that grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    basics: Vec<BasicType>,
    blocks: Vec<TypeBlock>,
    overflow: bool,
}

impl Layout {
    /// `size` bytes of one basic type at `offset`. Nothing for a type without data.
    pub(crate) fn basic(name: &str, offset: i64, size: u32) -> Self {
        let mut layout = Self::default();
        if size > 0 {
            layout.basics.push(BasicType {
                name: name.into(),
                size,
            });
            layout.push(TypeBlock {
                offset,
                length: u64::from(size),
                count: 1,
                stride: 0,
                basic: 0,
            });
        }
        layout
    }

    /// Adds `count` copies of `child`, the first displaced by `displacement` bytes, `extent` bytes apart.
    pub(crate) fn add(&mut self, child: &Self, displacement: i64, count: u64, extent: i64) {
        self.overflow |= child.overflow;
        if count == 0 || self.overflow {
            return;
        }
        let basics: Vec<u32> = child.basics.iter().map(|basic| self.intern(basic)).collect();
        let moved = |block: &TypeBlock, by: i64| TypeBlock {
            offset: block.offset + by,
            basic: basics[block.basic as usize],
            ..block.clone()
        };
        match child.blocks.as_slice() {
            [block] if block.count == 1 => self.push(repeated(moved(block, displacement), count, extent)),
            [block] if extent == block.stride * block.count as i64 => self.push(TypeBlock {
                count: block.count * count,
                ..moved(block, displacement)
            }),
            blocks if count >= MANY_COPIES && blocks.iter().all(|block| block.count == 1) => {
                for block in blocks {
                    self.push(repeated(moved(block, displacement), count, extent));
                }
            }
            blocks => {
                for k in 0..count {
                    for block in blocks {
                        if self.overflow {
                            return;
                        }
                        self.push(moved(block, displacement + k as i64 * extent));
                    }
                }
            }
        }
    }

    /// The finished map; `None` when it has too many blocks.
    pub(crate) fn finish(self, extent: i64) -> Option<TypeMap> {
        (!self.overflow).then_some(TypeMap {
            extent,
            basics: self.basics,
            blocks: self.blocks,
        })
    }

    fn intern(&mut self, basic: &BasicType) -> u32 {
        let place = self.basics.iter().position(|known| known == basic);
        let place = place.unwrap_or_else(|| {
            self.basics.push(basic.clone());
            self.basics.len() - 1
        });
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    fn push(&mut self, block: TypeBlock) {
        if let Some(last) = self.blocks.last_mut()
            && last.basic == block.basic
            && block.count == 1
        {
            if last.count == 1 && last.offset + last.length as i64 == block.offset {
                last.length += block.length;
                return;
            }
            if last.length == block.length {
                let stride = if last.count == 1 {
                    block.offset - last.offset
                } else {
                    last.stride
                };
                if block.offset == last.offset + last.count as i64 * stride && stride != 0 {
                    last.stride = stride;
                    last.count += 1;
                    return;
                }
            }
        }
        if self.blocks.len() == MOST_BLOCKS {
            self.overflow = true;
        } else {
            self.blocks.push(block);
        }
    }
}

/// `count` copies of a block of one piece.
fn repeated(block: TypeBlock, count: u64, extent: i64) -> TypeBlock {
    if count == 1 {
        block
    } else if block.length as i64 == extent {
        TypeBlock {
            length: block.length * count,
            ..block
        }
    } else {
        TypeBlock {
            count,
            stride: extent,
            ..block
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(layout: Layout) -> Vec<(i64, u64, u64, i64)> {
        let map = layout.finish(0).expect("small");
        map.blocks
            .iter()
            .map(|b| (b.offset, b.length, b.count, b.stride))
            .collect()
    }

    #[test]
    fn contiguous_elements_are_one_piece() {
        let mut layout = Layout::default();
        layout.add(&Layout::basic("MPI_INT", 0, 4), 8, 5, 4);
        assert_eq!(blocks(layout), [(8, 20, 1, 0)]);
    }

    #[test]
    fn a_vector_is_one_block_with_gaps() {
        let mut row = Layout::default();
        row.add(&Layout::basic("MPI_INT", 0, 4), 0, 2, 4);
        let mut vector = Layout::default();
        vector.add(&row, 0, 3, 16);
        assert_eq!(blocks(vector), [(0, 8, 3, 16)]);
    }

    #[test]
    fn a_vector_of_vectors_that_continues_stays_one_block() {
        let mut vector = Layout::default();
        vector.add(&Layout::basic("MPI_INT", 0, 4), 0, 3, 16);
        let mut outer = Layout::default();
        outer.add(&vector, 0, 2, 48);
        assert_eq!(blocks(outer), [(0, 4, 6, 16)]);
    }

    #[test]
    fn a_struct_keeps_its_basic_types_apart() {
        let mut layout = Layout::default();
        layout.add(&Layout::basic("MPI_INT", 0, 4), 0, 1, 4);
        layout.add(&Layout::basic("MPI_DOUBLE", 0, 8), 8, 1, 8);
        let map = layout.finish(16).expect("small");
        assert_eq!(map.basics.len(), 2);
        assert_eq!(map.blocks.len(), 2);
        assert_eq!(map.size(), 12);
    }

    #[test]
    fn many_copies_of_a_struct_stay_few_blocks() {
        let mut element = Layout::default();
        element.add(&Layout::basic("MPI_INT", 0, 4), 0, 1, 4);
        element.add(&Layout::basic("MPI_DOUBLE", 0, 8), 8, 1, 8);
        let mut array = Layout::default();
        array.add(&element, 0, 1_000_000, 16);
        assert_eq!(blocks(array), [(0, 4, 1_000_000, 16), (8, 8, 1_000_000, 16)]);
    }

    #[test]
    fn irregular_types_beyond_the_limit_are_given_up() {
        let int = Layout::basic("MPI_INT", 0, 4);
        let mut layout = Layout::default();
        // Any two pieces are a run, so that every block holds two.
        for k in 0..=(2 * MOST_BLOCKS as i64) {
            layout.add(&int, k * k * 8, 1, 4);
        }
        assert!(layout.finish(0).is_none());
    }
}
