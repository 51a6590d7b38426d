//! Connections between the hosts of a job: how one process is found by those of other hosts, the secret by which they
//! know one another, and messages in frames.
//!
//! | what | module |
//! |---|---|
//! | where the one side listens, and the secret | [`Address`] |
//! | messages on the wire | [`Wire`] |
//! | whether the other side lives | [`Heard`] |
//! | the addresses of this machine | `interfaces` |
//!
//! The side that listens is the *front*. It speaks first, by a greeting that only it can know, so that the token is
//! not told to a stranger that has its address.
//!
//! Promise: what comes over a connection is checked before it is used. Who says every [`BEAT`] that it lives, and
//! gives the other side up after [`SILENCE`], notices the death of a host and the end of a network in bounded time.
//! Limits: nothing is encrypted, so that others can read it; Linux only. Unsafe code is in `interfaces` only.

mod address;
mod heard;
mod interfaces;
mod wire;

pub use address::{Address, connect, listen};
pub use heard::Heard;
pub use wire::{BLOCK, Wire, malformed};

use std::time::Duration;

/// How often each side says that it lives.
pub const BEAT: Duration = Duration::from_secs(2);
/// The other side is given up after it was silent for so long.
pub const SILENCE: Duration = Duration::from_secs(10);
