//! A recording with less synchronisation, judged.
//!
//! The detector decides by what is ordered, whatever the order of the run was. Three things it takes as they were: of
//! atomic operations, that any order is right; of locks, likewise; of values that were read, that they stay. A program
//! whose result depends on the order of these would be another one without the synchronisation that gives it. So there
//! are three judgements ([`Mode`]), and a change must bring nothing new in any of them:
//!
//! - as the program is judged;
//! - atomic operations conflict where their order shows, and locks exclude nobody: what was ordered has to stay so;
//! - the same, and no order comes of values: they may be others.
//!
//! What depends on the order of events after all is looked at in other orders, too (`orders`).
//!
//! In the last two, operations of one place that lie in different rounds (between the same synchronising calls of their
//! process) are different places: that two of them are unordered within a round says nothing of those of two rounds.

use super::Survey;
use super::orders::{self, Favour};
use super::visit::Act;
use crate::{Recording, Work, excuses};
use farside_events::{Event, EventKind, Rank, StackId};
use farside_race::{Detector, Ending, Options, Site};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// How it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    AsItIs,
    Ordered,
    OrderedWithoutValues,
}

/// What was found, and how often.
type Found = BTreeMap<(&'static str, Vec<(Rank, Option<u64>, StackId)>), u64>;

/// What becomes of events, by their place in the recording.
pub(super) type Acts = HashMap<u64, Act>;

/// What is found in a recording as it is.
pub(super) struct Judge<'r> {
    recording: &'r Recording,
    options: Options,
    /// In which events a process comes to a synchronising call.
    steps: HashMap<u64, ()>,
    bases: Vec<(Mode, Found)>,
    /// Orders that are tried besides that of the run.
    orders: Vec<Favour>,
}

/// There are too many findings to compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

/// Events of a longer run are judged in its own order only.
const REORDERED: u64 = 400_000;
/// More findings are not compared.
const MOST: usize = 20_000;
/// Stacks with rounds are numbered from here on; no recording has such numbers.
const FIRST: u64 = 1 << 62;

impl<'r> Judge<'r> {
    /// Judges the recording as it is.
    pub(super) fn new(recording: &'r Recording, options: Options, survey: &Survey) -> Result<Self, TooMany> {
        let mut judge = Self {
            recording,
            options: Options {
                first: false,
                ..options
            },
            steps: survey.visits.iter().map(|visit| (visit.enter, ())).collect(),
            bases: Vec::new(),
            orders: Vec::new(),
        };
        if recording.len() <= REORDERED {
            let last = survey.size.saturating_sub(1);
            let ends = [Rank(0), Rank(last as u32)];
            judge.orders = ends.map(Favour::Ahead).to_vec();
            // Of two, one is ahead when the other stays back.
            if last > 1 {
                judge.orders.extend(ends.map(Favour::Behind));
            }
        }
        let modes: &[Mode] = match survey.has_updates {
            true => &[Mode::AsItIs, Mode::Ordered, Mode::OrderedWithoutValues],
            false => &[Mode::AsItIs],
        };
        for mode in modes {
            let found = judge.found(*mode, &Acts::default());
            if found.len() > MOST {
                return Err(TooMany);
            }
            judge.bases.push((*mode, found));
        }
        Ok(judge)
    }

    /// What was done so far.
    pub(super) fn work(&self) -> Work {
        self.recording.work()
    }

    /// Whether the run has findings.
    pub(super) fn has_findings(&self) -> bool {
        self.bases.first().is_some_and(|(_, found)| !found.is_empty())
    }

    /// Whether nothing new comes, in any judgement.
    pub(super) fn is_as_good(&self, acts: &Acts) -> bool {
        let mut bases = self.bases.iter();
        bases.all(|(mode, base)| is_within(&self.found(*mode, acts), base)) && self.is_good_in_any_order(acts)
    }

    /// Whether nothing new comes in other orders.
    fn is_good_in_any_order(&self, acts: &Acts) -> bool {
        let Some((_, base)) = self.bases.first() else {
            return false;
        };
        self.orders.iter().all(|favour| {
            let mut events = Vec::new();
            self.changed(acts, |_, rank, event| events.push((rank, event)));
            let mut detector = Detector::new(self.options);
            let done = orders::reorder(events, *favour, |rank, event| detector.event(rank, event));
            let found = told(detector);
            done.is_ok() && found.keys().all(|key| base.contains_key(key))
        })
    }

    /// The events after changes, with their places in the recording.
    fn changed(&self, acts: &Acts, mut take: impl FnMut(u64, Rank, Event)) {
        for (index, (rank, mut event)) in (0..).zip(self.recording.events()) {
            if acts.get(&index).is_none_or(|act| act.change(&mut event)) {
                take(index, rank, event);
            }
        }
    }

    /// Whether the first changes bring nothing, in any judgement, that the others do not.
    pub(super) fn is_within(&self, first: &Acts, others: &Acts) -> bool {
        let mut bases = self.bases.iter();
        bases.all(|(mode, _)| is_within(&self.found(*mode, first), &self.found(*mode, others)))
    }

    fn found(&self, mode: Mode, acts: &Acts) -> Found {
        let ordered = mode != Mode::AsItIs;
        let mut detector = Detector::new(match ordered {
            false => self.options,
            true => excuses::without(self.options),
        });
        for (rank, clock) in self.recording.clocks() {
            detector.set_clock(*rank, *clock);
        }
        let mut rounds = Rounds::default();
        for (index, (rank, mut event)) in (0..).zip(self.recording.events()) {
            if self.steps.contains_key(&index) {
                rounds.step(rank);
            }
            if acts.get(&index).is_some_and(|act| !act.change(&mut event)) {
                continue;
            }
            if ordered && !excuses::take(&mut event, mode == Mode::Ordered) {
                continue;
            }
            if ordered {
                rounds.tell(rank, &mut event);
            }
            detector.event(rank, &event);
        }
        told(detector)
    }
}

/// What a detector has found.
fn told(detector: Detector) -> Found {
    let (raw, _) = detector.finish(Ending::Complete);
    let mut found = Found::new();
    for finding in raw {
        let site = |site: Site| (site.rank, site.pc, site.stack);
        let mut sites: Vec<_> = finding.parties.iter().map(|party| site(party.site)).collect();
        sites.sort_unstable();
        *found.entry((finding.rule.id(), sites)).or_default() += finding.count;
    }
    found
}

/// Whether all of the first is in the second, and no more often.
fn is_within(first: &Found, second: &Found) -> bool {
    let mut first = first.iter();
    first.all(|(key, count)| second.get(key).is_some_and(|other| count <= other))
}

/// How many synchronising calls each process has made, and the numbers of stacks in each round.
#[derive(Default)]
struct Rounds {
    steps: HashMap<Rank, u64>,
    stacks: HashMap<(Rank, StackId, u64), StackId>,
}

impl Rounds {
    fn step(&mut self, rank: Rank) {
        *self.steps.entry(rank).or_default() += 1;
    }

    fn tell(&mut self, rank: Rank, event: &mut Event) {
        match &mut event.kind {
            EventKind::Operation(operation) => operation.stack = self.of(rank, operation.stack),
            EventKind::Accesses(runs) => {
                for run in runs {
                    run.stack = self.of(rank, run.stack);
                }
            }
            _ => {}
        }
    }

    fn of(&mut self, rank: Rank, stack: StackId) -> StackId {
        let step = self.steps.get(&rank).copied().unwrap_or_default();
        let next = StackId(FIRST + self.stacks.len() as u64);
        *self.stacks.entry((rank, stack, step)).or_insert(next)
    }
}
