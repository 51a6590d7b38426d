//! How much of the run is judged again: all of it, or first a beginning and then as much as there is time for.
//!
//! Where the first trial of the whole run is quick, all are. Else what a suggestion does not help for shows in the
//! beginning of the run: the events up to the one that shows the finding, and as many again, so that the orders from
//! one round to the next are seen, too. What helps there is judged on, in turns with what helps other findings.
//!
//! Limit: what is found only at the end of a run (a call that others do not make), and what several clocks leave open
//! till then, has no beginning.

use super::trial::{Goal, Trial};
use super::tried::Tried;
use super::{QUICK, Trials, before};
use crate::edit::{Edit, Way};
use crate::replay::Stuck;
use crate::shift::Shift;
use farside_findings::Proof;
use farside_race::Places;
use std::collections::{BTreeSet, VecDeque};

/// Trials that are kept to be gone on with; more take too much memory.
const KEPT: usize = 16;

/// Events after the one that shows a finding that its beginning has at least.
const MORE: u64 = 64;

/// How much is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Not known yet, for no trial has come to its end, nor taken long.
    Open,
    /// All events.
    Whole,
    /// First those of beginnings; after what shows a finding so many events, or as many again if that is not given.
    Beginning(Option<u64>),
}

impl<'r, P: Places> Trials<'r, P> {
    /// What comes of changes for a finding, where others are known.
    pub(super) fn comes_of(&mut self, edits: &[Edit], (id, all): (&str, &BTreeSet<String>)) -> Proof {
        let edits = self.same(edits);
        let to = match self.extent {
            Extent::Beginning(_) => match self.beginning(id) {
                None => return Proof::NoTime,
                to => to,
            },
            _ => None,
        };
        // What is found besides refutes a change as well, unless processes cannot follow it: that is seen at its end.
        let goal = Goal::all(self.until).or_found(id).or_other(all).before(to);
        self.go_on(&edits, &goal, all);
        if to.is_none() && matches!(self.extent, Extent::Beginning(_)) {
            // It was this one that took long.
            return self.comes_of(&edits, (id, all));
        }
        self.proof_of(&edits, (id, all))
    }

    /// The same at the end of the run, or when processes wait for ever: what was found by then says nothing of a change
    /// that they cannot follow.
    pub(super) fn at_its_end(&mut self, edits: &[Edit], (id, all): (&str, &BTreeSet<String>)) -> Proof {
        let edits = self.same(edits);
        let now = self.recording.work();
        let left = self.until.after(now);
        let goal = Goal::all(match self.extent {
            Extent::Beginning(_) => now + left / 4,
            _ => self.until,
        });
        self.go_on(&edits, &goal, all);
        self.proof_of(&edits, (id, all))
    }

    /// What is known of changes for a finding.
    fn proof_of(&mut self, edits: &[Edit], (id, all): (&str, &BTreeSet<String>)) -> Proof {
        let Some(known) = self.position(edits).map(|index| self.tried[index].known(id, all)) else {
            return Proof::NoTime;
        };
        match known.proof() {
            Some(proof) => proof,
            None if self.beginning(id).is_some_and(|to| known.covers(to)) => Proof::InPart,
            None => Proof::NoTime,
        }
    }

    /// Goes on with the trial of a change as far as that helps; begins it if need be.
    fn go_on(&mut self, edits: &[Edit], goal: &Goal<'_>, all: &BTreeSet<String>) {
        let index = self.position(edits);
        if let Some(index) = index {
            let known = self.tried[index].known(goal.id().unwrap_or_default(), all);
            let is_refuted = goal.ends_with_others() && known.has_others();
            if known.is_settled() || is_refuted || goal.is_met(|to| known.covers(to)) {
                return;
            }
        }
        if goal.is_late(self.recording) {
            return;
        }
        let (trial, left) = match index.map(|index| self.tried.remove(index).into_trial()) {
            Some(Ok(trial)) => (Some(trial), None),
            Some(Err(left)) => (None, Some(left)),
            None => (None, None),
        };
        let begun = match trial {
            Some(trial) => Some(Ok(trial)),
            None => self.begin(edits).map(|trial| trial.map(Box::new)),
        };
        let tried = match begun {
            Some(Ok(mut trial)) => {
                self.judge(&mut trial, goal);
                let is_open = trial.end().is_none();
                let is_further = |known: &Tried<'_>| is_open && known.judged() > Some(trial.judged());
                Some(left.filter(is_further).unwrap_or_else(|| Tried::of(trial)))
            }
            Some(Err(Stuck)) => Some(Tried::ended(edits, Err(Stuck))),
            None => left,
        };
        self.tried.extend(tried);
        self.give_up_some();
    }

    /// Judges a trial, and sees by the first one how much can be judged.
    fn judge(&mut self, trial: &mut Trial<'r>, goal: &Goal<'_>) {
        if self.extent != Extent::Open {
            self.advance(trial, goal);
            return;
        }
        let quick = self.recording.work() + QUICK.after(trial.spent());
        let of_first = goal.no_later(quick);
        self.advance(trial, &of_first);
        let is_over = trial.end().is_some();
        if is_over && trial.spent() <= QUICK {
            self.extent = Extent::Whole;
            if let Some(later) = self.later.take() {
                (self.until, self.others_until) = (later, before(self.recording.work(), later));
            }
        } else if !trial.has_reached(goal) {
            // What is left open till the end by several clocks has no beginning.
            self.extent = match self.recording.clocks().is_empty() {
                true => Extent::Beginning(None),
                false => Extent::Whole,
            };
            if self.extent == Extent::Whole {
                self.advance(trial, goal);
            } else {
                let now = self.recording.work();
                self.others_until = now + self.until.after(now) / 2;
            }
        }
    }

    /// Before which event everything is judged first for a finding; `None` if that was not found in time.
    fn beginning(&mut self, id: &str) -> Option<u64> {
        let Extent::Beginning(more) = self.extent else {
            return None;
        };
        let end = self.recording.len();
        let enough = |shown: u64| shown + 1 + more.unwrap_or((shown + 1).max(MORE));
        let (mut base, limit) = match self.base.take() {
            Some(known) => known,
            None => {
                let now = self.recording.work();
                let half = self.until.after(now) / 2;
                (Box::new(self.begin(&[])?.ok()?), now + half)
            }
        };
        // Where it was passed already, other findings of the run do not cost any time.
        let is_known = base.found().contains_key(id) || !self.races.contains(id);
        let until = if is_known { self.recording.work() } else { limit };
        let goal = Goal::all(until).or_found(id);
        self.advance(&mut base, &goal);
        let shown = base.found().get(id).copied();
        self.base = Some((base, limit));
        // What is found at the end alone has no beginning.
        shown
            .filter(|shown| *shown < end)
            .map(|shown| enough(shown).min(end))
    }

    /// Goes on with changes that help in a beginning, each for as long as the others.
    pub(super) fn resume(&mut self, mut helping: VecDeque<(&str, Vec<Edit>)>, all: &BTreeSet<String>) {
        while let Some((id, edits)) = helping.pop_front() {
            let now = self.recording.work();
            let turns = helping.len() as u64 + 1;
            let goal = Goal::all(now + self.until.after(now) / turns).or_found(id);
            let edits = self.same(&edits);
            self.go_on(&edits, &goal, all);
        }
    }

    /// Whether beginnings are judged first.
    pub(super) fn is_by_beginnings(&self) -> bool {
        matches!(self.extent, Extent::Beginning(_))
    }

    /// Percent of the events that were judged with all of these changes, those aside with which processes wait for
    /// ever; at most 99.
    pub(super) fn share(&mut self, way: &Way) -> u8 {
        let mut least = None;
        for edits in way {
            let edits = self.same(edits);
            let judged = self.position(&edits).and_then(|index| self.tried[index].judged());
            least = least.into_iter().chain(judged).min();
        }
        let judged = least.unwrap_or(0);
        let percent = judged * 100 / self.recording.len().max(1);
        u8::try_from(percent.min(99)).unwrap_or(99)
    }

    /// Of a call that is moved, both readings are one change.
    pub(super) fn note_same(&mut self, one: &Shift, other: &Shift) {
        self.alike.push((one.clone(), other.clone()));
    }

    /// Whether a statement is moved over code that is executed again and again without it.
    pub(super) fn passes_a_loop(&self, way: &Way) -> bool {
        match way.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] {
            [[Edit::Shift(_)], [Edit::Shift(within)]] => !self.alike.iter().any(|(one, _)| one == within),
            _ => false,
        }
    }

    /// The change in whose name this one was tried.
    fn same(&self, edits: &[Edit]) -> Vec<Edit> {
        if let [Edit::Shift(shift)] = edits
            && let Some((_, other)) = self.alike.iter().find(|(one, _)| one == shift)
        {
            return vec![Edit::Shift(other.clone())];
        }
        edits.to_vec()
    }

    /// The trial of a change, or of one that differs in the places alone by which it is told who takes part.
    fn position(&mut self, edits: &[Edit]) -> Option<usize> {
        let known = self.tried.iter().position(|tried| tried.edits() == edits);
        if known.is_some() || edits.iter().all(|edit| edit.ends().is_none()) {
            return known;
        }
        let is_same = |tried: &Tried<'_>| {
            let pairs = tried.edits().iter().zip(edits);
            tried.edits().len() == edits.len() && pairs.into_iter().all(|(one, other)| one.is_like(other))
        };
        let alike: Vec<usize> = (0..self.tried.len())
            .filter(|index| is_same(&self.tried[*index]))
            .collect();
        let comers = self.comers(edits);
        alike.into_iter().find(|index| {
            let tried = self.tried[*index].edits().to_vec();
            self.comers(&tried) == comers
        })
    }

    /// Of many trials that could go on, those that were looked at last are kept.
    fn give_up_some(&mut self) {
        let going = self.tried.iter().filter(|tried| tried.is_going()).count();
        let old = self.tried.iter_mut().filter(|tried| tried.is_going());
        old.take(going.saturating_sub(KEPT)).for_each(Tried::give_up);
    }
}
