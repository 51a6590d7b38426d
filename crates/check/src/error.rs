//! What keeps a command from being checked, and can be put right: every message names the file or setting at fault.

use farside_processes::program::Unusable;
use std::path::PathBuf;

/// Why a command was not checked, through no bug of ours.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program to run is not there, or may not be run.
    #[error(transparent)]
    Program(#[from] Unusable),
    /// The dynamic loader drops our library.
    #[error(
        "cannot check {path}: {why}, so the dynamic loader ignores LD_PRELOAD and nothing would be seen; check a copy \
         without these rights",
        path = .0.display(), why = .1
    )]
    PreloadIgnored(PathBuf, &'static str),
    /// MPI is linked into the program.
    #[error(
        "cannot check {path}: {why}, so its MPI calls cannot be watched; link it with the shared MPI library",
        path = .0.display(), why = .1
    )]
    StaticMpi(PathBuf, &'static str),
    /// Built for another machine.
    #[error("cannot check {path}: it is built for {found}, farside for \
        {ours}", path = .0.display(), found = .1, ours = std::env::consts::ARCH)]
    OtherArchitecture(PathBuf, String),
    /// A file cannot be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Unreadable(PathBuf, std::io::Error),
    /// No report of `farside lint`.
    #[error(
        "cannot use the lint report {path}: {why}; make one with `farside lint --format json -o FILE ...`",
        path = .0.display(), why = .1
    )]
    LintReport(PathBuf, String),
    /// No spool folder.
    #[error("cannot create a spool folder in {path}: {error}; choose another place with \
        --spool", path = .0.display(), error = .1)]
    Spool(PathBuf, std::io::Error),
    /// The command could not be started for another reason.
    #[error("cannot start {0}: {1}")]
    NotStarted(String, std::io::Error),
}
