//! The languages that programs of the suite are written in.

use std::path::Path;

/// Source language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// `.c`
    C,
    /// `.cpp`
    Cxx,
    /// `.f90`
    Fortran,
    /// `.py`: not compiled, and always with guarded pages.
    Python,
}

impl Language {
    /// The language of a file, by its extension.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cpp" => Some(Language::Cxx),
            "f90" => Some(Language::Fortran),
            "py" => Some(Language::Python),
            _ => None,
        }
    }

    /// The subcommand of `farside` that compiles it, if it is compiled.
    pub(crate) fn wrapper(self) -> &'static str {
        match self {
            Language::C | Language::Python => "cc",
            Language::Cxx => "cxx",
            Language::Fortran => "fc",
        }
    }
}
