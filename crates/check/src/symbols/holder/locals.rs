//! Local variables of a frame.

use super::{Bytes, Entry, Unit, has, part, text, with_origins};
use addr2line::gimli::{self, AttributeValue, EvaluationResult as Asked, Expression, Location, Value};
use farside_events::StackFrame;

/// Entries within entries that are followed.
const DEPTH: u32 = 64;

/// The numbers of registers in debug information (of the ABI's supplement for DWARF).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    stack_pointer: gimli::Register,
    frame_pointer: gimli::Register,
    vendor: gimli::Vendor,
}

impl Numbers {
    /// Those of the processor that a file is for.
    pub(super) fn of(processor: object::Architecture) -> Self {
        match processor {
            object::Architecture::Aarch64 => Self {
                stack_pointer: gimli::AArch64::SP,
                frame_pointer: gimli::AArch64::X29,
                vendor: gimli::Vendor::AArch64,
            },
            _ => Self {
                stack_pointer: gimli::X86_64::RSP,
                frame_pointer: gimli::X86_64::RBP,
                vendor: gimli::Vendor::Default,
            },
        }
    }

    /// Whether this is the frame pointer.
    pub(super) fn is_frame_pointer(self, register: gimli::Register) -> bool {
        register == self.frame_pointer
    }

    /// Whose instructions there are beside those of DWARF.
    pub(super) fn vendor(self) -> gimli::Vendor {
        self.vendor
    }
}

/// What is known of a frame's registers.
pub(super) struct Registers {
    numbers: Numbers,
    stack_pointer: u64,
    frame_pointer: Option<u64>,
    canonical: u64,
}

impl Registers {
    /// Those of a frame that has this frame pointer.
    pub(super) fn of(frame: StackFrame, frame_pointer: Option<u64>, numbers: Numbers) -> Self {
        Self {
            numbers,
            stack_pointer: frame.stack_pointer,
            frame_pointer,
            canonical: frame.canonical,
        }
    }

    fn get(&self, register: gimli::Register) -> Option<u64> {
        match register {
            _ if register == self.numbers.stack_pointer => Some(self.stack_pointer),
            _ if register == self.numbers.frame_pointer => self.frame_pointer,
            _ => None,
        }
    }
}

/// The variable that holds what begins at an address, of the function of a unit that is at `pc`.
pub(super) fn holder(unit: Unit<'_, '_>, pc: u64, registers: &Registers, address: u64) -> Option<String> {
    let mut ranges = unit.unit_ranges().ok()?;
    let mut all = std::iter::from_fn(|| ranges.next().ok().flatten());
    if !all.any(|range| (range.begin..range.end).contains(&pc)) {
        return None;
    }
    let mut entries = unit.entries();
    while let Ok(Some(entry)) = entries.next_dfs() {
        if entry.tag() == gimli::DW_TAG_subprogram && has(unit, entry, pc) {
            let base = entry
                .attr(gimli::DW_AT_frame_base)
                .and_then(|base| base.exprloc_value());
            let frame = Frame {
                unit,
                pc,
                registers,
                base: base.and_then(|base| frame_base(unit, base, registers)),
            };
            let mut tree = unit.entries_tree(Some(entry.offset())).ok()?;
            let mut found = Vec::new();
            frame.gather(tree.root().ok()?, address, DEPTH, &mut found);
            found.sort_unstable();
            found.dedup();
            // Two variables in one place: either may be the one that is meant.
            return <[String; 1]>::try_from(found).ok().map(|[only]| only);
        }
    }
    None
}

/// A function's frame, while it makes a call at `pc`.
struct Frame<'u, 'd, 'r> {
    unit: Unit<'u, 'd>,
    pc: u64,
    registers: &'r Registers,
    base: Option<u64>,
}

impl<'d> Frame<'_, 'd, '_> {
    /// Adds the variables in scope that hold what begins at an address.
    fn gather(
        &self,
        scope: gimli::EntriesTreeNode<'_, '_, Bytes<'d>>,
        address: u64,
        depth: u32,
        found: &mut Vec<String>,
    ) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let mut children = scope.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            match entry.tag() {
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    found.extend(self.named(entry, address));
                }
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine
                    if has(self.unit, entry, self.pc) =>
                {
                    self.gather(child, address, depth, found);
                }
                _ => {}
            }
        }
    }

    fn named(&self, entry: &Entry<'d>, address: u64) -> Option<String> {
        let location = evaluate(self.unit, self.location(entry)?, self.registers, self.base)?;
        let Location::Address { address: base } = location else {
            return None;
        };
        let path = part(self.unit, entry, base, address)?;
        let chain = with_origins(self.unit, entry);
        let artificial = chain
            .iter()
            .any(|entry| entry.attr(gimli::DW_AT_artificial).is_some());
        let name = chain
            .iter()
            .find_map(|entry| text(self.unit, entry, gimli::DW_AT_name));
        name.filter(|_| !artificial).map(|name| name + &path)
    }

    /// How a variable is found at the call.
    fn location(&self, entry: &Entry<'d>) -> Option<Expression<Bytes<'d>>> {
        let value = entry.attr_value(gimli::DW_AT_location)?;
        if let AttributeValue::Exprloc(expression) = value {
            return Some(expression);
        }
        let mut list = self.unit.attr_locations(value).ok()??;
        while let Some(entry) = list.next().ok()? {
            if (entry.range.begin..entry.range.end).contains(&self.pc) {
                return Some(entry.data);
            }
        }
        None
    }
}

/// Where the variables of a frame are counted from: an address, or what is in a register.
fn frame_base<'d>(
    unit: Unit<'_, 'd>,
    expression: Expression<Bytes<'d>>,
    registers: &Registers,
) -> Option<u64> {
    match evaluate(unit, expression, registers, None)? {
        Location::Address { address } => Some(address),
        Location::Register { register } => registers.get(register),
        _ => None,
    }
}

/// What an expression means that asks for nothing but these registers and the frame's base.
fn evaluate<'d>(
    unit: Unit<'_, 'd>,
    expression: Expression<Bytes<'d>>,
    registers: &Registers,
    base: Option<u64>,
) -> Option<Location<Bytes<'d>>> {
    let mut evaluation = expression.evaluation(unit.encoding());
    let mut asked = evaluation.evaluate().ok()?;
    loop {
        let next = match asked {
            Asked::Complete => break,
            Asked::RequiresFrameBase => evaluation.resume_with_frame_base(base?),
            Asked::RequiresCallFrameCfa => evaluation.resume_with_call_frame_cfa(registers.canonical),
            Asked::RequiresRegister { register, .. } => {
                evaluation.resume_with_register(Value::Generic(registers.get(register)?))
            }
            _ => return None,
        };
        asked = next.ok()?;
    }
    match <[_; 1]>::try_from(evaluation.result()) {
        Ok([piece]) if piece.size_in_bits.is_none() => Some(piece.location),
        _ => None,
    }
}
