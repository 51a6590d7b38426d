//! How the processes of a job find one another: under `farside run`, mpirun, srun, or alone.
//!
//! [`connect`] looks at the environment for what launchers leave there, and returns a [`Bootstrap`]: rank, number of
//! ranks, and bytes by name. [`Server`] is the rendezvous that `farside run` offers to the processes it starts, and
//! [`tie`] makes them end with it.
//!
//! | launcher | by | a lost rank is known |
//! |---|---|---|
//! | `farside run` | a Unix socket of the launcher; on other hosts of its agent, a [`relay`] | yes |
//! | a shared folder | files in `FARSIDE_RENDEZVOUS` | no |
//! | Open MPI's mpirun, prterun, srun --mpi=pmix | libpmix, loaded when it is needed | no: the launcher ends the job |
//! | mpirun of MPICH and Intel MPI | PMI-1 over `PMI_FD` | no: the launcher ends the job |
//! | srun without any PMI | a TCP rendezvous of rank 0 | yes |
//! | none | | there is one rank |
//!
//! In which order they are looked for is written at [`Launcher`]. `FARSIDE_LAUNCHER=NAME` chooses one;
//! `FARSIDE_BOOT_LIMIT=SECONDS` (300) limits how long is waited for others where the launcher does not watch.
//!
//! Tried with mpirun of MPICH 4.0.2 and 5.0.2, mpirun of Open MPI 4.1.4, and prterun of Open MPI 5.0.11 with libpmix
//! 4.2.2.
//!
//! Over two hosts each: mpirun of MPICH 4.0.2 and Open MPI 4.1.4, and srun of Slurm 22.05.8 with `--mpi=pmi2`, `pmix`
//! and `none`.
//!
//! Not there: PMI-2's own protocol. Slurm's plugin for it (srun --mpi=pmi2) sets `PMI_FD` as well and speaks PMI-1, for
//! which it is taken.

mod client;
mod connection;
mod environment;
#[cfg(test)]
mod environment_tests;
mod error;
mod folder;
mod generation;
mod name;
mod pmi1;
mod pmix;
mod process;
mod protocol;
mod registry;
#[cfg(test)]
mod registry_tests;
pub mod relay;
#[cfg(test)]
mod rendezvous_tests;
mod server;
mod singleton;
mod slurm;
mod socket;

pub use environment::Launcher;
pub use error::Error;
pub use farside_fabric::bootstrap::Bootstrap;
pub use name::fresh as fresh_name;
pub use pmix::LIBRARY as PMIX_LIBRARY;
pub use process::tie;
pub use protocol::{NAME_LIMIT, RANK_LIMIT, VALUE_LIMIT};
pub use registry::News;
pub use server::Server;
pub use socket::Address;

use client::Process;
use environment::{Environment, Plan};
use std::time::Duration;

/// Joins the job that this process was started for; see the crate's documentation.
///
/// Call it once: a launcher knows a rank as one process that joins once.
///
/// # Errors
/// The environment says what cannot be, the launcher does not answer or refuses, or there is none although several
/// processes were started. The message says what was found, what failed and what to do.
pub fn connect() -> Result<Box<dyn Bootstrap>, Error> {
    let patience = patience()?;
    let get = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    Ok(match environment::plan(&Environment(&get))? {
        Plan::Farside { identity, address } => Box::new(Process::join(&address, identity, None, patience)?),
        Plan::Folder { identity, folder } => Box::new(folder::Folder::join(&folder, identity, patience)?),
        Plan::Pmix { namespace, rank } => Box::new(pmix::Pmix::join(&namespace, rank)?),
        Plan::Pmi1 { fd, rank, size } => Box::new(pmi1::join(fd, rank, size)?),
        Plan::Slurm { identity, host } => Box::new(slurm::join(identity, &host, patience)?),
        Plan::Singleton => Box::new(singleton::Singleton::new(name::fresh().map_err(no_randomness)?)),
    })
}

fn no_randomness(error: std::io::Error) -> farside_fabric::Error {
    farside_fabric::Error::System {
        call: "getrandom",
        detail: error.to_string(),
    }
}

/// `FARSIDE_BOOT_LIMIT`, or 300 seconds.
fn patience() -> Result<Duration, Error> {
    let Some(value) = std::env::var_os("FARSIDE_BOOT_LIMIT").filter(|value| !value.is_empty()) else {
        return Ok(Duration::from_secs(300));
    };
    let value = value.to_string_lossy().into_owned();
    let seconds = value
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|limit| !limit.is_zero()).ok_or(Error::Variable {
        variable: "FARSIDE_BOOT_LIMIT",
        value,
        problem: "this is no number of seconds above 0".to_owned(),
    })
}
