//! The transport that `FARSIDE_TRANSPORT` names, for a program that needs endpoints and no windows: the ranks of a job under any
//! launcher, or all ranks in this process (`sim:RANKS`, `threads:RANKS`).

use farside_fabric::Fabric;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric_ofi::Ofi;
use farside_fabric_shm::ShmFabric;
use farside_fabric_sim::Network;
use std::error::Error;
use std::sync::Arc;

/// Runs a program on each rank of this process, from the beginning of its endpoint to its end. `network` is the one of `sim`.
/// What rank 0 returned, if it is here.
///
/// # Errors
/// The launcher, or the transport, fails or is not there.
pub(crate) fn on_each<R: Send>(
    network: &Network,
    program: impl Fn(&dyn Fabric) -> R + Sync,
) -> Result<Option<R>, Box<dyn Error>> {
    let text = std::env::var("FARSIDE_TRANSPORT").unwrap_or_default();
    let (name, rest) = text.split_once(':').unwrap_or((&text, ""));
    match name {
        "sim" => {
            let outcome = farside_fabric_sim::run(network, rest.parse()?, |fabric| program(fabric))?;
            Ok(outcome.results.into_iter().next().flatten())
        }
        "threads" => {
            let fabrics = ShmFabric::threads(rest.parse()?)?;
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
        "" | "shm" => one(&ShmFabric::start(bootstrap()?)?, program),
        "ofi" => one(
            &Ofi::open(bootstrap()?, (!rest.is_empty()).then_some(rest))?,
            program,
        ),
        _ => Err(
            format!("FARSIDE_TRANSPORT={text}: shm, ofi, ofi:PROVIDER, sim:RANKS or threads:RANKS").into(),
        ),
    }
}

fn bootstrap() -> Result<Arc<dyn Bootstrap>, Box<dyn Error>> {
    Ok(Arc::from(farside_launch::connect()?))
}

fn one<R>(fabric: &dyn Fabric, program: impl Fn(&dyn Fabric) -> R) -> Result<Option<R>, Box<dyn Error>> {
    let result = program(fabric);
    fabric.finish()?;
    Ok((fabric.rank() == 0).then_some(result))
}
