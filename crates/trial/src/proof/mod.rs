//! Suggestions, tried in the events of the run.

mod judge;
mod placed;
mod shifts;

use crate::edit::{Edit, Way, are_alike, edits};
use crate::near::Around;
use crate::replay::Stuck;
use crate::spots::{Spot, Spots};
use crate::{Costs, Recording};
use farside_events::{Interface, Rank};
use farside_findings::{Proof, finding_id};
use farside_race::{Options, Places, RawFinding, RawSuggestion, candidates, findings, settled};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use shifts::MOVES;
use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

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

/// Of a recording that is judged in this time, many changes can be tried.
const QUICK: Duration = Duration::from_millis(200);

/// Suggestions that are told besides the cheapest.
const OTHERS: usize = 2;

/// Tries suggestions for the findings of a job.
pub struct Trials<'r, P> {
    recording: &'r Recording,
    options: Options,
    interface: Interface,
    places: &'r mut P,
    until: Instant,
    /// No alternative to what helps is tried after this: where it helps is still to be told.
    others_until: Instant,
    /// They may go on until then, if the first trial is quick; `None` if that is known, or not meant.
    later: Option<Instant>,
    costs: Costs,
    spots: Spots,
    /// Which process came to which place.
    executed: Option<BTreeSet<(Spot, Rank)>>,
    /// What was tried, and what was found then.
    tried: Vec<(Vec<Edit>, Outcome)>,
    /// Whether the last trial was one of a call that is moved in one of two readings of the text.
    is_read_in_two_ways: bool,
    /// The places of findings.
    wanted: HashSet<Spot>,
    /// The calls around them; `None` if that was not asked yet.
    near: Option<HashMap<Spot, Around>>,
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
            others_until: before(until),
            later: None,
            costs: Costs::default(),
            spots: Spots::default(),
            executed: None,
            tried: Vec::new(),
            is_read_in_two_ways: false,
            wanted: HashSet::default(),
            near: None,
        }
    }

    /// If the first trial is quick, trials may go on until `later`.
    #[must_use]
    pub fn if_quick(self, later: Instant) -> Self {
        Self {
            later: Some(later),
            ..self
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
        self.look_around(&raw);
        let ids: Vec<String> = raw.iter().map(|finding| self.id(finding)).collect();
        let known: BTreeSet<String> = ids.iter().cloned().collect();
        // One id is one finding in the report, and that of the lowest ranks is shown.
        let alike = |id: &String, raw: &[RawFinding]| {
            let mut alike: Vec<usize> = (0..raw.len()).filter(|index| ids[*index] == *id).collect();
            alike.sort_by_key(|index| ranks(&raw[*index]));
            alike
        };
        // What is advised has its turn for each finding before anything else.
        for id in &known {
            let first = alike(id, &raw)
                .into_iter()
                .find(|index| raw[*index].suggestion.is_some());
            if let Some(finding) = first.map(|index| &raw[index])
                && let Some(Ok(ways)) = finding
                    .suggestion
                    .as_ref()
                    .map(|own| edits(own, finding, &mut self.spots, self.places))
            {
                self.proof(&ways, (id, &known));
            }
        }
        for id in &known {
            let alike = alike(id, &raw);
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
        let first = *alike.first()?;
        let mut queue: VecDeque<(&RawFinding, RawSuggestion)> = advised.collect();
        let mut looked = false;
        while let Some((finding, suggestion)) = self.next(&mut queue, first, (&mut looked, &verified)) {
            let limit = if verified.is_empty() {
                self.until
            } else {
                self.others_until
            };
            if of_own.is_some() && Instant::now() >= limit {
                break;
            }
            let ways = edits(&suggestion, finding, &mut self.spots, self.places);
            let is_shift = |ways: &[Way]| matches!(ways, [way, ..] if matches!(way[0][..], [Edit::Shift(_)]));
            let moves = verified.iter().filter(|known| is_shift(&known.ways)).count();
            if ways.as_ref().is_ok_and(|ways| is_shift(ways)) && moves >= MOVES {
                continue;
            }
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

    /// What is tried next: after all that is advised, calls that may be moved, unless something helps that costs
    /// nothing; and then what may be added.
    fn next<'f>(
        &mut self,
        queue: &mut VecDeque<(&'f RawFinding, RawSuggestion)>,
        first: &'f RawFinding,
        (looked, verified): (&mut bool, &[Help]),
    ) -> Option<(&'f RawFinding, RawSuggestion)> {
        if queue.is_empty() && !std::mem::replace(looked, true) {
            let is_free = |help: &Help| self.costs.of(&help.suggestion, self.interface) == 0.0;
            let mut others = match verified.iter().any(is_free) {
                true => Vec::new(),
                false => self.shifts(first),
            };
            others.extend(candidates(first, self.interface));
            queue.extend(others.into_iter().map(|other| (first, other)));
        }
        queue.pop_front()
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
                self.is_read_in_two_ways = true;
                let begun = Instant::now();
                let found = self.judge(edits);
                let later = self.later.take();
                if let Some(later) = later.filter(|_| begun.elapsed() <= QUICK) {
                    (self.until, self.others_until) = (later, before(later));
                }
                let found = found?;
                if let ([Edit::Shift(shift)], false) = (edits, self.is_read_in_two_ways) {
                    let same = vec![Edit::Shift(shift.within())];
                    self.tried.push((same, found.clone()));
                }
                self.tried.push((edits.to_vec(), found));
                self.tried.len() - 1
            }
        };
        Some(&self.tried[index].1)
    }

    fn id(&mut self, finding: &RawFinding) -> String {
        let found = findings(vec![finding.clone()], self.interface, self.places);
        let ids = found
            .iter()
            .map(|finding| finding_id(finding.rule, &finding.parties));
        ids.collect()
    }
}

/// When to begin no other alternative, if there is time until then.
fn before(until: Instant) -> Instant {
    let now = Instant::now();
    now + until.saturating_duration_since(now) * 7 / 8
}

/// Whose finding it is.
fn ranks(finding: &RawFinding) -> Vec<u32> {
    finding.parties.iter().map(|party| party.site.rank.0).collect()
}
