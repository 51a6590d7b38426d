//! `farside forge`: all litmus tests up to a size that exercise a rule of coreRMA, with their expected outputs.
//!
//! | step | file |
//! |---|---|
//! | arguments defined, and resolved into rows of tests | `arguments` |
//! | the tests of a row found, and their outputs computed, by several threads | `row` |
//! | tests, expected outputs and progress on disk | `folder` |
//! | a file that can be cut back to where it was whole | `stream` |
//! | the table | `present` |

pub(crate) mod arguments;
mod folder;
mod present;
mod row;
mod stream;

use crate::fault::Fault;
use crate::output::{Destination, complain};
use crate::status::Status;
use arguments::ForgeArguments;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;

/// Runs the subcommand.
pub(crate) fn run(arguments: &ForgeArguments) -> Status {
    match forge(arguments) {
        Ok(()) => Status::Clean,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

fn forge(arguments: &ForgeArguments) -> Result<(), Fault> {
    let output = Destination::checked(arguments.output.as_deref())?;
    let wanted = arguments.rows();
    let bars = MultiProgress::new();
    let mut rows = Vec::new();
    for wanted in &wanted {
        let bar = match !arguments.quiet && std::io::stderr().is_terminal() {
            true => bars.add(bar(&wanted.name())),
            false => ProgressBar::hidden(),
        };
        let folder = match &arguments.out {
            Some(out) => Some(folder::Folder::open(
                out,
                wanted,
                arguments.content(),
                arguments.restart,
            )?),
            None => None,
        };
        rows.push(row::forge(wanted, arguments, folder, &bar)?);
        bar.finish_and_clear();
    }
    output.write(&match arguments.format {
        arguments::ForgeFormat::Text => present::text(&rows),
        arguments::ForgeFormat::Json => present::json(&rows),
    })
}

fn bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::new(0).with_prefix(name.to_owned());
    // The template is a constant that indicatif accepts; without it the bar looks plainer.
    if let Ok(style) = ProgressStyle::with_template(
        "{prefix:7} {pos}/{len} units {wide_bar} {msg} tests, {elapsed}, {eta} left",
    ) {
        bar.set_style(style);
    }
    bar
}
