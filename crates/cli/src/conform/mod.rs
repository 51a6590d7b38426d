//! `farside conform`: litmus tests run on an MPI, an OpenSHMEM or a transport, and compared with a model.
//!
//! The work is that of the crate `farside-conform`. Here are the arguments (`arguments`), the tests that are meant
//! read, with their mistakes shown (`case`).

pub(crate) mod arguments;
mod case;

use crate::fault::Fault;
use crate::litmus::models;
use crate::output::{Destination, complain};
use crate::status::Status;
use arguments::{ConformArguments, ConformFormat, RanksArguments};
use farside_conform::{Error, Runner, Target, compare, earlier, fit, rank};
use farside_conformance::Conclusion;
use farside_report::conformance::{json, text};
use indicatif::ProgressBar;
use std::io::IsTerminal as _;

/// What `--model` says for the model that the target declares.
const DECLARED: &str = "declared";

/// Runs the subcommand.
pub(crate) fn run(arguments: &ConformArguments) -> Status {
    conform(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

/// Runs the subcommand that is a rank of a job.
pub(crate) fn run_rank(arguments: &RanksArguments) -> Status {
    match rank::run(&arguments.work()) {
        Ok(()) => Status::Clean,
        Err(error) => {
            eprintln!("farside: {error}");
            match error {
                rank::RankError::Tests(..) => Status::Usage,
                rank::RankError::Start(_) => Status::ProgramFailed,
            }
        }
    }
}

fn conform(arguments: &ConformArguments) -> Result<Status, Fault> {
    // Whatever can be wrong is found before hours are spent.
    let output = Destination::checked(arguments.output.as_deref())?;
    Destination::checked(arguments.log.as_deref())?;
    let fitted = Destination::checked(arguments.fit.as_deref())?;
    let named = (arguments.model != DECLARED).then(|| models::one(&arguments.model, false));
    let named = named.transpose()?;
    let cases = case::cases(&arguments.tests)?;
    let settings = arguments.settings();
    let (results, declared) = match &arguments.from {
        Some(path) => {
            let earlier = earlier(&cases, path, settings.target, settings.accumulate)?;
            let promised = settings.target.declared(settings.accumulate);
            (earlier.results, earlier.declared.or(promised.map(str::to_owned)))
        }
        None => {
            let target = Target::find(settings.target, settings.accumulate)
                .map_err(|missing| Error::Target(settings.target.name(), missing))?;
            let bar = match !arguments.quiet && std::io::stderr().is_terminal() {
                true => ProgressBar::new(cases.len() as u64),
                false => ProgressBar::hidden(),
            };
            let done = || bar.inc(1);
            let mut runner = Runner::new(&settings, &target, &done)?;
            let results = runner.run(&cases)?;
            bar.finish_and_clear();
            (results, runner.declared().map(str::to_owned))
        }
    };
    let (name, model) = match named {
        Some(model) => (arguments.model.clone(), model),
        None => {
            // A transport that could not start has declared nothing, and has no result to be compared.
            let name = declared.unwrap_or_else(|| "coreRMA".to_owned());
            let model = models::one(&name, false)?;
            (name, model)
        }
    };
    let mut report = compare(&results, &model, &name, &settings);
    if arguments.fit.is_some() {
        let found = fit::search(&results, settings.target.name());
        fitted.write(&found.model)?;
        report.fit = Some(found);
    }
    output.write(&match arguments.format {
        ConformFormat::Text => text::render(&report),
        ConformFormat::Json => json::render(&report),
    })?;
    Ok(match report.conclusion() {
        Conclusion::Clean => Status::Clean,
        Conclusion::Forbidden => Status::Findings,
        Conclusion::Inconclusive => Status::Inconclusive,
    })
}
