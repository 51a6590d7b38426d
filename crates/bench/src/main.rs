//! Measures what checking costs: `check` on real programs, `engine` on generated event streams of many ranks;
//! `litmus`: what the outcomes of a litmus test cost; `robust`: programs that grow; `rma`: what one-sided calls cost;
//! `lint`: what analysing a program takes.
//!
//! Promise: every figure in a table comes from a run that is in the raw data beside it, with its command line and the
//! machine; ways that are compared are run in turns, so that a slow minute of the machine hits all of them; medians
//! come with their spread. Limits: one machine; figures are only as quiet as that machine, whose load is noted.
//!
//! Exit status: 0 measured, 1 a program failed, was not clean or gave a wrong result, 2 it could not be measured.
#![forbid(unsafe_code)]

mod check;
mod engine;
mod folder;
mod lint;
mod litmus;
mod programs;
mod rma;
mod robust;
mod statistics;
mod streams;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Counts what is allocated, for `engine`.
#[global_allocator]
static ALLOCATOR: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Measures what checking costs.
#[derive(Debug, Parser)]
#[command(name = "farside-bench", version)]
struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Run programs plain, instrumented, under the thread sanitizer and under the checker; then grow the ranks.
    Check(check::Arguments),
    /// Drive the race engine with generated events of many ranks.
    Engine(engine::Arguments),
    /// Analyse programs of 1,000 to 100,000 lines, against the compiler's time on them.
    Lint(lint::Arguments),
    /// Compute the outcomes of litmus tests: the library, and random ones by number of actions and processes.
    Litmus(litmus::Arguments),
    /// One-sided calls between two ranks: the crate farside and the MPIs.
    Rma(rma::Arguments),
    /// Decide robustness of programs that grow.
    Robust(robust::Arguments),
}

/// What all actions know.
#[derive(Debug, Args)]
struct Common {
    /// Small sizes and one repetition: shows that everything works, measures nothing.
    #[arg(long)]
    quick: bool,
    /// Folder for the results; without this option, `bench/results/DATE-HOST` (quick: `target/bench-quick`).
    #[arg(long)]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().action {
        Action::Check(arguments) => check::run(&arguments),
        Action::Engine(arguments) => engine::run(&arguments),
        Action::Lint(arguments) => lint::run(&arguments),
        Action::Litmus(arguments) => litmus::run(&arguments),
        Action::Rma(arguments) => rma::run(&arguments),
        Action::Robust(arguments) => robust::run(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("farside-bench: {message}");
            ExitCode::from(2)
        }
    }
}
