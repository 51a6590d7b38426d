//! `farside cc`, `farside cxx`, `farside fc`: the user's compiler, with loads and stores made visible.
//!
//! Promise: the given compiler is run with all of the user's options and in his order. Code is compiled as for the
//! thread sanitizer, but linked with `libfarside_callbacks.so`, whose callbacks return at once, instead of the
//! sanitizer's runtime; so the program also runs, alone, without `farside check`. Its exit status is passed on.
//! Partly instrumented programs work: objects compiled elsewhere are linked as they are, and their loads and stores
//! are not seen.
//!
//! Limits: compilers of the GCC and Clang families and flang 19 only (behind any MPI wrapper); no static linking, since
//! nothing can be preloaded into a static program; not together with the address, memory or leak sanitizer, which want
//! the same place.
//!
//! Launchers may stand before the compiler (`farside cc ccache gcc`), and CMake may start the wrapper as a launcher
//! ([`cmake`]). How each family is told to instrument but not to link the sanitizer is in [`compiler`]. Clang 19 and
//! the GCC that Farside was built with also get a plugin that makes the callbacks cheap: [`filter`]. For flang 19 this
//! plugin does all of it: [`flang`].

pub(crate) mod build;
mod cmake;
mod command_line;
mod compiler;
mod filter;
mod flang;
mod runtime;
mod specs;

use crate::output::say;
use command_line::{CommandLine, Task};
use compiler::{Compiler, Family};
use filter::Filter;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, ExitStatus};

/// Exit status for a command line that cannot be served ("usage or bad input").
const BAD_INPUT: u8 = 2;

/// Which of the three wrappers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// `farside cc`.
    C,
    /// `farside cxx`.
    Cxx,
    /// `farside fc`.
    Fortran,
}

impl Language {
    /// The subcommand's name.
    pub(crate) fn subcommand(self) -> &'static str {
        match self {
            Self::C => "cc",
            Self::Cxx => "cxx",
            Self::Fortran => "fc",
        }
    }

    /// The compiler that is run when the user names none.
    pub(crate) fn default_compiler(self) -> &'static str {
        match self {
            Self::C => "mpicc",
            Self::Cxx => "mpicxx",
            Self::Fortran => "mpif90",
        }
    }
}

/// Runs the compiler that `arguments` begin with (or the language's default) on the rest of `arguments`.
///
/// Returns the compiler's exit status (128 + signal if it was killed), or 2 after a message on stderr if
/// it could not be run or its output could not be checked.
pub(crate) fn run(language: Language, arguments: &[OsString]) -> ExitCode {
    let (compiler, rest) = Compiler::split(language, arguments);
    match compile(language, &compiler, rest) {
        Ok(status) => exit_code(status),
        Err(refusal) => {
            say!("farside {}: {refusal}", language.subcommand());
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Why a command line is not served.
#[derive(Debug)]
enum Refusal {
    /// The compiler could not be started.
    CannotRun(OsString, std::io::Error),
    /// `--version` names neither GCC nor Clang nor flang.
    UnknownCompiler(OsString),
    /// A flang that the plugin does not fit, or the plugin is not there or is switched off.
    NoPlugin(OsString),
    /// A static program is to be linked.
    Static(String),
    /// Another sanitizer that excludes ours.
    OtherSanitizer(String),
    /// `libfarside_callbacks.so` is not where it should be.
    NoRuntime(Vec<std::path::PathBuf>),
    /// The specs could not be written.
    Specs(std::io::Error),
    /// A response file could not be read.
    ResponseFile(OsString, std::io::Error),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::CannotRun(compiler, error) => {
                let why = match error.kind() {
                    std::io::ErrorKind::NotFound => "there is none of this name".to_owned(),
                    _ => error.to_string(),
                };
                write!(
                    f,
                    "cannot run the compiler `{}`: {why}; `farside doctor` lists those that are here",
                    compiler.display()
                )
            }
            Self::UnknownCompiler(compiler) => write!(
                f,
                "`{} --version` names neither GCC nor Clang nor flang; only these can be told to show loads and stores. \
                 Build without this wrapper: `farside check` then still finds conflicts among MPI calls",
                compiler.display()
            ),
            Self::NoPlugin(compiler) => write!(
                f,
                "`{}` shows loads and stores only with the plugin {}, which is built for flang {}, must lie beside {}, and must \
                 not be switched off by {}. Use this flang or gfortran",
                compiler.display(),
                filter::LIBRARY,
                filter::LLVM,
                runtime::LIBRARY,
                filter::SWITCH
            ),
            Self::Static(option) => write!(
                f,
                "a program linked with `{option}` cannot be checked, because nothing can be preloaded into it; \
                 link it dynamically"
            ),
            Self::OtherSanitizer(name) => write!(
                f,
                "`-fsanitize={name}` cannot be combined with this wrapper, which uses the callbacks of \
                 `-fsanitize=thread`; leave it out"
            ),
            Self::NoRuntime(searched) => {
                write!(f, "{} not found; looked in", runtime::LIBRARY)?;
                for folder in searched {
                    write!(f, " `{}`", folder.display())?;
                }
                write!(
                    f,
                    "; `farside setup callbacks` builds and installs it, and {} names another folder",
                    crate::libraries::FOLDER_VARIABLE
                )
            }
            Self::Specs(error) => write!(f, "cannot write the options for GCC to a temporary file: {error}"),
            Self::ResponseFile(name, error) => {
                write!(f, "cannot read the response file `{}`: {error}", name.display())
            }
        }
    }
}

/// GCC must call these instead of expanding them in place: it expands them after the callbacks were put in, so that the
/// loads and stores would not be seen. (Fortran has no such options; Clang has callbacks for them.)
const NOT_IN_PLACE: &[&str] = &[
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-memset",
    "-fno-builtin-memcmp",
    "-fno-builtin-strcpy",
    "-fno-builtin-strncpy",
    "-fno-builtin-strcat",
    "-fno-builtin-strlen",
    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp",
];

/// GCC puts no callbacks on variables of which it can prove that nobody else knows their address. For Fortran its
/// points-to analysis takes every argument of a call to be forgotten when the call returns, as the language says:
/// buffers of pending operations and window memory would not be seen from `-O1` on. Without that analysis nothing is
/// proved.
const EVERY_VARIABLE_ESCAPES: &str = "-fno-tree-pta";

fn compile(language: Language, compiler: &Compiler, arguments: &[OsString]) -> Result<ExitStatus, Refusal> {
    let line = CommandLine::parse(arguments)?;
    if line.task == Task::Query {
        return start(compiler.command().args(arguments), compiler);
    }
    if let Some(sanitizer) = line.excluded_sanitizer {
        return Err(Refusal::OtherSanitizer(sanitizer));
    }
    if line.task == Task::Link
        && let Some(option) = line.static_option
    {
        return Err(Refusal::Static(option));
    }
    let family = compiler.family()?;
    if line.task == Task::Compile
        && let Some(advice) = std::env::current_dir()
            .ok()
            .and_then(|folder| cmake::advice(language, &folder))
    {
        say!("farside {}: {advice}", language.subcommand());
    }
    let filter = Filter::of(family);
    if matches!(family, Family::Flang { .. }) && filter.is_none() {
        return Err(Refusal::NoPlugin(compiler.program().to_owned()));
    }
    let status = instrument(language, compiler, family, &line, filter.as_ref())?;
    match filter {
        Some(filter) if filter.at_fault(compiler, family, status) => {
            let price = match family {
                Family::Flang { .. } => ": loads and stores will not be seen",
                _ => "",
            };
            say!(
                "farside {}: `{}` fails with the plugin {}; compiling again without the plugin{price}",
                language.subcommand(),
                compiler.program().display(),
                filter.library().display()
            );
            instrument(language, compiler, family, &line, None)
        }
        _ => Ok(status),
    }
}

/// Runs the compiler with what makes it instrument and link, and with the plugin if there is one.
fn instrument(
    language: Language,
    compiler: &Compiler,
    family: Family,
    line: &CommandLine,
    filter: Option<&Filter>,
) -> Result<ExitStatus, Refusal> {
    let mut command = compiler.command();
    if !line.debug {
        command.arg("-g");
    }
    // The specs live as long as the compiler runs: GCC reads them again when it links with -flto.
    let _specs = match family {
        Family::Gcc { .. } => {
            let specs = specs::Specs::create().map_err(Refusal::Specs)?;
            command.arg(specs.option());
            match language {
                Language::Fortran => command.arg(EVERY_VARIABLE_ESCAPES),
                Language::C | Language::Cxx => command.args(NOT_IN_PLACE),
            };
            Some(specs)
        }
        Family::Clang { .. } => {
            command.arg("-fsanitize=thread");
            None
        }
        Family::Flang { .. } => {
            let (name, value) = flang::ALL_FUNCTIONS;
            command.env(name, value);
            None
        }
    };
    if let Some(filter) = filter {
        command.args(filter.options(family));
        let (name, value) = filter.hashed_by_ccache();
        command.env(name, value);
    }
    let modules = match family {
        Family::Flang { .. } => flang::module_folder(compiler, line),
        _ => None,
    };
    if let Some(modules) = &modules {
        // Before all folders of the MPI wrapper.
        command.arg("-I").arg(modules.path());
    }
    command.args(&line.arguments);
    if line.task == Task::Link {
        let folder = runtime::folder().map_err(Refusal::NoRuntime)?;
        if matches!(family, Family::Clang { .. }) {
            command.arg("-fno-sanitize-link-runtime");
        }
        command.args(runtime::link_options(&folder, family));
    }
    start(&mut command, compiler)
}

fn start(command: &mut Command, compiler: &Compiler) -> Result<ExitStatus, Refusal> {
    command
        .status()
        .map_err(|error| Refusal::CannotRun(compiler.program().to_owned(), error))
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
