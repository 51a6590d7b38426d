//! Which bytes a call or a run of accesses touches, as ranges of addresses.
//!
//! Derived datatypes are followed through their type map (MPI-4.1 §5.1), so that the gaps of a vector stay untouched.
//! Ranges that adjoin and hold the same basic type are joined on the way.

use farside_events::{AccessRun, TypeMap};
use std::ops::Range;

/// A range of addresses, and the index of the basic type whose elements it holds.
type Extent = (Range<u64>, usize);

/// The bytes of `count` elements of `map` at `address`, each range with the index of its basic type. Addresses that
/// wrap around the address space are left out.
pub(crate) fn of_buffer(map: &TypeMap, address: u64, count: u64, mut visit: impl FnMut(Range<u64>, usize)) {
    let mut joiner = Joiner {
        pending: None,
        visit: &mut visit,
    };
    if let Some(block) = map.dense() {
        let length = block.length.saturating_mul(count);
        joiner.add(
            address.wrapping_add_signed(block.offset),
            length,
            block.basic as usize,
        );
        return joiner.finish();
    }
    for element in 0..count {
        let start = address.wrapping_add_signed(map.extent.wrapping_mul(element as i64));
        for block in &map.blocks {
            for piece in 0..block.count {
                let offset = block.offset.wrapping_add(block.stride.wrapping_mul(piece as i64));
                joiner.add(
                    start.wrapping_add_signed(offset),
                    block.length,
                    block.basic as usize,
                );
            }
        }
    }
    joiner.finish();
}

/// The bytes of an element, if elements of this type lie side by side without gaps, from their address on.
pub(crate) fn dense(map: &TypeMap) -> Option<u64> {
    let block = map.dense().filter(|block| block.offset == 0)?;
    Some(block.length)
}

/// The bytes of a run of loads or stores.
pub(crate) fn of_run(run: &AccessRun, mut visit: impl FnMut(Range<u64>)) {
    let mut each = |range, _| visit(range);
    let mut joiner = Joiner {
        pending: None,
        visit: &mut each,
    };
    let dense = run.inner_count == 1 || run.inner_stride.unsigned_abs() <= run.size;
    for outer in 0..run.outer_count.max(1) {
        let start = run
            .base
            .wrapping_add_signed(run.outer_stride.wrapping_mul(outer as i64));
        let steps = run.inner_count.max(1) - 1;
        if dense {
            let span = run.inner_stride.wrapping_mul(steps as i64);
            let first = if span < 0 {
                start.wrapping_add_signed(span)
            } else {
                start
            };
            joiner.add(first, span.unsigned_abs() + run.size, 0);
        } else {
            for inner in 0..=steps {
                joiner.add(
                    start.wrapping_add_signed(run.inner_stride.wrapping_mul(inner as i64)),
                    run.size,
                    0,
                );
            }
        }
    }
    joiner.finish();
}

/// The bytes of the units of `1 << shift` bytes whose bits are set, in a page by its number.
pub(crate) fn of_page(page: u64, units: &[u64], shift: u8, mut visit: impl FnMut(Range<u64>)) {
    let mut open = 0..0;
    for (word, &bits) in (0..).zip(units) {
        let mut bits: u64 = bits;
        let mut unit = word * 64;
        while bits != 0 {
            let skip = bits.trailing_zeros();
            bits >>= skip;
            let length = bits.trailing_ones();
            bits = bits.checked_shr(length).unwrap_or(0);
            unit += u64::from(skip);
            let start = page * 4096 + (unit << shift);
            unit += u64::from(length);
            let end = page * 4096 + (unit << shift);
            if open.end == start {
                open.end = end;
            } else {
                if !open.is_empty() {
                    visit(open);
                }
                open = start..end;
            }
        }
    }
    if !open.is_empty() {
        visit(open);
    }
}

/// The smallest range that holds the whole run.
pub(crate) fn bounds(run: &AccessRun) -> Range<u64> {
    let reach = |count: u64, stride: i64| stride.wrapping_mul(count.max(1) as i64 - 1);
    let (inner, outer) = (
        reach(run.inner_count, run.inner_stride),
        reach(run.outer_count, run.outer_stride),
    );
    let low = run
        .base
        .wrapping_add_signed(inner.min(0))
        .wrapping_add_signed(outer.min(0));
    let high = run
        .base
        .wrapping_add_signed(inner.max(0))
        .wrapping_add_signed(outer.max(0));
    low..high.saturating_add(run.size)
}

/// Joins ranges that follow each other.
struct Joiner<'a, F: FnMut(Range<u64>, usize)> {
    pending: Option<Extent>,
    visit: &'a mut F,
}

impl<F: FnMut(Range<u64>, usize)> Joiner<'_, F> {
    fn add(&mut self, start: u64, length: u64, basic: usize) {
        let Some(end) = start.checked_add(length) else {
            return;
        };
        if length == 0 {
            return;
        }
        match &mut self.pending {
            Some((last, of)) if last.end == start && *of == basic => last.end = end,
            Some((last, of)) if last.start == end && *of == basic => last.start = start,
            _ => {
                if let Some((range, basic)) = self.pending.replace((start..end, basic)) {
                    (self.visit)(range, basic);
                }
            }
        }
    }

    fn finish(self) {
        if let Some((range, basic)) = self.pending {
            (self.visit)(range, basic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{AccessKind, BasicType, StackId, TypeBlock};

    fn ranges(map: &TypeMap, address: u64, count: u64) -> Vec<Range<u64>> {
        let mut all = Vec::new();
        of_buffer(map, address, count, |range, _| all.push(range));
        all
    }

    #[test]
    fn a_contiguous_buffer_is_one_range() {
        assert_eq!(
            ranges(&TypeMap::basic("MPI_INT", 4), 100, 1_000_000_000),
            vec![100..4_000_000_100]
        );
    }

    #[test]
    fn what_is_dense_is_one_range() {
        let int = TypeMap::basic("MPI_INT", 4);
        assert_eq!(dense(&int), Some(4));
        assert_eq!(ranges(&int, 100, 3), vec![100..112]);
        let gap = TypeMap { extent: 8, ..int };
        assert_eq!(dense(&gap), None);
    }

    #[test]
    fn a_vector_keeps_its_gaps() {
        let map = TypeMap {
            extent: 20,
            basics: vec![BasicType {
                name: "MPI_INT".into(),
                size: 4,
            }],
            blocks: vec![TypeBlock {
                offset: 0,
                length: 4,
                count: 3,
                stride: 8,
                basic: 0,
            }],
        };
        // Two elements: the last piece of the first and the first piece of the second adjoin.
        assert_eq!(ranges(&map, 0, 2), vec![0..4, 8..12, 16..24, 28..32, 36..40]);
    }

    #[test]
    fn runs_with_all_kinds_of_strides() {
        let mut run = AccessRun::single(AccessKind::Load, 100, 8, 0, StackId::UNKNOWN);
        let collect = |run: &AccessRun| {
            let mut all = Vec::new();
            of_run(run, |range| all.push(range));
            all
        };
        (run.inner_count, run.inner_stride) = (4, 8);
        assert_eq!(collect(&run), vec![100..132]);
        run.inner_stride = -8;
        assert_eq!(collect(&run), vec![76..108]);
        run.inner_stride = 16;
        assert_eq!(collect(&run), vec![100..108, 116..124, 132..140, 148..156]);
        (
            run.inner_count,
            run.inner_stride,
            run.outer_count,
            run.outer_stride,
        ) = (2, 8, 2, 100);
        assert_eq!(collect(&run), vec![100..116, 200..216]);
    }
}
