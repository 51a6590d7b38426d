//! Memory of a neighbour is lent for the epoch that gives access to it.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<u64> {
    let cells = window.fence(|epoch| epoch.direct(1))?;
    cells.load(0)
}

fn main() {}
