//! The arguments of `farside merge`.

use clap::Args;
use std::path::PathBuf;

/// Below the long help.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  sbatch --array=1-8 --wrap 'farside litmus --model all --format json \\
      --shard $SLURM_ARRAY_TASK_ID/8 -o part-$SLURM_ARRAY_TASK_ID tests'
  farside merge part-* -o report.json
      What `farside litmus --model all --format json -o report.json tests`
      writes, with its exit status.

  farside merge part-* --out tests --archive
  farside merge part-* --log mpich.log --fit mpich.model
      The files that forge and conform write besides.

Whatever is missing, there twice, ended midway or of another run is refused.

Exit status:
  0, 1, 4  what the one run would have ended with
  2        wrong usage, or files that are not all shards of one run
  101      a bug of farside";

/// `farside merge`.
#[derive(Clone, Debug, Args)]
pub(crate) struct MergeArguments {
    /// The files of all shards, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the result to FILE instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Of forge: write the tests and their expected outputs into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Of forge: write the tests into one compressed archive a row
    #[arg(long, requires = "out")]
    archive: bool,
    /// Of conform: write all histograms to FILE
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Of conform: write the strongest model that allows all that was seen to FILE
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
}

impl MergeArguments {
    /// The files of the shards.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Where the result goes, if not to stdout.
    pub(super) fn output(&self) -> Option<PathBuf> {
        self.output.clone()
    }

    /// Where tests go, and whether into archives.
    pub(super) fn tests(&self) -> (Option<PathBuf>, bool) {
        (self.out.clone(), self.archive)
    }

    /// Where histograms, and a model that is fitted to them, go.
    pub(super) fn histograms(&self) -> (Option<PathBuf>, Option<PathBuf>) {
        (self.log.clone(), self.fit.clone())
    }
}
