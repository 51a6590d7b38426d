//! Keys and values, as text that every launcher carries.

use farside_fabric::Rank;
use std::fmt::Write as _;

/// The key of a piece of what a rank publishes under a name.
pub(super) fn key(rank: Rank, name: &str, piece: u32) -> String {
    let mut key = format!("fs{rank}.{piece}.");
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => key.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => drop(write!(key, "%{byte:02x}")),
        }
    }
    key
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// The other way; `None`: these are none.
pub(super) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs
        .iter()
        .map(|&[high, low]| Some((digit(high)? << 4 | digit(low)?) as u8))
        .collect()
}
