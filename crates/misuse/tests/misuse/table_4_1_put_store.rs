//! Thesis Table 4.1: PUT then STORE on the same memory, before the first is complete.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &mut [u64]) -> Result<()> {
    window.fence(|epoch| {
        epoch.put(buffer, 1, 0)?;
        buffer[0] = 7;
        Ok(())
    })
}

fn main() {}
