//! No fence while the window is exposed by post.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.post(&[1], |_| window.fence(|_| Ok(())))
}

fn main() {}
