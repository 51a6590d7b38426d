//! Misuse of epochs, assertions and windows.
//!
//! Source: MPI-4.1 §12.5 (which calls may follow which), §12.5.5 (assertions). A fence opens an epoch only if
//! operations follow it, so that a lock or start after an unused fence is no error.

pub(crate) mod assertions;
mod epochs;
mod windows;

use crate::detector::Detector;
use crate::finding::{RawFinding, RawParty, RawSuggestion, Site, Spot};
use farside_events::{Rank, ThreadId, WinId};
use farside_findings::Rule;

/// A call that takes part in a misuse: its name, place, thread and target.
pub(crate) type Caller = (&'static str, Site, ThreadId, Option<Rank>);

pub(crate) fn caller((operation, site, thread, target): Caller) -> RawParty {
    RawParty {
        operation: operation.to_owned(),
        effect: String::new(),
        thread,
        target,
        site,
    }
}

impl Detector {
    /// Reports a misuse with one or more calls, once a set of places.
    pub(crate) fn misuse(
        &mut self,
        rule: Rule,
        win: Option<WinId>,
        parties: Vec<RawParty>,
        message: String,
        suggestion: Option<RawSuggestion>,
    ) {
        let Some(first) = parties.first() else { return };
        let second = parties.get(1).unwrap_or(first);
        if let Some(index) = self.findings.enter(rule, [first.site, second.site]) {
            let finding = RawFinding {
                rule,
                message,
                parties,
                window: win,
                bytes: None,
                address: None,
                missing: None,
                suggestion,
                count: 1,
                timeline: None,
                turned: None,
            };
            self.findings.fill(index, finding);
        }
    }
}

/// A call that is not there, between two parties.
pub(crate) fn advise(
    call: &str,
    after: Option<&RawParty>,
    before: Option<&RawParty>,
    note: &str,
) -> RawSuggestion {
    RawSuggestion::insert(call, after.map(Spot::of), before.map(Spot::of), note)
}
