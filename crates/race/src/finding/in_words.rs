//! Suggestions whose calls are told in words, since no one place of the text has them.

use super::{Code, Note, RawSuggestion, Spot};

impl RawSuggestion {
    /// What ends an epoch is called on the ways that keep it, the last call of which is known.
    #[must_use]
    pub fn on_ways_that_keep(code: Code, last: Spot) -> Self {
        Self::insert(vec![code], Some(last), None).noting(Note::OnWaysThatKeep)
    }

    /// Whether it is for the ways that keep an epoch: that is told in words.
    #[must_use]
    pub fn is_on_ways_that_keep(&self) -> bool {
        self.notes.contains(&Note::OnWaysThatKeep)
    }

    /// Whether one thread of several makes its collective call: that is told in words.
    #[must_use]
    pub fn is_by_one_of_a_team(&self) -> bool {
        self.notes.contains(&Note::ByOneOfATeam)
    }

    /// Several threads of a process come to the collective call at once: one of them makes it. That was not tried.
    #[must_use]
    pub fn by_one_of_a_team(self) -> Self {
        Self {
            notes: vec![Note::ByOneOfATeam],
            proof: None,
            judged: None,
            stands: Vec::new(),
            ..self
        }
    }
}
