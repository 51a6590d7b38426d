//! A request does not leave its epoch, which completes its operation.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<Vec<u64>> {
    let request = window.fence(|epoch| epoch.rget(vec![0; 4], 1, 0))?;
    request.wait()
}

fn main() {}
