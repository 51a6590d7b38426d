//! The compiler that a command line names, what stands before it, and of which family it is: that says how it is told
//! to instrument.
//!
//! Flang has no `-fsanitize=thread`; the plugin of [`super::filter`] does all of it. Clang has
//! `-fno-sanitize-link-runtime`. GCC has no such option: whenever its driver sees `-fsanitize=thread` it links
//! libtsan, so only the compilers proper (cc1, cc1plus, f951, lto1) may see it, which [`super::specs`] does.

use super::{Language, Refusal};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

/// Extensions of Fortran sources.
pub(super) const FORTRAN: &[&str] = &[
    "f", "for", "ftn", "F", "FOR", "FTN", "fpp", "FPP", "f90", "F90", "f95", "F95", "f03", "F03", "f08",
    "F08",
];

/// The compiler, and the programs that start it: `ccache`, `distcc`, and others of which nothing need be known.
#[derive(Debug)]
pub(super) struct Compiler {
    launchers: Vec<OsString>,
    program: OsString,
    family: Result<Family, Refusal>,
}

impl Compiler {
    /// The compiler that `arguments` begin with, or the language's default, and the arguments that are for it.
    ///
    /// The first word is the compiler unless it is an option, a response file or, by its extension, something to compile
    /// or link. If it is no compiler by its own words, the first word after it that is one is the compiler, and those
    /// before it are its launchers.
    pub(super) fn split(language: Language, arguments: &[OsString]) -> (Self, &[OsString]) {
        let end = arguments.iter().position(|word| is_argument(word));
        let words = &arguments[..end.unwrap_or(arguments.len())];
        let Some((first, others)) = words.split_first() else {
            return (Self::asked(&[], language.default_compiler().as_ref()), arguments);
        };
        let first = Self::asked(&[], first);
        if first.family.is_err() {
            for (place, word) in (1..).zip(others) {
                let compiler = Self::asked(&words[..place], word);
                if compiler.family.is_ok() {
                    return (compiler, &arguments[place + 1..]);
                }
            }
        }
        (first, &arguments[1..])
    }

    fn asked(launchers: &[OsString], program: &OsStr) -> Self {
        Self {
            launchers: launchers.to_vec(),
            program: program.to_owned(),
            family: Family::of(program),
        }
    }

    /// The compiler's family.
    ///
    /// # Errors
    /// The compiler cannot be run, or its words are those of no family that can be told to instrument.
    pub(super) fn family(&self) -> Result<Family, Refusal> {
        match &self.family {
            Ok(family) => Ok(*family),
            // The first error was only kept; it is the same when it is met again.
            Err(_) => Family::of(&self.program),
        }
    }

    /// The compiler's name, without its launchers.
    pub(super) fn program(&self) -> &OsStr {
        &self.program
    }

    /// A command that runs the compiler, by its launchers if there are any.
    pub(super) fn command(&self) -> Command {
        let mut words = self.launchers.iter().chain([&self.program]);
        let mut command = Command::new(words.next().unwrap_or(&self.program));
        command.args(words);
        command
    }
}

/// Whether a word is for the compiler: an option, a response file, or an input by its extension.
fn is_argument(word: &OsStr) -> bool {
    const INPUTS: &[&str] = &[
        "c", "i", "h", "C", "cc", "cp", "cpp", "cxx", "CPP", "c++", "ii", "hh", "hpp", "s", "S", "o", "a",
        "so",
    ];
    let option = word
        .as_encoded_bytes()
        .first()
        .is_none_or(|byte| b"-@".contains(byte));
    let extension = Path::new(word).extension().and_then(OsStr::to_str);
    option || extension.is_some_and(|extension| INPUTS.iter().chain(FORTRAN).any(|input| *input == extension))
}

/// Three numbers, such as 12.2.0.
pub(super) type Version = [u32; 3];

/// The first word of a text that is a version.
pub(super) fn version_in(text: &str) -> Option<Version> {
    text.split_whitespace().find_map(|word| {
        let numbers: Vec<u32> = word.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
        numbers.try_into().ok()
    })
}

/// A family of compilers with the same options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// gcc, g++, gfortran.
    Gcc {
        /// The version, if the compiler says it.
        version: Option<Version>,
    },
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
    fn of(compiler: &OsStr) -> Result<Self, Refusal> {
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
            // The first line is `gcc (Debian 12.2.0-14) 12.2.0`: what stands in brackets is the builder's.
            let line = text.lines().next().unwrap_or_default();
            Some(Self::Gcc {
                version: version_in(line.split_once(") ").map_or(line, |(_, version)| version)),
            })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_is_first_or_default_or_follows_its_launchers() {
        let check = |arguments: &[&str], words: &[&str], rest: usize| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            let (compiler, left) = Compiler::split(Language::C, &arguments);
            let command = compiler.command();
            let found: Vec<&OsStr> = [command.get_program()]
                .into_iter()
                .chain(command.get_args())
                .collect();
            assert_eq!(
                (found, left.len()),
                (words.iter().map(OsStr::new).collect(), rest)
            );
        };
        check(&["gcc", "x.c"], &["gcc"], 1);
        check(&["/opt/no/such/gcc-12.2", "x.c"], &["/opt/no/such/gcc-12.2"], 1);
        check(&["x.c"], &["mpicc"], 1);
        check(&["-c", "x.c"], &["mpicc"], 2);
        check(&["@all"], &["mpicc"], 1);
        check(&[], &["mpicc"], 0);
        // Neither `env` nor a setting is a compiler by its own words.
        check(&["env", "A=b", "gcc", "-c", "x.c"], &["env", "A=b", "gcc"], 2);
        check(&["env", "no-such-compiler", "x.c"], &["env"], 2);
        check(&["gcc", "gcc"], &["gcc"], 1);
    }

    #[test]
    fn families_by_version_text() {
        let gcc = "cc (Debian 12.2.0-14) 12.2.0\nThis is free software; see the source for copying conditions.  There is NO\n";
        let twelve = Some(Family::Gcc {
            version: Some([12, 2, 0]),
        });
        assert_eq!(Family::from_version(gcc), twelve);
        let gfortran = "GNU Fortran (Debian 12.2.0-14) 12.2.0\nThis is free software; see the source for copying conditions.  There is NO\n";
        assert_eq!(Family::from_version(gfortran), twelve);
        let other = "gcc (GCC) 12.2.1 20221121 (Red Hat 12.2.1-4)\nsee the source for copying conditions.\n";
        assert_eq!(
            Family::from_version(other),
            Some(Family::Gcc {
                version: Some([12, 2, 1])
            })
        );
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
