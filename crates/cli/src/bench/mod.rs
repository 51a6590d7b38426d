//! `farside bench`: what fences, collective calls and puts cost.
//!
//! The benchmarks are the crate `farside-measure`, their forms those of `farside-report`; here are arguments, files and
//! progress, and (`jobs`) the jobs of processes.

pub(crate) mod arguments;
mod jobs;

use crate::fault::Fault;
use crate::output::{Destination, complain, say};
use crate::status::Status;
use arguments::{BenchArguments, BenchFormat};
use farside_measure::{Place, Plan};
use farside_report::measurements::{html, json, text};
use std::time::Duration;

/// Runs the subcommand.
pub(crate) fn run(arguments: &BenchArguments) -> Status {
    match bench(arguments) {
        Ok(()) => Status::Clean,
        Err(Trouble::Fault(fault)) => {
            complain(&fault);
            Status::Usage
        }
        Err(Trouble::Words(words)) => {
            say!("farside: {words}");
            Status::Usage
        }
    }
}

fn progress(what: &str) {
    say!("farside: {what}");
}

enum Trouble {
    Fault(Fault),
    Words(String),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

fn bench(arguments: &BenchArguments) -> Result<(), Trouble> {
    let words = |error: &dyn std::fmt::Display| Trouble::Words(error.to_string());
    let output = Destination::checked(arguments.output.as_deref())?;
    let extra = |path: &Option<std::path::PathBuf>| {
        let checked = path.as_deref().map(|path| Destination::checked(Some(path)));
        checked.transpose()
    };
    let (json_file, html_file) = (extra(&arguments.json)?, extra(&arguments.html)?);
    let fences: Result<Vec<farside_measure::Fence>, String> =
        arguments.fences.iter().map(|name| name.parse()).collect();
    let mut fences = fences.map_err(|error| words(&error))?;
    if fences.is_empty() {
        fences = farside_measure::Fence::ALL.to_vec();
    }
    let report = match &arguments.transport {
        Some(transport) => jobs::run(arguments, transport, &fences)?,
        None => {
            let plan = Plan {
                studies: arguments.studies(),
                place: Place::named(&arguments.on, arguments.reordering, arguments.node_ranks)
                    .map_err(|error| words(&error))?,
                ranks: arguments.ranks(),
                fences,
                samples: arguments.samples,
                slow: Duration::from_micros(arguments.slow),
            };
            let report = plan.run(progress).map_err(|error| words(&error))?;
            // Of a job, rank 0 alone has figures.
            if report.rows.is_empty() && plan.place == Place::World {
                return Ok(());
            }
            report
        }
    };
    output.write(&match arguments.format {
        BenchFormat::Text => text::render(&report),
        BenchFormat::Json => json::render(&report),
        BenchFormat::Html => html::render(&report),
    })?;
    if let Some(file) = json_file {
        file.write(&json::render(&report))?;
    }
    if let Some(file) = html_file {
        file.write(&html::render(&report))?;
    }
    Ok(())
}
