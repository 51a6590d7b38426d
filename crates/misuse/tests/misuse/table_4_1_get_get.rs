//! Thesis Table 4.1: GET then GET on the same memory, before the first is complete.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &mut [u64]) -> Result<()> {
    window.fence(|epoch| {
        epoch.get(buffer, 1, 0)?;
        epoch.get(buffer, 1, 0)?;
        Ok(())
    })
}

fn main() {}
