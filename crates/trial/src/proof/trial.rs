//! One trial: the events of the run with a change, judged from the first one on, as far as there is time.
//!
//! A trial that was left goes on where it was. What it has found so far the whole run has, too: events are handed on in
//! one order, however many of them come.

use super::{Outcome, Trials};
use crate::covers::Covers;
use crate::edit::Edit;
use crate::editor::{Editor, Known};
use crate::excuses;
use crate::holders::Holders;
use crate::meetings::Meetings;
use crate::moved::Moved;
use crate::recording::{Events, Recording};
use crate::replay::{Item, Replay, Stuck};
use crate::spots::{Spot, sites};
use crate::unseen::Unseen;
use crate::updates::Updates;
use crate::work::Work;
use farside_events::Rank;
use farside_race::{Detector, Ending, Options, Places, RawFinding};
use std::collections::{BTreeMap, BTreeSet};

/// In the place of an id: where processes take a lock in another order, some wait for ever.
pub(super) const WAITS_FOR_EVER: &str = "waits for ever";

/// The ids that were found so far, each with the number of the event that showed it first.
pub(super) type Found = BTreeMap<String, u64>;

/// See the module's head.
pub(super) struct Trial<'r> {
    edits: Vec<Edit>,
    change: Change,
    events: Events<'r>,
    replay: Replay,
    found: Found,
    /// Findings of the detector that have their ids.
    named: usize,
    /// Those who would wait in other orders and were looked at.
    waits: usize,
    /// What was done for it.
    spent: Work,
    end: Option<Result<(), Stuck>>,
    /// What the detector takes as it was in the run is left out.
    unexcused: bool,
}

/// How events are changed.
enum Change {
    Edited(Vec<Option<BTreeSet<Rank>>>, Box<Known>),
    Moved(Moved),
}

/// Until when a trial goes on.
#[derive(Clone, Copy)]
pub(super) struct Goal<'g> {
    /// Until events before this one are judged; `None`: all of them.
    to: Option<u64>,
    /// Until this id is found.
    id: Option<&'g str>,
    /// Until an id is found that is none of these.
    known: Option<&'g BTreeSet<String>>,
    /// No longer than that.
    until: Work,
}

impl<'g> Goal<'g> {
    /// All events, no longer than that.
    pub(super) fn all(until: Work) -> Self {
        Self {
            to: None,
            id: None,
            known: None,
            until,
        }
    }

    /// Until this id is found.
    pub(super) fn or_found(self, id: &'g str) -> Self {
        Self { id: Some(id), ..self }
    }

    /// Until something else is found than these, which refutes a change as well.
    pub(super) fn or_other(self, known: &'g BTreeSet<String>) -> Self {
        Self {
            known: Some(known),
            ..self
        }
    }

    /// Whether another id is enough.
    pub(super) fn ends_with_others(&self) -> bool {
        self.known.is_some()
    }

    /// Events before this one, if there is one.
    pub(super) fn before(self, to: Option<u64>) -> Self {
        Self { to, ..self }
    }

    /// No longer than that either.
    pub(super) fn no_later(self, until: Work) -> Self {
        Self {
            until: self.until.min(until),
            ..self
        }
    }

    /// The id that is looked for.
    pub(super) fn id(&self) -> Option<&'g str> {
        self.id
    }

    /// Whether events are judged as far as they need be.
    pub(super) fn is_met(&self, covers: impl Fn(u64) -> bool) -> bool {
        self.to.is_some_and(covers)
    }

    /// Whether enough was done.
    pub(super) fn is_late(&self, recording: &Recording) -> bool {
        recording.work() >= self.until
    }
}

impl Trial<'_> {
    /// The ids that were found so far.
    pub(super) fn found(&self) -> &Found {
        &self.found
    }

    /// All events before this one were judged.
    pub(super) fn judged(&self) -> u64 {
        let handed = self.events.number();
        let of_replay = self.replay.first_held();
        let held = of_replay.into_iter().chain(self.change.first_held()).min();
        held.map_or(handed, |held| held.min(handed))
    }

    /// What was done for it.
    pub(super) fn spent(&self) -> Work {
        self.spent
    }

    /// What came of it; `None` if it is not over.
    pub(super) fn end(&self) -> Option<Outcome> {
        let found = || self.found.keys().cloned().collect();
        self.end.map(|end| end.map(|()| found()))
    }

    /// What it changes.
    pub(super) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Whether it need not go on.
    pub(super) fn has_reached(&self, goal: &Goal<'_>) -> bool {
        let is_found = goal.id.is_some_and(|id| self.found.contains_key(id));
        let has_other = || {
            let known = goal.known.into_iter();
            known
                .flat_map(|known| self.found.keys().filter(|id| !known.contains(*id)))
                .next()
                .is_some()
        };
        self.end.is_some() || is_found || has_other() || goal.is_met(|to| self.judged() >= to)
    }
}

impl<'r, P: Places> Trials<'r, P> {
    /// A trial that has judged nothing yet; stuck, if what becomes of the events is not known. `None` if there is no
    /// time to see.
    pub(super) fn begin(&mut self, edits: &[Edit]) -> Option<Result<Trial<'r>, Stuck>> {
        self.begin_as((edits, false))
    }

    /// The same, where nothing is taken as it was in the run ([`excuses`]): values may be others.
    pub(super) fn begin_unexcused(&mut self, edits: &[Edit]) -> Option<Result<Trial<'r>, Stuck>> {
        self.begin_as((edits, true))
    }

    fn begin_as(&mut self, (edits, unexcused): (&[Edit], bool)) -> Option<Result<Trial<'r>, Stuck>> {
        let change = match edits {
            [Edit::Shift(shift)] => {
                let text = (&mut self.spots, &mut *self.places);
                match Moved::of(shift, self.recording, text, self.until)? {
                    Ok(moved) => Change::Moved(moved),
                    Err(stuck) => return Some(Err(stuck)),
                }
            }
            _ => {
                let mut meetings = edits.iter().filter_map(|edit| match edit {
                    Edit::Meet(meeting) => Some(meeting),
                    _ => None,
                });
                let text = (&mut self.spots, &mut *self.places);
                let meetings = match meetings.next() {
                    Some(meeting) => match Meetings::of(meeting, self.recording, text, self.until)? {
                        Ok(meetings) => Some(meetings),
                        Err(stuck) => return Some(Err(stuck)),
                    },
                    None => None,
                };
                let comers = self.comers(edits);
                let text = (&mut self.spots, &mut *self.places);
                let unseen = Unseen::of((edits, &comers), self.recording, text, self.until)?;
                let updates = edits.iter().find_map(|edit| match edit {
                    Edit::Update { at, like } => Some((*at, *like)),
                    _ => None,
                });
                let covered = edits.iter().find_map(|edit| match edit {
                    Edit::Cover { start } => Some(*start),
                    _ => None,
                });
                let text = (&mut self.spots, &mut *self.places);
                let covers = match covered {
                    Some(places) => Covers::of(places, self.recording, text, self.until)?,
                    None => Covers::default(),
                };
                let text = (&mut self.spots, &mut *self.places);
                let updates = match updates {
                    Some(places) => Updates::of(places, self.recording, text, self.until)?,
                    None => Updates::default(),
                };
                Change::Edited(comers, Box::new(Known::with(meetings, unseen, (updates, covers))))
            }
        };
        if let (Change::Moved(moved), [Edit::Shift(shift)]) = (&change, edits)
            && !moved.is_read_in_two_ways()
        {
            self.note_same(&shift.within(), shift);
        }
        let clocks = self.recording.clocks();
        let options = Options {
            first: false,
            ..self.options
        };
        let mut detector = Detector::new(match unexcused {
            true => excuses::without(options),
            false => options,
        });
        for (rank, clock) in clocks {
            detector.set_clock(*rank, *clock);
        }
        Some(Ok(Trial {
            edits: edits.to_vec(),
            change,
            events: self.recording.events(),
            replay: Replay::new(clocks, detector)
                .strict(edits.iter().any(Edit::delays))
                .with_locks(self.recording.has_locks() && !unexcused),
            found: Found::default(),
            named: 0,
            waits: 0,
            spent: Work::default(),
            end: None,
            unexcused,
        }))
    }

    /// Goes on with a trial; whether it has come there.
    pub(super) fn advance(&mut self, trial: &mut Trial<'_>, goal: &Goal<'_>) -> bool {
        let begun = self.recording.work();
        while !trial.has_reached(goal) && !goal.is_late(self.recording) {
            self.step(trial);
            if self.net.is_over() {
                // Nothing is tried any more.
                (self.until, self.others_until, self.later) = (begun, begun, None);
                break;
            }
        }
        trial.spent = trial.spent + self.recording.work().after(begun);
        trial.has_reached(goal)
    }

    /// The next event of a trial, or its end.
    fn step(&mut self, trial: &mut Trial<'_>) {
        let number = trial.events.number();
        let Some((rank, event)) = trial.events.next() else {
            return self.conclude(trial);
        };
        let text = (&mut self.spots, &mut *self.places);
        match (&mut trial.change, trial.edits.as_slice()) {
            (Change::Moved(moved), [Edit::Shift(shift)]) => {
                for mut event in moved.rewrite(shift, (number, rank, event), text) {
                    if !trial.unexcused || excuses::take(&mut event, false) {
                        trial.replay.push(number, rank, Item::new(event, true));
                    }
                }
            }
            (Change::Edited(comers, known), edits) => {
                let mut editor = Editor::new((edits, comers), known, text);
                for mut item in editor.rewrite(rank, event) {
                    if !trial.unexcused || excuses::take(item.event_mut(), false) {
                        trial.replay.push(number, rank, item);
                    }
                }
            }
            (Change::Moved(_), _) => {}
        }
        self.note_waits(trial, number);
        // What several clocks leave open is taken back at the end.
        if self.recording.clocks().is_empty() {
            self.name(trial, number);
        }
        if trial.replay.first_held().is_some() && !trial.change.has_more_at_the_end() {
            let next = number + 1;
            let others = self.recording.ranks();
            let others = others.filter(|rank| self.recording.goes_on(*rank, next));
            if trial.replay.is_stuck(others) {
                trial.end = Some(Err(Stuck));
            }
        }
    }

    /// All events have come.
    fn conclude(&mut self, trial: &mut Trial<'_>) {
        let number = trial.events.number();
        let is_balanced = match &mut trial.change {
            Change::Moved(moved) => {
                for (rank, events) in moved.last() {
                    for mut event in events {
                        if trial.unexcused && !excuses::take(&mut event, false) {
                            continue;
                        }
                        trial.replay.push(number, rank, Item::new(event, true));
                    }
                }
                true
            }
            Change::Edited(_, known) => known.is_balanced(),
        };
        if !is_balanced || trial.replay.finish().is_err() {
            trial.end = Some(Err(Stuck));
            return;
        }
        trial.replay.judge_mut().conclude(&Ending::Complete);
        if !self.recording.clocks().is_empty() {
            (trial.named, trial.waits, trial.found) = (0, 0, Found::default());
        }
        self.note_waits(trial, number);
        self.name(trial, number);
        trial.end = Some(Ok(()));
    }

    /// Notes who would wait for ever in another order, and would not without the change.
    fn note_waits(&mut self, trial: &mut Trial<'_>, number: u64) {
        let Some(waits) = trial.replay.waits().filter(|waits| waits.len() > trial.waits) else {
            return;
        };
        trial.waits = waits.len();
        let recording = self.recording;
        let known = self.waits.get_or_insert_with(|| Holders::of_run(recording));
        if !waits.is_subset(known) {
            trial.found.entry(WAITS_FOR_EVER.to_owned()).or_insert(number);
        }
    }

    /// Gives new findings their ids.
    fn name(&mut self, trial: &mut Trial<'_>, number: u64) {
        let all = trial.replay.judge().findings();
        for finding in &all[trial.named..] {
            let id = self.id(&RawFinding {
                timeline: None,
                scene: None,
                suggestion: None,
                ..finding.clone()
            });
            trial.found.entry(id).or_insert(number);
        }
        trial.named = all.len();
    }

    /// By edit: the processes that take part, if not all do.
    pub(super) fn comers(&mut self, edits: &[Edit]) -> Vec<Option<BTreeSet<Rank>>> {
        let ends: Vec<Option<[Spot; 2]>> = edits.iter().map(Edit::ends).collect();
        if ends.iter().all(Option::is_none) {
            return vec![None; edits.len()];
        }
        let executed = self.executed();
        // Who waits for a notification there does not pass unseen.
        let told = edits.iter().filter_map(|edit| match edit {
            Edit::Tell { target, .. } => Some(*target),
            _ => None,
        });
        let told: BTreeSet<Rank> = told.collect();
        let of = |ends: [Spot; 2]| {
            let here = executed.iter().filter(|(spot, _)| ends.contains(spot));
            here.map(|(_, rank)| *rank).chain(told.iter().copied()).collect()
        };
        ends.into_iter().map(|ends| ends.map(of)).collect()
    }

    /// Which process came to which place.
    pub(super) fn executed(&mut self) -> &BTreeSet<(Spot, Rank)> {
        self.executed.get_or_insert_with(|| {
            let mut executed: BTreeSet<(Spot, Rank)> = BTreeSet::new();
            for (rank, event) in self.recording.events() {
                for site in sites(rank, &event.kind) {
                    executed.insert((self.spots.of(site, self.places), rank));
                }
            }
            executed
        })
    }
}

impl Change {
    /// The number of the first event that is held back before it is changed.
    fn first_held(&self) -> Option<u64> {
        match self {
            Self::Edited(_, known) => known.first_held(),
            Self::Moved(_) => None,
        }
    }

    /// Whether something is put after all events.
    fn has_more_at_the_end(&self) -> bool {
        matches!(self, Self::Moved(moved) if moved.has_last())
    }
}
