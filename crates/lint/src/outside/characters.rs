//! Characters of the C library in the locale "C", and what it keeps for a thread or process: the tables of `ctype.h`,
//! `errno`.
//!
//! Source: C17, 7.4 and 7.5; the tables lie as glibc's macros read them (`__ctype_b_loc`, LSB 5.0).

use crate::caller::Caller;
use crate::flow::Flow;
use crate::value::{Scalar, derived};

/// What these objects are known by; no object of the program lies there.
const ERRNO: u64 = 1;
const CLASSES: u64 = 2;
const LOWER: u64 = 3;
const UPPER: u64 = 4;
const TOKENS: u64 = 5;

/// Entries of a table, and how many of them are for negative characters.
const ENTRIES: u64 = 384;
const NEGATIVE: u64 = 128;

/// A function of characters; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let given = a.first().copied().unwrap_or_default();
    let known = |at| Some(Flow::Return(Scalar::known(at)));
    match name {
        "__errno_location" => {
            let thread = caller.thread();
            known(kept(caller, thread, ERRNO, 4, |_| 0))
        }
        // There is one table, and a pointer to the entry for 0.
        "__ctype_b_loc" => known(table(caller, CLASSES, 2, |byte| u64::from(classes(byte)))),
        "__ctype_tolower_loc" => known(table(caller, LOWER, 4, |byte| {
            u64::from(byte.to_ascii_lowercase())
        })),
        "__ctype_toupper_loc" => known(table(caller, UPPER, 4, |byte| {
            u64::from(byte.to_ascii_uppercase())
        })),
        _ => {
            let byte = u8::try_from(given.signed32());
            let bits = match (name, byte) {
                ("tolower", byte) => byte.map_or(given.bits, |byte| u64::from(byte.to_ascii_lowercase())),
                ("toupper", byte) => byte.map_or(given.bits, |byte| u64::from(byte.to_ascii_uppercase())),
                (name, byte) => {
                    let class = CLASS_NAMES
                        .iter()
                        .position(|known| Some(*known) == name.strip_prefix("is"))?;
                    byte.map_or(0, |byte| u64::from(classes(byte) & class_bit(class)))
                }
            };
            Some(Flow::Return(Scalar {
                bits,
                symbol: derived(name, &[given]),
            }))
        }
    }
}

/// Where `strtok` keeps what is left of its string.
pub(super) fn rest_of_tokens(caller: &mut Caller<'_>) -> u64 {
    kept(caller, 0, TOKENS, 8, |_| 0)
}

/// In the order of glibc's bits.
const CLASS_NAMES: [&str; 12] = [
    "upper", "lower", "alpha", "digit", "xdigit", "space", "print", "graph", "blank", "cntrl", "punct",
    "alnum",
];

/// The bit of a class, as glibc has them on little-endian machines.
fn class_bit(class: usize) -> u16 {
    (1u16 << class).swap_bytes()
}

/// The classes of a character.
fn classes(byte: u8) -> u16 {
    let is = [
        byte.is_ascii_uppercase(),
        byte.is_ascii_lowercase(),
        byte.is_ascii_alphabetic(),
        byte.is_ascii_digit(),
        byte.is_ascii_hexdigit(),
        byte.is_ascii_whitespace() || byte == 0x0b,
        byte == b' ' || byte.is_ascii_graphic(),
        byte.is_ascii_graphic(),
        byte == b' ' || byte == b'\t',
        byte.is_ascii_control(),
        byte.is_ascii_punctuation(),
        byte.is_ascii_alphanumeric(),
    ];
    let set = is.iter().enumerate().filter(|(_, is)| **is);
    set.fold(0, |bits, (class, _)| bits | class_bit(class))
}

/// Where the pointer to a table lies, which is made when it is asked for first.
fn table(caller: &mut Caller<'_>, object: u64, size: u64, entry: impl Fn(u8) -> u64) -> u64 {
    kept(caller, 0, object, 8, |caller| {
        let table = caller.allocate(ENTRIES * size, "");
        for index in 0..ENTRIES {
            // Negative characters are those above 127, in no class but for -1, which is no character.
            let byte = (index.wrapping_sub(NEGATIVE)) as u8;
            let value = if index + 1 == NEGATIVE { 0 } else { entry(byte) };
            caller.put(table + index * size, size, Scalar::known(value));
        }
        table + NEGATIVE * size
    })
}

/// Where an object of the C library lies that a thread has; it is made, with this value, when it is asked for first.
fn kept(
    caller: &mut Caller<'_>,
    thread: usize,
    object: u64,
    size: u64,
    value: impl FnOnce(&mut Caller<'_>) -> u64,
) -> u64 {
    if let Some(at) = caller.process().thread_local(thread, object) {
        return at;
    }
    let value = value(caller);
    let at = caller.allocate(8, "");
    caller.put(at, size, Scalar::known(value));
    caller.process_mut().set_thread_local(thread, object, at);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are those of glibc 2.36 in the locale "C": `(*__ctype_b_loc())[c]`.
    #[test]
    fn classes_are_those_of_glibc() {
        let values = [b'A', b'f', b'7', b' ', b'\t', b'\n', b'_', 0, 200].map(classes);
        let expected = [0xd508, 0xd608, 0xd808, 0x6001, 0x2003, 0x2002, 0xc004, 0x0002, 0];
        for (value, expected) in values.iter().zip(expected) {
            assert_eq!(*value, expected, "{value:x} {expected:x}");
        }
    }
}
