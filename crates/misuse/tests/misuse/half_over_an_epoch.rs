//! A slice of the half that an epoch brought ends before the next epoch begins.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<u64> {
    window.halves(|halves| {
        halves.epoch(|_| Ok(()))?;
        let halo = halves.received()?;
        halves.epoch(|_| Ok(()))?;
        Ok(halo[0])
    })
}

fn main() {}
