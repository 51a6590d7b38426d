//! Causes: one missing call leaves many pairs of accesses without an order, and is told once.
//!
//! A race has a *gap*: the stretch of the program's text, from one place to another, in which a call must stand that
//! gives the order that is missing. Two races have a cause in common if one call would stand in the gaps of both, on
//! the same window, and gives what both need. Causes are chosen one after the other, each the call that explains most
//! of the findings that are left; so their number is near the smallest, and every finding has exactly one.
//!
//! Other findings share a cause if the same change repairs them, or if they break one rule about epochs on one window
//! in one function.
//!
//! Limits: the text is read as if all processes ran through it in the same order, once a round. A gap that a loop leads
//! through goes from its first place to the end of the function that has both, and from the beginning of that function
//! to its second place. A cause is an explanation: [`Cause::suggestion`] is not tried out here.

use crate::finding::{Action, Finding, Suggestion};
use crate::gap::{Gap, Guarantee, procedure};
use crate::identity::{Fnv1a, below};
use crate::place::{Frame, Place, shown_frame};
use crate::proof::Proof;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// What explains findings: a call that is missing, or in the wrong place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cause {
    /// Deterministic id: same change at the same places, same id.
    pub id: String,
    /// The window, if one is involved.
    pub window: Option<String>,
    /// What to do; it serves all findings of this cause.
    pub suggestion: Option<Suggestion>,
    /// How many findings it explains; their [`Finding::cause`] is `id`.
    pub findings: u64,
    /// How often those were met.
    pub count: u64,
}

/// Finds the causes of findings, and gives every finding the id of its own. Findings of one cause stand together
/// afterwards, after those of causes with an earlier first finding. Names of files below `folder` count from there.
pub(crate) fn find(findings: &mut Vec<Finding>, folder: &str) -> Vec<Cause> {
    let groups = groups(findings);
    let mut left: Vec<Option<Finding>> = std::mem::take(findings).into_iter().map(Some).collect();
    let mut causes = Vec::new();
    for group in groups {
        let members = group.members.iter().filter_map(|member| left[*member].take());
        let mut members: Vec<Finding> = members.collect();
        let cause = group.cause(&members, folder);
        for member in &mut members {
            member.cause = Some(cause.id.clone());
        }
        causes.push(cause);
        findings.append(&mut members);
    }
    causes
}

/// Findings with one cause, by their position in order.
struct Group {
    members: Vec<usize>,
    /// What their gaps have in common.
    gap: Option<Gap>,
}

/// The groups, in the order of their first members.
fn groups(findings: &[Finding]) -> Vec<Group> {
    // A call that was tried there and does not help explains nothing.
    let is_refuted = |change: &&Suggestion| change.proof.is_some_and(Proof::refutes);
    let gap = |index: &usize| {
        let change = findings[*index].suggestion.as_ref();
        change.filter(|change| !is_refuted(change))?.gap.as_deref()
    };
    let (open, others): (Vec<usize>, Vec<usize>) =
        (0..findings.len()).partition(|index| gap(index).is_some());
    let mut groups = alike(findings, &others);
    let mut windows: HashMap<_, Vec<(usize, &Gap)>> = HashMap::new();
    for index in open {
        if let Some(gap) = gap(&index) {
            let finding = &findings[index];
            let key = (finding.window_shown(), finding.possible);
            windows.entry(key).or_default().push((index, gap));
        }
    }
    groups.extend(windows.into_values().flat_map(in_common));
    groups.sort_by_key(|group| group.members[0]);
    groups
}

/// Groups of findings without a gap: the same change, or the same rule in the same function.
fn alike(findings: &[Finding], which: &[usize]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known = HashMap::new();
    for &index in which {
        let finding = &findings[index];
        let change = finding
            .suggestion
            .as_ref()
            .filter(|change| !change.call.is_empty());
        let Some(change) = change else {
            groups.push(Group::of(index));
            continue;
        };
        let function = match change.action {
            Action::Insert => finding
                .parties
                .first()
                .and_then(|party| party.stack.get(party.shown()?)?.function.as_deref()),
            _ => None,
        };
        let places = match change.action {
            Action::Insert if function.is_some() => None,
            // What is moved up before one place comes before the next one, too.
            Action::Move if goes_up(change) => Some((&change.at, &change.after, &None)),
            // What is changed where it stands serves all that come after it.
            Action::Replace | Action::Remove if change.at.is_some() => Some((&change.at, &None, &None)),
            _ => Some((&change.at, &change.after, &change.before)),
        };
        // One change may repair findings of several rules.
        let key = (
            places.is_none().then_some(finding.rule),
            finding.possible,
            finding.window_shown(),
            &change.call,
            function,
            places,
        );
        match known.get(&key) {
            Some(&group) => {
                let group: &mut Group = &mut groups[group];
                group.members.push(index);
            }
            None => {
                known.insert(key, groups.len());
                groups.push(Group::of(index));
            }
        }
    }
    groups
}

/// Whether a call is moved up within its file, and nothing else is said of its new place.
fn goes_up(change: &Suggestion) -> bool {
    let [from, to] = [&change.at, &change.before];
    let above = |(from, to): (&Place, &Place)| from.file == to.file && to.line < from.line;
    change.after.is_none() && from.as_ref().zip(to.as_ref()).is_some_and(above)
}

/// Groups of findings with gaps, each group with a place in all of its gaps: again and again the call that explains
/// most of those that are left.
fn in_common(findings: Vec<(usize, &Gap)>) -> Vec<Group> {
    let mut calls: Vec<Cow<'_, Gap>> = Vec::new();
    let mut known = HashSet::new();
    for (_, gap) in &findings {
        if known.insert((&gap.from, &gap.needs, gap.only.then(|| procedure(&gap.call)))) {
            calls.push(Cow::Borrowed(*gap));
        }
    }
    // The one call that is enough for one may give an order to others, too, where it stands below their first accesses.
    for (_, only) in findings.iter().filter(|(_, gap)| gap.only) {
        for (_, gap) in &findings {
            let is_shared = gap.from != only.from && only.gives(gap) && only.holds(&gap.from);
            if is_shared && known.insert((&gap.from, &only.needs, Some(procedure(&only.call)))) {
                calls.push(Cow::Owned(Gap {
                    from: gap.from.clone(),
                    to: gap.to.clone(),
                    ..Gap::clone(only)
                }));
            }
        }
    }
    // Which findings each call explains, and the other way round.
    let explains = |call: &Gap, gap: &Gap| call.gives(gap) && gap.holds(&call.from);
    let explained: Vec<Vec<usize>> = calls
        .iter()
        .map(|call| {
            (0..findings.len())
                .filter(|index| explains(call, findings[*index].1))
                .collect()
        })
        .collect();
    let mut explained_by = vec![Vec::new(); findings.len()];
    for (call, members) in explained.iter().enumerate() {
        members.iter().for_each(|member| explained_by[*member].push(call));
    }
    let mut left: Vec<usize> = explained.iter().map(Vec::len).collect();
    let mut open = vec![true; findings.len()];
    let mut groups = Vec::new();
    // Of equals, the call that gives least, then the first one met.
    let best = |left: &[usize]| {
        let all = (0..left.len()).filter(|call| left[*call] > 0);
        all.min_by_key(|call| (Reverse(left[*call]), calls[*call].needs.len(), *call))
    };
    while let Some(call) = best(&left) {
        let mut gap = calls[call].clone().into_owned();
        let members = explained[call]
            .iter()
            .copied()
            .filter(|member| std::mem::take(&mut open[*member]));
        let members: Vec<usize> = members.collect();
        for member in &members {
            explained_by[*member].iter().for_each(|other| left[*other] -= 1);
            gap.end_before(&findings[*member].1.to);
        }
        groups.push(Group {
            members: members.into_iter().map(|member| findings[member].0).collect(),
            gap: Some(gap),
        });
    }
    groups
}

impl Group {
    fn of(index: usize) -> Self {
        Self {
            members: vec![index],
            gap: None,
        }
    }

    fn cause(self, members: &[Finding], folder: &str) -> Cause {
        let first = &members[0];
        let changes = members.iter().filter_map(|member| member.suggestion.as_ref());
        let highest = changes
            .filter(|change| self.gap.is_none() && change.action == Action::Move && goes_up(change))
            .min_by_key(|change| change.before.as_ref().map(|before| before.line));
        let mut suggestion = highest.or(first.suggestion.as_ref()).cloned();
        if let (Some(gap), Some(change), true) = (self.gap, &mut suggestion, members.len() > 1) {
            *change = common_move(change, &gap, members).unwrap_or_else(|| common_change(&gap, members));
        }
        let mut id = Fnv1a::new();
        id.field("cause");
        let window = first.window_shown();
        id.field(window.as_deref().unwrap_or_default());
        match &suggestion {
            Some(change) if !change.call.is_empty() => {
                // Without its arguments: which target is named depends on who was met first.
                id.field(change.call.split('(').next().unwrap_or_default());
                for place in [&change.at, &change.after, &change.before].into_iter().flatten() {
                    id.field(&format!("{}:{}", below(folder, &place.file), place.line));
                }
            }
            _ => id.field(&first.id),
        }
        Cause {
            id: format!("{:010x}", id.folded()),
            window,
            suggestion,
            findings: members.len() as u64,
            count: members
                .iter()
                .fold(0, |sum, member| sum.saturating_add(member.count)),
        }
    }
}

/// `after a.c:1` and `before a.c:5`.
fn sides(after: Option<&Place>, before: Option<&Place>) -> String {
    let after = after.map(|place| format!("after {}", line(place)));
    let before = before.map(|place| format!("before {}", line(place)));
    after.into_iter().chain(before).collect::<Vec<_>>().join(" and ")
}

fn line(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

/// The place in the program that a stack leads to.
fn place(stack: &[Frame]) -> Option<Place> {
    stack.get(shown_frame(stack)?)?.place.clone()
}

/// One change for all: the call that all of them move, in the stretch that their gaps have in common.
fn common_move(first: &Suggestion, gap: &Gap, members: &[Finding]) -> Option<Suggestion> {
    let lines =
        |change: &Suggestion| [&change.at, &change.after, &change.before].map(|at| at.as_ref().map(line));
    let changes = || members.iter().filter_map(|member| member.suggestion.as_ref());
    let is_it = |change: &Suggestion| {
        (change.action, &change.call) == (Action::Move, &first.call) && lines(change)[0] == lines(first)[0]
    };
    if !changes().all(is_it) {
        return None;
    }
    let others = Vec::new();
    if changes().all(|change| lines(change) == lines(first)) {
        let (proof, judged, stands) = (None, None, Vec::new());
        let first = first.clone();
        return Some(Suggestion {
            proof,
            judged,
            stands,
            others,
            cost: None,
            gap: None,
            ..first
        });
    }
    let (from, after, before) = (first.at.as_ref()?, place(&gap.from), place(&gap.to));
    let next_round = if gap.leads_round() {
        " of the next round"
    } else {
        ""
    };
    let to = sides(after.as_ref(), before.as_ref());
    Some(Suggestion {
        action: Action::Move,
        call: first.call.clone(),
        position: format!(
            "from {} to {to}{next_round}, on all ranks that make it",
            line(from)
        ),
        at: first.at.clone(),
        after,
        before,
        ..Suggestion::default()
    })
}

/// One change for all: the call in the stretch that their gaps have in common.
fn common_change(gap: &Gap, members: &[Finding]) -> Suggestion {
    let (after, before) = (place(&gap.from), place(&gap.to));
    let mut position = sides(after.as_ref(), before.as_ref());
    // What is ordered already, and stands in one line, is of two rounds.
    let is_one_line = after
        .as_ref()
        .map(line)
        .is_some_and(|one| before.as_ref().map(line) == Some(one));
    let is_again = is_one_line && !gap.needs.contains(&Guarantee::HappensBefore);
    if gap.leads_round() || is_again {
        position.push_str(" of the next round");
    }
    if gap.needs.contains(&Guarantee::HappensBefore) {
        position.push_str(", on all ranks");
    }
    let changes = || members.iter().filter_map(|member| member.suggestion.as_ref());
    // What moves a call says what is moved, not what is inserted.
    let inserts = |change: &&Suggestion| change.action == Action::Insert;
    let fits = |change: &&Suggestion| {
        inserts(change)
            && change
                .gap
                .as_deref()
                .is_some_and(|own| (&own.needs, own.only) == (&gap.needs, gap.only))
    };
    let same = changes()
        .filter(fits)
        .map(|change| &change.call)
        .collect::<Vec<_>>();
    // A call that was found to be enough for one finding may give less than another one needs.
    let all_fit = changes().all(|change| fits(&change));
    let serves_all = |call: &str| all_fit || procedure(call) == procedure(&gap.call);
    let call = match same.as_slice() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) && serves_all(first) => {
            (*first).clone()
        }
        _ => gap.call.clone(),
    };
    Suggestion {
        action: Action::Insert,
        call,
        position,
        after,
        before,
        ..Suggestion::default()
    }
}

#[cfg(test)]
mod tests;
