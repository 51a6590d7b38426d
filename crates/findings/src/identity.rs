//! Ids of findings, and joining findings that have the same one.
//!
//! Promise: an id depends on the rule and, for each party, on its operation, file and line. A file below the folder in
//! which the tool was started counts from there, so that two copies of a project have the same ids. An id does not
//! depend on ranks, threads, counts, addresses in memory, or the order in which the two parties were met, so it is the
//! same from run to run and may stand in a suppression file.
//!
//! Limits: where a place is not known, the code address within its module (by file name, not folder) stands for it,
//! which changes with the next build. 40 bits of FNV-1a (Fowler, Noll, Vo; folded as its authors advise): two of a
//! thousand findings share an id by chance about once in two million reports.

use crate::ranks::Ranks;
use crate::{Finding, Party, Rule};
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

/// The id of a finding: ten hexadecimal digits.
pub fn finding_id(rule: Rule, parties: &[Party]) -> String {
    id_below("", rule, parties)
}

/// The id of a finding of a program whose files are named from this folder on.
pub(crate) fn id_below(folder: &str, rule: Rule, parties: &[Party]) -> String {
    let mut keys: Vec<String> = parties.iter().map(|party| party_key(folder, party)).collect();
    keys.sort_unstable();
    let mut hash = Fnv1a::new();
    hash.field(rule.id());
    for key in &keys {
        hash.field(key);
    }
    format!("{:010x}", hash.folded())
}

/// Gives every finding its id, and joins those that share one: that of the lowest ranks stays, with the counts of all,
/// so that a report does not depend on which was met first; but none with a picture goes for one without. Errors come
/// first afterwards; otherwise the order in which the findings were met is kept.
pub fn merge(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    let mut met: Vec<BTreeSet<u32>> = Vec::new();
    let mut position = HashMap::new();
    for mut finding in findings {
        finding.id = finding_id(finding.rule, &finding.parties);
        let parties = finding.parties.iter().map(|party| party.rank);
        let ranks: Vec<u32> = parties.chain(finding.ranks.iter()).collect();
        match position.entry(finding.id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(merged.len());
                merged.push(finding);
                met.push(ranks.into_iter().collect());
            }
            Entry::Occupied(entry) => {
                met[*entry.get()].extend(ranks);
                let kept: &mut Finding = &mut merged[*entry.get()];
                let count = kept.count.saturating_add(finding.count);
                // What is found without arguments needs none.
                let arguments = kept.arguments.take().filter(|_| finding.arguments.is_some());
                let inputs = kept.inputs.take().filter(|_| arguments.is_some());
                let per_node = kept.per_node.filter(|_| finding.per_node.is_some());
                let ranks = |finding: &Finding| -> Vec<u32> {
                    finding.parties.iter().map(|party| party.rank).collect()
                };
                let pictured = finding.timeline.is_some() || kept.timeline.is_none();
                if pictured && ranks(&finding) < ranks(kept) {
                    *kept = finding;
                }
                kept.count = count;
                kept.arguments = arguments;
                kept.inputs = inputs;
                kept.per_node = per_node;
            }
        }
    }
    for (finding, ranks) in merged.iter_mut().zip(met) {
        finding.ranks = Ranks::of(ranks);
    }
    merged.sort_by_key(|finding| Reverse(finding.severity));
    merged
}

/// What of a party enters the id.
fn party_key(folder: &str, party: &Party) -> String {
    let operation = &party.operation;
    if let Some(place) = party.place() {
        return format!("{operation}\0{}\0{}", below(folder, &place.file), place.line);
    }
    match party.stack.first() {
        Some(frame) => {
            let module = frame.module.as_deref().unwrap_or_default();
            let file_name = module.rsplit('/').next().unwrap_or_default();
            format!("{operation}\0{file_name}\0+{:x}", frame.address)
        }
        None => operation.clone(),
    }
}

/// The name of a file from a folder on, if it lies there.
pub(crate) fn below<'f>(folder: &str, file: &'f str) -> &'f str {
    let inside = file.strip_prefix(folder).filter(|_| !folder.is_empty());
    let inside = inside.and_then(|rest| rest.strip_prefix('/'));
    inside.or_else(|| file.strip_prefix("./")).unwrap_or(file)
}

/// The 64-bit FNV-1a hash. Written out because an id must never change with a library's version.
pub(crate) struct Fnv1a(u64);

impl Fnv1a {
    pub(crate) fn new() -> Self {
        Fnv1a(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a string, and an end mark (a byte that UTF-8 does not contain).
    pub(crate) fn field(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// 40 bits.
    pub(crate) fn folded(&self) -> u64 {
        (self.0 >> 40) ^ (self.0 & 0xff_ffff_ffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Report;
    use crate::{Frame, Place};

    fn party(operation: &str, file: &str, line: u32, rank: u32) -> Party {
        let place = Some(Place {
            file: file.into(),
            line,
            column: None,
        });
        let frame = Frame {
            place,
            address: u64::from(rank) * 16,
            ..Frame::default()
        };
        let (operation, effect) = (operation.into(), "writes".into());
        Party {
            operation,
            effect,
            rank,
            host: None,
            thread: rank,
            strand: None,
            target: None,
            stack: vec![frame],
        }
    }

    fn finding(rule: Rule, parties: Vec<Party>, count: u64) -> Finding {
        Finding {
            id: String::new(),
            rule,
            cause: None,
            severity: rule.severity(),
            possible: false,
            arguments: None,
            inputs: None,
            replay: None,
            other_order: false,
            per_node: None,
            message: format!("met {count} times"),
            parties,
            window: None,
            created: None,
            bytes: None,
            missing: None,
            suggestion: None,
            count,
            ranks: Ranks::default(),
            timeline: None,
            scene: None,
            litmus: None,
        }
    }

    #[test]
    fn the_id_is_that_of_the_path_below_the_program_s_folder() {
        let id = |folder: &str, file: &str| {
            let mut report = Report::default();
            report.program.folder = folder.into();
            let parties = vec![party("MPI_Put", file, 54, 0), party("STORE", file, 56, 0)];
            report.findings = vec![finding(Rule::LocalRace, parties, 1)];
            report.name_from_folder();
            report.findings.remove(0).id
        };
        let expected = id("", "src/a.c");
        for (folder, file) in [
            ("/one", "/one/src/a.c"),
            ("/two/copy", "/two/copy/src/a.c"),
            ("/two", "src/a.c"),
            ("/two", "./src/a.c"),
        ] {
            assert_eq!(id(folder, file), expected, "{folder} {file}");
        }
        // The name of the folder is not just a beginning of the path's text.
        assert_ne!(id("/one", "/one-more/src/a.c"), id("/one", "/one/-more/src/a.c"));
        assert_ne!(id("/one", "/other/src/a.c"), expected);
    }

    #[test]
    fn the_id_is_pinned() {
        // A change of this value breaks every suppression file that names ids.
        let parties = [party("MPI_Put", "a.c", 54, 0), party("STORE", "a.c", 56, 0)];
        assert_eq!(finding_id(Rule::LocalRace, &parties), "dfbbbc96e9");
    }

    #[test]
    fn ranks_and_order_do_not_matter() {
        let one = [party("MPI_Put", "a.c", 54, 0), party("STORE", "a.c", 56, 1)];
        let two = [party("STORE", "a.c", 56, 7), party("MPI_Put", "a.c", 54, 3)];
        assert_eq!(
            finding_id(Rule::RemoteRace, &one),
            finding_id(Rule::RemoteRace, &two)
        );
    }

    #[test]
    fn rule_operation_file_and_line_matter() {
        let id = |rule, operation, file, line| finding_id(rule, &[party(operation, file, line, 0)]);
        let base = id(Rule::DoubleLock, "MPI_Win_lock", "a.c", 5);
        assert_ne!(base, id(Rule::MixedEpochs, "MPI_Win_lock", "a.c", 5));
        assert_ne!(base, id(Rule::DoubleLock, "MPI_Win_lock_all", "a.c", 5));
        assert_ne!(base, id(Rule::DoubleLock, "MPI_Win_lock", "b.c", 5));
        assert_ne!(base, id(Rule::DoubleLock, "MPI_Win_lock", "a.c", 6));
        let pair = [
            party("MPI_Win_lock", "a.c", 5, 0),
            party("MPI_Win_lock", "a.c", 5, 0),
        ];
        assert_ne!(base, finding_id(Rule::DoubleLock, &pair));
    }

    #[test]
    fn without_debug_information_the_code_address_counts() {
        let bare = |module: &str, address| {
            let mut bare = party("MPI_Put", "", 0, 0);
            bare.stack = vec![Frame {
                module: Some(module.into()),
                address,
                ..Frame::default()
            }];
            finding_id(Rule::LocalRace, &[bare])
        };
        assert_eq!(bare("/tmp/x1/app", 16), bare("/home/me/app", 16));
        assert_ne!(bare("app", 16), bare("app", 32));
    }

    #[test]
    fn merging_sums_counts_keeps_the_lowest_ranks_and_puts_errors_first() {
        let pair = |rank| vec![party("MPI_Put", "a.c", 54, rank), party("STORE", "a.c", 56, rank)];
        let poll = || vec![party("LOAD", "a.c", 70, 1)];
        let met = vec![
            finding(Rule::Polling, poll(), 5),
            finding(Rule::LocalRace, pair(1), u64::MAX - 2),
            finding(Rule::LocalRace, pair(0), 3),
            finding(Rule::Polling, poll(), 2),
        ];
        let merged = merge(met);
        let shown: Vec<_> = merged
            .iter()
            .map(|f| (f.rule, f.count, f.message.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                (Rule::LocalRace, u64::MAX, "met 3 times"),
                (Rule::Polling, 7, "met 5 times")
            ]
        );
    }
}
