//! One suggestion for all findings of an id: what it says of ranks has to be true of the one that is shown.

use super::Trials;
use crate::edit::{are_alike, edits};
use farside_events::Rank;
use farside_race::{Places, RawFinding, RawSuggestion};

impl<P: Places> Trials<'_, P> {
    /// What is told for one of several findings of an id: its own suggestion, if that says to do the same.
    /// The best one is that of the first of them.
    pub(super) fn told(
        &mut self,
        finding: &RawFinding,
        best: &RawSuggestion,
        alike: &[&RawFinding],
    ) -> RawSuggestion {
        let own = finding.suggestion.clone();
        let mut ways = |suggestion: &RawSuggestion, finding: &RawFinding| {
            edits(suggestion, finding, &mut self.spots, self.places).ok()
        };
        let same = own.filter(|_| !best.is_by_one_of_a_team());
        let same = same.filter(|own| {
            match (
                ways(own, finding),
                alike.first().and_then(|first| ways(best, first)),
            ) {
                (Some(own), Some(best)) => are_alike(&own, &best),
                _ => own == best,
            }
        });
        let told = same.map_or_else(
            || best.clone(),
            |own| RawSuggestion {
                proof: best.proof,
                judged: best.judged,
                cost: best.cost,
                stands: best.stands.clone(),
                others: best.others.clone(),
                ..own
            },
        );
        let all: Vec<Rank> = alike.iter().flat_map(|one| ranks(one)).collect();
        in_true_words(told, &ranks(finding), &all)
    }
}

/// A suggestion of one of several findings of an id, with those after it, in words that are true of another one, whose
/// ranks are `own`.
///
/// Ranks that no finding of the id has take part for other reasons (the target of a notification), and stay.
fn in_true_words(told: RawSuggestion, own: &[Rank], all: &[Rank]) -> RawSuggestion {
    let is_of_others = |rank: &Rank| all.contains(rank) && !own.contains(rank);
    let in_words = |one: RawSuggestion| match one.named_ranks().iter().any(is_of_others) {
        true => one.of_other_ranks(),
        false => one,
    };
    let mut told = in_words(told);
    told.others = told.others.into_iter().map(in_words).collect();
    told
}

fn ranks(finding: &RawFinding) -> Vec<Rank> {
    finding.parties.iter().map(|party| party.site.rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{ChannelId, StackId};
    use farside_race::{Code, Name, Note, Site, Spot as At};

    fn flush(rank: u32, notes: &[Note]) -> RawSuggestion {
        let (pc, stack) = (None, StackId(1));
        let site = Site {
            rank: Rank(rank),
            pc,
            stack,
        };
        RawSuggestion {
            code: vec![Code::Flush {
                target: Some(Rank(2)),
                local: false,
                channel: ChannelId::DEFAULT,
            }],
            after: Some(At {
                site,
                name: Name::Load,
            }),
            notes: notes.to_vec(),
            ..RawSuggestion::default()
        }
    }

    #[test]
    fn what_is_said_of_ranks_is_true_of_the_finding_that_is_shown() {
        let (shown, all) = ([Rank(0)], [0, 1, 3].map(Rank));
        let words = |suggestion| in_true_words(suggestion, &shown, &all).notes;
        assert_eq!(words(flush(0, &[])), []);
        assert_eq!(words(flush(1, &[])), [Note::OnRanksThatComeThere]);
        // A third process takes part in each of them.
        assert_eq!(words(flush(2, &[])), []);
        let (from, to) = (Rank(3), Rank(0));
        let with_barrier = Note::OnRankThenBarrierOrMessage { from, to };
        assert_eq!(words(flush(3, &[with_barrier])), [Note::OnRanksThenBarrier]);
        let with_others = RawSuggestion {
            others: vec![flush(1, &[Note::OnAllRanksOrMessage { from, to }])],
            ..flush(0, &[])
        };
        assert_eq!(
            in_true_words(with_others, &shown, &all).others[0].notes,
            [Note::OnAllRanks]
        );
    }
}
