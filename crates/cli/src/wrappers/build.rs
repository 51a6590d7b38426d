//! `farside build`: a build in which compilers by their usual names are the wrappers.
//!
//! A folder with a script for each compiler of `PATH` comes first in `PATH`. A script runs the compiler of its name by
//! `farside cc`, `cxx` or `fc`; what that compiler starts itself (`mpicc` starts gcc) is left as it is. The folder
//! stays, since what configures a build writes down where its compilers are: a later build without `farside build` uses
//! them as well.
//!
//! Limit: a build that was configured before calls its compilers where they are. That none was called is said.

use super::Language;
use crate::fault::Fault;
use crate::output::{complain, say};
use clap::Args;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// `farside build`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BuildArguments {
    /// The command that builds, with its arguments
    #[arg(
        value_name = "COMMAND",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  farside build -- make
  farside build -- sh -c 'cmake -S . -B checked && cmake --build checked'
  farside build -- sh -c './configure CC=mpicc && make'
  farside build -- sh -c 'meson setup checked && meson compile -C checked'

A build that was configured without it calls its compilers where they are:
configure it anew, in a folder of its own.

The exit status is that of the command.";

/// Names of compilers, and how each is wrapped.
const NAMES: &[(Language, &[&str])] = &[
    (
        Language::C,
        &[
            "cc",
            "gcc",
            "gcc-12",
            "clang",
            "clang-19",
            "mpicc",
            "mpicc.openmpi",
            "mpicc.mpich",
            "oshcc",
        ],
    ),
    (
        Language::Cxx,
        &[
            "c++",
            "g++",
            "g++-12",
            "clang++",
            "clang++-19",
            "mpicxx",
            "mpic++",
            "mpiCC",
            "mpicxx.openmpi",
            "mpicxx.mpich",
            "oshcxx",
        ],
    ),
    (
        Language::Fortran,
        &[
            "gfortran",
            "gfortran-12",
            "flang-new-19",
            "mpif77",
            "mpif90",
            "mpifort",
            "mpifort.openmpi",
            "mpifort.mpich",
            "oshfort",
        ],
    ),
];

/// Set for what a wrapped compiler starts.
const WITHIN: &str = "FARSIDE_COMPILES";
/// Names a file that gets a line for each compiler that was called.
const CALLED: &str = "FARSIDE_COMPILERS_CALLED";

/// Runs the command.
pub(crate) fn run(arguments: &BuildArguments) -> ExitCode {
    match build(&arguments.command) {
        Ok(code) => code,
        Err(fault) => {
            complain(&fault);
            ExitCode::from(super::BAD_INPUT)
        }
    }
}

fn build(command: &[OsString]) -> Result<ExitCode, Fault> {
    let folder = folder()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let others: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|other| *other != folder)
        .collect();
    write_scripts(&folder, &others)?;
    let path = std::env::join_paths(std::iter::once(&folder).chain(&others));
    let path = path.map_err(|error| Fault::Unwritable(folder.clone(), std::io::Error::other(error)))?;
    let called = tempfile::NamedTempFile::new().map_err(Fault::no_temporary)?;
    let [program, rest @ ..] = command else {
        return Ok(ExitCode::SUCCESS);
    };
    let status = Command::new(farside_processes::program::find(program, None)?)
        .args(rest)
        .env("PATH", path)
        .env(CALLED, called.path())
        .status()
        .map_err(|error| Fault::Unreadable(PathBuf::from(program), error))?;
    // A build that failed says why itself.
    if status.success() && fs::metadata(called.path()).is_ok_and(|file| file.len() == 0) {
        say!(
            "farside build: no compiler was called by its name: loads and stores of what was built will not be seen; a \
             build that was configured before names compilers by their places, and must be configured anew"
        );
    }
    Ok(super::exit_code(status))
}

/// Where the scripts are: of each user and each `farside`, always the same.
fn folder() -> Result<PathBuf, Fault> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from);
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let folder = cache
        .or(home)
        .unwrap_or_else(std::env::temp_dir)
        .join("farside/compilers");
    fs::create_dir_all(&folder).map_err(|error| Fault::Unwritable(folder.clone(), error))?;
    Ok(folder)
}

fn write_scripts(folder: &Path, path: &[PathBuf]) -> Result<(), Fault> {
    let farside = std::env::current_exe().unwrap_or_else(|_| "farside".into());
    for (language, names) in NAMES {
        for name in *names {
            let script = folder.join(name);
            let Some(compiler) = path
                .iter()
                .map(|folder| folder.join(name))
                .find(|file| file.is_file())
            else {
                // A compiler that is gone is not found by its script either.
                let _ = fs::remove_file(&script);
                continue;
            };
            let (farside, compiler) = (quoted(farside.as_os_str()), quoted(compiler.as_os_str()));
            let text = format!(
                "#!/bin/sh\n# Written by farside build.\n\
                 [ -z \"${WITHIN}\" ] || exec {compiler} \"$@\"\n\
                 [ -z \"${CALLED}\" ] || echo {name} >> \"${CALLED}\"\n\
                 export {WITHIN}=1\n\
                 exec {farside} {} {compiler} \"$@\"\n",
                language.subcommand()
            );
            replace(&script, &text).map_err(|error| Fault::Unwritable(script.clone(), error))?;
        }
    }
    Ok(())
}

/// Replaces a script at once: another build may run it.
fn replace(script: &Path, text: &str) -> std::io::Result<()> {
    if fs::read_to_string(script).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = script.parent().unwrap_or(Path::new("."));
    let file = tempfile::Builder::new()
        .permissions(fs::Permissions::from_mode(0o755))
        .tempfile_in(folder)?;
    fs::write(file.path(), text)?;
    file.persist(script).map_err(|error| error.error)?;
    Ok(())
}

/// A word of a shell script.
fn quoted(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), |quoted| quoted.into_owned())
}
