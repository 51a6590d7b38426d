//! A half is not changed while an operation reads it.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.halves(|halves| {
        halves.epoch(|epoch| {
            epoch.put(epoch.received()?, 1, 0)?;
            halves.received_mut()?[0] = 7;
            Ok(())
        })
    })
}

fn main() {}
