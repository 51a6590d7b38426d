//! Synchronisation that a run did not need.

use crate::place::{Frame, Place, shown_frame};
use crate::ranks::Ranks;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What was found of the synchronising calls of a run: which it did not need, and why the others were not judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Superfluous {
    /// Why nothing is said; then all the rest is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Silence>,
    /// What can go, or can be weaker, all of it together; dearest first.
    pub calls: Vec<Unneeded>,
    /// What can go only if one of `calls` stays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<Unneeded>,
    /// Calls that stay and wait for ranks that nothing has to do with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub narrower: Vec<Narrower>,
    /// Places that were tried, those of `calls` included.
    pub tried: u64,
    /// The places of all synchronising calls that were met.
    #[serde(default, skip)]
    pub met: Vec<Place>,
    /// Places that stay without a trial, by reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Kept>,
    /// Nanoseconds that all ranks together ran; 0 where there was no run.
    pub nanoseconds: u64,
    /// What can make a call needed that this does not look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
}

/// A call, or several that belong together, that a run did not need as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unneeded {
    /// What is called: `MPI_Win_fence`; a pair as `MPI_Win_lock`, the call that begins.
    pub call: String,
    /// Where, innermost frame first; several where calls at several places meet, or an epoch begins and ends.
    pub stacks: Vec<Vec<Frame>>,
    /// Whether it is so from wherever the program comes there; else only where it comes by these calls.
    pub everywhere: bool,
    /// What can be done.
    pub change: Lessening,
    /// How often all ranks together made the call.
    pub visits: u64,
    /// The ranks that made it.
    pub ranks: Ranks,
    /// Nanoseconds that all ranks together spent there; 0 where there was no run.
    pub nanoseconds: u64,
    /// Of which executions it is known.
    pub holds: Holds,
    /// Whether a report of `farside lint` says the same of the same places; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lint: Option<bool>,
}

/// What can be done with a call that is not needed as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Lessening {
    /// It can go.
    Remove,
    /// This is enough: `MPI_Win_flush_local`.
    Weaken(String),
}

/// Of which executions it is known that a call is not needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// What it does is needed, and other calls do it, whatever the order of the ranks: it is so wherever the program
    /// takes the same way.
    ThisPath,
    /// Nothing needed it in this run, whatever else is there; with another input, or other ranks, something may.
    ThisInput,
    /// Nothing needed it in any simulation of the program, for each number of ranks that was tried.
    Simulations,
}

/// A call that stays, at which ranks wait for others that they have nothing to do with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Narrower {
    /// What is called.
    pub call: String,
    /// Where, innermost frame first.
    pub stack: Vec<Frame>,
    /// The most ranks that one rank communicates with around the call.
    pub partners: u32,
    /// The ranks that meet there.
    pub members: u32,
    /// Nanoseconds that all ranks together spent there.
    pub nanoseconds: u64,
    /// Nanoseconds of these in which all partners of a rank had come, and others had not.
    pub for_others: u64,
}

/// Places that stay without a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Kept {
    /// Why.
    pub reason: Reason,
    /// How many.
    pub places: u64,
}

/// Why a call stays that was not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It may keep the messages in order that a receive from any source takes.
    AnySource,
    /// It may keep atomic instructions of several processes on shared memory in order.
    AtomicInstructions,
    /// It completes what another process may be waiting for, by its value.
    Awaited,
    /// It empties a queue of GASPI, which has a limit.
    Queue,
    /// It may keep work arrays of collective calls from being used too early.
    WorkArrays,
    /// It may keep the attaching of memory before its use.
    Attaching,
    /// It tests, failed or did not end.
    Unfinished,
    /// Its place in the sources is not known, or it is not alone there.
    Place,
    /// The time for trials was over.
    NoTime,
}

/// Why nothing is said of the synchronisation of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Silence {
    /// A process was lost, or the job did not end by itself.
    Unfinished,
    /// There are more events than are kept.
    TooLarge,
    /// Not all that the processes did was seen.
    NotAllSeen,
    /// There are too many unordered pairs of atomic operations to compare them.
    TooMany,
    /// There is one process only.
    Alone,
    /// Not every simulation was followed to its end.
    NotFollowed,
    /// Several jobs were run.
    SeveralJobs,
}

/// What can make a call needed, and is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Unseen {
    /// What lies outside the windows: files, output, time, other libraries.
    Outside,
    /// The run has findings, which may hide others.
    Findings,
    /// Threads took locks of their process in an order that may be another one.
    ThreadOrder,
    /// Calls tested whether something was done.
    Tests,
}

impl Unneeded {
    /// The places to look at, one for each stack that has one.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.stacks.iter().filter_map(|stack| shown_place(stack))
    }

    /// The same call on another way.
    fn add(&mut self, other: Self) {
        self.stacks.extend(other.stacks);
        self.visits += other.visits;
        self.nanoseconds += other.nanoseconds;
        let ranks = self.ranks.iter().chain(other.ranks.iter());
        self.ranks = Ranks::of(ranks.collect::<Vec<_>>());
        if other.holds == Holds::ThisInput {
            self.holds = other.holds;
        }
    }

    /// Whether the other names the same call at the same places, and the same change.
    fn is_that_of(&self, other: &Self) -> bool {
        let lines = |call: &Self| {
            let of = |place: &Place| (file_name(&place.file).to_owned(), place.line);
            let mut lines: Vec<Vec<(String, u32)>> = match call.everywhere {
                true => call.places().map(|place| vec![of(place)]).collect(),
                false => {
                    let frames = |stack: &Vec<Frame>| {
                        stack
                            .iter()
                            .filter_map(|frame| frame.place.as_ref().map(of))
                            .collect()
                    };
                    call.stacks.iter().map(frames).collect()
                }
            };
            lines.sort_unstable();
            lines.dedup();
            lines
        };
        let alike =
            self.call == other.call && self.change == other.change && self.everywhere == other.everywhere;
        alike && lines(self) == lines(other)
    }
}

impl Superfluous {
    /// Says of each call whether the other, made of the sources, has it too.
    pub fn compare(&mut self, lint: &Self) {
        let theirs: Vec<&Unneeded> = lint.calls.iter().chain(&lint.instead).collect();
        for call in self.calls.iter_mut().chain(&mut self.instead) {
            call.lint = Some(theirs.iter().any(|other| call.is_that_of(other)));
        }
    }

    /// Makes one of calls that can change alike at one place, where the program comes there in several ways.
    pub fn join_ways(&mut self) {
        for calls in [&mut self.calls, &mut self.instead] {
            let mut joined: Vec<Unneeded> = Vec::new();
            for call in std::mem::take(calls) {
                let at = |call: &Unneeded| call.places().cloned().collect::<BTreeSet<_>>();
                let alike = |known: &&mut Unneeded| {
                    !known.everywhere
                        && !call.everywhere
                        && known.change == call.change
                        && at(known) == at(&call)
                };
                match joined.iter_mut().find(alike) {
                    Some(known) => known.add(call),
                    None => joined.push(call),
                }
            }
            *calls = joined;
        }
    }

    /// What both say of one program: calls that neither needs, and all that either does not look at.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        let refused = self.refused.or(other.refused);
        if refused.is_some() {
            return Self {
                refused,
                ..Self::default()
            };
        }
        let known = |calls: &[Unneeded], call: &Unneeded| calls.iter().any(|other| call.is_that_of(other));
        let absent = |met: &[Place], call: &Unneeded| !call.places().any(|place| met.contains(place));
        let (mine, theirs) = (self.met.clone(), other.met.clone());
        self.calls
            .retain(|call| known(&other.calls, call) || absent(&theirs, call));
        let more = other.calls.into_iter().filter(|call| absent(&mine, call));
        self.calls.extend(more);
        self.instead.retain(|call| known(&other.instead, call));
        self.met
            .extend(theirs.into_iter().filter(|place| !mine.contains(place)));
        self.tried = self.tried.max(other.tried);
        for kept in other.kept {
            match self.kept.iter_mut().find(|known| known.reason == kept.reason) {
                Some(known) => known.places = known.places.max(kept.places),
                None => self.kept.push(kept),
            }
        }
        self.unseen.extend(other.unseen);
        self.unseen.sort_unstable();
        self.unseen.dedup();
        self
    }
}

/// The place to look at, of a stack.
#[must_use]
pub fn shown_place(stack: &[Frame]) -> Option<&Place> {
    stack.get(shown_frame(stack)?)?.place.as_ref()
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
