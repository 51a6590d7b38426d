//! Operations that reach outside the target's window, or whose counts are negative.
//!
//! Source: MPI-4.1 §12.3 (displacements, counts), §12.2.4 (attached memory).

use super::{Caller, caller};
use crate::detector::Detector;
use crate::finding::{RawFinding, Site};
use farside_events::{Operation, Rank, ThreadId};
use farside_findings::{ByteRange, Rule};
use std::ops::Range;

impl Detector {
    /// MPI refuses the call, and ends the program unless an error handler says otherwise: nothing is transferred.
    pub(crate) fn negative_count(&mut self, call: &Operation, caller_of: Caller, count: i64) {
        let message = format!("{} with a count of {count}: a count is not negative", caller_of.0);
        self.misuse(
            Rule::OutOfRange,
            Some(call.win),
            vec![caller(caller_of)],
            message,
            None,
        );
    }

    #[allow(clippy::too_many_arguments)] // Everything that the report names.
    pub(crate) fn target_outside(
        &mut self,
        call: &Operation,
        target: Rank,
        range: Range<u64>,
        dynamic: bool,
        (base, size): (u64, u64),
        thread: ThreadId,
        site: Site,
    ) {
        let name = self
            .options
            .interface
            .name(call.kind.call_name(call.request.is_some()));
        let parties = vec![caller((name, site, thread, Some(target)))];
        if dynamic {
            let message = format!(
                "{name} to [{:#x}, {:#x}) of rank {}, which is not attached to the window",
                range.start, range.end, target.0
            );
            return self.misuse(Rule::UnmatchedAttach, Some(call.win), parties, message, None);
        }
        let offset = |address: u64| address.wrapping_sub(base) as i64;
        let message = format!(
            "{name} to bytes [{}, {}) of the window of rank {}, which has {size} bytes",
            offset(range.start),
            offset(range.end),
            target.0
        );
        let second = parties.first().map_or(site, |party| party.site);
        if let Some(index) = self.findings.enter(Rule::OutOfRange, [site, second]) {
            let bytes = ByteRange {
                rank: target.0,
                start: range.start,
                end: range.end,
                in_window: false,
                variable: None,
            };
            let finding = RawFinding {
                rule: Rule::OutOfRange,
                message,
                parties,
                window: Some(call.win),
                bytes: Some(bytes),
                address: None,
                missing: None,
                suggestion: None,
                count: 1,
                timeline: None,
                turned: None,
            };
            self.findings.fill(index, finding);
        }
    }
}
