//! To forget a request does not give its slice back.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &mut [u64]) -> Result<()> {
    window.fence(|epoch| {
        std::mem::forget(epoch.rget(&mut *buffer, 1, 0)?);
        buffer[0] = 7;
        Ok(())
    })
}

fn main() {}
