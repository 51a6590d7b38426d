//! The MPI libraries that the suite runs on: how to compile for them and how to start a program.

use crate::program::Language;
use serde::{Deserialize, Serialize};

/// An MPI library, by the names of its commands on Debian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Library {
    /// Open MPI.
    OpenMpi,
    /// MPICH.
    Mpich,
}

impl Library {
    /// Its name in commands and tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Library::OpenMpi => "openmpi",
            Library::Mpich => "mpich",
        }
    }

    /// Its compiler wrapper.
    pub(crate) fn compiler(self, language: Language) -> String {
        let wrapper = match language {
            Language::C => "mpicc",
            Language::Cxx => "mpicxx",
            Language::Fortran => "mpifort",
        };
        format!("{wrapper}.{}", self.name())
    }

    /// The command that starts `processes` processes, without the program.
    pub(crate) fn launcher(self, processes: u32, options: &[String]) -> Vec<String> {
        let mut command = vec![format!("mpirun.{}", self.name())];
        if self == Library::OpenMpi {
            // Open MPI refuses root unless told otherwise, and more processes than cores.
            if rustix::process::geteuid().is_root() {
                command.push("--allow-run-as-root".to_owned());
            }
            command.push("--oversubscribe".to_owned());
        }
        command.extend(options.iter().cloned());
        command.extend(["-n".to_owned(), processes.to_string()]);
        command
    }
}
