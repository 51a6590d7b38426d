//! `farside lint --confirm`: inputs that were worked out show the race in a run. Needs z3.

use super::setting::{OPEN_MPI, libraries};
use std::fs;
use std::process::Command;

/// Races with two numbers only: one of the command line, and one that process 0 reads.
const SOURCE: &str = "
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, answer = 0, n = argc > 1 ? atoi(argv[1]) : 0, buffer[4] = {0}, *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && scanf(\"%d\", &answer) != 1) answer = -1;
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        if (n != 10 || answer != 3 * n + 1) MPI_Win_flush_local(1, win);
        buffer[0] = 1;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
";

#[test]
fn inputs_that_were_worked_out_show_the_race_in_a_run() {
    if Command::new("mpicc.openmpi").arg("--version").output().is_err() {
        eprintln!("left out: there is no mpicc.openmpi");
        return;
    }
    libraries();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("late.c"), SOURCE).unwrap();
    let farside = env!("CARGO_BIN_EXE_farside");
    let built = Command::new(farside)
        .args(["cc", "mpicc.openmpi", "-g", "late.c", "-o", "late"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(built.success());
    let output = Command::new(farside)
        .args(["lint", "--mpicc", "mpicc.openmpi", "--confirm", "late.c", "--"])
        .args(OPEN_MPI.launcher)
        .args(["-n", "2", "./late"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let [said, noted] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let with = "--args \"10\", --stdin with \"31\\n\"";
    assert!(said.contains(&format!("found with: {with}")), "{said}{noted}");
    let confirmed = noted
        .lines()
        .any(|line| line.starts_with("farside: confirmed: local-race") && line.contains(with));
    assert!(confirmed, "{said}{noted}");
}

#[test]
fn a_command_that_fails_or_has_no_mpi_is_told() {
    libraries();
    let folder = tempfile::tempdir().unwrap();
    let race = SOURCE.replace(
        "if (n != 10 || answer != 3 * n + 1) MPI_Win_flush_local(1, win);",
        "",
    );
    fs::write(folder.path().join("race.c"), race).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["lint", "--confirm", "race.c", "--", "false"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let noted = String::from_utf8_lossy(&output.stderr);
    let said = "not confirmed (no process was seen to initialise MPI, OpenSHMEM or GASPI; the command ended with exit \
                status 1)";
    assert!(noted.contains(said), "{noted}");
}
