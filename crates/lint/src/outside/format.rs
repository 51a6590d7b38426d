//! Formatted input and output of the C library: which memory the conversions of a format touch.

use super::conversion::{Piece, pieces};
use super::scan::{Scan, Stored, scan};
use super::{answered, files, printed, variadic};
use crate::caller::Caller;
use crate::flow::Flow;
use crate::process::Knowledge;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

/// `printf`, `scanf` and their families; `None` if it is none of them.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let plain = name
        .trim_start_matches("__isoc99_")
        .trim_start_matches("__isoc23_");
    let (plain, has_list) = match plain {
        "vprintf" | "vfprintf" | "vsprintf" | "vsnprintf" | "vdprintf" => (&plain[1..], true),
        _ => (plain, false),
    };
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
    let listed = match a.get(format + 1) {
        Some(list) if has_list => variadic::rest(caller, list.bits),
        _ => a[format + 1..].to_vec(),
    };
    let mut arguments = listed.iter();
    let flow = if input {
        match known_input(caller, plain, a[0], &text) {
            Some(scan) => store(caller, plain, scan, &mut arguments),
            None => answered::scanned(caller, plain, a[0].bits, &text, &mut arguments)
                .unwrap_or_else(|| guess(caller, plain, &pieces, &mut arguments)),
        }
    } else {
        let (printed, knowledge) = print(caller, plain, &mut pieces, &mut arguments);
        put_text(caller, plain, a, printed, knowledge)
    };
    Some(flow)
}

/// A text by a format, the first of the arguments; where it lies.
pub(super) fn text(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> u64 {
    let format = a.first().map_or(0, |format| format.bits);
    let mut pieces = pieces(&caller.memory(format).string(format));
    let (mut printed, knowledge) = print(caller, name, &mut pieces, &mut a.iter().skip(1));
    printed.push(0);
    let at = caller.allocate(printed.len() as u64, "text");
    caller.memory_mut(at).write(at, &printed);
    doubt(caller, at, printed.len() as u64 - 1, knowledge);
    at
}

/// No more than this is known of so many characters that were printed.
fn doubt(caller: &mut Caller<'_>, at: u64, length: u64, knowledge: Knowledge) {
    match knowledge {
        Knowledge::Known => {}
        Knowledge::Outside => caller.come_from_outside(at, length, 1),
        Knowledge::Lost => caller.memory_mut(at).forget(at, length + 1),
    }
}

fn print<'a>(
    caller: &mut Caller<'_>,
    name: &str,
    pieces: &mut [Piece],
    arguments: &mut impl Iterator<Item = &'a Scalar>,
) -> (Vec<u8>, Knowledge) {
    let (mut printed, mut knowledge) = (Vec::new(), Knowledge::Known);
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
        knowledge = knowledge.max(known(value));
        match conversion.letter() {
            b's' if value.bits != 0 => {
                let text = caller.memory(value.bits).string(value.bits);
                let read = (text.len() as u64 + 1).min(amounts.1.map_or(u64::MAX, |most| most as u64));
                caller.library_access(name, AccessKind::Load, value.bits, read);
                let memory = caller.memory(value.bits);
                let of_text = match memory.known_bytes(value.bits, text.len() as u64) {
                    Some(_) => Knowledge::Known,
                    None if memory.is_forgotten(value.bits, text.len() as u64 + 1) => Knowledge::Lost,
                    None => Knowledge::Outside,
                };
                knowledge = knowledge.max(of_text);
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
                let text = printed::real(conversion, number, amounts);
                if text.is_none() {
                    knowledge = Knowledge::Lost;
                }
                printed.extend(text.unwrap_or_else(|| format!("{number:.6}")).bytes());
            }
        }
    }
    (printed, knowledge)
}

/// What is known of a number that is printed.
fn known(value: Scalar) -> Knowledge {
    match value.is_uncomputed() {
        true => Knowledge::Lost,
        false if value.is_known() => Knowledge::Known,
        false => Knowledge::Outside,
    }
}

/// Stores what was printed, if it goes to memory.
fn put_text(
    caller: &mut Caller<'_>,
    name: &str,
    a: &[Scalar],
    mut printed: Vec<u8>,
    knowledge: Knowledge,
) -> Flow {
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
        doubt(caller, a[0].bits, printed.len() as u64 - 1, knowledge);
    }
    Flow::Return(match knowledge {
        Knowledge::Known => Scalar::known(length),
        Knowledge::Outside => Scalar {
            bits: length,
            ..caller.outside_value(name)
        },
        Knowledge::Lost => Scalar::uncomputed(),
    })
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
        let bits = match (conversion.letter(), conversion.size()) {
            (b'e' | b'f' | b'g' | b'a', 4) => u64::from(4.0_f32.to_bits()),
            (b'e' | b'f' | b'g' | b'a', _) => 4.0_f64.to_bits(),
            _ => 4,
        };
        let value = Scalar {
            bits,
            symbol: source((name, caller.place(), count)),
        };
        caller.library_access(name, AccessKind::Store, to.bits, conversion.size());
        caller
            .memory_mut(to.bits)
            .store(to.bits, conversion.size(), value);
        count += 1;
    }
    Flow::Return(Scalar::known(count))
}
