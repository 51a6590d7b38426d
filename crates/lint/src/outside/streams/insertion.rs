//! What is written to a stream.
//!
//! Source: C++17 §25.4.2.2 and §30.7.5. Not known are `long double`, hexadecimal reals, addresses, and types of the
//! program's own manipulators.

use super::ios::{self, Style};
use super::same;
use super::string::content;
use crate::caller::Caller;
use crate::flow::Flow;
use crate::layout::function_at;
use crate::outside::conversion::Conversion;
use crate::outside::printed;
use crate::process::Knowledge;
use crate::value::Scalar;

/// A function that writes to a stream or changes how that is done; `None` if it is none that is followed.
pub(super) fn call(caller: &mut Caller<'_>, plain: &str, at: u64, a: &[Scalar]) -> Option<Flow> {
    let [stream, value, third] = [0, 1, 2].map(|index| a.get(index).copied().unwrap_or_default());
    if plain.starts_with("NSolsEPF") || plain.starts_with("NSirsEPF") {
        manipulate(caller, at, value)?;
        return same(stream);
    }
    let known = |value: Scalar| match value.is_uncomputed() {
        true => Knowledge::Lost,
        false if value.is_known() => Knowledge::Known,
        false => Knowledge::Outside,
    };
    if let Some(type_) = plain.strip_prefix("NSolsE") {
        let style = ios::style(caller, at)?;
        let text = number(&style, type_, value)?;
        write(caller, at, &padded(&style, text), known(value));
        return same(stream);
    }
    if let Some(class) = plain
        .strip_prefix("StlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_")
        .or_else(|| plain.strip_prefix("StrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_"))
        .filter(|class| class.starts_with("St"))
    {
        ios::set_by_class(caller, at, class, value)?;
        return same(stream);
    }
    let (text, knowledge) = match plain {
        "NSo3putEc" => {
            put(caller, at, &[value.bits as u8], known(value));
            return same(stream);
        }
        "NSo5writeEPKcl" => {
            let (text, knowledge) = bytes(caller, value, third)?;
            put(caller, at, &text, knowledge);
            return same(stream);
        }
        "NSo5flushEv" => return same(stream),
        _ if plain.starts_with("St5flushIc") => return same(stream),
        _ if plain.starts_with("St4endlIc") => {
            put(caller, at, b"\n", Knowledge::Known);
            return same(stream);
        }
        "StlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc" => {
            let length = caller.memory(value.bits).string(value.bits).len() as u64;
            bytes(caller, value, Scalar::known(length))?
        }
        "StlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c"
        | "StlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a"
        | "StlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h" => (vec![value.bits as u8], known(value)),
        _ if plain.starts_with("St16__ostream_insertIc") => bytes(caller, value, third)?,
        _ if plain.starts_with("StlsIcSt11char_traitsIcESaIcEE")
            && plain.contains("RKNSt7__cxx1112basic_string") =>
        {
            content(caller, value.bits)
        }
        _ => return None,
    };
    let style = ios::style(caller, at)?;
    write(caller, at, &padded(&style, (text, 0)), knowledge);
    same(stream)
}

/// The characters in memory that a function writes to a stream, if it writes such.
pub(super) fn loaded(caller: &Caller<'_>, plain: &str, value: Scalar, third: Scalar) -> Option<(u64, u64)> {
    let at = value.bits;
    match plain {
        "StlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc" => {
            Some((at, caller.memory(at).string(at).len() as u64 + 1))
        }
        _ if plain == "NSo5writeEPKcl" || plain.starts_with("St16__ostream_insertIc") => {
            Some((at, third.bits))
        }
        _ => None,
    }
}

/// Applies a manipulator: a function of the library.
fn manipulate(caller: &mut Caller<'_>, at: u64, function: Scalar) -> Option<()> {
    let index = function_at(function.bits)?;
    let name = caller.module().functions.get(index as usize)?.name.as_str();
    if name.starts_with("_ZSt4endlIc") {
        put(caller, at, b"\n", Knowledge::Known);
    } else if name.starts_with("_ZSt2wsIc") {
        super::extraction::skip_space(caller, at)?;
    } else if !name.starts_with("_ZSt5flushIc") {
        ios::manipulate(caller, at, name)?;
    }
    Some(())
}

/// So many characters in memory, and what is known of them.
fn bytes(caller: &mut Caller<'_>, at: Scalar, length: Scalar) -> Option<(Vec<u8>, Knowledge)> {
    let size = length.bits.min(1 << 20);
    let memory = caller.memory(at.bits);
    if at.is_uncomputed() || length.is_uncomputed() || memory.is_forgotten(at.bits, size) {
        return None;
    }
    let text = memory.bytes(at.bits, size);
    let is_known = at.is_known() && length.is_known() && memory.known_bytes(at.bits, size).is_some();
    caller.library_access("operator<<", farside_events::AccessKind::Load, at.bits, size);
    Some((
        text,
        if is_known {
            Knowledge::Known
        } else {
            Knowledge::Outside
        },
    ))
}

/// Writes what a formatted function made.
fn write(caller: &mut Caller<'_>, at: u64, text: &[u8], knowledge: Knowledge) {
    put(caller, at, text, knowledge);
    ios::end_width(caller, at);
}

fn put(caller: &mut Caller<'_>, at: u64, text: &[u8], knowledge: Knowledge) {
    if let Some(stream) = caller.process_mut().streams_mut().stream(at) {
        stream.know_less(knowledge);
        stream.put(text);
    }
}

/// What a number becomes, and where what fills it up is put if that is within it.
fn number(style: &Style, type_: &str, value: Scalar) -> Option<(Vec<u8>, usize)> {
    let (size, signed) = match type_ {
        "s" => (2, true),
        "t" => (2, false),
        "i" => (4, true),
        "j" => (4, false),
        "l" | "x" => (8, true),
        "m" | "y" => (8, false),
        "b" if style.has(ios::BOOLALPHA) => {
            let text = if value.bits & 1 == 1 { "true" } else { "false" };
            return Some((text.into(), 0));
        }
        "b" => (1, true),
        "f" => return real(style, f64::from(f32::from_bits(value.bits as u32))),
        "d" => return real(style, value.double()),
        _ => return None,
    };
    let base = style.base();
    let letter = match base {
        ios::OCT => b'o',
        ios::HEX if style.has(ios::UPPERCASE) => b'X',
        ios::HEX => b'x',
        _ if signed => b'd',
        _ => b'u',
    };
    let flags = [
        (style.has(ios::SHOWBASE), b'#'),
        (style.has(ios::SHOWPOS) && letter == b'd', b'+'),
    ];
    let text = printed::integer(&of(letter, size, &flags), value.bits, (0, None));
    Some(within(text))
}

/// What a real number becomes.
fn real(style: &Style, value: f64) -> Option<(Vec<u8>, usize)> {
    let letter = match (style.has(ios::FIXED), style.has(ios::SCIENTIFIC)) {
        (true, true) => return None,
        (true, false) => b'f',
        (false, true) => b'e',
        _ => b'g',
    };
    let letter = match style.has(ios::UPPERCASE) {
        true => letter.to_ascii_uppercase(),
        false => letter,
    };
    let flags = [(style.has(ios::SHOWPOINT), b'#'), (style.has(ios::SHOWPOS), b'+')];
    let precision = style.precision();
    let text = printed::real(&of(letter, 8, &flags), value, (0, Some(precision)))?;
    Some(within(text))
}

fn of(letter: u8, size: u64, flags: &[(bool, u8)]) -> Conversion {
    let flags = flags.iter().filter(|(is_set, _)| *is_set);
    Conversion::plain(letter, size, flags.map(|(_, flag)| *flag).collect())
}

/// A number, and where its digits begin: after the sign, or after `0x`.
fn within(text: String) -> (Vec<u8>, usize) {
    let digits = match text.as_bytes() {
        [b'+' | b'-', ..] => 1,
        [b'0', b'x' | b'X', ..] => 2,
        _ => 0,
    };
    (text.into_bytes(), digits)
}

/// Filled up to the width (C++17 §25.4.2.2.2, stage 3).
fn padded(style: &Style, (text, digits): (Vec<u8>, usize)) -> Vec<u8> {
    let missing = (style.width() as usize).saturating_sub(text.len());
    let place = match (style.has(ios::LEFT), style.has(ios::INTERNAL)) {
        (true, _) => text.len(),
        (_, true) => digits,
        _ => 0,
    };
    [&text[..place], &vec![style.fill(); missing], &text[place..]].concat()
}
