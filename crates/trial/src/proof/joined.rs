//! One change for several findings: where what is to be done for one of them makes another one go, too, nothing else
//! need be done for that.

use super::{Help, Trials};
use crate::edit::{Change, Edit, Way};
use farside_events::Interface;
use farside_findings::{Action, Proof};
use farside_race::{CallKind, Code, Name, Note, Places, RawSuggestion, Spot};
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

impl<P: Places> Trials<'_, P> {
    /// Of what is told for findings, as few changes as possible: where one is to be done anyway, and helps others as
    /// well, these are told the same. Again and again the one that serves most of those that are left.
    ///
    /// An argument of a call that is there may be all that several findings are due to, so that it is tried for those
    /// that did not ask for it.
    pub(super) fn share_changes(
        &mut self,
        helping: &mut BTreeMap<&String, Vec<Help>>,
        known: &BTreeSet<String>,
    ) {
        let ids: Vec<&String> = helping.keys().copied().collect();
        let mut served: Vec<(Help, BTreeSet<&String>)> = Vec::new();
        for first in helping.values().filter_map(|helps| helps.first()) {
            if first.rank() == 0 && !served.iter().any(|(help, _)| is_same(help, first)) {
                served.push((first.clone(), BTreeSet::new()));
            }
        }
        for (help, ids_of_help) in &mut served {
            for id in &ids {
                let has_it = helping[id]
                    .iter()
                    .any(|own| own.rank() == 0 && is_same(own, help));
                let is_tried = || is_argument(help) && !helping[id].is_empty();
                let way = std::slice::from_ref(&help.ways[help.way]);
                if has_it
                    || is_tried()
                        && self.recording.work() < self.others_until
                        && self.proof(way, (id.as_str(), known)).0 == Proof::Verified
                {
                    ids_of_help.insert(id);
                }
            }
        }
        let mut open: BTreeSet<&String> = ids.iter().copied().collect();
        while let Some((help, ids)) = most_served(&served, &open, helping) {
            for id in &ids {
                let helps = helping.entry(id).or_default();
                let own = helps
                    .iter()
                    .position(|own| own.rank() == 0 && is_same(own, &help));
                let own = own.map_or_else(|| of_another(&help), |at| helps.remove(at));
                helps.insert(0, own);
            }
            open.retain(|id| !ids.contains(id));
        }
    }

    /// Lets findings share calls of one process that complete what was issued, or keep its order: where each finding
    /// that is told such a call is helped by one that others need anyway, that one is told, the dearest first.
    ///
    /// Only calls that have no arguments: what stands for those is known where the operation stands.
    pub(super) fn share_completions(
        &mut self,
        helping: &mut BTreeMap<&String, Vec<Help>>,
        known: &BTreeSet<String>,
    ) {
        if self.interface != Interface::Shmem {
            return;
        }
        let mut told: Vec<(Way, u64, Vec<&String>)> = Vec::new();
        for (id, helps) in helping.iter() {
            let Some(first) = helps.first().filter(|help| may_share(help)) else {
                continue;
            };
            let way = first.ways[first.way].clone();
            match told.iter_mut().find(|(known, ..)| *known == way) {
                Some((_, _, ids)) => ids.push(id),
                None => told.push((way, first.suggestion.cost.unwrap_or_default(), vec![*id])),
            }
        }
        told.sort_by_key(|(_, cost, _)| std::cmp::Reverse(*cost));
        told.truncate(SHARED);
        let mut number = 0;
        while number < told.len() {
            let (_, _, ids) = told[number].clone();
            let mut shared = Vec::new();
            for id in &ids {
                let others = (0..told.len()).filter(|other| *other != number);
                let helps = |trials: &mut Self, other: &usize| {
                    let (way, ..) = &told[*other];
                    trials.recording.work() < trials.others_until
                        && trials.proof(std::slice::from_ref(way), (id, known)).0 == Proof::Verified
                };
                let mut others = others.filter(|other| helps(self, other));
                shared.extend(others.next().map(|other| (*id, other)));
            }
            if shared.len() < ids.len() {
                number += 1;
                continue;
            }
            for (id, other) in shared {
                // What else helps the other finding may help here as well: it may come to be told for that.
                let of_other = helping[told[other].2[0]].clone();
                let mut new: Vec<Help> = of_other.into_iter().filter(may_share).collect();
                new.retain(|help| {
                    let way = std::slice::from_ref(&help.ways[help.way]);
                    self.proof(way, (id, known)).0 == Proof::Verified
                });
                let helps = helping.entry(id).or_default();
                let before = helps.first().and_then(|own| own.suggestion.before.clone());
                for help in &mut new {
                    help.suggestion.before = before.clone().or(help.suggestion.before.take());
                }
                helps.retain(|own| new.iter().all(|help| help.ways[help.way] != own.ways[own.way]));
                helps.splice(0..0, new);
                told[other].2.push(id);
            }
            told.remove(number);
        }
    }
}

/// The change that serves most of these findings, at least two, and is told for one of them; of equals, the cheapest.
fn most_served<'i>(
    served: &[(Help, BTreeSet<&'i String>)],
    open: &BTreeSet<&'i String>,
    helping: &BTreeMap<&'i String, Vec<Help>>,
) -> Option<(Help, BTreeSet<&'i String>)> {
    let is_told = |help: &Help, id: &&String| {
        let first = helping[*id].first();
        first.is_some_and(|first| is_same(first, help))
    };
    let of_open = served.iter().filter_map(|(help, ids)| {
        let ids: BTreeSet<&String> = ids.intersection(open).copied().collect();
        (ids.len() > 1 && ids.iter().any(|id| is_told(help, id))).then_some((help, ids))
    });
    let best = of_open.min_by_key(|(help, ids)| (std::cmp::Reverse(ids.len()), help.suggestion.cost));
    best.map(|(help, ids)| (help.clone(), ids))
}

/// Whether a call that is there is given another argument.
fn is_argument(help: &Help) -> bool {
    help.suggestion.action == Action::Replace
        && matches!(
            help.suggestion.code.as_slice(),
            [Code::Assertions(_) | Code::Argument(_)]
        )
}

/// Whether a flush that is there is directed elsewhere: where the operations before it went, on each rank.
fn directs_flush(help: &Help) -> bool {
    let is_flush = |spot: &Spot| {
        matches!(
            spot.name,
            Name::Call(CallKind::Flush { .. }) | Name::CallOf(_, CallKind::Flush { .. })
        )
    };
    is_argument(help) && help.suggestion.at.as_ref().is_some_and(is_flush)
}

/// What is told for another finding, as it is told for one that has no such change of its own.
fn of_another(help: &Help) -> Help {
    let mut told = help.clone();
    if directs_flush(help) && !told.suggestion.notes.contains(&Note::AndOnOthersLikewise) {
        told.suggestion.notes.push(Note::AndOnOthersLikewise);
    }
    told
}

/// Whether two change the text alike: a call that completes operations has the target of its own finding.
fn is_same(one: &Help, other: &Help) -> bool {
    let direct = directs_flush(one) && directs_flush(other);
    let is_like = |one: &Edit, other: &Edit| match (one, other) {
        (
            Edit::Add {
                code: Code::Flush { local, channel, .. },
                window,
                at,
                place,
            },
            Edit::Add {
                code:
                    Code::Flush {
                        local: of_other,
                        channel: on,
                        ..
                    },
                window: of_window,
                at: beside,
                place: there,
            },
        ) => (local, channel, window, at, place) == (of_other, on, of_window, beside, there),
        (Edit::Change(at, Change::Argument(_)), Edit::Change(there, Change::Argument(_))) if direct => {
            at == there
        }
        _ => one == other,
    };
    let (one, other) = (&one.ways[one.way], &other.ways[other.way]);
    let are_like = |(one, other): (&Vec<Edit>, &Vec<Edit>)| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_like(one, other))
    };
    one.len() == other.len() && one.iter().zip(other).all(are_like)
}

/// Changes that are looked at whether they serve several findings.
const SHARED: usize = 12;

/// Whether nothing but a call without arguments is added, which completes what was issued or keeps its order.
fn may_share(help: &Help) -> bool {
    help.only_completes() && help.suggestion.code.len() == 1 && help.ways[help.way].len() == 1
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
