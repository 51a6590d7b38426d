//! `farside run` from the outside, on a program that does what its arguments say (`crates/launch/examples/conduct.rs`).

mod checked;
mod failures;
mod hosts;
mod jobs;
mod launchers;
mod losses;
mod output;
mod signals;
mod stage;
mod transports;
