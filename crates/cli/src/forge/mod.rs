//! `farside forge`: all litmus tests up to a size that exercise a rule of coreRMA, with their expected outputs; and
//! tests by cycles.
//!
//! | step | file |
//! |---|---|
//! | arguments defined, and resolved into rows of tests | `arguments` |
//! | the tests of a row found, and written | crate `corpus` |
//! | the table | `present` |
//! | tests by the edges of cycles, written | `cycles` |

pub(crate) mod arguments;
mod cycles;
mod present;

use crate::fault::Fault;
use crate::merge::Merge;
use crate::output::{Destination, complain};
use crate::progress::ticking;
use crate::shard::Cut;
use crate::status::Status;
use arguments::{ForgeArguments, ForgeFormat};
use farside_corpus::Row;
use farside_shards::Inputs;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;

/// Runs the subcommand.
pub(crate) fn run(arguments: ForgeArguments) -> Status {
    status(forge(arguments))
}

/// Ends a run that was done in shards.
pub(crate) fn merge(arguments: &ForgeArguments, merge: Merge) -> Status {
    status(merged(arguments, merge))
}

fn status(done: Result<(), Fault>) -> Status {
    match done {
        Ok(()) => Status::Clean,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

/// A piece is a unit of a row; pieces are numbered through all rows.
fn shard(cut: &Cut, arguments: &ForgeArguments) -> Result<(), Fault> {
    let mut question = arguments.clone();
    (question.threads, question.quiet) = (None, false);
    let rows = arguments.rows();
    let pieces = farside_corpus::units_of(&rows).iter().sum();
    let mut part = cut.begin(&question, Inputs::default(), pieces)?;
    let has = |piece| cut.has(piece);
    farside_corpus::some(&rows, &arguments.settings(), &has, &mut |piece, done| {
        part.take(piece, &done)
    })?;
    part.finish()
}

fn merged(arguments: &ForgeArguments, mut merge: Merge) -> Result<(), Fault> {
    merge.without_histograms()?;
    let output = Destination::checked(merge.output().as_deref())?;
    let mut arguments = arguments.clone();
    (arguments.out, arguments.archive) = merge.tests();
    let settings = arguments.settings();
    let mut next = || match merge.take()? {
        Some(done) => Ok(done),
        None => Err(Fault::NoShards("its rows have more units than its shards")),
    };
    let rows = arguments.rows();
    let rows = rows
        .iter()
        .map(|wanted| farside_corpus::join(wanted, &settings, &mut next));
    show(&rows.collect::<Result<Vec<_>, _>>()?, &arguments, &output)
}

fn forge(mut arguments: ForgeArguments) -> Result<(), Fault> {
    if arguments.ask_for_nothing() {
        return Err(Fault::NothingToForge);
    }
    if arguments.cycles().are_asked_for() {
        let output = Destination::checked(arguments.output.as_deref())?;
        return cycles::write(arguments.cycles(), arguments.out.as_deref(), &output);
    }
    if let Some(cut) = arguments.cut()? {
        return shard(&cut, &arguments);
    }
    let output = Destination::checked(arguments.output.as_deref())?;
    let wanted = arguments.rows();
    let settings = arguments.settings();
    let bars = MultiProgress::new();
    let mut rows = Vec::new();
    for wanted in &wanted {
        let bar = match !arguments.quiet && std::io::stderr().is_terminal() {
            true => ticking(bars.add(bar(&wanted.name()))),
            false => ProgressBar::hidden(),
        };
        rows.push(farside_corpus::forge(wanted, &settings, &mut |news| {
            bar.set_length(news.units as u64);
            bar.set_position(news.done as u64);
            bar.set_message(news.tests.to_string());
        })?);
        bar.finish_and_clear();
    }
    show(&rows, &arguments, &output)
}

fn show(rows: &[Row], arguments: &ForgeArguments, output: &Destination) -> Result<(), Fault> {
    output.write(&match arguments.format {
        ForgeFormat::Text => present::text(rows),
        ForgeFormat::Json => present::json(rows),
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
