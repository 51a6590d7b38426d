//! The memory of one process: pages that appear when they are written, and what lies where.

use crate::value::{Scalar, Symbol};
use std::collections::{BTreeMap, HashMap, HashSet};

const PAGE: u64 = 4096;

/// Bytes, the symbols of unknown values among them, and the objects that were allocated.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pages: HashMap<u64, Box<[u8; PAGE as usize]>>,
    symbols: BTreeMap<u64, Symbol>,
    objects: BTreeMap<u64, Object>,
    /// Pages that hold window memory or the buffer of an RMA operation: accesses to them are events.
    tracked: HashSet<u64>,
    next: u64,
}

/// Something that was allocated.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) size: u64,
    pub(crate) name: String,
}

impl Memory {
    /// Memory whose objects begin at `start`.
    pub(crate) fn starting_at(start: u64) -> Self {
        Self {
            next: start,
            ..Self::default()
        }
    }

    /// A new object, on cache lines of its own. Addresses are never used twice.
    pub(crate) fn allocate(&mut self, size: u64, name: &str) -> u64 {
        let base = self.next.next_multiple_of(64);
        self.next = base + size.max(1) + 64;
        self.objects.insert(
            base,
            Object {
                size,
                name: name.to_owned(),
            },
        );
        base
    }

    /// Forgets an object.
    pub(crate) fn free(&mut self, base: u64) {
        let Some(object) = self.objects.remove(&base) else {
            return;
        };
        // What is watched may still be in use by an operation; small objects share their pages with others.
        if object.size >= 4 * PAGE {
            for page in base / PAGE + 1..(base + object.size) / PAGE {
                self.pages.remove(&page);
            }
        }
    }

    /// The object that holds an address, with its base.
    pub(crate) fn object(&self, address: u64) -> Option<(u64, &Object)> {
        let (base, object) = self.objects.range(..=address).next_back()?;
        (address < base + object.size.max(1)).then_some((*base, object))
    }

    pub(crate) fn track(&mut self, address: u64, size: u64) {
        if size > 0 && size < 1 << 40 {
            self.tracked.extend(address / PAGE..=(address + size - 1) / PAGE);
        }
    }

    pub(crate) fn is_tracked(&self, address: u64, size: u64) -> bool {
        let last = address.saturating_add(size.max(1) - 1) / PAGE;
        !self.tracked.is_empty()
            && (self.tracked.contains(&(address / PAGE))
                || (last != address / PAGE
                    && (address / PAGE..=last).any(|page| self.tracked.contains(&page))))
    }

    /// A number of at most 8 bytes.
    pub(crate) fn load(&self, address: u64, size: u64) -> Scalar {
        let mut bytes = [0; 8];
        let size = size.min(8) as usize;
        self.read(address, &mut bytes[..size]);
        let symbol = if self.symbols.is_empty() {
            0
        } else {
            self.symbols.get(&address).copied().unwrap_or(0)
        };
        Scalar {
            bits: u64::from_le_bytes(bytes),
            symbol,
        }
    }

    pub(crate) fn store(&mut self, address: u64, size: u64, value: Scalar) {
        self.write(address, &value.bits.to_le_bytes()[..size.min(8) as usize]);
        if value.symbol != 0 {
            self.symbols.insert(address, value.symbol);
        }
    }

    /// Bytes, zero where nothing was written.
    pub(crate) fn read(&self, address: u64, into: &mut [u8]) {
        let mut done = 0;
        while done < into.len() {
            let at = address.wrapping_add(done as u64);
            let offset = (at % PAGE) as usize;
            let length = (into.len() - done).min(PAGE as usize - offset);
            match self.pages.get(&(at / PAGE)) {
                Some(page) => into[done..done + length].copy_from_slice(&page[offset..offset + length]),
                None => into[done..done + length].fill(0),
            }
            done += length;
        }
    }

    pub(crate) fn bytes(&self, address: u64, size: u64) -> Vec<u8> {
        let mut bytes = vec![0; size.min(1 << 26) as usize];
        self.read(address, &mut bytes);
        bytes
    }

    /// Known bytes.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        if !self.symbols.is_empty() {
            self.forget_symbols(address, bytes.len() as u64);
        }
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u64);
            let offset = (at % PAGE) as usize;
            let length = (bytes.len() - done).min(PAGE as usize - offset);
            let page = self
                .pages
                .entry(at / PAGE)
                .or_insert_with(|| Box::new([0; PAGE as usize]));
            page[offset..offset + length].copy_from_slice(&bytes[done..done + length]);
            done += length;
        }
    }

    /// Copies bytes with what is known of them; the ranges may overlap.
    pub(crate) fn copy(&mut self, from: u64, to: u64, size: u64) {
        let bytes = self.bytes(from, size);
        let end = from.saturating_add(size);
        let symbols: Vec<(u64, Symbol)> = self
            .symbols
            .range(from..end)
            .map(|(at, symbol)| (at - from, *symbol))
            .collect();
        self.write(to, &bytes);
        self.symbols
            .extend(symbols.into_iter().map(|(at, symbol)| (to + at, symbol)));
    }

    /// A string up to its end, at most a megabyte.
    pub(crate) fn string(&self, address: u64) -> Vec<u8> {
        let mut text = Vec::new();
        let mut byte = [0];
        while text.len() < 1 << 20 {
            self.read(address + text.len() as u64, &mut byte);
            if byte[0] == 0 {
                break;
            }
            text.push(byte[0]);
        }
        text
    }

    fn forget_symbols(&mut self, address: u64, size: u64) {
        let known: Vec<u64> = self
            .symbols
            .range(address..address.saturating_add(size))
            .map(|(at, _)| *at)
            .collect();
        for at in known {
            self.symbols.remove(&at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_over_a_page_border_is_read_back() {
        let mut memory = Memory::starting_at(0);
        let bytes: Vec<u8> = (0..200).collect();
        memory.write(PAGE - 100, &bytes);
        assert_eq!(memory.bytes(PAGE - 100, 200), bytes);
        assert_eq!(memory.bytes(10 * PAGE, 3), [0, 0, 0]);
    }

    #[test]
    fn a_copy_keeps_what_is_unknown_and_a_store_makes_it_known() {
        let mut memory = Memory::starting_at(0);
        memory.store(64, 4, Scalar { bits: 7, symbol: 9 });
        memory.copy(64, 128, 4);
        assert_eq!(memory.load(128, 4), Scalar { bits: 7, symbol: 9 });
        memory.store(128, 4, Scalar::known(1));
        assert_eq!(memory.load(128, 4), Scalar::known(1));
    }

    #[test]
    fn objects_are_found_by_any_of_their_addresses() {
        let mut memory = Memory::starting_at(1000);
        let base = memory.allocate(16, "a");
        assert_eq!(memory.object(base + 15).map(|(at, _)| at), Some(base));
        assert!(memory.object(base + 16).is_none());
        memory.free(base);
        assert!(memory.object(base).is_none());
    }
}
