//! The text of `mpif.h` and of the modules `mpi` and `mpi_f08`.

use super::table::{CONSTANTS, HANDLES, PROCEDURES};
use super::{Argument, Constant, Kind, Procedure};
use crate::ir::Predicate;
use std::fmt::Write as _;

/// A file that Fortran programs need to be compiled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: String,
    /// Whether it is a module, which the compiler must have read before the program.
    pub module: bool,
}

/// All these files; each module stands after what it needs.
pub fn sources() -> Vec<Source> {
    let source = |name, module, text| Source { name, text, module };
    vec![
        source("mpif.h", false, include_file()),
        source("mpi.f90", true, module("mpi", Binding::Integers)),
        source("mpi_f08.f90", true, module("mpi_f08", Binding::Types)),
    ]
}

/// The module `mpi` for programs that flang compiles and links with an MPI library: constants and sentinels are those of the
/// library's `mpif.h`, which flang must find; calls lead to the library's procedures for `mpif.h`.
pub fn library_module() -> Source {
    let mut text = String::from("module mpi\n  implicit none\n  include 'mpif.h'\n  interface\n");
    // What has a result is declared by mpif.h itself.
    for procedure in PROCEDURES.iter().filter(|procedure| procedure.result.is_none()) {
        interface(&mut text, procedure, Binding::Integers);
    }
    text += "  end interface\nend module mpi\n";
    Source {
        name: "mpi.f90",
        text,
        module: true,
    }
}

/// How handles are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binding {
    /// `use mpi`
    Integers,
    /// `use mpi_f08`
    Types,
}

/// Places that stand for "none" or "the same": the engine knows them by the names of their common blocks.
const PLACES: [(&str, &str, &str); 4] = [
    ("MPI_BOTTOM", "", "farside_bottom"),
    ("MPI_IN_PLACE", "", "farside_in_place"),
    ("MPI_STATUS_IGNORE", "(5)", "farside_status_ignore"),
    ("MPI_STATUSES_IGNORE", "(5,1)", "farside_statuses_ignore"),
];

/// What goes with the keys of attributes, by the words after the object that has them (MPI-4.1 §7.7).
const FUNCTIONS_OF_KEYS: [&str; 3] = ["NULL_COPY_FN", "DUP_FN", "NULL_DELETE_FN"];

/// The declarations of [`FUNCTIONS_OF_KEYS`], one a line.
fn functions_of_keys() -> impl Iterator<Item = String> {
    let of = |object: &'static str| FUNCTIONS_OF_KEYS.map(|word| format!("external MPI_{object}_{word}"));
    ["COMM", "TYPE", "WIN"].into_iter().flat_map(of)
}

/// Text for free and for fixed form: from column 7 to 72, without continued lines.
fn include_file() -> String {
    let mut text = String::from("! mpif.h of farside lint: declarations only.\n");
    for Constant { name, value, .. } in CONSTANTS.iter() {
        let _ = writeln!(text, "      integer {name}\n      parameter ({name}={value})");
    }
    for kind in ["ADDRESS", "OFFSET", "COUNT"] {
        let _ = writeln!(
            text,
            "      integer MPI_{kind}_KIND\n      parameter (MPI_{kind}_KIND=8)"
        );
    }
    for (name, shape, block) in PLACES {
        let _ = writeln!(text, "      integer {name}{shape}\n      common /{block}/ {name}");
    }
    for procedure in PROCEDURES.iter() {
        let ty = match procedure.result {
            Some(Kind::Double) => "double precision",
            Some(_) => "integer*8",
            None => continue,
        };
        let _ = writeln!(
            text,
            "      {ty} {name}\n      external {name}",
            name = procedure.name
        );
    }
    for external in functions_of_keys() {
        let _ = writeln!(text, "      {external}");
    }
    text
}

fn module(name: &str, binding: Binding) -> String {
    let mut text =
        format!("module {name}\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  implicit none\n");
    text += "  private :: c_ptr\n";
    for kind in ["ADDRESS", "OFFSET", "COUNT"] {
        let _ = writeln!(text, "  integer, parameter :: MPI_{kind}_KIND = 8");
    }
    if binding == Binding::Types {
        for handle in HANDLES {
            let _ = writeln!(
                text,
                "  type, bind(C) :: {handle}\n    integer :: MPI_VAL\n  end type"
            );
        }
        text += "  type, bind(C) :: MPI_Status\n    integer :: internal(2), MPI_SOURCE, MPI_TAG, MPI_ERROR\n  end type\n";
    }
    for Constant { name, kind, value } in CONSTANTS.iter() {
        let _ = match (kind, binding) {
            (Kind::Handle(ty), Binding::Types) => {
                writeln!(text, "  type({ty}), parameter :: {name} = {ty}({value})")
            }
            // In mpi_f08, source, tag and error are fields.
            _ if binding == Binding::Types && ["MPI_SOURCE", "MPI_TAG", "MPI_ERROR"].contains(name) => Ok(()),
            _ => writeln!(text, "  integer, parameter :: {name} = {value}"),
        };
    }
    for (name, shape, block) in PLACES {
        let status = binding == Binding::Types && name.contains("STATUS");
        let (ty, shape) = match status {
            true => (
                "type(MPI_Status)",
                if name.contains("STATUSES") { "(1)" } else { "" },
            ),
            false => ("integer", shape),
        };
        let _ = writeln!(text, "  {ty} :: {name}{shape}\n  common /{block}/ {name}");
    }
    for external in functions_of_keys() {
        let _ = writeln!(text, "  {external}");
    }
    if binding == Binding::Types {
        comparisons(&mut text);
    }
    text += "  interface\n";
    for procedure in PROCEDURES.iter() {
        interface(&mut text, procedure, binding);
    }
    text += "  end interface\n";
    if binding == Binding::Types {
        text += "contains\n";
        for handle in HANDLES {
            let short = &handle["MPI_".len()..];
            for (name, sign) in [("equal", "=="), ("differ", "/=")] {
                let _ = writeln!(
                    text,
                    "  elemental logical function {name}_{short}(a, b)\n    type({handle}), intent(in) :: a, b\n    \
                     {name}_{short} = a%MPI_VAL {sign} b%MPI_VAL\n  end function"
                );
            }
        }
    }
    let _ = writeln!(text, "end module {name}");
    text
}

/// What the functions compare that [`comparisons`] names: their beginnings in the names that flang gives them.
const COMPARED: [(&str, Predicate); 2] = [
    ("_QMmpi_f08Pequal_", Predicate::Eq),
    ("_QMmpi_f08Pdiffer_", Predicate::Ne),
];

/// The comparison of two handles that a function of the module `mpi_f08` makes; `None` if it is none of these.
pub(crate) fn comparison(symbol: &str) -> Option<Predicate> {
    let compared =
        |(beginning, predicate): (&str, Predicate)| symbol.starts_with(beginning).then_some(predicate);
    COMPARED.into_iter().find_map(compared)
}

/// Handles of `mpi_f08` are compared by `==` and `/=` (MPI-4.1 §19.1.3).
fn comparisons(text: &mut String) {
    for (name, sign) in [("equal", "=="), ("differ", "/=")] {
        for handle in HANDLES {
            let short = &handle["MPI_".len()..];
            let _ = writeln!(
                text,
                "  private :: {name}_{short}\n  interface operator({sign})\n    procedure {name}_{short}\n  end interface"
            );
        }
    }
}

fn interface(text: &mut String, procedure: &Procedure, binding: Binding) {
    let word = if procedure.result.is_some() {
        "function"
    } else {
        "subroutine"
    };
    let mut names: Vec<&str> = procedure.arguments.iter().map(|argument| argument.name).collect();
    if procedure.result.is_none() {
        names.push("ierror");
    }
    let _ = writeln!(
        text,
        "    {word} {}( &\n      {})\n      import",
        procedure.name,
        names.join(", &\n      ")
    );
    for argument in &procedure.arguments {
        declaration(text, argument, binding);
    }
    match procedure.result {
        Some(Kind::Double) => {
            let _ = writeln!(text, "      double precision :: {}", procedure.name);
        }
        Some(_) => {
            let _ = writeln!(text, "      integer(kind=MPI_ADDRESS_KIND) :: {}", procedure.name);
        }
        // Programs may leave it out in mpi_f08 only.
        None if binding == Binding::Types => {
            text.push_str("      integer, optional, intent(out) :: ierror\n")
        }
        None => text.push_str("      integer, intent(out) :: ierror\n"),
    }
    let _ = writeln!(text, "    end {word}");
}

fn declaration(text: &mut String, argument: &Argument, binding: Binding) {
    let Argument {
        name,
        kind,
        out,
        array,
    } = *argument;
    // No array: an element of an assumed-shape array may be given, too. Arrays pass, for the rank is ignored.
    let any = |text: &mut String| {
        let _ = writeln!(
            text,
            "      !dir$ ignore_tkr(tkrdm) {name}\n      type(*) :: {name}"
        );
    };
    let ty = match (kind, binding) {
        (Kind::Choice, _) | (Kind::Pointer, Binding::Integers) => return any(text),
        (Kind::Pointer, Binding::Types) => "type(c_ptr)".to_owned(),
        (Kind::Address, _) => "integer(kind=MPI_ADDRESS_KIND)".to_owned(),
        (Kind::Logical, _) => "logical".to_owned(),
        (Kind::String, _) => "character(len=*)".to_owned(),
        (Kind::Double, _) => "double precision".to_owned(),
        (Kind::Procedure, _) => {
            let _ = writeln!(text, "      external :: {name}");
            return;
        }
        (Kind::Handle(ty), Binding::Types) => format!("type({ty})"),
        (Kind::Status, Binding::Types) => "type(MPI_Status)".to_owned(),
        (Kind::Status, Binding::Integers) => {
            let _ = writeln!(text, "      integer :: {name}(*)");
            return;
        }
        (Kind::Integer | Kind::Handle(_), _) => "integer".to_owned(),
    };
    let intent = if out || array { "" } else { ", intent(in)" };
    let shape = if array { "(*)" } else { "" };
    let _ = writeln!(text, "      {ty}{intent} :: {name}{shape}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_include_file_fits_fixed_form() {
        let text = include_file();
        let too_long: Vec<&str> = text.lines().filter(|line| line.len() > 72).collect();
        assert!(too_long.is_empty(), "{too_long:?}");
        assert!(text.contains("parameter (MPI_INTEGER=1275069467)"));
    }

    #[test]
    fn handles_are_types_in_one_module_and_numbers_in_the_other() {
        let [_, mpi, f08] = &sources()[..] else {
            panic!("an include file and two modules")
        };
        assert!(f08.text.contains("type(MPI_Win), intent(in) :: win"));
        assert!(mpi.text.contains("integer, intent(in) :: win"));
    }
}
