//! In which other orders a run could have gone, and how a run is made that does: receives that could have taken another
//! message, and processes of other speeds.

use farside_events::Rank;
use farside_findings::{OTHER_SPEEDS, Place};
use farside_race::{Choice, Match, Options, Places};
use farside_spool::replay::{Match as Given, Replay};
use farside_trial::{Recording, other_matches};
use std::collections::BTreeMap;

/// What a run is told that is to go another way, and whether it is looked at for other ways.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    replay: Option<Replay>,
    looks: bool,
    silent: bool,
}

impl Matching {
    /// These, if any are told.
    #[must_use]
    pub fn told(replay: Option<Replay>) -> Self {
        Self {
            replay,
            ..Self::default()
        }
    }

    /// Also looks for other orders in which the run could have gone ([`crate::Checked::other_orders`]), if so.
    #[must_use]
    pub fn looking_for_others(self, looks: bool) -> Self {
        Self { looks, ..self }
    }

    /// The command is run once more: nobody hears what it says, and it reads nothing.
    #[must_use]
    pub fn silently(self) -> Self {
        Self { silent: true, ..self }
    }

    pub(crate) fn replay(&self) -> Option<&Replay> {
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
    fn replay(&self) -> Option<Replay> {
        let given = |one: Match| Given {
            receiver: one.receiver.0,
            post: one.post.0,
            source: one.source.0,
        };
        Replay::of_matches(self.choice.matches().into_iter().map(given).collect())
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

/// In which other orders the processes of a run could have gone on.
#[derive(Clone, Debug, Default)]
pub struct OtherOrders {
    matches: Vec<OtherMatch>,
    by_speed: bool,
}

impl OtherOrders {
    /// Receives that could have taken another message.
    #[must_use]
    pub fn matches(&self) -> &[OtherMatch] {
        &self.matches
    }

    /// What runs are told to go in other orders, each with a sentence: first the receives that could have taken another
    /// message, then processes of other speeds, without end, if the run did what these decide.
    pub fn replays(&self) -> impl Iterator<Item = (String, Replay)> {
        // What is too much to tell is left.
        let matches = self.matches.iter();
        let matches = matches.filter_map(|one| Some((one.to_string(), one.replay()?)));
        let speeds = (0..).take_while(|_| self.by_speed);
        matches.chain(speeds.map(|seed| (OTHER_SPEEDS.to_owned(), Replay::of_speeds(seed))))
    }

    /// Takes in those of a job; `None` if not all of its events were kept. Of each place and each other process the
    /// first receive comes first, so that few runs try much.
    pub(crate) fn with_job(
        mut self,
        recording: &Recording,
        options: Options,
        places: &mut impl Places,
    ) -> Option<Self> {
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
        self.matches.extend(found.into_iter().map(|(_, other)| other));
        self.by_speed |= recording.depends_on_order();
        Some(self)
    }
}
