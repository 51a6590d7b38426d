//! Races put into words: which order is missing. Which call would make it, `advice` says.

use crate::detector::Detector;
use crate::finding::{RawFinding, RawParty};
use crate::record::Record;
use farside_clocks::VectorClock;
use farside_conflicts::{Conflict, Role};
use farside_events::Rank;
use farside_findings::{ByteRange, MissingOrder, Rule};
use std::ops::Range;
use std::rc::Rc;

/// A load is a polling loop from this many returns to the same place on.
const POLLING_VISITS: u64 = 2;

impl Detector {
    /// Two conflicting accesses, of which `old` came first and does not precede `new`, which knows `clock`.
    pub(crate) fn race(
        &mut self,
        owner: Rank,
        range: Range<u64>,
        old: &Rc<Record>,
        new: &Rc<Record>,
        kind: Conflict,
        clock: &VectorClock,
    ) {
        let rule = rule_of(old, new, kind);
        if rule == Rule::Polling && self.options.polling == crate::Polling::Allow {
            return;
        }
        let known = [(old.site, old.name()), (new.site, new.name())];
        let Some(index) = self.findings.enter(rule, known.map(|(site, _)| site)) else {
            return;
        };
        let happens_before = !clock.covers(old.issued.get());
        let consistency = old.operation().is_some();
        let explanation = explanation(old, new, happens_before, consistency);
        let op = new.operation().or(old.operation());
        let window = op.map(|op| op.win).or_else(|| self.window_at(owner, range.start));
        let base = window.and_then(|win| self.windows.get(&win)?.parts.get(&owner).cloned());
        let inside = base.filter(|part| {
            part.size > 0 && part.base <= range.start && range.start < part.base.saturating_add(part.size)
        });
        let bytes = match &inside {
            Some(part) => ByteRange {
                rank: owner.0,
                start: range.start - part.base,
                end: range.end - part.base,
                in_window: true,
                variable: None,
            },
            None => ByteRange {
                rank: owner.0,
                start: range.start,
                end: range.end,
                in_window: false,
                variable: None,
            },
        };
        let timeline = self
            .findings
            .wants_timeline()
            .then(|| self.timeline.excerpt(&[old, new]));
        let finding = RawFinding {
            rule,
            message: message(rule, old, new),
            parties: vec![party(old), party(new)],
            window,
            bytes: Some(bytes),
            address: Some(range.start),
            missing: Some(MissingOrder {
                happens_before,
                consistency_order: consistency,
                explanation,
            }),
            suggestion: None,
            count: 1,
            timeline,
            turned: None,
        };
        self.findings.fill(index, finding);
        self.follow_race(index, rule, old, new, clock);
    }
}

fn rule_of(old: &Record, new: &Record, kind: Conflict) -> Rule {
    let polls = |load: &Record, update: &Record| {
        load.access.role == Role::Local
            && !load.writes()
            && load.visits.get() >= POLLING_VISITS
            && update.access.rank != load.access.rank
            && (update.access.role == Role::Target || kind == Conflict::SharedMemory)
    };
    match kind {
        _ if polls(old, new) || polls(new, old) => Rule::Polling,
        Conflict::AtOrigin => Rule::LocalRace,
        Conflict::AtTarget => Rule::RemoteRace,
        Conflict::Accumulates => Rule::AccumulateMismatch,
        Conflict::SharedMemory => Rule::SharedMemoryRace,
    }
}

pub(crate) fn party(record: &Record) -> RawParty {
    RawParty {
        operation: record.name().to_owned(),
        effect: record.access.effect.verb().to_owned(),
        thread: record.thread,
        target: record.operation().map(|op| op.target),
        site: record.site,
    }
}

pub(crate) fn message(rule: Rule, old: &Record, new: &Record) -> String {
    let side = |record: &Record| {
        let place = match record.access.role {
            Role::Origin => " (origin buffer)",
            Role::Target => " (target)",
            Role::Local | Role::LocalAtomic => "",
        };
        format!(
            "{}{place} by rank {} {}",
            record.name(),
            record.access.rank.0,
            record.access.effect.verb()
        )
    };
    let tail = match rule {
        Rule::LocalRace => "the same bytes before the operation is complete at its origin",
        Rule::Polling => "the same bytes: the loop is defined only in the unified memory model",
        Rule::AccumulateMismatch => "the same bytes with another basic type, alignment or operator",
        _ => "the same bytes, and nothing orders the two",
    };
    format!("{} and {} {tail}", side(old), side(new))
}

pub(crate) fn explanation(old: &Record, new: &Record, happens_before: bool, consistency: bool) -> String {
    let (first, second) = (old.name(), new.name());
    let completion = match (old.operation(), old.access.role) {
        (Some(op), Role::Target) if op.remote.get().is_some() => {
            "its completion at the target is not known to the second"
        }
        (Some(_), Role::Target) => "it is still open at the target",
        (Some(op), _) if op.local.get().is_some() => "its local completion is not known to the second",
        (Some(_), _) => "it is still open at its origin",
        (None, _) => "",
    };
    match (happens_before, consistency) {
        (true, true) => format!(
            "no chain of synchronisation leads from {first} on rank {} to {second} on rank {}, and {completion}",
            old.access.rank.0, new.access.rank.0
        ),
        (true, false) => format!(
            "no chain of synchronisation leads from {first} on rank {} to {second} on rank {}",
            old.access.rank.0, new.access.rank.0
        ),
        (false, _) => format!("{first} was issued before {second}, but {completion}"),
    }
}
