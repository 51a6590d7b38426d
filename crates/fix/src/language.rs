//! The languages of sources.

use std::path::Path;

/// A language whose statements are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// C and C++.
    C,
    /// Fortran, in free form or in fixed form.
    Fortran,
    /// Rust.
    Rust,
}

impl Language {
    /// That of a file, by the end of its name.
    pub(crate) fn of(file: &str) -> Option<Self> {
        let extension = Path::new(file).extension()?.to_str()?;
        match extension {
            "c" | "h" | "C" | "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" => Some(Self::C),
            _ if is_fixed_form(file) => Some(Self::Fortran),
            "f90" | "F90" | "f95" | "F95" | "f03" | "F03" | "f08" | "F08" => Some(Self::Fortran),
            "rs" => Some(Self::Rust),
            _ => None,
        }
    }
}

/// Whether a file has Fortran in fixed form, by the end of its name, as compilers take it.
pub(crate) fn is_fixed_form(file: &str) -> bool {
    let extension = Path::new(file).extension().and_then(|end| end.to_str());
    let extension = extension.unwrap_or_default();
    let ends = ["f", "for", "ftn", "f77", "fpp"];
    ends.contains(&extension) || ends.iter().any(|end| end.to_ascii_uppercase() == extension)
}
