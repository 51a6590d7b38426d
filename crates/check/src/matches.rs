//! Receives that could have taken another message, and how a run is made in which they do.

use farside_events::Rank;
use farside_findings::Place;
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
    choice: Choice,
    place: Option<Place>,
}

impl OtherMatch {
    /// What a run is told in which it does; `None` if that is too much to tell.
    #[must_use]
    pub fn replay(&self) -> Option<Matches> {
        let given = |one: Match| Given {
            receiver: one.receiver.0,
            post: one.post.0,
            source: one.source.0,
        };
        Matches::of(self.choice.matches().into_iter().map(given).collect())
    }
}

/// The receive at ring.c:12 of rank 0 takes a message of rank 2, not of rank 1.
impl std::fmt::Display for OtherMatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the receive")?;
        if let Some(place) = &self.place {
            write!(f, " at {}:{}", place.file, place.line)?;
        }
        let (taken, Rank(other)) = (self.choice.taken(), self.choice.other());
        let (Rank(receiver), Rank(source)) = (taken.receiver, taken.source);
        write!(
            f,
            " of rank {receiver} takes a message of rank {other}, not of rank {source}"
        )
    }
}

/// Those of a job; `None` if not all of its events were kept. Of each place and each other process the first receive
/// comes first, so that few runs try much.
pub(crate) fn of(
    recording: &Recording,
    options: Options,
    places: &mut impl Places,
) -> Option<Vec<OtherMatch>> {
    let mut found: Vec<(usize, OtherMatch)> = Vec::new();
    let mut met: BTreeMap<_, usize> = BTreeMap::new();
    for choice in other_matches(recording, options)? {
        let place = places
            .stack(choice.site())
            .into_iter()
            .find_map(|frame| frame.place);
        let key = (place.clone(), choice.taken().receiver, choice.other());
        let times = met.entry(key).or_default();
        found.push((*times, OtherMatch { choice, place }));
        *times += 1;
    }
    found.sort_by_key(|(times, _)| *times);
    Some(found.into_iter().map(|(_, other)| other).collect())
}
