//! Exceptions of C++'s library: objects of its classes, and its functions that throw them.
//!
//! Source: C++17 §22.2 (`stdexcept`); names and places of members are those of libstdc++ 12 (`bits/functexcept.h`): an
//! object has the address of its table first, and a class with a text has the text's address after it.
//!
//! Promise: what these functions throw has the class that libstdc++ throws, and says the same text. Limits: texts of
//! `std::system_error` and of classes without one of their own.

use super::{format, streams};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::layout::WHAT_OF_LIBRARY;
use crate::value::Scalar;

/// Where an object has its text.
const TEXT: u64 = 8;

/// Classes with a text of their own.
const CLASSES: [&str; 9] = [
    "St11logic_error",
    "St12domain_error",
    "St16invalid_argument",
    "St12length_error",
    "St12out_of_range",
    "St13runtime_error",
    "St11range_error",
    "St14overflow_error",
    "St15underflow_error",
];

/// What functions throw, by their names after `__throw_`.
const THROWN: [(&str, &str); 18] = [
    ("logic_errorPKc", "St11logic_error"),
    ("domain_errorPKc", "St12domain_error"),
    ("invalid_argumentPKc", "St16invalid_argument"),
    ("length_errorPKc", "St12length_error"),
    ("out_of_rangePKc", "St12out_of_range"),
    ("out_of_range_fmtPKcz", "St12out_of_range"),
    ("runtime_errorPKc", "St13runtime_error"),
    ("range_errorPKc", "St11range_error"),
    ("overflow_errorPKc", "St14overflow_error"),
    ("underflow_errorPKc", "St15underflow_error"),
    ("bad_castv", "St8bad_cast"),
    ("bad_typeidv", "St10bad_typeid"),
    ("bad_allocv", "St9bad_alloc"),
    ("bad_array_new_lengthv", "St20bad_array_new_length"),
    ("bad_exceptionv", "St13bad_exception"),
    ("bad_function_callv", "St17bad_function_call"),
    ("system_errori", "St12system_error"),
    ("future_errori", "St12future_error"),
];

/// A function of the library; `None` if it is none that is known here.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let plain = name.strip_prefix("_Z")?;
    let given = |index: usize| a.get(index).map_or(0, |value| value.bits);
    let thrown = plain.strip_prefix("St").and_then(|rest| {
        rest.trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix("__throw_")
    });
    if let Some(thrown) = thrown {
        let (_, class) = THROWN.iter().find(|(known, _)| *known == thrown)?;
        let text = match thrown {
            "out_of_range_fmtPKcz" => format::text(caller, name, a),
            _ if thrown.ends_with("PKc") => copied(caller, given(0)),
            _ => own_text(caller, class),
        };
        let object = caller.allocate(64, "exception");
        begin(caller, object, class, text);
        let ty = type_of(caller, class);
        caller.own_mut().throw(object, ty);
        return Some(Flow::Thrown);
    }
    // Members: `_ZN`, the class, and what the member is.
    let rest = plain.strip_prefix("NK").or_else(|| plain.strip_prefix('N'))?;
    if rest == "St9exception4whatEv" {
        let text = own_text(caller, "St9exception");
        return Some(Flow::Return(Scalar::known(text)));
    }
    if matches!(rest, "St9exceptionD1Ev" | "St9exceptionD2Ev" | "St9exceptionD0Ev") {
        return Some(NOTHING);
    }
    let (class, member) = CLASSES
        .iter()
        .find_map(|class| Some((*class, rest.strip_prefix(*class)?)))?;
    let object = given(0);
    match member {
        "4whatEv" => return Some(Flow::Return(what(caller, object))),
        "D0Ev" | "D1Ev" | "D2Ev" => {}
        "C1EPKc" | "C2EPKc" => {
            let text = copied(caller, given(1));
            begin(caller, object, class, text);
        }
        _ if member.starts_with("C1ERKNSt7__cxx1112basic_string")
            || member.starts_with("C2ERKNSt7__cxx1112basic_string") =>
        {
            let text = streams::copy_of(caller, given(1));
            begin(caller, object, class, text);
        }
        "C1ERKS_" | "C2ERKS_" | "C1EOS_" | "C2EOS_" => {
            let text = caller.long_at(given(1) + TEXT);
            begin(caller, object, class, text);
        }
        "aSERKS_" | "aSEOS_" => {
            let text = caller.long_at(given(1) + TEXT);
            caller.put_long(object + TEXT, text);
            return Some(Flow::Return(a[0]));
        }
        _ => return None,
    }
    Some(NOTHING)
}

/// What an object says.
pub(crate) fn what(caller: &Caller<'_>, object: u64) -> Scalar {
    caller.memory(object).load(object + TEXT, 8)
}

/// An object of a class of the library, with its text and a table of virtual functions.
fn begin(caller: &mut Caller<'_>, object: u64, class: &str, text: u64) {
    let table = caller.allocate(64, "_ZTV");
    let ty = type_of(caller, class);
    // Its distance to the whole object, its type, two destructors, and what it says.
    caller.put_long(table + 8, ty);
    caller.put_long(table + 16, crate::layout::OF_LIBRARY);
    caller.put_long(table + 24, crate::layout::OF_LIBRARY);
    caller.put_long(table + 32, WHAT_OF_LIBRARY);
    caller.put_long(object, table + 16);
    caller.put_long(object + TEXT, text);
}

/// The type of a class: as the program knows it, or an object of that name.
fn type_of(caller: &mut Caller<'_>, class: &str) -> u64 {
    let name = format!("_ZTI{class}");
    match caller.globals().address(caller.module(), &name) {
        Some(known) => known,
        None => caller.allocate(16, &name),
    }
}

/// What a class without a text says: its name. What errors of the system say is not known.
fn own_text(caller: &mut Caller<'_>, class: &str) -> u64 {
    let plain = class
        .trim_start_matches("St")
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let text = match plain {
        "bad_function_call" => plain.to_owned(),
        _ => format!("std::{plain}"),
    };
    let size = text.len() as u64 + 1;
    let at = caller.allocate(size, "text");
    caller.memory_mut(at).write(at, text.as_bytes());
    if matches!(plain, "system_error" | "future_error") {
        caller.memory_mut(at).forget(at, size);
    }
    at
}

/// A copy of a text, with what is known of it.
fn copied(caller: &mut Caller<'_>, from: u64) -> u64 {
    let size = caller.memory(from).string(from).len() as u64 + 1;
    let to = caller.allocate(size, "text");
    let content = caller.memory(from).content(from, size);
    caller.memory_mut(to).put_content(to, &content);
    to
}
