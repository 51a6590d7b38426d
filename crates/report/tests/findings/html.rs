use crate::{hostile, reports};
use farside_findings::Report;
use farside_report::findings::{Sources, html, no_sources};

/// Renders, and leaves the page in the tests' folder, to be looked at.
fn check(name: &str, report: &Report, sources: Sources<'_>) -> String {
    let page = html::render(report, sources);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join(name).with_extension("html"), &page).unwrap();
    page
}

#[test]
fn a_full_report() {
    let page = check("full", &reports::full(), &reports::source_line);
    // Style and script are files of their own.
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    insta::assert_snapshot!(format!("{head}{body}").replace("><", ">\n<"));
}

#[test]
fn what_became_of_the_findings_of_lint() {
    let page = check("predicted", &reports::predicted(), &no_sources);
    assert!(page.contains("1 of 4 findings of lint.json confirmed by this run"));
    for verdict in ["confirmed", "not seen", "not executed"] {
        assert!(page.contains(&format!("<strong>{verdict}</strong>")), "{verdict}");
    }
}

#[test]
fn causes_lead_and_findings_are_folded() {
    let page = check("causes", &reports::one_cause(500), &reports::source_line);
    assert!(page.contains("<strong>500 findings</strong>") && page.contains("2 causes"));
    assert_eq!(page.matches("<details class=\"others\">").count(), 1);
    let folded = page.split_once("<details class=\"others\">").unwrap().1;
    assert_eq!(folded.matches("<article").count(), 499 + 1, "and the other cause");
    assert_eq!(page.matches("data-cause=\"1\"").count(), 500);
}

#[test]
fn an_empty_report() {
    let page = check("empty", &reports::report(vec![]), &no_sources);
    assert!(page.contains("<h1>No findings</h1>") && page.contains("nothing is known to be left out"));
    assert!(!page.contains("<article") && !page.contains("<script"));
    let page = check("nothing", &Report::default(), &no_sources);
    assert!(page.contains("<h1>Nothing was checked</h1>"));
}

#[test]
fn the_missing_order_and_the_suggested_call_are_drawn() {
    let page = check(
        "one",
        &reports::report(vec![reports::local_race()]),
        &reports::source_line,
    );
    assert!(page.contains("<path class=\"missing\""), "the red line");
    assert!(page.contains("no consistency order</text>"), "its words");
    assert!(
        page.contains("insert MPI_Win_flush_local(1, win)</text>"),
        "the call at its place"
    );
    check(
        "remote",
        &reports::report(vec![reports::remote_race()]),
        &no_sources,
    );
    check(
        "deadlock",
        &reports::report(vec![reports::deadlock()]),
        &no_sources,
    );
    let page = check(
        "misuse",
        &reports::report(vec![reports::double_lock()]),
        &no_sources,
    );
    assert!(!page.contains("<path class=\"missing\""));
}

#[test]
fn many_findings_of_many_ranks() {
    let findings = (0..40)
        .map(|number| reports::wide_race(number, 2 + number % 15))
        .collect();
    let page = check("many", &reports::report(findings), &no_sources);
    assert_eq!(page.matches("<article").count(), 40);
    assert_eq!(page.matches("<path class=\"missing\"").count(), 40);
    check(
        "sixteen",
        &reports::report(vec![reports::wide_race(3, 16)]),
        &no_sources,
    );
    let page = check(
        "wide",
        &reports::report(vec![reports::wide_race(3, 64)]),
        &no_sources,
    );
    assert_eq!(page.matches("class=\"lane\"").count(), 64);
}

#[test]
fn a_page_lists_the_calls_that_were_not_reached() {
    let page = check("uncovered", &reports::uncovered(), &no_sources);
    for words in [
        "3 of 5 one-sided and synchronising call sites were not reached",
        "MPI_Put at src/halo.c:55 in exchange",
        "Nothing calls exchange",
        "exit(1) at src/main.c:22, to which the condition on input at src/main.c:41 led, in 3 simulations",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn hostile_strings_add_no_element_and_no_attribute() {
    let plain = check("harmless", &hostile::hostile("harmless"), &|_| {
        Some("harmless".to_owned())
    });
    let page = check("hostile", &hostile::hostile(hostile::STRING), &|_| {
        Some(hostile::STRING.to_owned())
    });
    assert!(!page.contains("<img") && !page.contains("javascript:"));
    let acts = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{200b}".contains(c);
    assert_eq!(page.chars().find(|c| acts(*c)), None);
    // The same elements in the same order, whatever the strings: nothing of them became markup. Positions in the
    // picture depend on lengths, so attributes are compared by name.
    assert_eq!(skeleton(&page), skeleton(&plain));
}

#[test]
fn very_long_names_are_cut() {
    let long = "x".repeat(1 << 20);
    let page = check("long", &hostile::hostile(&long), &|_| Some(long.clone()));
    assert!(page.len() < 150_000, "{}", page.len());
}

/// Elements with the names of their attributes.
fn skeleton(page: &str) -> Vec<String> {
    let body = page.split_once("</style>").unwrap().1;
    let tags = body
        .split('<')
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().0);
    // Places that do not fit beside a long label are left out of the picture.
    let kept = tags.filter(|tag| !tag.contains("tspan"));
    kept.map(|tag| {
        let outside_quotes: String = tag.split('"').step_by(2).collect();
        outside_quotes.replace(" text-anchor=", "")
    })
    .collect()
}
