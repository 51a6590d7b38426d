//! How operations of a fence epoch are started, as the design of the fence asks.

use farside_fabric::Signal;

/// How operations of an epoch are started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// At once; nothing is recorded.
    Direct,
    /// At once; puts to the window carry this, and are recorded by their target.
    Recorded(Signal),
    /// By the fence.
    Deferred,
    /// Not at all: the epoch was broken off, and nobody knows who may access what.
    Off,
}
