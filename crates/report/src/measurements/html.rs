//! One page with all figures and tables: nothing is loaded, no script runs; light and dark as the browser says.

use crate::kit::page::{Page, top};
use crate::measurements::{chart, text};
use farside_measurements::Report;
use farside_measurements::paper::{self, Order};
use maud::{Markup, html};

const STYLE: &str = include_str!("style.css");

/// The page.
#[must_use]
pub fn render(report: &Report) -> String {
    let title = format!("What fences cost: {}", report.place);
    let body = html! {
        (top(&format!("farside {}", report.version), &title))
        main {
            p { code { (report.command.join(" ")) } }
            @if report.place.starts_with("sim") {
                p { "Times are virtual: what a model of a network says, not what was measured." }
            }
            @for study in report.studies() {
                article {
                    h2 { (study) }
                    @if let Some(order) = Order::of(study) { p { "Paper 002, " (order.source) "." } }
                    (chart::figure(report, study))
                    @for said in [text::idle(report, study), text::order(report, study)].into_iter().flatten() {
                        p { (said) }
                    }
                    (table(report, study))
                }
            }
            (list("What auto chose", &report.choices))
            (list("Left out", &report.left_out))
            details {
                summary { "The machine" }
                ul { @for fact in &report.machine { li { (fact.name) ": " (fact.value) } } }
            }
        }
    };
    Page {
        title: &format!("Fences: {}", report.place),
        styles: &[STYLE],
        script_hash: None,
        body,
    }
    .render()
}

fn list(title: &str, lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            details {
                summary { (title) ": " (lines.len()) }
                ul { @for line in lines { li { (line) } } }
            }
        }
    }
}

/// Medians, a line for each series and a column for each place; the spread is folded away.
fn table(report: &Report, study: &str) -> Markup {
    let mut places: Vec<u64> = report.of(study).map(|row| row.x).collect();
    places.sort_unstable();
    places.dedup();
    let (x, unit) = (text::x_title(study), text::y_title(study));
    let printed = |name: &str, place: u64| {
        paper::table_1(name, u32::try_from(place).ok()?).filter(|_| paper::is_of(&report.place))
    };
    html! {
        table {
            thead { tr { th { (x) ", median in " (unit) } @for place in &places { th scope="col" { (place) } } } }
            tbody {
                @for name in report.series(study) {
                    tr {
                        th scope="row" { (name) }
                        @for &place in &places {
                            td {
                                @if let Some(row) = report.row(study, name, place) {
                                    (format!("{:.2}", row.median)) @if row.idle { " (none)" }
                                }
                            }
                        }
                    }
                    @if places.iter().any(|&place| printed(name, place).is_some()) {
                        tr.paper {
                            th scope="row" { (name) ", paper" }
                            @for &place in &places {
                                td { @if let Some(time) = printed(name, place) { (format!("{time:.2}")) } }
                            }
                        }
                    }
                }
            }
        }
        details {
            summary { "Spread, and number of samples" }
            table {
                thead { tr { th { "series" } th { (x) } th { "median" } th { "5 %" } th { "95 %" } th { "samples" } } }
                tbody {
                    @for row in report.of(study) {
                        tr {
                            th scope="row" { (row.series) }
                            td { (row.x) }
                            td { (format!("{:.2}", row.median)) }
                            td { (format!("{:.2}", row.low)) }
                            td { (format!("{:.2}", row.high)) }
                            td { (row.samples.len()) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_measurements::Row;

    #[test]
    fn ranks_are_columns_and_what_the_paper_prints_stands_below_the_model() {
        let row = |ranks: u32, time| Row::new("collectives", "barrier", ranks, ranks.into(), vec![time]);
        let mut report = Report {
            place: "sim:infiniband_2009".to_owned(),
            rows: vec![row(2, 3.5), row(64, 44.0)],
            ..Report::default()
        };
        let page = render(&report);
        let head = r#"<th scope="col">2</th><th scope="col">64</th>"#;
        assert!(
            page.contains(head) && page.contains("<td>3.66</td><td>44.13</td>"),
            "{page}"
        );
        report.place = "shm".to_owned();
        assert!(!render(&report).contains("3.66"), "not beside another machine");
    }
}
