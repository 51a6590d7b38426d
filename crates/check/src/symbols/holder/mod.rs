//! The variable that holds the handle of a window, by the debug information (DWARF 5, §2.6, §3.3.8, §4.1, §6.4).
//!
//! Promise: a name that is given is that of a variable of the sources, or of a member or an element of one, that lies
//! exactly at the handle's address while the window is made. Global and static variables are found by their addresses,
//! local ones by the frame that the process recorded.
//!
//! Not found, so that nothing is said of them: what lies on the heap; a place that two variables in scope share;
//! members of unions that are not told apart; locations that depend on memory; debug information in files of its own
//! (`-gsplit-dwarf`), or shared between units (`dwz`, link time optimisation).

mod locals;
mod statics;
mod types;

use addr2line::gimli::{self, EndianSlice, LittleEndian, UnwindSection as _};
use farside_events::StackFrame;
use object::{Object as _, ObjectSection as _};
use std::path::Path;

/// Debug information as it lies in memory.
type Bytes<'d> = EndianSlice<'d, LittleEndian>;
/// A unit of it.
type Unit<'u, 'd> = gimli::UnitRef<'u, Bytes<'d>>;
/// What it says of a variable, a type, a function.
type Entry<'d> = gimli::DebuggingInformationEntry<Bytes<'d>>;
/// Where that stands in its unit.
type Offset = gimli::UnitOffset<usize>;

/// The debug information of a program or library, read as a whole.
pub(super) struct DebugFile {
    sections: gimli::DwarfSections<Vec<u8>>,
    eh_frame: Vec<u8>,
    eh_frame_address: u64,
    numbers: locals::Numbers,
}

impl DebugFile {
    /// Reads a file; `None` if that fails.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let data = std::fs::read(path).ok()?;
        let file = object::File::parse(data.as_slice()).ok()?;
        let section = |name: &str| file.section_by_name(name);
        let bytes = |name: &str| {
            let data = section(name).and_then(|section| section.uncompressed_data().ok());
            data.map_or_else(Vec::new, std::borrow::Cow::into_owned)
        };
        let sections = gimli::DwarfSections::load(|id| Ok::<_, gimli::Error>(bytes(id.name()))).ok()?;
        Some(Self {
            sections,
            eh_frame: bytes(".eh_frame"),
            eh_frame_address: section(".eh_frame").map_or(0, |section| section.address()),
            numbers: locals::Numbers::of(file.architecture()),
        })
    }

    /// The global or static variable that begins at an address of the file, or holds what begins there.
    pub(super) fn global(&self, address: u64) -> Option<String> {
        self.first(|unit| statics::holder(unit, address))
    }

    /// The local variable of a frame that holds what begins at an address. The frame's code is given as an address of
    /// the file.
    pub(super) fn local(&self, frame: StackFrame, address: u64) -> Option<String> {
        // The call is the instruction before the one that it returns to.
        let pc = frame.return_address - 1;
        let registers = locals::Registers::of(frame, self.frame_pointer(pc, frame.canonical), self.numbers);
        self.first(|unit| locals::holder(unit, pc, &registers, address))
    }

    /// What the first unit says that says something.
    fn first(&self, mut look: impl FnMut(Unit<'_, '_>) -> Option<String>) -> Option<String> {
        let dwarf = self.sections.borrow(|section| Bytes::new(section, LittleEndian));
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let unit = dwarf.unit(header).ok();
            let found = unit.and_then(|unit| look(unit.unit_ref(&dwarf)));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The frame pointer of a function, if its frame is found by it.
    fn frame_pointer(&self, pc: u64, canonical: u64) -> Option<u64> {
        let mut section = gimli::EhFrame::new(&self.eh_frame, LittleEndian);
        section.set_vendor(self.numbers.vendor());
        let bases = gimli::BaseAddresses::default().set_eh_frame(self.eh_frame_address);
        let mut context = gimli::UnwindContext::new();
        let row = section.unwind_info_for_address(&bases, &mut context, pc, gimli::EhFrame::cie_from_offset);
        match row.ok()?.cfa() {
            gimli::CfaRule::RegisterAndOffset { register, offset }
                if self.numbers.is_frame_pointer(*register) =>
            {
                Some(canonical.wrapping_add_signed(offset.wrapping_neg()))
            }
            _ => None,
        }
    }
}

/// The text of an attribute.
fn text<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>, name: gimli::DwAt) -> Option<String> {
    let value = unit.attr_string(entry.attr_value(name)?).ok()?;
    let text = value.to_string_lossy().into_owned();
    (!text.is_empty()).then_some(text)
}

/// The entry that an attribute refers to, in the same unit.
fn entry_of<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>, name: gimli::DwAt) -> Option<Entry<'d>> {
    match entry.attr_value(name)? {
        gimli::AttributeValue::UnitRef(offset) => unit.entry(offset).ok(),
        _ => None,
    }
}

/// The entry itself, and those that it completes: of a declaration, or of a function that was inlined.
fn with_origins<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>) -> Vec<Entry<'d>> {
    let mut chain = vec![entry.clone()];
    while let Some(last) = chain.last()
        && chain.len() < 8
        && let Some(origin) = entry_of(unit, last, gimli::DW_AT_abstract_origin)
            .or_else(|| entry_of(unit, last, gimli::DW_AT_specification))
    {
        chain.push(origin);
    }
    chain
}

/// What a variable of this entry at `base` is called where it holds what begins at `address`: `wins[2]`; `None` if it
/// does not.
fn part<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>, base: u64, address: u64) -> Option<String> {
    let offset = address.checked_sub(base)?;
    let chain = with_origins(unit, entry);
    let ty = chain.iter().find_map(|entry| types::of(unit, entry))?;
    types::path(unit, ty, offset)
}

/// Whether an entry's code contains an address.
fn has<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>, pc: u64) -> bool {
    let Ok(mut ranges) = unit.die_ranges(entry) else {
        return false;
    };
    std::iter::from_fn(|| ranges.next().ok().flatten()).any(|range| (range.begin..range.end).contains(&pc))
}

#[cfg(test)]
mod tests;
