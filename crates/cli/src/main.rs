//! The command `farside`: arguments in, one call a subcommand, an exit status out.
//!
//! Promise: stdout carries the result, stderr progress and complaints; the exit status is one of [`status::Status`];
//! a closed pipe ends quietly. A panic is a bug of ours and exits with 101.
#![forbid(unsafe_code)]
// They panic where nobody reads any more: `output` has what does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod arguments;
mod bench;
mod check;
mod conform;
mod distil;
mod docs;
mod doctor;
mod explain;
mod fault;
mod fix;
mod forge;
mod kinds;
mod libraries;
mod lint;
mod litmus;
mod lsp;
mod manual;
mod merge;
mod options;
mod output;
mod progress;
mod robust;
mod run;
mod setup;
mod shard;
mod sources;
mod status;
mod words;
mod wrappers;

use arguments::{Arguments, Command};
use clap::{CommandFactory as _, Parser as _};
use merge::Merge;
use merge::arguments::MergeArguments;
use status::Status;
use std::process::ExitCode;
use wrappers::Language;

/// The judges of `check` and the engines make and drop small objects all the time: a fifth of the judge's time was the
/// allocator of the C library.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |what| {
        usual(what);
        output::say!("farside: this is a bug of farside, please report it");
    }));
    match Arguments::of_this_process().command {
        Command::Check(arguments) => check::run(arguments, check::Calls::OfMpi).into(),
        Command::Cc(compiler) => wrappers::run(Language::C, &compiler.arguments),
        Command::Cxx(compiler) => wrappers::run(Language::Cxx, &compiler.arguments),
        Command::Fc(compiler) => wrappers::run(Language::Fortran, &compiler.arguments),
        Command::Build(arguments) => wrappers::build::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments).into(),
        Command::Setup(arguments) => setup::run(&arguments).into(),
        Command::Lint(arguments) => lint::run(&arguments).into(),
        Command::Fix(arguments) => fix::run(&arguments).into(),
        Command::Bench(arguments) => bench::run(&arguments).into(),
        Command::Litmus(arguments) => litmus::run(arguments).into(),
        Command::Conform(arguments) => conform::run(arguments).into(),
        Command::ConformRanks(arguments) => conform::run_rank(&arguments).into(),
        Command::Forge(arguments) => forge::run(arguments).into(),
        Command::Robust(arguments) => robust::run(arguments).into(),
        Command::Run(arguments) => run::run(arguments).into(),
        Command::RunGuard(arguments) => run::guard(&arguments).into(),
        Command::RunAgent => run::agent().into(),
        Command::Merge(arguments) => merged(arguments).into(),
        Command::Explain(arguments) => explain::finding::run(&arguments).into(),
        Command::Rules(arguments) => explain::rules(&arguments).into(),
        Command::Schema(arguments) => explain::schema(&arguments).into(),
        Command::Lsp => lsp::run().into(),
        Command::Docs(arguments) => docs::run(&arguments).into(),
        Command::Completions(arguments) => manual::completions(&arguments, Arguments::command()).into(),
        Command::Man(arguments) => manual::man(&arguments, Arguments::command()).into(),
    }
}

/// Does what the shards' command does at its end.
fn merged(arguments: MergeArguments) -> Status {
    let merge = match Merge::open(arguments) {
        Ok(merge) => merge,
        Err(fault) => {
            output::complain(&fault);
            return Status::Usage;
        }
    };
    let command = Arguments::try_parse_from(merge.command_line()).map(|arguments| arguments.command);
    match command {
        Ok(Command::Forge(arguments)) => forge::merge(&arguments, merge),
        Ok(Command::Litmus(arguments)) => litmus::merge(arguments, merge),
        Ok(Command::Robust(arguments)) => robust::merge(arguments, merge),
        Ok(Command::Conform(arguments)) => conform::merge(arguments, merge),
        Ok(_) | Err(_) => {
            output::complain(&fault::Fault::NotMerged("its command line", "merge".to_owned()));
            Status::Usage
        }
    }
}
