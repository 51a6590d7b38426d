//! The tables, for people and for Markdown.

use farside_measurements::paper::{self, Order};
use farside_measurements::{Report, Row, Verdict};
use std::fmt::Write as _;

/// A table for each study; beside Table 1 of the paper what the paper prints, under figures whether their order is the
/// paper's, and which design had nothing to do.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for study in report.studies() {
        let _ = writeln!(text, "## {study}, {}\n", report.place);
        table(report, study, &mut text);
        text.push('\n');
    }
    list("What `auto` chose", &report.choices, &mut text);
    list("Left out", &report.left_out, &mut text);
    text
}

/// What stands across in a study: `bytes` or `ranks`.
#[must_use]
pub fn x_title(study: &str) -> &'static str {
    if study.contains("overlap") || study.starts_with("put") {
        "bytes"
    } else {
        "ranks"
    }
}

/// The unit of a study.
#[must_use]
pub fn y_title(study: &str) -> &'static str {
    if study.contains("overlap") {
        "hundredths"
    } else {
        "us"
    }
}

fn list(title: &str, lines: &[String], text: &mut String) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}:\n");
    for line in lines {
        let _ = writeln!(text, "- {line}");
    }
    text.push('\n');
}

fn table(report: &Report, study: &str, text: &mut String) {
    let series = report.series(study);
    let is_printed = |name: &str| paper::is_of(&report.place) && paper::table_1(name, 2).is_some();
    let head: Vec<String> = series
        .iter()
        .flat_map(|name| {
            let paper = is_printed(name).then(|| format!("{name}, paper"));
            std::iter::once((*name).to_owned()).chain(paper)
        })
        .collect();
    let (x, unit) = (x_title(study), y_title(study));
    let _ = writeln!(text, "| {x} ({unit}) | {} |", head.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(head.len()));
    let mut places: Vec<(u32, u64)> = report.of(study).map(|row| (row.ranks, row.x)).collect();
    places.sort_unstable();
    places.dedup();
    for (ranks, x) in places {
        let cells: Vec<String> = series
            .iter()
            .flat_map(|name| {
                let row = report
                    .of(study)
                    .find(|row| row.series == *name && row.x == x && row.ranks == ranks);
                let paper = is_printed(name).then(|| {
                    paper::table_1(name, ranks).map_or_else(|| "-".to_owned(), |time| format!("{time:.2}"))
                });
                std::iter::once(row.map_or_else(|| "-".to_owned(), cell)).chain(paper)
            })
            .collect();
        let _ = writeln!(text, "| {x} | {} |", cells.join(" | "));
    }
    for said in [idle(report, study), order(report, study)].into_iter().flatten() {
        let _ = writeln!(text, "\n{said}");
    }
}

fn cell(row: &Row) -> String {
    if row.idle {
        return format!("{:.2} (none)", row.median);
    }
    if row.high - row.low < 0.005 * row.median.abs().max(0.01) {
        return format!("{:.2}", row.median);
    }
    format!("{:.2} ({:.2} to {:.2})", row.median, row.low, row.high)
}

/// Whether the designs of the paper stand in the paper's order: a sentence for the numbers of ranks at which they do,
/// one for each at which they do not, one about spreads that overlap. Nothing if the paper does not say.
#[must_use]
pub fn order(report: &Report, study: &str) -> Option<String> {
    let order = Order::of(study)?;
    let verdicts = Verdict::of(report, study);
    let levels: Vec<String> = order.levels.iter().map(|level| level.join(", ")).collect();
    let mut sentences = Vec::new();
    let holds: Vec<String> = verdicts
        .iter()
        .filter(|one| one.holds())
        .map(|one| one.ranks.to_string())
        .collect();
    if !holds.is_empty() {
        sentences.push(format!(
            "Order as in the paper ({}) at {} ranks: {}.",
            order.source,
            holds.join(", "),
            levels.join(" < ")
        ));
    }
    for verdict in verdicts.iter().filter(|one| !one.holds()) {
        let reversed: Vec<String> = verdict
            .reversed
            .iter()
            .map(|(fast, slow)| format!("{slow} before {fast}"))
            .collect();
        sentences.push(format!(
            "NOT the order of the paper ({}) at {} ranks: {}.",
            order.source,
            verdict.ranks,
            reversed.join(", ")
        ));
    }
    let mut close: Vec<(&(String, String), Vec<String>)> = Vec::new();
    for verdict in &verdicts {
        for pair in &verdict.close {
            match close.iter_mut().find(|(one, _)| *one == pair) {
                Some((_, ranks)) => ranks.push(verdict.ranks.to_string()),
                None => close.push((pair, vec![verdict.ranks.to_string()])),
            }
        }
    }
    if !close.is_empty() {
        let of_pair = |((fast, slow), ranks): &(&(String, String), Vec<String>)| {
            format!("{fast} and {slow} at {}", ranks.join(", "))
        };
        let pairs: Vec<String> = close.iter().map(of_pair).collect();
        sentences.push(format!("Spreads overlap: {}.", pairs.join("; ")));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What is to be said of designs that had nothing to do in a study.
#[must_use]
pub fn idle(report: &Report, study: &str) -> Option<String> {
    let mut names: Vec<&str> = report
        .of(study)
        .filter(|row| row.idle)
        .map(|row| row.series.as_str())
        .collect();
    names.dedup();
    (!names.is_empty()).then(|| {
        format!(
            "(none): {} has no neighbour here. It sends nothing and waits for nobody, so its figure is none of a fence.",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_judged_by_the_figures() {
        let row = |series: &str, time| Row::new("fence, no put", series, 64, 64, vec![time]);
        let mut report = Report {
            place: "sim:infiniband_2009".to_owned(),
            rows: vec![
                row("fence-def", 1.0),
                row("fence-imm-opt", 2.0),
                row("fence-imm-ri", 3.0),
            ],
            ..Report::default()
        };
        let verdict = order(&report, "fence, no put").expect("the paper has an order");
        assert!(verdict.starts_with("Order as in the paper"), "{verdict}");
        report.rows[0].median = 2.5;
        let verdict = order(&report, "fence, no put").expect("the paper has an order");
        assert!(
            verdict.starts_with("NOT") && verdict.contains("64 ranks: fence-imm-opt before fence-def."),
            "{verdict}"
        );
    }

    #[test]
    fn a_design_that_had_nothing_to_do_is_marked() {
        let row = Row::new("fence, no put", "fence-neighbour", 64, 64, vec![0.25]).idle(true);
        let report = Report {
            rows: vec![row],
            ..Report::default()
        };
        let text = render(&report);
        assert!(
            text.contains("| 0.25 (none) |") && text.contains("fence-neighbour has no neighbour here"),
            "{text}"
        );
    }
}
