//! Accesses without a pattern, as bits: a set of places for each instruction, page by page.
//! A set that is the same as in the segment before is told without its places.
//!
//! Promise: exactly the places that were added. A set has a bit for each aligned unit of the size that its instruction
//! accesses (8-byte accesses: 64 bytes a page), so that it costs a 64th of the memory it describes, or an eighth for
//! bytes. When all sets together exceed the budget, the sets of instructions of one kind and size become one set
//! that names only the first of them: bytes and kinds stay exact, the line in a report may be another that accessed the
//! same window at random.
//! Pure: no FFI, no globals.

use super::run::{Key, Line, Run};
use farside_events::{AccessSet, AccessSource, Places, StackId};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Bytes that one bitmap describes.
const PAGE: u64 = 4096;
/// Pages that are looked up together.
const CHUNK: u64 = 512;
/// Chunks that a set finds at once: 128 MiB of memory that is accessed at random.
const RECENT: u64 = 64;

/// Page numbers are spread by one multiplication; nobody chooses them to collide.
#[derive(Default)]
pub(crate) struct PageHasher(u64);

impl Hasher for PageHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<PageHasher>>;

/// The places of one instruction (or of all of one kind).
struct Set {
    key: Key,
    stack: StackId,
    /// log2 of the bytes that a bit stands for.
    shift: u32,
    /// Where the set went when sets were shared. Its own index until then.
    home: u32,
    /// Number of a chunk of pages to its place in `tables`.
    chunks: FastMap<u64, u32>,
    /// For each page of a chunk, the number of its bitmap; counted from 1, 0 is none.
    tables: Vec<[u32; CHUNK as usize]>,
    bits: Vec<u64>,
    /// Chunks added to lately, and their places, by the low bits of their number.
    recent: [(u64, u32); RECENT as usize],
}

impl Set {
    fn new(key: Key, stack: StackId, shift: u32, home: u32) -> Self {
        Self {
            key,
            stack,
            shift,
            home,
            chunks: FastMap::default(),
            tables: Vec::new(),
            bits: Vec::new(),
            recent: [(u64::MAX, 0); RECENT as usize],
        }
    }

    fn words_per_page(&self) -> usize {
        (PAGE >> self.shift) as usize / 64
    }

    /// Bytes that it holds.
    fn bytes(&self) -> usize {
        self.bits.len() * 8 + self.tables.len() * CHUNK as usize * 4
    }

    /// The first word of a page's bitmap.
    #[inline]
    fn page(&mut self, page: u64) -> usize {
        let chunk = page / CHUNK;
        let (known, mut place) = self.recent[(chunk % RECENT) as usize];
        if known != chunk {
            place = self.chunk(chunk);
        }
        let words = self.words_per_page();
        let number = &mut self.tables[place as usize][(page % CHUNK) as usize];
        if *number == 0 {
            *number = (self.bits.len() / words) as u32 + 1;
            self.bits.resize(self.bits.len() + words, 0);
        }
        (*number as usize - 1) * words
    }

    /// The units of their page that these bytes touch; there is one at least.
    fn units(&self, start: u64, stop: u64) -> std::ops::RangeInclusive<u64> {
        (start % PAGE) >> self.shift..=((stop - 1) % PAGE) >> self.shift
    }

    /// Whether one of the bytes from `low` to `high` is in the set.
    fn meets(&self, low: u64, high: u64) -> bool {
        let words = self.words_per_page();
        let mut at = low;
        while at < high {
            let page = at / PAGE;
            let stop = high.min((page + 1).saturating_mul(PAGE));
            let place = self.chunks.get(&(page / CHUNK));
            let number = place.map_or(0, |&place| self.tables[place as usize][(page % CHUNK) as usize]);
            if number != 0 {
                let first = (number as usize - 1) * words;
                let units = self.units(at, stop);
                let set = |unit: u64| self.bits[first + unit as usize / 64] >> (unit % 64) & 1 != 0;
                if units.into_iter().any(set) {
                    return true;
                }
            }
            at = stop;
        }
        false
    }

    /// Takes the units out that touch the bytes from `low` to `high`.
    fn forget(&mut self, low: u64, high: u64) {
        for (page, first) in self.pages() {
            let (start, stop) = (low.max(page * PAGE), high.min((page + 1).saturating_mul(PAGE)));
            if start < stop {
                for unit in self.units(start, stop) {
                    self.bits[first + unit as usize / 64] &= !(1 << (unit % 64));
                }
            }
        }
    }

    /// The place of a chunk that was not added to lately.
    #[cold]
    fn chunk(&mut self, chunk: u64) -> u32 {
        let next = self.tables.len() as u32;
        let place = *self.chunks.entry(chunk).or_insert(next);
        if place == next {
            self.tables.push([0; CHUNK as usize]);
        }
        self.recent[(chunk % RECENT) as usize] = (chunk, place);
        place
    }

    /// All pages with the first word of their bitmaps, in rising order.
    fn pages(&self) -> Vec<(u64, usize)> {
        let words = self.words_per_page();
        let mut chunks: Vec<(u64, u32)> = self
            .chunks
            .iter()
            .map(|(&chunk, &place)| (chunk, place))
            .collect();
        chunks.sort_unstable();
        chunks
            .into_iter()
            .flat_map(|(chunk, place)| {
                let numbers = self.tables[place as usize].iter().zip(chunk * CHUNK..);
                numbers
                    .filter(|&(&number, _)| number != 0)
                    .map(move |(&number, page)| (page, (number as usize - 1) * words))
            })
            .collect()
    }

    /// Adds one aligned unit.
    #[inline]
    fn add_unit(&mut self, address: u64) {
        let word = self.page(address / PAGE);
        let unit = (address % PAGE) >> self.shift;
        self.bits[word + unit as usize / 64] |= 1 << (unit % 64);
    }

    /// Adds whole units; both ends are aligned to the unit.
    fn add_range(&mut self, start: u64, end: u64) {
        let mut at = start;
        while at < end {
            let stop = end.min((at / PAGE + 1).saturating_mul(PAGE));
            let base = self.page(at / PAGE);
            let mut unit = (at % PAGE) >> self.shift;
            let last = unit + ((stop - at) >> self.shift);
            while unit < last {
                let count = (64 - unit % 64).min(last - unit);
                let mask = if count == 64 { u64::MAX } else { (1 << count) - 1 };
                self.bits[base + unit as usize / 64] |= mask << (unit % 64);
                unit += count;
            }
            at = stop;
        }
    }

    /// Adds everything of `other`, whose unit is the same.
    fn absorb(&mut self, other: &Self) {
        let words = self.words_per_page();
        for (page, from) in other.pages() {
            let to = self.page(page);
            for word in 0..words {
                self.bits[to + word] |= other.bits[from + word];
            }
        }
    }

    /// Its places.
    fn places(&self) -> Places {
        let words = self.words_per_page();
        let mut places = Places::default();
        for (page, first) in self.pages() {
            places.push(page, &self.bits[first..first + words]);
        }
        places
    }
}

/// What one instruction (or all of one kind) accessed.
#[derive(Debug)]
pub(crate) struct Scattered {
    /// The instruction, or the first of those of its kind.
    pub(crate) key: Key,
    pub(crate) stack: StackId,
    /// log2 of the bytes that a bit stands for.
    pub(crate) unit: u32,
    /// `None`: the same as when it was last told.
    pub(crate) places: Option<Places>,
}

impl Scattered {
    /// In the words of the events; `source` tells what a source number means.
    pub(crate) fn into_event(self, source: impl Fn(u64) -> AccessSource) -> AccessSet {
        let code = self.key.code();
        AccessSet {
            kind: code.kind(),
            source: source(code.source()),
            pc: self.key.pc(),
            stack: self.stack,
            unit: self.unit as u8,
            places: self.places,
        }
    }
}

/// All sets of one thread's segment.
#[derive(Default)]
pub(crate) struct Dense {
    sets: Vec<Set>,
    /// By key (its code alone when shared) and unit.
    index: FastMap<(u64, u64), u32>,
    shared: bool,
    /// Bytes of all sets.
    bytes: usize,
    /// What the last set was that was told with the same pc, code without its size, stack and unit.
    told: HashMap<(Key, StackId, u32), Places>,
    told_bytes: usize,
}

impl Dense {
    /// Whether nothing was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Whether one of the bytes from `low` to `high` was added. Errs towards yes where there are many sets.
    pub(crate) fn meets(&self, low: u64, high: u64) -> bool {
        const SETS: usize = 64;
        self.sets.len() > SETS || self.sets.iter().any(|set| set.meets(low, high))
    }

    /// Takes out what touches the bytes from `low` to `high`.
    pub(crate) fn forget(&mut self, low: u64, high: u64) {
        self.sets.iter_mut().for_each(|set| set.forget(low, high));
    }

    /// Bytes of all bitmaps.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds an aligned unit of `size` bytes to a set by the index that [`Self::add_one`] gave; gives its present index.
    /// `None`, with nothing added, if the set has other units or the address is not aligned.
    #[inline]
    pub(crate) fn add_unit(&mut self, index: u32, address: u64, size: u64) -> Option<u32> {
        let index = self.sets[index as usize].home;
        let set = &mut self.sets[index as usize];
        if 1 << set.shift != size || address & (size - 1) != 0 {
            return None;
        }
        let before = set.bits.len();
        set.add_unit(address);
        self.bytes += (set.bits.len() - before) * 8;
        Some(index)
    }

    /// Adds all places of a run. Gives the index of its set.
    pub(crate) fn add(&mut self, run: &Run) -> u32 {
        let Line {
            base,
            size,
            stride,
            count,
        } = run.line;
        let unit_fits = matches!(size, 1 | 2 | 4 | 8 | 16)
            && run.key.code().size().is_some()
            && (base | stride.wrapping_mul((count > 1).into()) | run.pitch).is_multiple_of(size);
        let shift = if unit_fits { size.trailing_zeros() } else { 0 };
        let index = self.set(run.key, run.stack, shift);
        let set = &mut self.sets[index as usize];
        let before = set.bytes();
        for line in 0..run.lines {
            let first = base.wrapping_add(run.pitch.wrapping_mul(line));
            if stride == size || stride == 0 || count == 1 {
                let length = if stride == 0 { size } else { size * count };
                if unit_fits && length == size {
                    set.add_unit(first);
                } else {
                    set.add_range(first, first + length);
                }
                continue;
            }
            for step in 0..count {
                let address = first.wrapping_add(stride.wrapping_mul(step));
                if unit_fits {
                    set.add_unit(address);
                } else {
                    set.add_range(address, address + size);
                }
            }
        }
        let added = set.bytes() - before;
        self.bytes += added;
        index
    }

    /// Adds one access. Gives the index of its set.
    pub(crate) fn add_one(&mut self, key: Key, stack: StackId, address: u64, size: u64) -> u32 {
        self.add(&Run::new(
            key,
            stack,
            Line {
                base: address,
                size,
                stride: 0,
                count: 1,
            },
        ))
    }

    /// From now on, and for what was added before, one set for all instructions of a kind.
    pub(crate) fn share(&mut self) {
        if self.shared {
            return;
        }
        self.shared = true;
        self.index.clear();
        for index in 0..self.sets.len() {
            let Set {
                key, stack, shift, ..
            } = self.sets[index];
            let anew = Set::new(key, stack, shift, index as u32);
            let old = std::mem::replace(&mut self.sets[index], anew);
            let name = (self.name(key), u64::from(shift));
            let home = *self.index.entry(name).or_insert(index as u32);
            self.sets[index].home = home;
            self.sets[home as usize].absorb(&old);
        }
        self.bytes = self.sets.iter().map(Set::bytes).sum();
    }

    /// Calls `emit` with sets that cover what was added, then forgets it. What is the same as last time is told in
    /// short, as long as no more than `budget` bytes are kept for that.
    pub(crate) fn drain(&mut self, budget: usize, mut emit: impl FnMut(Scattered)) {
        for set in std::mem::take(&mut self.sets) {
            if set.bits.is_empty() {
                continue;
            }
            let places = set.places();
            let size = places.len();
            let name = (set.key.without_size(), set.stack, set.shift);
            let same = self.told.get(&name) == Some(&places);
            if !same {
                if self.told_bytes + size > budget {
                    self.told.clear();
                    self.told_bytes = 0;
                }
                let before = self.told.insert(name, places.clone());
                self.told_bytes = self.told_bytes + size - before.map_or(0, |before| before.len());
            }
            emit(Scattered {
                key: set.key,
                stack: set.stack,
                unit: set.shift,
                places: (!same).then_some(places),
            });
        }
        self.index.clear();
        self.shared = false;
        self.bytes = 0;
    }

    /// What tells sets apart.
    fn name(&self, key: Key) -> u64 {
        if self.shared {
            Key::new(0, key.code()).0
        } else {
            key.0
        }
    }

    /// The index of a set.
    fn set(&mut self, key: Key, stack: StackId, shift: u32) -> u32 {
        let name = (self.name(key), u64::from(shift));
        *self.index.entry(name).or_insert_with(|| {
            let index = self.sets.len() as u32;
            self.sets.push(Set::new(key, stack, shift, index));
            index
        })
    }
}
