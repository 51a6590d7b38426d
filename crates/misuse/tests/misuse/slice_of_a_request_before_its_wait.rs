//! A slice that a request holds is borrowed until the request gives it back.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &mut [u64]) -> Result<()> {
    window.fence(|epoch| {
        let request = epoch.rget(&mut *buffer, 1, 0)?;
        println!("{}", buffer[0]);
        request.wait()?;
        Ok(())
    })
}

fn main() {}
