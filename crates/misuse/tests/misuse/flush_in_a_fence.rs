//! Flush is for passive target epochs.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.fence(|epoch| epoch.flush(1))
}

fn main() {}
