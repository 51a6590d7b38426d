//! Reports and files that nobody would write: nothing panics, and every picture has finite numbers.

use crate::reports::{event, finding, party, report};
use farside_findings::suppression::Suppressions;
use farside_findings::{Arrow, Finding, Lane, LaneEvent, MissingOrder, Rule, Suggestion, Timeline};
use farside_report::findings::{html, json, no_sources, sarif, text};
use proptest::prelude::*;

fn any_event() -> impl Strategy<Value = LaneEvent> {
    let label = prop_oneof![
        "\\PC*",
        Just("MPI_Put to 1".to_owned()),
        Just("MPI_Win_fence".to_owned())
    ];
    let party = prop::option::of(0..4_u32);
    let order = prop_oneof![0..6_u32, any::<u32>()];
    (order.clone(), label, 50..60_u32, party, prop::option::of(order)).prop_map(
        |(order, label, line, party, open_until)| LaneEvent {
            party,
            open_until,
            ..event(order, &label, line)
        },
    )
}

fn any_timeline() -> impl Strategy<Value = Timeline> {
    let lane = (0..4_u32, prop::collection::vec(any_event(), 0..6)).prop_map(|(rank, events)| Lane {
        rank,
        host: None,
        events,
    });
    let end = || (0..4_u32, 0..6_u32);
    let arrow = (end(), end(), "\\PC*").prop_map(|(from, to, label)| Arrow { from, to, label });
    (
        prop::collection::vec(lane, 0..5),
        prop::collection::vec(arrow, 0..4),
    )
        .prop_map(|(lanes, arrows)| Timeline { lanes, arrows })
}

fn any_finding() -> impl Strategy<Value = Finding> {
    let rule = prop::sample::select(Rule::ALL);
    let parties = prop::collection::vec((0..4_u32, prop::option::of(0..4_u32)), 0..4);
    let timeline = prop::option::of(any_timeline());
    (rule, parties, timeline, any::<[bool; 3]>(), "\\PC*").prop_map(
        |(rule, parties, timeline, flags, words)| {
            let place = |wanted: bool| {
                timeline
                    .as_ref()
                    .filter(|_| wanted)?
                    .lanes
                    .first()?
                    .events
                    .first()?
                    .place
                    .clone()
            };
            let suggestion = Suggestion {
                call: words.clone(),
                position: String::new(),
                after: place(flags[1]),
                before: place(flags[2]),
                ..Suggestion::default()
            };
            let [happens_before, consistency_order, _] = flags;
            let missing = MissingOrder {
                happens_before,
                consistency_order,
                explanation: words.clone(),
            };
            let parties = parties
                .iter()
                .map(|(rank, target)| party(&words, "", *rank, *target, vec![]))
                .collect();
            Finding {
                suggestion: Some(suggestion),
                missing: flags[0].then_some(missing),
                timeline: timeline.clone(),
                ..finding(rule, &words, parties)
            }
        },
    )
}

proptest! {
    #[test]
    fn every_report_is_rendered(findings in prop::collection::vec(any_finding(), 0..3)) {
        let report = report(findings);
        text::render(&report, farside_report::Color::Always, &no_sources);
        let _ = json::render(&report);
        sarif::render(&report, &no_sources);
        let page = html::render(&report, &no_sources);
        let body = page.split_once("</style>").unwrap().1;
        for tag in body.split('<').filter(|tag| !tag.starts_with("text") && !tag.starts_with("tspan")) {
            let tag = tag.split_once('>').unwrap_or_default().0;
            prop_assert!(!tag.contains("\"NaN") && !tag.contains("\"inf") && !tag.contains("\"-inf"), "{tag}");
        }
    }

    #[test]
    fn every_suppression_file_is_parsed_or_refused(text in "((rule|id|file|function|caller|window|reason|x)?=?\"?[a-z*?\\\\ :#-]{0,8}\"?[ \n]?){0,8}") {
        let mut report = report(vec![crate::reports::local_race()]);
        if let Ok(suppressions) = Suppressions::parse("known.txt", &text) {
            suppressions.apply(&mut report);
        }
    }
}
