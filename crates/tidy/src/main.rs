//! Keeps the house in order: what no compiler checks and no reader should have to.
//!
//! - `modules`: modules that need one another in a circle, fields that code outside their module can touch, and types
//!   whose methods lie in several files, read from the sources of each crate.
//! - `words`: words of documents, comments and messages that the glossary says we do not use.
//! - `width`: lines of more than 120 characters.
//! - `links`: links and names of files in documents and comments that lead nowhere.
//! - `examples`: examples of the crate `farside` that have no page in the book, or another one than they are.
//!
//! What is not in order and known is in `crates/tidy/known`: these figures may only fall. Exit status: 0 if all is in
//! order, 1 if not, 2 if something could not be read.

mod examples;
mod files;
mod known;
mod links;
mod modules;
mod prose;
mod width;
mod words;

use clap::{Args, Parser, Subcommand};
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
    /// Words that the glossary says we do not use.
    Words(Options),
    /// Lines of more than 120 characters.
    Width(Options),
    /// Links and names of files that lead nowhere.
    Links(Options),
    /// Examples that the book does not have as they are.
    Examples(Options),
}

#[derive(Args)]
struct Options {
    /// Take figures that fell for what is known.
    #[arg(long)]
    accept: bool,
}

fn main() -> ExitCode {
    match check(Arguments::parse().what, &root()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("farside-tidy: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether what was asked for is in order.
fn check(what: Option<What>, root: &Path) -> Result<bool, String> {
    match what {
        Some(What::Modules(options)) => modules::check(root, &options),
        Some(What::Words(options)) => words::check(root, options.accept),
        Some(What::Width(options)) => width::check(root, options.accept),
        Some(What::Links(options)) => links::check(root, options.accept),
        Some(What::Examples(options)) => examples::check(root, options.accept),
        None => {
            // All of them, so that one run says everything.
            let parts = [
                modules::check(root, &modules::Options::default()),
                words::check(root, false),
                width::check(root, false),
                links::check(root, false),
                examples::check(root, false),
            ];
            parts.into_iter().try_fold(true, |fine, part| Ok(fine & part?))
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
