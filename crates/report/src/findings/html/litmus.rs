//! The litmus test of a finding: its text, and which outcomes networks allow, wrong ones marked.

use super::shown;
use crate::findings::litmus;
use farside_findings::{LitmusOutcome, LitmusTest};
use maud::{Markup, html};

/// The test below the picture; nothing if none was asked for.
pub(super) fn section(test: Option<&LitmusTest>) -> Markup {
    let Some(test) = test else {
        return html! {};
    };
    html! {
        details.litmus open {
            summary { "Litmus test: " (litmus::in_short(test)) }
            @if let Some(missing) = &test.missing { p.faint { "None: " (shown(missing)) "." } }
            @if !test.text.is_empty() {
                pre { (shown_lines(&test.text)) }
                p { (links(test)) }
            }
            @if let Some(why) = &test.no_networks { p.faint { "Of networks nothing is told: " (shown(why)) "." } }
            @if !test.outcomes.is_empty() { (outcomes(test)) }
            @if let Some(run) = &test.run { p.seen { (litmus::run(run)) } }
        }
    }
}

fn shown_lines(text: &str) -> String {
    text.lines().map(|line| shown(line) + "\n").collect()
}

fn links(test: &LitmusTest) -> Markup {
    let files = [
        ("the test", &test.file),
        ("repaired", &test.repaired),
        ("in the words of networks", &test.network_file),
        ("the same, repaired", &test.network_repaired),
    ];
    html! {
        "Open: "
        @for (index, (words, file)) in files.into_iter().enumerate() {
            @if let Some(file) = file {
                @if index > 0 { ", " }
                a href=(test.link_to(file)) { (words) }
            }
        }
    }
}

/// Rows of outcomes, columns of models.
fn outcomes(test: &LitmusTest) -> Markup {
    let was_run = test.run.as_ref().is_some_and(|run| run.not_run.is_none());
    html! {
        div.scroll {
            table.outcomes {
                thead {
                    tr {
                        th { "outcome" }
                        @for model in &test.networks { th { (shown(model)) } }
                        @if was_run { th { "seen" } th { "seen, repaired" } }
                    }
                }
                tbody {
                    @for outcome in &test.outcomes {
                        tr.wrong[outcome.wrong] {
                            td {
                                code { (shown(&outcome.state)) }
                                @if outcome.wrong { " " span.mark { "wrong" } }
                            }
                            @for model in &test.networks { (cell(outcome, model)) }
                            @if was_run {
                                td.number { (outcome.seen.unwrap_or(0)) }
                                td.number { (outcome.seen_repaired.unwrap_or(0)) }
                            }
                        }
                    }
                }
            }
        }
        p.faint {
            "yes: the network allows it; repaired: only with the repair; remains: with the repair, too. Wrong is what \
             the repaired program cannot show where each operation is complete at once."
        }
    }
}

fn cell(outcome: &LitmusOutcome, model: &str) -> Markup {
    let has = |models: &[String]| models.iter().any(|known| known == model);
    let (class, words) = match (has(&outcome.models), has(&outcome.repaired)) {
        (true, true) => ("remains", "remains"),
        (true, false) => ("allowed", "yes"),
        (false, true) => ("mended", "repaired"),
        (false, false) => ("never", "-"),
    };
    html! { td class=(class) { (words) } }
}
