//! Keeps the house in order: what no compiler checks and no reader should have to.
//!
//! `farside-tidy modules` reads the module graph of each crate from its sources: modules that need one another in a circle, fields
//! that code outside their module can touch, and types whose methods lie in several files. Exit status: 0 if all is in
//! order, 1 if not, 2 if something could not be read.

mod modules;

use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Checks the order of the house.
#[derive(Parser)]
#[command(name = "farside-tidy", about)]
struct Arguments {
    /// What to check; everything if nothing is named.
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Circles of modules, fields open beyond their module, types whose methods lie in several files.
    Modules(modules::Options),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let what = arguments
        .what
        .unwrap_or(What::Modules(modules::Options::default()));
    let result = match what {
        What::Modules(options) => modules::check(&root(), &options),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("farside-tidy: {error}");
            ExitCode::from(2)
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
