//! Calls that the program makes on the wrong side of an access, as suggestions to move them, or else the access.

use super::Trials;
use crate::near::{Around, Near, Which, around};
use farside_events::CallKind;
use farside_findings::Rule;
use farside_race::{Name, Places, RawFinding, RawParty, RawSuggestion, Spot as At, What, is_misplaced};
use std::collections::{BTreeSet, VecDeque};

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
        let Some(near) = &self.near else {
            return Vec::new();
        };
        let empty = Around::default();
        let sides: Vec<(&RawParty, &Around)> = finding
            .parties
            .iter()
            .zip(&spots)
            .map(|(party, spot)| (party, near.around(*spot).unwrap_or(&empty)))
            .collect();
        let Some(first) = sides.first() else {
            return Vec::new();
        };
        let second = sides.last().unwrap_or(first);
        let mut all: Vec<RawSuggestion> = Vec::new();
        let mut accesses: VecDeque<RawSuggestion> = VecDeque::new();
        let is_order = |call: &Near, place: &At, after: bool| {
            let (kind, at) = call.told();
            RawSuggestion::moved(kind, at, place.clone(), after)
        };
        // Where memory of a dynamic window lies comes with such calls: an operation comes after them for that alone.
        let of_dynamic = finding.rule == Rule::UnmatchedAttach;
        let is_operation = |at: &At| matches!(at.name, Name::Call(CallKind::Operation { .. }));
        // What is read was written to be read: nothing orders the two, so the write may be what comes first. Or the
        // round before has written what is read, and the next round's write must not come yet.
        let (earlier, later) = (first.0, second.0);
        let are_two = matches!(finding.what, What::Race(_)) && earlier.site.rank != later.site.rank;
        let is_late = are_two && earlier.only_reads() && !later.only_reads();
        let is_written_again = || near.is_done_again(spots[0], earlier.site.rank);
        let is_early = are_two && later.only_reads() && !earlier.only_reads() && is_written_again();
        let mut orders = vec![(first, second)];
        if is_late || is_early {
            orders.push((second, first));
        }
        for (first, second) in orders {
            let ((first, of_first), (second, of_second)) = (first, second);
            let [at_first, at_second] = [first, second].map(|party| At {
                site: party.site,
                name: party.name.clone(),
            });
            // What follows the first completes it, and may have to come before what tells of it.
            let next = of_first.after(Which::Orders).iter().take(FOLLOWING);
            let next: Vec<At> = next.map(|call| call.told().1).collect();
            let mut sequences = vec![
                (of_second.after(Which::Orders), at_second.clone(), false),
                (of_first.before(Which::Orders), at_first.clone(), true),
                (of_first.after(Which::Orders), at_first.clone(), true),
            ];
            let following = |which| {
                next.iter()
                    .map(move |next| (of_first.before(which), next.clone(), true))
            };
            sequences.extend(following(Which::Orders));
            sequences.push((of_first.after(Which::OfTheFunction), at_first.clone(), true));
            sequences.push((of_first.before(Which::Tells), at_first.clone(), true));
            sequences.extend(following(Which::Tells));
            // Of a call that comes too early, what ends the other epoch may come too late.
            if is_misplaced(finding) {
                sequences.push((of_first.after(Which::Orders), at_first.clone(), false));
            }
            // What another thread does before it has waited for that of the first, or after it has begun that of the
            // second.
            for (join, around) in near.of_other_threads((first.site.rank, first.thread), false) {
                for which in [Which::Orders, Which::Tells] {
                    sequences.push((around.before(which), join.clone(), true));
                }
            }
            for (start, around) in near.of_other_threads((second.site.rank, second.thread), true) {
                sequences.push((around.after(Which::Orders), start.clone(), false));
            }
            for (calls, place, after) in sequences {
                let brings_the_address =
                    |call: &&Near| of_dynamic && is_operation(&place) && call.may_bring_data();
                for call in calls.iter().filter(|call| !brings_the_address(call)) {
                    let shift = is_order(call, &place, after);
                    if !all.contains(&shift) {
                        all.push(shift);
                    }
                }
            }
            let passed = [
                (of_second.after(Which::Passed), at_second, true),
                (of_first.before(Which::Passed), at_first, false),
            ];
            // What an operation would meet elsewhere, epochs and the end of the library, is not looked at.
            let is_access = |at: &At| matches!(at.name, Name::Load | Name::Store);
            // What brings what was written comes before what reads too early.
            let mut told = Vec::new();
            for (calls, access, after) in passed.into_iter().filter(|(_, access, _)| is_access(access)) {
                let moved = calls
                    .iter()
                    .map(|call| RawSuggestion::moved_access(access.clone(), call.told().1, after));
                told.extend(moved);
            }
            match is_late {
                true => told.into_iter().rev().for_each(|one| accesses.push_front(one)),
                false => accesses.extend(told),
            }
        }
        all.extend(accesses);
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
