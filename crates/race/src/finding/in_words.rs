//! Suggestions whose calls are told in words, since no one place of the text has them.

use super::argument::group;
use super::{Code, Note, RawSuggestion, Spot};
use farside_events::{AccumulateOp, Rank};
use farside_findings::Action;

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

    /// The ranks of which it says that they do something, or tell others.
    #[must_use]
    pub fn named_ranks(&self) -> Vec<Rank> {
        let told = |note: &Note| match note {
            Note::OnAllRanksOrMessage { from, to } | Note::OnRankThenBarrierOrMessage { from, to } => {
                vec![*from, *to]
            }
            _ => Vec::new(),
        };
        let mut named: Vec<Rank> = self.notes.iter().flat_map(told).collect();
        if !self.notes.first().is_some_and(|note| note.names_ranks()) && !self.moves_a_statement() {
            named.extend(self.actor().map(|spot| spot.site.rank));
        }
        named
    }

    /// The same for another finding of its kind, of other ranks: what it says of ranks, it says of all that come there.
    #[must_use]
    pub fn of_other_ranks(mut self) -> Self {
        for note in &mut self.notes {
            *note = match *note {
                Note::OnAllRanksOrMessage { .. } => Note::OnAllRanks,
                Note::OnRankThenBarrierOrMessage { .. } => Note::OnRanksThenBarrier,
                other => other,
            };
        }
        match self.action {
            Action::Replace | Action::Remove => self.notes.push(Note::AndOnOthersLikewise),
            Action::Insert | Action::Move => {
                if !self.notes.first().is_some_and(|note| note.names_ranks()) {
                    self.notes.insert(0, Note::OnRanksThatComeThere);
                }
            }
        }
        self
    }

    /// What tells which process makes the change.
    pub(crate) fn actor(&self) -> Option<&Spot> {
        let told = match self.code.as_slice() {
            // The other place is where it was told.
            [Code::Await(_)] => self.before.as_ref(),
            _ => self.after.as_ref().or(self.before.as_ref()),
        };
        let told = told.filter(|_| !matches!(self.action, Action::Replace | Action::Remove));
        told.or(self.at.as_ref())
    }

    /// No line is known where all processes would make its call: what was tried is not what one would write.
    #[must_use]
    pub fn in_no_known_place(self) -> Self {
        Self {
            proof: None,
            judged: None,
            stands: Vec::new(),
            ..self
        }
    }

    /// What a line stores is an accumulate to the process itself, as others are made at another place. Whether that is
    /// what the line does, its author knows.
    #[must_use]
    pub fn update(operator: AccumulateOp, store: Spot, like: Spot) -> Self {
        let mut suggestion = Self::replace(Code::AtomicUpdate(operator), None, store);
        suggestion.before = Some(like);
        suggestion
            .noting(Note::OnRanksThatComeThere)
            .noting(Note::IfMeant)
    }

    /// A start has a wider group: given, and right. `None` if it has too many ranks to be told.
    #[must_use]
    pub fn of_wider_group(groups: [Vec<Rank>; 2], start: Spot) -> Option<Self> {
        let [given, right] = groups.map(group);
        let (given, right) = (Code::Argument(given?), Code::Argument(right?));
        let suggestion = Self::replace(right, Some(given), start);
        Some(suggestion.noting(Note::AndPostedFor).noting(Note::IfMeant))
    }

    /// Whether a start has a wider group.
    #[must_use]
    pub fn is_wider_group(&self) -> bool {
        self.notes.contains(&Note::AndPostedFor)
    }
}
