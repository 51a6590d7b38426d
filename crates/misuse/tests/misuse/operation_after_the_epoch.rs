//! An epoch does not leave its function: there is no operation after its end.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &[u64]) -> Result<()> {
    let mut kept = None;
    window.fence(|epoch| {
        kept = Some(epoch);
        Ok(())
    })?;
    kept.unwrap().put(buffer, 1, 0)
}

fn main() {}
