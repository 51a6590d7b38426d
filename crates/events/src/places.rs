//! Sets of places, page by page, as bits.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes of a page.
const PAGE: u64 = 4096;
/// Words that one byte tells of: whether each has a bit set.
const GROUP: usize = 8;

/// Places in memory in rising order: a bit for each unit of some bytes that is in the set.
///
/// Kept as the bytes that are sent: for each page its distance from the one before, then for every eight words of its
/// bits a byte that says which of them follow, the others being zero.
#[derive(Clone, Default)]
pub struct Places {
    bytes: Vec<u8>,
    /// The number of the last page.
    last: u64,
}

impl Places {
    /// Adds a page by its number (address / 4096), which is greater than those before. `words` hold its bits, from the
    /// lowest on; all pages have as many.
    pub fn push(&mut self, page: u64, words: &[u64]) {
        let mut gap = page - self.last;
        self.last = page;
        while gap >= 0x80 {
            self.bytes.push(gap as u8 | 0x80);
            gap >>= 7;
        }
        self.bytes.push(gap as u8);
        for group in words.chunks(GROUP) {
            let there = |mask: u8, (index, word): (usize, &u64)| mask | u8::from(*word != 0) << index;
            self.bytes.push(group.iter().enumerate().fold(0, there));
            for word in group.iter().filter(|word| **word != 0) {
                self.bytes.extend_from_slice(&word.to_le_bytes());
            }
        }
    }

    /// Whether no page was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Calls `visit` with the number of each page and its bits, `words` of them, in rising order. Damaged bytes end it
    /// early.
    pub fn pages(&self, words: usize, mut visit: impl FnMut(u64, &[u64])) {
        let mut page = 0_u64;
        let mut rest = self.bytes.as_slice();
        let mut bits = vec![0_u64; words];
        while let Some(gap) = number(&mut rest) {
            let Some(next) = page.checked_add(gap).filter(|page| *page < u64::MAX / PAGE) else {
                return;
            };
            page = next;
            for group in bits.chunks_mut(GROUP) {
                let Some((&mask, after)) = rest.split_first() else {
                    return;
                };
                rest = after;
                for (index, word) in group.iter_mut().enumerate() {
                    *word = 0;
                    if mask >> index & 1 != 0 {
                        let Some((bytes, after)) = rest.split_first_chunk() else {
                            return;
                        };
                        *word = u64::from_le_bytes(*bytes);
                        rest = after;
                    }
                }
            }
            visit(page, &bits);
        }
    }
}

/// A number of seven bits a byte, the lowest first.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

impl PartialEq for Places {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Places {}

impl std::fmt::Debug for Places {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Places({} bytes)", self.bytes.len())
    }
}

impl Serialize for Places {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.bytes)
    }
}

impl<'de> Deserialize<'de> for Places {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Places;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("pages of bits")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Places, E> {
                Ok(Places {
                    bytes: bytes.to_vec(),
                    last: 0,
                })
            }
        }

        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_comes_out() {
        let mut places = Places::default();
        let mut wanted = Vec::new();
        for (page, word, bits) in [
            (3, 0, 1_u64),
            (4, 7, u64::MAX),
            (0x7_ffff_0000, 5, 0x8000_0000_0000_0000),
        ] {
            let mut words = [0; 8];
            words[word] = bits;
            places.push(page, &words);
            wanted.push((page, words.to_vec()));
        }
        let mut found = Vec::new();
        places.pages(8, |page, words| found.push((page, words.to_vec())));
        assert_eq!(found, wanted);
    }

    #[test]
    fn damaged_bytes_end_it() {
        for length in 0..9 {
            let places = Places {
                bytes: vec![0xff; length],
                last: 0,
            };
            places.pages(8, |_, _| panic!("there is no whole page"));
        }
    }
}
