//! Access epochs do not nest.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.post(&[1], |exposure| {
        exposure.start(&[1], |_| exposure.start(&[2], |_| Ok(())))
    })
}

fn main() {}
