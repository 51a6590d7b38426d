//! The same programs under the launchers of the MPIs: PMI-1 of MPICH, PMIx of Open MPI. No `farside run` takes part.

use crate::stage::*;
use crate::transports::transports;
use std::process::{Command, Stdio};

/// The suite, a short form of it, under a launcher of which the words are given.
fn passes(words: &[&str]) {
    if Command::new(words[0])
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_err()
    {
        eprintln!("skipped: {} is not there", words[0]);
        return;
    }
    for transport in transports() {
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .args(["-n", "2"])
            .arg(suite())
            .args(["4", "1"])
            .env("FARSIDE_TRANSPORT", transport)
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .stdin(Stdio::null());
        let (stdout, _) = expect(&command.output().unwrap(), 0);
        let last = stdout.lines().last().expect("what passed");
        assert!(
            last.ends_with(&format!("checks passed over {transport}, 2 ranks")),
            "{last}"
        );
    }
}

#[test]
fn mpich() {
    passes(&["mpirun.mpich"]);
}

#[test]
fn open_mpi() {
    passes(&["mpirun.openmpi", "--oversubscribe", "-x", "FARSIDE_TRANSPORT"]);
}
