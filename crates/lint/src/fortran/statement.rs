//! Statements of input and output between their start and their end.
//!
//! Source: Fortran 2018, 12.5 to 12.6 and 12.11. What a statement says of a file that was not given is not kept.

use super::format::{Format, Reader, Writer, Written};
use super::list::{Fault, Kind, List};

/// A statement that has begun.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Open(Open),
    Input(Input),
    /// `read` of something that is not known.
    UnknownInput,
    /// `write` into a text of the program.
    Output(Output),
    /// `inquire` by the name of a file: whether the user has given it.
    Inquire(bool),
}

/// `open`: what it says so far.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    unit: i32,
    file: Option<String>,
    /// Whether the file is read as text from its beginning.
    reads: bool,
}

/// How a statement finds its values.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// List-directed or by a namelist.
    List,
    /// By a format.
    Edited(Reader),
}

impl Form {
    /// By this format.
    pub(crate) fn edited(format: Format) -> Self {
        Self::Edited(Reader::of(format))
    }
}

/// `write` into a text of the program.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// Where the text is, and how long.
    target: (u64, u64),
    /// None if what it writes is not followed.
    writer: Option<Writer>,
    /// Whether a value that it writes is from outside.
    is_outside: bool,
}

/// What a statement has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    Known(Vec<u8>),
    /// It depends on values from outside.
    Outside,
    /// The program computes it, and it was not computed here.
    Uncomputed,
}

impl Output {
    /// By a format, if there is one that is followed.
    pub(crate) fn new(target: (u64, u64), format: Option<Format>) -> Self {
        Self {
            target,
            writer: format.map(Writer::of),
            is_outside: false,
        }
    }

    /// Writes a value; `None` is one that is not known, whose text is as unknown.
    pub(crate) fn put(&mut self, value: Option<&Written>, is_outside: bool) {
        self.is_outside |= is_outside;
        let written = self.writer.as_mut().zip(value);
        if written.and_then(|(writer, value)| writer.put(value)).is_none() {
            self.writer = None;
        }
    }

    /// Where the text goes, and the text. One that does not fit is not computed.
    pub(crate) fn finish(self) -> ((u64, u64), Record) {
        let text = self.writer.and_then(Writer::finish);
        let text = text.filter(|text| text.len() as u64 <= self.target.1);
        let record = match (text, self.is_outside) {
            (Some(text), _) => Record::Known(text),
            (None, true) => Record::Outside,
            (None, false) => Record::Uncomputed,
        };
        (self.target, record)
    }
}

/// `read`.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The unit of a file, or none for a text of the program.
    unit: Option<i32>,
    form: Form,
    text: List,
    handles_errors: bool,
    handles_end: bool,
    status: i32,
}

impl Open {
    /// A file for a unit.
    pub(crate) fn new(unit: i32) -> Self {
        Self {
            unit,
            file: None,
            reads: true,
        }
    }

    pub(crate) fn unit(&self) -> i32 {
        self.unit
    }

    /// `file=`.
    pub(crate) fn set_file(&mut self, name: String) {
        self.file = Some(name);
    }

    /// Another specifier, by its name in flang's runtime; values in small letters.
    pub(crate) fn specify(&mut self, specifier: &str, value: &str) {
        self.reads &= match specifier {
            "Status" => matches!(value, "old" | "unknown"),
            "Action" => matches!(value, "read" | "readwrite"),
            "Form" => value == "formatted",
            "Access" => value == "sequential",
            "Position" => matches!(value, "rewind" | "asis"),
            "Decimal" => value == "point",
            "Delim" | "Encoding" | "Pad" | "Round" | "Sign" => true,
            _ => false,
        };
    }

    /// A specifier whose value is not known.
    pub(crate) fn specify_unknown(&mut self) {
        self.reads = false;
    }

    /// The name of the file, if it is read as text from its beginning.
    pub(crate) fn file(&self) -> Option<&str> {
        self.file.as_deref().filter(|_| self.reads)
    }
}

impl Input {
    /// Reads from a text, which is that of a unit or one of the program.
    pub(crate) fn new(unit: Option<i32>, form: Form, text: List) -> Self {
        Self {
            unit,
            form,
            text,
            handles_errors: false,
            handles_end: false,
            status: 0,
        }
    }

    pub(crate) fn unit(&self) -> Option<i32> {
        self.unit
    }

    /// What the program asks for: `iostat=`, `err=`, `end=`.
    pub(crate) fn handle(&mut self, [status, error, end]: [bool; 3]) {
        self.handles_errors = status || error;
        self.handles_end = status || end;
    }

    /// What `iostat=` is given: 0, -1 for the end, a positive number for bad input.
    pub(crate) fn status(&self) -> i32 {
        self.status
    }

    /// Whether the program goes on after a fault.
    pub(crate) fn handles(&self, fault: Fault) -> bool {
        match fault {
            Fault::End => self.handles_end,
            Fault::Bad | Fault::Unclear => self.handles_errors,
        }
    }

    /// The statement fails, and reads no more.
    pub(crate) fn fail(&mut self, fault: Fault) {
        self.status = match fault {
            Fault::End => -1,
            // flang's number of an error that has no other one.
            Fault::Bad | Fault::Unclear => 1001,
        };
    }

    /// The bytes of the next variable; `None` if the text leaves it as it is.
    pub(crate) fn next(&mut self, kind: Kind) -> Result<Option<Vec<u8>>, Fault> {
        match &mut self.form {
            Form::List => self.text.next(kind),
            Form::Edited(reader) => reader.next(kind, &mut self.text).map(Some),
        }
    }

    /// All values are read.
    pub(crate) fn finish(&mut self) {
        if let Form::Edited(reader) = &mut self.form {
            reader.finish(&mut self.text);
        }
    }

    /// The text, to be read by a namelist.
    pub(crate) fn text_mut(&mut self) -> Option<&mut List> {
        matches!(self.form, Form::List).then_some(&mut self.text)
    }

    /// Where the unit is afterwards: before the next record.
    pub(crate) fn position(&self) -> usize {
        self.text.position()
    }
}
