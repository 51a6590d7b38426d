//! Recordings of other hosts: how they come to the spool folder of `farside check`.
//!
//! | what | module |
//! |---|---|
//! | where `farside check` is found, and the secret that proves who asks | [`Address`] |
//! | what the two sides say to each other, and how it looks on the wire | `frame` |
//! | the side of `farside check`: hosts' recordings written into its folder | [`Front`] |
//! | the side of a host: a folder of its own, and the collector that empties it | [`node`] |
//!
//! The preloaded library of the first process on a host makes a private folder there and starts a *collector*, a
//! process that sends what is recorded in the folder to the *front*, `farside check`. Both speak over one TCP
//! connection. What the front writes has the names and the form that it has on the host, so that who reads it need
//! not know.
//!
//! Promises: nobody but who has the token from the environment gets anything written. What comes over the connection is
//! checked before it is used: lengths, names, order. Each side ends by itself when the other is gone, or silent for
//! [`SILENCE`]; a collector that ends leaves no folder. The checked processes wait for neither, but for the decision at
//! `MPI_Init` ([`farside_spool::agreement`]) and for the delivery of what they recorded last, both bounded.
//! Limits: the connection is not encrypted; Linux only.
//! Unsafe code is in `node/detach.rs` (two forks) only.

mod address;
mod frame;
mod front;
pub mod node;
#[cfg(test)]
mod tests;

pub use address::Address;
/// The other side is given up after it was silent for so long.
pub use farside_link::SILENCE;
pub use front::{Away, Front, Host, Judges, News, Node};
