//! Inputs that are symbols: texts of the command line, the environment and streams, with the answers at hand as their
//! values.
//!
//! Symbols are the numbers that `atoi` and its like make of such a text, the ones that `scanf` reads, whether the text
//! is a word that it is compared with, and whether there is one more of them. All else of a text is as the answer says.

use super::scan::{Stored, scan};
use crate::caller::Caller;
use crate::flow::Flow;
use crate::symbolic::{Condition, Input, List, Shape};
use crate::value::Scalar;
use farside_events::AccessKind;

/// `EOF`.
const END: u64 = u32::MAX as u64;

/// A function that asks the environment or reads a stream which is an input; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    caller.process().answering()?;
    let [first, second, third] = [0, 1, 2].map(|index| a.get(index).map_or(0, |argument| argument.bits));
    match name {
        "getenv" | "secure_getenv" => Some(variable(caller, first)),
        "fopen" | "fopen64" => open(caller, first, second),
        "fgets" => line(caller, first, second, third),
        _ => None,
    }
}

/// The value of an environment variable, if it is set.
fn variable(caller: &mut Caller<'_>, name: u64) -> Flow {
    caller.notes().look_at_input();
    let name = caller.memory(name).string(name);
    let name = String::from_utf8_lossy(&name).into_owned();
    let answering = caller.process().answering();
    let value = answering.and_then(|answering| answering.answers().variable(&name).map(str::to_owned));
    let Some(value) = value else {
        let set = Condition::Longer(List::Variable(name), 0);
        return Flow::Return(caller.terms().choice(set, false, [1, 0]));
    };
    let known = caller
        .process()
        .answering()
        .and_then(|answering| answering.variable(&name));
    let at = known.unwrap_or_else(|| {
        let at = put_text(caller, value.as_bytes(), "getenv");
        if let Some(answering) = caller.process_mut().answering_mut() {
            answering.set_variable(&name, at);
            answering.put(at, Input::Variable(name), value.as_bytes());
        }
        at
    });
    Flow::Return(Scalar::known(at))
}

/// A text with its end, in an object of its own.
pub(super) fn put_text(caller: &mut Caller<'_>, text: &[u8], name: &str) -> u64 {
    let at = caller.allocate(text.len() as u64 + 1, name);
    caller.memory_mut(at).write(at, &[text, &[0]].concat());
    at
}

/// A file is opened for reading: it is there.
fn open(caller: &mut Caller<'_>, name: u64, mode: u64) -> Option<Flow> {
    if caller.memory(mode).string(mode).first() != Some(&b'r') {
        return None;
    }
    let name = caller.memory(name).string(name);
    let name = String::from_utf8(name).ok().filter(|name| !name.is_empty())?;
    caller.notes().look_at_input();
    let file = caller.allocate(256, "fopen");
    caller.process_mut().answering_mut()?.open(file, &name);
    Some(Flow::Return(Scalar::known(file)))
}

/// A line of a stream: a text and its end.
fn line(caller: &mut Caller<'_>, to: u64, room: u64, file: u64) -> Option<Flow> {
    let stream = caller.process().answering()?.stream(file)?.to_owned();
    caller.notes().look_at_input();
    let (nth, text) = caller.process().answering()?.next(&stream);
    let there = Condition::Longer(List::Stream(stream.clone()), nth);
    let Some(text) = text.filter(|text| (text.len() as u64) + 1 < room) else {
        return Some(Flow::Return(caller.terms().choice(there, false, [to, 0])));
    };
    caller.terms().read(&stream, nth, Shape::line);
    let line = format!("{text}\n").into_bytes();
    caller.library_access("fgets", AccessKind::Store, to, line.len() as u64 + 1);
    caller.memory_mut(to).write(to, &[&line[..], &[0]].concat());
    let answering = caller.process_mut().answering_mut()?;
    answering.advance(&stream);
    answering.put(to, Input::Read(stream, nth), &line);
    Some(Flow::Return(caller.terms().choice(there, true, [to, 0])))
}

/// What `scanf` or `fscanf` reads of a stream that is an input: a text for each conversion; `None` if it is none.
pub(super) fn scanned<'a>(
    caller: &mut Caller<'_>,
    name: &str,
    file: u64,
    format: &[u8],
    arguments: &mut impl Iterator<Item = &'a Scalar>,
) -> Option<Flow> {
    let answering = caller.process().answering()?;
    let stream = match name {
        "scanf" => String::new(),
        "fscanf" => answering.stream(file)?.to_owned(),
        _ => return None,
    };
    if name == "scanf" && super::files::standard_input(caller).is_some() {
        return None;
    }
    caller.notes().look_at_input();
    let (mut converted, mut rest, mut last) = (0, format, None);
    while let Some((before, conversion, after)) = split(rest) {
        rest = after;
        let (nth, text) = caller.process().answering()?.next(&stream);
        let there = Condition::Longer(List::Stream(stream.clone()), nth);
        let Some(text) = text else {
            let got = if converted == 0 { END } else { converted };
            let flow = caller.terms().choice(there, false, [converted + 1, got]);
            return Some(Flow::Return(flow));
        };
        caller.terms().read(&stream, nth, || {
            Shape::after(String::from_utf8_lossy(before).trim())
        });
        caller.process_mut().answering_mut()?.advance(&stream);
        let found = scan(conversion, text.as_bytes());
        let input = Input::Read(stream.clone(), nth);
        last = Some(there);
        if conversion.contains(&b'*') {
            continue;
        }
        let Some(stored) = found.stored().first() else {
            // A word where a number is wanted.
            return Some(Flow::Return(Scalar::known(converted)));
        };
        let Some(to) = arguments.next() else { break };
        store(caller, name, stored, to.bits, input);
        converted += 1;
    }
    let there = last?;
    let value = caller.terms().choice(there, true, [converted, END]);
    Some(Flow::Return(value))
}

/// Stores what was read of an input.
fn store(caller: &mut Caller<'_>, name: &str, stored: &Stored, to: u64, input: Input) {
    let bytes = match stored {
        Stored::Integer(value, size) => {
            let number = caller.terms().number(input, *value);
            caller.library_access(name, AccessKind::Store, to, *size);
            let bits = crate::value::mask(*value, 8 * *size as u32);
            caller.put(to, *size, Scalar { bits, ..number });
            return;
        }
        Stored::Real(value, 4) => (*value as f32).to_le_bytes().to_vec(),
        Stored::Real(value, _) => value.to_le_bytes().to_vec(),
        Stored::Characters(text) => text.clone(),
        Stored::Text(text) => [text.as_slice(), &[0]].concat(),
    };
    caller.library_access(name, AccessKind::Store, to, bytes.len() as u64);
    caller.memory_mut(to).write(to, &bytes);
    if let (Stored::Text(text), Some(answering)) = (stored, caller.process_mut().answering_mut()) {
        answering.put(to, input, text);
    }
}

/// The texts before the first conversion of a format, the conversion itself, and what comes after it.
fn split(format: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let begin = format.iter().position(|byte| *byte == b'%')?;
    let length = format[begin + 1..]
        .iter()
        .position(|byte| !b"*0123456789hlzjtqLm".contains(byte))?;
    let mut end = begin + length + 2;
    if format[end - 1] == b'[' {
        end += format[end..].iter().skip(1).position(|byte| *byte == b']')? + 2;
    }
    Some((&format[..begin], &format[begin..end], &format[end..]))
}

/// The number that a text at some place is, if it is an input.
pub(super) fn number(caller: &mut Caller<'_>, at: u64, text: &[u8], bits: u64) -> Option<Scalar> {
    let answering = caller.process().answering()?;
    if at == 0 {
        // An argument that the program has not got, most likely.
        let arguments = answering.answers().arguments().len();
        caller.terms().want(List::Arguments, arguments);
        caller.notes().look_at_input();
        return None;
    }
    let input = answering.text(at, text)?.clone();
    Some(caller.terms().number(input, bits))
}

/// The order of two texts of which one is an input, and how it is by the answers at hand.
pub(super) fn order(caller: &mut Caller<'_>, texts: [(u64, &[u8]); 2], order: u64) -> Option<Scalar> {
    let answering = caller.process().answering()?;
    let [one, other] = texts.map(|(at, text)| answering.text(at, text).cloned());
    let (input, word) = match (one, other) {
        (Some(input), None) => (input, texts[1].1),
        (None, Some(input)) => (input, texts[0].1),
        _ => return None,
    };
    // Of a begin only, or without regard to the case, the texts may be the same and other words.
    if (order == 0) != (texts[0].1.trim_ascii() == texts[1].1.trim_ascii()) {
        return None;
    }
    let word = String::from_utf8(word.trim_ascii().to_vec()).ok()?;
    let otherwise = if order == 0 { 1 } else { order };
    let is = Condition::Is(input, word);
    Some(caller.terms().choice(is, order == 0, [0, otherwise]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_taken_apart_into_its_conversions() {
        let parts = |format: &'static str| -> Vec<(String, String)> {
            let (mut rest, mut found) = (format.as_bytes(), Vec::new());
            while let Some((before, conversion, after)) = split(rest) {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                found.push((text(before), text(conversion)));
                rest = after;
            }
            found
        };
        let part = |before: &str, conversion: &str| (before.to_owned(), conversion.to_owned());
        assert_eq!(parts("n = %d,%8ld\n"), [part("n = ", "%d"), part(",", "%8ld")]);
        assert_eq!(parts("%[^\n]%*s"), [part("", "%[^\n]"), part("", "%*s")]);
        assert_eq!(parts("none"), []);
    }
}
