//! Places in sources, and the frames of a call stack that lead there.

use serde::{Deserialize, Serialize};

/// One frame of a call stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Frame {
    /// Function name, demangled.
    pub function: Option<String>,
    /// Source place.
    pub place: Option<Place>,
    /// File of the code (executable or library).
    pub module: Option<String>,
    /// Code address in the numbering of `module`.
    pub address: u64,
    /// Whether it lies in a library between the program and MPI.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub layer: bool,
    /// Whether it is the one to look at, of the stack of a [`Party`](crate::Party).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
}

/// A place in a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// Path as the compiler recorded it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, if known.
    pub column: Option<u32>,
}

impl Place {
    /// Whether the file is a header of the compiler or the system, or of a package that Python has installed.
    pub fn is_in_system_header(&self) -> bool {
        let normal = self.file.replace("/../", "/");
        ["/usr/include/", "/usr/lib/", "/usr/local/include/", "/opt/rh/"]
            .iter()
            .any(|prefix| normal.starts_with(prefix))
            || is_of_a_compiler(&normal)
            || is_of_python(&normal)
    }
}

/// Whether a file is a header of a compiler, wherever that is installed: of C++'s library, of GCC's or clang's own, or
/// of a cross compiler (`/usr/aarch64-linux-gnu/include`).
fn is_of_a_compiler(file: &str) -> bool {
    let cross = file
        .strip_prefix("/usr/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(target, rest)| target.contains('-') && rest.starts_with("include/"));
    let own = ["/include/c++/", "/lib/gcc/", "/lib/clang/"];
    cross || own.iter().any(|folder| file.contains(folder))
}

/// Whether a file is of Python, or of a package that it has installed.
pub(crate) fn is_of_python(file: &str) -> bool {
    ["/site-packages/", "/dist-packages/", "/lib/python3."]
        .iter()
        .any(|folder| file.contains(folder))
}

/// The frame of a stack to look at: the innermost in the program's own sources, else the innermost that has a place.
///
/// An access inside a function of a system header (`std::fill`, say), or of a [layer](crate::Layers), is shown where
/// the program calls it.
pub fn shown_frame(stack: &[Frame]) -> Option<usize> {
    let own = |frame: &Frame| {
        let place = frame.place.as_ref();
        !frame.layer && place.is_some_and(|place| !place.is_in_system_header())
    };
    let own = stack.iter().position(own);
    own.or_else(|| stack.iter().position(|frame| frame.place.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_compilers_are_no_sources_of_the_program() {
        let is_header = |file: &str| {
            let file = file.to_owned();
            Place {
                file,
                line: 1,
                column: None,
            }
            .is_in_system_header()
        };
        for header in [
            "/usr/include/c++/12/bits/stl_algobase.h",
            "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_algo.h",
            "/usr/aarch64-linux-gnu/include/c++/12/bits/stl_algobase.h",
            "/spack/opt/gcc-13.2.0/include/c++/13.2.0/bits/stl_algobase.h",
            "/opt/llvm/lib/clang/19/include/immintrin.h",
        ] {
            assert!(is_header(header), "{header}");
        }
        for source in [
            "/home/me/heat.c",
            "include/mesh.h",
            "/usr/src/app/include/mesh.h",
            "/usr/local/src/include/mesh.h",
        ] {
            assert!(!is_header(source), "{source}");
        }
    }
}
