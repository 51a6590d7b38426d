//! Type maps (MPI-4.1 §5.1.1), built block by block.
//!
//! Runs of equal pieces stay one block.

use super::shape::{Order, Shape, both};
use farside_events::{BasicType, TypeBlock, TypeMap};

/// More blocks than this are not kept.
pub(super) const MOST_BLOCKS: usize = 1 << 16;
/// From this many copies on, the copies of several blocks are kept block by block instead of copy by copy, where
/// their order is free.
const MANY_COPIES: u64 = 16;

/// A type map that grows.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    order: Order,
    basics: Vec<BasicType>,
    blocks: Vec<TypeBlock>,
    /// Lower and upper bound (§5.1.6); none as long as there is no element.
    bounds: Option<(i64, i64)>,
    /// First data byte and end of the last.
    data: Option<(i64, i64)>,
    /// There are too many blocks, which are kept no longer.
    overflow: bool,
}

impl Layout {
    /// No elements.
    pub(super) fn new(order: Order) -> Self {
        Self {
            order,
            basics: Vec::new(),
            blocks: Vec::new(),
            bounds: None,
            data: None,
            overflow: false,
        }
    }

    /// One element.
    pub(super) fn of(shape: &Shape, order: Order) -> Self {
        let bounds = (
            shape.lower_bound,
            shape.lower_bound.wrapping_add(shape.map.extent),
        );
        // What has no data and no bounds of its own says nothing of the bounds of what it is put into.
        let is_nothing = shape.map.blocks.is_empty() && bounds == (0, 0);
        Self {
            basics: shape.map.basics.clone(),
            blocks: shape.map.blocks.clone(),
            bounds: (!is_nothing).then_some(bounds),
            data: shape.data(),
            ..Self::new(order)
        }
    }

    /// Adds `count` copies of `child`, the first displaced by `displacement` bytes, `stride` bytes apart.
    pub(super) fn add(&mut self, child: &Self, displacement: i64, count: u64, stride: i64) {
        if count == 0 {
            return;
        }
        let last = ((count - 1) as i64).wrapping_mul(stride);
        let (low, high) = (
            displacement.wrapping_add(last.min(0)),
            displacement.wrapping_add(last.max(0)),
        );
        let spread =
            |range: Option<(i64, i64)>| range.map(|(a, b)| (a.wrapping_add(low), b.wrapping_add(high)));
        self.bounds = both(self.bounds, spread(child.bounds));
        self.data = both(self.data, spread(child.data));
        self.overflow |= child.overflow;
        if self.overflow {
            return;
        }
        let basics: Vec<u32> = child.basics.iter().map(|basic| self.intern(basic)).collect();
        let moved = |block: &TypeBlock, by: i64| TypeBlock {
            offset: block.offset.wrapping_add(by),
            basic: basics[block.basic as usize],
            ..block.clone()
        };
        match child.blocks.as_slice() {
            [block] if block.count == 1 => self.push(repeated(moved(block, displacement), count, stride)),
            [block] if stride == block.stride.wrapping_mul(block.count as i64) => self.push(TypeBlock {
                count: block.count * count,
                ..moved(block, displacement)
            }),
            blocks if self.goes_by_blocks(blocks, count) => {
                for block in blocks {
                    self.push(repeated(moved(block, displacement), count, stride));
                }
            }
            blocks => {
                for k in 0..count {
                    for block in blocks {
                        if self.overflow {
                            return;
                        }
                        let by = displacement.wrapping_add((k as i64).wrapping_mul(stride));
                        self.push(moved(block, by));
                    }
                }
            }
        }
    }

    /// Whether many copies of some blocks are kept block by block.
    fn goes_by_blocks(&self, blocks: &[TypeBlock], count: u64) -> bool {
        let many = match self.order {
            Order::Free => count >= MANY_COPIES,
            Order::Kept => count.saturating_mul(blocks.len() as u64) > MOST_BLOCKS as u64,
        };
        many && blocks.iter().all(|block| block.count == 1)
    }

    /// What has grown, with these lower bound and extent, or its own. Of too many blocks all bytes between the first
    /// and the last are data.
    pub(super) fn finish(self, bounds: Option<(i64, i64)>) -> Shape {
        let (lower, upper) = self.bounds.unwrap_or((0, 0));
        let (lower_bound, extent) = bounds.unwrap_or((lower, upper.wrapping_sub(lower)));
        if self.overflow {
            let (first, end) = self.data.unwrap_or((0, 0));
            return Shape::bytes(
                first,
                end.wrapping_sub(first).cast_unsigned(),
                lower_bound,
                extent,
            );
        }
        Shape {
            map: TypeMap {
                extent,
                basics: self.basics,
                blocks: self.blocks,
            },
            lower_bound,
        }
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
fn repeated(block: TypeBlock, count: u64, stride: i64) -> TypeBlock {
    if count == 1 {
        block
    } else if block.length as i64 == stride {
        TypeBlock {
            length: block.length * count,
            ..block
        }
    } else {
        TypeBlock {
            count,
            stride,
            ..block
        }
    }
}
