//! Global and static variables.

use super::{Entry, Unit, part, text, with_origins};
use crate::symbols::demangled;
use addr2line::gimli::{self, Operation};

/// The variable of a unit that holds what begins at an address.
pub(super) fn holder(unit: Unit<'_, '_>, address: u64) -> Option<String> {
    let mut entries = unit.entries();
    // Modules of Fortran around the entry, with their depths.
    let mut modules: Vec<(isize, String)> = Vec::new();
    while let Ok(Some(entry)) = entries.next_dfs() {
        while modules.last().is_some_and(|(depth, _)| entry.depth() <= *depth) {
            modules.pop();
        }
        match entry.tag() {
            gimli::DW_TAG_module => {
                modules.extend(text(unit, entry, gimli::DW_AT_name).map(|name| (entry.depth(), name)));
            }
            gimli::DW_TAG_variable => {
                if let Some(base) = base(unit, entry)
                    && let Some(path) = part(unit, entry, base, address)
                    && let Some(name) = name(unit, entry, modules.last().map(|(_, name)| name.as_str()))
                {
                    return Some(name + &path);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a variable lies that lies in one place.
fn base<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>) -> Option<u64> {
    let mut operations = entry
        .attr(gimli::DW_AT_location)?
        .exprloc_value()?
        .operations(unit.encoding());
    let base = match operations.next().ok()?? {
        Operation::Address { address } => address,
        Operation::AddressIndex { index } => unit.address(index).ok()?,
        _ => return None,
    };
    match operations.next().ok()? {
        None => Some(base),
        // Of a variable within a common block, say.
        Some(Operation::PlusConstant { value }) if operations.next().ok()?.is_none() => {
            base.checked_add(value)
        }
        Some(_) => None,
    }
}

/// `heat::win`, `mesh::halo`, `win`.
fn name<'d>(unit: Unit<'_, 'd>, entry: &Entry<'d>, module: Option<&str>) -> Option<String> {
    let chain = with_origins(unit, entry);
    let first = |attribute| chain.iter().find_map(|entry| text(unit, entry, attribute));
    let plain = first(gimli::DW_AT_name)?;
    if let Some(module) = module {
        return Some(format!("{module}::{plain}"));
    }
    let linked = first(gimli::DW_AT_linkage_name).filter(|linked| linked.starts_with('_'));
    // Compilers of Fortran give the main program's variables names of the linker, too.
    let shown = linked
        .map(|linked| demangled(&linked))
        .filter(|name| name.ends_with(&plain));
    Some(shown.filter(|name| !name.starts_with('_')).unwrap_or(plain))
}
