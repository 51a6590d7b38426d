//! Which compiler family is behind a name, and so how it is told to instrument.
//!
//! Flang has no `-fsanitize=thread`; the plugin of [`super::filter`] does all of it. Clang has `-fno-sanitize-link-runtime`. GCC has no such option: whenever its driver sees `-fsanitize=thread` it links
//! libtsan, so only the compilers proper (cc1, cc1plus, f951, lto1) may see it, which [`super::specs`] does.

use super::Refusal;
use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// A family of compilers with the same options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// gcc, g++, gfortran.
    Gcc,
    /// clang, clang++ and compilers made from them.
    Clang {
        /// The version of clang, if the compiler calls itself that.
        major: Option<u32>,
    },
    /// LLVM's Fortran compiler, which has no sanitizers of its own.
    Flang {
        /// Its version.
        major: Option<u32>,
    },
}

impl Family {
    /// Asks `compiler --version`; an MPI wrapper passes the question on.
    pub(super) fn of(compiler: &OsStr) -> Result<Self, Refusal> {
        let output = Command::new(compiler)
            .arg("--version")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .map_err(|error| Refusal::CannotRun(compiler.to_owned(), error))?;
        Self::from_version(&String::from_utf8_lossy(&output.stdout))
            .ok_or_else(|| Refusal::UnknownCompiler(compiler.to_owned()))
    }

    /// A GCC driver may be called anything (`cc`), but always prints the same licence line.
    fn from_version(text: &str) -> Option<Self> {
        let major = |name: &str| {
            let (_, version) = text.split_once(name)?;
            version.split('.').next()?.parse().ok()
        };
        if text.contains("flang") {
            Some(Self::Flang {
                major: major("flang-new version ").or_else(|| major("flang version ")),
            })
        } else if text.contains("clang") || text.contains("oneAPI DPC++") {
            Some(Self::Clang {
                major: major("clang version "),
            })
        } else if text.contains("see the source for copying conditions") {
            Some(Self::Gcc)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_by_version_text() {
        let gcc = "cc (Debian 12.2.0-14) 12.2.0\nThis is free software; see the source for copying conditions.  There is NO\n";
        assert_eq!(Family::from_version(gcc), Some(Family::Gcc));
        let gfortran = "GNU Fortran (Debian 12.2.0-14) 12.2.0\nThis is free software; see the source for copying conditions.  There is NO\n";
        assert_eq!(Family::from_version(gfortran), Some(Family::Gcc));
        assert_eq!(
            Family::from_version("Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n"),
            Some(Family::Clang { major: Some(14) })
        );
        assert_eq!(
            Family::from_version(
                "Debian flang-new version 19.1.7 (3~deb12u1)\nTarget: x86_64-pc-linux-gnu\n"
            ),
            Some(Family::Flang { major: Some(19) })
        );
        assert_eq!(
            Family::from_version("Intel(R) oneAPI DPC++/C++ Compiler 2024.0.0\n"),
            Some(Family::Clang { major: None })
        );
        assert_eq!(
            Family::from_version("nvc 24.5-1 64-bit target on x86-64 Linux\n"),
            None
        );
    }
}
