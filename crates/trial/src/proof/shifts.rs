//! Calls that the program makes on the wrong side of an access, as suggestions to move them, or else the access.

use super::Trials;
use crate::near::{Around, around};
use farside_race::{Name, Places, RawFinding, RawSuggestion, Spot as At, is_misplaced};
use std::collections::BTreeSet;

/// Moves of calls that help and are told: one may not be possible in the text.
pub(super) const MOVES: usize = 2;

/// Moves of accesses that help and are told.
pub(super) const MOVED_ACCESSES: usize = 1;

/// Calls after the first access, after which one before it may have to come.
const FOLLOWING: usize = 2;

impl<P: Places> Trials<'_, P> {
    /// Calls that might be moved to the other side of what takes part in a finding, the likeliest first.
    ///
    /// What the second access relies on may come after it, and what tells of the first before it; what completes the
    /// first may come too late, or both too early. What would give the other order of the two is none of them: it would
    /// be another program.
    pub(super) fn shifts(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let spots: Vec<_> = finding
            .parties
            .iter()
            .take(2)
            .map(|party| self.spots.of(party.site, self.places))
            .collect();
        self.find_near();
        let near = self.near.as_ref();
        let empty = Around::default();
        let sides: Vec<(At, &Around)> = finding
            .parties
            .iter()
            .zip(&spots)
            .map(|(party, spot)| {
                let at = At {
                    site: party.site,
                    name: party.name.clone(),
                };
                (at, near.and_then(|near| near.get(spot)).unwrap_or(&empty))
            })
            .collect();
        let Some((first, of_first)) = sides.first() else {
            return Vec::new();
        };
        let (second, of_second) = sides.last().unwrap_or(&sides[0]);
        // What follows the first completes it, and may have to come before what tells of it.
        let next = of_first.after().iter().take(FOLLOWING).map(|call| call.told().1);
        let mut sequences = vec![
            (of_second.after(), second.clone(), false),
            (of_first.before(), first.clone(), true),
            (of_first.after(), first.clone(), true),
        ];
        sequences.extend(next.map(|next| (of_first.before(), next, true)));
        // Of a call that comes too early, what ends the other epoch may come too late.
        if is_misplaced(finding) {
            sequences.push((of_first.after(), first.clone(), false));
        }
        let mut all: Vec<RawSuggestion> = Vec::new();
        for (calls, place, after) in sequences {
            for call in calls {
                let (kind, at) = call.told();
                let shift = RawSuggestion::moved(kind, at, place.clone(), after);
                if !all.contains(&shift) {
                    all.push(shift);
                }
            }
        }
        let passed = [
            (of_second.passed_after(), second, true),
            (of_first.passed_before(), first, false),
        ];
        // What an operation would meet elsewhere, epochs and the end of the library, is not looked at.
        let is_access = |at: &At| matches!(at.name, Name::Load | Name::Store);
        for (calls, access, after) in passed.into_iter().filter(|(_, access, _)| is_access(access)) {
            let moved = calls
                .iter()
                .map(|call| RawSuggestion::moved_access(access.clone(), call.told().1, after));
            all.extend(moved);
        }
        all
    }

    /// Looks for the calls around the places of findings, once.
    pub(super) fn find_near(&mut self) {
        if self.near.is_none() {
            let text = (&mut self.spots, &mut *self.places);
            let found = around(
                &self.wanted,
                self.recording,
                self.interface,
                text,
                self.others_until,
            );
            self.near = Some(found.unwrap_or_default());
        }
    }

    /// Remembers the places of findings, around which calls may be moved.
    pub(super) fn look_around(&mut self, raw: &[RawFinding]) {
        let parties = raw.iter().flat_map(|finding| finding.parties.iter().take(2));
        let sites: BTreeSet<_> = parties
            .map(|party| self.spots.of(party.site, self.places))
            .collect();
        self.wanted = sites.into_iter().collect();
    }
}
