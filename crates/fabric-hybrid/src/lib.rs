//! The transport `hybrid`: ranks of a node meet in memory, nodes over libfabric.
//!
//! Each rank has two endpoints: one of [`shm`](farside_fabric_shm) among the ranks of its node, one of
//! [`ofi`](farside_fabric_ofi) among all. Memory that it exposes is a segment of `shm`, and registered with libfabric
//! as well. Every operation, message and notification goes one of the two ways, by where its target is: between two
//! ranks there is only one. Memory of the own node is mapped, and reached without a call of the transport
//! ([`Fabric::direct`](farside_fabric::Fabric::direct)), as with `shm` alone.
//!
//! # Which ranks share a node
//! Those on one machine (since its last start), in one pid namespace, to which the launcher gave one value of
//! `FARSIDE_NODE`, if it gave any ([`Nodes`]). If one of them does not see the memory of another, for they run as
//! different users or their containers forbid it, all of that node are by themselves, and the first says why
//! ([`Hybrid::remarks`]).
//!
//! # Promise
//! All of [`farside_fabric`]'s. [`Capabilities`](farside_fabric::Capabilities) are the weaker of the two, field by
//! field: an order or a completion is promised only if it is so to every target. What that means:
//! - *Order*: between two ranks it is that of their way. There is none between puts of two origins, nor between those
//!   of one origin to two targets, with one transport or two; so nothing is lost by having two.
//! - *Completion*: [`flush`](farside_fabric::Fabric::flush) of a target completes what goes its way; of all, both.
//! - *Atomic operations*: coherent between the two ways. `shm` does them by instructions of the origin's processor,
//!   and `ofi` by instructions of the target's, which executes messages ([`farside_fabric::element`] in both); none is
//!   done by an adapter. Both reach the same pages, and the caches of one machine agree on them.
//! - *Counters*: [`arrivals`](farside_fabric::Fabric::arrivals) is the sum of both ways.
//! - *Losses*: known to one way, they end the calls of the other.
//!
//! # Waiting
//! A rank that waits asks its memory as with `shm`, and takes in what came over the network once in a while (`EACH`).
//! Before it sleeps on its doorbell, it hands the network to the thread of its endpoint there, which rings when
//! something comes.
//!
//! # Limits
//! Those of both. A rank that is alone on its node reaches itself by memory, and all others by network. Two nodes on
//! one machine (containers, or as the launcher says) share its processors, and do not bind to any.

mod fabric;
mod members;
mod nodes;
mod start;

pub use fabric::Hybrid;
pub use nodes::Nodes;
pub use start::{by_name, by_place, open, start};
