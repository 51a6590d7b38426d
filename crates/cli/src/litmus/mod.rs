//! `farside litmus`: which outcomes may a small program have under a memory model, and why.
//!
//! | step | file |
//! |---|---|
//! | arguments defined, and resolved | `arguments`, `settings` |
//! | files, folders and lists of tests | `sources` |
//! | models by name and by file | `models` |
//! | many tests at the same time | `set` |
//! | one test parsed, and judged under its models by `farside_explore::verdict` | `judge` |
//! | mistakes in tests and models shown | `diagnostics` |
//! | the report shown, and the exit status | `present` |
//! | two logs compared | `diff` |

pub(crate) mod arguments;
mod diagnostics;
mod diff;
mod judge;
pub(crate) mod language;
pub(crate) mod models;
mod present;
mod set;
mod settings;
pub(crate) mod sources;

use crate::fault::Fault;
use crate::output::{complain, print};
use crate::status::Status;
use arguments::{LitmusArguments, LitmusCommand};
use settings::Settings;

/// Runs the subcommand.
pub(crate) fn run(mut arguments: LitmusArguments) -> Status {
    let result = match arguments.command.take() {
        Some(LitmusCommand::Diff(logs)) => diff::diff(&logs),
        None if arguments.models => print(&models::list()).map(|()| Status::Clean),
        None => litmus(arguments),
    };
    result.unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

fn litmus(arguments: LitmusArguments) -> Result<Status, Fault> {
    let settings = Settings::resolve(arguments)?;
    let paths = sources::find(&settings.files)?;
    let results = set::run(
        &paths,
        settings.threads,
        settings.bar && paths.len() > 1,
        |path| judge::test(path, &settings),
    );
    let mut troubles = 0;
    let mut judged = Vec::new();
    for result in results {
        match result {
            Ok(test) => judged.push(test),
            Err(trouble) => {
                troubles += 1;
                present::complain(&trouble);
            }
        }
    }
    let status = present::present(judged, &settings)?;
    Ok(if troubles > 0 { Status::Usage } else { status })
}
