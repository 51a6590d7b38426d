//! What a file is by its name, and which command takes it: for a file that another command was given.

use farside_processes::plain;
use std::path::Path;

/// What a source is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Cxx,
    Fortran,
    /// LLVM IR: nothing to compile.
    Ir,
}

/// What a file is written in, if it is a source.
pub(crate) fn language(file: &Path) -> Option<Language> {
    Some(match file.extension()?.to_str()? {
        "c" => Language::C,
        "cc" | "cpp" | "cxx" | "C" | "c++" => Language::Cxx,
        "f" | "for" | "f90" | "f95" | "f03" | "f08" | "F" | "F90" | "F95" | "F03" | "F08" => {
            Language::Fortran
        }
        "ll" | "bc" => Language::Ir,
        _ => return None,
    })
}

/// Which command takes a file of this name, in words; `None` if none is known, or it is this one.
pub(crate) fn taken_by_another(path: &Path, command: &str) -> Option<String> {
    let shown = plain(&path.display().to_string());
    let (what, taker, how) = match path.extension()?.to_str()? {
        "litmus" => ("a litmus test", "litmus", format!("farside litmus {shown}")),
        "pgas" => (
            "a program of the calculus",
            "robust",
            format!("farside robust {shown}"),
        ),
        "py" => (
            "a program in Python",
            "check",
            format!("farside check --guard -- mpirun -n 2 python3 {shown}"),
        ),
        _ if language(path).is_some() => ("a source", "lint", format!("farside lint {shown}")),
        _ => return None,
    };
    (taker != command).then(|| format!("by its name it is {what}, which another command takes: `{how}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_to_be_for_another_command_and_not_for_its_own() {
        let told = |path: &str, command| taken_by_another(Path::new(path), command);
        for (path, own, other, how) in [
            ("a.litmus", "litmus", "lint", "`farside litmus a.litmus`"),
            ("a.pgas", "robust", "litmus", "`farside robust a.pgas`"),
            ("b/a.f90", "lint", "litmus", "`farside lint b/a.f90`"),
            ("a.py", "check", "robust", "-n 2 python3 a.py`"),
        ] {
            assert_eq!(told(path, own), None);
            assert!(
                told(path, other).is_some_and(|words| words.ends_with(how)),
                "{path}"
            );
        }
        assert_eq!(told("a.txt", "lint"), None);
        assert_eq!(told("a", "lint"), None);
    }
}
