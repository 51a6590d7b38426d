use crate::{hostile, reports};
use farside_findings::Report;
use farside_report::findings::json;
use serde_json::Value;

/// Parses the output, holds it against the committed schema, and reads it back as the type.
fn check(report: &Report) -> String {
    let shown = json::render(report);
    let value: Value = serde_json::from_str(&shown).unwrap();
    let schema: Value = serde_json::from_str(json::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!(serde_json::from_value::<Report>(value).unwrap(), *report);
    shown
}

#[test]
fn a_full_report() {
    insta::assert_snapshot!(check(&reports::full()));
}

#[test]
fn what_became_of_the_findings_of_lint() {
    let shown: Value = serde_json::from_str(&check(&reports::predicted())).unwrap();
    let executed = |index: usize| shown["predictions"]["findings"][index]["accesses"][0]["executed"].clone();
    assert_eq!((executed(1), executed(3)), (true.into(), false.into()));
    assert!(shown["predictions"]["findings"][0]["confirmed_by"].is_string());
}

#[test]
fn an_empty_report() {
    insta::assert_snapshot!(check(&reports::report(vec![])));
    check(&Report::default());
}

#[test]
fn hostile_strings_come_back_unchanged_and_cannot_act() {
    let shown = check(&hostile::hostile(hostile::STRING));
    let acts = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{200b}".contains(c);
    assert_eq!(shown.chars().find(|c| acts(*c)), None);
}

#[test]
fn the_schema_rejects_what_is_not_a_report() {
    let schema: Value = serde_json::from_str(json::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut report = serde_json::to_value(reports::full()).unwrap();
    assert!(validator.is_valid(&report));
    report["findings"][0]["rule"] = "no-such-rule".into();
    assert!(!validator.is_valid(&report));
    assert!(!validator.is_valid(&serde_json::json!({})));
}
