//! Suggestions, tried in the events of the run.

mod attachments;
mod copies;
mod exclusions;
mod extent;
mod groups;
mod help;
mod joined;
mod kept;
mod like;
mod meetings;
mod misdirected;
mod placed;
mod queues;
mod resets;
mod shifts;
mod trial;
mod tried;
mod updates;
mod values;

use crate::edit::{Edit, Way, are_alike, edits};
use crate::holders::Wait;
use crate::meetings::is_passed_at_once;
use crate::near::Found;
use crate::replay::Stuck;
use crate::shift::Shift;
use crate::spots::{Spot, Spots};
use crate::work::{Clock, Net, Work, processor_time};
use crate::{Costs, Recording};
use copies::Senders;
use extent::Extent;
use farside_events::{Interface, Rank};
use farside_findings::{Action, Proof, Shortfall, ShortfallKind, finding_id};
use farside_race::{
    Code, Options, Places, RawFinding, RawSuggestion, What, candidates, candidates_between_rounds, findings,
    is_misplaced, settled, superfluous_calls,
};
use help::{moved_call, of_access};
use resets::may_be_set_back;
use rustc_hash::FxHashSet as HashSet;
use shifts::{MOVED_ACCESSES, MOVES};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use trial::Trial;
use tried::Tried;
use values::Values;

/// A suggestion that helps.
#[derive(Clone)]
struct Help {
    suggestion: RawSuggestion,
    /// The places for it.
    ways: Vec<Way>,
    /// The first of them at which it helps.
    way: usize,
}

/// The ids that are found then, or that processes wait for each other.
type Outcome = Result<BTreeSet<String>, Stuck>;

/// What is tried after what is advised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Advised,
    /// Calls that are moved, and those that are added between the two accesses.
    Others,
    /// Where nothing helps so far: calls between the second access and the first one of the next round.
    NextRound,
}

/// Of a recording that is judged with so little work, many changes can be tried.
const QUICK: Work = Work::of(100_000);

/// Processor time after which no trial goes on, however little was done: far more than the work takes.
const FAR_AWAY: Duration = Duration::from_secs(60);

/// What a moved access is ranked by, in microseconds: calls that wait for no other process cost less, those that do
/// cost more.
const MOVED_ACCESS: f64 = 1.0;

/// Suggestions that are told, without those that move an access: with all calls that are moved, one that is added.
const TOLD: usize = MOVES + 1;

/// Tries suggestions for the findings of a job.
pub struct Trials<'r, P> {
    recording: &'r Recording,
    options: Options,
    interface: Interface,
    places: &'r mut P,
    until: Work,
    /// No alternative to what helps is tried after this: where it helps is still to be told.
    others_until: Work,
    /// They may go on until then, if the first trial is quick; `None` if that is known, or not meant.
    later: Option<Work>,
    /// The time, which decides nothing unless it runs away.
    net: Net,
    costs: Costs,
    spots: Spots,
    /// Which process came to which place.
    executed: Option<BTreeSet<(Spot, Rank)>>,
    /// How much of the run is judged again.
    extent: Extent,
    /// What helps in a beginning is judged further.
    further: bool,
    /// What was tried, and what was found then.
    tried: Vec<Tried<'r>>,
    /// The ids of races, which a beginning of the run may show.
    races: BTreeSet<String>,
    /// Moves that are the same change as another one.
    alike: Vec<(Shift, Shift)>,
    /// The run as it was, as far as it was judged again, and how long it may be.
    base: Option<(Box<Trial<'r>>, Work)>,
    /// Those who would wait for ever in another order of the run as it was; `None` if that was not asked yet.
    waits: Option<BTreeSet<Wait>>,
    /// The places of findings.
    wanted: HashSet<Spot>,
    /// The calls around them; `None` if that was not asked yet.
    near: Option<Found>,
    /// What the statements of the run send; `None` if that was not asked yet.
    senders: Option<Senders>,
    values: Values<'r>,
}

impl<'r, P: Places> Trials<'r, P> {
    /// For a job that was judged like this; none goes on after so much work.
    pub fn new(
        recording: &'r Recording,
        (options, interface): (Options, Interface),
        places: &'r mut P,
        work: Work,
    ) -> Self {
        let until = recording.work() + work;
        Self {
            recording,
            options,
            interface,
            places,
            until,
            others_until: before(recording.work(), until),
            later: None,
            net: Net::new(FAR_AWAY, processor_time),
            costs: Costs::default().among(recording.processes()),
            spots: Spots::default(),
            executed: None,
            extent: Extent::Open,
            further: true,
            tried: Vec::new(),
            races: BTreeSet::new(),
            alike: Vec::new(),
            base: None,
            waits: None,
            wanted: HashSet::default(),
            near: None,
            senders: None,
            values: Values::default(),
        }
    }

    /// If the first trial is quick, trials may take so much work, counted from now on.
    #[must_use]
    pub fn if_quick(self, work: Work) -> Self {
        Self {
            later: Some(self.recording.work() + work),
            ..self
        }
    }

    /// This clock ends trials, if it has gone on so far.
    #[must_use]
    pub fn with_clock(self, clock: Clock, limit: Duration) -> Self {
        Self {
            net: Net::new(limit, clock),
            ..self
        }
    }

    /// Whether the clock has ended trials: at another time they may suggest something else.
    #[must_use]
    pub fn were_stopped(&self) -> bool {
        self.net.is_hit()
    }

    /// Beginnings of the run are judged first, however quick a trial is: so many events after what shows a finding.
    /// What helps there is judged further, or not.
    #[must_use]
    pub fn by_beginnings(self, more: u64, further: bool) -> Self {
        Self {
            extent: Extent::Beginning(Some(more)),
            further,
            ..self
        }
    }

    /// Calls cost so much, where all processes meet more among more of them.
    #[must_use]
    pub fn with_costs(self, costs: Costs) -> Self {
        let costs = costs.among(self.recording.processes());
        Self { costs, ..self }
    }

    /// The findings of the job with suggestions that were tried: of each the cheapest one that was proved; where none
    /// was, its own, with what came of it.
    pub fn prove(&mut self, raw: Vec<RawFinding>) -> Vec<RawFinding> {
        let mut raw = settled(raw, self.places);
        self.look_around(&raw);
        let ids: Vec<String> = raw.iter().map(|finding| self.id(finding)).collect();
        let known: BTreeSet<String> = ids.iter().cloned().collect();
        let is_race = |(finding, _): &(&RawFinding, &String)| matches!(finding.what, What::Race(_));
        let races = raw.iter().zip(&ids).filter(is_race);
        self.races = races.map(|(_, id)| id.clone()).collect();
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
                && let Some(Ok(ways)) = finding.suggestion.as_ref().map(|own| self.ways(own, finding))
            {
                self.proof(&ways, (id, &known));
            }
        }
        let mut wanted: Vec<&String> = known.iter().collect();
        let mut helping: BTreeMap<&String, Vec<Help>> = BTreeMap::new();
        let mut advised: BTreeMap<&String, RawSuggestion> = BTreeMap::new();
        while !wanted.is_empty() {
            for id in std::mem::take(&mut wanted) {
                let group: Vec<&RawFinding> = alike(id, &raw).into_iter().map(|index| &raw[index]).collect();
                if let Some((own, helps)) = self.helps(&group, (id, &known)) {
                    advised.insert(id, own);
                    helping.insert(id, helps);
                }
            }
            wanted = self.judge_on(&helping, &known);
        }
        self.join(&mut helping, &known);
        self.share_changes(&mut helping, &known);
        self.share_completions(&mut helping, &known);
        // What is shared may have been judged in a beginning only; what does not help after all is not told.
        self.judge_on(&helping, &known);
        for id in &known {
            if let Some(own) = advised.remove(id) {
                let helps = helping.remove(id).unwrap_or_default();
                let best = self.ranked(helps, own, (id, &known));
                let alike = alike(id, &raw);
                let group: Vec<&RawFinding> = alike.iter().map(|index| &raw[*index]).collect();
                let told = group.iter().map(|one| self.told(one, &best, &group));
                let told: Vec<RawSuggestion> = told.collect();
                for (index, told) in alike.into_iter().zip(told) {
                    // Why nothing is suggested is told where nothing helps.
                    let says_why = raw[index].suggestion.take().filter(RawSuggestion::only_says_why);
                    raw[index].suggestion = Some(told).filter(|told| !told.is_empty()).or(says_why);
                }
            }
        }
        raw
    }

    /// Judges what helps in a beginning as far as there is time; the findings for which it does not help after all.
    fn judge_on<'k>(
        &mut self,
        helping: &BTreeMap<&'k String, Vec<Help>>,
        known: &BTreeSet<String>,
    ) -> Vec<&'k String> {
        if !(self.further && self.is_by_beginnings()) {
            return Vec::new();
        }
        let first = |helps: &Vec<Help>| helps.first().map(|help| help.ways[help.way].clone());
        let ways: Vec<(&'k String, Way)> = helping
            .iter()
            .filter_map(|(id, helps)| Some((*id, first(helps)?)))
            .collect();
        let readings = ways
            .iter()
            .flat_map(|(id, way)| way.iter().map(|edits| (id.as_str(), edits.clone())));
        self.resume(readings.collect(), known);
        let mut in_vain = Vec::new();
        for (id, way) in ways {
            if !self.proof(std::slice::from_ref(&way), (id, known)).0.helps() {
                in_vain.push(id);
            }
        }
        in_vain
    }

    /// The places for a suggestion, first those in functions that all processes come to.
    fn ways(&mut self, suggestion: &RawSuggestion, finding: &RawFinding) -> Result<Vec<Way>, Proof> {
        let mut ways = edits(suggestion, finding, &mut self.spots, self.places)?;
        let is_further_out = |way: &Way| {
            way.iter()
                .flatten()
                .filter_map(Edit::cut)
                .any(|cut| cut.depth() > 0)
        };
        if ways.iter().any(is_further_out) {
            self.executed();
            ways.sort_by_cached_key(|way| !self.is_come_to_by_all(way));
        }
        Ok(ways)
    }

    /// Whether all processes come to the functions that have the places of a change.
    fn is_come_to_by_all(&self, way: &Way) -> bool {
        let mut cuts = way.iter().flatten().filter_map(Edit::cut);
        cuts.all(|cut| {
            let executed = self.executed.iter().flatten();
            let there = executed.filter(|(spot, _)| cut.frame(self.spots.stack(*spot)).is_some());
            let come: BTreeSet<Rank> = there.map(|(_, rank)| *rank).collect();
            self.recording.ranks().all(|rank| come.contains(&rank))
        })
    }

    /// What is advised for findings of one id, and the suggestions that help, cheapest first. None if nothing is
    /// advised, nor to be tried; what is advised says nothing if something is to be tried.
    fn helps(
        &mut self,
        alike: &[&RawFinding],
        (id, known): (&str, &BTreeSet<String>),
    ) -> Option<(RawSuggestion, Vec<Help>)> {
        let own = alike.iter().find_map(|finding| told_by(finding).cloned());
        let has_candidates = |finding: &&RawFinding| {
            is_misplaced(finding) || may_be_set_back(finding) || !superfluous_calls(finding).is_empty()
        };
        if own.is_none() && !alike.iter().any(has_candidates) {
            return None;
        }
        let own = own.unwrap_or_default();
        let mut of_own = None;
        let mut verified: Vec<Help> = Vec::new();
        let mut changes: Vec<Vec<Way>> = Vec::new();
        let advised = alike
            .iter()
            .filter_map(|finding| Some((*finding, told_by(finding)?.clone())));
        let first = *alike.first()?;
        let mut queue: VecDeque<(&RawFinding, RawSuggestion)> = advised.collect();
        let mut stage = Stage::Advised;
        while let Some((finding, suggestion)) = self.next(&mut queue, first, (&mut stage, &verified)) {
            let limit = if verified.is_empty() {
                self.until
            } else {
                self.others_until
            };
            if of_own.is_some() && self.recording.work() >= limit {
                break;
            }
            let ways = self.ways(&suggestion, finding);
            let moved = ways.as_ref().ok().and_then(|ways| of_access(ways));
            if let Some(access) = moved {
                let alike = verified.iter().filter(|known| of_access(&known.ways) == moved);
                let most = if access { MOVED_ACCESSES } else { MOVES };
                if alike.count() >= most {
                    continue;
                }
            }
            // Of two that help, one is enough that has nothing besides the other.
            let is_more = verified
                .iter()
                .any(|known| known.suggestion.is_part_of(&suggestion));
            let is_no_cheaper = |known: &Help| {
                let costs = [&known.suggestion, &suggestion].map(|one| self.costs.of(one, self.interface));
                known.suggestion.action == Action::Insert && costs[0] <= costs[1]
            };
            // A call that costs no more than a copy needs no memory.
            if is_copy(&suggestion) && verified.iter().any(is_no_cheaper) {
                continue;
            }
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
            if let (true, Ok(ways)) = (proof.helps(), ways) {
                verified.retain(|known| !suggestion.is_part_of(&known.suggestion));
                let cost = self.costs.of(&suggestion, self.interface);
                let suggestion = match self.passes_a_loop(&ways[way]) {
                    true => suggestion.outside_loops(),
                    false => suggestion,
                };
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
        // Of equal costs, what was advised comes first. What an access brings may be needed where it stands, which
        // events do not tell: a call that does not wait for another process is told before.
        // Who has forgotten to complete an operation writes the call that does it, and neither moves the
        // access or a barrier of all processes nor adds one, unless somebody says that this costs less.
        let completions = verified.iter().filter(|help| help.only_completes());
        let costs = completions.map(|help| self.costs.of(&help.suggestion, self.interface));
        let of_completion = costs
            .min_by(f64::total_cmp)
            .map_or(0.0, |cost| cost + MOVED_ACCESS);
        let cost = |help: &Help| {
            let cost = self.costs.of(&help.suggestion, self.interface);
            match () {
                () if help.moves_an_access() => cost + of_completion + MOVED_ACCESS,
                () if help.moves_a_meeting() => cost + of_completion,
                () if help.adds_a_meeting() && !self.costs.are_said() => cost + of_completion,
                () => cost,
            }
        };
        // What a call of another window gives besides, that window needs where it stands.
        let is_of_others = |help: &Help| match (moved_call(&help.ways), first.window, &self.near) {
            (Some(call), Some(window), Some(near)) => near.is_on_others(call, window),
            _ => false,
        };
        verified.sort_by(|a, b| {
            let ranks = |help: &Help| (help.rank(), is_of_others(help));
            ranks(a).cmp(&ranks(b)).then_with(|| cost(a).total_cmp(&cost(b)))
        });
        Some((own.with_proof(of_own.unwrap_or(Proof::Untried)), verified))
    }

    /// The suggestion that is printed first, with others: what helps, and `own`, which is advised, if nothing helps, or
    /// nothing but statements that are moved, for the text may not allow it, or calls that are left out.
    fn ranked(
        &mut self,
        helps: Vec<Help>,
        own: RawSuggestion,
        told: (&str, &BTreeSet<String>),
    ) -> RawSuggestion {
        let is_moved = |help: &Help| of_access(&help.ways).is_some();
        let is_less = |help: &Help| help.suggestion.action == Action::Remove;
        let are_moved = helps.iter().all(|help| is_moved(help) || is_less(help));
        let (mut ranked, mut of_teams, mut nowhere) = (Vec::new(), Vec::new(), Vec::new());
        let (mut told_accesses, mut told_others) = (0, 0);
        for help in helps {
            let (told_so_far, most) = match help.moves_an_access() {
                true => (&mut told_accesses, MOVED_ACCESSES),
                false => (&mut told_others, TOLD),
            };
            if *told_so_far >= most {
                continue;
            }
            let (proof, _) = self.proof(std::slice::from_ref(&help.ways[help.way]), told);
            if !proof.helps() {
                continue;
            }
            *told_so_far += 1;
            let judged = (proof == Proof::InPart).then(|| self.share(&help.ways[help.way]));
            let is_first = ranked.is_empty();
            let at_once = self.is_called_at_once(&help);
            let is_for_all = help.adds_a_meeting();
            let by_beginnings = self.is_by_beginnings();
            let placed = self.placed(help, is_first && !by_beginnings, told);
            // In a beginning of the run it may be that its place was not come to.
            let has_no_place = !by_beginnings && placed.stands.last().is_none_or(Vec::is_empty);
            if is_for_all && has_no_place && !at_once {
                nowhere.push(placed.in_no_known_place());
                continue;
            }
            if at_once {
                of_teams.push(placed.by_one_of_a_team());
                continue;
            }
            ranked.push(RawSuggestion {
                proof: Some(proof),
                judged,
                ..placed
            });
        }
        ranked.append(&mut of_teams);
        // No line is known that all processes pass there: such a call is told only if nothing else is, and not as
        // something that was verified.
        if ranked.is_empty() {
            ranked.extend(nowhere.into_iter().next());
        }
        let does_not_help = own.proof.is_none_or(|proof| !proof.helps());
        if (ranked.is_empty() || are_moved && does_not_help) && !own.is_empty() {
            ranked.push(own);
        }
        let mut ranked = ranked.into_iter();
        let best = ranked.next().unwrap_or_default();
        RawSuggestion {
            others: ranked.collect(),
            ..best
        }
    }

    /// Whether several threads of a process come at once to a call in which all processes meet.
    fn is_called_at_once(&mut self, help: &Help) -> bool {
        if !self.recording.has_threads() || !help.adds_a_meeting() {
            return false;
        }
        let edits = help.ways[help.way].iter().flatten();
        let cuts = edits.filter_map(|edit| match edit {
            Edit::Add {
                code: Code::Barrier | Code::Meet | Code::Fence,
                ..
            } => edit.cut(),
            _ => None,
        });
        cuts.into_iter().any(|cut| {
            let known = (&mut self.spots, &mut *self.places);
            is_passed_at_once(cut, self.recording, known)
        })
    }

    /// What is tried next: after all that is advised, calls that may be moved, unless something helps that costs
    /// nothing; and then what may be added, between rounds as well where nothing helps.
    fn next<'f>(
        &mut self,
        queue: &mut VecDeque<(&'f RawFinding, RawSuggestion)>,
        first: &'f RawFinding,
        (stage, verified): (&mut Stage, &[Help]),
    ) -> Option<(&'f RawFinding, RawSuggestion)> {
        if queue.is_empty() && *stage == Stage::Advised {
            *stage = Stage::Others;
            let is_free = |help: &Help| {
                let costs = self.costs.of(&help.suggestion, self.interface);
                costs == 0.0 && !help.moves_an_access() && !help.suggestion.is_if_meant()
            };
            let has_free = verified.iter().any(is_free);
            let mut others = self.meetings(first);
            others.extend(self.exclusions(first));
            others.extend(self.queues(first));
            others.extend(self.misdirected(first));
            let is_of_one_call = first
                .suggestion
                .as_ref()
                .is_some_and(RawSuggestion::is_of_one_call);
            others.extend(self.attachments(first));
            others.extend(self.kept(first));
            others.extend(self.resets(first));
            others.extend(self.numbers(first));
            others.extend(self.groups(first));
            if !has_free && (!is_of_one_call || is_misplaced(first)) {
                others.extend(self.shifts(first));
            }
            others.extend(candidates(first, self.interface));
            others.extend(self.copies(first));
            others.extend(self.updates(first));
            others.extend(superfluous_calls(first));
            queue.extend(others.into_iter().map(|other| (first, other)));
        }
        if queue.is_empty() && *stage == Stage::Others {
            *stage = Stage::NextRound;
            if verified.is_empty() {
                let others = candidates_between_rounds(first, self.interface);
                queue.extend(others.into_iter().map(|other| (first, other)));
            }
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
            let mut readings: Vec<Proof> = way.iter().map(|edits| self.comes_of(edits, told)).collect();
            if readings.iter().any(|proof| proof.helps()) {
                for (edits, proof) in way.iter().zip(&mut readings).filter(|(_, proof)| proof.refutes()) {
                    *proof = self.at_its_end(edits, told);
                }
            }
            // A reading that processes cannot follow is not what is meant.
            let mut meant = readings.iter().filter(|proof| **proof != Proof::Blocks);
            let proof = match meant.clone().next() {
                None => Proof::Blocks,
                Some(_) => {
                    let in_vain = meant.clone().find(|proof| !proof.helps());
                    let in_part = || meant.find(|proof| **proof == Proof::InPart);
                    *in_vain.or_else(in_part).unwrap_or(&Proof::Verified)
                }
            };
            let proof = match proof {
                _ if !proof.helps() => proof,
                _ if self.may_block_others(way, told) => Proof::MayBlock,
                _ if self.leaves_open(way) => Proof::Blocks,
                _ if self.changes_values(way) => Proof::BringsOthers,
                _ => proof,
            };
            if proof.helps() {
                return (proof, number);
            }
            of_first.get_or_insert(proof);
        }
        (of_first.unwrap_or(Proof::Untried), 0)
    }

    /// Whether some wait for ever in another order, where processes take part that do nothing at the two accesses: as
    /// far as they are seen to pass the place.
    fn may_block_others(&mut self, way: &Way, told: (&str, &BTreeSet<String>)) -> bool {
        let by_all = |edits: &Vec<Edit>| edits.iter().map(Edit::by_all).collect::<Vec<_>>();
        self.recording.has_locks()
            && way
                .iter()
                .filter(|edits| edits.iter().any(|edit| edit.ends().is_some()))
                .map(by_all)
                .any(|edits| self.comes_of(&edits, told) == Proof::MayBlock)
    }

    fn id(&mut self, finding: &RawFinding) -> String {
        let found = findings(vec![finding.clone()], self.interface, self.places);
        let ids = found
            .iter()
            .map(|finding| finding_id(finding.rule, &finding.parties));
        ids.collect()
    }
}

/// What the engine advises for a finding.
fn told_by(finding: &RawFinding) -> Option<&RawSuggestion> {
    let suggestion = finding.suggestion.as_ref();
    suggestion.filter(|suggestion| !suggestion.only_says_why())
}

/// What a report says where the clock has ended trials.
#[must_use]
pub fn stopped() -> Shortfall {
    Shortfall::of_all(
        ShortfallKind::TrialsStopped,
        format!(
            "suggestions were tried for {} s of processor time, and then no more: at another time they may be others",
            FAR_AWAY.as_secs()
        ),
    )
}

/// Whether an operation sends a copy.
fn is_copy(suggestion: &RawSuggestion) -> bool {
    matches!(suggestion.code.as_slice(), [Code::SecondBuffer(_)])
}

/// When to begin no other alternative, if so much may be done from now on until then.
fn before(now: Work, until: Work) -> Work {
    now + until.after(now) * 7 / 8
}

/// Whose finding it is.
fn ranks(finding: &RawFinding) -> Vec<u32> {
    finding.parties.iter().map(|party| party.site.rank.0).collect()
}
