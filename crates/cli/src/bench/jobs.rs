//! `farside bench --transport`: this command under `farside run`, in turns with MPIs.

use super::arguments::BenchArguments;
use super::{Trouble, progress};
use crate::fault::Fault;
use farside_measure::contest::{self, Contestant, Peer};
use farside_measure::mpi::Wire;
use farside_measure::{Fence, Report};

/// Measures between processes.
pub(super) fn run(arguments: &BenchArguments, transport: &str, fences: &[Fence]) -> Result<Report, Trouble> {
    let own = std::env::current_exe().map_err(|error| Fault::NotStarted("farside".into(), error))?;
    let own = own.display().to_string();
    let wire = wire(transport);
    if wire.is_none() && !arguments.mpi.is_empty() {
        return Err(Trouble::Words(format!(
            "--mpi: no MPI here communicates over {transport}; it goes with shm and with TCP (ofi, ofi:net, ofi:tcp)"
        )));
    }
    let folder = tempfile::tempdir().map_err(Fault::no_temporary)?;
    let compile = |library| Peer::compile(library, folder.path());
    let peers: Result<Vec<Peer>, _> = arguments.mpi.iter().copied().map(compile).collect();
    let peers = peers.map_err(|missing| Trouble::Words(format!("--mpi: {missing}")))?;
    let mut contestants = Vec::new();
    for ranks in arguments.ranks() {
        contestants.push(Contestant::farside(
            ranks,
            command(arguments, &own, transport, fences, ranks),
        ));
        for (peer, wire) in peers.iter().filter_map(|peer| Some((peer, wire?))) {
            contestants.push(peer.contestant(wire, ranks, arguments.samples, &arguments.studies()));
        }
    }
    let report = contest::run(
        transport,
        &contestants,
        arguments.rounds,
        arguments.time_limit,
        progress,
    );
    match report.rows.is_empty() {
        true => Err(Trouble::Words(report.left_out.join("; "))),
        false => Ok(report),
    }
}

/// The job of so many ranks.
fn command(
    arguments: &BenchArguments,
    own: &str,
    transport: &str,
    fences: &[Fence],
    ranks: u32,
) -> Vec<String> {
    let names: Vec<&str> = fences.iter().map(|fence| fence.name()).collect();
    let mut words: Vec<String> = [
        own,
        "run",
        "-n",
        &ranks.to_string(),
        "--transport",
        transport,
        "--",
        own,
        "bench",
    ]
    .map(str::to_owned)
    .to_vec();
    words.extend(arguments.studies().iter().map(|study| study.name().to_owned()));
    let options = [
        ("--on", "world".to_owned()),
        ("--format", "json".to_owned()),
        ("--fences", names.join(",")),
        ("--samples", arguments.samples.to_string()),
        ("--slow", arguments.slow.to_string()),
    ];
    words.extend(
        options
            .into_iter()
            .flat_map(|(name, value)| [name.to_owned(), value]),
    );
    words
}

/// What an MPI has to communicate over to be compared with a transport; `None`: it cannot be.
fn wire(transport: &str) -> Option<Wire> {
    if transport == "shm" || transport == "ofi:shm" {
        return Some(Wire::SharedMemory);
    }
    let over_tcp = ["ofi", "ofi:net", "ofi:tcp", "ofi:sockets"];
    (over_tcp.contains(&transport) || transport.starts_with("ofi:tcp;") || transport.starts_with("ofi:net;"))
        .then_some(Wire::Tcp)
}
