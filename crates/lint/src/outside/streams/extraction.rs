//! Input streams of C++ over known texts: string streams, files that the user has given, the standard input.
//!
//! Source: C++17 §30.7.4 and §30.9; the names are those of libstdc++ 12. A stream is known by its address, which
//! `std::basic_ios` shares with it here: no virtual table is made, so that its offsets are zero.
//!
//! Promise: what is read of a known text is what libstdc++ reads in the locale "C" with the flags that a stream begins
//! with. Unknown, as any call of a library, are streams over other texts and all other functions.

use super::scan::{Stored, scan};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;
use farside_events::AccessKind;

const END: u64 = u32::MAX as u64;

/// A function of a stream; `None` if it is none, or its text is not known.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let [stream, second, third] = [0, 1, 2].map(|index| a.get(index).map_or(0, |argument| argument.bits));
    let plain = name.strip_prefix("_Z")?;
    if let Some(rest) = plain
        .strip_prefix("NSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE")
        .or_else(|| plain.strip_prefix("NSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE"))
    {
        if rest.starts_with("C1ERKNS_12basic_string") {
            let text = text_of(caller, second);
            return Some(open(caller, stream, text));
        }
        return close(caller, stream, rest);
    }
    if let Some(rest) = plain.strip_prefix("NSt14basic_ifstreamIcSt11char_traitsIcEE") {
        let path = match rest {
            _ if rest.starts_with("C1EPKc") || rest.starts_with("4openEPKc") => {
                Some(caller.memory(second).string(second))
            }
            _ if rest.starts_with("C1ERKNSt7__cxx1112basic_string")
                || rest.starts_with("4openERKNSt7__cxx1112basic_string") =>
            {
                text_of(caller, second)
            }
            _ => return close(caller, stream, rest),
        };
        let path = String::from_utf8_lossy(&path?).into_owned();
        let text = caller.process().streams().inputs().file(&path).cloned();
        return Some(open(caller, stream, text.map(|text| text.to_vec())));
    }
    let stream = match caller.globals().address(caller.module(), "_ZSt3cin") {
        Some(own) if own == stream => super::files::standard_input(caller)?,
        _ => stream,
    };
    caller.process_mut().streams_mut().get(stream)?;
    read(caller, plain, stream, second, third)
}

/// A stream begins; it is known if its text is.
fn open(caller: &mut Caller<'_>, stream: u64, text: Option<Vec<u8>>) -> Flow {
    // What comes after the offsets of a virtual table.
    caller.put_long(stream, 0);
    match text {
        Some(text) => caller.process_mut().streams_mut().open(stream, text.into()),
        None => {
            caller.process_mut().streams_mut().close(stream);
        }
    }
    NOTHING
}

fn close(caller: &mut Caller<'_>, stream: u64, rest: &str) -> Option<Flow> {
    let ends = ["D1Ev", "D2Ev", "D0Ev", "5closeEv"].contains(&rest);
    (ends && caller.process_mut().streams_mut().close(stream)).then_some(NOTHING)
}

/// Reads from a known text, or asks how it went.
fn read(caller: &mut Caller<'_>, name: &str, stream: u64, second: u64, third: u64) -> Option<Flow> {
    const STRING: &str = "NSt7__cxx1112basic_string";
    let known = |value: u64| Some(Flow::Return(Scalar::known(value)));
    let this = caller.process_mut().streams_mut().get(stream)?;
    if let Some(rest) = name.strip_prefix("NKSt9basic_iosIcSt11char_traitsIcEE") {
        let (failed, ended) = (this.has_failed(), this.has_ended());
        return known(u64::from(match rest {
            "ntEv" | "4failEv" => failed,
            "cvbEv" => !failed,
            "3eofEv" => ended,
            "4goodEv" => !failed && !ended,
            "3badEv" => false,
            _ => return None,
        }));
    }
    let is_of_string = name.contains(STRING);
    match name {
        "NSi4peekEv" | "NSi3getEv" => {
            if this.has_failed() || this.has_ended() {
                this.fail();
                return known(END);
            }
            let next = this.rest().first().copied();
            match next {
                None => this.meet_end(),
                Some(_) if name == "NSi3getEv" => drop(this.take(1)),
                Some(_) => {}
            }
            if next.is_none() && name == "NSi3getEv" {
                this.fail();
            }
            return known(next.map_or(END, u64::from));
        }
        _ if name.starts_with("St7getlineIc") && is_of_string => {
            let ends = if name.ends_with("ES4_") {
                third as u8
            } else {
                b'\n'
            };
            let line = if this.has_failed() || this.has_ended() {
                None
            } else {
                let length = this.rest().iter().position(|byte| *byte == ends);
                let most = this.rest().len();
                let line = this.take(length.unwrap_or(most));
                match length {
                    Some(_) => drop(this.take(1)),
                    None => this.meet_end(),
                }
                // Nothing at all is no line.
                (length.is_some() || !line.is_empty()).then_some(line)
            };
            match line {
                Some(line) => assign(caller, second, &line),
                None => fail(caller, stream, |_| {}),
            }
        }
        _ => {
            let (format, size) = match name.strip_prefix("NSirsER") {
                Some("s") => ("%hd", 2),
                Some("t") => ("%hu", 2),
                Some("i") => ("%d", 4),
                Some("j") => ("%u", 4),
                Some("l" | "x") => ("%ld", 8),
                Some("m" | "y") => ("%lu", 8),
                Some("f") => ("%f", 4),
                Some("d") => ("%lf", 8),
                _ if name.starts_with("StrsIcSt11char_traitsIcESaIcEE") && is_of_string => ("%s", 0),
                _ if name.starts_with("StrsIcSt11char_traitsIcEERSt13basic_istream")
                    && name.ends_with("RS3_") =>
                {
                    (" %c", 1)
                }
                _ => return None,
            };
            extract(caller, stream, second, format, size);
        }
    }
    known(stream)
}

/// A value of a text goes to a variable; zero, if it is a number and there is none.
fn extract(caller: &mut Caller<'_>, stream: u64, to: u64, format: &str, size: u64) {
    let Some(this) = caller.process_mut().streams_mut().get(stream) else {
        return;
    };
    if this.has_failed() || this.has_ended() {
        return this.fail();
    }
    let text = this.rest().to_vec();
    let found = scan(format.as_bytes(), &text);
    this.take(found.read());
    if found.ended() || size != 1 && this.rest().is_empty() {
        this.meet_end();
    }
    if !matches!(size, 0 | 1) {
        caller.converts(&text);
    }
    let bytes = match found.stored().first() {
        Some(Stored::Integer(value, _)) => value.to_le_bytes().to_vec(),
        Some(Stored::Real(value, 4)) => (*value as f32).to_le_bytes().to_vec(),
        Some(Stored::Real(value, _)) => value.to_le_bytes().to_vec(),
        Some(Stored::Characters(text)) => text.clone(),
        Some(Stored::Text(text)) => return assign(caller, to, text),
        None => {
            let clears = !matches!(size, 0 | 1);
            return fail(caller, stream, |caller| {
                if clears {
                    caller.memory_mut(to).write(to, &vec![0; size as usize]);
                }
            });
        }
    };
    caller.library_access("operator>>", AccessKind::Store, to, size);
    caller
        .memory_mut(to)
        .write(to, &bytes[..bytes.len().min(size as usize)]);
}

fn fail(caller: &mut Caller<'_>, stream: u64, besides: impl FnOnce(&mut Caller<'_>)) {
    if let Some(this) = caller.process_mut().streams_mut().get(stream) {
        this.fail();
    }
    besides(caller);
}

/// Where a `std::string` has its length and its own room, of so many bytes with the end.
const LENGTH: u64 = 8;
const ROOM: u64 = 16;
const OWN: u64 = 16;

/// What a `std::string` holds, if all of it is known.
fn text_of(caller: &Caller<'_>, string: u64) -> Option<Vec<u8>> {
    let (at, length) = (caller.long_at(string), caller.long_at(string + LENGTH));
    caller.memory(at).known_bytes(at, length.min(1 << 26))
}

/// Gives a `std::string` a text.
fn assign(caller: &mut Caller<'_>, string: u64, text: &[u8]) {
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
