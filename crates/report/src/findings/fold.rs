//! A finding of very many ranks, as much of it as people look at: the first of its parties and lanes, and the rest in
//! a few words. The JSON form has all.

use crate::findings::phrases;
use farside_findings::{Finding, Party, Ranks, Timeline};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Parties that are shown whole.
const PARTIES: usize = 8;
/// Lines for the others: those that do the same at the same place share one.
const LINES: usize = 8;
/// Lanes of a timeline: beyond some sixteen it scrolls sideways.
const LANES: usize = 64;

/// What is shown of a finding.
pub(crate) struct Folded<'f> {
    /// With the parties and lanes that are shown.
    finding: Cow<'f, Finding>,
    /// The other parties, in words: `the same by ranks 8-9999: MPI_Win_wait at halo.c:54`.
    others: Vec<String>,
    /// The other lanes, in words.
    lanes: Option<String>,
}

impl<'f> Folded<'f> {
    /// With the parties and lanes that are shown.
    pub(crate) fn finding(&self) -> &Finding {
        &self.finding
    }

    /// The other parties, in words, a line each.
    pub(crate) fn others(&self) -> &[String] {
        &self.others
    }

    /// The other lanes, in words.
    pub(crate) fn lanes(&self) -> Option<&str> {
        self.lanes.as_deref()
    }

    /// The whole of a finding of few ranks.
    pub(crate) fn of(finding: &'f Finding) -> Self {
        let lanes = |timeline: &Timeline| timeline.lanes.len() > LANES;
        if finding.parties.len() <= PARTIES && !finding.timeline.as_ref().is_some_and(lanes) {
            return Self {
                finding: Cow::Borrowed(finding),
                others: Vec::new(),
                lanes: None,
            };
        }
        let others = finding.parties.get(PARTIES..).unwrap_or_default();
        let parties = finding.parties.iter().take(PARTIES).cloned().collect();
        let (timeline, lanes) = match &finding.timeline {
            Some(timeline) => {
                let (timeline, lanes) = fold_lanes(timeline);
                (Some(timeline), lanes)
            }
            None => (None, None),
        };
        let shown = Finding {
            timeline,
            parties,
            scene: None,
            litmus: finding.litmus.clone(),
            id: finding.id.clone(),
            cause: finding.cause.clone(),
            message: finding.message.clone(),
            arguments: finding.arguments.clone(),
            inputs: finding.inputs.clone(),
            replay: finding.replay.clone(),
            window: finding.window.clone(),
            created: finding.created.clone(),
            bytes: finding.bytes.clone(),
            missing: finding.missing.clone(),
            suggestion: finding.suggestion.clone(),
            ranks: finding.ranks.clone(),
            ..*finding
        };
        Self {
            finding: Cow::Owned(shown),
            others: grouped(others),
            lanes,
        }
    }
}

/// The lanes that have parties first, in the order of all; and the others, in words.
fn fold_lanes(timeline: &Timeline) -> (Timeline, Option<String>) {
    let party = |index: usize| {
        let events = timeline.lanes[index].events.iter();
        events.filter_map(|event| event.party).min().unwrap_or(u32::MAX)
    };
    let mut order: Vec<usize> = (0..timeline.lanes.len()).collect();
    order.sort_by_key(|&index| party(index));
    let kept: BTreeSet<usize> = order.into_iter().take(LANES).collect();
    let mut folded = Timeline {
        lanes: kept.iter().map(|&index| timeline.lanes[index].clone()).collect(),
        arrows: Vec::new(),
    };
    for event in folded.lanes.iter_mut().flat_map(|lane| &mut lane.events) {
        event.party = event.party.filter(|&party| (party as usize) < PARTIES);
    }
    let ranks: BTreeSet<u32> = folded.lanes.iter().map(|lane| lane.rank).collect();
    let arrows = timeline.arrows.iter();
    let inside = arrows.filter(|arrow| ranks.contains(&arrow.from.0) && ranks.contains(&arrow.to.0));
    folded.arrows = inside.cloned().collect();
    let others = timeline.lanes.iter().map(|lane| lane.rank);
    let others = Ranks::of(others.filter(|rank| !ranks.contains(rank)));
    let words = (!others.is_empty()).then(|| format!("not shown: {}", phrases::rank_list(&others)));
    (folded, words)
}

/// Parties in a line each, those that do the same at the same place in one.
fn grouped(parties: &[Party]) -> Vec<String> {
    let mut groups: Vec<(&Party, Vec<u32>)> = Vec::new();
    for party in parties {
        let same = |(one, _): &&mut (&Party, Vec<u32>)| {
            (&one.operation, &one.effect, one.place()) == (&party.operation, &party.effect, party.place())
        };
        // Few kinds of calls meet in a finding.
        match groups.iter_mut().find(same) {
            Some((_, ranks)) => ranks.push(party.rank),
            None => groups.push((party, vec![party.rank])),
        }
    }
    let more = groups.len().saturating_sub(LINES);
    let line = |(party, ranks): &(&Party, Vec<u32>)| {
        let at = party.place().map_or_else(String::new, |place| {
            format!(" at {}", phrases::short_place(place))
        });
        let by = phrases::rank_list(&Ranks::of(ranks.iter().copied()));
        format!("{}{at} by {by}", phrases::operation(party))
    };
    let mut lines: Vec<String> = groups.iter().take(LINES).map(line).collect();
    if more > 0 {
        lines.push(format!("and {more} more, which --format json shows"));
    }
    lines
}
