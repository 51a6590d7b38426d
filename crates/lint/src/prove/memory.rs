//! The memory of the process: objects, and what their bytes hold where that is known.
//!
//! Promise: a value that is given is the one that every process of the path has there. What others may have written,
//! and what lies where an address in the rank says, is [`Number::Any`].

use super::affine::Term;
use super::number::Number;
use std::collections::BTreeMap;

/// Bytes that a store of zeros is followed for, beyond an object of which it is all.
const FOLLOWED: i64 = 1 << 16;

/// A window that an object belongs to: its number, and where its part begins in the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) window: u32,
    pub(super) base: Term,
}

/// Something that was allocated.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) size: Term,
    /// What its bytes hold that no cell has: zeros, or anything.
    zero: bool,
    /// Values by where they begin, with their sizes; none overlaps another one.
    cells: BTreeMap<i64, (i64, Number)>,
    /// The window that it is memory of.
    pub(super) part: Option<Part>,
    /// Whether an operation was concerned with it: then accesses to it are noted.
    pub(super) watched: bool,
    pub(super) freed: bool,
}

impl Object {
    pub(super) fn new(size: Term, zero: bool) -> Self {
        Self {
            size,
            zero,
            cells: BTreeMap::new(),
            part: None,
            watched: false,
            freed: false,
        }
    }

    /// A value of so many bytes.
    pub(super) fn load(&self, at: i64, size: i64) -> Number {
        if self.part.is_some() {
            return Number::Any;
        }
        match self.cells.get(&at) {
            Some((length, number)) if *length == size => return *number,
            _ => {}
        }
        let mut bytes = [0; 8];
        for nth in 0..size.min(8) {
            let Some(byte) = self.byte(at + nth) else {
                return Number::Any;
            };
            bytes[nth as usize] = byte;
        }
        match size <= 8 {
            true => Number::Known(u64::from_le_bytes(bytes)),
            false => Number::Any,
        }
    }

    fn byte(&self, at: i64) -> Option<u8> {
        match self.cells.range(..=at).next_back() {
            Some((start, (length, number))) if at < start + length => match number {
                Number::Known(value) if at - start < 8 => Some((value >> (8 * (at - start))) as u8),
                _ => None,
            },
            _ => self.zero.then_some(0),
        }
    }

    /// A value of so many bytes is stored.
    pub(super) fn store(&mut self, at: i64, size: i64, number: Number) {
        self.cut(at, at + size);
        self.cells.insert(at, (size, number));
    }

    /// A range holds zeros now.
    pub(super) fn clear(&mut self, at: i64, size: i64, whole: bool) {
        if whole {
            self.cells.clear();
            self.zero = true;
            return;
        }
        self.cut(at, at + size);
        match (self.zero, size <= FOLLOWED) {
            (true, _) => {}
            (false, true) => {
                for start in (at..at + size).step_by(8) {
                    self.cells
                        .insert(start, ((at + size - start).min(8), Number::Known(0)));
                }
            }
            (false, false) => {
                self.cells.insert(at, (size, Number::Any));
            }
        }
    }

    /// Nobody knows any more what it holds.
    pub(super) fn smear(&mut self) {
        self.cells.clear();
        self.zero = false;
    }

    /// What a range holds, by the distance from its start.
    pub(super) fn content(&self, at: i64, size: i64) -> (bool, Vec<(i64, i64, Number)>) {
        let end = at + size;
        let touched = self
            .cells
            .range(..end)
            .rev()
            .take_while(|(start, (length, _))| **start + length > at);
        let cells = touched.map(|(start, (length, number))| {
            let (from, to) = ((*start).max(at), (start + length).min(end));
            let number = part((*start, *length, *number), from, to);
            (from - at, to - from, number)
        });
        (self.zero && self.part.is_none(), cells.collect())
    }

    /// A range holds what another one held.
    pub(super) fn put(&mut self, at: i64, size: i64, (zero, cells): (bool, Vec<(i64, i64, Number)>)) {
        match zero {
            true => self.clear(at, size, false),
            false => self.store(at, size, Number::Any),
        }
        for (from, length, number) in cells {
            self.store(at + from, length, number);
        }
    }

    /// Removes what overlaps a range; what lies beside it of a cell that does is not known any more.
    fn cut(&mut self, start: i64, end: i64) {
        let touched: Vec<(i64, i64, Number)> = self
            .cells
            .range(..end)
            .rev()
            .take_while(|(at, (length, _))| **at + length > start)
            .map(|(at, (length, number))| (*at, *length, *number))
            .collect();
        for (at, length, number) in touched {
            self.cells.remove(&at);
            let cell = (at, length, number);
            if at < start {
                self.cells.insert(at, (start - at, part(cell, at, start)));
            }
            if at + length > end {
                let rest = part(cell, end, at + length);
                self.cells.insert(end, (at + length - end, rest));
            }
        }
    }
}

/// What some of the bytes of a cell hold.
fn part((at, length, number): (i64, i64, Number), from: i64, to: i64) -> Number {
    match number {
        _ if (from, to) == (at, at + length) => number,
        Number::Known(value) if length <= 8 => {
            let shifted = value >> (8 * (from - at));
            Number::Known(crate::value::mask(shifted, 8 * (to - from) as u32))
        }
        _ => Number::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::super::affine::Terms;
    use super::*;

    fn object(zero: bool) -> Object {
        Object::new(Terms::default().constant(64), zero)
    }

    #[test]
    fn bytes_of_known_values_are_known() {
        let mut object = object(true);
        object.store(8, 4, Number::Known(0x0403_0201));
        assert_eq!(object.load(8, 4), Number::Known(0x0403_0201));
        assert_eq!(object.load(9, 2), Number::Known(0x0302));
        assert_eq!(object.load(4, 8), Number::Known(0x0403_0201_0000_0000));
        object.store(10, 8, Number::Any);
        assert_eq!(
            [object.load(8, 2), object.load(8, 4)],
            [Number::Known(0x0201), Number::Any]
        );
        object.clear(0, 64, true);
        assert_eq!(object.load(8, 8), Number::Known(0));
    }

    #[test]
    fn what_was_never_stored_is_not_known() {
        let mut object = object(false);
        assert_eq!(object.load(0, 4), Number::Any);
        object.clear(0, 12, false);
        assert_eq!(
            [object.load(8, 4), object.load(12, 4)],
            [Number::Known(0), Number::Any]
        );
        let copied = object.content(4, 12);
        object.put(40, 12, copied);
        assert_eq!(
            [object.load(40, 8), object.load(48, 4)],
            [Number::Known(0), Number::Any]
        );
        object.smear();
        assert_eq!(object.load(8, 4), Number::Any);
    }
}
