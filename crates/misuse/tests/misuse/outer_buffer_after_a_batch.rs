//! An inner epoch gives back what was lent to it, not what was lent to the outer one.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &mut [u64], other: &[u64]) -> Result<()> {
    window.fence(|epoch| {
        epoch.put(buffer, 1, 0)?;
        epoch.local(|batch| batch.put(other, 1, 4))?;
        buffer[0] = 7;
        Ok(())
    })
}

fn main() {}
