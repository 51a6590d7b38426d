//! Litmus tests of findings in reports.

use crate::reports::remote_race;
use farside_findings::{LitmusOutcome, LitmusRun, LitmusTest, Report};
use farside_report::Color;
use farside_report::findings::{html, no_sources, text};

fn with(test: LitmusTest) -> Report {
    let mut finding = remote_race();
    finding.litmus = Some(test);
    Report {
        findings: vec![finding],
        ..Report::default()
    }
}

fn told() -> LitmusTest {
    LitmusTest {
        file: Some("tests/remote-race-1.litmus".into()),
        repaired: Some("tests/remote-race-1-repaired.litmus".into()),
        folder: "tests".into(),
        text: "RMA <b>\n".into(),
        model: Some("mpi3-unified".into()),
        networks: vec!["coreRMA".into(), "mpi".into()],
        outcomes: vec![
            LitmusOutcome {
                state: "1:b=0;".into(),
                wrong: true,
                models: vec!["coreRMA".into(), "mpi".into()],
                repaired: vec!["mpi".into()],
                seen: Some(3),
                ..LitmusOutcome::default()
            },
            LitmusOutcome {
                state: "1:b=1;".into(),
                models: vec!["coreRMA".into()],
                ..LitmusOutcome::default()
            },
        ],
        run: Some(LitmusRun {
            target: "openmpi".into(),
            runs: 10_000,
            wrong: 3,
            repaired_runs: 10_000,
            ..LitmusRun::default()
        }),
        ..LitmusTest::default()
    }
}

#[test]
fn text_names_the_file_and_where_wrong_values_can_be_seen() {
    let text = text::render(&with(told()), Color::Never, &no_sources);
    assert!(
        text.contains(
            "= test: tests/remote-race-1.litmus: a race by mpi3-unified, none with the repair; wrong values by \
             coreRMA, mpi; with the repair by mpi"
        ),
        "{text}"
    );
    assert!(
        text.contains("= run: wrong values seen 3 times of 10000 on openmpi; with the repair 0 of 10000"),
        "{text}"
    );
}

#[test]
fn the_page_marks_wrong_outcomes_and_escapes_the_test() {
    let page = html::render(&with(told()), &no_sources);
    for piece in [
        "<tr class=\"wrong\"><td><code>1:b=0;</code> <span class=\"mark\">wrong</span></td><td \
         class=\"allowed\">yes</td><td class=\"remains\">remains</td>",
        "href=\"tests/remote-race-1.litmus\"",
        "RMA &lt;b&gt;",
    ] {
        assert!(page.contains(piece), "{piece}\n{page}");
    }
}

#[test]
fn a_reason_stands_where_there_is_no_test() {
    let report = with(LitmusTest {
        missing: Some("the language has no threads".into()),
        ..LitmusTest::default()
    });
    let text = text::render(&report, Color::Never, &no_sources);
    assert!(
        text.contains("= test: none: the language has no threads"),
        "{text}"
    );
    assert!(html::render(&report, &no_sources).contains("None: the language has no threads."));
}
