use crate::{hostile, reports};
use farside_findings::{
    Frame, Holds, Lessening, Place, Proof, Ranks, Silence, Stand, Stretch, Superfluous, Unneeded, Unseen,
};
use farside_report::Color;
use farside_report::findings::{html, no_sources, sarif, text};

#[test]
fn a_full_report() {
    insta::assert_snapshot!(text::render(
        &reports::full(),
        Color::Never,
        &reports::source_line
    ));
}

#[test]
fn what_became_of_the_findings_of_lint() {
    let text = text::render(&reports::predicted(), Color::Never, &no_sources);
    let (_, lint) = text.split_once("\nlint: ").unwrap();
    let (lint, _) = lint.split_once("\n\n").unwrap();
    insta::assert_snapshot!(lint);
}

#[test]
fn causes_lead_and_findings_are_folded() {
    insta::assert_snapshot!(text::render(&reports::one_cause(24), Color::Never, &no_sources));
}

#[test]
fn one_race_in_colour() {
    let report = reports::report(vec![reports::local_race()]);
    insta::assert_snapshot!(visible_escapes(&text::render(
        &report,
        Color::Always,
        &reports::source_line
    )));
}

#[test]
fn clean_reports_take_one_line() {
    let mut report = reports::report(vec![]);
    let mut lines = vec![text::render(&report, Color::Never, &no_sources)];
    report.shortfalls = vec![];
    report.suppressed = 2;
    report.program.processes = 1;
    report.program.library.clear();
    report.program.ended = String::new();
    report.counts.clear();
    lines.push(text::render(&report, Color::Never, &no_sources));
    report.program.processes = 0;
    report.suppressed = 0;
    report.program.status = None;
    lines.push(text::render(&report, Color::Never, &no_sources));
    assert!(lines.iter().all(|line| line.lines().count() == 1));
    insta::assert_snapshot!(lines.concat());
}

#[test]
fn a_clean_report_says_what_was_not_seen() {
    let mut report = reports::full();
    report.findings.clear();
    insta::assert_snapshot!(text::render(&report, Color::Never, &no_sources));
}

#[test]
fn calls_that_were_not_reached_are_counted_first() {
    let mut report = reports::uncovered();
    let shown = text::render(&report, Color::Never, &no_sources);
    assert!(!shown.contains("nothing is known to be left out"));
    insta::assert_snapshot!(shown);
    report.shortfalls.clear();
    report.findings = reports::full().findings;
    let first =
        "not seen: 3 of 5 one-sided and synchronising call sites were not reached [sites-not-reached]\n";
    assert!(text::render(&report, Color::Never, &no_sources).starts_with(first));
}

#[test]
fn a_report_without_its_shortfall_is_not_called_whole() {
    let mut report = reports::uncovered();
    report.shortfalls.clear();
    let shown = text::render(&report, Color::Never, &no_sources);
    assert!(!shown.contains("nothing is known to be left out"), "{shown}");
    report.coverage.as_mut().unwrap().unreached.clear();
    let shown = text::render(&report, Color::Never, &no_sources);
    assert!(shown.contains("nothing is known to be left out"), "{shown}");
}

#[test]
fn a_clean_report_of_one_order_says_so() {
    let mut report = reports::full();
    report.findings.clear();
    report.shortfalls.clear();
    let one = "nothing is known to be left out of this order of events (--orders tries others)";
    for is_one_order in [false, true] {
        report.is_one_order = is_one_order;
        let shown = text::render(&report, Color::Never, &no_sources);
        assert_eq!(shown.contains(one), is_one_order, "{shown}");
    }
}

#[test]
fn hostile_strings_cannot_act_on_the_terminal() {
    let hostile = |_: &_| Some(hostile::STRING.to_owned());
    let shown = text::render(&hostile::hostile(hostile::STRING), Color::Never, &hostile);
    let acts = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{200b}".contains(c);
    assert_eq!(shown.chars().find(|c| acts(*c)), None);
    insta::assert_snapshot!(shown);
}

#[test]
fn very_long_names_are_cut() {
    let long = "x".repeat(1 << 20);
    let shown = text::render(&hostile::hostile(&long), Color::Never, &|_| Some(long.clone()));
    assert!(shown.len() < 40_000, "{}", shown.len());
}

#[test]
fn colour_changes_nothing_but_colour() {
    let report = reports::full();
    let plain = text::render(&report, Color::Never, &reports::source_line);
    let coloured = text::render(&report, Color::Always, &reports::source_line);
    assert!(!plain.contains('\x1b') && coloured.contains('\x1b'));
    assert_eq!(without_escapes(&coloured), plain);
}

fn visible_escapes(text: &str) -> String {
    text.replace('\x1b', "␛")
}

fn without_escapes(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let plain = parts.next().unwrap().to_owned();
    plain
        + &parts
            .map(|part| part.split_once('m').unwrap().1)
            .collect::<String>()
}

#[test]
fn a_possible_finding_says_so_to_people_and_by_a_field_to_programs() {
    let mut report = reports::report(vec![reports::local_race()]);
    let plain = text::render(&report, Color::Never, &no_sources);
    assert!(!plain.contains("possible: "));
    report.findings[0].possible = true;
    let words = format!("possible: {}", report.findings[0].message);
    assert!(text::render(&report, Color::Never, &no_sources).contains(&words));
    let json = farside_report::findings::json::render(&report);
    assert!(json.contains("\"possible\": true") && !json.contains("possible: "));
}

#[test]
fn what_to_read_is_of_the_standard_of_the_calls() {
    let mut finding = reports::deadlock();
    let sources = [
        ("shmem_int_wait_until", "OpenSHMEM 1.5 §9"),
        ("gaspi_barrier", "GASPI 17.1 §"),
    ];
    for (call, clause) in sources {
        for party in &mut finding.parties {
            party.operation = call.into();
        }
        let report = reports::report(vec![finding.clone()]);
        let shown = text::render(&report, Color::Never, &no_sources);
        assert!(
            shown.contains(&format!("= read: {clause}")) && !shown.contains("MPI-4.1"),
            "{shown}"
        );
    }
}

#[test]
fn synchronisation_that_is_not_needed_is_told_with_what_it_cost() {
    let call = Unneeded {
        call: "MPI_Barrier".into(),
        stacks: vec![vec![Frame {
            place: Some(Place {
                file: "main.c".into(),
                line: 7,
                column: None,
            }),
            ..Frame::default()
        }]],
        everywhere: true,
        change: Lessening::Remove,
        visits: 3,
        ranks: Ranks::of([0, 1, 2]),
        nanoseconds: 25_000_000,
        holds: Holds::ThisInput,
        lint: Some(true),
    };
    let mut report = reports::report(vec![]);
    report.superfluous = Some(Superfluous {
        calls: vec![call],
        tried: 2,
        nanoseconds: 100_000_000,
        unseen: vec![Unseen::Outside],
        ..Superfluous::default()
    });
    let text = text::render(&report, Color::Never, &no_sources);
    assert!(
        text.contains("25.0 ms  25.0 %  MPI_Barrier at main.c:7, 3 calls: it can go\n"),
        "{text}"
    );
    assert!(text.contains("known of this input only; lint agrees\n"), "{text}");
    let page = html::render(&report, &no_sources);
    assert!(page.contains("Synchronisation that this run did not need") && page.contains("main.c:7"));
    report.superfluous = Some(Superfluous {
        refused: Some(Silence::NotAllSeen),
        ..Superfluous::default()
    });
    let text = text::render(&report, Color::Never, &no_sources);
    assert!(
        text.contains("nothing is said of it: not all that the processes did was seen"),
        "{text}"
    );
}

/// Each form says where the calls of a suggestion were tried.
#[test]
fn a_suggestion_says_where_it_was_tried() {
    let mut finding = reports::local_race();
    let suggestion = finding.suggestion.as_mut().expect("advice");
    let line = |line| Place {
        file: "src/halo.c".to_owned(),
        line,
        column: None,
    };
    let stand = |call: &str, stretches: Vec<Stretch>| Stand {
        call: call.to_owned(),
        stretches,
    };
    suggestion.proof = Some(Proof::Verified);
    suggestion.stands = vec![stand(
        "MPI_Win_flush_local(1, win)",
        vec![Stretch::after(line(55))],
    )];
    let told = |finding: &farside_findings::Finding| {
        let report = reports::report(vec![finding.clone()]);
        text::render(&report, Color::Never, &no_sources)
    };
    assert!(told(&finding).contains("on rank 0 (verified right after halo.c:55)"));
    for (percent, words) in [(8, "8 %"), (0, "1 %, or less,")] {
        let mut part = finding.clone();
        let suggestion = part.suggestion.as_mut().expect("advice");
        (suggestion.proof, suggestion.judged) = (Some(Proof::InPart), Some(percent));
        let wanted = format!("(verified in the first {words} of this run's events right after halo.c:55)");
        let said = told(&part).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&wanted), "{said}");
    }
    let suggestion = finding.suggestion.as_mut().expect("advice");
    let between = Stretch {
        after: Some(line(58)),
        before: Some(line(60)),
        at_end: true,
    };
    suggestion.stands.push(stand(
        "MPI_Barrier(comm)",
        vec![between, Stretch::after(line(56))],
    ));
    assert!(told(&finding).contains(
        "(verified: `MPI_Win_flush_local(1, win)` right after halo.c:55, and `MPI_Barrier(comm)` right before \
         halo.c:60)"
    ));
    let report = reports::report(vec![finding]);
    let sarif = sarif::render(&report, &no_sources);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let tried = &sarif["runs"][0]["results"][0]["properties"]["tried"];
    assert_eq!(tried[1]["places"][0]["line"], 60);
    assert_eq!(tried[1]["places"][1]["side"], "after");
}
