//! What a range of memory holds, on its way to another place.

use crate::value::{Scalar, Symbol, UNCOMPUTED};
use std::ops::Range;

/// Bytes, the symbols of unknown values among them, and what was not computed; all by the distance from the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    bytes: Vec<u8>,
    /// Ascending.
    symbols: Vec<(u64, Symbol)>,
    forgotten: Vec<Range<u64>>,
}

impl Content {
    pub(super) fn new(bytes: Vec<u8>, symbols: Vec<(u64, Symbol)>, forgotten: Vec<Range<u64>>) -> Self {
        Self {
            bytes,
            symbols,
            forgotten,
        }
    }

    /// Bytes that are known.
    pub(crate) fn known(bytes: Vec<u8>) -> Self {
        Self::new(bytes, Vec::new(), Vec::new())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn symbols(&self) -> &[(u64, Symbol)] {
        &self.symbols
    }

    pub(super) fn forgotten(&self) -> &[Range<u64>] {
        &self.forgotten
    }

    /// Whether all of it is known.
    pub(crate) fn is_known(&self) -> bool {
        self.symbols.is_empty() && self.forgotten.is_empty()
    }

    /// The same without the symbols of values that are known, and without any if there are more than these: what is
    /// left is taken as it is.
    pub(crate) fn with_symbols(mut self, most: usize) -> Self {
        self.symbols.retain(|(_, symbol)| {
            !Scalar {
                bits: 0,
                symbol: *symbol,
            }
            .is_known()
        });
        if self.symbols.len() > most {
            self.symbols.clear();
        }
        self
    }

    /// Adds what comes right after it.
    pub(crate) fn append(&mut self, other: &Self) {
        let end = self.len();
        self.bytes.extend(&other.bytes);
        let symbols = other.symbols.iter();
        self.symbols
            .extend(symbols.map(|(at, symbol)| (end + at, *symbol)));
        let forgotten = other.forgotten.iter();
        self.forgotten
            .extend(forgotten.map(|range| end + range.start..end + range.end));
    }

    /// A part of it; as much as there is.
    pub(crate) fn part(&self, start: u64, size: u64) -> Self {
        let start = start.min(self.len());
        let end = start.saturating_add(size).min(self.len());
        let symbols = self.symbols.iter().filter(|(at, _)| (start..end).contains(at));
        let cut = |range: &Range<u64>| range.start.max(start)..range.end.min(end);
        let forgotten = self.forgotten.iter().map(cut).filter(|range| !range.is_empty());
        Self {
            bytes: self.bytes[start as usize..end as usize].to_vec(),
            symbols: symbols.map(|(at, symbol)| (at - start, *symbol)).collect(),
            forgotten: forgotten
                .map(|range| range.start - start..range.end - start)
                .collect(),
        }
    }

    /// All of it as one value: its first 8 bytes, unknown if a part is.
    pub(crate) fn scalar(&self) -> Scalar {
        let mut word = [0; 8];
        let count = self.bytes.len().min(8);
        word[..count].copy_from_slice(&self.bytes[..count]);
        let symbol = match (self.forgotten.is_empty(), self.symbols.first()) {
            (false, _) => UNCOMPUTED,
            (true, Some((_, symbol))) => *symbol,
            (true, None) => 0,
        };
        Scalar {
            bits: u64::from_le_bytes(word),
            symbol,
        }
    }

    /// The same bytes as one value that this symbol stands for.
    pub(crate) fn with_symbol(self, symbol: Symbol) -> Self {
        let whole = Scalar { bits: 0, symbol };
        let size = self.len();
        match (whole.is_uncomputed(), symbol) {
            (true, _) => Self::new(self.bytes, Vec::new(), std::iter::once(0..size).collect()),
            (false, 0) => Self::known(self.bytes),
            (false, _) => Self::new(self.bytes, vec![(0, symbol)], Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_put_together_are_the_whole() {
        let whole = Content::new(
            (0..24).collect(),
            vec![(0, 7), (12, 9)],
            std::iter::once(20..24).collect(),
        );
        let mut together = whole.part(0, 10);
        together.append(&whole.part(10, 14));
        assert_eq!(together, whole);
        assert_eq!(whole.part(16, 100).bytes(), (16..24).collect::<Vec<u8>>());
        assert!(whole.part(1, 11).is_known() && !whole.part(12, 4).is_known());
        assert_eq!(whole.part(12, 4).scalar().symbol, 9);
        assert!(whole.part(16, 8).scalar().is_uncomputed());
    }
}
