use crate::reports;
use farside_findings::suppression::Suppressions;
use farside_findings::{Report, Rule};

fn parse(text: &str) -> Suppressions {
    Suppressions::parse("known.txt", text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The rules that are left, and the suppressions that were not used.
fn check(text: &str) -> (Vec<&'static str>, Vec<String>) {
    let mut report = reports::report(vec![
        reports::local_race(),
        reports::remote_race(),
        reports::double_lock(),
    ]);
    let suppressions = parse(text);
    let unused = suppressions
        .apply(&mut report)
        .into_iter()
        .map(|unused| unused.to_string())
        .collect();
    assert_eq!(report.suppressed + report.findings.len() as u64, 3);
    (
        report.findings.iter().map(|finding| finding.rule.id()).collect(),
        unused,
    )
}

fn left(text: &str) -> Vec<&'static str> {
    check(text).0
}

const ALL: [&str; 3] = ["local-race", "remote-race", "double-lock"];

#[test]
fn nothing_suppresses_nothing() {
    assert_eq!(
        check("\u{feff}# a comment\n\n   # another\r\n"),
        (ALL.to_vec(), vec![])
    );
}

#[test]
fn by_rule_and_by_id() {
    assert_eq!(left("rule=local-race"), ALL[1..]);
    let id = reports::local_race().id;
    assert_eq!(left(&format!("id={id} reason=\"we # know\" # comment")), ALL[1..]);
    assert_eq!(left(&format!("id={}", id.to_uppercase())), ALL[1..]);
    assert_eq!(
        left(&format!("id={id} rule=remote-race")),
        ALL,
        "all terms must hold"
    );
}

#[test]
fn by_file_and_lines() {
    assert_eq!(left("file=halo.c"), ALL[1..]);
    assert_eq!(left("file=src/*"), [""; 0]);
    assert_eq!(left("file=halo.c:56"), ALL[1..]);
    assert_eq!(left("file=halo.c:50-55"), ALL[1..]);
    assert_eq!(left("file=halo.c:54"), ALL);
    assert_eq!(left("file=main.c"), ALL, "callers are not the place of a finding");
}

#[test]
fn two_files_are_two_parties() {
    assert_eq!(left("file=halo.c:56 file=halo.c:55"), ALL[1..]);
    assert_eq!(left("file=halo.c:55 file=halo.c:55"), ALL);
    assert_eq!(left("file=lock.f90 file=lock.f90"), ALL);
    assert_eq!(
        left("file=*.c file=halo.c:55"),
        ALL[1..],
        "the first term must not take the only party of the second"
    );
}

#[test]
fn by_function_caller_and_window() {
    assert_eq!(left("function=exch*"), ALL[1..]);
    assert_eq!(left("function=main"), ALL);
    assert_eq!(left("caller=main"), ALL[2..]);
    assert_eq!(left("window=\"ha?o\" function=scatter"), [ALL[0], ALL[2]]);
    assert_eq!(left("window=hal"), ALL);
    // A window that is named by a variable has its place, too, as it would be named without debug information.
    assert_eq!(left("window=\"created at src/scatter.c:*\""), [ALL[0], ALL[2]]);
}

#[test]
fn unused_suppressions_are_named() {
    let text = "rule=local-race\n\nrule=polling   reason=\"no longer\" # since May\nfile=halo.c\n";
    let (_, unused) = check(text);
    assert_eq!(unused, ["known.txt:3: rule=polling   reason=\"no longer\""]);
    let suppressions = parse(text);
    let mut report = Report::default();
    let reasons: Vec<_> = suppressions
        .apply(&mut report)
        .iter()
        .map(|s| s.reason.clone())
        .collect();
    assert_eq!(reasons, [None, Some("no longer".to_owned()), None]);
}

#[test]
fn several_files_join() {
    let mut suppressions = parse("rule=local-race");
    suppressions.extend(parse("rule=remote-race"));
    let mut report = reports::report(vec![reports::local_race(), reports::remote_race()]);
    assert!(suppressions.apply(&mut report).is_empty());
    assert_eq!((report.suppressed, report.findings.len()), (2, 0));
}

#[test]
fn every_rule_can_be_named() {
    for rule in Rule::ALL {
        parse(&format!("rule={}", rule.id()));
    }
}

#[test]
fn errors_name_the_line_and_say_what_would_be_right() {
    let text = r#"rule=local-race
rule=local-rase
remote-race
fil=halo.c
file=halo.c:0
file=halo.c:9-5
id=123
reason="only this"
window="no end
window=
quite wrong
completely=other
"#;
    let errors = Suppressions::parse("known.txt", text).unwrap_err();
    let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"));
}
