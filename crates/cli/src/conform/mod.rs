//! `farside conform`: litmus tests run on a real MPI or OpenSHMEM, and compared with a model.
//!
//! | step | file |
//! |---|---|
//! | arguments defined | `arguments` |
//! | what a target needs: compiler, launcher, package | `target` |
//! | tests compiled into programs, launched under a time limit, their histograms read | `batch` |
//! | histograms compared with a model; the table and the log | `present` |

pub(crate) mod arguments;
mod batch;
mod present;
mod target;

use crate::fault::Fault;
use crate::litmus::{language, sources};
use crate::output::{Destination, complain};
use crate::status::Status;
use arguments::ConformArguments;
use farside_litmus::ast::Program;
use std::io::Write as _;

/// Runs the subcommand.
pub(crate) fn run(arguments: &ConformArguments) -> Status {
    conform(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

fn conform(arguments: &ConformArguments) -> Result<Status, Fault> {
    let log = Destination::checked(arguments.log.as_deref())?;
    let Some(model) = farside_models::named(&arguments.model) else {
        return Err(Fault::NoSuchModel(arguments.model.clone(), None));
    };
    if let Some(missing) = target::missing(arguments.target) {
        return Err(Fault::Target(arguments.target.name(), missing));
    }
    let programs = programs(arguments)?;
    let results = batch::run(&programs, arguments)?;
    let report = present::compare(&results, &model);
    if arguments.log.is_some() {
        log.write(&present::log(&results).to_string())?;
    }
    crate::output::print(&present::text(&report, arguments))?;
    Ok(report.status())
}

/// The tests that are meant, in order.
fn programs(arguments: &ConformArguments) -> Result<Vec<Program>, Fault> {
    let mut programs = Vec::new();
    for path in sources::find(&arguments.tests)? {
        let source = sources::read(&path)?;
        match language::parse(&source, false) {
            Ok(program) => programs.push(program),
            Err(shown) => {
                // Nothing can be done about a stderr that is gone.
                let _ = std::io::stderr().write_all(shown.as_bytes());
                return Err(Fault::NoTests(path, "the test above has mistakes"));
            }
        }
    }
    Ok(programs)
}
