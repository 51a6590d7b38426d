//! Suggestions, tried once it is known which findings are told.
//!
//! Of one finding that several simulations have, one is told; the suggestions of the others would be tried in vain. So
//! the search tries none. In the end, each simulation of which a finding is told is made once more, with its events,
//! and tried in these are the suggestions of what it found.
//!
//! Promise: a suggestion is what it would be if each simulation had tried its own.

use super::Simulation;
use super::question::{Origin, Program};
use super::resting::id;
use farside_findings::Finding;
use rustc_hash::FxHashMap as HashMap;
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
pub(super) struct Origins(HashMap<Key, Origin>);

impl Origins {
    /// The search takes what a simulation found.
    pub(super) fn note(&mut self, simulation: &Simulation) {
        for finding in &simulation.findings {
            let known = self.0.entry(key(finding));
            known.or_insert_with(|| simulation.origin.clone());
        }
    }

    /// Tries the suggestions of these findings, in so many threads; whether the clock has ended that.
    pub(super) fn suggest<'f>(
        &self,
        program: Program<'_>,
        threads: usize,
        findings: impl Iterator<Item = &'f mut Finding>,
    ) -> bool {
        let mut told: Vec<(&Origin, Vec<&'f mut Finding>)> = Vec::new();
        for finding in findings {
            let Some(origin) = self.0.get(&key(finding)) else {
                continue;
            };
            match told.iter_mut().find(|(known, _)| *known == origin) {
                Some((_, of)) => of.push(finding),
                None => told.push((origin, vec![finding])),
            }
        }
        let origins: Vec<&Origin> = told.iter().map(|(origin, _)| *origin).collect();
        let mut stopped = false;
        for ((_, findings), tried) in told.into_iter().zip(tried(program, threads, &origins)) {
            let Some(tried) = tried else { continue };
            stopped |= tried.notes.trials_stopped();
            for finding in findings {
                let wanted = key(finding);
                if let Some(found) = tried.findings.iter().find(|found| key(found) == wanted) {
                    finding.suggestion.clone_from(&found.suggestion);
                }
            }
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
