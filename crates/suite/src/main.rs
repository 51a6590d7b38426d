//! Runs the suite of small MPI programs and scores the checker.
fn main() {}
