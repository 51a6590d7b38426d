//! Calls that stay, and at which ranks wait for others that they do not communicate with.
//!
//! A rank's partners at a meeting are those to which it has operations, or which have some to it, between the meeting
//! before and the meeting after. If it waited for these alone, it could go on when the last of them has come; the time
//! from then to when the last of all has come is what other ranks cost it. That is an estimate: what comes earlier then
//! may wait elsewhere, and messages are not looked at.

use super::Survey;
use super::Visit;
use super::candidate::{Candidate, name};
use super::visit::Class;
use crate::spots::Spots;
use farside_events::Rank;
use farside_findings::Narrower;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// Of those candidates that stay, the ones at which ranks wait for others; the times of all ranks are of one clock.
pub(super) fn narrower(kept: &[Candidate], survey: &Survey, spots: &Spots) -> Vec<Narrower> {
    let meetings = Meetings::of(survey);
    let mut all: Vec<Narrower> = kept
        .iter()
        .filter_map(|candidate| of(candidate, survey, spots, &meetings))
        .collect();
    all.sort_by_key(|narrower| std::cmp::Reverse(narrower.for_others));
    all
}

fn of(candidate: &Candidate, survey: &Survey, spots: &Spots, meetings: &Meetings) -> Option<Narrower> {
    let meets = |visit: &Visit| matches!(visit.class, Class::Meeting | Class::Fence(_));
    if !candidate.visits(survey).all(meets) {
        return None;
    }
    let (mut most, mut members, mut for_others) = (0, 0, 0);
    let mut done = BTreeSet::new();
    for meeting in candidate.visits(survey).filter_map(|visit| visit.meeting) {
        if !done.insert(meeting) {
            continue;
        }
        let Some(visits) = meetings.visits.get(&meeting) else {
            continue;
        };
        members = members.max(visits.len());
        let entered = |rank: Rank| {
            let mut all = visits.iter().map(|visit| &survey.visits[*visit]);
            all.find(|visit| visit.rank == rank).map(|visit| visit.times.0)
        };
        let last = visits.iter().map(|visit| survey.visits[*visit].times.0).max()?;
        for visit in visits.iter().map(|visit| &survey.visits[*visit]) {
            let partners = meetings.partners.get(&(meeting, visit.rank));
            most = most.max(partners.map_or(0, BTreeSet::len));
            let come = partners
                .into_iter()
                .flatten()
                .filter_map(|partner| entered(*partner))
                .max();
            let come = come.unwrap_or(0).max(visit.times.0);
            for_others += last.min(visit.times.1).saturating_sub(come);
        }
    }
    let first = candidate.visits(survey).next()?;
    (most + 1 < members && for_others > 0).then(|| Narrower {
        call: name(first),
        stack: spots.stack(first.spot).to_vec(),
        partners: most as u32,
        members: members as u32,
        nanoseconds: candidate.nanoseconds(),
        for_others,
    })
}

/// Who meets, and who of these communicates around it.
#[derive(Default)]
struct Meetings {
    visits: HashMap<usize, Vec<usize>>,
    partners: HashMap<(usize, Rank), BTreeSet<Rank>>,
}

impl Meetings {
    fn of(survey: &Survey) -> Self {
        let mut all = Self::default();
        let mut of_rank: HashMap<Rank, Vec<(u64, usize)>> = HashMap::default();
        for (number, visit) in survey.visits.iter().enumerate() {
            if let Some(meeting) = visit.meeting {
                all.visits.entry(meeting).or_default().push(number);
                of_rank
                    .entry(visit.rank)
                    .or_default()
                    .push((visit.enter, meeting));
            }
        }
        for (index, rank, target) in &survey.operations {
            let Some(own) = of_rank.get(rank) else { continue };
            let after = own.partition_point(|(enter, _)| enter < index);
            let around = [after.checked_sub(1), Some(after)];
            for (_, meeting) in around.into_iter().flatten().filter_map(|place| own.get(place)) {
                for (one, other) in [(*rank, *target), (*target, *rank)] {
                    if one != other {
                        all.partners.entry((*meeting, one)).or_default().insert(other);
                    }
                }
            }
        }
        all
    }
}
