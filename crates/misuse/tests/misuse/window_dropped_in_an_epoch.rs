//! A window is not dropped while an epoch, and so an operation, is open on it.
use farside::{Result, Window};

fn program(mut window: Window<u64>, buffer: &[u64]) -> Result<()> {
    window.fence(|epoch| {
        epoch.put(buffer, 1, 0)?;
        drop(window);
        Ok(())
    })
}

fn main() {}
