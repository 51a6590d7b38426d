//! The MPIs of this machine: how their programs are compiled, and how they are started on shared memory and on TCP.
//!
//! Promise: the only place that knows, so that every table compares the same. Limits: the packages of Debian 12 (Open
//! MPI 4.1, MPICH 4.0); settings of theirs that are best here were looked for once, and are given below with their
//! reasons.

use crate::job;
use std::path::Path;
use std::time::Duration;

/// An implementation of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Open MPI.
    OpenMpi,
    /// MPICH.
    Mpich,
}

/// What its processes communicate over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Memory that they share.
    SharedMemory,
    /// TCP over loopback.
    Tcp,
}

/// How a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What stands in front of the program.
    pub words: Vec<String>,
    /// Added to the environment.
    pub environment: Vec<(&'static str, &'static str)>,
    /// Where windows come from: `allocate` for `MPI_Win_allocate`, `create` for `MPI_Win_create`.
    pub windows: &'static str,
}

/// A program could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// The library is not there.
    #[error("{compiler} is not there; Debian has it in {packages}")]
    Compiler {
        /// Its compiler.
        compiler: &'static str,
        /// What to install.
        packages: &'static str,
    },
    /// The compiler ended with an error.
    #[error("{compiler}: {message}")]
    Refused {
        /// Which.
        compiler: &'static str,
        /// What it said.
        message: String,
    },
}

impl Library {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::OpenMpi, Self::Mpich];

    /// As its users write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "Open MPI",
            Self::Mpich => "MPICH",
        }
    }

    /// The command that compiles C for it, as Debian calls it.
    #[must_use]
    pub fn compiler(self) -> &'static str {
        match self {
            Self::OpenMpi => "mpicc.openmpi",
            Self::Mpich => "mpicc.mpich",
        }
    }

    /// The command that starts its ranks, with what it wants wherever there are more ranks than cores; `-n` and their
    /// number follow.
    #[must_use]
    pub fn launcher(self) -> &'static [&'static str] {
        match self {
            Self::OpenMpi => &["mpirun.openmpi", "--oversubscribe"],
            Self::Mpich => &["mpirun.mpich"],
        }
    }

    /// The packages of Debian that have both commands.
    #[must_use]
    pub fn packages(self) -> &'static str {
        match self {
            Self::OpenMpi => "openmpi-bin libopenmpi-dev",
            Self::Mpich => "mpich libmpich-dev",
        }
    }

    /// Environment without which one-sided communication of the version in Debian does not work. What a user sets
    /// otherwise holds.
    #[must_use]
    pub fn remedies(self) -> &'static [(&'static str, &'static str)] {
        match self {
            // The default component, osc/rdma, does not survive a compare-and-swap.
            Self::OpenMpi => &[("OMPI_MCA_osc", "^rdma")],
            Self::Mpich => &[],
        }
    }

    /// Compiles a source of one file.
    ///
    /// # Errors
    /// The library is not there, or does not take the source.
    pub fn compile(self, source: &Path, program: &Path) -> Result<(), Missing> {
        let compiler = self.compiler();
        let command = [
            compiler.into(),
            "-O2".into(),
            "-o".into(),
            program.display().to_string(),
            source.display().to_string(),
        ];
        match job::run(&command, &[], Duration::from_secs(120)) {
            Ok(ended) if ended.status == Some(0) => Ok(()),
            Ok(ended) => Err(Missing::Refused {
                compiler,
                message: ended.errors.trim().to_owned(),
            }),
            Err(_) => Err(Missing::Compiler {
                compiler,
                packages: self.packages(),
            }),
        }
    }

    /// How so many ranks are started.
    #[must_use]
    pub fn launch(self, wire: Wire, ranks: u32) -> Launch {
        let pinned = ranks as usize <= std::thread::available_parallelism().map_or(1, usize::from);
        let launcher = self.launcher().join(" ");
        let bound = if pinned { "core" } else { "none" };
        let text = match (self, wire) {
            // Not osc/rdma: see `remedies`.
            (Self::OpenMpi, Wire::SharedMemory) => {
                format!("{launcher} --bind-to {bound} -n {ranks} --mca osc sm")
            }
            // osc/rdma over btl/tcp fails in MPI_Win_allocate.
            (Self::OpenMpi, Wire::Tcp) => {
                format!(
                    "{launcher} --bind-to {bound} -n {ranks} --mca pml ob1 --mca btl self,tcp --mca osc pt2pt"
                )
            }
            (Self::Mpich, _) if pinned => format!("{launcher} -bind-to core -n {ranks}"),
            (Self::Mpich, _) => format!("{launcher} -n {ranks}"),
        };
        let environment = match (self, wire) {
            // The second is for UCX, which finds shared memory by itself.
            (Self::Mpich, Wire::Tcp) => vec![("MPIR_CVAR_NOLOCAL", "1"), ("UCX_TLS", "tcp,self")],
            _ => Vec::new(),
        };
        Launch {
            words: text.split_whitespace().map(str::to_owned).collect(),
            environment,
            windows: match wire {
                Wire::SharedMemory => "allocate",
                Wire::Tcp => "create",
            },
        }
    }
}

impl std::str::FromStr for Library {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "openmpi" => Ok(Self::OpenMpi),
            "mpich" => Ok(Self::Mpich),
            _ => Err(format!(
                "`{text}` is no MPI that is known here: say mpich or openmpi"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_bound_only_where_each_has_a_core() {
        for library in Library::ALL {
            let many = library.launch(Wire::Tcp, 4096).words.join(" ");
            assert!(many.contains("-n 4096") && !many.contains("core"), "{many}");
            let one = library.launch(Wire::SharedMemory, 1).words.join(" ");
            assert!(one.contains("core"), "{one}");
        }
    }

    #[test]
    fn a_source_that_is_wrong_is_an_error() {
        let missing = Library::Mpich.compile(Path::new("/no/such.c"), Path::new("/dev/null"));
        assert!(missing.is_err(), "with or without the library");
    }
}
