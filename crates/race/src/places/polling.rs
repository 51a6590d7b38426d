//! Races of loads, told as the loops of the sources say.
//!
//! The detector tells a load that polls by how often it came back to its bytes. That may be once only, where what it
//! waits for is there; and a loop that counts comes back as well.

use super::Places;
use crate::finding::{Code, Name, Note, RawFinding, RawParty, RawSuggestion, Spot};
use farside_conflicts::Role;
use farside_findings::Rule;

/// The findings, with the rule that the sources tell. Those of the same two places have the same advice then.
pub(super) fn as_the_loops_say(mut raw: Vec<RawFinding>, places: &mut impl Places) -> Vec<RawFinding> {
    for nth in 0..raw.len() {
        let Some(rule) = rule_of(&raw[nth], places) else {
            continue;
        };
        let finding = &raw[nth];
        let same = |other: &&RawFinding| other.rule == rule && are_of_the_same_sites(other, finding);
        let advice = match raw.iter().find(same) {
            Some(other) => other.suggestion.clone(),
            None => {
                let load = finding.parties.iter().find(|party| is_load(party));
                load.filter(|_| rule == Rule::Polling).map(instead)
            }
        };
        (raw[nth].rule, raw[nth].suggestion) = (rule, advice);
    }
    raw
}

/// What is suggested for a load that polls.
fn instead(load: &RawParty) -> RawSuggestion {
    let at = Spot {
        site: load.site,
        name: load.name.clone(),
    };
    RawSuggestion::replace(Code::AtomicRead, None, at).noting(Note::AtomicRead)
}

/// The rule that the sources tell, if it is another one.
fn rule_of(finding: &RawFinding, places: &mut impl Places) -> Option<Rule> {
    let [first, second] = finding.parties.as_slice() else {
        return None;
    };
    let (load, update) = if is_load(first) {
        (first, second)
    } else {
        (second, first)
    };
    let is_by_another = load.site.rank != update.site.rank;
    if !is_load(load) || !is_by_another || !is_told_by_loops(finding.rule) {
        return None;
    }
    let rule = match (places.polls(load.site)?, &update.access) {
        (true, _) => Rule::Polling,
        (false, Some((Role::Target, _))) => Rule::RemoteRace,
        (false, _) => Rule::SharedMemoryRace,
    };
    (rule != finding.rule).then_some(rule)
}

fn is_told_by_loops(rule: Rule) -> bool {
    matches!(rule, Rule::Polling | Rule::RemoteRace | Rule::SharedMemoryRace)
}

fn is_load(party: &RawParty) -> bool {
    party.name == Name::Load && party.only_reads()
}

/// Whether two races are of the same two places, in whatever order.
fn are_of_the_same_sites(one: &RawFinding, other: &RawFinding) -> bool {
    let sites = |finding: &RawFinding| [0, 1].map(|nth| finding.parties.get(nth).map(|party| party.site));
    let ([a, b], [c, d]) = (sites(one), sites(other));
    [a, b] == [c, d] || [a, b] == [d, c]
}
