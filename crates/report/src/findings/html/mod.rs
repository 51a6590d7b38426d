//! Reports as one HTML file that needs nothing else: no network, no fonts, readable without JavaScript, in light and
//! dark, on paper.
//!
//! Promise: everything that the checked program controls is escaped (by `maud`, as text or as a quoted attribute) after
//! control and direction characters were made visible, and none of it enters the style or the script. As a second
//! line of defence, a content security policy forbids all loading and every script but ours, by its hash.
//!
//! | file | what it draws |
//! |---|---|
//! | `mod` | the page: head, summary, what was not seen |
//! | `overview` | the causes, and the list of findings with its filters |
//! | `finding` | one finding: both accesses, facts, suggestion |
//! | `litmus` | its litmus test, and what networks make of it |
//! | `timeline` | the ranks as lanes, with the missing order |
//! | `unneeded` | synchronisation that was not needed |
//! | `layout`, `labels` | where everything stands in that picture |

mod finding;
mod grid;
mod labels;
mod layout;
mod litmus;
mod overview;
mod timeline;
mod unneeded;

use crate::findings::phrases::capitalised;
use crate::findings::{Repairs, Sources, any_ranks, no_repairs, phrases};
use crate::kit::page::Page;
use crate::kit::visible::shortened;
use farside_findings::{Coverage, Finding, Predictions, Report, Severity};
use maud::{Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("filter.js");
/// SHA-256 of `filter.js`, in base 64; a test compares.
const SCRIPT_HASH: &str = "U93jFWxgiHZp+xf+rksXxIEFDUddFTQ6a8x1iozmIMs=";

/// The report as a page.
pub fn render(report: &Report, sources: Sources<'_>) -> String {
    render_with_repairs(report, sources, &no_repairs)
}

/// The same with repairs, which stand at their findings.
pub fn render_with_repairs(report: &Report, sources: Sources<'_>, repairs: Repairs<'_>) -> String {
    let body = html! {
        (header(report))
        main {
            (shortfalls(report))
            @if let Some(coverage) = &report.coverage { (by_file(coverage)) }
            @if let Some(coverage) = phrases::gaps(report) { (not_reached(coverage)) }
            @if let Some(predictions) = &report.predictions { (predicted(predictions)) }
            @if let Some(runs) = &report.runs { section.card { h2 { "Other orders" } p { (capitalised(&runs.to_string())) "." } } }
            @if !report.findings.is_empty() { (overview::causes(report)) (overview::list(report)) }
            (findings(report, sources, repairs))
            @if let Some(found) = &report.superfluous { (unneeded::section(found)) }
            @if let Some(found) = &report.any_ranks {
                section.overview {
                    h2 { (any_ranks::TITLE) }
                    p { (phrases::capitalised(&any_ranks::sentence(found))) "." }
                }
            }
        }
        (footer(report))
        @if report.findings.len() > 1 { script { (PreEscaped(SCRIPT)) } }
    };
    Page {
        title: &format!("farside: {}", phrases::findings_by_severity(report)),
        styles: &[STYLE],
        script_hash: Some(SCRIPT_HASH),
        body,
    }
    .render()
}

fn header(report: &Report) -> Markup {
    let program = &report.program;
    let verdict = match (report.findings.first(), program.processes) {
        (None, 0) => "nothing",
        (None, _) if phrases::gaps(report).is_some() => "nothing",
        (None, _) => "clean",
        (Some(first), _) => first.severity.word(),
    };
    let headline = match (report.findings.is_empty(), program.processes) {
        (true, 0) => "Nothing was checked".to_owned(),
        (true, _) => match phrases::gaps(report) {
            Some(coverage) => format!("No findings, but {}", coverage.summary()),
            None => "No findings".to_owned(),
        },
        (false, _) => {
            let findings = phrases::findings_by_severity(report);
            phrases::causes(report)
                .map_or_else(|| findings.clone(), |causes| format!("{causes} of {findings}"))
        }
    };
    let met = report
        .findings
        .iter()
        .fold(0_u64, |sum, finding| sum.saturating_add(finding.count));
    html! {
        header class={ "top " (verdict) } {
            div.wide {
                p.tool { (shown(&report.tool)) }
                h1 { (headline) }
                @if !program.command.is_empty() { p.command { code { (phrases::command(program)) } } }
                dl.tiles {
                    (tile("Processes", &program.processes.to_string()))
                    @if !program.library.is_empty() { (tile("MPI library", &shown(&program.library))) }
                    @if let Some(hosts) = phrases::hosts(program) { (tile("Hosts", &hosts)) }
                    @let ended = phrases::ended(program);
                    @if !ended.is_empty() { (tile("Program ended with", &ended)) }
                    @if met > 0 { (tile("Findings met", &phrases::counted(met, "time", "times"))) }
                    (tile("Suppressed", &report.suppressed.to_string()))
                }
            }
        }
    }
}

fn tile(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

fn shortfalls(report: &Report) -> Markup {
    html! {
        @if !report.shortfalls.is_empty() {
            section.shortfalls {
                h2 { "Not seen" }
                ul {
                    @for shortfall in &report.shortfalls {
                        li {
                            (shortened(&shortfall.message, phrases::SENTENCE_LIMIT))
                            " " span.faint { (shortfall.id) ", " (phrases::ranks(&shortfall.ranks)) }
                        }
                    }
                }
            }
        }
        @if report.findings.is_empty() { section.clean-page { p { (capitalised(&phrases::summary(report))) "." } } }
    }
}

/// Of what ended simulations, so many are shown at once.
const ENDS_SHOWN: usize = 8;

/// The calls that no simulation reached, and what ended the simulations.
fn not_reached(coverage: &Coverage) -> Markup {
    html! {
        section.overview {
            h2 { "Calls that were not reached" }
            p { (capitalised(&coverage.summary())) "." }
            table {
                thead { tr { th { "Call" } th { "What kept the simulations from it" } } }
                tbody {
                    @for (reason, sites) in phrases::by_reason(coverage) {
                        tr {
                            td {
                                @for (number, site) in sites.iter().enumerate() {
                                    @if number > 0 { br; }
                                    (phrases::unreached_site(site))
                                }
                            }
                            td { (capitalised(&shortened(reason, phrases::SENTENCE_LIMIT))) "." }
                        }
                    }
                }
            }
            @if !coverage.ends.is_empty() {
                @let (first, rest) = coverage.ends.split_at(coverage.ends.len().min(ENDS_SHOWN));
                p { "Simulations ended with" }
                ul { @for end in first { li { (phrases::simulation_end(end)) } } }
                @if !rest.is_empty() {
                    details {
                        summary { (rest.len()) " more" }
                        ul { @for end in rest { li { (phrases::simulation_end(end)) } } }
                    }
                }
            }
        }
    }
}

/// A bar a file: one cell a call, in the order of the lines, marked by whether a simulation reached it.
fn by_file(coverage: &Coverage) -> Markup {
    let files = coverage.by_file();
    html! {
        @if !files.is_empty() {
            section.overview {
                h2 { "Calls by file" }
                p.faint { "A cell a call, in the order of the lines; the open ones were not reached." }
                table.files {
                    @for (file, sites) in &files {
                        @let reached = sites.iter().filter(|(_, _, reached)| *reached).count();
                        tr {
                            td { code { (shortened(file, phrases::NAME_LIMIT)) } }
                            td.number { (reached) " of " (sites.len()) }
                            td.bar {
                                div {
                                    @for (line, operation, reached) in sites {
                                        i.missed[!*reached] title=(format!(
                                            "line {line}: {}{}",
                                            shortened(operation, phrases::NAME_LIMIT),
                                            if *reached { "" } else { ", not reached" }
                                        )) {}
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What became of the findings of `farside lint`.
fn predicted(predictions: &Predictions) -> Markup {
    html! {
        section.overview {
            h2 { "Before the run: farside lint" }
            p { (capitalised(&phrases::predictions(predictions))) "." }
            @if !predictions.findings.is_empty() {
                table {
                    thead { tr { th { "Verdict" } th { "Rule" } th { "Accesses" } th { "" } } }
                    tbody {
                        @for prediction in &predictions.findings {
                            @let (verdict, more) = phrases::prediction(prediction);
                            tr {
                                td { strong { (verdict) } }
                                td { (prediction.rule.id()) }
                                td {
                                    @for (number, access) in prediction.accesses.iter().enumerate() {
                                        @if number > 0 { br; }
                                        (phrases::predicted(access))
                                    }
                                }
                                td { (capitalised(&more)) "." }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// All findings; of those with one cause, the first is shown and the others are folded.
fn findings(report: &Report, sources: Sources<'_>, repairs: Repairs<'_>) -> Markup {
    let mut number = 0;
    let mut article = |finding: &Finding| {
        number += 1;
        finding::article(number, finding, &report.program, (sources, repairs))
    };
    html! {
        @for (_, group) in report.by_cause() {
            @if let [first, others @ ..] = group {
                (article(first))
                @if !others.is_empty() {
                    details.others {
                        summary { (phrases::counted(others.len() as u64, "other finding", "other findings")) " of the same cause" }
                        @for finding in others { (article(finding)) }
                    }
                }
            }
        }
    }
}

fn footer(report: &Report) -> Markup {
    html! {
        @if !report.findings.is_empty() && !report.counts.is_empty() {
            footer { p.wide { "Checked: " (phrases::counts(report)) "." } }
        }
    }
}

/// `error` or `warning` as a label.
fn severity(severity: Severity) -> Markup {
    html! { span class={ "severity " (severity.word()) } { (severity.word()) } }
}

/// A name from the checked program, safe to look at; the template escapes it for HTML.
fn shown(name: &str) -> String {
    shortened(name, phrases::NAME_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_allows_the_script() {
        let hash = data_encoding::BASE64.encode(&Sha256::digest(SCRIPT));
        assert_eq!(hash, SCRIPT_HASH, "put the left value into SCRIPT_HASH");
        assert!(
            !SCRIPT.contains("</") && !STYLE.contains("</"),
            "would end the element"
        );
    }
}
