//! The arguments of `farside bench`.

use clap::{Args, ValueEnum};
use farside_measure::Study;
use farside_measure::mpi::Library;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside bench fence --html fences.html
      Figures 7, 8 and 9 of paper 002, on the simulated cluster of the paper.

  farside bench all --on sim:ethernet_100g --ranks 64,256,1024
      Larger, and on a network of today.

  farside bench fence --reordering --slow 50
      With adaptive routing, where designs that rely on order are refused, and with a rank that comes late.

  farside bench fence --on sim:ethernet_100g --ranks 256,1024 --node-ranks 16 --fences \
      fence-flush,fence-hierarchical,auto
      Ranks that share nodes: one adapter each, and memory within.

  farside bench fence overlap --on threads --ranks 2
      Measured, on shared memory.

  farside bench fence --transport shm --ranks 2,4 --mpi mpich,openmpi
      Measured between processes, beside the fences of the MPIs that are installed here.

  farside bench all --transport ofi:net --ranks 2,4,8 --rounds 5
      Over TCP, by libfabric.

  farside run -n 4 --transport ofi:net -- farside bench fence --on world
      The same in a job of your own: as many ranks as it has. Rank 0 reports.

Times on `sim` are virtual: what a model of a network says. Constants of sim:infiniband_2009 are
fitted to one column of the paper's Table 1; everything else is predicted.

Exit status:
  0    measured
  2    wrong usage, or a run failed";

/// `farside bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// What to measure
    #[arg(value_enum, required = true, value_name = "STUDY")]
    pub(crate) studies: Vec<StudyChoice>,
    /// Where ranks run: sim (or sim:infiniband_2009, sim:ethernet_100g, sim:tcp), threads, or world
    #[arg(long, default_value = "sim", value_name = "PLACE")]
    pub(crate) on: String,
    /// Ranks are processes that this command starts, over shm, ofi, ofi:PROVIDER or verbs (ofi:verbs;ofi_rxm)
    #[arg(long, value_name = "NAME", conflicts_with = "on", value_parser = transport)]
    pub(crate) transport: Option<String>,
    /// The same programs under these MPIs too: mpich, openmpi
    #[arg(long, value_delimiter = ',', value_name = "LIBRARY", requires = "transport")]
    pub(crate) mpi: Vec<Library>,
    /// With --transport: all take turns so often
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
    /// With --transport: a run that takes longer is ended, and listed
    #[arg(long, default_value = "300", value_name = "SECONDS", value_parser = crate::options::seconds)]
    pub(crate) time_limit: Duration,
    /// Route packets of a simulated network adaptively, so that they overtake one another
    #[arg(long)]
    pub(crate) reordering: bool,
    /// So many ranks on each node of a simulated network, which share memory and an adapter (default: one)
    #[arg(long, value_name = "N", conflicts_with = "transport", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) node_ranks: Option<u32>,
    /// Numbers of ranks (default: 2,4,8,16,32,64; with --transport 2,4); of `world`, the job decides
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) ranks: Vec<u32>,
    /// Designs of the fence, such as fence-imm-ri (default: all)
    #[arg(long, value_delimiter = ',', value_name = "DESIGN")]
    pub(crate) fences: Vec<String>,
    /// Measured epochs of a row
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) samples: u32,
    /// Rank 1 computes so many microseconds before each fence
    #[arg(long, default_value_t = 0, value_name = "MICROSECONDS")]
    pub(crate) slow: u64,
    /// Form of the report on stdout
    #[arg(long, value_enum, default_value_t = BenchFormat::Text)]
    pub(crate) format: BenchFormat,
    /// Write the report to FILE instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write all samples, as JSON, to FILE in addition
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write a page with the figures to FILE in addition
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

impl BenchArguments {
    /// Each study once, in the order in which they are named.
    pub(super) fn studies(&self) -> Vec<Study> {
        let mut studies = Vec::new();
        for study in self.studies.iter().flat_map(|choice| choice.studies()) {
            if !studies.contains(&study) {
                studies.push(study);
            }
        }
        studies
    }

    /// Numbers of ranks.
    pub(super) fn ranks(&self) -> Vec<u32> {
        match (&self.ranks[..], &self.transport) {
            ([], None) => vec![2, 4, 8, 16, 32, 64],
            ([], Some(_)) => vec![2, 4],
            (given, _) => given.to_vec(),
        }
    }
}

fn transport(text: &str) -> Result<String, String> {
    match text.split_once(':') {
        Some(("ofi" | "hybrid", provider)) if !provider.is_empty() => Ok(text.to_owned()),
        None if ["shm", "ofi", "hybrid"].contains(&text) => Ok(text.to_owned()),
        None if text == "verbs" => Ok("ofi:verbs;ofi_rxm".to_owned()),
        _ => Err("one of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER and verbs".to_owned()),
    }
}

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StudyChoice {
    /// Fences without puts, with one, and with puts to 8 neighbours (Figures 7 to 9)
    Fence,
    /// How much computation hides a transfer, by message size (Figure 6)
    Overlap,
    /// The same where rank 0 alone puts and computes, so that its target has a processor to move bytes with
    OneWay,
    /// Halo exchange with computation, 4 and 8 neighbours (Figure 10)
    Halo,
    /// Barrier, allreduce and reduce-scatter (Table 1)
    Collectives,
    /// Put and flush, by message size
    Put,
    /// All of these
    All,
}

impl StudyChoice {
    pub(crate) fn studies(self) -> Vec<Study> {
        match self {
            Self::Fence => vec![Study::Fence],
            Self::Overlap => vec![Study::Overlap],
            Self::OneWay => vec![Study::OneWay],
            Self::Halo => vec![Study::Halo],
            Self::Collectives => vec![Study::Collectives],
            Self::Put => vec![Study::Put],
            Self::All => Study::ALL.to_vec(),
        }
    }
}

/// Forms of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchFormat {
    /// Tables, for people
    Text,
    /// With all samples, for programs
    Json,
    /// One page with the figures
    Html,
}
