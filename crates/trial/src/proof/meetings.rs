//! A barrier of the threads of a team, or a wait for tasks, as a suggestion.
//!
//! It stands between the two accesses in the order of the text, whichever of them the run found first: threads that
//! nothing orders may come in either order. Unlike a lock, it says which one that is.

use super::Trials;
use super::exclusions::{at, is_completion, orders_threads};
use crate::cut::of_team;
use farside_findings::source_order;
use farside_race::{Code, Places, RawFinding, RawSuggestion, What, is_task};
use std::cmp::Ordering;

impl<P: Places> Trials<'_, P> {
    /// Where threads might meet between the accesses of a race, if they are of two threads of a process that have to be
    /// ordered; the surest first.
    pub(super) fn meetings(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let ([first, second], What::Race(_)) = (finding.parties.as_slice(), &finding.what) else {
            return Vec::new();
        };
        if !orders_threads(finding) || first.site.rank != second.site.rank {
            return Vec::new();
        }
        let stacks = [first, second].map(|party| self.places.stack(party.site));
        let stacks = of_team(&stacks[0], &stacks[1]);
        let outermost =
            |stack: &[farside_findings::Frame], depth: usize| stack.iter().rev().nth(depth).cloned();
        let shared = stacks[0].iter().rev().zip(stacks[1].iter().rev());
        let depth = shared.take_while(|(a, b)| a == b).count();
        let (Some(one), Some(other)) = (outermost(stacks[0], depth), outermost(stacks[1], depth)) else {
            return Vec::new();
        };
        let is_below = match source_order(&[one], &[other]) {
            Some(Ordering::Less) => false,
            Some(Ordering::Greater) => true,
            _ => return Vec::new(),
        };
        let (above, below, stack) = match is_below {
            true => (second, first, stacks[1]),
            false => (first, second, stacks[0]),
        };
        let inner = stack.len().saturating_sub(depth + 1);
        let code = match stack[..inner].iter().any(is_task) {
            true => Code::TaskWait,
            false => Code::TeamBarrier,
        };
        // Where nothing in the run completes an operation that early, it needs a call of its own.
        let own = finding.suggestion.iter().flat_map(|own| &own.code);
        let ahead = own.filter(|code| is_completion(code) && !is_below).take(1);
        let all = [Some(vec![]), ahead.map(|code| vec![*code]).next()];
        let suggestion = |mut codes: Vec<Code>| {
            codes.push(code);
            RawSuggestion::meeting(codes, at(above), at(below))
        };
        all.into_iter().flatten().map(suggestion).collect()
    }
}
