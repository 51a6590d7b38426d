//! The data of a report. Nothing here knows how it is shown.

use crate::any_ranks::AnyRanks;
use crate::cause::{self, Cause};
use crate::coverage::Coverage;
use crate::finding::{Finding, Suggestion};
use crate::identity::id_below;
use crate::other_runs::OtherRuns;
use crate::prediction::Predictions;
use crate::ranks::Ranks;
use crate::shortfall::Shortfall;
use crate::source_file::SourceFile;
use crate::superfluous::Superfluous;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The value of [`Report::schema_version`] that this crate writes. It grows when a field is renamed, removed or changes
/// its meaning; new fields alone leave it as it is.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything that one run of `farside check` (or `lint`) has to say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Version of this format; see `schema/report.schema.json`.
    pub schema_version: u32,
    /// Name and version of the tool.
    pub tool: String,
    /// What was checked, and how it ended.
    pub program: CheckedProgram,
    /// The findings, errors first, then in the order in which they were met; those of one cause together.
    pub findings: Vec<Finding>,
    /// What explains the findings: each of them has one cause. In the order of the findings; empty if causes were not
    /// looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    /// Findings that a suppression file hid.
    pub suppressed: u64,
    /// What was not seen.
    pub shortfalls: Vec<Shortfall>,
    /// Events, operations, accesses, bytes: what the checker did, by name.
    pub counts: Vec<Count>,
    /// What became of the findings of `farside lint`, if its report was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predictions: Option<Predictions>,
    /// Which calls of the program `farside lint` came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// Which synchronisation was not needed, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superfluous: Option<Superfluous>,
    /// What came of runs in which receives took other messages, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<OtherRuns>,
    /// Who came first decided what the program was given, and only this order of events was looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_one_order: bool,
    /// What is said of any number of ranks, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any_ranks: Option<AnyRanks>,
    /// The sources that findings name, as far as they are on the machine where the report was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceFile>,
}

impl Report {
    /// The names of the sources that findings name.
    #[must_use]
    pub fn named_sources(&self) -> BTreeSet<&str> {
        let of_findings = self.findings.iter().flat_map(|finding| {
            let stacks = finding.parties.iter().flat_map(|party| &party.stack);
            let places = stacks.filter_map(|frame| frame.place.as_ref());
            let changes = finding.suggestion.iter().flat_map(Suggestion::places);
            let created = finding.created.iter().map(|created| &created.place);
            places.chain(changes).chain(created)
        });
        let changes = self.causes.iter().filter_map(|cause| cause.suggestion.as_ref());
        let places = of_findings.chain(changes.flat_map(Suggestion::places));
        let own = places.filter(|place| !place.file.is_empty() && !place.is_in_system_header());
        own.map(|place| place.file.as_str()).collect()
    }

    /// Gives every finding the id that it has wherever the sources lie: names of files below the program's folder count
    /// from there.
    pub fn name_from_folder(&mut self) {
        for finding in &mut self.findings {
            finding.id = id_below(&self.program.folder, finding.rule, &finding.parties);
        }
    }

    /// Takes in what the report of another run has that this one has not: findings, and what was not seen; how many
    /// findings. Call it before causes are looked for.
    pub fn take_in(&mut self, other: &Self, replay: &str) -> usize {
        let known: BTreeSet<String> = self.findings.iter().map(|finding| finding.id.clone()).collect();
        let fresh = other
            .findings
            .iter()
            .filter(|finding| !known.contains(&finding.id));
        let before = self.findings.len();
        self.findings.extend(fresh.map(|finding| Finding {
            replay: Some(replay.to_owned()),
            ..finding.clone()
        }));
        for shortfall in &other.shortfalls {
            if self.shortfalls.iter().all(|known| known.id != shortfall.id) {
                self.shortfalls.push(shortfall.clone());
            }
        }
        self.findings.len() - before
    }

    /// Names the host of every rank of a finding, where the program ran on several.
    pub fn name_hosts(&mut self) {
        let hosts = &self.program.hosts;
        let host_of = |rank: u32| {
            // Jobs that one command starts may each have this rank, on different hosts.
            let mut of_rank = hosts.iter().filter(|host| host.ranks.has(rank));
            of_rank
                .next()
                .filter(|_| of_rank.next().is_none())
                .map(|host| host.name.clone())
        };
        for finding in &mut self.findings {
            for party in &mut finding.parties {
                party.host = host_of(party.rank);
            }
            for lane in finding
                .timeline
                .iter_mut()
                .flat_map(|timeline| &mut timeline.lanes)
            {
                lane.host = host_of(lane.rank);
            }
        }
    }

    /// Finds the causes of its findings, and gives every finding the id of its own. Findings of one cause stand
    /// together afterwards, after those of causes with an earlier first finding.
    ///
    /// Call it when the list of findings is final.
    pub fn find_causes(&mut self) {
        self.causes = cause::find(&mut self.findings, &self.program.folder);
    }

    /// Says what else is to be done about its findings, in their order, and finds the causes anew.
    pub fn revise(&mut self, suggestions: Vec<Option<Suggestion>>) {
        if suggestions.iter().all(Option::is_none) {
            return;
        }
        for (finding, revised) in self.findings.iter_mut().zip(suggestions) {
            finding.suggestion = revised.or(finding.suggestion.take());
        }
        self.find_causes();
    }

    /// The causes, each with its findings.
    pub fn by_cause(&self) -> impl Iterator<Item = (Option<&Cause>, &[Finding])> {
        let same = |one: &Finding, other: &Finding| one.cause.is_some() && one.cause == other.cause;
        self.findings.chunk_by(same).map(|group| {
            let id = group[0].cause.as_ref();
            let cause = self.causes.iter().find(|cause| Some(&cause.id) == id);
            (cause, group)
        })
    }
}

/// The program that was checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedProgram {
    /// The command line.
    pub command: Vec<String>,
    /// Number of processes seen.
    pub processes: u32,
    /// MPI library.
    pub library: String,
    /// How the command ended, in words: `exit status 0`, `signal 9 (SIGKILL)`.
    pub ended: String,
    /// Its exit status; `None` when it was ended by a signal.
    pub status: Option<i32>,
    /// The folder that relative names of source files start from; empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// Where the ranks ran, if on several hosts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Host>,
}

/// A host of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Host {
    /// Its name.
    pub name: String,
    /// The ranks that ran on it.
    pub ranks: Ranks,
}

/// A named figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Count {
    /// Name: `operations`, `events`, `spooled_bytes`, ...
    pub name: String,
    /// Value.
    pub value: u64,
}
