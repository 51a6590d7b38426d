//! A window belongs to the thread that made it.
use farside::{Window};

fn program(window: Window<u64>) {
    std::thread::spawn(move || window.free());
}

fn main() {}
