//! Functions of the C library that compare strings, or look for something in one.
//!
//! Promised: what they return is what the C library would, if no byte of the strings comes from outside; else it is
//! unknown.

use super::{answered, characters};
use crate::caller::Caller;
use crate::flow::Flow;
use crate::value::{Scalar, UNCOMPUTED, derived, source};
use farside_events::AccessKind;
use std::cmp::Ordering;

/// Bytes of a text that tell it from others.
const LONGEST: u64 = 256;

/// Compares two strings, or their begins of so many bytes.
pub(super) fn compare(caller: &mut Caller<'_>, name: &str, (one, other): (u64, u64), limit: u64) -> Flow {
    let limit = if name.contains("strn") {
        limit as usize
    } else {
        usize::MAX
    };
    let [x, y] = [one, other].map(|at| read(caller, name, at));
    caller.compared(&x, &y);
    let sizes = [x.len(), y.len()].map(|length| length.saturating_add(1).min(limit) as u64);
    let [begin, other_begin] = [&x, &y].map(|text| &text[..text.len().min(limit)]);
    let order = match name.ends_with("casecmp") {
        true => begin.to_ascii_lowercase().cmp(&other_begin.to_ascii_lowercase()),
        false => begin.cmp(other_begin),
    };
    let bits = u64::from(order as i32 as u32);
    if let Some(order) = answered::order(caller, [(one, &x), (other, &y)], bits) {
        return Flow::Return(order);
    }
    Flow::Return(ordered(caller, name, [(one, sizes[0]), (other, sizes[1])], order))
}

/// Compares so many bytes.
pub(super) fn compare_bytes(
    caller: &mut Caller<'_>,
    name: &str,
    (one, other): (u64, u64),
    size: u64,
) -> Flow {
    for at in [one, other] {
        caller.library_access(name, AccessKind::Load, at, size);
    }
    compared(caller, one, other);
    let [x, y] = [one, other].map(|at| caller.memory(at).bytes(at, size));
    Flow::Return(ordered(caller, name, [(one, size), (other, size)], x.cmp(&y)))
}

/// An order of texts as these functions give it. That of bytes from outside is unknown, with the order of its samples;
/// it is the same whenever these bytes are compared.
fn ordered(caller: &Caller<'_>, name: &str, texts: [(u64, u64); 2], order: Ordering) -> Scalar {
    let bits = u64::from(order as i32 as u32);
    let memory = |at: u64| caller.memory(at);
    if texts
        .iter()
        .all(|(at, size)| memory(*at).known_bytes(*at, *size).is_some())
    {
        return Scalar::known(bits);
    }
    if texts
        .iter()
        .any(|(at, size)| memory(*at).is_forgotten(*at, *size))
    {
        return Scalar {
            bits,
            symbol: UNCOMPUTED,
        };
    }
    let bytes = texts.map(|(at, size)| {
        let bytes = (0..size.min(LONGEST)).map(|nth| memory(at).load(at + nth, 1));
        bytes.collect::<Vec<_>>()
    });
    let symbol = derived(
        (name, caller.rank(), bytes.each_ref().map(Vec::len)),
        &bytes.concat(),
    );
    // What is unknown comes after the bytes that were looked at.
    let symbol = if symbol == 0 {
        source((name, caller.place()))
    } else {
        symbol
    };
    Scalar { bits, symbol }
}

/// Notes that what lies at two places is compared, if these are strings.
pub(super) fn compared(caller: &mut Caller<'_>, one: u64, other: u64) {
    if caller.process().is_asked() {
        let [x, y] = [one, other].map(|at| caller.memory(at).string(at));
        caller.compared(&x, &y);
    }
}

/// Whether all strings that the function reads are known.
pub(super) fn are_known(caller: &Caller<'_>, name: &str, given: &[Scalar]) -> bool {
    let strings = if name.ends_with("chr") { 1 } else { 2 };
    given.len() > 1
        && given[..2].iter().all(|argument| argument.symbol == 0)
        && given[..strings].iter().all(|at| {
            // `strtok_r(NULL, ...)` goes on with a string that was known at its start.
            at.bits == 0 || caller.memory(at.bits).load(at.bits, 1).symbol == 0
        })
}

/// Executes the function.
pub(super) fn search(caller: &mut Caller<'_>, name: &str, given: &[Scalar]) -> Flow {
    let (text, second) = (given[0].bits, given[1].bits);
    if name.starts_with("strtok") {
        return token(caller, name, given);
    }
    let bytes = read(caller, name, text);
    let byte = second as u8;
    let among = match name {
        "strchr" | "strrchr" => Vec::new(),
        _ => read(caller, name, second),
    };
    let place = match name {
        // The end of a string is a byte of it.
        "strchr" | "strrchr" if byte == 0 => Some(bytes.len()),
        "strchr" => bytes.iter().position(|here| *here == byte),
        "strrchr" => bytes.iter().rposition(|here| *here == byte),
        "strstr" if among.is_empty() => Some(0),
        "strstr" => bytes.windows(among.len()).position(|here| here == among),
        "strpbrk" => bytes.iter().position(|here| among.contains(here)),
        _ => {
            let counted = |here: &&u8| among.contains(*here) == (name == "strspn");
            let length = bytes.iter().take_while(counted).count();
            return Flow::Return(Scalar::known(length as u64));
        }
    };
    Flow::Return(Scalar::known(place.map_or(0, |place| text + place as u64)))
}

/// Looks for a byte in so many bytes; what is found in bytes from outside is unknown.
pub(super) fn find_byte(caller: &mut Caller<'_>, name: &str, [at, byte, size]: [Scalar; 3]) -> Flow {
    let size = match name {
        "rawmemchr" => caller.memory(at.bits).string(at.bits).len() as u64 + 1,
        _ => size.bits.min(1 << 26),
    };
    caller.library_access(name, AccessKind::Load, at.bits, size);
    let is_known = [at, byte].iter().all(|argument| argument.is_known());
    let bytes = caller
        .memory(at.bits)
        .known_bytes(at.bits, size)
        .filter(|_| is_known);
    let Some(bytes) = bytes else {
        return Flow::Return(caller.outside_value(name));
    };
    let is_it = |here: &u8| *here == byte.bits as u8;
    let place = match name {
        "memrchr" => bytes.iter().rposition(is_it),
        _ => bytes.iter().position(is_it),
    };
    Flow::Return(Scalar::known(place.map_or(0, |place| at.bits + place as u64)))
}

/// The next part of a string; where the one after it begins is kept where the program says.
fn token(caller: &mut Caller<'_>, name: &str, given: &[Scalar]) -> Flow {
    let kept = match name {
        "strtok" => characters::rest_of_tokens(caller),
        _ => given.get(2).map_or(0, |place| place.bits),
    };
    let begin = match given[0].bits {
        0 => caller.memory(kept).load(kept, 8).bits,
        text => text,
    };
    if begin == 0 {
        return Flow::Return(Scalar::known(0));
    }
    let (bytes, among) = (read(caller, name, begin), read(caller, name, given[1].bits));
    let skipped = bytes.iter().take_while(|here| among.contains(*here)).count();
    let length = bytes[skipped..]
        .iter()
        .take_while(|here| !among.contains(*here))
        .count();
    let (first, end) = (begin + skipped as u64, begin + (skipped + length) as u64);
    let more = skipped + length < bytes.len();
    if more {
        caller.library_access(name, AccessKind::Store, end, 1);
        caller.memory_mut(end).write(end, &[0]);
    }
    caller.put_long(kept, if more { end + 1 } else { end });
    Flow::Return(Scalar::known(if length == 0 { 0 } else { first }))
}

fn read(caller: &mut Caller<'_>, name: &str, at: u64) -> Vec<u8> {
    let bytes = caller.memory(at).string(at);
    caller.library_access(name, AccessKind::Load, at, bytes.len() as u64 + 1);
    bytes
}
