//! The libraries that the suite runs on, of MPI, OpenSHMEM and GASPI: how to compile for them, how to start a program,
//! and which programs they run.

use crate::language::Language;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A library, by the names of its commands on Debian, and how it communicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Library {
    /// Open MPI.
    OpenMpi,
    /// MPICH.
    Mpich,
    /// Open MPI as on a cluster with TCP alone: its component osc/pt2pt returns from `MPI_Win_lock` before the lock is
    /// granted.
    #[serde(rename = "openmpi-tcp")]
    OpenMpiTcp,
    /// The OpenSHMEM of Open MPI.
    Oshmem,
    /// The GASPI of Farside, which lies beside the checker.
    Gaspi,
    /// The same beside Open MPI, for programs that call both.
    #[serde(rename = "gaspi-openmpi")]
    GaspiBesideMpi,
    /// The OpenSHMEM of Farside, likewise.
    Shmem,
}

/// What some libraries lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Needs {
    /// What is new in version 1.5: teams, signals, waits for arrays, atomic operations that do not wait.
    #[serde(rename = "OpenSHMEM 1.5")]
    OpenShmem15,
    /// A program that breaks a rule gets as far as its error, and is not lost in it.
    #[serde(rename = "checked arguments")]
    CheckedArguments,
}

impl Library {
    /// Its name in options and tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Library::OpenMpi => "openmpi",
            Library::Mpich => "mpich",
            Library::OpenMpiTcp => "openmpi-tcp",
            Library::Oshmem => "oshmem",
            Library::Gaspi => "gaspi",
            Library::GaspiBesideMpi => "gaspi-openmpi",
            Library::Shmem => "shmem",
        }
    }

    /// How its commands end.
    pub(crate) fn commands(self) -> &'static str {
        match self {
            Library::OpenMpi | Library::OpenMpiTcp | Library::Oshmem | Library::GaspiBesideMpi => "openmpi",
            Library::Mpich => "mpich",
            Library::Gaspi => "gaspi",
            Library::Shmem => "farside",
        }
    }

    /// Its command of this name among those of MPI.
    fn command(self, of_mpi: &str, of_openshmem: &str) -> String {
        match self {
            Library::Oshmem => of_openshmem.to_owned(),
            _ => format!("{of_mpi}.{}", self.commands()),
        }
    }

    /// Its compiler wrapper.
    pub(crate) fn compiler(self, language: Language) -> String {
        if matches!(self, Library::Gaspi | Library::Shmem) {
            return match language {
                Language::C | Language::Python => "cc",
                Language::Cxx => "c++",
                Language::Fortran => "gfortran",
            }
            .to_owned();
        }
        let (of_mpi, of_openshmem) = match language {
            Language::C | Language::Python => ("mpicc", "oshcc"),
            Language::Cxx => ("mpicxx", "oshc++"),
            Language::Fortran => ("mpifort", "oshfort"),
        };
        self.command(of_mpi, of_openshmem)
    }

    /// Further arguments of the compiler: where our own libraries lie, which are beside `farside`, and their headers.
    pub(crate) fn compiler_options(self, farside: &Path) -> Vec<String> {
        let of_ours = match self {
            Library::Gaspi | Library::GaspiBesideMpi => "gaspi",
            Library::Shmem => "shmem",
            _ => return Vec::new(),
        };
        let folder = farside.parent().unwrap_or(Path::new(".")).display();
        vec![
            format!("-I{}/../{of_ours}/include", env!("CARGO_MANIFEST_DIR")),
            format!("-L{folder}"),
            format!("-Wl,-rpath,{folder},--no-as-needed"),
            format!("-lfarside_{of_ours}"),
        ]
    }

    /// The command that starts `processes` processes, without the program.
    pub(crate) fn launcher(self, farside: &Path, processes: u32, options: &[String]) -> Vec<String> {
        if matches!(self, Library::Gaspi | Library::Shmem) {
            let mut command = vec![farside.display().to_string(), "run".to_owned()];
            command.extend(options.iter().cloned());
            command.extend(["-n".to_owned(), processes.to_string()]);
            return command;
        }
        let mut command = vec![self.command("mpirun", "oshrun")];
        if self != Library::Mpich {
            // Open MPI refuses root unless told otherwise, and more processes than cores.
            if rustix::process::geteuid().is_root() {
                command.push("--allow-run-as-root".to_owned());
            }
            command.push("--oversubscribe".to_owned());
        }
        if self == Library::OpenMpiTcp {
            let components = [
                "--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "osc", "pt2pt",
            ];
            command.extend(components.map(str::to_owned));
        }
        command.extend(options.iter().cloned());
        command.extend(["-n".to_owned(), processes.to_string()]);
        command
    }

    /// Why it cannot run a program with this text and these needs, if it cannot.
    pub(crate) fn lacks(self, source: &str, needs: Option<Needs>) -> Option<&'static str> {
        let uses = |word: &str| source.contains(word);
        match self {
            Library::OpenMpi | Library::Mpich | Library::Shmem | Library::Gaspi | Library::GaspiBesideMpi => {
                None
            }
            Library::Oshmem => match needs? {
                Needs::OpenShmem15 => Some("it has OpenSHMEM 1.4"),
                Needs::CheckedArguments => Some("the error ends the program before it is seen, or hangs it"),
            },
            Library::OpenMpiTcp if uses("MPI_THREAD_MULTIPLE") => {
                Some("osc/pt2pt has no MPI_THREAD_MULTIPLE")
            }
            Library::OpenMpiTcp if uses("_allocate_shared") => Some("osc/pt2pt has no shared windows"),
            Library::OpenMpiTcp => None,
        }
    }

    /// Whether a run on several libraries includes this program: over TCP, the synchronisation of windows, and locks of
    /// one target elsewhere; programs that call MPI, too, where it is.
    pub(crate) fn is_meant_for(self, topic: &str, source: &str) -> bool {
        let calls_mpi = || source.contains("<mpi.h>");
        match self {
            Library::OpenMpiTcp => topic == "sync" || source.contains("MPI_Win_lock("),
            Library::Gaspi | Library::Shmem => !calls_mpi(),
            Library::GaspiBesideMpi => calls_mpi(),
            Library::OpenMpi | Library::Mpich | Library::Oshmem => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_tcp_locks_are_run_and_threads_are_not() {
        let tcp = Library::OpenMpiTcp;
        let lock = "MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);";
        assert!(tcp.is_meant_for("order", lock) && tcp.lacks(lock, None).is_none());
        assert!(tcp.is_meant_for("sync", "MPI_Win_fence(0, win);"));
        assert!(!tcp.is_meant_for("order", "MPI_Win_lock_all(0, win);"));
        let threads = "MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &provided);";
        assert!(tcp.lacks(threads, None).is_some() && Library::OpenMpi.lacks(threads, None).is_none());
    }

    #[test]
    fn a_program_names_the_version_that_it_needs() {
        let needs = Some(Needs::OpenShmem15);
        assert!(Library::Oshmem.lacks("", needs).is_some() && Library::Shmem.lacks("", needs).is_none());
        assert!(Library::Oshmem.lacks("", None).is_none());
    }
}
