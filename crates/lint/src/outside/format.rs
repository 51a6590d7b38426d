//! Formatted input and output of the C library: which memory the conversions of a format touch.

use super::scan::{Scan, Stored, scan};
use super::{answered, files, printed};
use crate::caller::Caller;
use crate::flow::Flow;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

/// A conversion of a format: its letter, bytes of its argument, and how it is to be written.
pub(super) struct Conversion {
    letter: u8,
    size: u64,
    flags: Vec<u8>,
    width: Option<Amount>,
    precision: Option<Amount>,
}

/// A width or precision: a number, or an argument.
#[derive(Clone, Copy)]
enum Amount {
    Known(usize),
    Argument,
}

impl Conversion {
    pub(super) fn letter(&self) -> u8 {
        self.letter
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Whether it has a flag.
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags.contains(&flag)
    }

    /// Its width, 0 if there is none, and its precision; a negative width is a flag (C17 §7.21.6.1).
    fn amounts<'a>(&mut self, arguments: &mut impl Iterator<Item = &'a Scalar>) -> (usize, Option<usize>) {
        // A text that goes on for longer is shown nowhere.
        let most = |number: i32| (number.unsigned_abs() as usize).min(1 << 16);
        let mut amount = |amount: Option<Amount>| match amount? {
            Amount::Known(number) => Some(number.min(1 << 16) as i32),
            Amount::Argument => arguments.next().map(|argument| argument.signed32()),
        };
        let (width, precision) = (amount(self.width).unwrap_or(0), amount(self.precision));
        if width < 0 {
            self.flags.push(b'-');
        }
        (
            most(width),
            precision.filter(|precision| *precision >= 0).map(most),
        )
    }
}

enum Piece {
    Text(Vec<u8>),
    Conversion(Conversion),
}

/// `printf`, `scanf` and their families; `None` if it is none of them.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let plain = name
        .trim_start_matches("__isoc99_")
        .trim_start_matches("__isoc23_");
    let (format, input) = match plain {
        "printf" => (0, false),
        "fprintf" | "sprintf" | "dprintf" => (1, false),
        "snprintf" => (2, false),
        "scanf" => (0, true),
        "sscanf" | "fscanf" => (1, true),
        _ => return None,
    };
    let at = a.get(format)?.bits;
    let text = caller.memory(at).string(at);
    let mut pieces = pieces(&text);
    let mut arguments = a[format + 1..].iter();
    let flow = if input {
        match known_input(caller, plain, a[0], &text) {
            Some(scan) => store(caller, plain, scan, &mut arguments),
            None => answered::scanned(caller, plain, a[0].bits, &text, &mut arguments)
                .unwrap_or_else(|| guess(caller, plain, &pieces, &mut arguments)),
        }
    } else {
        let printed = print(caller, plain, &mut pieces, &mut arguments);
        put_text(caller, plain, a, printed)
    };
    Some(flow)
}

fn print<'a>(
    caller: &mut Caller<'_>,
    name: &str,
    pieces: &mut [Piece],
    arguments: &mut impl Iterator<Item = &'a Scalar>,
) -> Vec<u8> {
    let mut printed = Vec::new();
    for piece in pieces {
        let conversion = match piece {
            Piece::Text(text) => {
                printed.extend_from_slice(text);
                continue;
            }
            Piece::Conversion(conversion) => conversion,
        };
        let amounts = conversion.amounts(arguments);
        let value = arguments.next().copied().unwrap_or_default();
        match conversion.letter {
            b's' if value.bits != 0 => {
                let text = caller.memory(value.bits).string(value.bits);
                let read = (text.len() as u64 + 1).min(amounts.1.map_or(u64::MAX, |most| most as u64));
                caller.library_access(name, AccessKind::Load, value.bits, read);
                printed.extend(printed::text(conversion, &text, amounts));
            }
            b's' => printed.extend(printed::text(conversion, b"(null)", (amounts.0, None))),
            b'c' => printed.extend(printed::text(conversion, &[value.bits as u8], (amounts.0, None))),
            b'p' if value.bits == 0 => printed.extend(printed::text(conversion, b"(nil)", (amounts.0, None))),
            b'n' => caller.put_int(value.bits, printed.len() as i32),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                printed.extend(printed::integer(conversion, value.bits, amounts).bytes());
            }
            _ => {
                let number = value.double();
                let text =
                    printed::real(conversion, number, amounts).unwrap_or_else(|| format!("{number:.6}"));
                printed.extend(text.bytes());
            }
        }
    }
    printed
}

/// Stores what was printed, if it goes to memory.
fn put_text(caller: &mut Caller<'_>, name: &str, a: &[Scalar], mut printed: Vec<u8>) -> Flow {
    let length = printed.len() as u64;
    let room = match name {
        "sprintf" => u64::MAX,
        "snprintf" => a[1].bits,
        _ => 0,
    };
    if room > 0 {
        printed.truncate((room - 1).min(1 << 20) as usize);
        printed.push(0);
        caller.library_access(name, AccessKind::Store, a[0].bits, printed.len() as u64);
        caller.memory_mut(a[0].bits).write(a[0].bits, &printed);
    }
    Flow::Return(Scalar::known(length))
}

/// What comes of a text that is known: one that the program made, or a file that the user gave.
fn known_input(caller: &mut Caller<'_>, name: &str, from: Scalar, format: &[u8]) -> Option<Scan> {
    if name == "sscanf" {
        let text = caller.memory(from.bits).string(from.bits);
        caller.library_access(name, AccessKind::Load, from.bits, text.len() as u64 + 1);
        if format.iter().any(|letter| b"diufeg".contains(letter)) {
            caller.converts(&text);
        }
        return (from.symbol == 0).then(|| scan(format, &text));
    }
    let file = match name {
        "scanf" => files::standard_input(caller)?,
        _ => from.bits,
    };
    let stream = files::stream(caller, file)?;
    let found = scan(format, stream.rest());
    stream.take(found.read());
    if found.ended() {
        stream.meet_end();
    }
    Some(found)
}

/// Stores what was read where the arguments say.
fn store<'a>(
    caller: &mut Caller<'_>,
    name: &str,
    scan: Scan,
    arguments: &mut impl Iterator<Item = &'a Scalar>,
) -> Flow {
    for (stored, to) in scan.stored().iter().zip(arguments) {
        let bytes = match stored {
            Stored::Integer(value, size) => value.to_le_bytes()[..*size as usize].to_vec(),
            Stored::Real(value, 4) => (*value as f32).to_le_bytes().to_vec(),
            Stored::Real(value, _) => value.to_le_bytes().to_vec(),
            Stored::Characters(text) => text.clone(),
            Stored::Text(text) => [text.as_slice(), &[0]].concat(),
        };
        caller.library_access(name, AccessKind::Store, to.bits, bytes.len() as u64);
        caller.memory_mut(to.bits).write(to.bits, &bytes);
    }
    Flow::Return(Scalar::known(u64::from(scan.converted() as u32)))
}

/// What is read is unknown: each value is a sample from outside.
fn guess<'a>(
    caller: &mut Caller<'_>,
    name: &str,
    pieces: &[Piece],
    arguments: &mut impl Iterator<Item = &'a Scalar>,
) -> Flow {
    let mut count = 0;
    for piece in pieces {
        let Piece::Conversion(conversion) = piece else {
            continue;
        };
        let Some(to) = arguments.next() else { break };
        let bits = match (conversion.letter, conversion.size) {
            (b'e' | b'f' | b'g' | b'a', 4) => u64::from(4.0_f32.to_bits()),
            (b'e' | b'f' | b'g' | b'a', _) => 4.0_f64.to_bits(),
            _ => 4,
        };
        let value = Scalar {
            bits,
            symbol: source((name, caller.place(), count)),
        };
        caller.library_access(name, AccessKind::Store, to.bits, conversion.size);
        caller.memory_mut(to.bits).store(to.bits, conversion.size, value);
        count += 1;
    }
    Flow::Return(Scalar::known(count))
}

fn pieces(format: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = format.iter().copied().peekable();
    let mut text = Vec::new();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        if rest.peek() == Some(&b'%') {
            rest.next();
            text.push(b'%');
            continue;
        }
        let mut conversion = Conversion {
            letter: 0,
            size: 4,
            flags: Vec::new(),
            width: None,
            precision: None,
        };
        let mut after_point = false;
        for byte in rest.by_ref() {
            let amount = match after_point {
                true => &mut conversion.precision,
                false => &mut conversion.width,
            };
            match byte {
                b'l' | b'z' | b'j' | b't' => conversion.size = 8,
                b'h' => conversion.size /= 2,
                b'.' => {
                    after_point = true;
                    conversion.precision = Some(Amount::Known(0));
                }
                b'*' => *amount = Some(Amount::Argument),
                b'-' | b'+' | b' ' | b'#' => conversion.flags.push(byte),
                b'0' if !after_point && amount.is_none() => conversion.flags.push(byte),
                b'0'..=b'9' => {
                    let before = match amount {
                        Some(Amount::Known(number)) => *number,
                        _ => 0,
                    };
                    let digit = usize::from(byte - b'0');
                    *amount = Some(Amount::Known(before.saturating_mul(10).saturating_add(digit)));
                }
                letter => {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    conversion.letter = letter;
                    conversion.size = match letter {
                        b'p' => 8,
                        b'c' | b's' => 1,
                        _ => conversion.size,
                    };
                    pieces.push(Piece::Conversion(conversion));
                    break;
                }
            }
        }
    }
    pieces.push(Piece::Text(text));
    pieces
}

/// The first conversion of a format that has all its amounts, with these.
#[cfg(test)]
pub(super) fn first_conversion(format: &[u8]) -> Option<(Conversion, (usize, Option<usize>))> {
    let mut conversion = pieces(format).into_iter().find_map(|piece| match piece {
        Piece::Conversion(conversion) => Some(conversion),
        Piece::Text(_) => None,
    })?;
    let amounts = conversion.amounts(&mut std::iter::empty());
    Some((conversion, amounts))
}
