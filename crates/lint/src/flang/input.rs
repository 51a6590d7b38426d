//! What `read` gives to variables: values of a known text, or unknown ones.

use super::descriptor::Descriptor;
use super::units::{abandon, reading};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::fortran::list::{Fault, Kind, Variable};
use crate::fortran::statement::Input;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

/// A larger array is not read.
const MOST_ELEMENTS: u64 = 1 << 16;
/// Where the parts of flang's `NamelistGroup` and its items are, and the size of an item.
const ITEMS: u64 = 8;
const FIRST_ITEM: u64 = 16;
const ITEM: u64 = 16;
const MOST_ITEMS: u64 = 1 << 10;

/// Reads one item of a `read` statement: `Input...`, by its name in flang's runtime.
pub(super) fn item(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Flow {
    let [cookie, at, size] = [0, 1, 2].map(|index| a.get(index).copied().unwrap_or_default().bits);
    if reading(caller, cookie).is_some_and(|input| input.status() != 0) {
        return NOTHING;
    }
    let read = match reading(caller, cookie) {
        None => Err(Fault::Unclear),
        Some(_) => known_item(caller, name, (cookie, at, size)),
    };
    let Err(fault) = read else {
        return Flow::Return(Scalar::known(1));
    };
    if fault == Fault::Unclear {
        abandon(caller, cookie);
        unknown_item(caller, name, at, size);
        return Flow::Return(Scalar::known(1));
    }
    if let Some(input) = reading(caller, cookie)
        && input.handles(fault)
    {
        input.fail(fault);
        return NOTHING;
    }
    caller.give_up("read", None);
    Flow::Ended
}

/// Reads an item from a known text.
fn known_item(caller: &mut Caller<'_>, name: &str, (cookie, at, size): (u64, u64, u64)) -> Result<(), Fault> {
    let kind = match name {
        "InputInteger" if matches!(size, 1 | 2 | 4 | 8) => Kind::Integer(size),
        "InputReal32" => Kind::Real(4),
        "InputReal64" => Kind::Real(8),
        // flang's runtime stores a byte, which the program widens.
        "InputLogical" => Kind::Logical(1),
        "InputAscii" => Kind::Character(size),
        "InputDescriptor" => {
            let target = Descriptor::at(caller, at);
            let kind = target.kind().filter(|_| target.count() <= MOST_ELEMENTS);
            let kind = kind.ok_or(Fault::Unclear)?;
            return (0..target.count()).try_for_each(|nth| value(caller, cookie, target.address(nth), kind));
        }
        "InputNamelist" => return namelist(caller, cookie, at),
        _ => return Err(Fault::Unclear),
    };
    value(caller, cookie, at, kind)
}

/// The next value of the text goes to a variable.
fn value(caller: &mut Caller<'_>, cookie: u64, at: u64, kind: Kind) -> Result<(), Fault> {
    let input = reading(caller, cookie).ok_or(Fault::Unclear)?;
    if let Some(bytes) = input.next(kind)? {
        caller.library_access("read", AccessKind::Store, at, kind.size());
        caller.memory_mut(at).write(at, &bytes);
    }
    Ok(())
}

/// A group of the text gives values to its variables.
fn namelist(caller: &mut Caller<'_>, cookie: u64, group: u64) -> Result<(), Fault> {
    let targets = variables(caller, group);
    let variables: Option<Vec<Variable>> = targets
        .iter()
        .map(|(name, target)| {
            let count = target.count();
            let kind = target.kind().filter(|_| count <= MOST_ELEMENTS)?;
            Some(Variable::new(name.clone(), kind, count))
        })
        .collect();
    let variables = variables.ok_or(Fault::Unclear)?;
    let name = name_at(caller, group);
    let text = reading(caller, cookie).and_then(Input::text_mut);
    for given in text.ok_or(Fault::Unclear)?.group(&name, &variables)? {
        let target = &targets[given.variable()].1;
        let at = target.address(given.element());
        caller.library_access("read", AccessKind::Store, at, target.element());
        caller.memory_mut(at).write(at, given.bytes());
    }
    Ok(())
}

/// The variables of a namelist: their names, and where they are.
fn variables(caller: &Caller<'_>, group: u64) -> Vec<(String, Descriptor)> {
    let count = caller.long_at(group + ITEMS).min(MOST_ITEMS);
    let first = caller.long_at(group + FIRST_ITEM);
    (0..count)
        .map(|nth| {
            let item = first + ITEM * nth;
            let target = Descriptor::at(caller, caller.long_at(item + 8));
            (name_at(caller, item), target)
        })
        .collect()
}

/// The name to which a pointer at an address leads, in small letters.
fn name_at(caller: &Caller<'_>, at: u64) -> String {
    let name = caller.long_at(at);
    String::from_utf8_lossy(&caller.memory(name).string(name)).to_ascii_lowercase()
}

/// Reads an item from outside.
fn unknown_item(caller: &mut Caller<'_>, name: &str, at: u64, size: u64) {
    match name {
        "InputDescriptor" => Descriptor::at(caller, at).come_from_outside(caller, "read"),
        "InputNamelist" => {
            for (_, target) in variables(caller, at) {
                target.come_from_outside(caller, "read");
            }
        }
        "InputAscii" => {
            caller.library_access("read", AccessKind::Store, at, size);
            caller.come_from_outside(at, size, 1);
        }
        "InputInteger" | "InputReal32" | "InputReal64" | "InputLogical" => {
            let size = match name {
                "InputInteger" => size.clamp(1, 8),
                "InputReal64" => 8,
                _ => 4,
            };
            caller.library_access("read", AccessKind::Store, at, size);
            let value = Scalar {
                bits: if name == "InputInteger" { 4 } else { 0 },
                symbol: source((name, caller.place())),
            };
            caller.memory_mut(at).store(at, size, value);
        }
        _ => {}
    }
}
