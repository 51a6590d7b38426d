//! A buffer is not dropped, or moved away, while an operation is pending.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: Vec<u64>) -> Result<()> {
    window.fence(|epoch| {
        epoch.put(&buffer, 1, 0)?;
        drop(buffer);
        Ok(())
    })
}

fn main() {}
