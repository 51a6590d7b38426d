//! One page with all figures and tables: nothing is loaded, no script runs; light and dark as the browser says.

use crate::report::Report;
use crate::{chart, paper, text};
use maud::{DOCTYPE, PreEscaped, html};

const STYLE: &str = include_str!("style.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page.
#[must_use]
pub fn render(report: &Report) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Fences: " (report.place) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "What fences cost: " (report.place) }
                p { "farside " (report.version) ". " code { (report.command.join(" ")) } }
                p { @for fact in &report.machine { (fact.name) ": " (fact.value) ". " } }
                @if report.place.starts_with("sim") {
                    p { "Times are virtual: what a model of a network says, not what was measured." }
                }
                @for study in report.studies() {
                    h2 { (study) }
                    @if let Some((source, _)) = paper::order(study) { p { "Paper 002, " (source) "." } }
                    (chart::figure(report, study))
                    @if let Some(verdict) = text::order(report, study) { p { (verdict) } }
                    (table(report, study))
                }
                @if !report.left_out.is_empty() {
                    h2 { "Left out" }
                    ul { @for reason in &report.left_out { li { (reason) } } }
                }
            }
        }
    };
    page.into_string()
}

fn table(report: &Report, study: &str) -> maud::Markup {
    html! {
        table {
            tr { th { "series" } th { "ranks" } th { "x" } th { "median" } th { "5 %" } th { "95 %" } th { "samples" } th { "paper" } }
            @for row in report.of(study) {
                tr {
                    td { (row.series) }
                    td { (row.ranks) }
                    td { (row.x) }
                    td { (format!("{:.2}", row.median)) }
                    td { (format!("{:.2}", row.low)) }
                    td { (format!("{:.2}", row.high)) }
                    td { (row.samples.len()) }
                    td { @if let Some(time) = paper::table_1(&row.series, row.ranks) { (format!("{time:.2}")) } }
                }
            }
        }
    }
}
