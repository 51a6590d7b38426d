//! Origin and target have elements of the same type.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &[f64]) -> Result<()> {
    window.fence(|epoch| epoch.put(buffer, 1, 0))
}

fn main() {}
