//! The transport that `FARSIDE_TRANSPORT` names, for a program that needs endpoints and no windows: the ranks of a job
//! under any launcher, or all ranks in this process (`sim:RANKS`, `threads:RANKS`).

use farside_fabric::Fabric;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric_ofi::Ofi;
use farside_fabric_shm::ShmFabric;
use farside_fabric_sim::{Network, Routing};
use std::sync::Arc;
use std::time::Duration;

/// Why no rank could start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// `FARSIDE_TRANSPORT` is no transport.
    #[error(
        "FARSIDE_TRANSPORT={0}: shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER, sim:RANKS or threads:RANKS"
    )]
    Name(String),
    /// The launcher does not answer.
    #[error("the launcher: {0}")]
    Launcher(String),
    /// The transport fails, or is not there.
    #[error("{0}")]
    Transport(String),
}

impl StartError {
    fn transport(error: impl std::fmt::Display) -> Self {
        Self::Transport(error.to_string())
    }
}

/// A virtual network on which operations of one origin at one target overtake one another: the weakest that there is
/// here.
#[must_use]
pub fn reordering_network() -> Network {
    Network {
        routing: Routing::Adaptive {
            paths: 4,
            spread: Duration::from_micros(6),
        },
        ..Network::ethernet_100g()
    }
}

/// Whether the transport that `FARSIDE_TRANSPORT` names is the virtual network.
#[must_use]
pub fn is_virtual() -> bool {
    std::env::var("FARSIDE_TRANSPORT").is_ok_and(|name| name.split(':').next() == Some("sim"))
}

/// Runs a program on each rank of this process, from the beginning of its endpoint to its end. `network` is the one of
/// `sim`. What rank 0 returned, if it is here.
///
/// # Errors
/// The launcher, or the transport, fails or is not there.
///
/// # Panics
/// If the program panics in a thread.
pub fn on_each<R: Send>(
    network: &Network,
    program: impl Fn(&dyn Fabric) -> R + Sync,
) -> Result<Option<R>, StartError> {
    let text = std::env::var("FARSIDE_TRANSPORT").unwrap_or_default();
    let (name, rest) = text.split_once(':').unwrap_or((&text, ""));
    let ranks = || rest.parse().map_err(|_| StartError::Name(text.clone()));
    let provider = (!rest.is_empty()).then_some(rest);
    let mut say = |remark: &str| eprintln!("farside: {remark}");
    match name {
        "sim" => {
            let outcome = farside_fabric_sim::run(network, ranks()?, |fabric| program(fabric))
                .map_err(StartError::transport)?;
            Ok(outcome.results.into_iter().next().flatten())
        }
        "threads" => {
            let fabrics = ShmFabric::threads(ranks()?).map_err(StartError::transport)?;
            let program = &program;
            Ok(std::thread::scope(|scope| {
                let ranks: Vec<_> = fabrics
                    .iter()
                    .map(|fabric| scope.spawn(move || program(fabric)))
                    .collect();
                let mut results = ranks.into_iter().map(|rank| rank.join().expect("no rank panics"));
                let first = results.next();
                results.for_each(drop);
                first
            }))
        }
        "" => {
            let fabric = farside_fabric_hybrid::by_place(bootstrap()?, &mut say);
            one(&*fabric.map_err(StartError::transport)?, program)
        }
        "shm" => one(
            &ShmFabric::start(bootstrap()?).map_err(StartError::transport)?,
            program,
        ),
        "hybrid" => {
            let fabric = farside_fabric_hybrid::start(bootstrap()?, provider, &mut say);
            one(&*fabric.map_err(StartError::transport)?, program)
        }
        "ofi" => one(
            &Ofi::open(bootstrap()?, provider).map_err(StartError::transport)?,
            program,
        ),
        _ => Err(StartError::Name(text)),
    }
}

fn bootstrap() -> Result<Arc<dyn Bootstrap>, StartError> {
    let connected = farside_launch::connect().map_err(|error| StartError::Launcher(error.to_string()))?;
    Ok(Arc::from(connected))
}

fn one<R>(fabric: &dyn Fabric, program: impl Fn(&dyn Fabric) -> R) -> Result<Option<R>, StartError> {
    let result = program(fabric);
    fabric.finish().map_err(StartError::transport)?;
    Ok((fabric.rank() == 0).then_some(result))
}
