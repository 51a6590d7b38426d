//! Reports for code-scanning services and editors: SARIF 2.1.0 (OASIS standard, errata 01).
//!
//! One run; every rule that we know, with its source as help; a result a finding. The first party is the result's
//! location, all parties are related locations (linked from the message), the stacks are stacks, the lanes of the
//! timeline are thread flows of one code flow. The finding's id is the fingerprint, so that services recognise a
//! finding after lines moved in other files. What was not seen is a notification of the invocation. Written as JSON
//! values, not types: the schema is the check (see the tests).
//!
//! Deviations, numbered:
//! 1. `exitCode` and `exitCodeDescription` of the invocation are those of the checked program, which ran as part of it.
//! 2. Line numbers, counts and addresses are cut to the ranges that common readers can hold (`i32`, `i64`).
//! 3. Names from the checked program are made visible (`\x1b`), as in text; the JSON report keeps them exactly.

use crate::findings::fold::Folded;
use crate::findings::phrases::capitalised;
use crate::findings::{Repairs, Sources, any_ranks, no_repairs, no_sources, phrases, suggestions};
use crate::kit;
use crate::kit::visible::{shortened, source_line, visible};
use farside_findings::{
    AnyRanks, AnyRanksVerdict, Cause, Change, Coverage, Finding, Frame, LaneEvent, OTHER_SPEEDS, Party,
    Place, Prediction, Predictions, Report, Rule, Shortfall, ShortfallKind, Stand, Stretch, Suggestion,
    UnreachedSite, processes_on_nodes,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const SCHEMA_URI: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Stands for the folder that relative places start from.
const SOURCE_ROOT: &str = "%SRCROOT%";
/// Name of the fingerprint; the number grows when the way in which ids are made changes.
const FINGERPRINT: &str = "farsideFindingId/v1";

/// The report as SARIF, ending with a line end.
pub fn render(report: &Report, sources: Sources<'_>) -> String {
    render_with_repairs(report, sources, &no_repairs)
}

/// The same with repairs, which stand as `fixes` (section 3.55) at their findings.
pub fn render_with_repairs(report: &Report, sources: Sources<'_>, repairs: Repairs<'_>) -> String {
    let result = |finding| result(finding, sources, repairs);
    let log = json!({
        "$schema": SCHEMA_URI,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(report) },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { SOURCE_ROOT: source_root(&report.program.folder) },
            "invocations": [invocation(report, sources)],
            "results": report.findings.iter().map(result).collect::<Vec<_>>(),
            "properties": properties(report),
        }],
    });
    kit::json::visible(&without_nulls(log))
}

/// The folder that relative places start from (section 3.14.14): its name ends with a slash.
fn source_root(folder: &str) -> Value {
    let description = "the folder in which farside was started, from which relative names of sources start";
    let known = folder.starts_with('/');
    json!({
        "uri": known.then(|| uri(&format!("{}/", folder.trim_end_matches('/')))),
        "description": { "text": description },
    })
}

fn driver(report: &Report) -> Value {
    let (name, version) = report.tool.split_once(' ').unwrap_or((&report.tool, ""));
    json!({
        "name": if name.is_empty() { "farside".into() } else { text(name) },
        "version": given(version),
        "rules": Rule::ALL.iter().map(|rule| rule_descriptor(*rule)).collect::<Vec<_>>(),
    })
}

fn rule_descriptor(rule: Rule) -> Value {
    let help = format!("{}. See {}.", capitalised(rule.title()), rule.source());
    json!({
        "id": rule.id(),
        "name": rule.id().split('-').map(capitalised).collect::<String>(),
        "shortDescription": { "text": capitalised(rule.title()) },
        "fullDescription": { "text": help },
        "help": { "text": help },
        "defaultConfiguration": { "level": rule.severity().word() },
        "properties": { "tags": ["mpi", "one-sided-communication"], "source": rule.source() },
    })
}

fn invocation(report: &Report, sources: Sources<'_>) -> Value {
    let program = &report.program;
    let ended = phrases::ended(program);
    let sites = phrases::gaps(report).map_or(&[][..], |coverage| &coverage.unreached);
    let notifications: Vec<Value> = report
        .shortfalls
        .iter()
        .map(notification)
        .chain(sites.iter().map(|site| not_reached(site, sources)))
        .chain(report.any_ranks.iter().map(|found| of_any_ranks(found, sources)))
        .collect();
    json!({
        "commandLine": given(&phrases::command(program)),
        "arguments": program.command.iter().skip(1).map(|word| text(word)).collect::<Vec<_>>(),
        "exitCode": program.status,
        "exitCodeDescription": given(&ended),
        "executionSuccessful": program.processes > 0,
        "toolExecutionNotifications": notifications,
    })
}

fn notification(shortfall: &Shortfall) -> Value {
    let message = format!(
        "not seen: {} ({})",
        shortfall.message,
        phrases::ranks(&shortfall.ranks)
    );
    json!({
        "descriptor": { "id": shortfall.id.name() },
        "level": "warning",
        "message": { "text": prose(&message) },
        "properties": { "ranks": shortfall.ranks },
    })
}

/// A call that was not reached, at its place.
fn not_reached(site: &UnreachedSite, sources: Sources<'_>) -> Value {
    let message = format!("not reached: {}: {}", phrases::unreached_site(site), site.reason);
    let location = |place| json!({ "physicalLocation": physical_location(place, sources) });
    json!({
        "descriptor": { "id": ShortfallKind::SitesNotReached.name() },
        "level": "warning",
        "message": { "text": prose(&message) },
        "locations": site.place.as_ref().map(|place| vec![location(place)]),
    })
}

/// What is said of any number of ranks.
fn of_any_ranks(found: &AnyRanks, sources: Sources<'_>) -> Value {
    let message = format!("{}: {}", any_ranks::TITLE, any_ranks::sentence(found));
    let places = match &found.verdict {
        AnyRanksVerdict::NotProved { one, other, .. } => vec![one, other],
        AnyRanksVerdict::Outside { place, .. } => vec![place],
        AnyRanksVerdict::Proved | AnyRanksVerdict::Found { .. } => Vec::new(),
    };
    let places = places.into_iter().flatten();
    let location = |place| json!({ "physicalLocation": physical_location(place, sources) });
    json!({
        "descriptor": { "id": "any-ranks" },
        "level": if any_ranks::is_answer(found) { "note" } else { "warning" },
        "message": { "text": prose(&message) },
        "locations": places.map(location).collect::<Vec<_>>(),
    })
}

/// What SARIF has no place for.
fn properties(report: &Report) -> Value {
    let counts: Map<String, Value> = report
        .counts
        .iter()
        .map(|count| (text(&count.name), count.value.into()))
        .collect();
    json!({
        "suppressed": report.suppressed,
        "processes": report.program.processes,
        "library": given(&report.program.library),
        "hosts": phrases::hosts(&report.program),
        "counts": counts,
        "summary": phrases::summary(report),
        "causes": report.causes.iter().map(cause).collect::<Vec<_>>(),
        "predictions": report.predictions.as_ref().map(predictions),
        "coverage": report.coverage.as_ref().map(coverage),
        "otherOrders": report.runs.map(|runs| runs.to_string()),
    })
}

fn cause(cause: &Cause) -> Value {
    let change = cause.suggestion.as_ref();
    json!({
        "id": text(&cause.id),
        "message": text(&phrases::plain(phrases::cause(cause))),
        "suggestion": change.map(|change| text(&phrases::plain(suggestions::suggestion(change)))),
        "window": cause.window.as_deref().map(text),
        "findings": cause.findings,
        "count": cause.count,
    })
}

fn coverage(coverage: &Coverage) -> Value {
    let ends = coverage
        .ends
        .iter()
        .map(|end| prose(&phrases::simulation_end(end)));
    json!({
        "sites": coverage.sites,
        "unreached": coverage.unreached.len(),
        "ends": ends.collect::<Vec<_>>(),
    })
}

fn predictions(predictions: &Predictions) -> Value {
    let one = |prediction: &Prediction| {
        let (verdict, more) = phrases::prediction(prediction);
        json!({
            "id": text(&prediction.id),
            "ruleId": prediction.rule.id(),
            "verdict": verdict,
            "explanation": more,
            "confirmedBy": prediction.confirmed_by.as_deref().map(text),
        })
    };
    json!({
        "file": text(&predictions.file),
        "findings": predictions.findings.iter().map(one).collect::<Vec<_>>(),
        "unpredicted": predictions.unpredicted.iter().map(|id| text(id)).collect::<Vec<_>>(),
    })
}

fn result(finding: &Finding, sources: Sources<'_>, repairs: Repairs<'_>) -> Value {
    let repair = fixes(finding, &repairs(finding));
    let folded = Folded::of(finding);
    let finding = folded.finding();
    let rule_index = Rule::ALL.iter().position(|rule| *rule == finding.rule);
    let first = finding.parties.first().and_then(Party::place);
    let related = (1..).zip(&finding.parties).filter_map(|(id, party)| {
        let place = party.place()?;
        Some(json!({
            "id": id,
            "physicalLocation": physical_location(place, sources),
            "logicalLocations": logical_locations(shown(party)),
            "message": { "text": prose(&format!("({id}) {}", phrases::access(party))) },
        }))
    });
    json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": rule_index,
        "level": finding.severity.word(),
        "message": { "text": message(finding) },
        "locations": first.map(|place| vec![json!({
            "physicalLocation": physical_location(place, sources),
            "logicalLocations": logical_locations(shown(&finding.parties[0])),
        })]),
        "relatedLocations": related.collect::<Vec<_>>(),
        "stacks": finding.parties.iter().filter(|party| !party.stack.is_empty()).map(stack).collect::<Vec<_>>(),
        "codeFlows": code_flows(finding),
        "fixes": repair,
        "occurrenceCount": i32::try_from(finding.count).unwrap_or(i32::MAX),
        "partialFingerprints": { (FINGERPRINT): text(&finding.id) },
        "properties": {
            "cause": finding.cause.as_deref().map(text),
            "ranks": given(&finding.ranks.to_string()),
            "window": finding.window_shown().as_deref().map(text),
            "bytes": finding.bytes.as_ref().map(phrases::bytes),
            "arguments": finding.arguments.as_deref().map(text),
            "replay": finding.replay.as_deref().map(text),
            "order": finding.other_order.then(|| text(OTHER_SPEEDS)),
            "nodes": finding.per_node.map(processes_on_nodes).as_deref().map(text),
            "missing": finding.missing.as_ref().map(phrases::why),
            "suggestion": finding.suggestion.as_ref().map(|suggestion| text(&phrases::plain(suggestions::change(suggestion)))),
            "proof": finding.suggestion.as_ref().and_then(suggestions::proof),
            "tried": finding.suggestion.as_ref().and_then(tried),
        },
    })
}

/// Where the calls of a suggestion were tried: of each, the places right beside which it helps.
fn tried(suggestion: &Suggestion) -> Option<Value> {
    let place = |stretch: &Stretch| {
        let (place, after) = stretch.beside()?;
        let side = if after { "after" } else { "before" };
        Some(json!({ "side": side, "file": text(&place.file), "line": place.line }))
    };
    let stand = |stand: &Stand| {
        let places: Vec<Value> = stand.stretches.iter().filter_map(place).collect();
        json!({ "call": text(&stand.call), "places": places })
    };
    let stands: Vec<Value> = suggestion.stands.iter().map(stand).collect();
    (!stands.is_empty()).then_some(Value::Array(stands))
}

/// One fix: all changes that repair a finding, by file.
fn fixes(finding: &Finding, changes: &[Change]) -> Value {
    if changes.is_empty() {
        return Value::Null;
    }
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for change in changes {
        let ((start_line, start_column), (end_line, end_column)) = (change.from, change.to);
        files.entry(&change.file).or_default().push(json!({
            "deletedRegion": {
                "startLine": start_line,
                "startColumn": start_column,
                "endLine": end_line,
                "endColumn": end_column,
            },
            "insertedContent": { "text": change.text },
        }));
    }
    let changes = files.into_iter().map(|(file, replacements)| {
        let relative = !file.starts_with('/');
        json!({
            "artifactLocation": { "uri": uri(file), "uriBaseId": relative.then_some(SOURCE_ROOT) },
            "replacements": replacements,
        })
    });
    let words = finding
        .suggestion
        .as_ref()
        .map(|suggestion| json!({ "text": prose(&phrases::plain(suggestions::change(suggestion))) }));
    json!([{ "description": words, "artifactChanges": changes.collect::<Vec<_>>() }])
}

/// The frame to look at.
fn shown(party: &Party) -> Option<&Frame> {
    party.stack.get(party.shown().unwrap_or(0))
}

/// All that a reader sees who is shown nothing but the message.
fn message(finding: &Finding) -> String {
    let mut parts = vec![prose(match &*phrases::message(finding) {
        "" => finding.rule.title(),
        message => message,
    })];
    let parties = (1..)
        .zip(&finding.parties)
        .map(|(id, party)| match party.place() {
            Some(place) => {
                format!(
                    "({id}) [{} at {}]({id})",
                    link_text(&phrases::access(party)),
                    link_text(&phrases::place(place))
                )
            }
            None => format!("({id}) {}", prose(&phrases::access(party))),
        });
    parts.extend(parties);
    parts.extend(
        finding
            .window_shown()
            .map(|window| format!("window {}", prose(&window))),
    );
    parts.extend(
        finding
            .bytes
            .as_ref()
            .map(|range| format!("bytes {}", prose(&phrases::bytes(range)))),
    );
    parts.extend(
        finding
            .missing
            .as_ref()
            .map(|missing| prose(&phrases::why(missing))),
    );
    parts.extend(finding.suggestion.as_ref().map(|suggestion| {
        prose(&format!(
            "help: {}",
            phrases::plain(suggestions::suggestion(suggestion))
        ))
    }));
    parts.join("; ")
}

fn stack(party: &Party) -> Value {
    let frames = party.stack.iter().map(|frame| {
        let mut location = json!({
            "logicalLocations": logical_locations(Some(frame)),
            "message": { "text": phrases::frame_place(frame) },
        });
        location["physicalLocation"] = match &frame.place {
            Some(place) => physical_location(place, &no_sources),
            None => json!({ "address": { "relativeAddress": i64::try_from(frame.address).unwrap_or(i64::MAX) } }),
        };
        json!({ "location": location, "module": frame.module.as_deref().map(text), "threadId": party.thread.min(i32::MAX as u32) })
    });
    json!({
        "message": { "text": prose(&phrases::access(party)) },
        "frames": frames.collect::<Vec<_>>(),
    })
}

/// One flow a rank: the lanes of the timeline, or the parties if there is none.
fn code_flows(finding: &Finding) -> Value {
    let flows: Vec<Value> = match &finding.timeline {
        Some(timeline) => timeline
            .lanes
            .iter()
            .filter(|lane| !lane.events.is_empty())
            .map(|lane| {
                thread_flow(
                    (lane.rank, lane.host.as_deref()),
                    lane.events.iter().map(flow_location).collect(),
                )
            })
            .collect(),
        None => {
            let who = |party: &'_ Party| (party.rank, party.host.clone());
            let mut ranks: Vec<(u32, Option<String>)> = finding.parties.iter().map(who).collect();
            ranks.sort_unstable();
            ranks.dedup();
            ranks
                .into_iter()
                .map(|(rank, host)| {
                    let of_rank = (0..)
                        .zip(&finding.parties)
                        .filter(|(_, party)| party.rank == rank);
                    thread_flow(
                        (rank, host.as_deref()),
                        of_rank
                            .map(|(index, party)| party_location(index, party))
                            .collect(),
                    )
                })
                .collect()
        }
    };
    if flows.is_empty() {
        Value::Null
    } else {
        json!([{ "threadFlows": flows }])
    }
}

fn thread_flow((rank, host): (u32, Option<&str>), locations: Vec<Value>) -> Value {
    let message = prose(&phrases::rank(rank, host));
    json!({ "id": format!("rank {rank}"), "message": { "text": message }, "locations": locations })
}

fn flow_location(event: &LaneEvent) -> Value {
    flow_step(
        event.order,
        &event.label,
        event.place.as_ref(),
        event.party.is_some(),
    )
}

fn party_location(index: u32, party: &Party) -> Value {
    flow_step(index, &party.operation, party.place(), true)
}

fn flow_step(order: u32, label: &str, place: Option<&Place>, is_party: bool) -> Value {
    json!({
        "executionOrder": order.min(i32::MAX as u32 - 1) + 1,
        "importance": if is_party { "essential" } else { "important" },
        "location": {
            "physicalLocation": place.map(|place| physical_location(place, &no_sources)),
            "message": { "text": prose(label) },
        },
    })
}

fn physical_location(place: &Place, sources: Sources<'_>) -> Value {
    if place.file.is_empty() {
        return Value::Null;
    }
    let int = |number: u32| (number > 0).then(|| number.min(i32::MAX as u32));
    let snippet =
        sources(place).map(|line| json!({ "text": shortened(&source_line(&line), phrases::SENTENCE_LIMIT) }));
    let region = int(place.line).map(
        |line| json!({ "startLine": line, "startColumn": place.column.and_then(int), "snippet": snippet }),
    );
    let relative = !place.file.starts_with('/');
    json!({
        "artifactLocation": { "uri": uri(&place.file), "uriBaseId": relative.then_some(SOURCE_ROOT) },
        "region": region,
    })
}

fn logical_locations(frame: Option<&Frame>) -> Value {
    match frame.and_then(|frame| frame.function.as_deref()) {
        Some(function) => json!([{ "fullyQualifiedName": text(function), "kind": "function" }]),
        None => Value::Null,
    }
}

/// A path as a URI reference (RFC 3986): all but unreserved characters and `/` is percent-encoded.
fn uri(path: &str) -> String {
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let encoded = path.bytes().map(|byte| match byte {
        b'/' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    format!("{scheme}{}", encoded.collect::<String>())
}

/// A name or word that is no message: made visible, and cut when it is very long.
fn text(name: &str) -> String {
    shortened(name, phrases::SENTENCE_LIMIT)
}

fn given(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| text(name))
}

/// Text of a message. SARIF gives meaning to `[text](target)` (section 3.11.6) and `{0}` (3.11.5): a name that looks
/// like one is escaped; other brackets stay, since many viewers would show the escape.
fn prose(message: &str) -> String {
    let shown = shortened(message, phrases::SENTENCE_LIMIT);
    let bytes = shown.as_bytes();
    let placeholder = bytes
        .windows(2)
        .any(|pair| pair[0] == b'{' && pair[1].is_ascii_digit());
    let shown = if placeholder {
        shown.replace('{', "{{").replace('}', "}}")
    } else {
        shown
    };
    if shown.contains("](") {
        link_text_of(&shown)
    } else {
        shown
    }
}

/// Text inside of the brackets of a link: brackets are escaped (3.11.6).
fn link_text(message: &str) -> String {
    link_text_of(&visible(message).replace('{', "{{").replace('}', "}}"))
}

fn link_text_of(shown: &str) -> String {
    shown.replace('\\', r"\\").replace('[', r"\[").replace(']', r"\]")
}

/// SARIF leaves out what is not known, and does not say `null`. Fields are sorted, so that the order does not depend on
/// features of serde_json that other crates may turn on.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut kept: Vec<(String, Value)> =
                fields.into_iter().filter(|(_, field)| !field.is_null()).collect();
            kept.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(
                kept.into_iter()
                    .map(|(name, field)| (name, without_nulls(field)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}
