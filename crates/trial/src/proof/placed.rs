//! Where a suggestion that helps was tried, and where else its call for all processes may stand.

use super::{Help, Trials};
use crate::cut::Cut;
use crate::edit::{Edit, Way};
use crate::stands::{Text, stretches};
use farside_findings::{Action, Proof, Stretch};
use farside_race::{Places, RawSuggestion};
use std::collections::BTreeSet;

impl<P: Places> Trials<'_, P> {
    /// A suggestion that helps, with the places of its calls; with those `elsewhere` between the two accesses, too, as
    /// long as there is time to try them.
    pub(super) fn placed(
        &mut self,
        help: Help,
        elsewhere: bool,
        told: (&str, &BTreeSet<String>),
    ) -> RawSuggestion {
        let Help {
            suggestion,
            ways,
            way,
        } = help;
        let outside = ways[way][0].clone();
        // Where threads have to be ordered, too, the calls alone were not tried.
        let is_more = outside
            .iter()
            .any(|edit| matches!(edit, Edit::Order { .. } | Edit::Exclude { .. }));
        if is_more || !matches!(suggestion.action, Action::Insert | Action::Move) {
            return suggestion;
        }
        self.executed();
        let is_outside = self.comes_of(&outside, told).helps();
        // What is moved is taken out first, where that is not one change.
        let is_shift = matches!(outside[..], [Edit::Shift(_)]);
        let added = usize::from(suggestion.action == Action::Move && !is_shift);
        let stand = |edit: &Edit| match edit.cut() {
            Some(_) if !is_outside => Vec::new(),
            None if is_shift && !is_outside => Vec::new(),
            _ => self.stretches(edit),
        };
        let calls = outside.iter().skip(added).take(suggestion.code.len());
        let mut stands: Vec<Vec<Stretch>> = calls.map(stand).collect();
        // Where a call within the loop of the first access is one too many, it comes after that loop.
        let within = ways[way].get(1).cloned();
        if within.is_some_and(|within| !self.comes_of(&within, told).helps()) {
            let crosses = outside.iter().skip(added).map(|edit| edit.cut().is_some());
            for (_, stretches) in crosses.zip(&mut stands).filter(|(crosses, _)| *crosses) {
                for stretch in stretches {
                    stretch.at_end |= stretch.before.is_some();
                }
            }
        }
        let crossing = |(_, edit): &(usize, &Edit)| edit.cut().is_some();
        let mut all = outside.iter().enumerate().skip(added).filter(crossing);
        if let (Some((at, _)), None, true) = (all.next(), all.next(), elsewhere)
            && let Some(stretches) = stands.get_mut(at - added)
        {
            for other in self.elsewhere(&ways, way, at) {
                if self.recording.work() >= self.others_until {
                    break;
                }
                let helps = self.proof(std::slice::from_ref(&other), told).0 == Proof::Verified;
                if helps && self.comes_of(&other[0], told) == Proof::Verified {
                    stretches.extend(self.stretches(&other[0][at]));
                }
            }
        }
        RawSuggestion { stands, ..suggestion }
    }

    /// The same change with the call for all processes, which is the edit `at`, at other places between the accesses.
    fn elsewhere(&self, ways: &[Way], known: usize, at: usize) -> Vec<Way> {
        let cut = |way: &Way| way[0].get(at).and_then(Edit::cut).cloned();
        let others = (0..ways.len()).filter(|other| *other != known);
        let mut elsewhere: Vec<Way> = others.map(|other| ways[other].clone()).collect();
        if let [Some(first), Some(second)] = ways.iter().map(cut).collect::<Vec<_>>().as_slice()
            && first.leads_down()
        {
            for frame in self.text(first).between(first, second) {
                let mut way = ways[known].clone();
                for edits in &mut way {
                    edits[at] = edits[at].right_after(&frame);
                }
                elsewhere.push(way);
            }
        }
        elsewhere
    }

    fn stretches(&self, edit: &Edit) -> Vec<Stretch> {
        stretches(edit, &|cut| self.text(cut), &self.spots)
    }

    fn text(&self, cut: &Cut) -> Text {
        let executed = self.executed.iter().flatten().map(|(spot, _)| *spot);
        Text::around(cut, executed, &self.spots)
    }
}
