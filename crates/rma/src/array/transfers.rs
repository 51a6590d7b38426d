//! What an exchange moves: of each side of a block, where it lies here, and which halo it fills there.

use super::blocks::Blocks;
use crate::{Layout, Rank, Result};
use std::ops::Range;

/// What a rank sends in an exchange.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    /// To others.
    pub(super) puts: Vec<Transfer>,
    /// To itself, of dimensions that are periodic and not divided: elements, and where they go.
    pub(super) copies: Vec<(Range<usize>, usize)>,
    /// The others, sorted. As many come from them as go to them.
    pub(super) neighbours: Vec<Rank>,
}

/// Elements for a halo.
#[derive(Debug)]
pub(super) struct Transfer {
    pub(super) target: Rank,
    pub(super) here: Layout,
    pub(super) there: Layout,
}

impl Transfers {
    pub(super) fn new<const D: usize>(blocks: &Blocks<D>, rank: Rank) -> Result<Self> {
        let mut transfers = Self::default();
        for steps in directions::<D>(blocks.distribution().corners) {
            let Some(target) = blocks.neighbour(rank, steps) else {
                continue;
            };
            let (from, to) = (blocks.shape(rank), blocks.shape(target));
            let halo = blocks.distribution().halo;
            let here = runs(
                from,
                &std::array::from_fn(|at| edge(from[at], halo[at], steps[at])),
            );
            let there = runs(to, &std::array::from_fn(|at| beyond(to[at], halo[at], steps[at])));
            if here.is_empty() {
                continue;
            }
            if target == rank {
                let both = here.into_iter().zip(there);
                let copies = both.map(|((from, length), (to, _))| (from..from + length, to));
                transfers.copies.extend(copies);
                continue;
            }
            transfers.neighbours.push(target);
            transfers.puts.push(Transfer {
                target,
                here: Layout::indexed(&here)?,
                there: Layout::indexed(&there)?,
            });
        }
        transfers.neighbours.sort_unstable();
        transfers.neighbours.dedup();
        Ok(transfers)
    }
}

/// The ways to neighbours: along one dimension, or all.
fn directions<const D: usize>(corners: bool) -> impl Iterator<Item = [isize; D]> {
    (0..3usize.pow(D as u32))
        .map(|number| {
            std::array::from_fn(|dimension| (number / 3usize.pow(dimension as u32) % 3) as isize - 1)
        })
        .filter(move |steps: &[isize; D]| {
            let far = steps.iter().filter(|&&step| step != 0).count();
            far == 1 || corners && far > 1
        })
}

/// The elements of a block that are in the halo of the neighbour in a direction: in one dimension, of `extent` elements
/// with the halo.
fn edge(extent: usize, halo: usize, step: isize) -> Range<usize> {
    match step {
        ..0 => halo..2 * halo,
        0 => halo..extent - halo,
        1.. => extent - 2 * halo..extent - halo,
    }
}

/// The halo of a block that the neighbour fills from which it is in this direction.
fn beyond(extent: usize, halo: usize, step: isize) -> Range<usize> {
    match step {
        ..0 => extent - halo..extent,
        0 => halo..extent - halo,
        1.. => 0..halo,
    }
}

/// A region of a block as first element and number of consecutive elements, in order.
pub(super) fn runs<const D: usize>(shape: [usize; D], region: &[Range<usize>; D]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = vec![(0, 1)];
    for (extent, range) in shape.into_iter().zip(region) {
        let inner = runs
            .iter()
            .flat_map(|&(at, _)| range.clone().map(move |index| (at * extent + index, 1)));
        runs = inner.collect();
    }
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (at, length) in runs {
        match joined.last_mut() {
            Some((first, before)) if *first + *before == at => *before += length,
            _ => joined.push((at, length)),
        }
    }
    joined
}
