//! Before the command starts: is everything there, and can it be checked at all?
//!
//! The program that an MPI launcher will run is found by walking over the launcher's options. Launchers have many, and
//! ours is no complete list: after an option that we do not know, nothing is claimed about the program's existence.

use crate::elf::{self, Program, Unfit};
use crate::error::Error;
use farside_processes::program::find;
use std::ffi::{OsStr, OsString};
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
/// Those of them that name hosts.
const HOSTS: [&str; 6] = ["host", "H", "hosts", "f", "hostfile", "machinefile"];
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
pub(crate) struct Preflight {
    /// The programs that were found in the command, with what their files say.
    programs: Vec<(PathBuf, Program)>,
}

impl Preflight {
    /// Programs without a dynamic loader: our library cannot get in.
    pub(crate) fn without_loader(&self) -> impl Iterator<Item = &Path> {
        self.programs
            .iter()
            .filter(|(_, p)| !p.has_loader())
            .map(|(path, _)| path.as_path())
    }

    /// Programs that could be watched and have no call of a library for communication in them.
    pub(crate) fn without_calls(&self) -> impl Iterator<Item = &Path> {
        self.programs
            .iter()
            .filter(|(_, p)| p.has_loader() && !p.communicates())
            .map(|(path, _)| path.as_path())
    }

    /// MPI programs whose loads and stores will not be seen.
    pub(crate) fn not_instrumented(&self) -> impl Iterator<Item = &Path> {
        self.programs
            .iter()
            .filter(|(_, p)| p.hides_accesses())
            .map(|(path, _)| path.as_path())
    }
}

/// Looks at the command's programs, and refuses what cannot work.
pub(crate) fn examine(command: &[OsString]) -> Result<Preflight, Error> {
    let program = find(&command[0], None)?;
    if let Some(why) = elf::secure_execution(&program) {
        return Err(Error::PreloadIgnored(program, why));
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
            Launched::Elsewhere(name) => {
                if let Ok(found) = find(name, Some(Path::new("."))) {
                    preflight.add(found, true)?;
                }
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
    fn add(&mut self, path: PathBuf, surely: bool) -> Result<(), Error> {
        let Some(program) = elf::examine(&path) else {
            return Ok(());
        };
        if surely {
            let unfit = program.unfit();
            if let Some(Unfit::OtherArchitecture(name)) = unfit {
                return Err(Error::OtherArchitecture(path, name));
            }
            if let Some(why) = elf::secure_execution(&path) {
                return Err(Error::PreloadIgnored(path, why));
            }
            if let Some(Unfit::StaticMpi(why)) = unfit {
                return Err(Error::StaticMpi(path, why));
            }
        }
        self.programs.push((path, program));
        Ok(())
    }

    fn add_if_program(&mut self, argument: &OsStr) -> Result<(), Error> {
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
    /// This, on hosts that are named: it need not be here.
    Elsewhere(&'a OsStr),
    /// One of these, if any.
    Somewhere(&'a [OsString]),
}

fn launched(arguments: &[OsString]) -> Launched<'_> {
    let mut index = 0;
    let mut hosts = false;
    while let Some(argument) = arguments.get(index) {
        let Some(option) = argument.to_str().filter(|a| a.starts_with('-')) else {
            return match hosts {
                true => Launched::Elsewhere(argument),
                false => Launched::Program(argument),
            };
        };
        let name = option.trim_start_matches('-');
        hosts |= HOSTS.contains(&name.split('=').next().unwrap_or(name));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_launched_program_is_found_after_the_options() {
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
    fn a_program_may_be_on_other_hosts_only() {
        for line in [
            "-n 4 --host h2:2 ./app",
            "-hosts h1,h2 ./app",
            "--hostfile=list -n 2 ./app",
        ] {
            let line = words(line);
            assert_eq!(launched(&line), Launched::Elsewhere(OsStr::new("./app")));
        }
        assert!(
            examine(&words("mpirun --host h2 ./missing")).is_ok()
                || find(OsStr::new("mpirun"), None).is_err()
        );
    }

    #[test]
    fn nothing_is_claimed_after_an_unknown_option() {
        let line = words("-n 2 --new-option 7 ./app");
        assert_eq!(launched(&line), Launched::Somewhere(&line[3..]));
        assert!(examine(&words("/bin/sh --strange ./missing")).is_ok());
    }
}
