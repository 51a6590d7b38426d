//! The procedures and constants of MPI's Fortran binding, as a table.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a procedure is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Procedure {
    /// Its name, as the standard writes it: also that of the C binding.
    pub(super) name: &'static str,
    /// The type of its result; a subroutine has none, and `ierror` as its last argument.
    pub(super) result: Option<Kind>,
    /// Its arguments, without `ierror`.
    pub(super) arguments: Vec<Argument>,
}

/// An argument of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Whether the procedure gives it a value.
    pub(super) out: bool,
    pub(super) array: bool,
}

/// The type of an argument or constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A buffer of any type.
    Choice,
    Integer,
    /// `integer(kind=MPI_ADDRESS_KIND)`.
    Address,
    Logical,
    String,
    /// The address of memory that MPI has allocated.
    Pointer,
    Status,
    Procedure,
    Double,
    /// A handle, by the name of its type in `mpi_f08`.
    Handle(&'static str),
}

/// A constant of the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) value: i32,
}

/// All procedures.
pub(super) static PROCEDURES: LazyLock<Vec<Procedure>> =
    LazyLock::new(|| lines(include_str!("interfaces.txt")).map(procedure).collect());

/// All procedures, by the symbol that a Fortran compiler makes of their names.
pub(super) static BY_SYMBOL: LazyLock<HashMap<String, &Procedure>> = LazyLock::new(|| {
    let symbol = |procedure: &'static Procedure| (format!("{}_", procedure.name.to_lowercase()), procedure);
    PROCEDURES.iter().map(symbol).collect()
});

/// The name of the C binding for the symbol of a procedure, with or without `p` before it.
pub(crate) fn c_name(symbol: &str) -> Option<&'static str> {
    let profiled = symbol.strip_prefix('p').filter(|rest| rest.starts_with("mpi_"));
    Some(BY_SYMBOL.get(profiled.unwrap_or(symbol))?.name)
}

/// All constants.
pub(super) static CONSTANTS: LazyLock<Vec<Constant>> = LazyLock::new(|| {
    lines(include_str!("constants.txt"))
        .filter_map(constant)
        .collect()
});

/// The types of handles in `mpi_f08`.
pub(super) const HANDLES: [&str; 8] = [
    "MPI_Comm",
    "MPI_Datatype",
    "MPI_Win",
    "MPI_Group",
    "MPI_Request",
    "MPI_Op",
    "MPI_Info",
    "MPI_Errhandler",
];

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
}

fn procedure(line: &'static str) -> Procedure {
    let (head, arguments) = line.trim_end_matches(')').split_once('(').unwrap_or((line, ""));
    let (result, name) = match head.split_once(' ') {
        Some((kind, name)) => (Some(self::kind(kind)), name),
        None => (None, head),
    };
    let arguments = arguments.split(", ").filter(|text| !text.is_empty());
    Procedure {
        name,
        result,
        arguments: arguments.map(argument).collect(),
    }
}

fn argument(text: &'static str) -> Argument {
    let (out, text) = text
        .strip_prefix("out ")
        .map_or((false, text), |rest| (true, rest));
    let (kind, name) = text.split_once(' ').unwrap_or(("choice", text));
    let plain = name.trim_end_matches("[]");
    Argument {
        name: plain,
        kind: self::kind(kind),
        out,
        array: plain != name,
    }
}

fn kind(word: &str) -> Kind {
    match word {
        "integer" => Kind::Integer,
        "address" => Kind::Address,
        "logical" => Kind::Logical,
        "string" => Kind::String,
        "pointer" => Kind::Pointer,
        "status" => Kind::Status,
        "procedure" => Kind::Procedure,
        "double" => Kind::Double,
        "communicator" => Kind::Handle(HANDLES[0]),
        "datatype" => Kind::Handle(HANDLES[1]),
        "window" => Kind::Handle(HANDLES[2]),
        "group" => Kind::Handle(HANDLES[3]),
        "request" => Kind::Handle(HANDLES[4]),
        "operator" => Kind::Handle(HANDLES[5]),
        "info" => Kind::Handle(HANDLES[6]),
        "errhandler" => Kind::Handle(HANDLES[7]),
        _ => Kind::Choice,
    }
}

fn constant(line: &'static str) -> Option<Constant> {
    let mut words = line.split(' ');
    Some(Constant {
        kind: kind(words.next()?),
        name: words.next()?,
        value: words.next()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_understood() {
        let choices = lines(include_str!("interfaces.txt")).map(|line| line.matches("choice ").count());
        let known = PROCEDURES.iter().flat_map(|procedure| &procedure.arguments);
        let read = known.filter(|argument| argument.kind == Kind::Choice).count();
        assert_eq!(read, choices.sum::<usize>());
        assert_eq!(CONSTANTS.len(), lines(include_str!("constants.txt")).count());
        assert_eq!(BY_SYMBOL.len(), PROCEDURES.len());
    }

    #[test]
    fn a_put_has_the_arguments_of_the_standard() {
        let put = BY_SYMBOL["mpi_put_"];
        assert_eq!((put.name, put.result, put.arguments.len()), ("MPI_Put", None, 8));
        assert_eq!(put.arguments[7].kind, Kind::Handle("MPI_Win"));
        let wait = BY_SYMBOL["mpi_waitall_"];
        assert!(wait.arguments[1].array && !wait.arguments[1].out);
    }
}
