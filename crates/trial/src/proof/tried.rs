//! What is known of a change that was tried.

use super::Outcome;
use super::trial::{Trial, WAITS_FOR_EVER};
use crate::edit::Edit;
use farside_findings::Proof;
use std::collections::BTreeSet;

/// A change that was tried, and what is known of it.
pub(super) struct Tried<'r> {
    edits: Vec<Edit>,
    state: State<'r>,
}

enum State<'r> {
    /// It can go on.
    Going(Box<Trial<'r>>),
    /// It was given up here, with what was found.
    Left(BTreeSet<String>, u64),
    Ended(Outcome),
}

/// What is known of a change for a finding.
pub(super) struct Known {
    has_it: bool,
    has_others: bool,
    is_stuck: bool,
    may_wait: bool,
    is_whole: bool,
    /// All events before this one were judged.
    judged: u64,
}

impl Known {
    /// What came of it, if that does not depend on what was not judged yet.
    pub(super) fn proof(&self) -> Option<Proof> {
        match () {
            () if self.has_it => Some(Proof::Stays),
            () if self.is_stuck => Some(Proof::Blocks),
            () if self.may_wait => Some(Proof::MayBlock),
            () if self.has_others => Some(Proof::BringsOthers),
            () if self.is_whole => Some(Proof::Verified),
            () => None,
        }
    }

    /// Whether nothing is learned by judging on.
    pub(super) fn is_settled(&self) -> bool {
        self.has_it || self.is_whole
    }

    /// Whether something else was found.
    pub(super) fn has_others(&self) -> bool {
        self.has_others
    }

    /// Whether all events before this one were judged.
    pub(super) fn covers(&self, to: u64) -> bool {
        self.judged >= to
    }
}

impl<'r> Tried<'r> {
    /// What is known for a finding, where others are known.
    pub(super) fn known(&self, id: &str, all: &BTreeSet<String>) -> Known {
        let is_other = |found: &String| !all.contains(found);
        match &self.state {
            State::Going(trial) => Known {
                has_it: trial.found().contains_key(id),
                has_others: trial.found().keys().any(is_other),
                is_stuck: false,
                may_wait: trial.found().contains_key(WAITS_FOR_EVER),
                is_whole: false,
                judged: trial.judged(),
            },
            State::Left(found, judged) => Known {
                has_it: found.contains(id),
                has_others: found.iter().any(is_other),
                is_stuck: false,
                may_wait: found.contains(WAITS_FOR_EVER),
                is_whole: false,
                judged: *judged,
            },
            State::Ended(outcome) => Known {
                has_it: outcome.as_ref().is_ok_and(|found| found.contains(id)),
                has_others: outcome.as_ref().is_ok_and(|found| found.iter().any(is_other)),
                is_stuck: outcome.is_err(),
                may_wait: outcome.as_ref().is_ok_and(|found| found.contains(WAITS_FOR_EVER)),
                is_whole: true,
                judged: u64::MAX,
            },
        }
    }

    /// Takes what a trial has come to.
    pub(super) fn of(trial: Box<Trial<'r>>) -> Self {
        Self {
            edits: trial.edits().to_vec(),
            state: match trial.end() {
                Some(outcome) => State::Ended(outcome),
                None => State::Going(trial),
            },
        }
    }

    /// A change of which it is known what comes.
    pub(super) fn ended(edits: &[Edit], outcome: Outcome) -> Self {
        Self {
            edits: edits.to_vec(),
            state: State::Ended(outcome),
        }
    }

    /// What was tried.
    pub(super) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// All events before this one were judged; `None` if its outcome is known.
    pub(super) fn judged(&self) -> Option<u64> {
        match &self.state {
            State::Going(trial) => Some(trial.judged()),
            State::Left(_, judged) => Some(*judged),
            State::Ended(_) => None,
        }
    }

    /// Whether it can go on.
    pub(super) fn is_going(&self) -> bool {
        matches!(self.state, State::Going(_))
    }

    /// The trial, if it can go on.
    ///
    /// # Errors
    /// It cannot: what is known of it.
    pub(super) fn into_trial(self) -> Result<Box<Trial<'r>>, Self> {
        match self.state {
            State::Going(trial) => Ok(trial),
            state => Err(Self {
                edits: self.edits,
                state,
            }),
        }
    }

    /// It goes on no more.
    pub(super) fn give_up(&mut self) {
        if let State::Going(trial) = &self.state {
            let found = trial.found().keys().cloned().collect();
            self.state = State::Left(found, trial.judged());
        }
    }
}
