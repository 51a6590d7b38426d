//! The renderers on Figures 3 and 4 of paper 003: the computation of Example 1 with its cycle, by hand.

use farside_report::Color;
use farside_report::robustness::{dot, html, svg, text};
use farside_robustness::*;

fn example_1() -> Report {
    let source = |line, text: &str| Source {
        file: None,
        line,
        column: 1,
        text: text.to_owned(),
    };
    let write = || source(8, "write(x, (me + 1) % n, y, q)");
    let barrier = || source(9, "barrier");
    let event = |rank, kind, address: Option<(u32, &str)>, value, command, source| Event {
        rank,
        kind,
        address: address.map(|(rank, name)| Address {
            rank,
            name: name.to_owned(),
        }),
        value,
        command,
        source,
    };
    let events = vec![
        event(0, EventKind::Write, None, None, 0, write()),
        event(1, EventKind::Write, None, None, 1, write()),
        event(0, EventKind::Popa, Some((0, "x")), Some(1), 0, write()),
        event(1, EventKind::Popa, Some((1, "x")), Some(1), 1, write()),
        event(0, EventKind::Bar, None, None, 2, barrier()),
        event(1, EventKind::Bar, None, None, 3, barrier()),
        event(
            0,
            EventKind::Load,
            Some((0, "y")),
            Some(0),
            4,
            source(10, "assert y == 1 && \"<&>\""),
        ),
        event(0, EventKind::Popb, Some((1, "y")), Some(1), 0, write()),
        event(1, EventKind::Popb, Some((0, "y")), Some(1), 1, write()),
    ];
    let edge = |from, to, relation| Edge { from, to, relation };
    let cycle = vec![
        edge(6, 8, Relation::Conflict),
        edge(8, 1, Relation::Identity),
        edge(1, 5, Relation::ProgramOrder),
        edge(5, 4, Relation::Identity),
        edge(4, 6, Relation::ProgramOrder),
    ];
    let change = Change {
        what: "insert `wait q` before".to_owned(),
        source: barrier(),
        cost: 1,
    };
    Report {
        schema_version: SCHEMA_VERSION,
        tool: "farside".to_owned(),
        programs: vec![Judgement {
            file: "1to1.pgas".to_owned(),
            further: Vec::new(),
            name: "1to1".to_owned(),
            ranks: 2,
            domain: 2,
            awaited: Vec::new(),
            verdict: Verdict::NotRobust,
            reason: None,
            violation: Some(Violation {
                events,
                cycle,
                shortest: true,
            }),
            repair: Some(Repair {
                cost: 1,
                changes: vec![change],
                needless: Vec::new(),
                program: Some("queue q\nwait q // inserted: wait\nbarrier\n".to_owned()),
                reason: None,
                source: None,
                unwritten: None,
            }),
            superfluous: None,
            every: None,
            failures: Vec::new(),
            search: Search::default(),
        }],
    }
}

#[test]
fn text_has_the_computation_in_the_papers_notation_and_each_edge_in_words() {
    let text = text::render(&example_1(), Color::Never);
    for line in [
        "1to1.pgas: 1to1, 2 ranks, values 0 to 1: not robust",
        "  `write(x, (me + 1) % n, y, q)` (P1, line 8) has not yet written (0, y) when `assert y == 1 && \"<&>\"` \
         (P0, line 10) reads it, although the barrier in line 9 is between them.",
        "  a computation with a happens-before cycle, 9 events, the fewest",
        "    write₀·write₁·popa₀·popa₁·bar₀·bar₁·load₀·popb₀·popb₁",
        "  *   7  P0 load (0, y) = 0  1to1.pgas:10:1  assert y == 1 && \"<&>\"",
        "      7  P0 load (0, y) = 0  1to1.pgas:10  reads the first value",
        "           --cf--> reads (0, y) before it is overwritten by",
        "           --<->--> is the effect of",
        "           --po--> comes first in the code of P1",
        "           --<->--> is the same barrier as",
        "  repair: cost 1; with it the program is robust for 2 ranks",
        "    insert `wait q` before  1to1.pgas:9:1",
        "    +   2  wait q // inserted: wait",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(!text.contains('\u{1b}') && text::render(&example_1(), Color::Always).contains('\u{1b}'));
}

#[test]
fn pictures_have_a_box_an_event_and_an_arrow_an_edge() {
    let svg = svg::render(&example_1());
    assert_eq!(svg.matches("class=\"event").count(), 9);
    assert_eq!(svg.matches("marker-end").count(), 5);
    assert_eq!(svg.matches("class=\"event marked").count(), 5);
    assert!(svg.contains("&amp;&amp; &quot;&lt;&amp;&gt;") && !svg.contains("<&>"));
    let dot = dot::render(&example_1());
    assert_eq!(dot.matches("label=\"").count() - 1, 9 + 5 + 2, "{dot}");
    assert!(dot.contains("\\\"<&>\\\""));
    let html = html::render(&example_1());
    assert!(html.contains("default-src 'none'") && !html.contains("<script") && !html.contains("<&>"));
}

#[test]
fn several_programs_are_counted() {
    let mut report = example_1();
    let mut robust = report.programs[0].clone();
    robust.verdict = Verdict::Robust;
    (robust.violation, robust.repair, robust.superfluous) = (None, None, Some(Superfluous::default()));
    report.programs.push(robust);
    let text = text::render(&report, Color::Never);
    assert!(
        text.ends_with("2 programs: 1 robust, 1 not robust, 0 inconclusive\n"),
        "{text}"
    );
    assert!(text.contains("no synchronisation is superfluous"));
    assert!(html::render(&report).contains("#program-1"));
}
