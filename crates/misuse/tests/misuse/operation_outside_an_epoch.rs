//! An operation needs an epoch: a window has none.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &[u64]) -> Result<()> {
    window.put(buffer, 1, 0)
}

fn main() {}
