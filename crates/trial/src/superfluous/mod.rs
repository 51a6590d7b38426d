//! Synchronisation that a run did not need.
//!
//! Each synchronising call of the program is taken out of the recorded events, wherever it stands in the text and with
//! what belongs to it, or made weaker, and all is judged again: see `judge` for what that means. What brings nothing
//! new is not needed. The dearest call is tried first, and the next ones without it, so that all that is named can go
//! together.
//!
//! | what | module |
//! |---|---|
//! | a call that was made, what it does, what becomes of its events | `visit` |
//! | all of them in a recording | `survey` |
//! | which belong together, as processes meet there or an epoch begins and ends | `links` |
//! | which stay for reasons that the detector does not judge | `pins` |
//! | what somebody may be waiting for | `progress` |
//! | the events with less synchronisation, judged | `judge` |
//! | the events in other orders | `orders` |
//! | calls that are tried together, and how | `candidate` |
//! | calls that stay, at which ranks wait for others than their partners | `partners` |
//!
//! Promise: without what is named, all of it together, this run has no finding that it does not have, whatever the
//! order of its processes, and no two accesses whose order decides a value are unordered that were ordered. Not
//! promised: the same of other runs, and of what the events do not show ([`Unseen`]).
//! [Why](../../../../docs/design/superfluous.md).

mod candidate;
mod judge;
mod links;
mod orders;
mod partners;
mod pins;
mod progress;
mod survey;
mod visit;

use crate::Recording;
use crate::spots::{Spot, Spots};
use crate::work::Work;
use candidate::Candidate;
use farside_events::{CallKind, CommId, Interface, Rank, RequestId, ThreadId, WinId};
use farside_findings::{Holds, Kept, Reason, Silence, Superfluous, Unneeded, Unseen, shown_place};
use farside_race::{Options, Places};
use judge::{Acts, Judge};
use links::Links;
use pins::Pins;
use progress::{Awaited, Progress};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;
use visit::{Change, Class};

/// What a job that was judged like this did not need; no trial is begun after so much work.
pub fn superfluous(
    recording: &Recording,
    options: Options,
    places: &mut impl Places,
    work: Work,
) -> Superfluous {
    let until = recording.work() + work;
    let silent = |refused| Superfluous {
        refused: Some(refused),
        ..Superfluous::default()
    };
    if !recording.is_whole() {
        return silent(Silence::TooLarge);
    }
    let mut spots = Spots::default();
    let survey = Survey::of(recording, &mut spots, places);
    if survey.size < 2 {
        return silent(Silence::Alone);
    }
    match Judge::new(recording, options, &survey) {
        Ok(judge) => Search {
            survey: &survey,
            spots: &spots,
            judge: &judge,
            until,
            removed: Acts::default(),
            accepted: Vec::new(),
            instead: Vec::new(),
            stay: Vec::new(),
            kept: Vec::new(),
        }
        .all(has_one_clock(recording)),
        Err(judge::TooMany) => silent(Silence::TooMany),
    }
}

fn has_one_clock(recording: &Recording) -> bool {
    let clocks = recording.clocks();
    clocks.iter().all(|(_, clock)| *clock == clocks[0].1)
}

/// One visit of a synchronising call.
#[derive(Clone, Debug)]
struct Visit {
    rank: Rank,
    spot: Spot,
    class: Class,
    interface: Interface,
    kind: CallKind,
    /// The name of a collective call.
    name: Option<Box<str>>,
    /// Its events, by their place in the recording: where it is entered, where it is left, and what belongs to it
    /// between these.
    enter: u64,
    leave: Option<u64>,
    within: Vec<u64>,
    /// When it was entered and left.
    times: (u64, u64),
    /// Targets that had operations pending, of a flush.
    pending: Vec<Rank>,
    /// Which meeting of all it is, if it is one.
    meeting: Option<usize>,
    /// Why it has to stay.
    pinned: Option<Reason>,
    /// What it completes and somebody may wait for.
    awaited: Awaited,
}

/// All synchronising calls of a recording; see `survey`.
#[derive(Debug, Default)]
struct Survey {
    visits: Vec<Visit>,
    links: Links,
    /// Places that have calls or operations of another kind.
    foul: HashSet<Spot>,
    /// Whether atomic operations, waits for values or exclusive locks are there, whose order the detector leaves open.
    has_updates: bool,
    unseen: Vec<Unseen>,
    operations: Vec<(u64, Rank, Rank)>,
    /// Processes in the job.
    size: usize,
    /// When each process did something first and last.
    spans: HashMap<Rank, (u64, u64)>,
    windows: HashMap<WinId, (Interface, CommId)>,
    members: HashMap<CommId, Vec<Rank>>,
    within: HashMap<(Rank, ThreadId), usize>,
    pending: HashMap<Rank, Vec<Pending>>,
    pins: Pins,
    progress: Progress,
}

/// An operation that is not complete.
#[derive(Debug)]
struct Pending {
    win: WinId,
    target: Rank,
    channel: farside_events::ChannelId,
    request: Option<RequestId>,
    /// It is complete at its origin.
    local: bool,
    fetches: bool,
    writes: bool,
}

/// What was found so far.
struct Search<'s> {
    survey: &'s Survey,
    spots: &'s Spots,
    judge: &'s Judge<'s>,
    until: Work,
    /// By all that was accepted.
    removed: Acts,
    accepted: Vec<(Candidate, Change)>,
    instead: Vec<(Candidate, Change)>,
    stay: Vec<Candidate>,
    kept: Vec<Kept>,
}

impl Search<'_> {
    fn all(mut self, one_clock: bool) -> Superfluous {
        let by_place = |visit: usize| self.spots.stack(self.survey.visits[visit].spot).first();
        let whole = self.candidates(self.survey.links.groups(by_place), true);
        let by_stack = |visit: usize| self.survey.visits[visit].spot;
        let single = self.candidates(self.survey.links.groups(by_stack), false);
        let tried = whole.len() as u64;
        for candidate in whole {
            if self.attempt(&candidate) {
                continue;
            }
            // Not wherever it is called from, but here and there.
            let parts: Vec<&Candidate> = single
                .iter()
                .filter(|part| {
                    part.numbers()
                        .iter()
                        .all(|visit| candidate.numbers().contains(visit))
                })
                .collect();
            if parts.len() > 1 {
                for part in parts {
                    if !self.attempt(part) {
                        self.stay.push(part.clone());
                    }
                }
            } else {
                self.stay.push(candidate);
            }
        }
        let kept: u64 = self.kept.iter().map(|kept| kept.places).sum();
        let calls = self.told(&self.accepted);
        let instead = self.told(&self.instead);
        let mut unseen = self.survey.unseen.clone();
        unseen.push(Unseen::Outside);
        if self.judge.has_findings() {
            unseen.push(Unseen::Findings);
        }
        unseen.sort_unstable();
        let met: BTreeSet<_> = self.survey.visits.iter().map(|visit| visit.spot).collect();
        let met = met
            .into_iter()
            .filter_map(|spot| shown_place(self.spots.stack(spot)));
        let mut met: Vec<_> = met.cloned().collect();
        met.sort_unstable();
        met.dedup();
        let mut found = Superfluous {
            refused: None,
            calls,
            instead,
            narrower: match one_clock {
                true => partners::narrower(&self.stay, self.survey, self.spots),
                false => Vec::new(),
            },
            tried: tried.saturating_sub(kept),
            met,
            kept: self.kept,
            nanoseconds: self.survey.nanoseconds(),
            unseen,
        };
        found.join_ways();
        found
    }

    /// Groups of visits, dearest first, those alike in the order of their first events.
    fn candidates(&self, groups: Vec<Vec<usize>>, everywhere: bool) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = groups
            .into_iter()
            .map(|visits| Candidate::new(visits, everywhere, self.survey))
            .collect();
        all.sort_by_key(|candidate| std::cmp::Reverse(candidate.nanoseconds()));
        all
    }

    /// Tries a candidate on top of what was accepted, else alone; says whether it can go or be weaker, or nothing is
    /// known of it.
    fn attempt(&mut self, candidate: &Candidate) -> bool {
        let pinned = candidate.pinned(self.survey, self.spots);
        let awaited = || candidate.is_awaited(self.survey).then_some(Reason::Awaited);
        let late = (self.judge.work() >= self.until).then_some(Reason::NoTime);
        if let Some(reason) = pinned.or_else(awaited).or(late) {
            self.keep(reason);
            return true;
        }
        if let Some(change) = candidate.change(self.survey, self.judge, &self.removed) {
            self.removed.extend(candidate.acts(change, self.survey));
            self.accepted.push((candidate.clone(), change));
            // Its ranks still wait for each other.
            if matches!(change, Change::Assertions(wanted) if !wanted.noprecede) {
                self.stay.push(candidate.clone());
            }
            return true;
        }
        if !self.removed.is_empty()
            && candidate.allowed(self.survey).next() == Some(Change::Remove)
            && let alone = candidate.acts(Change::Remove, self.survey)
            && self.judge.is_as_good(&alone)
        {
            self.instead.push((candidate.clone(), Change::Remove));
        }
        false
    }

    fn keep(&mut self, reason: Reason) {
        match self.kept.iter_mut().find(|kept| kept.reason == reason) {
            Some(kept) => kept.places += 1,
            None => self.kept.push(Kept { reason, places: 1 }),
        }
    }

    fn told(&self, found: &[(Candidate, Change)]) -> Vec<Unneeded> {
        let mut found: Vec<&(Candidate, Change)> = found.iter().collect();
        found.sort_by_key(|(candidate, _)| std::cmp::Reverse(candidate.nanoseconds()));
        let told = found.into_iter().map(|(candidate, change)| {
            let holds = match self.does_something(candidate, *change) {
                true => Holds::ThisPath,
                false => Holds::ThisInput,
            };
            candidate.unneeded(self.survey, self.spots, *change, holds)
        });
        told.collect()
    }

    /// Whether anything misses what a change takes away if no other call of this kind does the same: calls in which
    /// processes meet, or flushes.
    fn does_something(&self, candidate: &Candidate, change: Change) -> bool {
        if self.judge.work() >= self.until {
            return false;
        }
        let meets = candidate.orders_processes(self.survey);
        let alike = self.survey.visits.iter().filter(|visit| match visit.class {
            Class::Flush { .. } => !meets,
            _ => meets && visit.meeting.is_some(),
        });
        let whole = candidate.acts(Change::Remove, self.survey);
        let others = alike.flat_map(|visit| visit.acts(Change::Remove));
        let others: Acts = others.filter(|(event, _)| !whole.contains_key(event)).collect();
        let mut all = candidate.acts(change, self.survey);
        all.extend(&others);
        !self.judge.is_within(&all, &others)
    }
}
