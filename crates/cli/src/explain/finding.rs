//! `farside explain`: all that is known of one finding, in the terminal.
//!
//! The finding with its sources comes first, then the rule that it breaks, what repairs it, with what came of trying
//! that, and how the sources would look.

use super::describe;
use crate::check::present::{SourceFiles, text_color};
use crate::fault::Fault;
use crate::fix;
use crate::options::Color;
use crate::output::{Destination, complain, print};
use crate::sources;
use crate::status::Status;
use clap::Args;
use farside_findings::{Finding, Report, Rule};
use farside_report::findings::text;
use std::path::PathBuf;

/// What `--help` shows at its end.
pub(crate) const AFTER_HELP: &str = "\
Example:
  farside check --format json -o report.json -- mpirun -n 4 ./app
  farside explain 80776cccfd report.json";

/// `farside explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The id of a finding, of a cause, or of a rule
    id: String,
    /// A report of `farside check` or `farside lint` in its JSON form; a rule needs none
    report: Option<PathBuf>,
    /// Colours in text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &ExplainArguments) -> Status {
    match explain(arguments) {
        Ok(()) => Status::Clean,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

fn explain(arguments: &ExplainArguments) -> Result<(), Fault> {
    let id = arguments.id.as_str();
    if let Some(rule) = Rule::ALL.iter().find(|rule| rule.id() == id) {
        return print(&describe(*rule));
    }
    let path = arguments
        .report
        .as_deref()
        .ok_or_else(|| Fault::NoReport(id.into()))?;
    let report = fix::read(path)?;
    let (of_id, of_cause): (Vec<&Finding>, Vec<&Finding>) = {
        let is_of_cause = |finding: &&Finding| finding.cause.as_deref() == Some(id);
        let all = || report.findings.iter();
        (
            all().filter(|finding| finding.id == id).collect(),
            all().filter(is_of_cause).collect(),
        )
    };
    let wanted = if of_id.is_empty() { of_cause } else { of_id };
    if wanted.is_empty() {
        return Err(Fault::NotInReport(id.into(), path.to_path_buf()));
    }
    let color = text_color(arguments.color, &Destination::Stdout);
    let files = SourceFiles::below(sources::path_of(&report, ""));
    let pages = wanted.into_iter().map(|finding| {
        let told = text::explain(&report, finding, color, &|place| files.line(place));
        format!("{told}{}", repair(&report, finding))
    });
    print(&pages.collect::<Vec<_>>().join("\n"))
}

/// How the sources would look.
fn repair(report: &Report, finding: &Finding) -> String {
    match fix::preview(report, finding) {
        Ok(diff) => format!(
            "\nthe repair that `farside fix --finding {}` makes\n{diff}",
            finding.id
        ),
        Err(refusal) => format!("\n`farside fix` does not repair it: {refusal}\n"),
    }
}
