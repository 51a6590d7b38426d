//! Values that were seen: of atomic operations, and of puts and gets where they were recorded.
//!
//! A value that nothing handed on so far can have left was left by something that comes. What can have left it: 0, and
//! the first value that was seen there (what lay there at the beginning), what replaced the content, and sums of these
//! with what was added. That is more than was there, so that a value may be taken to be explained which is not; never
//! the other way round. Where other operators are used, or many elements are combined at a time, every value is.
//!
//! What is put and got as a whole under locks, a *record*, has a value, too: its mark, in which all bytes count. Where
//! two places overlap that are not the same, every value is possible in both.
//!
//! A value comes back: a lock is free again, a flag is set again. Where all that is done to a place is known, each
//! value that was left is counted, and each that an atomic operation took away: a value that was taken as often as it
//! was left must be left anew before it is seen. That is so at places where the owner stores nothing. Stores that were
//! not seen let an event wait for what is not to come, for a while, and then its time decides.
//!
//! Who waits for a value in its own memory, and stores there or has seen another value since, waits for one that was
//! left anew ([`Shown`]).

use crate::gate::Gate;
use crate::groups::Groups;
use farside_events::{AccumulateOp, Operation, OperationId, OperationKind, Rank, TypeId, TypeMap, WinId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// Values that are kept of one place.
const KEPT: usize = 32;
/// Sums of different addends that are kept of one place.
const SUMS: usize = 512;
/// Bytes of the longest value that is not a record.
const WORD: u64 = 8;
/// Places that are kept; beyond it values tell nothing.
const PLACES: usize = 1 << 20;

/// What is known of window memory that is used as flags and counters.
#[derive(Debug, Default)]
pub(crate) struct Values {
    types: HashMap<(Rank, TypeId), Element>,
    /// By window and process: by address.
    parts: HashMap<(WinId, Rank), Part>,
    /// Parts where every value is possible.
    vague: HashSet<(WinId, Rank)>,
    places: usize,
    fetches: HashMap<(Rank, OperationId), Fetch>,
    /// What was done under exclusive locks that are still held, by whom and where.
    hidden: HashMap<(Rank, (WinId, Rank)), Vec<Hidden>>,
}

/// An operation, the address and size of its place, and what it does there.
type Hidden = (OperationId, (u64, u64), Effect);

/// What an operation does to a place.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Replaces(u64),
    /// An addend, and the bits that count.
    Adds(u64, u64),
}

/// A type whose elements are one piece each.
#[derive(Clone, Copy, Debug)]
struct Element {
    size: u64,
    /// Elements that follow one another have no gaps.
    is_dense: bool,
    is_integer: bool,
}

impl Element {
    /// So many of them, as one value; `None` if it is not known what their bytes are.
    fn times(self, count: u64) -> Option<Self> {
        let size = self.size.checked_mul(count).filter(|size| *size > 0)?;
        (count == 1 || self.is_dense).then_some(Self {
            size,
            is_integer: self.is_integer && count == 1 && size <= 8,
            ..self
        })
    }
}

/// The places of one process in a window.
#[derive(Debug, Default)]
struct Part {
    cells: BTreeMap<u64, Cell>,
    /// No place is longer.
    longest: u64,
}

impl Part {
    /// The place of so many bytes at an address. All that are no longer than a word are the same place.
    fn at(&self, address: u64, size: u64) -> Option<&Cell> {
        self.cells.get(&address).filter(|cell| cell.is_of(size))
    }

    /// Whether something is known of some of these bytes.
    fn meets(&self, address: u64, size: u64) -> bool {
        let from = address.saturating_sub(self.longest);
        let mut near = self.cells.range(from..address.saturating_add(size));
        near.any(|(at, cell)| at + cell.size > address)
    }

    /// In all places that overlap with these bytes, every value is possible.
    fn blur(&mut self, address: u64, size: u64) {
        let from = address.saturating_sub(self.longest);
        let near = self.cells.range_mut(from..address.saturating_add(size));
        for (_, cell) in near.filter(|(at, cell)| *at + cell.size > address) {
            cell.added = Added::Anything;
            cell.tally = None;
        }
    }
}

/// A fetch whose value is still to come.
#[derive(Clone, Copy, Debug)]
struct Fetch {
    part: (WinId, Rank),
    address: u64,
    size: u64,
    /// What it adds itself.
    own: Option<u64>,
    takes: Takes,
}

/// Whether a fetch takes away what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// It leaves the value there, or adds to it.
    Nothing,
    /// It leaves this one.
    Always { left: u64 },
    /// It leaves this one if it finds that one.
    If { expected: u64, left: u64 },
}

impl Takes {
    /// Whether it leaves this value itself.
    fn leaves(self, value: u64) -> bool {
        match self {
            Self::Nothing => false,
            Self::Always { left } | Self::If { left, .. } => left == value,
        }
    }

    /// Whether this value is taken away, once it was found.
    fn takes(self, found: u64) -> bool {
        match self {
            Self::Nothing => false,
            Self::Always { .. } => true,
            Self::If { expected, .. } => found == expected,
        }
    }
}

/// How often values were left at a place and taken from it, what lay there at the beginning included.
#[derive(Debug, Default)]
struct Tally {
    /// How much more often a value was left than taken. One that was taken before it turned out not to have been left
    /// is owed: what left it is still to come.
    there: HashMap<u64, i64>,
    left: HashMap<u64, i64>,
    /// How often a process took a value.
    taken_by: HashMap<(Rank, u64), i64>,
}

impl Tally {
    fn leave(&mut self, value: u64) {
        *self.there.entry(value).or_default() += 1;
        *self.left.entry(value).or_default() += 1;
    }

    /// An operation that was to leave it did not.
    fn take_back(&mut self, value: u64) {
        *self.there.entry(value).or_default() -= 1;
        *self.left.entry(value).or_default() -= 1;
    }

    fn take(&mut self, rank: Rank, value: u64) {
        *self.there.entry(value).or_default() -= 1;
        *self.taken_by.entry((rank, value)).or_default() += 1;
    }

    /// Whether a process can have found the value. What others took may have been taken later, unless this process
    /// takes it, too: each needs one of its own.
    fn has(&self, rank: Rank, value: u64, takes: Takes) -> bool {
        let count = |counts: &HashMap<u64, i64>| counts.get(&value).copied().unwrap_or(0);
        // It did not find what it left itself.
        let own = i64::from(takes.leaves(value));
        let taken = self.taken_by.get(&(rank, value)).copied().unwrap_or(0);
        match takes.takes(value) {
            true => count(&self.there) > own,
            false => count(&self.left) > own + taken,
        }
    }
}

/// What the owner of a place has seen there, as far as one who waits for values needs it.
#[derive(Debug, Default)]
struct Shown {
    /// How much more often a value was left than the owner saw it come.
    news: HashMap<u64, i64>,
    /// What it saw last, without a store of its own since.
    last: Option<u64>,
    /// What was left last.
    latest: Option<u64>,
    /// Something was done here, or seen.
    began: bool,
}

impl Shown {
    fn leave(&mut self, value: u64) {
        self.began = true;
        self.latest = Some(value);
        *self.news.entry(value).or_default() += 1;
    }

    /// Whether the owner can have seen the value. At the beginning 0 lies there.
    fn has(&self, value: u64) -> bool {
        let is_new = self.news.get(&value).is_some_and(|count| *count > 0);
        is_new || self.last == Some(value) || (!self.began && value == 0)
    }

    /// A value that the owner can have seen, of those that are as it wants them: the latest, if that is.
    fn like(&self, wanted: impl Fn(u64) -> bool) -> Option<u64> {
        let can_be = |value: &u64| wanted(*value) && self.has(*value);
        let latest = self.latest.filter(can_be);
        latest.or_else(|| self.news.keys().copied().chain(self.last).filter(can_be).min())
    }

    fn see(&mut self, value: u64) {
        self.began = true;
        if self.last != Some(value) {
            *self.news.entry(value).or_default() -= 1;
            self.last = Some(value);
        }
    }
}

/// One place.
#[derive(Debug)]
struct Cell {
    /// Its bytes: of a word, the most that were used.
    size: u64,
    /// Values that it had before something was added.
    bases: Vec<u64>,
    /// What lay there at the beginning is known.
    began: bool,
    added: Added,
    /// `None`: not all that is done here is known.
    tally: Option<Tally>,
    shown: Shown,
}

/// What was added to a place.
#[derive(Debug)]
enum Added {
    Nothing,
    /// The same value so often.
    Same(u64, u64),
    /// All sums of some of the addends.
    Sums(HashSet<u64>),
    /// Too much to tell.
    Anything,
}

impl Cell {
    /// A place where 0 may lie.
    fn new(size: u64) -> Self {
        let mut tally = Tally::default();
        tally.leave(0);
        Self {
            size,
            bases: vec![0],
            began: false,
            added: Added::Nothing,
            tally: Some(tally),
            shown: Shown::default(),
        }
    }

    /// Whether this is a place of so many bytes.
    fn is_of(&self, size: u64) -> bool {
        self.size == size || self.size.max(size) <= WORD
    }

    fn replace(&mut self, value: u64) {
        self.shown.leave(value);
        if let Some(tally) = &mut self.tally {
            tally.leave(value);
        }
        if !self.bases.contains(&value) {
            if self.bases.len() >= KEPT {
                self.added = Added::Anything;
                return;
            }
            self.bases.push(value);
        }
    }

    fn add(&mut self, addend: u64, mask: u64) {
        self.tally = None;
        self.added = match std::mem::replace(&mut self.added, Added::Anything) {
            Added::Nothing => Added::Same(addend, 1),
            Added::Same(same, count) if same == addend => Added::Same(same, count + 1),
            Added::Same(same, count) if count < SUMS as u64 / 2 => {
                let sums = (0..=count).map(|times| same.wrapping_mul(times) & mask).collect();
                Self::with(sums, addend, mask)
            }
            Added::Sums(sums) => Self::with(sums, addend, mask),
            Added::Same(..) | Added::Anything => Added::Anything,
        };
    }

    fn with(mut sums: HashSet<u64>, addend: u64, mask: u64) -> Added {
        let more: Vec<u64> = sums.iter().map(|sum| sum.wrapping_add(addend) & mask).collect();
        sums.extend(more);
        match sums.len() <= SUMS {
            true => Added::Sums(sums),
            false => Added::Anything,
        }
    }

    /// Whether something that was handed on can have left this value; `own` is what the fetch itself adds.
    fn explains(&self, value: u64, mask: u64, own: Option<u64>) -> bool {
        let sum = |base: &u64| value.wrapping_sub(*base) & mask;
        let has_base = || self.bases.iter().any(|base| sum(base) == 0);
        match &self.added {
            Added::Anything => true,
            Added::Nothing => has_base(),
            Added::Same(same, count) => {
                let count = count - u64::from(own == Some(*same));
                let signed = (same & (mask ^ (mask >> 1))) != 0;
                let (step, down) = if signed {
                    (same.wrapping_neg() & mask, true)
                } else {
                    (*same, false)
                };
                self.bases.iter().any(|base| {
                    let rest = if down {
                        sum(base).wrapping_neg() & mask
                    } else {
                        sum(base)
                    };
                    rest == 0 || (step != 0 && rest.is_multiple_of(step) && rest / step <= count)
                })
            }
            Added::Sums(sums) => self.bases.iter().any(|base| sums.contains(&sum(base))),
        }
    }
}

impl Values {
    /// A process stores to its own memory what nobody knows.
    pub(crate) fn store(&mut self, rank: Rank, range: Range<u64>) {
        for ((_, of), part) in &mut self.parts {
            if *of == rank && range.start < range.end {
                let inside = part.cells.range_mut(range.clone());
                inside.for_each(|(_, cell)| {
                    cell.tally = None;
                    cell.shown.last = None;
                });
            }
        }
    }

    /// A process defines a type.
    pub(crate) fn define(&mut self, rank: Rank, id: TypeId, map: &TypeMap) {
        let [block] = &map.blocks[..] else {
            return;
        };
        let Some(basic) = map.basics.get(block.basic as usize) else {
            return;
        };
        if block.offset != 0 || block.count != 1 {
            return;
        }
        let size = map.size();
        let element = Element {
            size,
            is_dense: u64::try_from(map.extent) == Ok(size),
            is_integer: u64::from(basic.size) == size && !basic.is_floating(),
        };
        self.types.insert((rank, id), element);
    }

    /// An operation is issued. It is `hidden` from others while its process holds the lock of the target.
    pub(crate) fn operation(
        &mut self,
        (rank, call): (Rank, &Operation),
        target: Rank,
        groups: &Groups,
        hidden: bool,
    ) {
        let part = (call.win, target);
        if self.vague.contains(&part) {
            return;
        }
        // What combines values combines those of elements.
        let moves = matches!(call.kind, OperationKind::Put | OperationKind::Get);
        let of_type = self.types.get(&(rank, call.target_type)).copied();
        let whole = of_type.and_then(|element| element.times(call.target_count));
        let element = whole.filter(|whole| moves || call.target_count == 1 && whole.size <= WORD);
        let address = groups.address(call.win, target, call.displacement);
        // Whatever displacement a wrong program gives: a place ends after it begins.
        let size = element.map_or(0, |element| element.size);
        let address = address.filter(|address| address.checked_add(size).is_some());
        let changes = match call.kind {
            OperationKind::Get => false,
            OperationKind::Put => call.operand.is_some(),
            _ => call.operator != Some(AccumulateOp::NoOp),
        };
        let (Some(Element { size, is_integer, .. }), Some(address)) = (element, address) else {
            if changes {
                self.forget(part);
            }
            return;
        };
        let mask = mask(size);
        let operand = call.operand.map(|operand| operand & mask);
        let adds = call.operator == Some(AccumulateOp::Sum);
        if fetches(call) {
            let own = operand.filter(|_| adds && !hidden);
            let takes = match (call.operator, call.expected, operand) {
                (Some(AccumulateOp::Replace), _, Some(left)) => Takes::Always { left },
                (None, Some(expected), Some(left)) => Takes::If {
                    expected: expected & mask,
                    left,
                },
                _ => Takes::Nothing,
            };
            self.fetches.insert(
                (rank, call.id),
                Fetch {
                    part,
                    address,
                    size,
                    own,
                    takes,
                },
            );
        }
        if !changes {
            return;
        }
        let replaces = call.operator.is_none()
            || matches!(
                call.operator,
                Some(AccumulateOp::Replace | AccumulateOp::Max | AccumulateOp::Min)
            );
        let effect = match operand {
            Some(value) if replaces => Effect::Replaces(value),
            Some(addend) if adds && is_integer => Effect::Adds(addend, mask),
            _ => return self.forget(part),
        };
        // What a lock hides, and what may not replace, is not counted.
        let is_sure = !matches!(call.operator, Some(AccumulateOp::Max | AccumulateOp::Min));
        let is_sure = is_sure && (call.kind != OperationKind::CompareAndSwap || call.expected.is_some());
        if (hidden || !is_sure)
            && let Some(cell) = self.cell(part, address, size)
        {
            cell.tally = None;
        }
        match hidden {
            true => {
                let hidden = self.hidden.entry((rank, part)).or_default();
                hidden.push((call.id, (address, size), effect));
            }
            false => self.change(part, (address, size), effect),
        }
    }

    /// A process lets go of the exclusive lock of a part: others can see now what it did there.
    pub(crate) fn unlock(&mut self, rank: Rank, win: WinId, target: Rank) {
        let part = (win, target);
        for (_, place, effect) in self.hidden.remove(&(rank, part)).unwrap_or_default() {
            self.change(part, place, effect);
        }
    }

    fn change(&mut self, part: (WinId, Rank), (address, size): (u64, u64), effect: Effect) {
        if self.vague.contains(&part) {
            return;
        }
        if let Some(cell) = self.cell(part, address, size) {
            match effect {
                Effect::Replaces(value) => cell.replace(value),
                Effect::Adds(addend, mask) => cell.add(addend, mask),
            }
        }
    }

    /// Whether the value of a fetch is explained.
    pub(crate) fn fetched(&self, rank: Rank, id: OperationId, value: u64) -> Gate {
        match self.fetches.get(&(rank, id)) {
            Some(fetch) if !self.vague.contains(&fetch.part) => {
                let hidden = self.hidden.get(&(rank, fetch.part)).into_iter().flatten();
                let mut others = hidden.filter(|(other, ..)| *other != id);
                let end = fetch.address.saturating_add(fetch.size);
                if others.any(|(_, (at, size), _)| *at < end && at + size > fetch.address) {
                    return Gate::Open;
                }
                let part = self.parts.get(&fetch.part);
                let cell = part.and_then(|part| part.at(fetch.address, fetch.size));
                if cell.is_none() && part.is_some_and(|part| part.meets(fetch.address, fetch.size)) {
                    return Gate::Open;
                }
                let mask = mask(fetch.size);
                Self::gate(cell, (rank, value & mask, fetch.takes), mask, fetch.own)
            }
            _ => Gate::Open,
        }
    }

    /// The value of a fetch is handed on.
    pub(crate) fn fetch(&mut self, rank: Rank, id: OperationId, value: u64) {
        let Some(Fetch {
            part,
            address,
            size,
            own,
            takes,
        }) = self.fetches.remove(&(rank, id))
        else {
            return;
        };
        if self.vague.contains(&part) {
            return;
        }
        let mask = mask(size);
        if let Some(cell) = self.cell(part, address, size)
            && !cell.began
        {
            // Nobody left it, so it lay there.
            if !cell.explains(value & mask, mask, own) {
                cell.bases.push(value & mask);
                if let Some(tally) = &mut cell.tally {
                    tally.leave(value & mask);
                }
            }
            cell.began = true;
        }
        let cells = self.parts.get_mut(&part);
        let cell = cells.and_then(|part| part.cells.get_mut(&address));
        if let Some(tally) = cell.and_then(|cell| cell.tally.as_mut()) {
            match takes {
                _ if takes.takes(value & mask) => tally.take(rank, value & mask),
                Takes::If { left, .. } => tally.take_back(left),
                _ => {}
            }
        }
    }

    /// Whether the value that a process has waited for in its own memory is explained: where nothing was done, 0 lies.
    pub(crate) fn seen(&self, rank: Rank, (address, size, value): (u64, u32, u64), groups: &Groups) -> Gate {
        let (size, mask) = (u64::from(size), mask(u64::from(size)));
        let value = value & mask;
        let explains = |cell: &Cell| match (&cell.tally, &cell.added) {
            (None, Added::Nothing) => cell.shown.has(value),
            _ => Self::gate(Some(cell), (rank, value, Takes::Nothing), mask, None) == Gate::Open,
        };
        let mut known = false;
        for ((_, of), part) in &self.parts {
            match part.at(address, size) {
                _ if *of != rank => {}
                Some(cell) if explains(cell) => known = true,
                Some(_) => return Gate::Value,
                None => known |= part.meets(address, size),
            }
        }
        let is_vague = self.vague.iter().any(|(_, of)| *of == rank);
        match known || is_vague || value == 0 || !groups.exposes(rank, address) {
            true => Gate::Open,
            false => Gate::Value,
        }
    }

    /// A value that a process can have seen in its memory so far, of those that are as it wants them.
    pub(crate) fn like(
        &self,
        rank: Rank,
        (address, size): (u64, u32),
        wanted: impl Fn(u64) -> bool,
    ) -> Option<u64> {
        let parts = self.parts.iter().filter(|((_, of), _)| *of == rank);
        let cells = parts.filter_map(|(_, part)| part.at(address, u64::from(size)));
        cells.filter_map(|cell| cell.shown.like(&wanted)).min()
    }

    /// The value is handed on.
    pub(crate) fn see(&mut self, rank: Rank, address: u64, size: u32, value: u64) {
        let size = u64::from(size);
        let parts = self.parts.iter_mut().filter(|((_, of), _)| *of == rank);
        for (_, part) in parts {
            if part.at(address, size).is_some()
                && let Some(cell) = part.cells.get_mut(&address)
            {
                cell.shown.see(value & mask(size));
            }
        }
    }

    /// A window is gone at all its members.
    pub(crate) fn free(&mut self, win: WinId) {
        let places = &mut self.places;
        self.parts.retain(|(of, _), part| {
            if *of == win {
                *places -= part.cells.len();
            }
            *of != win
        });
        self.vague.retain(|(of, _)| *of != win);
    }

    fn gate(
        cell: Option<&Cell>,
        (rank, value, takes): (Rank, u64, Takes),
        mask: u64,
        own: Option<u64>,
    ) -> Gate {
        let explained = match cell {
            Some(Cell {
                tally: Some(tally), ..
            }) => tally.has(rank, value, takes),
            Some(cell) => cell.explains(value, mask, own),
            None => value == 0,
        };
        if explained { Gate::Open } else { Gate::Value }
    }

    fn cell(&mut self, part: (WinId, Rank), address: u64, size: u64) -> Option<&mut Cell> {
        let known = self.parts.get(&part).and_then(|part| part.at(address, size));
        if known.is_none() && self.places >= PLACES {
            self.forget(part);
            return None;
        }
        let place = self.parts.entry(part).or_default();
        match place.at(address, size) {
            Some(cell) if cell.size >= size => {}
            Some(_) => {
                // A longer word than before.
                let overlaps = place.cells.range(address + 1..address + size).next().is_some();
                place.longest = place.longest.max(size);
                place.cells.get_mut(&address)?.size = size;
                if overlaps {
                    place.blur(address, size);
                }
            }
            None => {
                let overlaps = place.meets(address, size);
                place.longest = place.longest.max(size);
                // Another one that begins here stays: of its bytes, too, nothing is known any more.
                let size = place.cells.get(&address).map_or(size, |cell| cell.size.max(size));
                let before = place.cells.insert(address, Cell::new(size));
                self.places += usize::from(before.is_none());
                if overlaps {
                    place.blur(address, size);
                }
            }
        }
        place.cells.get_mut(&address)
    }

    /// Every value is possible in this part.
    fn forget(&mut self, part: (WinId, Rank)) {
        self.places -= self.parts.remove(&part).map_or(0, |part| part.cells.len());
        self.vague.insert(part);
    }
}

/// Whether an operation brings a value that is reported.
fn fetches(call: &Operation) -> bool {
    !matches!(call.kind, OperationKind::Accumulate | OperationKind::Put)
}

/// The bits of so many bytes; all of a mark.
fn mask(size: u64) -> u64 {
    match size {
        0..8 => (1 << (8 * size)) - 1,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::Shown;

    #[test]
    fn a_value_that_was_seen_and_stored_over_must_come_again() {
        let mut shown = Shown::default();
        assert!(shown.has(0) && !shown.has(1));
        shown.leave(1);
        assert!(shown.has(1));
        shown.see(1);
        assert!(shown.has(1), "it still lies there");
        // The owner stores.
        shown.last = None;
        assert!(!shown.has(1));
        shown.leave(1);
        assert!(shown.has(1));
    }
}
