//! `farside conform`: litmus tests run on an MPI, an OpenSHMEM or a transport, and compared with a model.
//!
//! | step | file |
//! |---|---|
//! | arguments defined | `arguments` |
//! | the tests that are meant | `case` |
//! | targets by name: the interface of each, and the model that it promises to keep to | `choice` |
//! | what a target is and needs here: compiler, launcher, package | `target` |
//! | tests made into programs, which are started again behind a test at fault | `batch` |
//! | one start of such a program, under a limit of silence | `job` |
//! | the end of a run before its tests are done: a limit of time, a signal | `stop` |
//! | the log of an earlier run in the place of a run | `earlier` |
//! | such a program, where the target is a transport of the crate farside | `ranks` |
//! | histograms compared with a model | `compare` |
//! | what came out, as data | `report` |
//! | the strongest model that allows them | `fit` |
//! | the report shown | `present` |

pub(crate) mod arguments;
mod batch;
mod case;
mod choice;
mod compare;
mod earlier;
mod fit;
mod job;
pub(crate) mod present;
pub(crate) mod ranks;
mod report;
mod stop;
mod target;

use crate::fault::Fault;
use crate::litmus::models;
use crate::output::{Destination, complain};
use crate::status::Status;
use arguments::{ConformArguments, ConformFormat};
use target::Target;

/// What `--model` says for the model that the target declares.
const DECLARED: &str = "declared";

/// Runs the subcommand.
pub(crate) fn run(arguments: &ConformArguments) -> Status {
    conform(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

fn conform(arguments: &ConformArguments) -> Result<Status, Fault> {
    // Whatever can be wrong is found before hours are spent.
    let output = Destination::checked(arguments.output.as_deref())?;
    Destination::checked(arguments.log.as_deref())?;
    let fitted = Destination::checked(arguments.fit.as_deref())?;
    let named = (arguments.model != DECLARED).then(|| models::one(&arguments.model, false));
    let named = named.transpose()?;
    let cases = case::cases(&arguments.tests)?;
    let (results, declared) = match &arguments.from {
        Some(path) => {
            let earlier = earlier::earlier(&cases, path, arguments)?;
            let promised = arguments.target.declared(arguments.accumulate);
            (earlier.results, earlier.declared.or(promised.map(str::to_owned)))
        }
        None => {
            let target = Target::find(arguments.target, arguments.accumulate)
                .map_err(|missing| Fault::Target(arguments.target.name(), missing))?;
            let mut runner = batch::Runner::new(arguments, &target)?;
            let results = runner.run(&cases)?;
            (results, runner.declared)
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
    let mut report = compare::compare(&results, &model, &name, arguments);
    if arguments.fit.is_some() {
        let found = fit::search(&results, arguments.target.name());
        fitted.write(&found.model)?;
        report.fit = Some(found);
    }
    output.write(&match arguments.format {
        ConformFormat::Text => present::text(&report),
        ConformFormat::Json => present::json(&report),
    })?;
    Ok(report.status())
}
