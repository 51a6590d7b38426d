//! `farside rules` and `farside schema`: what a report can say, and in which form. `farside explain`: what it says of
//! one finding.

pub(crate) mod arguments;
pub(crate) mod finding;

use crate::fault::Fault;
use crate::output::{complain, print};
use crate::status::Status;
use arguments::{RulesArguments, SchemaArguments, SchemaOf};
use farside_findings::{Rule, Severity};
use farside_processes::plain;

/// `farside rules [RULE]`.
pub(crate) fn rules(arguments: &RulesArguments) -> Status {
    let chosen: Vec<Rule> = match &arguments.rule {
        None => Rule::ALL.to_vec(),
        Some(id) => Rule::ALL.iter().copied().filter(|rule| rule.id() == id).collect(),
    };
    if let (Some(id), true) = (&arguments.rule, chosen.is_empty()) {
        complain(&Fault::NoSuchRule(plain(id)));
        return Status::Usage;
    }
    show(&chosen.into_iter().map(describe).collect::<Vec<_>>().join("\n"))
}

/// `farside schema`.
pub(crate) fn schema(arguments: &SchemaArguments) -> Status {
    show(match arguments.of {
        SchemaOf::Check => farside_report::findings::json::SCHEMA,
        SchemaOf::Litmus => farside_report::verdicts::json::SCHEMA,
        SchemaOf::Robust => farside_report::robustness::json::SCHEMA,
        SchemaOf::Conform => farside_report::conformance::json::SCHEMA,
    })
}

fn show(text: &str) -> Status {
    match print(text) {
        Ok(()) => Status::Clean,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

pub(super) fn describe(rule: Rule) -> String {
    let severity = match rule.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!(
        "{} ({severity})\n  {}\n  {}\n",
        rule.id(),
        rule.title(),
        rule.source()
    )
}
