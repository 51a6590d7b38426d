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

/// The kinds of integers (MPI-4.1 §2.5.6, §2.5.7, annex A.1.1).
const KINDS: [(&str, u32); 4] = [("ADDRESS", 8), ("OFFSET", 8), ("COUNT", 8), ("INTEGER", 4)];

/// Places that stand for "none" or "the same": the engine knows them by the names of their common blocks.
const PLACES: [(&str, &str, &str); 7] = [
    ("MPI_BOTTOM", "", "farside_bottom"),
    ("MPI_IN_PLACE", "", "farside_in_place"),
    ("MPI_STATUS_IGNORE", "(5)", "farside_status_ignore"),
    ("MPI_STATUSES_IGNORE", "(5,1)", "farside_statuses_ignore"),
    ("MPI_ERRCODES_IGNORE", "(1)", "farside_errcodes_ignore"),
    ("MPI_UNWEIGHTED", "(1)", "farside_unweighted"),
    ("MPI_WEIGHTS_EMPTY", "(1)", "farside_weights_empty"),
];

/// Likewise, texts: the arguments of programs that are started without any (MPI-4.1 §11.8.2).
const TEXTS: [(&str, &str, &str); 2] = [
    ("MPI_ARGV_NULL", "(1)", "farside_argv_null"),
    ("MPI_ARGVS_NULL", "(1,1)", "farside_argvs_null"),
];

/// The types of which `MPI_Sizeof` says the bytes, and how many these are (MPI-4.1 §19.1.9).
const SIZES: [(&str, u32); 11] = [
    ("integer(1)", 1),
    ("integer(2)", 2),
    ("integer(4)", 4),
    ("integer(8)", 8),
    ("logical", 4),
    ("real(4)", 4),
    ("real(8)", 8),
    ("complex(4)", 8),
    ("complex(8)", 16),
    ("character", 1),
    ("logical(1)", 1),
];

/// `MPI_F_sync_reg`, which C does not have (MPI-4.1 §19.1.16): in free and in fixed form.
const SYNC_REG: &str = "      interface
      subroutine MPI_F_sync_reg(buf) bind(C,name='_FortranAMpiSyncReg')
!dir$ ignore_tkr(tkrdm) buf
      type(*) :: buf
      end subroutine
      end interface
";

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
    for constant in CONSTANTS.iter() {
        let (ty, value, name) = (constant.ty(), constant.text(), constant.name);
        let _ = writeln!(text, "      {ty} {name}\n      parameter ({name}={value})");
    }
    for (kind, bytes) in KINDS {
        let _ = writeln!(
            text,
            "      integer MPI_{kind}_KIND\n      parameter (MPI_{kind}_KIND={bytes})"
        );
    }
    let integers = PLACES.iter().map(|place| (place, "integer"));
    let texts = TEXTS.iter().map(|place| (place, "character"));
    for ((name, shape, block), ty) in integers.chain(texts) {
        let _ = writeln!(text, "      {ty} {name}{shape}\n      common /{block}/ {name}");
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
    text + SYNC_REG
}

impl Constant {
    /// Its type where handles are integers.
    fn ty(&self) -> &'static str {
        match self.kind {
            Kind::Logical => "logical",
            Kind::Address => "integer(8)",
            _ => "integer",
        }
    }

    /// Its value where handles are integers.
    fn text(&self) -> String {
        match (self.kind, self.value) {
            (Kind::Logical, 0) => ".false.".into(),
            (Kind::Logical, _) => ".true.".into(),
            (_, value) => value.to_string(),
        }
    }
}

fn module(name: &str, binding: Binding) -> String {
    let mut text =
        format!("module {name}\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  implicit none\n");
    text += "  private :: c_ptr\n";
    for (kind, bytes) in KINDS {
        let _ = writeln!(text, "  integer, parameter :: MPI_{kind}_KIND = {bytes}");
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
    for constant in CONSTANTS.iter() {
        let Constant { name, kind, value } = constant;
        let _ = match (kind, binding) {
            (Kind::Handle(ty), Binding::Types) => {
                writeln!(text, "  type({ty}), parameter :: {name} = {ty}({value})")
            }
            // In mpi_f08, source, tag and error are fields.
            _ if binding == Binding::Types && ["MPI_SOURCE", "MPI_TAG", "MPI_ERROR"].contains(name) => Ok(()),
            _ => writeln!(
                text,
                "  {}, parameter :: {name} = {}",
                constant.ty(),
                constant.text()
            ),
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
    for (name, shape, block) in TEXTS {
        let _ = writeln!(text, "  character :: {name}{shape}\n  common /{block}/ {name}");
    }
    for external in functions_of_keys() {
        let _ = writeln!(text, "  {external}");
    }
    if binding == Binding::Types {
        comparisons(&mut text);
    }
    text += SYNC_REG;
    sizes(&mut text, binding);
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

/// `MPI_Sizeof` for numbers and arrays of all [`SIZES`].
fn sizes(text: &mut String, binding: Binding) {
    let optional = if binding == Binding::Types {
        ", optional"
    } else {
        ""
    };
    text.push_str("  interface MPI_Sizeof\n");
    for (nth, (ty, bytes)) in SIZES.into_iter().enumerate() {
        let letter = char::from(b'a' + nth as u8);
        let _ = writeln!(
            text,
            "    subroutine farside_sizeof_{letter}(x, size, ierror) bind(C, name='_FortranAMpiSizeof{letter}{bytes}')
      !dir$ ignore_tkr(r) x\n      {ty} :: x\n      integer, intent(out) :: size
      integer{optional}, intent(out) :: ierror\n    end subroutine"
        );
    }
    text.push_str("  end interface\n");
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
