//! Which elements of a buffer or window take part in an operation: regular and irregular regions.
//!
//! A layout stands where MPI has derived datatypes (MPI-4.1 §5.1): contiguous, vector and indexed, in units of
//! elements.

use crate::{Error, Result};

/// Elements of a buffer, in order: blocks of consecutive elements.
///
/// ```
/// use farside::Layout;
/// // The second column of a matrix of 4 rows and 10 columns, stored by rows.
/// let column = Layout::vector(4, 1, 10)?.shifted(1);
/// assert_eq!(column.elements(), 4);
/// assert_eq!(column.end(), 32);
/// # Ok::<(), farside::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    shape: Shape,
    /// Added to all offsets.
    shift: usize,
    elements: usize,
    /// Past the last element, without the shift.
    end: usize,
    /// Two blocks have an element in common.
    overlapping: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    Vector {
        count: usize,
        block: usize,
        stride: usize,
    },
    /// Blocks as (offset, length); none is empty.
    Indexed(Vec<(usize, usize)>),
}

impl Layout {
    /// `elements` consecutive elements (`MPI_Type_contiguous`, MPI-4.1 §5.1.2).
    #[must_use]
    pub fn contiguous(elements: usize) -> Self {
        Self {
            shape: Shape::Vector {
                count: usize::from(elements > 0),
                block: elements,
                stride: elements,
            },
            shift: 0,
            elements,
            end: elements,
            overlapping: false,
        }
    }

    /// `count` blocks of `block` elements, the starts of which are `stride` elements apart (`MPI_Type_vector`,
    /// MPI-4.1 §5.1.2).
    ///
    /// # Errors
    /// The layout is longer than the address space.
    pub fn vector(count: usize, block: usize, stride: usize) -> Result<Self> {
        if count == 0 || block == 0 {
            return Ok(Self::contiguous(0));
        }
        let end = stride
            .checked_mul(count - 1)
            .and_then(|start| start.checked_add(block))
            .ok_or(Error::Layout("it is longer than the address space"))?;
        let elements = count
            .checked_mul(block)
            .ok_or(Error::Layout("it is longer than the address space"))?;
        Ok(Self {
            shape: Shape::Vector { count, block, stride },
            shift: 0,
            elements,
            end,
            overlapping: count > 1 && stride < block,
        })
    }

    /// Blocks as (first element, number of elements), transferred in this order (`MPI_Type_indexed`, MPI-4.1 §5.1.2).
    ///
    /// # Errors
    /// A block is longer than the address space.
    pub fn indexed(blocks: &[(usize, usize)]) -> Result<Self> {
        let blocks: Vec<(usize, usize)> = blocks.iter().copied().filter(|&(_, length)| length > 0).collect();
        let mut elements = 0usize;
        let mut end = 0;
        for &(offset, length) in &blocks {
            let behind = offset.checked_add(length);
            let total = elements.checked_add(length);
            let (Some(behind), Some(total)) = (behind, total) else {
                return Err(Error::Layout("it is longer than the address space"));
            };
            end = end.max(behind);
            elements = total;
        }
        let mut sorted = blocks.clone();
        sorted.sort_unstable();
        let overlapping = sorted.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0);
        Ok(Self {
            shape: Shape::Indexed(blocks),
            shift: 0,
            elements,
            end,
            overlapping,
        })
    }

    /// The same, `elements` further on. Past the end of the address space it stays there: no window and no buffer
    /// reaches so far, and operations refuse it.
    #[must_use]
    pub fn shifted(mut self, elements: usize) -> Self {
        self.shift = self.shift.saturating_add(elements);
        self
    }

    /// Number of elements that are transferred.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Past the last element that is touched; 0 if there are none.
    #[must_use]
    pub fn end(&self) -> usize {
        if self.elements == 0 {
            return 0;
        }
        self.end.saturating_add(self.shift)
    }

    /// Blocks as (first element, number of elements), in the order of transfer.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (vector, indexed) = match &self.shape {
            Shape::Vector { count, block, stride } => (Some((*count, *block, *stride)), &[][..]),
            Shape::Indexed(blocks) => (None, blocks.as_slice()),
        };
        let regular = vector
            .into_iter()
            .flat_map(|(count, block, stride)| (0..count).map(move |index| (index * stride, block)));
        let shift = self.shift;
        regular
            .chain(indexed.iter().copied())
            .map(move |(offset, length)| (offset.saturating_add(shift), length))
    }

    /// Refuses a layout into which nothing can be written: elements that it names twice would have no defined value.
    pub(crate) fn check_written(&self) -> Result<()> {
        if self.overlapping {
            return Err(Error::Layout("it names an element twice, and is written to"));
        }
        Ok(())
    }
}

/// The elements of some layouts side by side, as runs that are consecutive in each: where the run begins in each, and
/// its number of elements.
pub(crate) fn runs<const N: usize>(layouts: [&Layout; N]) -> impl Iterator<Item = ([usize; N], usize)> {
    let mut blocks = layouts.map(Layout::blocks);
    let mut left = [(0, 0); N];
    std::iter::from_fn(move || {
        for (left, blocks) in left.iter_mut().zip(&mut blocks) {
            if left.1 == 0 {
                *left = blocks.next()?;
            }
        }
        let starts = left.map(|(start, _)| start);
        let length = left.iter().map(|&(_, length)| length).min()?;
        left = left.map(|(start, rest)| (start + length, rest - length));
        Some((starts, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The elements one by one, in order.
    fn listed(layout: &Layout) -> Vec<usize> {
        layout
            .blocks()
            .flat_map(|(offset, length)| offset..offset + length)
            .collect()
    }

    fn any_layout() -> impl Strategy<Value = Layout> {
        let vector = (0usize..6, 0usize..5, 0usize..9)
            .prop_map(|(count, block, stride)| Layout::vector(count, block, stride));
        let indexed =
            prop::collection::vec((0usize..40, 0usize..6), 0..6).prop_map(|blocks| Layout::indexed(&blocks));
        (prop_oneof![vector, indexed], 0usize..5)
            .prop_map(|(layout, shift)| layout.expect("small numbers").shifted(shift))
    }

    proptest! {
        #[test]
        fn counts_and_ends_are_those_of_the_list(layout in any_layout()) {
            let list = listed(&layout);
            prop_assert_eq!(layout.elements(), list.len());
            prop_assert_eq!(layout.end(), list.iter().max().map_or(0, |last| last + 1));
            let mut distinct = list.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(layout.check_written().is_err(), distinct.len() < list.len());
        }

        #[test]
        fn runs_join_the_elements_of_all_lists(layouts in [any_layout(), any_layout(), any_layout()]) {
            let joined: Vec<[usize; 3]> = runs(layouts.each_ref())
                .flat_map(|(starts, length)| (0..length).map(move |step| starts.map(|start| start + step)))
                .collect();
            let lists = layouts.each_ref().map(listed);
            let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
            let expected: Vec<[usize; 3]> = (0..shortest).map(|at| lists.each_ref().map(|list| list[at])).collect();
            prop_assert_eq!(joined, expected);
        }
    }

    #[test]
    fn what_is_longer_than_the_address_space_is_refused() {
        assert!(Layout::vector(usize::MAX, 2, 2).is_err());
        assert!(Layout::indexed(&[(usize::MAX, 1)]).is_err());
        assert!(Layout::indexed(&[(0, usize::MAX), (0, 1)]).is_err());
    }

    #[test]
    fn what_is_shifted_past_the_address_space_stays_at_its_end() {
        let layout = Layout::indexed(&[(4, 2), (8, 1)]).expect("small numbers");
        let far = layout.shifted(usize::MAX - 5);
        assert_eq!(far.end(), usize::MAX);
        assert_eq!(
            far.blocks().collect::<Vec<_>>(),
            [(usize::MAX - 1, 2), (usize::MAX, 1)]
        );
    }
}
