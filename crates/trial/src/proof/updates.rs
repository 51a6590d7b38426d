//! An accumulate in the place of what a process stores beside the accumulates of others, as a suggestion.

use super::Trials;
use crate::updates::Updates;
use farside_events::Interface;
use farside_findings::Rule;
use farside_race::{CallKind, Name, Places, RawFinding, RawSuggestion, Spot as At, What};

impl<P: Places> Trials<'_, P> {
    /// The update of the line of a load or a store that meets an accumulate, as one more accumulate.
    pub(super) fn updates(&mut self, finding: &RawFinding) -> Option<RawSuggestion> {
        let is_mpi = finding.interface().unwrap_or(self.interface) == Interface::Mpi;
        let is_race = matches!(finding.what, What::Race(_)) && finding.rule == Rule::RemoteRace;
        let is_own = |name: &Name| matches!(name, Name::Load | Name::Store);
        let is_operation = |name: &Name| {
            let (Name::Call(kind) | Name::CallOf(_, kind)) = name else {
                return false;
            };
            matches!(kind, CallKind::Operation { .. })
        };
        let [one, other] = finding.parties.as_slice() else {
            return None;
        };
        let (own, like) = match (is_own(&one.name), is_own(&other.name)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return None,
        };
        if !is_operation(&like.name) || !is_mpi || !is_race {
            return None;
        }
        let spots = [own, like].map(|party| self.spots.of(party.site, self.places));
        let text = (&mut self.spots, &mut *self.places);
        let updates = Updates::of((spots[0], spots[1]), self.recording, text, self.others_until)?;
        let at = |site, name| At { site, name };
        Some(RawSuggestion::update(
            updates.operator()?,
            at(own.site, Name::Store),
            at(like.site, like.name.clone()),
        ))
    }
}
