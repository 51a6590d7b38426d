//! Receives that could have taken another message, and how a run is made in which they do.

use farside_findings::{Frame, Place};
use farside_race::{Choice, Match, Options, Places};
use farside_spool::matches::{Match as Given, Matches};
use farside_trial::{Recording, other_matches};
use std::collections::BTreeMap;

/// Which messages receives from any source take, in a run.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    replay: Option<Matches>,
    looks: bool,
    silent: bool,
}

impl Matching {
    /// These, if any are told.
    #[must_use]
    pub fn told(replay: Option<Matches>) -> Self {
        Self {
            replay,
            ..Self::default()
        }
    }

    /// Also looks for receives that could have taken other messages ([`crate::Checked::choices`]), if so.
    #[must_use]
    pub fn looking_for_others(self, looks: bool) -> Self {
        Self { looks, ..self }
    }

    /// The command is run once more: nobody hears what it says, and it reads nothing.
    #[must_use]
    pub fn silently(self) -> Self {
        Self { silent: true, ..self }
    }

    pub(crate) fn replay(&self) -> Option<&Matches> {
        self.replay.as_ref()
    }

    pub(crate) fn looks(&self) -> bool {
        self.looks
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.silent
    }
}

/// A receive that could have taken another message.
#[derive(Clone, Debug)]
pub struct OtherMatch {
    /// What a run is told.
    replay: Matches,
    /// Which receive, and whose message it took.
    receiver: u32,
    place: Option<Place>,
    taken: u32,
    other: u32,
}

impl OtherMatch {
    /// What a run is told in which it does.
    #[must_use]
    pub fn replay(&self) -> &Matches {
        &self.replay
    }
}

/// The receive at ring.c:12 of rank 0 takes a message of rank 2, not of rank 1.
impl std::fmt::Display for OtherMatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the receive")?;
        if let Some(place) = &self.place {
            write!(f, " at {}:{}", place.file, place.line)?;
        }
        let Self {
            receiver,
            taken,
            other,
            ..
        } = self;
        write!(
            f,
            " of rank {receiver} takes a message of rank {other}, not of rank {taken}"
        )
    }
}

/// Those of a job. Of each place and each other process the first receive comes first, so that few runs try much.
pub(crate) fn of(recording: &Recording, options: Options, places: &mut impl Places) -> Vec<OtherMatch> {
    let mut found: Vec<(usize, OtherMatch)> = Vec::new();
    let mut met: BTreeMap<_, usize> = BTreeMap::new();
    for choice in other_matches(recording, options).unwrap_or_default() {
        let Some(other) = one(&choice, places) else {
            continue;
        };
        let times = met
            .entry((other.place.clone(), other.receiver, other.other))
            .or_default();
        found.push((*times, other));
        *times += 1;
    }
    found.sort_by_key(|(times, _)| *times);
    found.into_iter().map(|(_, other)| other).collect()
}

/// `None` if a run cannot be told of all that was before it.
fn one(choice: &Choice, places: &mut impl Places) -> Option<OtherMatch> {
    let given = |one: Match| Given {
        receiver: one.receiver.0,
        post: one.post.0,
        source: one.source.0,
    };
    let taken = choice.taken();
    let stack = places.stack(choice.site());
    let place = |frame: &Frame| frame.place.clone();
    Some(OtherMatch {
        replay: Matches::of(choice.matches().into_iter().map(given).collect())?,
        receiver: taken.receiver.0,
        place: stack.iter().find_map(place),
        taken: taken.source.0,
        other: choice.other().0,
    })
}
