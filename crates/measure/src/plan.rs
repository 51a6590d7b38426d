//! What is run, and where.

use crate::epochs::Epochs;
use crate::overlap::{self, overlap};
use crate::programs::{self, Pace};
use crate::{Error, machine};
use farside::sim::{Network, Nodes, Routing, Simulation};
use farside::{Fence, Result, World};
use farside_measurements::{Report, Row};
use std::time::Duration;

/// A group of benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Study {
    /// Barrier, allreduce and reduce-scatter (Table 1).
    Collectives,
    /// How much computation hides a transfer, by message size (Fig. 6).
    Overlap,
    /// The same where rank 0 alone puts and computes.
    OneWay,
    /// Fences without puts, with one, and with 8 neighbours (Figs. 7 to 9).
    Fence,
    /// Halo exchange with computation, 4 and 8 neighbours (Fig. 10).
    Halo,
    /// Put and flush, by message size.
    Put,
}

impl Study {
    /// As `farside bench` has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Collectives => "collectives",
            Self::Overlap => "overlap",
            Self::OneWay => "one-way",
            Self::Fence => "fence",
            Self::Halo => "halo",
            Self::Put => "put",
        }
    }

    /// All of them, in the order in which they are run.
    pub const ALL: [Self; 6] = [
        Self::Collectives,
        Self::Overlap,
        Self::OneWay,
        Self::Fence,
        Self::Halo,
        Self::Put,
    ];
}

/// Where ranks run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Over a virtual network, of this name.
    Simulated(String, Box<Network>),
    /// As threads of this process, which share memory.
    Threads,
    /// As the processes that `farside run`, mpirun or srun has started.
    World,
}

impl Place {
    /// A place by its name; `reordering` makes a simulated network route adaptively, and `node_ranks` puts so many
    /// ranks on each of its nodes, in place of one.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn named(name: &str, reordering: bool, node_ranks: Option<u32>) -> std::result::Result<Self, Error> {
        let network = match name {
            "sim" | "sim:infiniband_2009" => Network::infiniband_2009(),
            "sim:ethernet_100g" => Network::ethernet_100g(),
            "sim:tcp" => Network::tcp(),
            "threads" => return Ok(Self::Threads),
            "world" => return Ok(Self::World),
            _ => return Err(Error::Place(name.to_owned())),
        };
        let routing = if reordering {
            let spread = network.link.latency;
            Routing::Adaptive { paths: 4, spread }
        } else {
            Routing::Ordered
        };
        let full = if name == "sim" {
            "sim:infiniband_2009"
        } else {
            name
        };
        let mut name = full.to_owned();
        if reordering {
            name += ", adaptive routing";
        }
        if let Some(ranks) = node_ranks {
            name += &format!(", {ranks} ranks a node");
        }
        let network = Network {
            routing,
            nodes: node_ranks.map(Nodes::shared_memory),
            ..network
        };
        Ok(Self::Simulated(name, Box::new(network)))
    }

    fn name(&self) -> String {
        match self {
            Self::Simulated(name, _) => name.clone(),
            Self::Threads => "threads".to_owned(),
            Self::World => "world".to_owned(),
        }
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which benchmarks.
    pub studies: Vec<Study>,
    /// Where.
    pub place: Place,
    /// Numbers of ranks; of [`Place::World`], the number is that of the job.
    pub ranks: Vec<u32>,
    /// Designs of the fence; those that the transport refuses are left out, and listed.
    pub fences: Vec<Fence>,
    /// Measured epochs of a row.
    pub samples: u32,
    /// Rank 1 computes so long before each fence: a slow rank.
    pub slow: Duration,
}

impl Plan {
    /// Runs all of it. `progress` is told what is run next.
    ///
    /// Of a job, rank 0 gets the report, and the others an empty one.
    ///
    /// # Errors
    /// A run failed.
    pub fn run(&self, progress: impl Fn(&str)) -> std::result::Result<Report, Error> {
        let mut report = Report {
            place: self.place.name(),
            command: std::env::args().collect(),
            // Ranks of a job would all ask; see below.
            machine: match self.place {
                Place::World => Vec::new(),
                _ => machine::facts(),
            },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..Report::default()
        };
        let counts: &[u32] = if self.place == Place::World {
            &[0]
        } else {
            &self.ranks
        };
        for &ranks in counts {
            if ranks > 0 {
                progress(&format!("{}, {ranks} ranks", report.place));
            }
            let run = |world: &World| self.rows(world);
            let results = match &self.place {
                Place::Simulated(_, network) => farside::simulate_with(Simulation::new(network, ranks), run),
                Place::Threads => farside::threads(ranks, run),
                Place::World => farside::run(run),
            };
            let results = results.map_err(|source| Error::Run {
                what: format!("{ranks} ranks on {}", report.place),
                source,
            })?;
            if let Some(found) = results.into_iter().next() {
                report.rows.extend(found.rows);
                report.left_out.extend(found.left_out);
                report.choices.extend(found.choices);
            }
        }
        if self.place == Place::World && !report.rows.is_empty() {
            report.machine = machine::facts();
        }
        report.left_out.sort();
        report.left_out.dedup();
        Ok(report)
    }

    /// What a rank does. All ranks do the same; the rows are those of rank 0.
    fn rows(&self, world: &World) -> Result<Found> {
        let mut found = Found::default();
        let pace = Pace {
            samples: self.samples,
            budget: Duration::from_secs(1),
        };
        let ranks = world.size();
        let mut add = |study: &str, series: &str, x: u64, samples: Vec<f64>, idle: bool| {
            if world.rank() == 0 && !samples.is_empty() {
                found
                    .rows
                    .push(Row::new(study, series, ranks, x, samples).idle(idle));
            }
        };
        let mut fences = Vec::new();
        for &fence in &self.fences {
            match world.fence_refusal(fence) {
                Some(reason) => found.left_out.push(reason),
                // A flag from each rank to each takes minutes of simulation, and shows nothing that 64 ranks do not.
                None if fence == Fence::ImmNaive && ranks > 256 => {
                    found
                        .left_out
                        .push(format!("{fence} with more than 256 ranks: n - 1 messages a rank"));
                }
                None => fences.push(fence),
            }
        }
        for study in &self.studies {
            match study {
                Study::Collectives => {
                    for (name, samples) in programs::collectives(world, pace)? {
                        add("collectives", name, ranks.into(), samples, false);
                    }
                }
                Study::Put => {
                    for (bytes, samples) in programs::puts(world, pace)? {
                        add(&by_ranks("put", ranks), "put and flush", bytes, samples, false);
                    }
                }
                Study::Fence | Study::Halo => {
                    let rows = match study {
                        Study::Halo => Epochs::halos(ranks),
                        _ => Epochs::fences(ranks),
                    };
                    for (name, epochs) in rows {
                        for &fence in &fences {
                            let (samples, choice) =
                                programs::sequence(world, fence, &epochs, pace, self.slow)?;
                            let idle = fence == Fence::Neighbour && epochs.has_no_neighbours();
                            add(name, fence.name(), ranks.into(), samples, idle);
                            let choice = choice.map(|why| format!("{name}, {ranks} ranks: {why}"));
                            found.choices.extend(choice);
                        }
                    }
                }
                Study::Overlap | Study::OneWay => {
                    let one_way = *study == Study::OneWay;
                    let names = if one_way {
                        ["one-way overlap", "one-way overlap of the transfer"]
                    } else {
                        ["overlap", "overlap of the transfer"]
                    };
                    for bytes in overlap::SIZES {
                        for &fence in fences.iter().filter(|_| ranks > 1) {
                            let overlap = overlap(world, fence, bytes, one_way)?;
                            let shares = [Some(overlap.of_latency), overlap.of_transfer];
                            for (name, share) in names.into_iter().zip(shares) {
                                let name = by_ranks(name, ranks);
                                add(
                                    &name,
                                    fence.name(),
                                    bytes as u64,
                                    share.into_iter().collect(),
                                    false,
                                );
                            }
                        }
                    }
                }
            }
        }
        Ok(found)
    }
}

/// What a rank has found.
#[derive(Default)]
struct Found {
    rows: Vec<Row>,
    left_out: Vec<String>,
    choices: Vec<String>,
}

/// The name of a study over lengths: each number of ranks has a table of its own.
pub(crate) fn by_ranks(study: &str, ranks: u32) -> String {
    format!("{study}, {ranks} ranks")
}
