//! What a target needs on this machine.

use super::arguments::TargetChoice;
use farside_emit::Target;
use std::process::{Command, Stdio};

/// The interface that code is emitted for.
pub(super) fn interface(target: TargetChoice) -> Target {
    match target {
        TargetChoice::Mpich | TargetChoice::Openmpi => Target::Mpi3,
        TargetChoice::Shmem => Target::OpenShmem,
    }
}

/// The compiler.
pub(super) fn compiler(target: TargetChoice) -> &'static str {
    match target {
        TargetChoice::Mpich => "mpicc.mpich",
        TargetChoice::Openmpi => "mpicc.openmpi",
        TargetChoice::Shmem => "oshcc",
    }
}

/// The launcher with its arguments, to be followed by the number of ranks.
pub(super) fn launcher(target: TargetChoice) -> &'static [&'static str] {
    match target {
        TargetChoice::Mpich => &["mpirun.mpich", "-n"],
        TargetChoice::Openmpi => &["mpirun.openmpi", "--oversubscribe", "-n"],
        TargetChoice::Shmem => &["oshrun", "--oversubscribe", "-n"],
    }
}

/// What is missing, and the package that has it; none if the target can be used.
pub(super) fn missing(target: TargetChoice) -> Option<String> {
    let packages = match target {
        TargetChoice::Mpich => "mpich libmpich-dev",
        TargetChoice::Openmpi | TargetChoice::Shmem => "openmpi-bin libopenmpi-dev",
    };
    [compiler(target), launcher(target)[0]]
        .into_iter()
        .find(|program| {
            let found = Command::new(program)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            !found.is_ok_and(|status| status.success())
        })
        .map(|program| format!("{program} cannot be run; Debian has it in {packages}"))
}
