//! Fence epochs do not nest.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.fence(|_| window.fence(|_| Ok(())))
}

fn main() {}
