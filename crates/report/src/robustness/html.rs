//! Reports as one HTML file that needs nothing else: no network, no fonts, no script, in light and dark, on paper.
//!
//! Promise: everything that comes from a program is escaped (by `maud`); a content security policy forbids all loading
//! and every script.

use crate::kit::page::{Page, top};
use crate::robustness::sentence::sentence;
use crate::robustness::text::heading;
use crate::robustness::{svg, words};
use farside_robustness::{Change, Judgement, Report, Source, Verdict, Violation};
use maud::{Markup, html};

const STYLE: &str = include_str!("style.css");

/// The report as a page.
#[must_use]
pub fn render(report: &Report) -> String {
    let title = match report.programs.as_slice() {
        [one] => format!("{}: {}", one.name, one.verdict.words()),
        all => format!("Robustness of {} programs", all.len()),
    };
    let body = html! {
        (top(&report.tool, &title))
        main {
            @if report.programs.len() > 1 { (contents(report)) }
            @for (number, judgement) in report.programs.iter().enumerate() { (article(number, judgement)) }
        }
    };
    Page {
        title: &format!("farside: {}", title),
        styles: &[svg::STYLE, STYLE],
        script_hash: None,
        body,
    }
    .render()
}

/// One program as part of a page that has no other; its picture is styled by [`svg::STYLE`].
#[must_use]
pub fn fragment(judgement: &Judgement) -> String {
    article(0, judgement).into_string()
}

fn contents(report: &Report) -> Markup {
    html! {
        nav.card aria-label="Programs" {
            ul {
                @for (number, judgement) in report.programs.iter().enumerate() {
                    li { a href={ "#program-" (number) } { (judgement.name) } " " span class=(class(judgement.verdict)) { (judgement.verdict.words()) } }
                }
            }
        }
    }
}

fn article(number: usize, judgement: &Judgement) -> Markup {
    html! {
        article id={ "program-" (number) } {
            h2 { (heading(judgement)) ": " span class=(class(judgement.verdict)) { (judgement.verdict.words()) } }
            @if let Some(reason) = &judgement.reason { p { (reason) } }
            @for failure in &judgement.failures { p { "Note: " (failure.what) " " (at(judgement, &failure.source)) } }
            @if let Some(violation) = &judgement.violation { (shown(number, judgement, violation)) }
            @if let Some(every) = &judgement.every {
                h3 { "Every number of ranks: " span class=(class(every.verdict)) { (words::for_every(every)) } }
                ul {
                    @for (line, source) in words::reasons(every) {
                        li { (line) " " @if let Some(source) = &source { (at(judgement, source)) } }
                    }
                }
            }
            @if let Some(repair) = &judgement.repair {
                h3 { "Repair" }
                @match &repair.reason {
                    Some(reason) => p { (reason) },
                    None => {
                        p { "With these changes, of cost " (repair.cost) " together, the program is robust for its number of ranks:" }
                        (changes(judgement, &repair.changes))
                        @if !repair.needless.is_empty() {
                            p { "With it:" }
                            (changes(judgement, &repair.needless))
                        }
                        @if let Some(program) = &repair.program { (repaired(program)) }
                    }
                }
            }
            @if let Some(superfluous) = &judgement.superfluous {
                h3 { "Superfluous synchronisation" }
                @if superfluous.alone.is_empty() { p { "None." } } @else {
                    ul {
                        @for (index, change) in superfluous.alone.iter().enumerate() {
                            li {
                                (change.what) " " (at(judgement, &change.source))
                                @if superfluous.together.contains(&index) && superfluous.alone.len() > 1 { ", also \
                                    with the others so marked" }
                            }
                        }
                    }
                }
                @if let Some(reason) = &superfluous.reason { p { (reason) "." } }
            }
            p.faint { (judgement.search.states) " states" }
        }
    }
}

fn shown(number: usize, judgement: &Judgement, violation: &Violation) -> Markup {
    let described = format!("A computation of {} with a happens-before cycle", judgement.name);
    html! {
        p { strong { (sentence(violation)) } }
        h3 { "The cycle" }
        ol.cycle {
            @for edge in &violation.cycle {
                @if let Some(event) = violation.events.get(edge.from) {
                    li {
                        code { (words::event(event)) } " " (at(judgement, &event.source)) " "
                        span.faint { (words::reads_from(violation, edge.from)) } br;
                        (words::edge(violation, edge)) " " span.faint { "(" (edge.relation.sign()) ")" }
                    }
                }
            }
        }
        details open[violation.events.len() <= 12] {
            summary { "The whole computation, " (words::length(violation)) }
            p { code { (words::notation(violation)) } }
            figure { (svg::inline(violation, &format!("p{number}"), &described)) }
        }
    }
}

fn repaired(program: &str) -> Markup {
    html! {
        pre {
            @for line in program.lines() {
                @if line.contains("// inserted: ") || line.contains("// changed: ") { mark { (line) } } @else { (line) }
                "\n"
            }
        }
    }
}

fn changes(judgement: &Judgement, changes: &[Change]) -> Markup {
    html! { ul { @for change in changes { li { (change.what) " " (at(judgement, &change.source)) } } } }
}

fn at(judgement: &Judgement, source: &Source) -> Markup {
    html! { @if source.line > 0 { span.faint { (source.file_in(judgement)) ":" (source.line) } } }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Robust => "good",
        Verdict::NotRobust => "bad",
        Verdict::Inconclusive => "unsure",
    }
}
