//! What a request holds is its own until it is waited for.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: Vec<u64>) -> Result<()> {
    window.fence(|epoch| {
        let request = epoch.rput(buffer, 1, 0)?;
        println!("{}", buffer[0]);
        request.wait()?;
        Ok(())
    })
}

fn main() {}
