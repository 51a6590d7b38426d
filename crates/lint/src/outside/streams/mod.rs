//! Streams of C++: string streams, files, the standard streams.
//!
//! Source: C++17 §30.5 to §30.9; names, sizes and places of members are those of libstdc++ 12, tables those of the
//! Itanium C++ ABI (§2.5). The program itself reads and changes a stream's flags, width and precision in memory.
//!
//! Promise: what is written to a string stream and read from a known text is what libstdc++ does in the locale "C". A
//! stream over a text that depends on values from outside gives such values; one with which something is done that is
//! not followed here gives values that are not computed. So nothing that a stream says is certain without being exact.
//! Limit: what is written to a file is not kept.

mod extraction;
mod insertion;
mod ios;
mod objects;
mod string;

use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::process::Knowledge;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

pub(super) use string::{copy_of, text_of};

/// How the functions of streams are named, after `_Z`: members of `std::basic_istream`, `basic_ostream`,
/// `basic_iostream`, and operators and manipulators of them.
const FUNCTIONS: [&str; 11] = [
    "NSi",
    "NKSi",
    "NSo",
    "NKSo",
    "NSd",
    "StlsI",
    "StrsI",
    "St7getlineIc",
    "St16__ostream_insertIc",
    "St4endlIc",
    "St5flushIc",
];

/// A function of a stream; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let plain = name.strip_prefix("_Z")?;
    if let Some((kind, rest)) = objects::member(plain) {
        return Some(objects::call(caller, name, (kind, rest), a));
    }
    let is_function = FUNCTIONS.iter().any(|begin| plain.starts_with(begin));
    let of_state = ios::member(plain);
    if !is_function && of_state.is_none() {
        return None;
    }
    if plain.starts_with("NSi6sentry") || plain.starts_with("NSo6sentry") {
        return Some(guard(caller, name, plain, a));
    }
    let stream = a.first().copied().unwrap_or_default();
    let at = own_address(caller, stream.bits);
    if let Some(member) = of_state {
        return Some(ios::call(caller, name, member, (at, a)));
    }
    let known = caller.process_mut().streams_mut().stream(at);
    let Some(knowledge) = known.map(|known| known.knowledge()) else {
        return Some(unknown(caller, name, plain, Knowledge::Outside, a));
    };
    let done = match knowledge {
        Knowledge::Lost => None,
        Knowledge::Outside => insertion::call(caller, plain, at, a),
        Knowledge::Known => {
            insertion::call(caller, plain, at, a).or_else(|| extraction::call(caller, plain, at, a))
        }
    };
    // What cannot be done was not begun.
    Some(done.unwrap_or_else(|| {
        let lost = match knowledge {
            Knowledge::Outside => Knowledge::Outside,
            _ => Knowledge::Lost,
        };
        know_less(caller, at, lost);
        unknown(caller, name, plain, lost, a)
    }))
}

/// The standard input is known by the address of its `FILE`.
fn own_address(caller: &Caller<'_>, stream: u64) -> u64 {
    match caller.globals().address(caller.module(), "_ZSt3cin") {
        Some(own) if own == stream => super::files::standard_input(caller).unwrap_or(stream),
        _ => stream,
    }
}

fn know_less(caller: &mut Caller<'_>, stream: u64, knowledge: Knowledge) {
    if let Some(stream) = caller.process_mut().streams_mut().stream(stream) {
        stream.know_less(knowledge);
    }
}

/// A result of which no more is known than this.
fn result(caller: &mut Caller<'_>, name: &str, knowledge: Knowledge) -> Scalar {
    match knowledge {
        Knowledge::Lost => Scalar::uncomputed(),
        _ => caller.outside_value(name),
    }
}

/// The guard with which a function of a stream begins: whether it may go on is its first member.
fn guard(caller: &mut Caller<'_>, name: &str, plain: &str, a: &[Scalar]) -> Flow {
    let [object, stream] = [0, 1].map(|index| a.get(index).map_or(0, |value| value.bits));
    if plain.contains("C1E") || plain.contains("C2E") {
        let at = own_address(caller, stream);
        let is_followed = caller.process_mut().streams_mut().stream(at).is_some();
        let knowledge = match is_followed {
            true => Knowledge::Lost,
            false => Knowledge::Outside,
        };
        know_less(caller, at, knowledge);
        put_unknown(caller, name, (object, 1), 1, knowledge);
    }
    NOTHING
}

/// Functions that do not return their stream.
const ASKING: [&str; 9] = [
    "NSi4peekEv",
    "NSi3getEv",
    "NSi5tellgEv",
    "NSi4syncEv",
    "NSi8readsomeE",
    "NKSi",
    "NKSo",
    "NSo5tellpEv",
    "NSd",
];

/// A function of a stream whose text is not known: what it reads is not known either.
fn unknown(caller: &mut Caller<'_>, name: &str, plain: &str, knowledge: Knowledge, a: &[Scalar]) -> Flow {
    let [stream, to, third] = [0, 1, 2].map(|index| a.get(index).copied().unwrap_or_default());
    let begins = |known: &[&str]| known.iter().any(|begin| plain.starts_with(begin));
    let reads = begins(&[
        "NSirsER",
        "StrsI",
        "St7getlineIc",
        "NSi3getER",
        "NSi4readE",
        "NSi7getlineE",
        "NSi8readsomeE",
    ]);
    if reads && !plain.contains("ES6_St") {
        read_unknown(caller, name, plain, (to.bits, third.bits), knowledge);
    } else if let Some((at, size)) = insertion::loaded(caller, plain, to, third) {
        caller.library_access("operator<<", AccessKind::Load, at, size);
    }
    match begins(&ASKING) {
        true => {
            let value = result(caller, name, knowledge);
            Flow::Return(value)
        }
        false => Flow::Return(stream),
    }
}

/// Something is read of which no more is known than this: a number, a character, a text, or so many characters.
fn read_unknown(
    caller: &mut Caller<'_>,
    name: &str,
    plain: &str,
    (to, count): (u64, u64),
    knowledge: Knowledge,
) {
    let number = plain.strip_prefix("NSirsER").and_then(extraction::size_of);
    let is_text = plain.contains("NSt7__cxx1112basic_string");
    match number {
        _ if is_text => string::assign_unknown(caller, name, to, knowledge),
        Some((size, real)) => put_unknown(caller, name, (to, size), sample(size, real), knowledge),
        None if plain.ends_with("RS3_") || plain.starts_with("NSi3getER") => {
            put_unknown(caller, name, (to, 1), u64::from(b'4'), knowledge);
        }
        None => {
            let room = caller.memory(to).object(to);
            let room = room.map_or(0, |(base, object)| base + object.size - to);
            let is_counted = !plain.starts_with("StrsI");
            let size = if is_counted { room.min(count) } else { room };
            caller.library_access("operator>>", AccessKind::Store, to, size);
            match knowledge {
                Knowledge::Lost => caller.memory_mut(to).forget(to, size),
                _ => caller.come_from_outside(to, size, 1),
            }
        }
    }
}

/// The sample of a number that is read: 4.
fn sample(size: u64, real: bool) -> u64 {
    match (real, size) {
        (true, 4) => u64::from(4.0_f32.to_bits()),
        (true, _) => 4.0_f64.to_bits(),
        _ if size == 1 => 1,
        _ => 4,
    }
}

/// Stores a value of which no more is known than this.
fn put_unknown(caller: &mut Caller<'_>, name: &str, (at, size): (u64, u64), bits: u64, knowledge: Knowledge) {
    caller.library_access("operator>>", AccessKind::Store, at, size);
    let value = match knowledge {
        Knowledge::Lost => Scalar::uncomputed(),
        _ => Scalar {
            bits,
            symbol: source((caller.outside_value(name).symbol, at)),
        },
    };
    caller.put(at, size, value);
}

/// A function that returns its stream.
fn same(stream: Scalar) -> Option<Flow> {
    Some(Flow::Return(stream))
}
