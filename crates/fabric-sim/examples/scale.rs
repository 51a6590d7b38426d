//! How long a dissemination barrier of many ranks takes to simulate, and how much memory.
//!
//! `cargo run --release -p farside-fabric-sim --example scale -- [RANKS] [BARRIERS]`

use farside_fabric::{Fabric, Rank, Result};
use farside_fabric_sim::{Network, run};
use std::time::Instant;

fn barrier(fabric: &dyn Fabric, turn: u64, early: &mut Vec<(Rank, u64)>) -> Result<()> {
    let (mut distance, mut round) = (1, turn << 8);
    while distance < fabric.size() {
        fabric.send((fabric.rank() + distance) % fabric.size(), round, &[])?;
        let awaited = ((fabric.rank() + fabric.size() - distance) % fabric.size(), round);
        fabric.wait(None, &mut || {
            if let Some(at) = early.iter().position(|message| *message == awaited) {
                early.swap_remove(at);
                return Ok(true);
            }
            let message = fabric.receive()?.map(|message| (message.source, message.tag));
            early.extend(message.filter(|message| *message != awaited));
            Ok(message == Some(awaited))
        })?;
        distance *= 2;
        round += 1;
    }
    Ok(())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let ranks: u32 = arguments.next().map_or(Ok(4096), |text| text.parse())?;
    let barriers: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let began = Instant::now();
    let outcome = run(&Network::infiniband_2009(), ranks, |fabric| {
        let mut early = Vec::new();
        (0..barriers).try_for_each(|turn| barrier(fabric, turn, &mut early))
    })?;
    let wall = began.elapsed();
    let failed = outcome
        .results
        .iter()
        .flatten()
        .find_map(|result| result.clone().err());
    if let Some(error) = failed {
        return Err(error.into());
    }
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("VmHWM: unknown");
    println!(
        "{ranks} ranks, {barriers} barriers: {:?} of virtual time, {} messages, {wall:?} of wall time, {peak}",
        outcome.duration,
        outcome.total().messages,
    );
    Ok(())
}
