//! The atomic types of [`central`](crate::central): the processor's. `crates/rma/models/src/lib.rs` has loom's in their
//! place.

pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
