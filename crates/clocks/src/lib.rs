//! Vector clocks that store what changes, interval maps, and sets of bytes.
//!
//! A clock of a job of 16,384 processes has 16,384 components, but after a world-wide barrier all processes agree on
//! all of them. So a [`VectorClock`] is a shared [`Base`] (the state of agreement) and a short sorted list of the
//! components that went beyond it. Joining costs what the lists hold, not the number of processes.
//!
//! Limit: without any global synchronisation the lists grow with what a process has heard of, in the end to one
//! entry a process; that is the information itself, not overhead.
#![forbid(unsafe_code)]

mod byte_set;
mod clock;
mod interval_map;

pub use byte_set::{ByteSet, PageBits};
pub use clock::{Base, Component, Epoch, Gathering, VectorClock};
pub use interval_map::{At, IntervalMap};
