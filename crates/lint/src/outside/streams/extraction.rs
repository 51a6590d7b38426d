//! What is read from a known text.
//!
//! Source: C++17 §25.4.2.1 and §30.7.4.

use super::string::assign;
use super::{ios, same};
use crate::caller::Caller;
use crate::flow::Flow;
use crate::outside::scan::{Stored, scan};
use crate::value::Scalar;
use farside_events::AccessKind;

const END: u64 = u32::MAX as u64;

/// A function that reads; `None` if it is none that is followed.
pub(super) fn call(caller: &mut Caller<'_>, plain: &str, at: u64, a: &[Scalar]) -> Option<Flow> {
    let [stream, second, third] = [0, 1, 2].map(|index| a.get(index).copied().unwrap_or_default());
    let known = |value: u64| Some(Flow::Return(Scalar::known(value)));
    let is_of_string = plain.contains("NSt7__cxx1112basic_string");
    let style = ios::style(caller, at)?;
    let this = caller.process_mut().streams_mut().stream(at)?;
    match plain {
        "NSi4peekEv" | "NSi3getEv" => {
            if this.has_failed() || this.has_ended() {
                this.fail();
                return known(END);
            }
            let next = this.rest().first().copied();
            match next {
                None => this.meet_end(),
                Some(_) if plain == "NSi3getEv" => drop(this.take(1)),
                Some(_) => {}
            }
            if next.is_none() && plain == "NSi3getEv" {
                this.fail();
            }
            return known(next.map_or(END, u64::from));
        }
        "NSi3getERc" => {
            let next = match this.has_failed() || this.has_ended() {
                true => Vec::new(),
                false => this.take(1),
            };
            match next.as_slice() {
                [byte] => put(caller, second.bits, &[*byte]),
                _ => this.fail(),
            }
        }
        "NSi6ignoreEli" if second.is_known() && third.is_known() => {
            if this.has_failed() || this.has_ended() {
                this.fail();
                return same(stream);
            }
            let most = usize::try_from(second.bits as i64).unwrap_or(0);
            let until = u8::try_from(third.signed32()).ok();
            let delimiter = until.and_then(|until| this.rest().iter().position(|byte| *byte == until));
            let length = delimiter.map_or(this.rest().len(), |place| place + 1);
            if length > most || delimiter.is_some() {
                this.take(length.min(most));
            } else {
                this.take(length);
                // Nobody asks for more than so many.
                if most > length {
                    this.meet_end();
                }
            }
        }
        _ if plain.starts_with("St7getlineIc") && is_of_string => {
            let ends = if plain.ends_with("ES4_") {
                third.bits as u8
            } else {
                b'\n'
            };
            let begins = !this.has_failed() && !this.has_ended();
            let length = this.rest().iter().position(|byte| *byte == ends);
            let most = if begins { this.rest().len() } else { 0 };
            let line = this.take(length.unwrap_or(most).min(most));
            match length {
                Some(_) if begins => drop(this.take(1)),
                _ => this.meet_end(),
            }
            // Nothing at all is no line.
            if !begins || length.is_none() && line.is_empty() {
                this.fail();
            }
            if begins {
                assign(caller, second.bits, &line);
            }
        }
        _ => return extract(caller, plain, (at, stream), second.bits, style),
    }
    same(stream)
}

/// Leaves out white space.
pub(super) fn skip_space(caller: &mut Caller<'_>, at: u64) -> Option<()> {
    let this = caller.process_mut().streams_mut().stream(at)?;
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let spaces = this.rest().iter().position(|byte| !is_space(byte));
    let length = this.rest().len();
    this.take(spaces.unwrap_or(length));
    if spaces.is_none() {
        this.meet_end();
    }
    Some(())
}

/// Bytes of a number by the letter of its type, and whether it is real.
pub(super) fn size_of(type_: &str) -> Option<(u64, bool)> {
    Some(match type_ {
        "b" => (1, false),
        "s" | "t" => (2, false),
        "i" | "j" => (4, false),
        "l" | "m" | "x" | "y" => (8, false),
        "f" => (4, true),
        "d" => (8, true),
        _ => return None,
    })
}

/// A value of a text goes to a variable; zero, if it is a number and there is none.
fn extract(
    caller: &mut Caller<'_>,
    plain: &str,
    (at, stream): (u64, Scalar),
    to: u64,
    style: ios::Style,
) -> Option<Flow> {
    let is_of_string = plain.contains("NSt7__cxx1112basic_string");
    let type_ = plain.strip_prefix("NSirsER");
    let base = style.base();
    let (format, size) = match type_ {
        Some("s" | "i" | "l" | "x") if base == ios::DEC => ("%ld", size_of(type_?)?.0),
        Some("t" | "j" | "m" | "y") if base == ios::DEC => ("%lu", size_of(type_?)?.0),
        Some("s" | "i" | "l" | "x" | "t" | "j" | "m" | "y") if base == ios::HEX => {
            ("%lx", size_of(type_?)?.0)
        }
        Some("f") => ("%f", 4),
        Some("d") => ("%lf", 8),
        _ if plain.starts_with("StrsIcSt11char_traitsIcESaIcEE") && is_of_string => ("%s", 0),
        _ if plain.starts_with("StrsIcSt11char_traitsIcEERSt13basic_istream") && plain.ends_with("RS3_") => {
            (" %c", 1)
        }
        _ => return None,
    };
    if style.width() != 0 || !style.has(ios::SKIPWS) {
        return None;
    }
    let this = caller.process_mut().streams_mut().stream(at)?;
    if this.has_failed() || this.has_ended() {
        this.fail();
        return same(stream);
    }
    let text = this.rest().to_vec();
    let found = scan(format.as_bytes(), &text);
    this.take(found.read());
    if found.ended() || size != 1 && this.rest().is_empty() {
        this.meet_end();
    }
    if type_.is_some() {
        caller.converts(&text);
    }
    let (bytes, fits) = match found.stored().first() {
        Some(Stored::Integer(value, _)) => {
            let (value, fits) = within(*value, size, format == "%ld");
            (value.to_le_bytes().to_vec(), fits)
        }
        Some(Stored::Real(value, 4)) => ((*value as f32).to_le_bytes().to_vec(), true),
        Some(Stored::Real(value, _)) => (value.to_le_bytes().to_vec(), true),
        Some(Stored::Characters(text)) => (text.clone(), true),
        Some(Stored::Text(text)) => {
            assign(caller, to, text);
            return same(stream);
        }
        // A number is zero then (C++11), a character stays as it is.
        None if type_.is_some() => (vec![0; 8], false),
        None => (Vec::new(), false),
    };
    if !fits {
        caller.process_mut().streams_mut().stream(at)?.fail();
    }
    put(caller, to, &bytes[..bytes.len().min(size as usize)]);
    same(stream)
}

/// A number as far as it fits into a type; whether it does.
fn within(value: u64, size: u64, signed: bool) -> (u64, bool) {
    let unused = 64 - 8 * size.min(8) as u32;
    let (least, most) = match signed {
        true => (i64::MIN >> unused, i64::MAX >> unused),
        false => (0, i64::MAX),
    };
    match signed {
        true => {
            let number = (value as i64).clamp(least, most);
            (number as u64, number == value as i64)
        }
        // A negative number is what C makes of it.
        false if (value as i64) < 0 => (value, true),
        false => {
            let number = value.min(u64::MAX >> unused);
            (number, number == value)
        }
    }
}

fn put(caller: &mut Caller<'_>, to: u64, bytes: &[u8]) {
    if !bytes.is_empty() {
        caller.library_access("operator>>", AccessKind::Store, to, bytes.len() as u64);
        caller.memory_mut(to).write(to, bytes);
    }
}
