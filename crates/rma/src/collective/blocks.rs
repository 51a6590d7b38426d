//! Blocks of elements, one for each rank, one after another.

use crate::{Error, Group, Result};
use std::ops::Range;

/// Where each block is, if they have these lengths.
pub(super) fn ranges(lengths: &[usize]) -> Vec<Range<usize>> {
    let mut end = 0;
    let next = |&length: &usize| {
        let start = end;
        end += length;
        start..end
    };
    lengths.iter().map(next).collect()
}

/// Whether elements are as many as blocks of one length are together.
pub(super) fn check(what: &'static str, size: u32, length: usize, found: usize) -> Result<()> {
    let expected = length.saturating_mul(size as usize);
    if found == expected {
        return Ok(());
    }
    Err(Error::Length {
        what,
        expected,
        found,
    })
}

/// Whether there is one length for each rank, and elements are as many as they are together.
pub(super) fn check_all(what: &'static str, group: &Group, lengths: &[usize], found: usize) -> Result<()> {
    check(
        "lengths of blocks, one for each rank",
        group.size(),
        1,
        lengths.len(),
    )?;
    let expected = lengths
        .iter()
        .fold(0usize, |sum, &length| sum.saturating_add(length));
    check(what, 1, expected, found)
}

/// Whether the own block has its length.
pub(super) fn check_own(what: &'static str, group: &Group, lengths: &[usize], found: usize) -> Result<()> {
    check(what, 1, lengths[group.rank() as usize], found)
}
