//! No target changes 16 bytes as one.
use farside::{Located, Operation, Result, Window};

fn program(window: &mut Window<Located<f64, u64>>) -> Result<()> {
    window.fence(|epoch| epoch.accumulate(Operation::MaxLoc, &[Located::new(1.0, 2)], 1, 0))
}

fn main() {}
