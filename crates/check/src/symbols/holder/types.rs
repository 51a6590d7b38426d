//! Types: which member or element of a variable lies at an offset.

use super::{Entry, Offset, Unit, entry_of, text};
use addr2line::gimli::{self, AttributeValue};

/// Types within types that are followed.
const DEPTH: u32 = 32;

/// Where the type of a variable or member stands.
pub(super) fn of<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>) -> Option<Offset> {
    entry_of(unit, entry, gimli::DW_AT_type).map(|entry| entry.offset())
}

/// What is written after a variable's name to mean the part of it that begins at an offset: nothing, `.win`, `[2]`.
/// `None` if no part without parts of its own begins there, or several do.
pub(super) fn path(unit: Unit<'_, '_>, ty: Offset, offset: u64) -> Option<String> {
    below(unit, ty, offset, DEPTH)
}

fn below(unit: Unit<'_, '_>, ty: Offset, offset: u64, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let entry = unit.entry(ty).ok()?;
    let is_handle =
        || text(unit, &entry, gimli::DW_AT_name).is_some_and(|name| name.eq_ignore_ascii_case("MPI_Win"));
    match entry.tag() {
        gimli::DW_TAG_typedef
        | gimli::DW_TAG_const_type
        | gimli::DW_TAG_volatile_type
        | gimli::DW_TAG_atomic_type => below(unit, of(unit, &entry)?, offset, depth),
        gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
            if offset == 0 && is_handle() {
                return Some(String::new());
            }
            member(unit, ty, offset, depth)
        }
        gimli::DW_TAG_array_type => element(unit, &entry, offset, depth),
        gimli::DW_TAG_base_type | gimli::DW_TAG_pointer_type | gimli::DW_TAG_enumeration_type => {
            (offset == 0).then(String::new)
        }
        _ => None,
    }
}

/// The member that begins at an offset.
fn member(unit: Unit<'_, '_>, ty: Offset, offset: u64, depth: u32) -> Option<String> {
    let mut tree = unit.entries_tree(Some(ty)).ok()?;
    let mut members = tree.root().ok()?.children();
    let mut found = Vec::new();
    while let Some(member) = members.next().ok()? {
        let member = member.entry();
        let is_base = member.tag() == gimli::DW_TAG_inheritance;
        if !is_base && member.tag() != gimli::DW_TAG_member || member.attr(gimli::DW_AT_external).is_some() {
            continue;
        }
        let start = match member.attr_value(gimli::DW_AT_data_member_location) {
            Some(value) => value.udata_value(),
            // Of a union, or a bit field, which no handle is.
            None => Some(0).filter(|_| member.attr(gimli::DW_AT_data_bit_offset).is_none()),
        };
        let (Some(inside), Some(ty)) = (
            start.and_then(|start| offset.checked_sub(start)),
            of(unit, member),
        ) else {
            continue;
        };
        if size(unit, ty, DEPTH).is_some_and(|size| inside < size)
            && let Some(rest) = below(unit, ty, inside, depth)
        {
            // What libraries keep their elements in (`std::array`) is not written.
            let name = text(unit, member, gimli::DW_AT_name);
            let name = name.filter(|name| !is_base && !name.starts_with("_M_"));
            let dot = if is_fortran(unit) { "%" } else { "." };
            found.push(name.map_or_else(|| rest.clone(), |name| format!("{dot}{name}{rest}")));
        }
    }
    found.dedup();
    <[String; 1]>::try_from(found).ok().map(|[only]| only)
}

/// The element of an array that begins at an offset.
fn element<'d>(unit: Unit<'_, 'd>, array: &Entry<'d>, offset: u64, depth: u32) -> Option<String> {
    let ty = of(unit, array)?;
    let size = size(unit, ty, DEPTH).filter(|size| *size > 0)?;
    let dimensions = dimensions(unit, array)?;
    let (mut number, inside) = (offset / size, offset % size);
    if number >= count(&dimensions)? {
        return None;
    }
    let rest = below(unit, ty, inside, depth)?;
    let fortran = is_fortran(unit);
    let mut indices = Vec::new();
    // The first index is the fastest in Fortran, the last one elsewhere.
    let mut next = |(first, length): &(i64, u64)| {
        indices.push((first + (number % length) as i64).to_string());
        number /= length;
    };
    match fortran {
        true => dimensions.iter().for_each(&mut next),
        false => dimensions.iter().rev().for_each(&mut next),
    }
    if fortran {
        return Some(format!("({}){rest}", indices.join(",")));
    }
    indices.reverse();
    Some(format!("[{}]{rest}", indices.join("][")))
}

/// The first index and the length of each dimension; `None` if they are not constants.
fn dimensions<'d>(unit: Unit<'_, 'd>, array: &Entry<'d>) -> Option<Vec<(i64, u64)>> {
    let of_its_own = [
        gimli::DW_AT_data_location,
        gimli::DW_AT_allocated,
        gimli::DW_AT_associated,
    ];
    if of_its_own
        .iter()
        .any(|attribute| array.attr(*attribute).is_some())
    {
        return None;
    }
    let mut tree = unit.entries_tree(Some(array.offset())).ok()?;
    let mut children = tree.root().ok()?.children();
    let mut found = Vec::new();
    while let Some(child) = children.next().ok()? {
        let range = child.entry();
        if range.tag() != gimli::DW_TAG_subrange_type {
            continue;
        }
        let number = |name| constant(range.attr_value(name)?);
        let first = match range.attr(gimli::DW_AT_lower_bound) {
            Some(_) => number(gimli::DW_AT_lower_bound)?,
            None => i64::from(is_fortran(unit)),
        };
        let length = match number(gimli::DW_AT_count) {
            Some(count) => count,
            None => number(gimli::DW_AT_upper_bound)?
                .checked_sub(first)?
                .checked_add(1)?,
        };
        found.push((first, u64::try_from(length).ok().filter(|length| *length > 0)?));
    }
    (!found.is_empty()).then_some(found)
}

/// How many elements an array of these dimensions has.
fn count(dimensions: &[(i64, u64)]) -> Option<u64> {
    dimensions
        .iter()
        .try_fold(1_u64, |all, (_, length)| all.checked_mul(*length))
}

/// The bytes of a type.
fn size(unit: Unit<'_, '_>, ty: Offset, depth: u32) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let entry = unit.entry(ty).ok()?;
    if let Some(size) = entry.attr_value(gimli::DW_AT_byte_size) {
        return size.udata_value();
    }
    match entry.tag() {
        gimli::DW_TAG_pointer_type => Some(u64::from(unit.encoding().address_size)),
        gimli::DW_TAG_array_type => {
            let element = size(unit, of(unit, &entry)?, depth)?;
            count(&dimensions(unit, &entry)?)?.checked_mul(element)
        }
        _ => size(unit, of(unit, &entry)?, depth),
    }
}

fn constant(value: AttributeValue<super::Bytes<'_>>) -> Option<i64> {
    match value {
        AttributeValue::Exprloc(_) | AttributeValue::UnitRef(_) => None,
        value => value
            .sdata_value()
            .or_else(|| i64::try_from(value.udata_value()?).ok()),
    }
}

/// Whether the sources of a unit are Fortran.
fn is_fortran(unit: Unit<'_, '_>) -> bool {
    let root = unit.entry(unit.header.root_offset()).ok();
    let language = root.and_then(|root| match root.attr_value(gimli::DW_AT_language)? {
        AttributeValue::Language(language) => Some(language),
        _ => None,
    });
    [
        gimli::DW_LANG_Fortran77,
        gimli::DW_LANG_Fortran90,
        gimli::DW_LANG_Fortran95,
        gimli::DW_LANG_Fortran03,
        gimli::DW_LANG_Fortran08,
    ]
    .into_iter()
    .any(|fortran| language == Some(fortran))
}
