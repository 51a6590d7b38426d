//! The MPI-3 models: the paper's figures, a program for each rule, the two engines against each other, and the race
//! detector of `farside check` against the unified model.

#[allow(dead_code, unreachable_pub)] // Not every test uses every word.
mod build;
mod detector;
mod engines;
mod figures;
#[allow(dead_code, unreachable_pub)]
mod generate;
mod late;
mod open;
mod rules;
mod shrink;
#[allow(unreachable_pub)]
mod stream;
