//! The MPI-3 models: the paper's figures, a program for each rule, and the two engines against each other.

#[allow(dead_code, unreachable_pub)] // Not every test uses every word.
mod build;
mod engines;
mod figures;
#[allow(dead_code, unreachable_pub)]
mod generate;
