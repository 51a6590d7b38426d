//! What goes wrong, in one sentence: which operations take effect too late, and what should have come after them.

use crate::robustness::words::{shortened, writes};
use farside_robustness::{Address, Event, EventKind, Relation, Violation};

/// A statement in a sentence is no longer than that.
const LONGEST: usize = 48;

/// One sentence, for a cycle; it names statements by line.
#[must_use]
pub(crate) fn sentence(violation: &Violation) -> String {
    let late: Vec<Late<'_>> = (0..violation.cycle.len())
        .filter_map(|edge| Late::of(violation, edge))
        .collect();
    let clauses: Vec<String> = late.iter().map(|late| late.words(violation)).collect();
    match &clauses[..] {
        [] => "no order of the calls gives what is read here.".to_owned(),
        [one] => match between(violation, &late[0]).as_slice() {
            [] => format!("{one}, although it comes first in the code."),
            reasons => format!("{one}, although {}.", reasons.join(", and ")),
        },
        several => format!(
            "{}: no order of the calls explains {}.",
            several.join(", and "),
            if several.len() == 2 { "both" } else { "all of it" }
        ),
    }
}

/// An operation whose effect comes after an access that the cycle orders after its call.
struct Late<'v> {
    operation: &'v Event,
    effect: &'v Event,
    access: &'v Event,
    /// The edge from the effect to the call.
    edge: usize,
}

impl<'v> Late<'v> {
    fn of(violation: &'v Violation, edge: usize) -> Option<Self> {
        let edges = &violation.cycle;
        let back = &edges[edge];
        let before = &edges[(edge + edges.len() - 1) % edges.len()];
        let after = &edges[(edge + 1) % edges.len()];
        let event = |index: usize| violation.events.get(index);
        let (effect, operation, access) = (event(back.from)?, event(back.to)?, event(before.from)?);
        let takes_effect = |event: &Event| matches!(event.kind, EventKind::Popa | EventKind::Popb);
        // What its process did next on the cycle was done before it took effect.
        let late = back.from > after.to
            && back.relation == Relation::Identity
            && before.relation == Relation::Conflict
            && takes_effect(effect)
            && !takes_effect(operation);
        late.then_some(Self {
            operation,
            effect,
            access,
            edge,
        })
    }

    /// For example "`put` (P0, line 3) has not yet written (1, x) when `r = x` (P1, line 7) reads it"
    fn words(&self, violation: &Violation) -> String {
        let does = if writes(violation, self.effect) {
            "written"
        } else {
            "read"
        };
        let then = if writes(violation, self.access) {
            "writes"
        } else {
            "reads"
        };
        let address = self
            .effect
            .address
            .as_ref()
            .map_or_else(|| "its target".to_owned(), Address::to_string);
        format!(
            "{} has not yet {does} {address} when {} {then} it",
            statement(self.operation),
            statement(self.access)
        )
    }
}

/// Why the access should come after the operation: what leads from one to the other along the cycle.
fn between(violation: &Violation, late: &Late<'_>) -> Vec<String> {
    let edges = &violation.cycle;
    let mut reasons = Vec::new();
    // The last edge is the conflict that the sentence has told.
    for step in 1..edges.len() - 1 {
        let edge = &edges[(late.edge + step) % edges.len()];
        let (Some(from), Some(to)) = (violation.events.get(edge.from), violation.events.get(edge.to)) else {
            continue;
        };
        match edge.relation {
            Relation::Identity if from.kind == EventKind::Bar => {
                reasons.push(format!(
                    "the barrier in {} is between them",
                    from.source.line_in_words()
                ));
            }
            Relation::Conflict => reasons.push(match (writes(violation, from), writes(violation, to)) {
                (true, _) if reads(to) => {
                    format!("{} has read what {} wrote", statement(to), statement(from))
                }
                (false, true) => format!("{} has overwritten what {} read", statement(to), statement(from)),
                _ => format!("{} has written after {}", statement(to), statement(from)),
            }),
            Relation::Identity | Relation::ProgramOrder => (),
        }
    }
    reasons
}

fn reads(event: &Event) -> bool {
    matches!(event.kind, EventKind::Load | EventKind::Popa)
}

/// "`write(x, 1, y, q)` (P1, line 12)"
fn statement(event: &Event) -> String {
    let text = match event.source.text.as_str() {
        "" => event.kind.word(),
        text => text,
    };
    match event.source.line {
        0 => format!("`{}` (P{})", shortened(text, LONGEST), event.rank),
        _ => format!(
            "`{}` (P{}, {})",
            shortened(text, LONGEST),
            event.rank,
            event.source.line_in_words()
        ),
    }
}
