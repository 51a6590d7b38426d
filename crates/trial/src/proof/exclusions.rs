//! A lock around both accesses of two threads of one process, as a suggestion.
//!
//! A section is an access, and of an operation all up to the call that completes it. Where one statement after the
//! other leads from one access to the other, both are one section: else what one thread has put into a buffer would be
//! overwritten by another one before it is sent. Events do not tell that from two branches of a condition, but a thread
//! does not come to the end of a section then.

use super::Trials;
use crate::near::Which;
use farside_events::CallKind;
use farside_findings::source_order;
use farside_race::{Code, Name, Note, Places, RawFinding, RawParty, RawSuggestion, Spot as At, What};
use std::cmp::Ordering;

impl<P: Places> Trials<'_, P> {
    /// Locks that might be taken around the accesses of a race, the surest first; none if they are not of two threads
    /// of a process that have to be ordered.
    pub(super) fn exclusions(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let ([first, second], What::Race(_)) = (finding.parties.as_slice(), &finding.what) else {
            return Vec::new();
        };
        let advised = finding.suggestion.as_ref();
        if !orders_threads(finding) {
            return Vec::new();
        }
        self.find_near();
        let both = [first, second];
        let completed = both.map(|party| self.completed(party));
        let alone = both.map(|party| [at(party), at(party)]);
        // Where nothing in the run completes an operation that early, it needs a call of its own.
        let advised = advised.into_iter().flat_map(|own| &own.code);
        let mut ahead: Vec<Code> = advised.filter(|code| is_completion(code)).copied().collect();
        ahead.truncate(1);
        let operation = both.into_iter().find(|party| is_operation(&party.name));
        let mut all = Vec::new();
        let mut add = |code: &[Code], after: Option<At>, sections: Vec<[At; 2]>| {
            let suggestion = RawSuggestion::exclusive(code.to_vec(), after, sections);
            if !all.contains(&suggestion) {
                all.push(suggestion);
            }
        };
        if let [Some(of_first), Some(of_second)] = completed {
            if let Some(joined) = self.joined(&of_first, &of_second) {
                add(&[], None, vec![joined]);
            }
            add(&[], None, apart(of_first, of_second));
        }
        if let (Some(operation), false) = (operation, ahead.is_empty()) {
            let [of_first, of_second] = alone;
            if let Some(joined) = self.joined(&of_first, &of_second) {
                add(&ahead, Some(at(operation)), vec![joined]);
            }
            add(&ahead, Some(at(operation)), apart(of_first, of_second));
        }
        all
    }

    /// From an access to where it is complete; `None` if the run does not show that nearby.
    fn completed(&mut self, party: &RawParty) -> Option<[At; 2]> {
        if !is_operation(&party.name) {
            return Some([at(party), at(party)]);
        }
        let spot = self.spots.of(party.site, self.places);
        let after = self.near.as_ref()?.around(spot)?.after(Which::Passed);
        let (kind, end) = after.iter().find(|call| call.may_complete())?.told();
        let completes = matches!(
            kind,
            CallKind::Flush { .. } | CallKind::Unlock | CallKind::UnlockAll | CallKind::Other
        );
        completes.then(|| [at(party), end])
    }

    /// One section of two, if one function makes both, one after the other in its text.
    fn joined(&mut self, one: &[At; 2], other: &[At; 2]) -> Option<[At; 2]> {
        let mut stack = |at: &At| self.places.stack(at.site);
        let stacks = [stack(&one[0]), stack(&other[0])];
        let outer = stacks
            .each_ref()
            .map(|stack| stack.split_first().map(|(_, outer)| outer));
        if outer[0] != outer[1] {
            return None;
        }
        let (early, late) = match source_order(&stacks[0], &stacks[1])? {
            Ordering::Less => (one, other),
            Ordering::Greater => (other, one),
            Ordering::Equal => return None,
        };
        let ends = [stack(&early[1]), stack(&late[1])];
        let end = match source_order(&ends[0], &ends[1])? {
            Ordering::Greater => &early[1],
            _ => &late[1],
        };
        Some([early[0].clone(), end.clone()])
    }
}

/// Two sections, or one if they are the same.
fn apart(one: [At; 2], other: [At; 2]) -> Vec<[At; 2]> {
    let is_same = |a: &At, b: &At| a.site.pc == b.site.pc && a.site.stack == b.site.stack;
    match is_same(&one[0], &other[0]) {
        true => vec![one],
        false => vec![one, other],
    }
}

/// Whether two threads of a process have to be ordered.
pub(super) fn orders_threads(finding: &RawFinding) -> bool {
    let advised = finding.suggestion.as_ref();
    advised.is_some_and(|own| own.notes.iter().any(is_of_threads))
}

/// Whether it says that two threads are to be ordered, and not how.
pub(super) fn is_of_threads(note: &Note) -> bool {
    matches!(note, Note::OrderThreads | Note::AndOrderThreads)
}

pub(super) fn at(party: &RawParty) -> At {
    At {
        site: party.site,
        name: party.name.clone(),
    }
}

fn is_operation(name: &Name) -> bool {
    matches!(
        name,
        Name::Call(CallKind::Operation { .. }) | Name::CallOf(_, CallKind::Operation { .. })
    )
}

pub(super) fn is_completion(code: &Code) -> bool {
    matches!(code, Code::Flush { .. } | Code::WaitForRequest)
}
