//! A wider group of `MPI_Win_start`, as a suggestion, where an operation goes to a target that it lacks.

use super::Trials;
use crate::covers::Covers;
use farside_findings::Rule;
use farside_race::{CallKind, Name, Places, RawFinding, RawSuggestion, Spot as At, What};

impl<P: Places> Trials<'_, P> {
    /// The group of the start with the targets that its epoch has besides.
    pub(super) fn groups(&mut self, finding: &RawFinding) -> Option<RawSuggestion> {
        let ([operation, start], What::Misuse(misuse)) = (finding.parties.as_slice(), &finding.what) else {
            return None;
        };
        let is_start = matches!(
            start.name,
            Name::Call(CallKind::Start) | Name::CallOf(_, CallKind::Start)
        );
        if !is_start || misuse.rule() != Rule::WrongTarget {
            return None;
        }
        let (target, window) = (operation.target?, finding.window?);
        let spot = self.spots.of(start.site, self.places);
        let text = (&mut self.spots, &mut *self.places);
        let covers = Covers::of(spot, self.recording, text, self.others_until)?;
        let groups = covers.wider((start.site.rank, window), target)?;
        let (site, name) = (start.site, start.name.clone());
        RawSuggestion::of_wider_group(groups, At { site, name })
    }
}
