//! Reports as one HTML file that needs nothing else: no network, no fonts, no script, in light and dark, on paper.
//!
//! Promise: everything that comes from a test is escaped (by `maud`); a content security policy forbids all loading
//! and every script. Outcomes unfold without a script.

use crate::kit::page::{Page, top};
use crate::verdicts::matrix::cell;
use crate::verdicts::svg;
use crate::verdicts::text::missing_words;
use farside_verdicts::state_line;
use farside_verdicts::{Cause, Explanation, Judgement, Party, Report, State, Test, Verdict};
use maud::{Markup, html};

const STYLE: &str = include_str!("style.css");

/// The report as a page.
#[must_use]
pub fn render(report: &Report) -> String {
    let title = match report.tests.as_slice() {
        [test] => format!("{}: a litmus test", test.name),
        tests => format!("{} litmus tests", tests.len()),
    };
    let body = html! {
        (top(&report.tool, &title))
        main {
            @if is_matrix(&report.tests) { (matrix(&report.tests)) }
            @for (number, test) in report.tests.iter().enumerate() { (article(number, test)) }
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

/// A table says more than the tests below it only where there are several answers.
fn is_matrix(tests: &[Test]) -> bool {
    tests.iter().map(|test| test.judgements.len()).sum::<usize>() > 1
}

fn matrix(tests: &[Test]) -> Markup {
    let mut models: Vec<&str> = Vec::new();
    for judgement in tests.iter().flat_map(|test| &test.judgements) {
        if !models.contains(&judgement.model.as_str()) {
            models.push(&judgement.model);
        }
    }
    html! {
        nav.card aria-label="Verdicts" {
            table {
                thead { tr { th { "Test" } @for model in &models { th { (model) } } } }
                tbody {
                    @for (number, test) in tests.iter().enumerate() {
                        tr {
                            td { a href={ "#test-" (number) } { (test.name) } }
                            @for model in &models {
                                @let found = test.judgements.iter().position(|judgement| judgement.model == *model);
                                td { @if let Some(place) = found {
                                    a class=(tone(test.judgements[place].verdict)) href={ "#test-" (number) "-" (place) } { (cell(&test.judgements[place])) }
                                } }
                            }
                        }
                    }
                }
            }
            p.faint { "A cell: verdict, how often the condition holds, number of states." }
        }
    }
}

fn article(number: usize, test: &Test) -> Markup {
    html! {
        article.card id={ "test-" (number) } {
            h2 { (test.name) " " span.faint { (test.file) } }
            @for line in &test.about { p.about { (line) } }
            pre.program { code { (test.source.trim_end()) } }
            @for (place, judgement) in test.judgements.iter().enumerate() {
                (section(&format!("test-{number}-{place}"), test, judgement))
            }
        }
    }
}

fn section(id: &str, test: &Test, judgement: &Judgement) -> Markup {
    html! {
        section.judgement id=(id) {
            h3 {
                (judgement.model) " "
                span class={ "verdict " (tone(judgement.verdict)) } { (headline(judgement)) }
            }
            @if !test.condition.is_empty() { p.condition { code { (test.condition) } } }
            @if let Some(cause) = &judgement.cause { (cause_block(cause)) }
            @if judgement.bounded { p.unsure { "A loop ended at its bound: states after it are missing." } }
            @if !judgement.states.is_empty() {
                p.faint { (judgement.states.len()) @if judgement.states.len() == 1 { " outcome" } @else { " outcomes" } }
                div.outcomes {
                    @for (index, state) in judgement.states.iter().enumerate() {
                        (outcome(&format!("{id}-s{index}"), judgement, state))
                    }
                }
            }
            @for (index, explanation) in judgement.explanations.iter().enumerate() {
                @if !belongs_to_a_state(judgement, explanation) {
                    (explained(&format!("{id}-e{index}"), explanation, true))
                }
            }
        }
    }
}

fn belongs_to_a_state(judgement: &Judgement, explanation: &Explanation) -> bool {
    explanation.allowed
        && judgement
            .states
            .iter()
            .any(|state| state.bindings == explanation.outcome)
}

fn outcome(id: &str, judgement: &Judgement, state: &State) -> Markup {
    let explanation = judgement
        .explanations
        .iter()
        .find(|explanation| explanation.allowed && explanation.outcome == state.bindings);
    // The states that the condition asks for are what the reader came for.
    let open = state.holds == Some(true) || judgement.states.len() == 1;
    match explanation {
        Some(explanation) => explained(id, explanation, open),
        None => {
            html! { div.state.holds[state.holds == Some(true)] { code { (state_line(&state.bindings)) } } }
        }
    }
}

fn explained(id: &str, explanation: &Explanation, open: bool) -> Markup {
    let state = state_line(&explanation.outcome);
    let described = format!("Execution with {state}");
    html! {
        details.state.refused[!explanation.allowed] open[open] {
            summary {
                code { (if state.is_empty() { "an execution" } else { &state }) }
                @if !explanation.allowed { " " span.bad { "not allowed" } }
            }
            @if !explanation.reason.is_empty() { p.reason { (explanation.reason) } }
            @if explanation.execution.is_some() { figure { (svg::inline(explanation, id, &described)) } }
        }
    }
}

/// Why a program has no states, as part of a page.
#[must_use]
pub fn cause(cause: &Cause) -> String {
    cause_block(cause).into_string()
}

fn cause_block(cause: &Cause) -> Markup {
    html! {
        div.cause {
            @match cause {
                Cause::Race { parties, no_happens_before, no_consistency, conflict } => {
                    ul { @for party in parties { li { (party_words(party)) } } }
                    p { (missing_words(*no_happens_before, *no_consistency)) "; " (conflict) }
                }
                Cause::Invalid { condition, party, reason } => {
                    ul { li { (party_words(party)) } }
                    p { (reason) " " span.faint { "(condition " (condition) " of Hoefler et al. 2014, section 3.1)" } }
                }
                Cause::NoState { reason } | Cause::Unknown { reason } => p { (reason) },
            }
        }
    }
}

fn party_words(party: &Party) -> Markup {
    html! {
        "P" (party.process) ": " code { (party.text) }
        @if party.line > 0 { span.faint { " line " (party.line) } }
    }
}

/// The verdict in a few words, with how often the condition holds.
#[must_use]
pub fn headline(judgement: &Judgement) -> String {
    match (judgement.verdict, judgement.observation) {
        (Verdict::Ok | Verdict::No, Some(observation)) => {
            format!("{}: {}", judgement.verdict.word(), observation.word())
        }
        (Verdict::Ok | Verdict::No, None) => "no condition".to_owned(),
        (Verdict::Race, _) => "undefined: data race".to_owned(),
        (Verdict::Invalid, _) => "not valid".to_owned(),
        (Verdict::Inconclusive, _) => "inconclusive: no state".to_owned(),
        (Verdict::Unknown, _) => "no answer".to_owned(),
    }
}

/// How a verdict is coloured: `good`, `bad` or `unsure`.
#[must_use]
pub fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "good",
        Verdict::No | Verdict::Race | Verdict::Invalid => "bad",
        Verdict::Inconclusive | Verdict::Unknown => "unsure",
    }
}
