//! Which ranks a collective call orders: those whose elements it moves (MPI-4.1 §6.1). An empty contribution orders
//! nothing, though its messages may.

use crate::{Group, Rank};
use farside_events::Direction;

fn named(group: &Group, rank: Rank) -> farside_events::Rank {
    farside_events::Rank(group.world_rank(rank).unwrap_or(rank))
}

/// The root before all others, if it gives this rank so many elements.
pub(super) fn from_root(group: &Group, root: Rank, length: usize) -> Direction {
    match length {
        0 => Direction::Nothing,
        _ => Direction::FromRoot(named(group, root)),
    }
}

/// All before the root, if each gives so many elements.
pub(super) fn to_root(group: &Group, root: Rank, length: usize) -> Direction {
    match length {
        0 => Direction::Nothing,
        _ => Direction::ToRoot(named(group, root)),
    }
}

/// Each before each, if each gives so many elements.
pub(super) fn of_all(length: usize) -> Direction {
    match length {
        0 => Direction::Nothing,
        _ => Direction::All,
    }
}

/// Lower ranks before higher ones, if each gives so many elements.
pub(super) fn prefix(length: usize) -> Direction {
    match length {
        0 => Direction::Nothing,
        _ => Direction::Prefix,
    }
}

/// Those before this rank that give it something, by rank.
pub(super) fn from_some(group: &Group, lengths: &[usize]) -> Direction {
    let gives = lengths.iter().zip(0..).filter(|&(&length, _)| length > 0);
    Direction::FromNeighbors(gives.map(|(_, rank)| named(group, rank)).collect())
}
