//! Calls that are tried together, and the changes that are tried for them, strongest first.

use super::Survey;
use super::Visit;
use super::judge::{Acts, Judge};
use super::visit::{Change, Class};
use crate::spots::Spots;
use farside_events::{Assertions, CallKind, Interface, LockKind};
use farside_findings::{Holds, Lessening, Ranks, Reason, Unneeded};
use farside_race::{assertions, called};
use std::collections::BTreeSet;

/// Visits that change together.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    visits: Vec<usize>,
    nanoseconds: u64,
    /// All visits at its places are of it.
    everywhere: bool,
}

impl Candidate {
    pub(super) fn new(visits: Vec<usize>, everywhere: bool, survey: &Survey) -> Self {
        let nanoseconds = visits
            .iter()
            .map(|visit| survey.visits[*visit].nanoseconds())
            .sum();
        Self {
            visits,
            nanoseconds,
            everywhere,
        }
    }

    /// Nanoseconds that all ranks spent in it.
    pub(super) fn nanoseconds(&self) -> u64 {
        self.nanoseconds
    }

    pub(super) fn visits<'s>(&self, survey: &'s Survey) -> impl Iterator<Item = &'s Visit> {
        self.visits.iter().map(|visit| &survey.visits[*visit])
    }

    /// The numbers of its visits.
    pub(super) fn numbers(&self) -> &[usize] {
        &self.visits
    }

    /// Why it has to stay.
    pub(super) fn pinned(&self, survey: &Survey, spots: &Spots) -> Option<Reason> {
        let unplaced = |visit: &Visit| {
            survey.foul.contains(&visit.spot)
                || farside_findings::shown_place(spots.stack(visit.spot)).is_none()
        };
        let pinned = self.visits(survey).find_map(|visit| visit.pinned);
        pinned.or_else(|| self.visits(survey).any(unplaced).then_some(Reason::Place))
    }

    /// Whether processes meet there.
    pub(super) fn orders_processes(&self, survey: &Survey) -> bool {
        self.visits(survey).any(|visit| visit.class.orders_processes())
    }

    /// What becomes of events.
    pub(super) fn acts(&self, change: Change, survey: &Survey) -> Acts {
        self.visits(survey).flat_map(|visit| visit.acts(change)).collect()
    }

    /// The first change that brings nothing new, on top of others.
    pub(super) fn change(&self, survey: &Survey, judge: &Judge, others: &Acts) -> Option<Change> {
        let works = |change| {
            let mut acts = self.acts(change, survey);
            acts.extend(others);
            judge.is_as_good(&acts)
        };
        let first = self.allowed(survey).find(|change| works(*change));
        first.or_else(|| self.asserted(survey, works))
    }

    /// Whether nothing can be tried, as somebody may wait for what it completes.
    pub(super) fn is_awaited(&self, survey: &Survey) -> bool {
        let fences = self
            .visits(survey)
            .any(|visit| matches!(visit.class, Class::Fence(_)));
        !fences && self.allowed(survey).next().is_none()
    }

    /// What can be done, besides assertions of fences, and leaves what is awaited.
    pub(super) fn allowed(&self, survey: &Survey) -> impl Iterator<Item = Change> {
        let awaited = self
            .visits(survey)
            .map(|visit| visit.awaited)
            .max()
            .unwrap_or_default();
        let changes = self.weaker(survey).into_iter();
        changes.filter(move |change| change.leaves(awaited))
    }

    /// What can be done, besides assertions of fences.
    fn weaker(&self, survey: &Survey) -> Vec<Change> {
        let mut changes = vec![Change::Remove];
        let (mut meets, mut flushes) = (false, Vec::new());
        for visit in self.visits(survey) {
            match visit.class {
                Class::Meeting => meets = true,
                Class::Flush { all, local, .. } => flushes.push((visit, all, local)),
                Class::Lock(LockKind::Exclusive) if !changes.contains(&Change::Shared) => {
                    changes.push(Change::Shared);
                }
                _ => {}
            }
        }
        if flushes.is_empty() {
            return changes;
        }
        if meets {
            changes.extend([Change::OnlyMeet, Change::OnlyComplete]);
            return changes;
        }
        match flushes[0].0.interface {
            Interface::Shmem => changes.push(Change::Order),
            Interface::Gaspi => {}
            Interface::Mpi | Interface::Farside => {
                if flushes.iter().all(|(_, _, local)| !local) {
                    changes.push(Change::Local);
                }
                let one = flushes
                    .iter()
                    .all(|(visit, all, _)| *all && visit.pending.len() < 2);
                if one {
                    changes.push(Change::OneTarget);
                }
            }
        }
        changes
    }

    /// Of fences that all have the same assertions: those that hold besides.
    fn asserted(&self, survey: &Survey, works: impl Fn(Change) -> bool) -> Option<Change> {
        let mut visits = self.visits(survey);
        let Class::Fence(given) = visits.next()?.class else {
            return None;
        };
        if !visits.all(|visit| visit.class == Class::Fence(given)) {
            return None;
        }
        let more: [fn(&mut Assertions); 4] = [
            |all| all.noprecede = true,
            |all| all.nosucceed = true,
            |all| all.nostore = true,
            |all| all.noput = true,
        ];
        let mut best = given;
        for add in more {
            let mut next = best;
            add(&mut next);
            if next != best && works(Change::Assertions(next)) {
                best = next;
            }
        }
        (best != given).then_some(Change::Assertions(best))
    }

    /// For the report.
    pub(super) fn unneeded(&self, survey: &Survey, spots: &Spots, change: Change, holds: Holds) -> Unneeded {
        let lead = self.visits(survey).map(|visit| visit.class.leads()).min();
        let leading = || {
            self.visits(survey)
                .filter(|visit| Some(visit.class.leads()) == lead)
        };
        let places: BTreeSet<_> = self.visits(survey).map(|visit| visit.spot).collect();
        let stacks = places
            .into_iter()
            .map(|spot| spots.stack(spot).to_vec())
            .collect();
        let first = leading().next();
        Unneeded {
            call: first.map(name).unwrap_or_default(),
            stacks,
            everywhere: self.everywhere,
            change: first.map_or(Lessening::Remove, |first| lessening(first, change)),
            visits: leading().count() as u64,
            ranks: Ranks::of(self.visits(survey).map(|visit| visit.rank.0)),
            nanoseconds: self.nanoseconds,
            holds,
            lint: None,
        }
    }
}

/// The name of the call of a visit.
pub(super) fn name(visit: &Visit) -> String {
    match &visit.name {
        Some(name) => name.to_string(),
        None => called(visit.interface, visit.kind).to_owned(),
    }
}

fn lessening(visit: &Visit, change: Change) -> Lessening {
    let interface = visit.interface;
    let flush = |all, local| called(interface, CallKind::Flush { all, local }).to_owned();
    let all = matches!(visit.class, Class::Flush { all: true, .. });
    Lessening::Weaken(match change {
        Change::Remove => return Lessening::Remove,
        Change::OnlyComplete => flush(true, false),
        // The ends of names are the same: `shmem_barrier_all`, `shmem_barrier`.
        Change::OnlyMeet => name(visit).replace("barrier", "sync"),
        Change::Local => flush(all, true),
        Change::Order => "shmem_fence".into(),
        Change::OneTarget => flush(false, matches!(visit.class, Class::Flush { local: true, .. })),
        Change::Shared => "MPI_LOCK_SHARED".into(),
        Change::Assertions(wanted) => assertions(interface, wanted),
    })
}
