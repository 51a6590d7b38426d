//! The procedures and constants of MPI's Fortran binding: the procedures from the table of calls, as far as their types
//! are declared here.

use super::{Argument, Constant, Kind, Procedure};
use farside_calls::mpi as calls;
use farside_calls::signature::{self, Direction, Handle, Parameter, Returns};
use rustc_hash::FxHashMap as HashMap;
use std::sync::LazyLock;

/// All procedures whose arguments the modules can declare.
pub(crate) static PROCEDURES: LazyLock<Vec<Procedure>> =
    LazyLock::new(|| calls::Procedure::all().filter_map(procedure).collect());

/// All procedures, by the symbol that a Fortran compiler makes of their names.
pub(crate) static BY_SYMBOL: LazyLock<HashMap<String, &Procedure>> = LazyLock::new(|| {
    let symbol = |procedure: &'static Procedure| (format!("{}_", procedure.name.to_lowercase()), procedure);
    PROCEDURES.iter().map(symbol).collect()
});

/// All constants.
pub(crate) static CONSTANTS: LazyLock<Vec<Constant>> = LazyLock::new(|| {
    lines(include_str!("constants.txt"))
        .filter_map(constant)
        .collect()
});

/// The types of handles in `mpi_f08`.
pub(crate) const HANDLES: [&str; 11] = [
    "MPI_Comm",
    "MPI_Datatype",
    "MPI_Win",
    "MPI_Group",
    "MPI_Request",
    "MPI_Op",
    "MPI_Info",
    "MPI_Errhandler",
    "MPI_Message",
    "MPI_File",
    "MPI_Session",
];

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// A procedure as Fortran has it; `None` if it has none, or if a type is not declared.
fn procedure(procedure: calls::Procedure) -> Option<Procedure> {
    let signature = procedure.signature();
    let arguments = signature
        .parameters()
        .iter()
        .filter(|parameter| !parameter.c_only && !parameter.large_only);
    signature.interfaces().mpif.then_some(Procedure {
        procedure,
        name: procedure.name(),
        result: match signature.returns() {
            Returns::Code => None,
            Returns::Double => Some(Kind::Double),
            Returns::Address => Some(Kind::Address),
            Returns::Other => return None,
        },
        arguments: arguments
            .map(|parameter| argument(parameter).or_else(|| value_of_attribute(procedure, parameter)))
            .collect::<Option<_>>()?,
    })
}

/// The value of an attribute, and the state that goes with its key: integers of the size of an address (MPI-4.1
/// §19.3.7), but in the procedures of MPI-1.
fn value_of_attribute(procedure: calls::Procedure, parameter: &Parameter) -> Option<Argument> {
    use calls::Procedure::{Attr_get, Attr_put, Keyval_create};
    let is_old = matches!(procedure, Attr_get | Attr_put | Keyval_create);
    let is_value = ["attribute_val", "extra_state"].contains(&parameter.name) && !is_old;
    is_value.then(|| Argument {
        name: parameter.name,
        kind: Kind::Address,
        out: parameter.direction != Direction::In,
        array: false,
    })
}

fn argument(parameter: &Parameter) -> Option<Argument> {
    let kind = match parameter.kind {
        signature::Kind::Buffer => Kind::Choice,
        signature::Kind::Pointer => Kind::Pointer,
        signature::Kind::Int | signature::Kind::Count => Kind::Integer,
        signature::Kind::Logical => Kind::Logical,
        signature::Kind::Address => Kind::Address,
        signature::Kind::Text => Kind::String,
        signature::Kind::Status => Kind::Status,
        signature::Kind::Procedure => Kind::Procedure,
        signature::Kind::Handle(handle) => Kind::Handle(
            HANDLES[match handle {
                Handle::Comm => 0,
                Handle::Type => 1,
                Handle::Win => 2,
                Handle::Group => 3,
                Handle::Request => 4,
                Handle::Op => 5,
                Handle::Info => 6,
                Handle::Errhandler => 7,
                Handle::Message => 8,
                Handle::File => 9,
                Handle::Session => 10,
            }],
        ),
        signature::Kind::Other => return None,
    };
    Some(Argument {
        name: parameter.name,
        kind,
        out: parameter.direction != Direction::In && !parameter.array && kind != Kind::Choice,
        array: parameter.array,
    })
}

fn kind(word: &str) -> Kind {
    let handle = match word {
        "communicator" => 0,
        "datatype" => 1,
        "window" => 2,
        "group" => 3,
        "request" => 4,
        "operator" => 5,
        "info" => 6,
        "errhandler" => 7,
        "message" => 8,
        "file" => 9,
        "session" => 10,
        "logical" => return Kind::Logical,
        "offset" => return Kind::Address,
        _ => return Kind::Integer,
    };
    Kind::Handle(HANDLES[handle])
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
    fn every_constant_is_understood() {
        assert_eq!(CONSTANTS.len(), lines(include_str!("constants.txt")).count());
        assert_eq!(BY_SYMBOL.len(), PROCEDURES.len());
    }

    #[test]
    fn a_put_has_the_arguments_of_the_standard() {
        let put = BY_SYMBOL["mpi_put_"];
        assert_eq!((put.name, put.result, put.arguments.len()), ("MPI_Put", None, 8));
        assert_eq!(put.arguments[7].kind, Kind::Handle("MPI_Win"));
        let cancel = BY_SYMBOL["mpi_cancel_"];
        assert!(cancel.arguments[0].out, "the request is passed by its address");
        assert!(BY_SYMBOL["mpi_init_"].arguments.is_empty());
        assert_eq!(BY_SYMBOL["mpi_aint_add_"].result, Some(Kind::Address));
        let read = BY_SYMBOL["mpi_file_read_"];
        assert_eq!(read.arguments[0].kind, Kind::Handle("MPI_File"));
        let wait = BY_SYMBOL["mpi_waitall_"];
        assert!(wait.arguments[1].array && !wait.arguments[1].out);
    }
}
