//! What an exchange moves: of each side of a block, where it lies here, and which halo it fills there.
//!
//! A side that lies in many short pieces is packed: one put, into a room beside the block of the target, which copies
//! the pieces to their places. Longer ones go piece by piece. Each rank knows the rooms of its neighbours, for they
//! follow from the distribution.

use super::Synchronisation;
use super::distribution::blocks::Blocks;
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::window::{Active, Window};
use crate::{Layout, Plain, Rank, Result};
use std::ops::Range;

/// Pieces of fewer bytes are packed: to start a put costs more than to copy them twice. Where ranks reach one another's
/// memory, and over a network (`docs/design/arrays.md`).
const SHORT: [usize; 2] = [64, 4096];

/// What a rank does in an exchange. Places are elements of the window, first the block, then the rooms.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    /// To others.
    puts: Vec<Put>,
    /// To itself, of dimensions that are periodic and not divided: elements, and where they go.
    copies: Vec<(Range<usize>, usize)>,
    /// Elements that are packed: where they lie, in the order of the buffer.
    packed: Vec<Range<usize>>,
    /// What came packed: where it lies in its room, and where it goes.
    unpacked: Vec<(Range<usize>, usize)>,
    /// The others, sorted. As many come from them as go to them.
    neighbours: Vec<Rank>,
    /// Of the window: the block and its rooms.
    elements: usize,
}

/// A side for the halo of another rank.
#[derive(Debug)]
enum Put {
    /// As it lies here, to as it lies there.
    Direct(Rank, Layout, Layout),
    /// From the buffer, to a room.
    Packed(Rank, Range<usize>, usize),
}

/// When sides are packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    /// All ranks reach one another's memory.
    is_mapped: bool,
    element_bytes: usize,
}

impl Packing {
    pub(super) fn new<T>(is_mapped: bool) -> Self {
        let element_bytes = size_of::<T>();
        Self {
            is_mapped,
            element_bytes,
        }
    }
}

impl Transfers {
    pub(super) fn new<const D: usize>(blocks: &Blocks<D>, rank: Rank, packing: Packing) -> Result<Self> {
        let mut transfers = Self::default();
        let mut buffered = 0;
        for steps in directions::<D>(blocks.corners()) {
            let Some(target) = blocks.neighbour(rank, steps) else {
                continue;
            };
            let back = steps.map(|step| -step);
            let here = runs(blocks.shape(rank), &edge(blocks, rank, steps));
            let there = runs(blocks.shape(target), &halo(blocks, target, back));
            if here.is_empty() {
                continue;
            }
            if target == rank {
                transfers.copies.extend(moves(&here, &there));
                continue;
            }
            transfers.neighbours.push(target);
            let room = rooms(blocks, target, packing).find(|(side, _)| *side == back);
            transfers.puts.push(match room {
                Some((_, room)) => {
                    let buffer = buffered..buffered + room.len();
                    buffered = buffer.end;
                    transfers
                        .packed
                        .extend(here.iter().map(|&(first, length)| first..first + length));
                    Put::Packed(target, buffer, room.start)
                }
                None => Put::Direct(target, Layout::indexed(&here)?, Layout::indexed(&there)?),
            });
        }
        transfers.elements = blocks.shape(rank).iter().product();
        for (side, room) in rooms(blocks, rank, packing) {
            let places = runs(blocks.shape(rank), &halo(blocks, rank, side));
            transfers
                .unpacked
                .extend(moves(&[(room.start, room.len())], &places));
            transfers.elements = room.end;
        }
        transfers.neighbours.sort_unstable();
        transfers.neighbours.dedup();
        Ok(transfers)
    }

    /// Of the window.
    pub(super) fn elements(&self) -> usize {
        self.elements
    }

    /// Of the buffer.
    pub(super) fn buffered(&self) -> usize {
        self.packed.iter().map(Range::len).sum()
    }

    /// An exchange, between a window of so many elements, and a buffer, at each rank.
    #[track_caller]
    pub(super) fn exchange<T: Plain>(
        &self,
        window: &mut Window<T, Active>,
        buffer: &mut [T],
        synchronisation: Synchronisation,
    ) -> Result<()> {
        let own = window.local_mut()?;
        let mut rest = &mut buffer[..];
        for from in &self.packed {
            let (packed, others) = rest.split_at_mut(from.len());
            packed.copy_from_slice(&own[from.clone()]);
            rest = others;
        }
        copy(own, &self.copies);
        let (neighbours, buffer) = (&self.neighbours[..], &buffer[..]);
        match synchronisation {
            Synchronisation::Neighbours if neighbours.is_empty() => {}
            Synchronisation::Neighbours => window.post(neighbours, |exposure| {
                exposure.start(neighbours, |epoch| self.send(epoch, buffer))
            })?,
            Synchronisation::Fence => window.fence(|epoch| self.send(epoch, buffer))?,
        }
        copy(window.local_mut()?, &self.unpacked);
        Ok(())
    }

    /// Starts to put all sides.
    #[track_caller]
    fn send<'scope, T: Plain, K: Kind>(
        &self,
        epoch: &'scope Epoch<'scope, '_, T, K>,
        buffer: &'scope [T],
    ) -> Result<()> {
        self.puts.iter().try_for_each(|put| match put {
            Put::Direct(target, here, there) => epoch.put_own(here, *target, 0, there),
            Put::Packed(target, packed, room) => epoch.put(&buffer[packed.clone()], *target, *room),
        })
    }
}

/// Copies own elements to other places.
fn copy<T: Plain>(own: &mut [T], moves: &[(Range<usize>, usize)]) {
    for (from, to) in moves {
        own.copy_within(from.clone(), *to);
    }
}

/// The ways to neighbours: along one dimension, or all.
fn directions<const D: usize>(corners: bool) -> impl Iterator<Item = [isize; D]> {
    (0..3usize.pow(D as u32))
        .map(|number| std::array::from_fn(|at| (number / 3usize.pow(at as u32) % 3) as isize - 1))
        .filter(move |steps: &[isize; D]| {
            let far = steps.iter().filter(|&&step| step != 0).count();
            far == 1 || corners && far > 1
        })
}

/// The own elements that the neighbour in a direction has in its halo.
fn edge<const D: usize>(blocks: &Blocks<D>, rank: Rank, steps: [isize; D]) -> [Range<usize>; D] {
    let (shape, halo) = (blocks.shape(rank), blocks.halo());
    std::array::from_fn(|at| match steps[at] {
        ..0 => halo[at]..2 * halo[at],
        0 => halo[at]..shape[at] - halo[at],
        1.. => shape[at] - 2 * halo[at]..shape[at] - halo[at],
    })
}

/// The part of the halo of a rank that is in a direction.
fn halo<const D: usize>(blocks: &Blocks<D>, rank: Rank, steps: [isize; D]) -> [Range<usize>; D] {
    let (shape, halo) = (blocks.shape(rank), blocks.halo());
    std::array::from_fn(|at| match steps[at] {
        ..0 => 0..halo[at],
        0 => halo[at]..shape[at] - halo[at],
        1.. => shape[at] - halo[at]..shape[at],
    })
}

/// The rooms of a rank, for the parts of its halo that come packed: their directions, and where in its window they are.
fn rooms<const D: usize>(
    blocks: &Blocks<D>,
    rank: Rank,
    packing: Packing,
) -> impl Iterator<Item = ([isize; D], Range<usize>)> {
    let shape = blocks.shape(rank);
    let mut end = shape.iter().product();
    directions(blocks.corners()).filter_map(move |side| {
        blocks.neighbour(rank, side).filter(|&other| other != rank)?;
        let lengths = halo(blocks, rank, side).map(|range| range.len());
        let elements: usize = lengths.iter().product();
        // Trailing dimensions that are in it as a whole make its pieces longer.
        let divided = (1..D).rev().find(|&at| lengths[at] < shape[at]).unwrap_or(0);
        let piece: usize = lengths[divided..].iter().product();
        let short = SHORT[usize::from(!packing.is_mapped)];
        if piece == elements || piece * packing.element_bytes >= short {
            return None;
        }
        let room = end..end + elements;
        end = room.end;
        Some((side, room))
    })
}

/// From some runs to others with as many elements.
fn moves(from: &[(usize, usize)], to: &[(usize, usize)]) -> Vec<(Range<usize>, usize)> {
    let mut moves = Vec::new();
    let (mut from, mut to) = (from.iter().copied(), to.iter().copied());
    let (mut source, mut place) = ((0, 0), (0, 0));
    loop {
        for (left, runs) in [(&mut source, &mut from), (&mut place, &mut to)] {
            if left.1 == 0 {
                let Some(next) = runs.next() else {
                    return moves;
                };
                *left = next;
            }
        }
        let length = source.1.min(place.1);
        moves.push((source.0..source.0 + length, place.0));
        source = (source.0 + length, source.1 - length);
        place = (place.0 + length, place.1 - length);
    }
}

/// A region of a block as first element and number of consecutive elements, in order.
pub(super) fn runs<const D: usize>(shape: [usize; D], region: &[Range<usize>; D]) -> Vec<(usize, usize)> {
    let (last, length) = (D - 1, region[D - 1].len());
    let mut rows = vec![0];
    for (extent, range) in shape.into_iter().zip(region).take(last) {
        let within = |row: usize| range.clone().map(move |index| row * extent + index);
        rows = rows.into_iter().flat_map(within).collect();
    }
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for row in rows.into_iter().filter(|_| length > 0) {
        let at = row * shape[last] + region[last].start;
        match runs.last_mut() {
            Some((first, before)) if *first + *before == at => *before += length,
            _ => runs.push((at, length)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Distribution;

    /// Puts, and the pieces of those that are not packed, of the rank in the middle of nine.
    fn puts(element_bytes: usize, is_mapped: bool, corners: bool) -> (usize, usize) {
        let distribution = Distribution::new([30, 30]).grid([3, 3]).halo([1, 2]);
        let distribution = if corners {
            distribution.corners()
        } else {
            distribution
        };
        let packing = Packing {
            is_mapped,
            element_bytes,
        };
        let blocks = Blocks::new(distribution, 9).expect("it fits");
        let transfers = Transfers::new(&blocks, 4, packing).expect("small numbers");
        let pieces = transfers.puts.iter().map(|put| match put {
            Put::Direct(_, here, _) => here.blocks().count(),
            Put::Packed(..) => 0,
        });
        (transfers.puts.len(), pieces.sum())
    }

    #[test]
    fn a_side_is_one_put_unless_its_pieces_are_long() {
        // Above and below a row each; left and right ten pieces of two elements.
        assert_eq!(puts(8, true, false), (4, 2));
        assert_eq!(puts(32, true, false), (4, 22));
        assert_eq!(puts(32, false, false), (4, 2));
        assert_eq!(puts(2048, false, false), (4, 22));
        assert_eq!(puts(8, true, true), (8, 6));
    }

    #[test]
    fn runs_are_as_long_as_they_can_be() {
        assert_eq!(runs([4, 5], &[1..3, 0..5]), [(5, 10)]);
        assert_eq!(runs([4, 5], &[1..3, 1..4]), [(6, 3), (11, 3)]);
        assert_eq!(runs([2, 2, 3], &[0..2, 1..2, 0..3]), [(3, 3), (9, 3)]);
        assert_eq!(runs([2, 2], &[0..2, 1..1]), []);
        assert_eq!(runs([3, 7], &[1..2, 2..5]), [(9, 3)]);
    }

    #[test]
    fn moves_join_pieces_of_other_lengths() {
        assert_eq!(
            moves(&[(0, 3), (10, 2)], &[(20, 1), (30, 4)]),
            [(0..1, 20), (1..3, 30), (10..12, 32)]
        );
    }
}
