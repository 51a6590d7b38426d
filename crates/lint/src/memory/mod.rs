//! The memory of one process: pages that appear when they are written, and what lies where.
//!
//! Objects lie one after the other, so that pages are found by their number in a list; only addresses that no object
//! has (of a program that computes with them) are looked up in a table.

mod content;
mod forgotten;
mod page;
mod tracked;

pub(crate) use content::Content;

use crate::ir::Type;
use crate::value::{Scalar, Symbol, UNCOMPUTED, Value, mask};
use foldhash::quality::FixedState;
use forgotten::Forgotten;
use page::{PAGE, Table};
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::ops::Range;
use std::rc::Rc;
use tracked::Tracked;

/// Bytes, the symbols of unknown values among them, and the objects that were allocated.
#[derive(Debug)]
pub(crate) struct Memory {
    /// Pages that were filled with one byte are the same one until they are written.
    pages: Table<Rc<Page>>,
    objects: BTreeMap<u64, Object>,
    /// The cache lines that hold window memory or the buffer of an RMA operation, a bit each: accesses to them are
    /// events. Objects have lines of their own, so that only accesses to these objects are.
    tracked: Tracked,
    /// What holds values that were not computed ([`UNCOMPUTED`]).
    forgotten: Forgotten,
    places: Places,
}

/// Where the objects of a process begin: no two small numbers beside each other look like an address.
pub(crate) const FIRST_OBJECT: u64 = 0x5500_0000_0000;

/// How far the objects of one process lie from where those of the process before it do: an address of one of them is
/// none of another's, as on machines, where nothing says that they are the same (MPI-4.1 §12.2.4).
const APART: u64 = 4 << 20;

/// Bytes that an object is given at most. No machine gives a larger one; a program may ask for it by a number that it
/// computes wrongly, as by one below zero.
const MOST: u64 = 1 << 40;

/// Bytes that [`Memory::fill`] fills at most: each page of them has a place in the list of pages.
const MOST_FILLED: u64 = 1 << 34;

/// Where objects lie: one after the other, on cache lines of their own. Addresses are never used twice.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    next: u64,
}

impl Places {
    /// Objects that begin at `start`.
    pub(crate) fn starting_at(start: u64) -> Self {
        Self { next: start }
    }

    /// What comes next lies where no other process has something, of which there are so many before this one.
    fn keep_apart(&mut self, processes: u32) {
        self.next += u64::from(processes) * APART;
    }

    /// The address of the next object.
    pub(crate) fn take(&mut self, size: u64) -> u64 {
        let base = self.next.next_multiple_of(64);
        self.next = base + size.clamp(1, MOST) + 64;
        base
    }
}

/// The bytes of a page, and the symbols of the unknown values that begin in it, by their offsets.
#[derive(Clone, Debug)]
struct Page {
    bytes: [u8; PAGE as usize],
    symbols: BTreeMap<u16, Symbol>,
}

impl Page {
    /// A page of zeros.
    fn empty() -> Rc<Self> {
        Self::of(0)
    }

    /// A page that holds one byte everywhere.
    fn of(byte: u8) -> Rc<Self> {
        Rc::new(Self {
            bytes: [byte; PAGE as usize],
            symbols: BTreeMap::new(),
        })
    }

    fn forget_symbols(&mut self, offset: usize, length: usize) {
        if self.symbols.is_empty() {
            return;
        }
        let range = offset as u16..(offset + length) as u16;
        while let Some((at, _)) = self.symbols.range(range.clone()).next() {
            let at = *at;
            self.symbols.remove(&at);
        }
    }
}

/// What a memory tracked at the end of a simulation.
#[derive(Clone, Debug)]
pub(crate) struct Watch(Tracked);

/// Something that was allocated.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) size: u64,
    pub(crate) name: String,
    origin: Origin,
    /// Whether the program says its size: it does not come from outside, nor is it a guess.
    is_settled: bool,
    /// As [`Global::arrays`](crate::ir::Global::arrays).
    arrays: Option<Vec<u64>>,
}

impl Object {
    /// Its size, if the program says it.
    pub(crate) fn settled_size(&self) -> Option<u64> {
        self.is_settled.then_some(self.size)
    }

    /// What it is.
    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// What the sources write after its name for the part that begins at an offset: `[1][2]`; `None` if that is not
    /// known.
    pub(crate) fn element(&self, offset: u64) -> Option<String> {
        let arrays = self.arrays.as_ref()?;
        let (mut rest, mut size) = (offset, self.size);
        let mut path = String::new();
        for length in arrays {
            size = size.checked_div(*length)?;
            path.push_str(&format!("[{}]", rest.checked_div(size)?));
            rest %= size;
        }
        (rest == 0).then_some(path)
    }
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A global or static variable, by its name in the module.
    Global,
    /// Likewise, and nothing may store to it.
    Constant,
    /// A local variable, by its name in the sources.
    Local,
    /// Anything else; its name says what made it.
    Made,
}

impl Memory {
    /// Memory whose objects begin at `start`.
    pub(crate) fn starting_at(start: u64) -> Self {
        Self {
            places: Places::starting_at(start),
            pages: Table::starting_at(start / PAGE),
            tracked: Tracked::starting_at(start / PAGE),
            objects: BTreeMap::new(),
            forgotten: Forgotten::starting_at(start / PAGE),
        }
    }

    /// Objects that the process makes from now on lie where none of so many processes before it makes any.
    pub(crate) fn keep_apart(&mut self, processes: u32) {
        self.places.keep_apart(processes);
    }

    /// A new object, on cache lines of its own. Addresses are never used twice.
    pub(crate) fn allocate(&mut self, size: u64, name: &str) -> u64 {
        self.add(size, name, (Origin::Made, None))
    }

    /// Likewise, of this origin, and what arrays it consists of.
    pub(crate) fn add(&mut self, size: u64, name: &str, (origin, arrays): (Origin, Option<Vec<u64>>)) -> u64 {
        let base = self.places.take(size);
        self.objects.insert(
            base,
            Object {
                size: size.min(MOST),
                name: name.to_owned(),
                origin,
                is_settled: false,
                arrays,
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
            self.pages.remove(base / PAGE + 1..(base + object.size) / PAGE);
        }
    }

    /// The object that holds an address, with its base.
    pub(crate) fn object(&self, address: u64) -> Option<(u64, &Object)> {
        let (base, object) = self.objects.range(..=address).next_back()?;
        (address < base + object.size.max(1)).then_some((*base, object))
    }

    /// The program says the size of the object that begins there.
    pub(crate) fn settle(&mut self, base: u64) {
        if let Some(object) = self.objects.get_mut(&base) {
            object.is_settled = true;
        }
    }

    pub(crate) fn track(&mut self, address: u64, size: u64) {
        if size > 0 {
            self.tracked.track(address, size);
        }
    }

    /// What is tracked.
    pub(crate) fn watch(&self) -> Watch {
        Watch(self.tracked.clone())
    }

    /// Tracks what another memory tracked, whose objects lie at the same addresses.
    pub(crate) fn track_watched(&mut self, watch: &Watch) {
        self.tracked = watch.0.clone();
    }

    #[inline]
    pub(crate) fn is_tracked(&self, address: u64, size: u64) -> bool {
        self.tracked.touches(address, size)
    }

    /// What is tracked of a range: ranges that are apart, ascending. They begin and end where cache lines do.
    pub(crate) fn tracked(&self, range: Range<u64>) -> Vec<Range<u64>> {
        self.tracked.within(range)
    }

    /// A number of at most 8 bytes.
    pub(crate) fn load(&self, address: u64, size: u64) -> Scalar {
        let mut bytes = [0; 8];
        let size = size.min(8) as usize;
        let offset = (address % PAGE) as usize;
        let page = self.pages.get(address / PAGE);
        match page {
            Some(page) if offset + size <= PAGE as usize => {
                bytes[..size].copy_from_slice(&page.bytes[offset..offset + size]);
            }
            _ => self.read(address, &mut bytes[..size]),
        }
        let symbol = page
            .filter(|page| !page.symbols.is_empty())
            .and_then(|page| page.symbols.get(&(offset as u16)));
        let symbol = match self.is_forgotten(address, size as u64) {
            true => UNCOMPUTED,
            false => symbol.copied().unwrap_or(0),
        };
        Scalar {
            bits: u64::from_le_bytes(bytes),
            symbol,
        }
    }

    /// A number that is known; `None` if it is not as simple.
    #[inline]
    pub(crate) fn plain(&self, address: u64, size: u64) -> Option<u64> {
        let (number, offset) = (address / PAGE, (address % PAGE) as usize);
        if offset + size as usize > PAGE as usize || self.forgotten.may_meet(address, size) {
            return None;
        }
        let Some(page) = self.pages.get(number) else {
            return Some(0);
        };
        page.symbols.is_empty().then_some(())?;
        let bytes = &page.bytes[offset..];
        Some(match size {
            8 => u64::from_le_bytes(*bytes.first_chunk()?),
            4 => u64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            2 => u64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            1 => u64::from(bytes[0]),
            _ => return None,
        })
    }

    /// Stores a known number; `None` if it is not as simple.
    #[inline]
    pub(crate) fn store_plain(&mut self, address: u64, size: u64, value: u64) -> Option<()> {
        let (number, offset) = (address / PAGE, (address % PAGE) as usize);
        if offset + size as usize > PAGE as usize || self.forgotten.may_meet(address, size) {
            return None;
        }
        let page = self.page_mut(number);
        page.symbols.is_empty().then_some(())?;
        let bytes = &mut page.bytes[offset..];
        match size {
            8 => *bytes.first_chunk_mut()? = value.to_le_bytes(),
            4 => *bytes.first_chunk_mut()? = (value as u32).to_le_bytes(),
            2 => *bytes.first_chunk_mut()? = (value as u16).to_le_bytes(),
            1 => bytes[0] = value as u8,
            _ => return None,
        }
        Some(())
    }

    /// A value of a type.
    pub(crate) fn load_value(&self, address: u64, ty: &Type) -> Value {
        match ty {
            Type::Structure(fields, _) => {
                let load =
                    |(offset, field): &(u64, Type)| self.load_value(address.wrapping_add(*offset), field);
                Value::Aggregate(Rc::new(fields.iter().map(load).collect()))
            }
            Type::Integer(bits) => {
                let mut value = self.load(address, ty.size());
                value.bits = mask(value.bits, *bits);
                Value::Scalar(value)
            }
            // Numbers that do not fit into a register here are not computed.
            Type::Wide(_) => Value::Scalar(Scalar::uncomputed()),
            Type::Opaque(size @ 9..) => match self.known_bytes(address, *size) {
                Some(bytes) if bytes.iter().all(|byte| *byte == 0) => Value::known(0),
                _ => Value::Scalar(Scalar::uncomputed()),
            },
            ty => Value::Scalar(self.load(address, ty.size().min(8))),
        }
    }

    /// Stores a value of a type.
    pub(crate) fn store_value(&mut self, address: u64, ty: &Type, value: &Value) {
        match ty {
            Type::Structure(fields, _) => {
                for (index, (offset, field)) in fields.iter().enumerate() {
                    let part = value.field(&[index as u32]);
                    self.store_value(address.wrapping_add(*offset), field, &part);
                }
            }
            Type::Wide(size) => self.forget(address, *size),
            Type::Extended => {
                self.store(address, 8, value.scalar());
                self.store(address.wrapping_add(8), 8, Scalar::known(0));
            }
            Type::Opaque(size @ 9..) => match value {
                // All of it is zero.
                Value::Scalar(Scalar { bits: 0, symbol: 0 }) => self.write(address, &vec![0; *size as usize]),
                _ => self.forget(address, *size),
            },
            ty => self.store(address, ty.size().min(8), value.scalar()),
        }
    }

    /// From now on, what a range holds is not computed; until it is written.
    pub(crate) fn forget(&mut self, address: u64, size: u64) {
        self.forgotten.insert(address, size);
    }

    /// Whether a part of a range holds what was not computed.
    pub(crate) fn is_forgotten(&self, address: u64, size: u64) -> bool {
        self.forgotten.meets(address, size)
    }

    pub(crate) fn store(&mut self, address: u64, size: u64, value: Scalar) {
        let (bytes, size) = (value.bits.to_le_bytes(), size.min(8) as usize);
        let offset = (address % PAGE) as usize;
        if offset + size > PAGE as usize {
            self.write(address, &bytes[..size]);
        }
        let page = Rc::make_mut(self.pages.entry(address / PAGE, Page::empty));
        if offset + size <= PAGE as usize {
            page.bytes[offset..offset + size].copy_from_slice(&bytes[..size]);
            page.forget_symbols(offset, size);
        }
        if value.is_uncomputed() {
            // Each of its bytes, of which any may be loaded without the first.
            return self.forgotten.insert(address, size as u64);
        }
        if value.symbol != 0 {
            page.symbols.insert(offset as u16, value.symbol);
        }
        self.forgotten.remove(address, size as u64);
    }

    /// Bytes, zero where nothing was written.
    pub(crate) fn read(&self, address: u64, into: &mut [u8]) {
        let mut done = 0;
        while done < into.len() {
            let at = address.wrapping_add(done as u64);
            let offset = (at % PAGE) as usize;
            let length = (into.len() - done).min(PAGE as usize - offset);
            match self.pages.get(at / PAGE) {
                Some(page) => {
                    into[done..done + length].copy_from_slice(&page.bytes[offset..offset + length]);
                }
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

    /// Bytes, if all of them are known.
    pub(crate) fn known_bytes(&self, address: u64, size: u64) -> Option<Vec<u8>> {
        let known = |(_, symbol): &(u64, Symbol)| {
            Scalar {
                bits: 0,
                symbol: *symbol,
            }
            .is_known()
        };
        let all = !self.is_forgotten(address, size) && self.symbols(address, size).iter().all(known);
        all.then(|| self.bytes(address, size))
    }

    /// Known bytes.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        self.forgotten.remove(address, bytes.len() as u64);
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u64);
            let offset = (at % PAGE) as usize;
            let length = (bytes.len() - done).min(PAGE as usize - offset);
            let page = self.page_mut(at / PAGE);
            page.bytes[offset..offset + length].copy_from_slice(&bytes[done..done + length]);
            page.forget_symbols(offset, length);
            done += length;
        }
    }

    /// The same byte everywhere in a range. Whole pages cost next to nothing; what is longer than [`MOST_FILLED`] is
    /// not computed from there on.
    pub(crate) fn fill(&mut self, address: u64, byte: u8, size: u64) {
        let filled = size.min(MOST_FILLED);
        let end = address.saturating_add(filled);
        let whole = address.div_ceil(PAGE)..end / PAGE;
        if whole.is_empty() {
            self.write(address, &vec![byte; filled as usize]);
        } else {
            self.forgotten.remove(address, filled);
            self.write(address, &vec![byte; (whole.start * PAGE - address) as usize]);
            self.write(whole.end * PAGE, &vec![byte; (end - whole.end * PAGE) as usize]);
            // What is not there is zero.
            self.pages.remove(whole.clone());
            if byte != 0 {
                let page = Page::of(byte);
                whole.for_each(|number| {
                    self.pages.entry(number, || Rc::clone(&page));
                });
            }
        }
        if filled < size {
            self.forget(end, size - filled);
        }
    }

    /// A page that is written to.
    #[inline]
    fn page_mut(&mut self, number: u64) -> &mut Page {
        Rc::make_mut(self.pages.entry(number, Page::empty))
    }

    /// Copies bytes with what is known of them; the ranges may overlap.
    pub(crate) fn copy(&mut self, from: u64, to: u64, size: u64) {
        let content = self.content(from, size);
        self.put_content(to, &content);
    }

    /// What a range holds, with what is known of it.
    pub(crate) fn content(&self, from: u64, size: u64) -> Content {
        let bytes = self.bytes(from, size);
        let size = bytes.len() as u64;
        let forgotten = self.forgotten.within(from, size);
        let forgotten = forgotten.map(|range| range.start - from..range.end - from);
        Content::new(bytes, self.symbols(from, size), forgotten.collect())
    }

    /// Writes what another range held.
    pub(crate) fn put_content(&mut self, to: u64, content: &Content) {
        self.write(to, content.bytes());
        for range in content.forgotten() {
            self.forget(to.wrapping_add(range.start), range.end - range.start);
        }
        for (at, symbol) in content.symbols() {
            let at = to.wrapping_add(*at);
            let page = self.page_mut(at / PAGE);
            page.symbols.insert((at % PAGE) as u16, *symbol);
        }
    }

    /// What all objects hold that there are, as one number, and how many bytes were looked at for it.
    pub(crate) fn state(&self) -> (u64, u64) {
        let (mut hasher, mut bytes) = (FixedState::default().build_hasher(), 0);
        for (base, object) in &self.objects {
            let end = base.saturating_add(object.size);
            (base, object.size).hash(&mut hasher);
            for (number, page) in self.pages.within(base / PAGE..end.div_ceil(PAGE)) {
                let start = number * PAGE;
                let [from, to] = [base.saturating_sub(start), end - start].map(|at| at.min(PAGE) as usize);
                hasher.write(&page.bytes[from..to]);
                let symbols = page.symbols.range(from as u16..to as u16);
                symbols.for_each(|symbol| symbol.hash(&mut hasher));
                bytes += (to - from) as u64;
            }
        }
        (hasher.finish(), bytes)
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

    /// The symbols in a range, by their distance from its start.
    fn symbols(&self, address: u64, size: u64) -> Vec<(u64, Symbol)> {
        let end = address.saturating_add(size);
        let mut found = Vec::new();
        for number in address / PAGE..=end / PAGE {
            let Some(page) = self.pages.get(number) else {
                continue;
            };
            let places = page
                .symbols
                .iter()
                .map(|(offset, symbol)| (number * PAGE + u64::from(*offset), *symbol));
            let inside = places.filter(|(at, _)| (address..end).contains(at));
            found.extend(inside.map(|(at, symbol)| (at - address, symbol)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::page::LINE;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_too_large_for_any_machine_lies_before_the_next_object() {
        let mut places = Places::starting_at(FIRST_OBJECT);
        let huge = places.take(u64::MAX);
        assert!(places.take(8) > huge);
    }

    #[test]
    fn what_is_too_large_for_any_machine_has_an_end() {
        let mut memory = Memory::starting_at(FIRST_OBJECT);
        let huge = memory.allocate(u64::MAX, "minus one");
        let next = memory.allocate(8, "next");
        assert_eq!(memory.object(huge + 8).map(|(base, _)| base), Some(huge));
        assert_eq!(memory.object(next).map(|(base, _)| base), Some(next));
        memory.free(huge);
        assert!(memory.object(huge + 8).is_none());
    }

    #[test]
    fn what_is_tracked_is_told_as_ranges_that_are_apart() {
        let mut memory = Memory::starting_at(0);
        // The first line, two in the middle, and the last ones of a page with all of the next two.
        memory.track(3, 1);
        memory.track(5 * LINE, 2 * LINE);
        memory.track(PAGE - LINE, LINE + 2 * PAGE);
        let all = [0..LINE, 5 * LINE..7 * LINE, PAGE - LINE..3 * PAGE];
        assert_eq!(memory.tracked(0..4 * PAGE), all);
        assert_eq!(
            memory.tracked(6 * LINE..PAGE),
            [6 * LINE..7 * LINE, PAGE - LINE..PAGE]
        );
    }

    #[test]
    fn what_is_written_over_a_page_border_is_read_back() {
        let mut memory = Memory::starting_at(0);
        let bytes: Vec<u8> = (0..200).collect();
        memory.write(PAGE - 100, &bytes);
        assert_eq!(memory.bytes(PAGE - 100, 200), bytes);
        assert_eq!(memory.bytes(10 * PAGE, 3), [0, 0, 0]);
    }

    proptest! {
        /// Filling is writing the same byte many times, whatever was there, and a page that is written to later is
        /// that page alone.
        #[test]
        fn filling_is_writing_the_same_byte_everywhere(
            fills in proptest::collection::vec((0..4 * PAGE, any::<u8>(), 0..3 * PAGE), 1..4),
            stores in proptest::collection::vec((0..7 * PAGE, 0u32..3), 0..6),
        ) {
            let [mut filled, mut written] = [(), ()].map(|()| Memory::starting_at(0));
            for (address, byte, size) in fills {
                for (address, symbol) in &stores {
                    let value = Scalar { bits: *address, symbol: [0, 9, UNCOMPUTED][*symbol as usize] };
                    for memory in [&mut filled, &mut written] {
                        memory.store(*address, 8, value);
                    }
                }
                filled.fill(address, byte, size);
                written.write(address, &vec![byte; size as usize]);
                prop_assert_eq!(filled.content(0, 8 * PAGE), written.content(0, 8 * PAGE));
            }
        }
    }

    #[test]
    fn of_what_is_too_long_to_be_filled_the_rest_is_not_computed() {
        let mut memory = Memory::starting_at(FIRST_OBJECT);
        let huge = memory.allocate(1 << 40, "huge");
        memory.fill(huge, 1, 1 << 40);
        assert_eq!(memory.load(huge + MOST_FILLED - 8, 1), Scalar::known(1));
        assert!(memory.load(huge + MOST_FILLED, 1).is_uncomputed());
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
    fn each_byte_of_what_was_not_computed_is_not_computed() {
        let mut memory = Memory::starting_at(0);
        let uncomputed = Scalar {
            bits: 0,
            symbol: UNCOMPUTED,
        };
        for address in [64, PAGE - 3] {
            memory.store(address, 8, uncomputed);
            memory.store(address, 4, Scalar::known(1));
            assert_eq!(memory.load(address, 4), Scalar::known(1));
            assert!(memory.load(address + 6, 1).is_uncomputed() && memory.load(address, 8).is_uncomputed());
            assert!(!memory.load(address + 8, 1).is_uncomputed());
        }
    }

    #[test]
    fn symbols_are_copied_over_page_borders_and_far_away() {
        let mut memory = Memory::starting_at(0);
        let unknown = Scalar { bits: 7, symbol: 9 };
        memory.store(PAGE - 8, 8, unknown);
        memory.store(PAGE, 8, unknown);
        let away = 1 << 50;
        memory.copy(PAGE - 8, away, 16);
        assert_eq!(
            (memory.load(away, 8), memory.load(away + 8, 8)),
            (unknown, unknown)
        );
        memory.write(away + 8, &[0; 8]);
        assert_eq!(
            (memory.load(away, 8), memory.load(away + 8, 8)),
            (unknown, Scalar::known(0))
        );
        assert!(!memory.is_tracked(away, 1));
        memory.track(away, 1);
        memory.track(PAGE, 1);
        assert!(
            memory.is_tracked(away, 1) && memory.is_tracked(PAGE - 4, 8) && !memory.is_tracked(2 * PAGE, 8)
        );
        assert!(memory.is_tracked(PAGE + 63, 1) && !memory.is_tracked(PAGE + 64, 1));
        memory.track(3 * PAGE + 128, PAGE);
        assert!(!memory.is_tracked(3 * PAGE + 127, 1) && memory.is_tracked(3 * PAGE + 127, 2));
        assert!(memory.is_tracked(4 * PAGE + 127, 1) && !memory.is_tracked(4 * PAGE + 128, PAGE));
        assert_eq!(
            memory.tracked(PAGE + 60..away + 1),
            [PAGE..PAGE + 64, 3 * PAGE + 128..4 * PAGE + 128, away..away + 64]
        );
        assert_eq!(memory.tracked(PAGE + 64..3 * PAGE), []);
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
