//! Runs the command.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs `farside litmus` with these arguments.
pub(crate) fn litmus(arguments: &[impl AsRef<OsStr>]) -> Output {
    command(arguments).output().unwrap()
}

/// `farside litmus` with these arguments, in the folder of tests, to be run.
pub(crate) fn command(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
    command
        .arg("litmus")
        .args(arguments)
        .current_dir(tests())
        .env_remove("NO_COLOR");
    command
}

/// The folder of tests.
pub(crate) fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
