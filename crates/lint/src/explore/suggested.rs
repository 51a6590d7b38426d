//! Suggestions, tried once it is known which findings are told.
//!
//! Of one finding that several simulations have, one is told; the suggestions of the others would be tried in vain. So
//! the search tries none. In the end, each simulation of which a finding is told is made once more, with its events,
//! and tried in these are the suggestions of what it found.
//!
//! A change may help two processes, and not three: each number of processes that has a finding is tried, see
//! [`super::agreed`].
//!
//! Promise: a suggestion is what it would be if each simulation had tried its own, and those of other numbers of
//! processes had been asked.

use super::Simulation;
use super::agreed::agreed;
use super::question::{Origin, Program};
use super::resting::id;
use farside_findings::{Finding, Suggestion};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A finding, by its id and the ranks of its parties.
type Key = (String, Vec<u32>);

fn key(finding: &Finding) -> Key {
    let ranks = finding.parties.iter().map(|party| party.rank);
    (id(finding), ranks.collect())
}

/// Where each finding was found first.
#[derive(Default)]
pub(super) struct Origins {
    first: HashMap<Key, Origin>,
    /// By its id alone, for each number of processes.
    of_sizes: HashMap<String, BTreeMap<u32, Origin>>,
}

impl Origins {
    /// The search takes what a simulation found.
    pub(super) fn note(&mut self, simulation: &Simulation) {
        let origin = || simulation.origin.clone();
        for finding in &simulation.findings {
            self.first.entry(key(finding)).or_insert_with(origin);
            let of_sizes = self.of_sizes.entry(id(finding)).or_default();
            of_sizes.entry(simulation.origin.size()).or_insert_with(origin);
        }
    }

    /// Tries the suggestions of these findings, in so many threads; whether the clock has ended that.
    pub(super) fn suggest<'f>(
        &self,
        program: Program<'_>,
        threads: usize,
        findings: impl Iterator<Item = &'f mut Finding>,
    ) -> bool {
        let mut origins: Vec<&Origin> = Vec::new();
        let mut told: Vec<(&mut Finding, Vec<usize>)> = Vec::new();
        for finding in findings {
            let Some(first) = self.first.get(&key(finding)) else {
                continue;
            };
            let of_sizes = self.of_sizes.get(&id(finding)).into_iter().flatten();
            let others = of_sizes.filter(|(size, _)| **size != first.size());
            let mut places = Vec::new();
            for origin in std::iter::once(first).chain(others.map(|(_, origin)| origin)) {
                let known = origins.iter().position(|known| *known == origin);
                places.push(known.unwrap_or_else(|| {
                    origins.push(origin);
                    origins.len() - 1
                }));
            }
            told.push((finding, places));
        }
        let tried = tried(program, threads, &origins);
        let stopped = tried.iter().flatten().any(|one| one.notes.trials_stopped());
        for (finding, places) in told {
            let mut of_sizes = places.iter().filter_map(|place| tried[*place].as_ref());
            let Some(first) = of_sizes.next() else { continue };
            let (wanted, of_id) = (key(finding), id(finding));
            let Some(found) = first.findings.iter().find(|found| key(found) == wanted) else {
                continue;
            };
            let suggested = |simulation: &'_ Simulation| -> Option<Suggestion> {
                let mut same = simulation.findings.iter().filter(|found| id(found) == of_id);
                same.find_map(|found| found.suggestion.clone())
            };
            let others: Vec<Suggestion> = of_sizes.filter_map(suggested).collect();
            let others: Vec<&Suggestion> = others.iter().collect();
            finding.suggestion = found.suggestion.clone().map(|own| agreed(own, &others));
        }
        stopped
    }
}

/// The simulations once more, with their suggestions tried, in this order.
fn tried(program: Program<'_>, threads: usize, origins: &[&Origin]) -> Vec<Option<Simulation>> {
    let next = AtomicUsize::new(0);
    let all: Vec<Mutex<Option<Simulation>>> = origins.iter().map(|_| Mutex::default()).collect();
    let work = || {
        while let nth = next.fetch_add(1, Ordering::Relaxed)
            && let Some(origin) = origins.get(nth)
        {
            let made = origin.tried(program);
            *all[nth].lock().unwrap_or_else(std::sync::PoisonError::into_inner) = made;
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(origins.len()) {
            let helper = thread::Builder::new().stack_size(super::ahead::STACK);
            // Where there can be no more threads, there are fewer.
            let _ = helper.spawn_scoped(scope, work);
        }
        work();
    });
    let take = |made: Mutex<Option<Simulation>>| {
        made.into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    };
    all.into_iter().map(take).collect()
}
