//! Measures what checking costs.
fn main() {}
