//! What a function whose code was not given may have stored.
//!
//! Promise: what such a function is given the address of, and what is reached from there through pointers, holds values
//! that are not known from then on; what was there before is their sample. They rest on the function, as its result
//! does. Not so: constants; what C++ says to be constant in the function's name; pointers themselves, and handles; and
//! a single number that is known and given to a procedure of Fortran, whose arguments are all addresses. Of each
//! object, the first 4 KiB from the address on are looked at.

use crate::caller::Caller;
use crate::memory::Origin;
use crate::value::{self, Scalar};
use cpp_demangle::{DemangleOptions, Symbol};
use rustc_hash::FxHashSet as HashSet;
use std::ops::Range;

/// So much of an object is looked at.
const LOOKED_AT: u64 = 1 << 12;
/// And so many objects.
const OBJECTS: usize = 64;
/// A number, or a part of an object that holds some.
const NUMBER: u64 = 4;
const POINTER: u64 = 8;

/// Forgets what `name` may have stored where it was given these addresses; `result` is what it returns.
pub(super) fn forget(caller: &mut Caller<'_>, name: &str, given: &[u64], result: Scalar) {
    let is_fortran = name.ends_with('_') || name.starts_with("_Q");
    let constant = constants(name, given.len());
    let given = given.iter().zip(constant);
    let open = given.filter(|(_, is_constant)| !is_constant).map(|(at, _)| *at);
    let mut waiting: Vec<u64> = open.collect();
    let mut known: HashSet<u64> = HashSet::default();
    while let Some(address) = waiting.pop() {
        if known.len() == OBJECTS || !known.insert(address) {
            continue;
        }
        let memory = caller.memory(address);
        let Some((base, object)) = memory.object(address) else {
            continue;
        };
        if object.origin() == Origin::Constant {
            continue;
        }
        let range = address..(base + object.size).min(address.saturating_add(LOOKED_AT));
        let is_number = base == address && object.size <= POINTER;
        if is_fortran && is_number && memory.load(address, object.size).is_known() {
            continue;
        }
        let nth = known.len();
        for numbers in between_pointers(caller, range, &mut waiting) {
            let length = numbers.end - numbers.start;
            caller.become_symbols(numbers.start, length, NUMBER, |at| {
                // Addresses are not the same in all simulations.
                let symbol = value::source(("filled", result.symbol, nth, at - base));
                Scalar { bits: 0, symbol }.of_unseen(name).symbol
            });
        }
    }
}

/// What lies between the pointers and handles of a range; the pointers are put down.
fn between_pointers(caller: &Caller<'_>, range: Range<u64>, pointers: &mut Vec<u64>) -> Vec<Range<u64>> {
    let memory = caller.memory(range.start);
    let (mut pieces, mut begin, mut at) = (Vec::new(), range.start, range.start);
    while at < range.end {
        let value = memory.load(at, POINTER).bits;
        let is_pointer = at.is_multiple_of(POINTER) && caller.memory(value).object(value).is_some();
        let kept = match (is_pointer, is_handle(caller, value & u64::from(u32::MAX))) {
            (true, _) => POINTER,
            (false, true) => NUMBER,
            (false, false) => 0,
        };
        if is_pointer {
            pointers.push(value);
        }
        if kept > 0 {
            pieces.push(begin..at);
            begin = at + kept;
        }
        at += kept.max(NUMBER);
    }
    pieces.push(begin.min(range.end)..range.end);
    pieces
}

fn is_handle(caller: &Caller<'_>, value: u64) -> bool {
    let handles = caller.handles();
    handles.comm(value).is_some() || handles.datatype(value).is_some() || handles.win(value).is_some()
}

/// Whether each of so many arguments is the address of something constant, as far as a name in C++ says so. Arguments
/// that it does not tell come first: the object of a method.
fn constants(name: &str, count: usize) -> Vec<bool> {
    let text = demangled(name).unwrap_or_default();
    let (parameters, rest) = parameters(&text);
    let is_constant = |text: &&str| text.ends_with("const&") || text.ends_with("const*");
    let told = parameters.iter().map(is_constant);
    let before = count.saturating_sub(parameters.len());
    let mut all = vec![rest.trim() == "const"; before];
    all.extend(told);
    all
}

fn demangled(name: &str) -> Option<String> {
    let options = DemangleOptions::new().no_return_type();
    Symbol::new(name).ok()?.demangle_with_options(&options).ok()
}

/// The types in the last brackets of `f(int const*, double)`, and what follows them.
fn parameters(text: &str) -> (Vec<&str>, &str) {
    let Some(end) = text.rfind(')') else {
        return (Vec::new(), "");
    };
    let (mut depth, mut last, mut found) = (0, end, Vec::new());
    for (at, character) in text[..end].char_indices().rev() {
        match character {
            ')' | '>' => depth += 1,
            '(' if depth == 0 => {
                found.push(text[at + 1..last].trim());
                break;
            }
            '(' | '<' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[at + 1..last].trim());
                last = at;
            }
            _ => {}
        }
    }
    found.retain(|parameter| !parameter.is_empty());
    found.reverse();
    (found, &text[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cxx_says_to_be_constant() {
        for (name, expected) in [
            ("_Z4planPKiPii", &[true, false, false][..]),
            ("_Z4planRK5StateR4Grid", &[true, false]),
            ("_ZNK4Mesh5countEPi", &[true, false]),
            ("_ZN4Mesh5countEPi", &[false, false]),
            ("_Z1fRKSt3mapIiiSt4lessIiESaISt4pairIKiiEEEPFviE", &[true, false]),
            ("_Z1fv", &[]),
            ("plan", &[false, false]),
        ] {
            assert_eq!(constants(name, expected.len()), expected, "{name}");
        }
    }
}
