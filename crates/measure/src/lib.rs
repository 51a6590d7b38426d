//! What fences, collective calls and puts of the crate `farside` cost: the benchmarks of paper 002 (Santhanaraman,
//! Gangadharappa, Narravula, Mamidala, Panda: *Design alternatives for implementing fence synchronization in MPI-2
//! one-sided communication for InfiniBand clusters*, Cluster 2009), for any transport.
//!
//! | study | in the paper | file |
//! |---|---|---|
//! | [`Study::Collectives`] | Table 1 | [`programs`] |
//! | [`Study::Overlap`] | Fig. 6 | [`overlap`] |
//! | [`Study::OneWay`] | | [`overlap`] |
//! | [`Study::Fence`] | Figs. 7, 8, 9 | [`programs`] |
//! | [`Study::Halo`] | Fig. 10 | [`programs`] |
//! | [`Study::Put`] | | [`programs`] |
//!
//! What ranks do between two fences is in [`epochs`]; what the machine of Table 1 must have done, in [`table_1`].
//!
//! Promise: every figure that is shown comes from a sample of this run, and all samples are in the JSON, with the
//! command line, the machine and the version. Each row is warmed up; a figure is the median, its spread the fifth and
//! the ninety-fifth hundredth.
//!
//! Limits: samples are those of rank 0. Simulated time is not measured time: a page says which it shows.
#![forbid(unsafe_code)]

pub mod contest;
pub mod epochs;
mod interrupt;
pub mod job;
pub mod machine;
pub mod mpi;
pub mod overlap;
pub mod plan;
pub mod programs;
pub mod table_1;

pub use farside::Fence;
pub use farside_measurements::{Report, Row};
pub use plan::{Place, Plan, Study};

/// A benchmark could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A word that names no network.
    #[error(
        "`{0}` is no place to run: say sim, sim:infiniband_2009, sim:ethernet_100g, sim:tcp, threads or world"
    )]
    Place(String),
    /// A run failed.
    #[error("{what}: {source}")]
    Run {
        /// Which.
        what: String,
        /// Why.
        source: farside::Error,
    },
}
