//! Where the tests run: on every transport that is one process, on networks that keep order and on those that do not.
//! Under Miri: with two ranks, on one network of each kind.

#[allow(dead_code, reason = "not every test file uses it")]
pub(crate) mod programs;

use farside::sim::{Network, Rarely, Routing, Simulation};
use farside::{Result, World};
use std::time::Duration;

/// Runs a program on 1 to 4 ranks, everywhere.
#[allow(dead_code, reason = "not every test file uses it")]
pub(crate) fn everywhere(program: impl Fn(&World) -> Result<()> + Sync) {
    for ranks in if cfg!(miri) { 2..=2 } else { 1..=4 } {
        with(ranks, &program);
    }
}

/// Runs a program on so many ranks, everywhere.
#[allow(dead_code, reason = "not every test file uses it")]
pub(crate) fn with(ranks: u32, program: impl Fn(&World) -> Result<()> + Sync) {
    for network in networks() {
        let simulation = Simulation::new(&network, ranks);
        let result = farside::simulate_with(simulation, &program);
        result.unwrap_or_else(|error| panic!("{ranks} ranks, simulated, seed {}: {error}", network.seed));
    }
    #[cfg(not(miri))]
    farside::threads(ranks, |world| {
        world.set_time_limit(Some(Duration::from_secs(60)));
        program(world)
    })
    .unwrap_or_else(|error| panic!("{ranks} ranks, threads: {error}"));
}

/// One that keeps order, and some that do all that is allowed: other ways, lost and delayed packets, small packets and
/// messages, targets that take part only when they call.
pub(crate) fn networks() -> Vec<Network> {
    let mut networks = vec![Network::ethernet_100g()];
    if !cfg!(miri) {
        networks.push(Network::tcp());
    }
    for seed in 1..=if cfg!(miri) { 1 } else { 6 } {
        let rarely = |one_in| {
            Some(Rarely {
                one_in,
                time: Duration::from_micros(30),
            })
        };
        networks.push(Network {
            seed,
            routing: Routing::Adaptive {
                paths: 4,
                spread: Duration::from_micros(20),
            },
            delay: rarely(5),
            loss: rarely(7),
            packet: 64,
            message_bytes: 1024,
            message_credits: 2,
            ..Network::ethernet_100g()
        });
    }
    networks
}
