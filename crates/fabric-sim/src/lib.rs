//! The transport `sim`: ranks in one process on one thread, over a virtual network, in virtual time.
//!
//! [`run`] gives each rank an endpoint and lets them all run until they return. A rank is a coroutine; exactly one runs
//! at a time, in the order of virtual time, so that a run is decided by its program and the seed of its [`Network`]:
//! the same run can be had again and again. Nothing here takes real time but computing: 4,096 ranks are no matter.
//!
//! ```
//! use farside_fabric_sim::{Network, run};
//! use std::time::Duration;
//!
//! // A ring: everybody greets the next rank.
//! let outcome = run(&Network::ethernet_100g(), 1000, |fabric| {
//!     fabric.send((fabric.rank() + 1) % fabric.size(), 0, b"hello").expect("there is a next rank");
//!     let mut source = None;
//!     fabric
//!         .wait(None, &mut || {
//!             source = fabric.receive()?.map(|message| message.source);
//!             Ok(source.is_some())
//!         })
//!         .expect("nobody dies");
//!     source
//! })
//! .expect("nobody waits for ever");
//! assert_eq!(outcome.results[0], Some(Some(999)));
//! assert!(outcome.duration < Duration::from_micros(5));
//! ```
//!
//! Promise:
//! 1. What [`Capabilities`](farside_fabric::Capabilities) says holds, and all that is allowed can happen: with
//!    [`Routing::Adaptive`] a message overtakes a put; the bytes of a put are read at any moment between the call and
//!    local completion that the seed chooses, so that a buffer that is used too early is seen.
//! 2. Costs are those of [`network`], a LogGP model with ports.
//! 3. When all ranks wait and nothing is under way, the run ends with [`Error::Deadlock`], and says who waits for what.
//! 4. A rank that panics ends the run with its number. A rank that is killed ([`Simulation::kill`], [`SimFabric::die`])
//!    is lost for the others after a while.
//!
//! Limits:
//! 1. All ranks run on the thread that called `run`: they share its thread-local variables, and a lock that one holds
//!    over a call of its endpoint blocks the process when another wants it. Threads that a rank starts, and coroutines
//!    of its own, are refused by the endpoint ([`farside_fabric::Error::Unsupported`]). So are destructors while the
//!    rank panics ([`farside_fabric::Error::PeerLost`]); the first such call cancels what the rank has pending.
//! 2. Time passes in calls only. A loop that looks at memory and calls nothing never ends: there is nobody to change
//!    it. Call [`compute`](farside_fabric::Fabric::compute) or [`wait`](farside_fabric::Fabric::wait) in it. Every call
//!    that a loop may be made of takes time, so that any other loop comes to an end.
//! 3. The stack of a rank is fixed ([`Simulation::stack`]).
//! 4. Exposed memory that was not withdrawn is freed when the run has ended and the last endpoint is gone, also that of
//!    ranks that were killed.
//!
//! Deviations from real networks:
//! 1. A port serves operations one after the other; adapters take turns between connections, packet by packet.
//! 2. Acknowledgements cost latency only.
//! 3. A lost packet is sent again after a time-out, and with [`Routing::Ordered`] what follows it waits; what follows
//!    is not sent again.
//! 4. An operation's memory is written and read packet by packet ([`Network::packet`]): within a packet nothing is
//!    torn.
//! 5. A message is one packet, and its bytes are copied by its sender at once, whatever its length.
//! 6. The switch is ideal: packets meet at the ports of ranks only.

mod baton;
mod choices;
mod coroutine;
mod endpoint;
pub mod network;
mod outcome;
mod simulation;
mod time;
pub mod trace;
mod world;

pub use choices::{Choice, Choices, Random, Script};
pub use endpoint::SimFabric;
pub use network::{Link, Network, Nodes, Rarely, Routing};
pub use outcome::{Counters, Error, Outcome, Waiting};
pub use simulation::Simulation;

use farside_fabric::Fabric;

/// Runs a program on so many ranks, until all have returned. [`Simulation`] has more to choose from.
///
/// # Errors
/// As [`Simulation::run`].
pub fn run<R>(
    network: &Network,
    ranks: u32,
    program: impl Fn(&dyn Fabric) -> R,
) -> Result<Outcome<R>, Error> {
    Simulation::new(network, ranks).run(|fabric| program(fabric))
}
