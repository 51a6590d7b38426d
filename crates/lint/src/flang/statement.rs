//! Statements of input and output: their start, what they say of files, and their end.
//!
//! Followed is formatted input, list-directed, by namelists or by formats, from texts of the program, from the standard
//! input and from files that the user has given; and what formats write into texts of the program. What is written
//! there otherwise is not computed. What a statement reads from elsewhere is unknown, and so is a unit from its first
//! statement on that is none of these: a `write`, a format that is not followed, `backspace`.

use super::descriptor::Descriptor;
use super::units::{abandon, disconnect, file, lose, reading};
use super::{input, text};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::fortran::format::{Format, Written};
use crate::fortran::list::List;
use crate::fortran::statement::{Form, Input, Open, Output, Record, Statement};
use crate::value::{Scalar, signed, source};
use farside_events::AccessKind;

const TRUE: Flow = Flow::Return(Scalar::known(1));

/// flang's number of `exist=` in `inquire`.
const EXIST: u64 = 14_119_423;
/// No `inquire` by a longer name, and no longer format, is looked at.
const LONGEST: u64 = 1 << 16;

/// A function of input and output, by its name without `_FortranAio`.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Flow {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let cookie = at(0).bits;
    if let Some(kind) = name.strip_prefix("Begin") {
        let cookie = caller.allocate(64, "");
        let unknown = || kind.contains("Input").then_some(Statement::UnknownInput);
        if let Some(statement) = begin(caller, kind, a).or_else(unknown) {
            caller.process_mut().units_mut().begin(cookie, statement);
        }
        return Flow::Return(Scalar::known(cookie));
    }
    if let Some(specifier) = name.strip_prefix("Set") {
        specify(caller, cookie, specifier, at(1), at(2));
        return TRUE;
    }
    match name {
        "EndIoStatement" => end(caller, cookie),
        "EnableHandlers" => {
            if let Some(input) = reading(caller, cookie) {
                let [status, error, end] = [1, 2, 3].map(|index| at(index).bits & 1 == 1);
                input.handle([status, error, end]);
            }
            NOTHING
        }
        "GetNewUnit" => {
            let unit = match caller.process_mut().units_mut().statement(cookie) {
                Some(Statement::Open(open)) => open.unit(),
                _ => return TRUE,
            };
            let bits = i64::from(unit) as u64;
            caller.put(at(1).bits, at(2).bits.clamp(1, 8), Scalar::known(bits));
            TRUE
        }
        "GetIoMsg" => {
            // There is a message only of what went wrong.
            if reading(caller, cookie).is_none_or(|input| input.status() != 0) {
                caller.come_from_outside(at(1).bits, at(2).bits.min(LONGEST), 1);
            }
            NOTHING
        }
        "InquireLogical" => {
            let statement = caller.process_mut().units_mut().statement(cookie);
            let exists = matches!(statement, Some(Statement::Inquire(true))) && at(1).bits == EXIST;
            let value = match exists {
                true => Scalar::known(1),
                false => Scalar {
                    bits: 0,
                    symbol: source((name, caller.place())),
                },
            };
            caller.put(at(2).bits, 1, value);
            TRUE
        }
        "InquireCharacter" => {
            caller.come_from_outside(at(2).bits, at(3).bits.min(LONGEST), 1);
            TRUE
        }
        "OutputAscii" => {
            let text = text::known(caller, "write", at(1), at(2));
            if text.is_none() {
                caller.library_access("write", AccessKind::Load, at(1).bits, at(2).bits);
            }
            let is_outside = text.is_none() && !text::is_uncomputed(caller, &[(at(1), at(2))]);
            output(caller, cookie, text.map(Written::Text), is_outside);
            TRUE
        }
        "OutputDescriptor" => {
            let value = Descriptor::at(caller, at(1).bits);
            value.read(caller, "write");
            let is_outside = value.is_outside(caller);
            output(caller, cookie, None, is_outside);
            TRUE
        }
        _ if name.starts_with("Output") => {
            let given = at(1);
            let value = match name {
                "OutputInteger8" => Some(Written::Integer(signed(given.bits, 8))),
                "OutputInteger16" => Some(Written::Integer(signed(given.bits, 16))),
                "OutputInteger32" => Some(Written::Integer(signed(given.bits, 32))),
                "OutputInteger64" => Some(Written::Integer(given.bits as i64)),
                "OutputReal32" => Some(Written::Real(f32::from_bits(given.bits as u32).into())),
                "OutputReal64" => Some(Written::Real(given.double())),
                "OutputLogical" => Some(Written::Logical(given.bits & 1 == 1)),
                _ => None,
            };
            let outside = |part: &Scalar| !part.is_known() && !part.is_uncomputed();
            let is_outside = a.iter().skip(1).any(outside);
            output(caller, cookie, value.filter(|_| given.is_known()), is_outside);
            TRUE
        }
        _ if name.starts_with("Input") => input::item(caller, name, a),
        _ => TRUE,
    }
}

/// A value is written; if it, or what comes of it, is not known, nothing is known of the text any more.
fn output(caller: &mut Caller<'_>, cookie: u64, value: Option<Written>, is_outside: bool) {
    let units = caller.process_mut().units_mut();
    if let Some(Statement::Output(output)) = units.statement(cookie) {
        output.put(value.as_ref(), is_outside);
    }
}

/// A statement begins; `None` if nothing is known of it.
fn begin(caller: &mut Caller<'_>, kind: &str, a: &[Scalar]) -> Option<Statement> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let unit = |index: usize| at(index).is_known().then(|| at(index).signed32());
    match kind {
        "OpenUnit" => {
            let unit = unit(0)?;
            disconnect(caller, unit);
            Some(Statement::Open(Open::new(unit)))
        }
        "OpenNewUnit" => {
            let unit = caller.process_mut().units_mut().make();
            Some(Statement::Open(Open::new(unit)))
        }
        "Close" => {
            disconnect(caller, unit(0)?);
            None
        }
        "Rewind" => {
            let file = file(caller, unit(0)?)?;
            caller.process_mut().streams_mut().get(file)?.seek(0);
            None
        }
        "InquireFile" => {
            let name = text::known(caller, "inquire", at(0), at(1))?;
            let name = String::from_utf8_lossy(text::trimmed(&name)).into_owned();
            let given = caller.process().streams().inputs().file(&name).is_some();
            Some(Statement::Inquire(given))
        }
        "InternalListInput" => {
            let text = text_read(caller, at(0), at(1))?;
            caller.converts(&text);
            internal(Form::List, text)
        }
        "InternalFormattedInput" => {
            let text = text_read(caller, at(0), at(1))?;
            caller.converts(&text);
            internal(Form::edited(format(caller, at(2), at(3))?), text)
        }
        "InternalArrayListInput" => {
            let text = records(caller, at(0).bits)?;
            internal(Form::List, text)
        }
        "InternalArrayFormattedInput" => {
            let text = records(caller, at(0).bits)?;
            internal(Form::edited(format(caller, at(1), at(2))?), text)
        }
        "ExternalListInput" => external(caller, unit(0)?, Form::List),
        "ExternalFormattedInput" => {
            let (unit, form) = (unit(3)?, format(caller, at(0), at(1)).map(Form::edited));
            if form.is_none() {
                lose(caller, unit);
            }
            external(caller, unit, form?)
        }
        "InternalListOutput" | "InternalFormattedOutput" => {
            let target = (at(0).bits, at(1).bits.min(LONGEST));
            // Until its end.
            caller.memory_mut(target.0).forget(target.0, target.1);
            if !at(0).is_known() || !at(1).is_known() {
                return None;
            }
            let format = (kind == "InternalFormattedOutput" && at(1).bits <= LONGEST)
                .then(|| format(caller, at(2), at(3)))
                .flatten();
            Some(Statement::Output(Output::new(target, format)))
        }
        "InternalArrayListOutput" | "InternalArrayFormattedOutput" => {
            let records = Descriptor::at(caller, at(0).bits);
            records.access(caller, "write", AccessKind::Store);
            for (at, size) in records.runs() {
                caller.memory_mut(at).forget(at, size);
            }
            None
        }
        "ExternalFormattedOutput" => {
            lose(caller, unit(3)?);
            None
        }
        "ExternalListOutput" | "UnformattedOutput" | "UnformattedInput" | "Backspace" | "Endfile" => {
            lose(caller, unit(0)?);
            None
        }
        _ => None,
    }
}

/// What the statement has of a file, an internal file or a format.
fn specify(caller: &mut Caller<'_>, cookie: u64, specifier: &str, at: Scalar, length: Scalar) {
    match caller.process_mut().units_mut().statement(cookie) {
        Some(Statement::Open(_)) => {}
        Some(Statement::Output(output)) => return output.put(None, false),
        _ => return abandon(caller, cookie),
    }
    // Only texts are passed with their lengths.
    let text = match specifier {
        "Recl" | "Asynchronous" => None,
        _ => text::known(caller, "open", at, length),
    };
    let text = text.map(|text| String::from_utf8_lossy(text::trimmed(&text)).into_owned());
    if let Some(Statement::Open(open)) = caller.process_mut().units_mut().statement(cookie) {
        match text {
            Some(name) if specifier == "File" => open.set_file(name),
            Some(value) => open.specify(specifier, &value.to_ascii_lowercase()),
            None => open.specify_unknown(),
        }
    }
}

/// A statement ends: what `iostat=` is given. Of what is read from outside it is unknown, and success by its sample; of
/// other statements that are not followed, it is taken to be success.
fn end(caller: &mut Caller<'_>, cookie: u64) -> Flow {
    let statement = caller.process_mut().units_mut().end(cookie);
    caller.process_mut().memory_mut().free(cookie);
    let status = match statement {
        Some(Statement::Open(open)) => {
            let inputs = caller.process().streams().inputs();
            let given = open.file().and_then(|name| inputs.file(name)).cloned();
            let file = given.map_or(0, |given| {
                let file = caller.allocate(256, "open");
                caller.process_mut().streams_mut().open(file, given);
                file
            });
            caller.process_mut().units_mut().connect(open.unit(), file);
            0
        }
        Some(Statement::Output(output)) => {
            let ((at, size), record) = output.finish();
            match record {
                Record::Known(text) => text::fill(caller, "write", (at, size), text),
                Record::Outside | Record::Uncomputed => {
                    caller.library_access("write", AccessKind::Store, at, size);
                    if record == Record::Outside {
                        caller.come_from_outside(at, size, 1);
                    }
                }
            }
            0
        }
        Some(Statement::Input(mut input)) => {
            if input.status() == 0 {
                input.finish();
            }
            let file = input.unit().and_then(|unit| file(caller, unit));
            if let Some(stream) = file.and_then(|file| caller.process_mut().streams_mut().get(file)) {
                stream.seek(input.position() as i64);
            }
            input.status()
        }
        Some(Statement::UnknownInput) => return Flow::Return(caller.outside_value("iostat")),
        Some(Statement::Inquire(_)) | None => 0,
    };
    Flow::Return(Scalar::known(u64::from(status as u32)))
}

fn external(caller: &mut Caller<'_>, unit: i32, form: Form) -> Option<Statement> {
    let file = file(caller, unit)?;
    let stream = caller.process_mut().streams_mut().get(file)?;
    let text = List::of(stream.text().clone(), stream.position());
    Some(Statement::Input(Input::new(Some(unit), form, text)))
}

fn internal(form: Form, text: Vec<u8>) -> Option<Statement> {
    let text = List::of(text.into(), 0);
    Some(Statement::Input(Input::new(None, form, text)))
}

/// The records of an internal file that is an array.
fn records(caller: &mut Caller<'_>, descriptor: u64) -> Option<Vec<u8>> {
    let array = Descriptor::at(caller, descriptor);
    let mut text = Vec::new();
    for nth in 0..array.count().min(LONGEST) {
        let at = Scalar::known(array.address(nth));
        text.extend(text_read(caller, at, Scalar::known(array.element()))?);
        text.push(b'\n');
    }
    Some(text)
}

/// A text that is read. What is read of one that was not computed is not known, and not from outside either.
fn text_read(caller: &mut Caller<'_>, at: Scalar, length: Scalar) -> Option<Vec<u8>> {
    if text::is_uncomputed(caller, &[(at, length)]) {
        caller.end_computation();
    }
    text::known(caller, "read", at, length)
}

/// A format of the program, if it is known and followed.
fn format(caller: &mut Caller<'_>, at: Scalar, length: Scalar) -> Option<Format> {
    Format::of(&text::known(caller, "format", at, length)?)
}
