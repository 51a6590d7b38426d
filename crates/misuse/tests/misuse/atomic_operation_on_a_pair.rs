//! Atomic operations are for numbers.
use farside::{Operation, Result, Window};

fn program(window: &mut Window<[u64; 2]>) -> Result<()> {
    window.fence(|epoch| epoch.accumulate(Operation::Sum, &[[1, 2]], 1, 0))
}

fn main() {}
