//! The memory of a passive window is never the rank's own without a lock.
use farside::{Passive, Result, Window};

fn program(window: &Window<u64, Passive>) -> Result<u64> {
    Ok(window.local()?[0])
}

fn main() {}
