//! A transport over libfabric, for the networks that it has providers for: TCP, InfiniBand and RoCE (verbs), Slingshot
//! (cxi), EFA and others; found at run time, so that Farside builds and runs without it.
//!
//! Puts and gets are libfabric's RMA (but see 5 below), with delivery-complete writes: an operation is complete when
//! the provider says that it is visible at its target, and an injected write, which says nothing, is never used. A
//! notified put carries its number to the completion queue of the target (`fi_writedata`). A caller that waits makes
//! progress itself. While the user computes, a thread of each endpoint makes progress, since no provider here does.
//! What the provider orders is asked of it and told in [`Capabilities`]; see [`Ofi::describe`].
//!
//! Deviations from what libfabric offers, all seen in [`Capabilities`] or below:
//! 1. Atomic operations are executed by the software of the target, not by libfabric's own ([`Atomics::Emulated`]),
//!    which cost order and promise nothing to the instructions of the target's processor; see `engine/atomic.rs`.
//! 2. Remote counters (`FI_RMA_EVENT`) are not used: they count all writes to a region, [`Signal::Count`] only some. A
//!    counted put carries the number of its region as a notified put carries its own.
//! 3. Where the provider has no immediate, where a put is longer than one operation, and for long puts of libfabric 1's
//!    `shm`, which loses immediates, the signal follows in a message when the put is visible.
//! 4. Local completion is remote completion, but for puts of up to 64 bytes, which are copied.
//! 5. Over a stream of bytes (TCP), puts of up to 64 bytes are held back and travel together in messages, which the
//!    software of the target stores; they are acknowledged when somebody waits for them: `engine/held.rs`.
//! 6. Where the immediate has 4 bytes (verbs), numbers of notifications have 31 bits; the last one tells counted puts.
//!
//! Limits: reliable datagram endpoints (`FI_EP_RDM`) only; a provider that wants origin buffers registered
//! (`FI_MR_LOCAL`) is refused. A rank that dies is known from the launcher ([`Bootstrap::lost`]), or two seconds after
//! an operation to it failed; one that dies while nothing runs to it, under a launcher that does not watch, is not
//! noticed. Of a rank that is killed libfabric's `shm` leaves a file in `/dev/shm`, which `farside run` removes.
//!
//! Environment: `FARSIDE_LIBFABRIC` names the library's file; libfabric reads its own variables (`FI_TCP_IFACE`, ...).

mod engine;
mod fabric;
mod ffi;
mod library;
mod memory;
mod open;
mod port;
mod progress;
mod provider;
mod wire;

pub use fabric::Ofi;
pub use progress::Notice;

#[allow(unused_imports)] // Named in the text above.
use farside_fabric::{Atomics, Capabilities, Signal, bootstrap::Bootstrap};
