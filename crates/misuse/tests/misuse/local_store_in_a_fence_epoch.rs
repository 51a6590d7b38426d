//! No store to the own memory while others may access it.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.fence(|_| {
        window.local_mut()?[0] = 1;
        Ok(())
    })
}

fn main() {}
