//! The arguments of `farside fix`.

use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside lint --format json -o report.json halo.c
  farside fix report.json | less
      What would be changed.

  farside fix report.json --apply
  farside fix report.json --finding 80776cccfd
      The repair of one finding, or of one cause.

  farside fix report.json -- farside lint --format json -o report.json halo.c
  farside fix report.json -- sh -c 'make && farside check --format json -o report.json -- mpirun -n 2 ./halo'
      Changes the sources, lets COMMAND build and check again and write the
      report again, and so on until it is clean or nothing more helps. A change
      that does not help is taken back.

  farside robust --repair --format json -o report.json ring.c
  farside fix report.json --apply
      The repair that robust has found, in the source.

Notes:
  A finding is repaired surely or not at all; stderr says why one is not. What
  is suggested and could not be tried is written as well, and counted apart.
  A file that is not the one that the report is about, that is read-only or that
  a program writes is left alone. Files are replaced whole.

Exit status:
  0    every finding is repaired by what was tried; with COMMAND, its last report has none
  1    findings are left, or their suggestions were not tried
  2    wrong usage, no report, or sources that cannot be edited
  3    COMMAND wrote no report
  4    COMMAND's last report has no findings, but COMMAND did not end with 0
  101  a bug of farside";

/// `farside fix`.
#[derive(Clone, Debug, Args)]
pub(crate) struct FixArguments {
    /// A report of check, lint or robust --repair, in JSON
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    /// Only this finding, all findings of this cause, or this program of robust (may be given several times)
    #[arg(long, value_name = "ID")]
    finding: Vec<String>,
    /// Change the files
    #[arg(long)]
    apply: bool,
    /// Builds and checks, and writes REPORT again
    #[arg(value_name = "COMMAND", last = true)]
    command: Vec<OsString>,
}

impl FixArguments {
    /// The report.
    pub(super) fn report(&self) -> &Path {
        &self.report
    }

    /// The findings and causes that are meant; all if there is none.
    pub(super) fn wanted(&self) -> &[String] {
        &self.finding
    }

    /// Whether files are changed.
    pub(super) fn applies(&self) -> bool {
        self.apply
    }

    /// What builds and checks: the program and its arguments.
    pub(super) fn command(&self) -> Option<(&OsString, &[OsString])> {
        self.command.split_first()
    }
}
