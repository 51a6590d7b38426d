//! Texts in `std::string`, as libstdc++ 12 has them in memory: a pointer, a length, and room for short ones.

use crate::caller::Caller;
use crate::process::Knowledge;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

/// Where it has its length and its own room, of so many bytes with the end.
const LENGTH: u64 = 8;
const ROOM: u64 = 16;
const OWN: u64 = 16;
/// Longer ones no simulation makes.
const LONGEST: u64 = 1 << 20;

/// The text, and what is known of it.
pub(super) fn content(caller: &Caller<'_>, string: u64) -> (Vec<u8>, Knowledge) {
    let [at, length] = [0, LENGTH].map(|offset| caller.memory(string).load(string + offset, 8));
    let size = length.bits.min(LONGEST);
    let memory = caller.memory(at.bits);
    let parts = [at, length];
    let knowledge = match memory.known_bytes(at.bits, size) {
        _ if parts.iter().any(|part| part.is_uncomputed()) || memory.is_forgotten(at.bits, size) => {
            Knowledge::Lost
        }
        Some(_) if parts.iter().all(|part| part.is_known()) => Knowledge::Known,
        _ => Knowledge::Outside,
    };
    (memory.bytes(at.bits, size), knowledge)
}

/// The text, if all of it is known.
pub(in crate::outside) fn text_of(caller: &Caller<'_>, string: u64) -> Option<Vec<u8>> {
    let (text, knowledge) = content(caller, string);
    (knowledge == Knowledge::Known).then_some(text)
}

/// A copy of the text, with its end and what is known of it; where it lies.
pub(in crate::outside) fn copy_of(caller: &mut Caller<'_>, string: u64) -> u64 {
    let (from, length) = (
        caller.long_at(string),
        caller.long_at(string + LENGTH).min(LONGEST),
    );
    let to = caller.allocate(length + 1, "text");
    let content = caller.memory(from).content(from, length);
    caller.memory_mut(to).put_content(to, &content);
    to
}

/// Gives a string a text.
pub(super) fn assign(caller: &mut Caller<'_>, string: u64, text: &[u8]) {
    let (mut at, length) = (caller.long_at(string), text.len() as u64);
    let room = match at == string + ROOM {
        true => OWN - 1,
        false => caller.long_at(string + ROOM),
    };
    if length > room {
        at = caller.allocate(length + 1, "std::string");
        caller.put_long(string, at);
        caller.put_long(string + ROOM, length);
    }
    caller.put_long(string + LENGTH, length);
    let ended = [text, &[0]].concat();
    caller.library_access("std::string", AccessKind::Store, at, ended.len() as u64);
    caller.memory_mut(at).write(at, &ended);
}

/// A string begins with a text of which this is known.
pub(super) fn begin(caller: &mut Caller<'_>, name: &str, string: u64, text: &[u8], knowledge: Knowledge) {
    caller.put_long(string, string + ROOM);
    assign(caller, string, text);
    doubt(caller, name, string, text.len() as u64, knowledge);
}

/// Gives a string a text that is not known: by its sample a number.
pub(super) fn assign_unknown(caller: &mut Caller<'_>, name: &str, string: u64, knowledge: Knowledge) {
    assign(caller, string, b"4");
    doubt(caller, name, string, 1, knowledge);
}

/// No more than this is known of the length and characters of a string.
fn doubt(caller: &mut Caller<'_>, name: &str, string: u64, length: u64, knowledge: Knowledge) {
    let at = caller.long_at(string);
    match knowledge {
        Knowledge::Known => {}
        Knowledge::Outside => {
            let symbol = source((caller.outside_value(name).symbol, string));
            caller.come_from_outside(at, length, 1);
            caller.put(string + LENGTH, 8, Scalar { bits: length, symbol });
        }
        Knowledge::Lost => {
            caller.memory_mut(at).forget(at, length.max(OWN));
            caller.memory_mut(string).forget(string + LENGTH, 8);
        }
    }
}
