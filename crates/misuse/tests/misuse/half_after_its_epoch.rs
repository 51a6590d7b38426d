//! A slice that an epoch lends does not leave the function of the epoch.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<u64> {
    window.halves(|halves| {
        let halo = halves.epoch(|epoch| epoch.received())?;
        Ok(halo[0])
    })
}

fn main() {}
