//! Before the command starts: is everything there, and can it be checked at all?
//!
//! The program that an MPI launcher will run is found by walking over the launcher's options. Launchers have many, and
//! ours is no complete list: after an option that we do not know, nothing is claimed about the program's existence.

use super::elf::{self, Program};
use crate::fault::{Fault, plain};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Options of MPI launchers that take one argument.
const ONE: [&str; 40] = [
    "n",
    "np",
    "c",
    "N",
    "npernode",
    "npersocket",
    "host",
    "H",
    "hosts",
    "f",
    "hostfile",
    "machinefile",
    "x",
    "path",
    "prefix",
    "bind-to",
    "map-by",
    "rank-by",
    "ppn",
    "perhost",
    "output-filename",
    "timeout",
    "stdin",
    "rf",
    "rankfile",
    "launcher",
    "rmk",
    "iface",
    "envlist",
    "genvlist",
    "am",
    "tune",
    "outfile-pattern",
    "errfile-pattern",
    "usize",
    "cpu-set",
    "cpu-list",
    "max-restarts",
    "xterm",
    "ntasks",
];
/// Options that take two.
const TWO: [&str; 6] = ["mca", "gmca", "env", "genv", "pmixmca", "prtemca"];
/// Options that take none.
const ZERO: [&str; 33] = [
    "oversubscribe",
    "allow-run-as-root",
    "q",
    "v",
    "quiet",
    "verbose",
    "tag-output",
    "nooversubscribe",
    "use-hwthread-cpus",
    "l",
    "prepend-rank",
    "genvall",
    "envall",
    "genvnone",
    "envnone",
    "print-all-exitcodes",
    "report-bindings",
    "display-map",
    "display-allocation",
    "continuous",
    "bynode",
    "byslot",
    "bycore",
    "enable-recovery",
    "bind-to-core",
    "bind-to-none",
    "nolocal",
    "timestamp-output",
    "merge-stderr-to-stdout",
    "do-not-launch",
    "show-progress",
    "report-pid",
    "no-ompi-prefix",
];

/// What is known about the command before it runs.
#[derive(Debug, Default)]
pub(super) struct Preflight {
    /// The programs that were found in the command, with what their files say.
    pub(super) programs: Vec<(PathBuf, Program)>,
}

impl Preflight {
    /// Programs without a dynamic loader: our library cannot get in.
    pub(super) fn without_loader(&self) -> impl Iterator<Item = &Path> {
        self.programs
            .iter()
            .filter(|(_, p)| !p.dynamic)
            .map(|(path, _)| path.as_path())
    }

    /// MPI programs whose loads and stores will not be seen.
    pub(super) fn not_instrumented(&self) -> impl Iterator<Item = &Path> {
        let quiet = |p: &Program| p.calls_mpi && !p.instrumented;
        self.programs
            .iter()
            .filter(move |(_, p)| quiet(p))
            .map(|(path, _)| path.as_path())
    }
}

/// Looks at the command's programs, and refuses what cannot work.
pub(super) fn examine(command: &[OsString]) -> Result<Preflight, Fault> {
    let program = find(&command[0], None)?;
    if let Some(why) = elf::secure_execution(&program) {
        return Err(Fault::PreloadIgnored(program, why));
    }
    let mut preflight = Preflight::default();
    if !is_launcher(&command[0]) {
        preflight.add(program, true)?;
        for argument in &command[1..] {
            preflight.add_if_program(argument)?;
        }
        return Ok(preflight);
    }
    for part in command[1..].split(|argument| argument == ":") {
        match launched(part) {
            Launched::Program(name) => {
                // Launchers look into the current folder too.
                let found = find(name, Some(Path::new(".")))?;
                preflight.add(found, true)?;
            }
            Launched::Somewhere(rest) => {
                for argument in rest {
                    preflight.add_if_program(argument)?;
                }
            }
        }
    }
    Ok(preflight)
}

impl Preflight {
    /// Notes a program; one that is surely run must be fit for checking.
    fn add(&mut self, path: PathBuf, surely: bool) -> Result<(), Fault> {
        let Some(program) = elf::examine(&path) else {
            return Ok(());
        };
        if surely {
            if !program.native {
                return Err(Fault::OtherArchitecture(path, program.architecture));
            }
            if let Some(why) = elf::secure_execution(&path) {
                return Err(Fault::PreloadIgnored(path, why));
            }
            if program.contains_mpi && !program.dynamic {
                return Err(Fault::StaticMpi(path, "it is linked statically, MPI included"));
            }
            if program.contains_mpi {
                return Err(Fault::StaticMpi(
                    path,
                    "the MPI library is linked into it statically",
                ));
            }
        }
        self.programs.push((path, program));
        Ok(())
    }

    fn add_if_program(&mut self, argument: &OsStr) -> Result<(), Fault> {
        match find(argument, None) {
            Ok(path) => self.add(path, false),
            Err(_) => Ok(()),
        }
    }
}

/// What a launcher runs.
#[derive(Debug, PartialEq, Eq)]
enum Launched<'a> {
    /// This.
    Program(&'a OsStr),
    /// One of these, if any.
    Somewhere(&'a [OsString]),
}

fn launched(arguments: &[OsString]) -> Launched<'_> {
    let mut index = 0;
    while let Some(argument) = arguments.get(index) {
        let Some(option) = argument.to_str().filter(|a| a.starts_with('-')) else {
            return Launched::Program(argument);
        };
        let name = option.trim_start_matches('-');
        index += match name {
            _ if name.contains('=') || ZERO.contains(&name) => 1,
            _ if ONE.contains(&name) => 2,
            _ if TWO.contains(&name) => 3,
            _ => return Launched::Somewhere(&arguments[index + 1..]),
        };
    }
    Launched::Somewhere(&[])
}

fn is_launcher(program: &OsStr) -> bool {
    let name = Path::new(program)
        .file_name()
        .unwrap_or(program)
        .to_string_lossy();
    ["mpirun", "mpiexec", "orterun", "prterun"].iter().any(|l| {
        name == *l
            || name
                .strip_prefix(l)
                .is_some_and(|rest| rest.starts_with(['.', '-']))
    })
}

/// The file that a program name stands for, as the shell would find it, or in one more folder.
pub(super) fn find(name: &OsStr, also_in: Option<&Path>) -> Result<PathBuf, Fault> {
    let no_such = || Fault::NoSuchProgram(plain(&name.to_string_lossy()));
    let direct = Path::new(name);
    if name.as_encoded_bytes().contains(&b'/') {
        return executable(direct).unwrap_or_else(|| Err(no_such()));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(also_in.map(Path::to_path_buf));
    let mut denied = None;
    for found in folders.filter_map(|folder| executable(&folder.join(direct))) {
        match found {
            Ok(path) => return Ok(path),
            Err(fault) => denied = denied.or(Some(fault)),
        }
    }
    Err(denied.unwrap_or_else(no_such))
}

/// A file that can be executed, or why it cannot; `None` if there is no such file.
fn executable(path: &Path) -> Option<Result<PathBuf, Fault>> {
    let metadata = fs::metadata(path).ok()?;
    let denied = |why| Some(Err(Fault::NotExecutable(path.to_path_buf(), why)));
    if metadata.is_dir() {
        return denied("it is a folder");
    }
    let access = rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    if !access || metadata.permissions().mode() & 0o111 == 0 {
        return denied("it has no execute permission for you");
    }
    Some(Ok(path.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_launched_program_is_found_behind_the_options() {
        for line in [
            "-n 4 ./app -n 5",
            "--mca osc sm --oversubscribe -np 2 ./app x",
            "-genv A B -ppn 1 -n 2 ./app",
            "--timeout=5 ./app",
        ] {
            assert_eq!(
                launched(&words(line)),
                Launched::Program(OsStr::new("./app")),
                "{line}"
            );
        }
    }

    #[test]
    fn nothing_is_claimed_behind_an_unknown_option() {
        let line = words("-n 2 --new-option 7 ./app");
        assert_eq!(launched(&line), Launched::Somewhere(&line[3..]));
        assert!(examine(&words("/bin/sh --strange ./missing")).is_ok());
    }

    #[test]
    fn what_is_missing_is_named() {
        let fault = examine(&words("/nowhere/mpirun -n 2 ./app")).unwrap_err();
        assert!(
            fault
                .to_string()
                .starts_with("no such program: /nowhere/mpirun; install an MPI")
        );
        assert!(matches!(examine(&words("/etc")), Err(Fault::NotExecutable(..))));
        assert!(matches!(
            examine(&words("/etc/passwd")),
            Err(Fault::NotExecutable(..))
        ));
    }
}
