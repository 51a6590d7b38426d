//! One change for several findings: where what is to be done for one of them makes another one go, too, nothing else
//! need be done for that.

use super::{Help, Trials};
use farside_findings::{Action, Proof};
use farside_race::{Note, Places, RawSuggestion};
use std::collections::{BTreeMap, BTreeSet};

impl<P: Places> Trials<'_, P> {
    /// Tells for a finding what is told for another one, if that helps here as well, and costs no more than its own.
    ///
    /// Nobody pays for it: the other finding needs it anyway. So whatever is told for another one keeps its own.
    pub(super) fn join(&mut self, helping: &mut BTreeMap<&String, Vec<Help>>, known: &BTreeSet<String>) {
        let mut joined: BTreeSet<&String> = BTreeSet::new();
        let ids: Vec<&String> = helping.keys().copied().collect();
        for id in &ids {
            let Some(own) = helping[id].first().filter(|own| may_join(own)) else {
                continue;
            };
            let of_others = ids
                .iter()
                .filter(|other| *other != id && !joined.contains(*other));
            let of_others = of_others.filter_map(|other| helping[other].first());
            let is_other = |help: &&Help| help.ways[help.way] != own.ways[own.way];
            let is_no_dearer = |help: &&Help| help.suggestion.cost <= own.suggestion.cost;
            let of_others = of_others.filter(|help| may_join(help));
            let of_others: Vec<Help> = of_others.filter(is_other).filter(is_no_dearer).cloned().collect();
            let told = (id.as_str(), known);
            for help in of_others {
                if self.recording.work() >= self.others_until {
                    return;
                }
                if self.proof(std::slice::from_ref(&help.ways[help.way]), told).0 == Proof::Verified {
                    let helps = helping.entry(id).or_default();
                    helps.insert(0, without_message(help));
                    joined.insert(id);
                    break;
                }
            }
        }
    }
}

/// Whether a change may be that of another finding: calls that all ranks make, at a cost.
fn may_join(help: &Help) -> bool {
    let suggestion = &help.suggestion;
    let is_for_all = |note: &Note| {
        matches!(
            note,
            Note::OnAllRanks | Note::OnAllRanksOfWindow | Note::OnAllRanksOrMessage { .. }
        )
    };
    suggestion.action == Action::Insert
        && suggestion.cost > Some(0)
        && !suggestion.notes.is_empty()
        && suggestion.notes.iter().all(is_for_all)
}

/// The same without a message in its place, which would be that of the other finding.
fn without_message(help: Help) -> Help {
    let all = |note: &Note| match note {
        Note::OnAllRanksOrMessage { .. } => Note::OnAllRanks,
        other => *other,
    };
    let notes = help.suggestion.notes.iter().map(all).collect();
    Help {
        suggestion: RawSuggestion {
            notes,
            ..help.suggestion
        },
        ..help
    }
}
