//! What flang needs besides the plugin.
//!
//! Debian's MPI libraries have the module `mpi` in gfortran's form only, which flang does not read. Where flang finds
//! none that it can read, it is given one that is made from the library's `mpif.h` and the lint's table of procedures
//! ([`farside_lint::fortran::library_module`]).
//!
//! Limits: no module `mpi_f08`, for procedures of which an argument may be left out do not lead to those of `mpif.h`.
//! Flang has no `-Xlinker`: the folder of the callbacks may have no comma in its name.

use super::command_line::CommandLine;
use super::compiler::{Compiler, FORTRAN};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// Set for the plugin: flang has no option that asks for the sanitizer.
pub(super) const ALL_FUNCTIONS: (&str, &str) = ("FARSIDE_FILTER_ALL", "1");

/// A folder with a module `mpi` for the sources of this command line, if they may need one that the compiler does not
/// find.
pub(super) fn module_folder(compiler: &Compiler, line: &CommandLine) -> Option<TempDir> {
    let is_source = |word: &OsString| {
        Path::new(word)
            .extension()
            .is_some_and(|extension| FORTRAN.iter().any(|source| extension == *source))
    };
    if !line.arguments.iter().any(is_source) {
        return None;
    }
    let folder = tempfile::tempdir().ok()?;
    let user = folder.path().join("user.f90");
    fs::write(&user, "program user\n  use mpi\nend program\n").ok()?;
    if reads(compiler, line, folder.path(), &user) {
        return None;
    }
    let module = farside_lint::fortran::library_module();
    let file = folder.path().join(module.name);
    fs::write(&file, module.text).ok()?;
    reads(compiler, line, folder.path(), &file).then_some(folder)
}

/// Whether the compiler, with the include folders of the command line, finds no error in a file. Modules go to
/// `folder`.
fn reads(compiler: &Compiler, line: &CommandLine, folder: &Path, file: &Path) -> bool {
    compiler
        .command()
        .arg("-fsyntax-only")
        .arg("-module-dir")
        .arg(folder)
        .args(include_folders(&line.arguments))
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn include_folders(arguments: &[OsString]) -> Vec<&OsString> {
    let mut found = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "-I" {
            found.push(argument);
            found.extend(rest.next());
        } else if argument.as_encoded_bytes().starts_with(b"-I") {
            found.push(argument);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_folders_in_both_forms() {
        let words = ["-c", "-Ione", "x.f90", "-I", "two", "-O2"].map(OsString::from);
        assert_eq!(include_folders(&words), ["-Ione", "-I", "two"]);
    }
}
