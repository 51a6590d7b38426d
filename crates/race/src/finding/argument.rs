//! Arguments that are wrong, and what they would be if the call is right otherwise.
//!
//! Only one value is told, and only where the run has one that is nearer than others: what fits of an operation that
//! begins in its window; the last or the first displacement for one that does not begin there, or the same number of
//! bytes if bytes were counted for units; the target of the one epoch that is open. That this is what was meant, no run
//! tells.

use farside_events::{GaspiArgument, Rank, TypeMap, WinId};
use serde::{Deserialize, Serialize};

/// An argument of a call, with its value if it is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Argument {
    /// How many elements an operation moves at its target.
    Count(u64),
    /// Where in the window an operation begins, in units of the target.
    Displacement(i64),
    /// The rank that an operation is directed to.
    Target(Rank),
    /// The window of an operation.
    Window(WinId),
    /// The communicator of a window, on which a call of some of its processes is made.
    Communicator(WinId),
    /// The process that a call of OpenSHMEM is directed to, which need not exist.
    Pe(i32),
    /// The ranks of a group, all of them below 64: a bit for each.
    Group(u64),
    /// What a library of GASPI refused, or the nearest value that it takes.
    OfGaspi(GaspiArgument, u64),
    /// An address, which may lie in the middle of an allocation.
    Address,
    /// The beginning of an allocation.
    Beginning,
    /// All that a call is given.
    Given,
    /// The call of another process, where all make the same.
    AsTheOther,
}

/// The nearest number of a process to one that no process has.
pub(crate) fn nearest_pe(number: i32, processes: u32) -> Option<[Argument; 2]> {
    let last = i32::try_from(processes).ok()?.checked_sub(1)?;
    let right = number.clamp(0, last.max(0));
    (right != number).then_some([number, right].map(Argument::Pe))
}

/// A group of ranks; `None` if one of them is too great.
pub(crate) fn group(ranks: impl IntoIterator<Item = Rank>) -> Option<Argument> {
    let bit = |rank: Rank| 1_u64.checked_shl(rank.0);
    let bits: Option<Vec<u64>> = ranks.into_iter().map(bit).collect();
    Some(Argument::Group(bits?.into_iter().fold(0, |all, bit| all | bit)))
}

/// How an operation reaches into a part of a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<'m> {
    /// Of an element at the target.
    map: &'m TypeMap,
    /// Elements.
    count: u64,
    /// In units.
    displacement: i64,
    /// Bytes of a unit.
    unit: u32,
    /// Bytes of the part.
    size: u64,
}

impl<'m> Reach<'m> {
    /// So many elements at a displacement in units of so many bytes, in a part of so many bytes.
    pub(crate) fn new(map: &'m TypeMap, (count, displacement): (u64, i64), (unit, size): (u32, u64)) -> Self {
        Self {
            map,
            count,
            displacement,
            unit,
            size,
        }
    }

    /// The argument that is wrong, and what it would be; `None` if no value is right, or more than one is as near.
    pub(crate) fn right(&self) -> Option<[Argument; 2]> {
        let (extent, size, unit) = (
            self.map.extent,
            i64::try_from(self.size).ok()?,
            i64::from(self.unit),
        );
        let count = i64::try_from(self.count).ok().filter(|count| *count > 0)?;
        let bytes = bytes(self.map)?;
        if extent < 0 || unit == 0 {
            return None;
        }
        let offset = self.displacement.checked_mul(unit)?;
        let is_inside = |offset: i64, count: i64| {
            let last = offset.checked_add(extent.checked_mul(count.checked_sub(1)?)?)?;
            let within = offset.checked_add(bytes[0])? >= 0 && last.checked_add(bytes[1])? <= size;
            Some(within)
        };
        if is_inside(offset, 1)? {
            // What comes after the end has no room there; all else stays where it is.
            let room = size - offset - bytes[1];
            let fits = match extent {
                0 => return None,
                _ => room / extent + 1,
            };
            let right = Argument::Count(u64::try_from(fits).ok()?);
            return (fits < count).then_some([Argument::Count(self.count), right]);
        }
        let given = Argument::Displacement(self.displacement);
        let told = |right: i64| Some([given, Argument::Displacement(right)]);
        let span = bytes[1].checked_add(extent.checked_mul(count - 1)?)?;
        let last = size.checked_sub(span)?.div_euclid(unit);
        let first = -bytes[0].div_euclid(unit);
        if last < first {
            return None;
        }
        if self.displacement < first {
            return told(first);
        }
        // Who is one too far meant the end; who is farther may have counted bytes.
        let is_far = self.displacement > size.div_euclid(unit);
        let is_of_bytes = unit > 1 && self.displacement % unit == 0 && is_far;
        match is_of_bytes && is_inside(self.displacement, count)? {
            true => told(self.displacement / unit),
            false => told(last),
        }
    }
}

/// The first byte of an element, and the one after its last one.
fn bytes(map: &TypeMap) -> Option<[i64; 2]> {
    let mut bounds: Option<[i64; 2]> = None;
    for block in &map.blocks {
        let steps = i64::try_from(block.count).ok()?.checked_sub(1)?;
        let far = block.offset.checked_add(block.stride.checked_mul(steps)?)?;
        let length = i64::try_from(block.length).ok()?;
        let own = [block.offset.min(far), block.offset.max(far).checked_add(length)?];
        let known = bounds.get_or_insert(own);
        *known = [known[0].min(own[0]), known[1].max(own[1])];
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(count: u64, displacement: i64, size: u64) -> Option<[Argument; 2]> {
        let reach = Reach {
            map: &TypeMap::basic("MPI_INT", 4),
            count,
            displacement,
            unit: 4,
            size,
        };
        reach.right()
    }

    #[test]
    fn what_fits_is_moved_to_where_it_was_meant_to_be() {
        let counts = |given, right| Some([Argument::Count(given), Argument::Count(right)]);
        assert_eq!(right(4, 5, 32), counts(4, 3));
        assert_eq!(right(9, 0, 32), counts(9, 8));
        assert_eq!(right(2, 7, 32), counts(2, 1));
    }

    #[test]
    fn what_does_not_begin_in_its_window_begins_at_the_nearest_place() {
        let moved = |given, right| Some([Argument::Displacement(given), Argument::Displacement(right)]);
        assert_eq!(right(1, 8, 32), moved(8, 7));
        assert_eq!(right(3, 8, 32), moved(8, 5));
        assert_eq!(right(1, -1, 32), moved(-1, 0));
        // Bytes in the place of units.
        assert_eq!(right(1, 12, 32), moved(12, 3));
        assert_eq!(right(1, 10, 16), moved(10, 3));
        assert_eq!(right(9, 8, 32), None);
    }

    #[test]
    fn a_process_that_is_not_there_has_a_neighbour() {
        let pes = |given, right| Some([Argument::Pe(given), Argument::Pe(right)]);
        assert_eq!(nearest_pe(-1, 2), pes(-1, 0));
        assert_eq!(nearest_pe(7, 2), pes(7, 1));
        assert_eq!(nearest_pe(1, 2), None);
        assert_eq!(group([0, 2].map(Rank)), Some(Argument::Group(5)));
        assert_eq!(group([Rank(64)]), None);
    }

    #[test]
    fn gaps_are_no_bytes() {
        let mut map = TypeMap::basic("MPI_INT", 4);
        map.extent = 8;
        let reach = Reach {
            map: &map,
            count: 8,
            displacement: 1,
            unit: 1,
            size: 29,
        };
        assert_eq!(reach.right(), Some([Argument::Count(8), Argument::Count(4)]));
        let vector = TypeMap {
            extent: 40,
            ..map.clone()
        };
        let too_large = Reach {
            map: &vector,
            count: 2,
            displacement: 9,
            size: 32,
            ..reach
        };
        assert!(too_large.right().is_some());
        let nowhere = Reach {
            displacement: 32,
            ..too_large
        };
        assert_eq!(nowhere.right(), None);
    }
}
