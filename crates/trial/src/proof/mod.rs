//! Suggestions, tried in the events of the run.

mod placed;

use crate::edit::{Edit, Way, are_alike, edits};
use crate::editor::Editor;
use crate::replay::{Replay, Stuck};
use crate::spots::{Spot, Spots, sites};
use crate::{Costs, Recording};
use farside_events::{Interface, Rank};
use farside_findings::{Proof, finding_id};
use farside_race::{
    Detector, Ending, Options, Places, RawFinding, RawSuggestion, candidates, findings, settled,
};
use std::collections::BTreeSet;
use std::time::Instant;

/// The ids that are found then, or that processes wait for each other.
type Outcome = Result<BTreeSet<String>, Stuck>;

/// A suggestion that helps.
struct Help {
    suggestion: RawSuggestion,
    /// The places for it.
    ways: Vec<Way>,
    /// The first of them at which it helps.
    way: usize,
}

/// Events of a trial after which the time is looked at.
const PATIENCE: usize = 1024;

/// Suggestions that are told besides the cheapest.
const OTHERS: usize = 2;

/// Tries suggestions for the findings of a job.
pub struct Trials<'r, P> {
    recording: &'r Recording,
    options: Options,
    interface: Interface,
    places: &'r mut P,
    until: Instant,
    /// No alternative to what helps is tried after this, so that each finding has its turn.
    others_until: Instant,
    costs: Costs,
    spots: Spots,
    /// Which process came to which place.
    executed: Option<BTreeSet<(Spot, Rank)>>,
    /// What was tried, and what was found then.
    tried: Vec<(Vec<Edit>, Outcome)>,
}

impl<'r, P: Places> Trials<'r, P> {
    /// For a job that was judged like this; none goes on after `until`.
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
            others_until: {
                let now = Instant::now();
                now + until.saturating_duration_since(now) / 2
            },
            costs: Costs::default(),
            spots: Spots::default(),
            executed: None,
            tried: Vec::new(),
        }
    }

    /// Calls cost so much.
    #[must_use]
    pub fn with_costs(self, costs: Costs) -> Self {
        Self { costs, ..self }
    }

    /// The findings of the job with suggestions that were tried: of each the cheapest one that was proved; where none
    /// was, its own, with what came of it.
    pub fn prove(mut self, raw: Vec<RawFinding>) -> Vec<RawFinding> {
        let mut raw = settled(raw, self.places);
        let ids: Vec<String> = raw.iter().map(|finding| self.id(finding)).collect();
        let known: BTreeSet<String> = ids.iter().cloned().collect();
        for id in &known {
            // One id is one finding in the report, and that of the lowest ranks is shown.
            let mut alike: Vec<usize> = (0..raw.len()).filter(|index| ids[*index] == *id).collect();
            alike.sort_by_key(|index| ranks(&raw[*index]));
            let group: Vec<&RawFinding> = alike.iter().map(|index| &raw[*index]).collect();
            if let Some(best) = self.best(&group, (id, &known)) {
                let told: Vec<RawSuggestion> = alike
                    .iter()
                    .map(|index| self.told(&raw[*index], &best, group[0]))
                    .collect();
                for (index, told) in alike.into_iter().zip(told) {
                    raw[index].suggestion = Some(told);
                }
            }
        }
        raw
    }

    /// What is told for one of several findings of an id: its own suggestion, if that says to do the same.
    fn told(&mut self, finding: &RawFinding, best: &RawSuggestion, of_best: &RawFinding) -> RawSuggestion {
        let own = finding.suggestion.clone();
        let mut ways = |suggestion: &RawSuggestion, finding: &RawFinding| {
            edits(suggestion, finding, &mut self.spots, self.places).ok()
        };
        let same = own.filter(|own| match (ways(own, finding), ways(best, of_best)) {
            (Some(own), Some(best)) => are_alike(&own, &best),
            _ => own == best,
        });
        same.map_or_else(
            || best.clone(),
            |own| RawSuggestion {
                proof: best.proof,
                cost: best.cost,
                stands: best.stands.clone(),
                others: best.others.clone(),
                ..own
            },
        )
    }

    /// The suggestion that is printed for findings of one id; none if there is none.
    fn best(
        &mut self,
        alike: &[&RawFinding],
        (id, known): (&str, &BTreeSet<String>),
    ) -> Option<RawSuggestion> {
        let own = alike.iter().find_map(|finding| finding.suggestion.clone())?;
        let mut of_own = None;
        let mut verified: Vec<Help> = Vec::new();
        let mut changes: Vec<Vec<Way>> = Vec::new();
        let advised = alike
            .iter()
            .filter_map(|finding| Some((*finding, finding.suggestion.clone()?)));
        let others = alike.iter().take(1).flat_map(|finding| {
            let others = candidates(finding).into_iter();
            others.map(|other| (*finding, other))
        });
        for (finding, suggestion) in advised.chain(others) {
            let limit = if verified.is_empty() {
                self.until
            } else {
                self.others_until
            };
            if of_own.is_some() && Instant::now() >= limit {
                break;
            }
            let ways = edits(&suggestion, finding, &mut self.spots, self.places);
            // Of two that help, one is enough that has nothing besides the other.
            let is_more = verified
                .iter()
                .any(|known| known.suggestion.is_part_of(&suggestion));
            let is_known = |ways: &Vec<Way>| changes.iter().any(|known| are_alike(known, ways));
            if is_more || ways.as_ref().is_ok_and(is_known) {
                continue;
            }
            let (proof, way) = match &ways {
                Ok(ways) => {
                    changes.push(ways.clone());
                    self.proof(ways, (id, known))
                }
                Err(reason) => (*reason, 0),
            };
            of_own.get_or_insert(proof);
            if let (Proof::Verified, Ok(ways)) = (proof, ways) {
                verified.retain(|known| !suggestion.is_part_of(&known.suggestion));
                let cost = self.costs.of(&suggestion, self.interface);
                let suggestion = RawSuggestion {
                    cost: Some((cost * 1e3).round() as u64),
                    ..suggestion.with_proof(proof)
                };
                verified.push(Help {
                    suggestion,
                    ways,
                    way,
                });
            }
        }
        // Of equal costs, what was advised comes first.
        let cost = |help: &Help| self.costs.of(&help.suggestion, self.interface);
        verified.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        let mut verified = verified.into_iter();
        match verified.next() {
            Some(best) => {
                let best = self.placed(best, true, (id, known));
                let others = verified.take(OTHERS);
                let others = others.map(|other| self.placed(other, false, (id, known)));
                Some(RawSuggestion {
                    others: others.collect(),
                    ..best
                })
            }
            None => Some(own.with_proof(of_own.unwrap_or(Proof::Untried))),
        }
    }

    /// What comes of changes at one of these places, and at which; if none helps, at the first.
    fn proof(&mut self, ways: &[Way], told: (&str, &BTreeSet<String>)) -> (Proof, usize) {
        if !self.recording.is_whole() {
            return (Proof::TooLarge, 0);
        }
        let mut of_first = None;
        for (number, way) in ways.iter().enumerate() {
            let readings: Vec<Proof> = way.iter().map(|edits| self.comes_of(edits, told)).collect();
            // A reading that processes cannot follow is not what is meant.
            let mut meant = readings.iter().filter(|proof| **proof != Proof::Blocks);
            let proof = match meant.clone().next() {
                None => Proof::Blocks,
                Some(_) => *meant
                    .find(|proof| **proof != Proof::Verified)
                    .unwrap_or(&Proof::Verified),
            };
            if proof == Proof::Verified {
                return (proof, number);
            }
            of_first.get_or_insert(proof);
        }
        (of_first.unwrap_or(Proof::Untried), 0)
    }

    /// What comes of changes for a finding, where others are known.
    fn comes_of(&mut self, edits: &[Edit], (id, known): (&str, &BTreeSet<String>)) -> Proof {
        match self.found(edits) {
            None => Proof::NoTime,
            Some(Err(Stuck)) => Proof::Blocks,
            Some(Ok(found)) if found.contains(id) => Proof::Stays,
            Some(Ok(found)) if !found.is_subset(known) => Proof::BringsOthers,
            Some(Ok(_)) => Proof::Verified,
        }
    }

    /// What is found if the program is changed like this; `None` if there is no time to see.
    fn found(&mut self, edits: &[Edit]) -> Option<&Outcome> {
        let known = self.tried.iter().position(|(tried, _)| tried == edits);
        let index = match known {
            Some(index) => index,
            None if Instant::now() >= self.until => return None,
            None => {
                let found = self.judge(edits)?;
                self.tried.push((edits.to_vec(), found));
                self.tried.len() - 1
            }
        };
        Some(&self.tried[index].1)
    }

    /// What is found then; `None` if there is no time to see it to its end.
    fn judge(&mut self, edits: &[Edit]) -> Option<Outcome> {
        let clocks = self.recording.clocks();
        let mut detector = Detector::new(Options {
            first: false,
            ..self.options
        });
        for (rank, clock) in clocks {
            detector.set_clock(*rank, *clock);
        }
        let comers = self.comers(edits);
        let mut editor = Editor::new(edits, comers, &mut self.spots, self.places);
        let mut replay = Replay::new(clocks, |rank, event: &_| detector.event(rank, event))
            .strict(edits.iter().any(Edit::delays));
        let until = self.until;
        for (number, (rank, event)) in self.recording.events().enumerate() {
            if number % PATIENCE == 0 && Instant::now() >= until {
                return None;
            }
            for item in editor.rewrite(rank, event) {
                replay.push(rank, item);
            }
        }
        if !editor.is_balanced() {
            return Some(Err(Stuck));
        }
        if replay.finish().is_err() {
            return Some(Err(Stuck));
        }
        drop(replay);
        let (raw, _) = detector.finish(Ending::Complete);
        let raw = settled(raw, self.places);
        Some(Ok(raw.iter().map(|finding| self.id(finding)).collect()))
    }

    /// By edit: the processes that take part, if not all do.
    fn comers(&mut self, edits: &[Edit]) -> Vec<Option<BTreeSet<Rank>>> {
        let ends: Vec<Option<[Spot; 2]>> = edits.iter().map(Edit::ends).collect();
        if ends.iter().all(Option::is_none) {
            return vec![None; edits.len()];
        }
        let executed = self.executed();
        let of = |ends: [Spot; 2]| {
            let here = executed.iter().filter(|(spot, _)| ends.contains(spot));
            here.map(|(_, rank)| *rank).collect()
        };
        ends.into_iter().map(|ends| ends.map(of)).collect()
    }

    /// Which process came to which place.
    fn executed(&mut self) -> &BTreeSet<(Spot, Rank)> {
        self.executed.get_or_insert_with(|| {
            let mut executed: BTreeSet<(Spot, Rank)> = BTreeSet::new();
            for (rank, event) in self.recording.events() {
                for site in sites(rank, &event.kind) {
                    executed.insert((self.spots.of(site, self.places), rank));
                }
            }
            executed
        })
    }

    fn id(&mut self, finding: &RawFinding) -> String {
        let found = findings(vec![finding.clone()], self.interface, self.places);
        let ids = found
            .iter()
            .map(|finding| finding_id(finding.rule, &finding.parties));
        ids.collect()
    }
}

/// Whose finding it is.
fn ranks(finding: &RawFinding) -> Vec<u32> {
    finding.parties.iter().map(|party| party.site.rank.0).collect()
}
