//! Within an inner epoch its buffers are borrowed as in any other.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &mut [u64]) -> Result<()> {
    window.fence(|epoch| {
        epoch.local(|batch| {
            batch.put(buffer, 1, 0)?;
            buffer[0] = 7;
            Ok(())
        })
    })
}

fn main() {}
