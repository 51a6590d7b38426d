//! Suggestions, tried in the events of the run.

use crate::Recording;
use crate::edit::{Edit, edits};
use crate::editor::Editor;
use crate::replay::{Replay, Stuck};
use crate::spots::Spots;
use farside_events::Interface;
use farside_findings::{Proof, finding_id};
use farside_race::{Detector, Ending, Options, Places, RawFinding, RawSuggestion, candidates, findings, settled};
use std::collections::BTreeSet;
use std::time::Instant;

/// Tries suggestions for the findings of a job.
pub struct Trials<'r, P> {
    recording: &'r Recording,
    options: Options,
    interface: Interface,
    places: &'r mut P,
    until: Instant,
    spots: Spots,
    /// What was tried, and what was found then.
    tried: Vec<(Vec<Edit>, Result<BTreeSet<String>, Stuck>)>,
}

impl<'r, P: Places> Trials<'r, P> {
    /// For a job that was judged like this; none is begun after `until`.
    pub fn new(
        recording: &'r Recording,
        (options, interface): (Options, Interface),
        places: &'r mut P,
        until: Instant,
    ) -> Self {
        Self {
            recording,
            options,
            interface,
            places,
            until,
            spots: Spots::default(),
            tried: Vec::new(),
        }
    }

    /// The findings of the job with suggestions that were tried: of each the cheapest one that was proved; where none
    /// was, its own, with what came of it.
    pub fn prove(mut self, raw: Vec<RawFinding>) -> Vec<RawFinding> {
        let mut raw = settled(raw, self.places);
        let ids: Vec<String> = raw.iter().map(|finding| self.id(finding)).collect();
        let known: BTreeSet<String> = ids.iter().cloned().collect();
        let mut met: Vec<(&String, RawSuggestion)> = Vec::new();
        for (finding, id) in raw.iter_mut().zip(&ids) {
            let Some(own) = finding.suggestion.take() else {
                continue;
            };
            // One id is one finding in the report.
            let again = met.iter().find(|(other, _)| *other == id);
            let suggestion = match again {
                Some((_, known)) => RawSuggestion {
                    proof: known.proof,
                    ..own
                },
                None => self.best(finding, own, (id, &known)),
            };
            if again.is_none() {
                met.push((id, suggestion.clone()));
            }
            finding.suggestion = Some(suggestion);
        }
        raw
    }

    /// The suggestion that is printed for a finding.
    fn best(
        &mut self,
        finding: &RawFinding,
        own: RawSuggestion,
        (id, known): (&str, &BTreeSet<String>),
    ) -> RawSuggestion {
        let of_own = self.proof(finding, &own, (id, known));
        if of_own == Proof::Verified && own.code.len() < 2 {
            return own.with_proof(of_own);
        }
        let wanted = |other: &RawSuggestion| of_own != Proof::Verified || other.code.len() < own.code.len();
        let others: Vec<RawSuggestion> = candidates(finding).into_iter().filter(wanted).collect();
        for other in others {
            if self.proof(finding, &other, (id, known)) == Proof::Verified {
                return other.with_proof(Proof::Verified);
            }
        }
        own.with_proof(of_own)
    }

    /// What comes of a suggestion.
    fn proof(
        &mut self,
        finding: &RawFinding,
        suggestion: &RawSuggestion,
        (id, known): (&str, &BTreeSet<String>),
    ) -> Proof {
        if !self.recording.is_whole() {
            return Proof::TooLarge;
        }
        let ways = match edits(suggestion, finding.window, &mut self.spots, self.places) {
            Ok(ways) => ways,
            Err(reason) => return reason,
        };
        let mut first = None;
        for edits in ways {
            let proof = match self.found(edits) {
                None => Proof::NoTime,
                Some(Err(Stuck)) => Proof::Blocks,
                Some(Ok(found)) if found.contains(id) => Proof::Stays,
                Some(Ok(found)) if !found.is_subset(known) => Proof::BringsOthers,
                Some(Ok(_)) => return Proof::Verified,
            };
            first.get_or_insert(proof);
        }
        first.unwrap_or(Proof::Untried)
    }

    /// What is found if the program is changed like this; `None` if there is no time to see.
    fn found(&mut self, edits: Vec<Edit>) -> Option<&Result<BTreeSet<String>, Stuck>> {
        let known = self.tried.iter().position(|(tried, _)| *tried == edits);
        let index = match known {
            Some(index) => index,
            None if Instant::now() >= self.until => return None,
            None => {
                let found = self.judge(&edits);
                self.tried.push((edits, found));
                self.tried.len() - 1
            }
        };
        Some(&self.tried[index].1)
    }

    fn judge(&mut self, edits: &[Edit]) -> Result<BTreeSet<String>, Stuck> {
        let clocks = self.recording.clocks();
        let mut detector = Detector::new(Options {
            first: false,
            ..self.options
        });
        for (rank, clock) in clocks {
            detector.set_clock(*rank, *clock);
        }
        let mut editor = Editor::new(edits, &mut self.spots, self.places);
        let mut replay = Replay::new(clocks, |rank, event: &_| detector.event(rank, event));
        for (rank, event) in self.recording.events() {
            for item in editor.rewrite(rank, event) {
                replay.push(rank, item);
            }
        }
        replay.finish()?;
        drop(replay);
        let (raw, _) = detector.finish(Ending::Complete);
        let raw = settled(raw, self.places);
        Ok(raw.iter().map(|finding| self.id(finding)).collect())
    }

    fn id(&mut self, finding: &RawFinding) -> String {
        let found = findings(vec![finding.clone()], self.interface, self.places);
        let ids = found.iter().map(|finding| finding_id(finding.rule, &finding.parties));
        ids.collect()
    }
}
