//! The schema beside this file is the OASIS one without its descriptions, and without the pattern for
//! languages, which is not a valid regular expression. We write no languages.

use crate::{hostile, reports};
use farside_findings::{AnyRanks, AnyRanksVerdict, Change, Finding, Place, Report};
use farside_report::Color;
use farside_report::findings::{Sources, html, no_sources, sarif, text};
use serde_json::Value;

/// Parses the output and holds it against the schema, formats (URIs) included.
fn check(report: &Report, sources: Sources<'_>) -> Value {
    checked(&sarif::render(report, sources))
}

fn checked(log: &str) -> Value {
    let value: Value = serde_json::from_str(log).unwrap();
    let schema: Value = serde_json::from_str(include_str!("sarif-schema-2.1.0.json")).unwrap();
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
    value
}

#[test]
fn a_full_report() {
    let report = reports::full();
    check(&report, &reports::source_line);
    let shown = sarif::render(&report, &reports::source_line);
    // The rules are the same in every report.
    let (head, rest) = shown.split_once("          \"rules\": [").unwrap();
    let (_, tail) = rest.split_once("\n          ]").unwrap();
    insta::assert_snapshot!(format!("{head}          \"rules\": [...]{tail}"));
}

#[test]
fn a_repair_is_a_fix_of_its_finding() {
    let report = reports::report(vec![reports::local_race()]);
    let change = |_: &Finding| {
        let change = Change {
            file: "src/halo.c".to_owned(),
            from: (40, 1),
            to: (40, 1),
            text: "\n    MPI_Win_flush(left, win);".to_owned(),
        };
        vec![change]
    };
    let value = checked(&sarif::render_with_repairs(&report, &no_sources, &change));
    let changed = &value["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(changed["artifactLocation"]["uri"], "src/halo.c");
    let replacement = &changed["replacements"][0];
    assert_eq!(replacement["deletedRegion"]["startLine"], 40);
    assert_eq!(
        replacement["insertedContent"]["text"],
        "\n    MPI_Win_flush(left, win);"
    );
    let without = check(&report, &no_sources);
    assert!(without["runs"][0]["results"][0].get("fixes").is_none());
}

#[test]
fn empty_reports() {
    let value = check(&reports::report(vec![]), &no_sources);
    assert_eq!(value["runs"][0]["results"], serde_json::json!([]));
    let value = check(&Report::default(), &no_sources);
    assert_eq!(value["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn each_call_that_was_not_reached_is_a_notification_at_its_place() {
    let value = check(&reports::uncovered(), &no_sources);
    let all = value["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        .as_array()
        .unwrap();
    let line = |said: &Value| said["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64();
    let lines: Vec<_> = all.iter().map(line).collect();
    assert_eq!(lines, [None, Some(54), Some(55), Some(90)]);
    assert!(
        all.iter()
            .all(|said| said["descriptor"]["id"] == "sites-not-reached")
    );
    assert_eq!(value["runs"][0]["properties"]["coverage"]["sites"], 5);
}

/// The answer on any number of ranks, in all forms: at its place, if it has one.
#[test]
fn what_is_said_of_any_number_of_ranks_is_a_notification() {
    let mut report = reports::report(vec![]);
    let outside = AnyRanksVerdict::Outside {
        place: Some(Place {
            file: "main.c".into(),
            line: 7,
            column: None,
        }),
        reason: "a call of MPI_Scan is not followed".into(),
    };
    report.any_ranks = Some(AnyRanks::of(outside, 2));
    let log = check(&report, &no_sources);
    let said = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(
        (&said["descriptor"]["id"], &said["level"]),
        (&"any-ranks".into(), &"warning".into())
    );
    let place = &said["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 7);
    let sentence = "outside of the class: main.c:7: a call of MPI_Scan is not followed";
    let text = text::render(&report, Color::Never, &no_sources);
    assert!(
        text.contains(&format!("Any number of ranks: {sentence}\n")),
        "{text}"
    );
    let page = html::render(&report, &no_sources);
    assert!(
        page.contains("Any number of ranks") && page.contains("MPI_Scan"),
        "{page}"
    );
    report.any_ranks = Some(AnyRanks::of(AnyRanksVerdict::Proved, 2));
    let log = check(&report, &no_sources);
    let said = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(said["level"], "note");
}

#[test]
fn a_race_names_both_places_in_every_way() {
    let report = reports::report(vec![reports::local_race()]);
    let value = check(&report, &reports::source_line);
    let result = &value["runs"][0]["results"][0];
    let lines = |locations: &Value| -> Vec<u64> {
        let lines = locations.as_array().unwrap().iter();
        lines
            .map(|l| l["physicalLocation"]["region"]["startLine"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(lines(&result["locations"]), [55]);
    assert_eq!(lines(&result["relatedLocations"]), [55, 56]);
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        .as_array()
        .unwrap();
    let essential: Vec<bool> = steps
        .iter()
        .map(|step| step["importance"] == "essential")
        .collect();
    assert_eq!(essential, [false, true, true, false]);
    assert_eq!(
        result["partialFingerprints"]["farsideFindingId/v1"],
        report.findings[0].id.as_str()
    );
    let rule = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(
        value["runs"][0]["tool"]["driver"]["rules"][rule]["id"],
        result["ruleId"]
    );
    let message = result["message"]["text"].as_str().unwrap();
    assert!(
        message.contains("src/halo.c:55](1)") && message.contains("src/halo.c:56](2)"),
        "{message}"
    );
}

#[test]
fn without_a_timeline_flows_are_the_parties_by_rank() {
    let mut report = reports::report(vec![reports::remote_race()]);
    report.findings[0].timeline = None;
    let value = check(&report, &no_sources);
    let flows = value["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
        .as_array()
        .unwrap();
    let ids: Vec<&str> = flows.iter().map(|flow| flow["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["rank 0", "rank 1"]);
}

#[test]
fn hostile_strings_make_no_links_and_no_controls() {
    let report = hostile::hostile(hostile::STRING);
    let value = check(&report, &|_| Some(hostile::STRING.to_owned()));
    let shown = sarif::render(&report, &no_sources);
    let acts = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{200b}".contains(c);
    assert_eq!(shown.chars().find(|c| acts(*c)), None);
    let result = &value["runs"][0]["results"][0];
    let message = result["message"]["text"].as_str().unwrap();
    assert!(
        !message.contains("[link](") && message.contains(r"\[link\]("),
        "{message}"
    );
    let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().unwrap().starts_with("%3C/script%3E"), "{uri}");
}

#[test]
fn relative_places_start_from_a_folder_that_is_named() {
    let report = reports::report(vec![reports::local_race()]);
    let run = &check(&report, &no_sources)["runs"][0];
    let place = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    let base = place["uriBaseId"].as_str().unwrap();
    assert_eq!(
        run["originalUriBaseIds"][base]["uri"],
        "file:///home/anna/halo%20exchange/"
    );
    let unknown = &check(&Report::default(), &no_sources)["runs"][0]["originalUriBaseIds"][base];
    assert!(unknown["uri"].is_null() && unknown["description"]["text"].is_string());
}

#[test]
fn absolute_paths_are_file_uris() {
    let mut report = reports::report(vec![reports::double_lock()]);
    report.findings[0].parties[0].stack[0].place = Some(reports::place("/home/a b/ü.c", 3));
    let location = &check(&report, &no_sources)["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        location["artifactLocation"],
        serde_json::json!({ "uri": "file:///home/a%20b/%C3%BC.c" })
    );
}
