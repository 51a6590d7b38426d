//! The sentences that the formats for people share. Everything that the checked program controls comes out
//! [`visible`]; each format still escapes for its own syntax.

use crate::kit::visible::{shortened, visible};
use farside_findings::{
    Action, ByteRange, Cause, CheckedProgram, Coverage, Finding, Frame, Host, MissingOrder, Party, Place,
    PredictedAccess, Prediction, Predictions, RankRange, Ranks, Report, Severity, Shortfall, ShortfallKind,
    SimulationEnd, UnreachedSite,
};
use std::borrow::Cow;

/// The longest name that is shown in full in a sentence.
pub(crate) const NAME_LIMIT: usize = 240;
/// The longest name of a host that is shown in full.
const HOST_LIMIT: usize = 40;
/// Hosts that are named in one place.
const HOSTS: usize = 16;
/// Ranges of ranks that are listed in one place.
const RANGES: usize = 12;
/// Parties of a finding that are named in a line.
const IN_A_LINE: usize = 8;
/// The longest sentence that is shown in full.
pub(crate) const SENTENCE_LIMIT: usize = 4000;

/// `1 finding`, `3 findings`.
pub(crate) fn counted(number: u64, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}

/// With a capital letter first.
pub(crate) fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(characters).collect()
    })
}

/// `src/halo.c:54` or `src/halo.c:54:7`.
pub(crate) fn place(place: &Place) -> String {
    let file = shortened(&place.file, NAME_LIMIT);
    match place.column {
        Some(column) => format!("{file}:{}:{column}", place.line),
        None => format!("{file}:{}", place.line),
    }
}

/// `halo.c:54`: enough to recognise a place beside its full path.
pub(crate) fn short_place(place: &Place) -> String {
    let name = place.file.rsplit('/').next().unwrap_or_default();
    format!("{}:{}", shortened(name, 40), place.line)
}

/// Where the code of a frame is: its source place, or its module and address.
pub(crate) fn frame_place(frame: &Frame) -> String {
    match (&frame.place, &frame.module) {
        (Some(known), _) => place(known),
        (None, Some(module)) => format!("{}+{:#x}", shortened(module, NAME_LIMIT), frame.address),
        (None, None) => format!("{:#x}", frame.address),
    }
}

/// The name of a frame's function.
pub(crate) fn frame_function(frame: &Frame) -> String {
    frame.function.as_deref().map_or_else(
        || "(unknown function)".to_owned(),
        |name| shortened(name, NAME_LIMIT),
    )
}

/// `MPI_Put`; `MPI_Put in ARMCI_Put` where the program called a library that made the call.
pub(crate) fn operation(party: &Party) -> String {
    let name = shortened(&party.operation, NAME_LIMIT);
    match party.layer() {
        Some(layer) if layer != party.operation => format!("{name} in {}", shortened(layer, NAME_LIMIT)),
        _ => name,
    }
}

/// `rank 0, thread 0`, with ` (strand 3)` for a part of its work that is not ordered with others, and
/// `, target rank 1` for a communication call.
pub(crate) fn who(party: &Party) -> String {
    let target = party
        .target
        .map_or_else(String::new, |target| format!(", target rank {target}"));
    let strand = party
        .strand
        .map_or_else(String::new, |strand| format!(" (strand {strand})"));
    format!(
        "{}, thread {}{strand}{target}",
        rank(party.rank, party.host.as_deref()),
        party.thread
    )
}

/// `rank 0`, or `rank 0 on h1` where there are several hosts.
pub(crate) fn rank(rank: u32, host: Option<&str>) -> String {
    match host {
        Some(host) => format!("rank {rank} on {}", shortened(host, HOST_LIMIT)),
        None => format!("rank {rank}"),
    }
}

/// `12 times`, and `by ranks 0-3, 8, 12-15 (on h1, h2)` if more ranks met it than its parties.
pub(crate) fn met(finding: &Finding, program: &CheckedProgram) -> String {
    let times = counted(finding.count, "time", "times");
    let mut parties: Vec<u32> = finding.parties.iter().map(|party| party.rank).collect();
    parties.sort_unstable();
    parties.dedup();
    if finding.ranks.number() <= parties.len() as u64 {
        return times;
    }
    let on = program
        .hosts
        .iter()
        .filter(|host| host.ranks.meets(&finding.ranks));
    let names: Vec<String> = on.map(|host| shortened(&host.name, HOST_LIMIT)).collect();
    let on = match names.len() {
        0 => String::new(),
        _ => format!(" (on {})", some(&names, HOSTS, "hosts")),
    };
    format!("{times}, by {}{on}", rank_list(&finding.ranks))
}

/// The first of some words, and how many more there are.
fn some(words: &[String], most: usize, what: &str) -> String {
    match words.len().saturating_sub(most) {
        0 => words.join(", "),
        more => format!("{} and {more} more {what}", words[..most].join(", ")),
    }
}

/// `MPI_Put by rank 0, thread 0, target rank 1: writes`.
pub(crate) fn access(party: &Party) -> String {
    let mut phrase = format!("{} by {}", operation(party), who(party));
    if !party.effect.is_empty() {
        phrase.push_str(": ");
        phrase.push_str(&shortened(&party.effect, NAME_LIMIT));
    }
    phrase
}

/// `0..32 (32 bytes) of the window at rank 1; variable ghost`.
pub(crate) fn bytes(range: &ByteRange) -> String {
    let length = counted(range.end.saturating_sub(range.start), "byte", "bytes");
    let ByteRange { rank, start, end, .. } = range;
    let mut phrase = if range.in_window {
        format!("{start}..{end} ({length}) of the window memory of rank {rank}")
    } else {
        format!("{start:#x}..{end:#x} ({length}) in the memory of rank {rank}")
    };
    if let Some(variable) = &range.variable {
        phrase.push_str(", ");
        phrase.push_str(&shortened(variable, NAME_LIMIT));
    }
    phrase
}

/// Which order is missing, as few words as possible.
pub(crate) fn missing(missing: &MissingOrder) -> &'static str {
    match (missing.happens_before, missing.consistency_order) {
        (true, true) => "no happens-before, no consistency order",
        (true, false) => "no happens-before",
        (false, true) => "no consistency order",
        (false, false) => "no order",
    }
}

/// Why the first two parties are unordered: `no happens-before from (1) to (2): ...`.
pub(crate) fn why(order: &MissingOrder) -> String {
    let explanation = shortened(&order.explanation, SENTENCE_LIMIT);
    let separator = if explanation.is_empty() { "" } else { ": " };
    format!("{} from (1) to (2){separator}{explanation}", missing(order))
}

/// A part of a sentence, which each format shows in its own way.
pub(crate) enum Part {
    /// Words.
    Words(String),
    /// Code.
    Code(String),
}

/// What is wrong, in a sentence; empty if the rule says all.
pub(crate) fn message(finding: &Finding) -> Cow<'_, str> {
    match (finding.possible, finding.message.as_str()) {
        (false, message) => Cow::Borrowed(message),
        (true, message) => Cow::Owned(format!("possible: {message}")),
    }
}

/// What is wrong by its cause: `no`, code, `between halo.c:54 and halo.c:56`; nothing if the cause has no change.
pub(crate) fn cause(cause: &Cause) -> Vec<Part> {
    let Some(change) = cause.suggestion.as_ref().filter(|change| !change.call.is_empty()) else {
        return Vec::new();
    };
    let words = |words: String| Part::Words(words);
    let code = Part::Code(shortened(&change.call, SENTENCE_LIMIT));
    match (change.action, &change.at, &change.after, &change.before) {
        (Action::Insert, _, Some(after), Some(before)) => {
            let stretch = match (short_place(after), short_place(before)) {
                // A line between whose accesses a round leads, or that makes both.
                (after, before) if after == before => format!("after {after}"),
                (after, before) => format!("between {after} and {before}"),
            };
            vec![words("no".into()), code, words(stretch)]
        }
        (Action::Insert, _, None, Some(before)) => {
            vec![
                words("no".into()),
                code,
                words(format!("before {}", short_place(before))),
            ]
        }
        (Action::Insert, _, Some(after), None) => {
            vec![
                words("no".into()),
                code,
                words(format!("after {}", short_place(after))),
            ]
        }
        (Action::Insert, ..) => vec![words("no".into()), code],
        (Action::Replace, at, ..) => {
            let old = change.instead_of.as_deref().unwrap_or("this");
            let place = at
                .as_ref()
                .map_or_else(String::new, |at| format!("at {}", short_place(at)));
            let old = Part::Code(shortened(old, SENTENCE_LIMIT));
            vec![
                old,
                words(format!("{place} in the place of").trim_start().to_owned()),
                code,
            ]
        }
        (Action::Move, at, ..) => {
            let place = at
                .as_ref()
                .map_or_else(String::new, |at| format!("at {} ", short_place(at)));
            let target = change.after.as_ref().or(change.before.as_ref());
            let is_early = change
                .at
                .as_ref()
                .zip(target)
                .is_some_and(|(at, target)| at.file == target.file && at.line < target.line);
            let when = if is_early { "too early" } else { "too late" };
            vec![code, words(format!("{place}comes {when}"))]
        }
        (Action::Remove, at, ..) => {
            let place = at
                .as_ref()
                .map_or_else(String::new, |at| format!("at {} ", short_place(at)));
            vec![code, words(format!("{place}is one too many"))]
        }
    }
}

/// `remote-race: MPI_Put at halo.c:54, LOAD at halo.c:56`: a finding in a line.
pub(crate) fn in_a_line(finding: &Finding) -> String {
    let party = |party: &Party| match party.place() {
        Some(place) => format!("{} at {}", operation(party), short_place(place)),
        None => operation(party),
    };
    let parties: Vec<String> = finding.parties.iter().take(IN_A_LINE).map(party).collect();
    let more = match finding.parties.len().saturating_sub(IN_A_LINE) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}: {}{more}", finding.rule.id(), parties.join(", "))
}

/// How many causes the findings have; `None` if each has its own.
pub(crate) fn causes(report: &Report) -> Option<String> {
    let fewer = report.causes.len() < report.findings.len() && !report.causes.is_empty();
    fewer.then(|| counted(report.causes.len() as u64, "cause", "causes"))
}

/// A sentence without marks around its code.
pub(crate) fn plain(parts: Vec<Part>) -> String {
    let shown = parts.into_iter().map(|part| match part {
        Part::Words(text) | Part::Code(text) => text,
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// `2 errors and 1 warning`, `1 error`.
pub(crate) fn findings_by_severity(report: &Report) -> String {
    let number = |severity| {
        report
            .findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count() as u64
    };
    let errors = counted(number(Severity::Error), "error", "errors");
    let warnings = counted(number(Severity::Warning), "warning", "warnings");
    match (number(Severity::Error), number(Severity::Warning)) {
        (0, 0) => "no findings".to_owned(),
        (_, 0) => errors,
        (0, _) => warnings,
        _ => format!("{errors} and {warnings}"),
    }
}

/// What became of a prediction: `confirmed`, `not seen`, `not executed`; and the sentence that says more.
pub(crate) fn prediction(prediction: &Prediction) -> (&'static str, String) {
    if let Some(id) = &prediction.confirmed_by {
        return ("confirmed", format!("by finding {}", shortened(id, NAME_LIMIT)));
    }
    let missed = prediction
        .accesses
        .iter()
        .find(|access| access.executed == Some(false));
    match (prediction.executed(), missed) {
        (Some(false), Some(missed)) => (
            "not executed",
            format!("this run did not come to {}", predicted(missed)),
        ),
        (Some(true), _) => (
            "not seen",
            "this run came to all of its places, and they were ordered or touched other bytes".to_owned(),
        ),
        _ => (
            "not seen",
            "whether this run came to all of its places is not known".to_owned(),
        ),
    }
}

/// `MPI_Put at halo.c:54`.
pub(crate) fn predicted(access: &PredictedAccess) -> String {
    let operation = shortened(&access.operation, NAME_LIMIT);
    match &access.place {
        Some(place) => format!("{operation} at {}", short_place(place)),
        None => operation,
    }
}

/// `2 of 3 findings of lint.json confirmed; 1 finding of this run is not in it`.
pub(crate) fn predictions(predictions: &Predictions) -> String {
    let confirmed = predictions
        .findings
        .iter()
        .filter(|found| found.confirmed_by.is_some());
    let all = counted(predictions.findings.len() as u64, "finding", "findings");
    let file = shortened(&predictions.file, NAME_LIMIT);
    let mut phrase = format!("{} of {all} of {file} confirmed by this run", confirmed.count());
    match predictions.unpredicted.len() as u64 {
        0 => {}
        1 => phrase.push_str("; 1 finding of this run is not in it"),
        more => phrase.push_str(&format!("; {more} findings of this run are not in it")),
    }
    phrase
}

/// The coverage of a report that is not complete.
pub(crate) fn gaps(report: &Report) -> Option<&Coverage> {
    report
        .coverage
        .as_ref()
        .filter(|coverage| !coverage.is_complete())
}

/// `MPI_Put at src/halo.c:54:3 in exchange`.
pub(crate) fn unreached_site(site: &UnreachedSite) -> String {
    let mut phrase = shortened(&site.operation, NAME_LIMIT);
    if let Some(known) = &site.place {
        phrase.push_str(&format!(" at {}", place(known)));
    }
    if !site.function.is_empty() {
        phrase.push_str(&format!(" in {}", shortened(&site.function, NAME_LIMIT)));
    }
    phrase
}

/// The sites that were not reached, those with the same reason together.
pub(crate) fn by_reason(coverage: &Coverage) -> Vec<(&str, Vec<&UnreachedSite>)> {
    let mut groups: Vec<(&str, Vec<&UnreachedSite>)> = Vec::new();
    for site in &coverage.unreached {
        match groups.iter_mut().find(|(reason, _)| *reason == site.reason) {
            Some((_, sites)) => sites.push(site),
            None => groups.push((&site.reason, vec![site])),
        }
    }
    groups
}

/// `exit(1) at main.c:22, to which the condition on input at main.c:41 led, in 3 simulations`.
pub(crate) fn simulation_end(end: &SimulationEnd) -> String {
    let mut phrase = shortened(&end.what, NAME_LIMIT);
    if let Some(at) = &end.place {
        phrase.push_str(&format!(" at {}", place(at)));
    }
    if let Some(condition) = &end.condition {
        let kind = if end.from_outside {
            "condition on input"
        } else {
            "condition"
        };
        phrase.push_str(&format!(", to which the {kind} at {} led,", place(condition)));
    }
    let simulations = counted(end.simulations, "simulation", "simulations");
    format!("{phrase} in {simulations}")
}

/// `4 processes of Open MPI 4.1.4`.
pub(crate) fn processes(program: &CheckedProgram) -> String {
    let processes = counted(u64::from(program.processes), "process", "processes");
    // Libraries go on after a comma with who packaged them and when, and align with blanks.
    let library: Vec<&str> = program
        .library
        .split(',')
        .next()
        .unwrap_or_default()
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect();
    match library.is_empty() {
        true => processes,
        false => format!("{processes} of {}", shortened(&library.join(" "), NAME_LIMIT)),
    }
}

/// `h1 (ranks 0-1), h2 (ranks 2-3)`; `None` if it ran on one host.
pub(crate) fn hosts(program: &CheckedProgram) -> Option<String> {
    let host = |host: &Host| {
        format!(
            "{} ({})",
            shortened(&host.name, HOST_LIMIT),
            rank_list(&host.ranks)
        )
    };
    let hosts: Vec<String> = program.hosts.iter().map(host).collect();
    (!hosts.is_empty()).then(|| some(&hosts, HOSTS, "hosts"))
}

/// How the program ended; empty if that is not known.
pub(crate) fn ended(program: &CheckedProgram) -> String {
    if !program.ended.is_empty() {
        return shortened(&program.ended, NAME_LIMIT);
    }
    program
        .status
        .map_or_else(String::new, |status| format!("exit status {status}"))
}

/// The command line, with quotes where a shell needs them.
pub(crate) fn command(program: &CheckedProgram) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    let words = program
        .command
        .iter()
        .map(|word| match !word.is_empty() && word.chars().all(plain) {
            true => word.clone(),
            false => format!("'{}'", visible(word).replace('\'', r"'\''")),
        });
    shortened(&words.collect::<Vec<_>>().join(" "), SENTENCE_LIMIT)
}

/// `record kept` for `records kept`.
fn singular(name: &str) -> String {
    let words = name.split(' ').map(|word| match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') => stem,
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `1204 events, 30 operations`.
pub(crate) fn counts(report: &Report) -> String {
    let named = report.counts.iter().map(|count| {
        let name = shortened(&count.name, NAME_LIMIT).replace('_', " ");
        match count.value {
            1 => format!("1 {}", singular(&name)),
            value => format!("{value} {name}"),
        }
    });
    named.collect::<Vec<_>>().join(", ")
}

/// `all ranks`, `rank 3`, `ranks 0-3, 7`.
pub(crate) fn ranks(ranks: &[u32]) -> String {
    match ranks {
        [] => "all ranks".to_owned(),
        some => rank_list(&Ranks::of(some.iter().copied())),
    }
}

/// `rank 3`, `ranks 0-3, 7`, `ranks 0-9996 by 4`; `no rank`.
pub(crate) fn rank_list(ranks: &Ranks) -> String {
    let shown = |range: &RankRange| match *range {
        RankRange { first, last, .. } if first == last => first.to_string(),
        RankRange { first, last, step: 1 } => format!("{first}-{last}"),
        RankRange { first, last, step } => format!("{first}-{last} by {step}"),
    };
    let ranges = ranks.ranges();
    let listed: Vec<String> = ranges.iter().take(RANGES).map(shown).collect();
    let rest: u64 = ranges.iter().skip(RANGES).map(|range| range.number()).sum();
    let more = match rest {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    match ranks.number() {
        0 => "no rank".to_owned(),
        1 => format!("rank {}", listed.join(", ")),
        _ => format!("ranks {}{more}", listed.join(", ")),
    }
}

/// The last line of a report: what was found in what, and how the program ended.
pub(crate) fn summary(report: &Report) -> String {
    let mut parts = Vec::new();
    let met = report
        .findings
        .iter()
        .fold(0_u64, |sum, finding| sum.saturating_add(finding.count));
    let checked = processes(&report.program);
    parts.push(match (report.findings.is_empty(), report.program.processes) {
        (true, 0) => "nothing was checked: no process with one-sided communication was seen".to_owned(),
        (true, _) => format!("no findings in {checked}"),
        (false, _) => {
            let times = counted(met, "time", "times");
            let causes = causes(report).map_or_else(String::new, |causes| format!("{causes} of "));
            format!(
                "{causes}{} in {checked}, met {times}",
                findings_by_severity(report)
            )
        }
    });
    let gaps = gaps(report);
    parts.extend(gaps.map(Coverage::summary));
    if report.suppressed > 0 {
        parts.push(counted(
            report.suppressed,
            "finding suppressed",
            "findings suppressed",
        ));
    }
    if report.findings.is_empty() && report.program.processes > 0 {
        if !report.counts.is_empty() {
            parts.push(format!("checked: {}", counts(report)));
        }
        let other = |shortfall: &&Shortfall| gaps.is_none() || shortfall.id != ShortfallKind::SitesNotReached;
        let mut ids: Vec<&str> = Vec::new();
        for shortfall in report.shortfalls.iter().filter(other) {
            if !ids.contains(&shortfall.id.name()) {
                ids.push(shortfall.id.name());
            }
        }
        if !ids.is_empty() {
            parts.push(format!("not seen: {}", ids.join(", ")));
        } else if gaps.is_none() {
            let all = "nothing is known to be left out";
            parts.push(match report.is_one_order {
                true => format!("{all} of this order of events (--orders tries others)"),
                false => all.to_owned(),
            });
        }
    }
    let ended = ended(&report.program);
    if !ended.is_empty() {
        parts.push(format!("the program ended with {ended}"));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::Suggestion;

    #[test]
    fn ranks_are_shown_as_runs() {
        assert_eq!(ranks(&[]), "all ranks");
        assert_eq!(ranks(&[3]), "rank 3");
        assert_eq!(ranks(&[7, 0, 1, 2, 3, 3]), "ranks 0-3, 7");
        assert_eq!(ranks(&[u32::MAX, 0]), "ranks 0, 4294967295");
    }

    #[test]
    fn a_cause_is_told_by_the_places_that_it_lies_between() {
        let told = |lines: [Option<u32>; 2]| {
            let place = |line| Place {
                file: "src/halo.c".to_owned(),
                line,
                column: None,
            };
            let [after, before] = lines.map(|line| line.map(place));
            plain(cause(&Cause {
                id: String::new(),
                window: None,
                suggestion: Some(Suggestion {
                    call: "MPI_Barrier(comm)".to_owned(),
                    after,
                    before,
                    ..Suggestion::default()
                }),
                findings: 2,
                count: 2,
            }))
        };
        let no = |place: &str| format!("no MPI_Barrier(comm){place}");
        assert_eq!(told([Some(5), Some(7)]), no(" between halo.c:5 and halo.c:7"));
        // From one round to the next, or in one line.
        assert_eq!(told([Some(5), Some(5)]), no(" after halo.c:5"));
        assert_eq!(told([Some(5), None]), no(" after halo.c:5"));
        assert_eq!(told([None, Some(7)]), no(" before halo.c:7"));
        assert_eq!(told([None, None]), no(""));
    }

    #[test]
    fn numbers_agree_with_their_nouns() {
        assert_eq!(counted(1, "byte", "bytes"), "1 byte");
        assert_eq!(counted(0, "byte", "bytes"), "0 bytes");
    }
}
