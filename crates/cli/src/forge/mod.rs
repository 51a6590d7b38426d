//! `farside forge`: all litmus tests up to a size that exercise a rule of coreRMA, with their expected outputs.
//!
//! | step | file |
//! |---|---|
//! | arguments defined, and resolved into rows of tests | `arguments` |
//! | the tests of a row found, and written | crate `corpus` |
//! | the table | `present` |

pub(crate) mod arguments;
mod present;

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
    let settings = arguments.settings();
    let bars = MultiProgress::new();
    let mut rows = Vec::new();
    for wanted in &wanted {
        let bar = match !arguments.quiet && std::io::stderr().is_terminal() {
            true => bars.add(bar(&wanted.name())),
            false => ProgressBar::hidden(),
        };
        rows.push(farside_corpus::forge(wanted, &settings, &mut |news| {
            bar.set_length(news.units as u64);
            bar.set_position(news.done as u64);
            bar.set_message(news.tests.to_string());
        })?);
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
