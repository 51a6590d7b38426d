//! The tables, for people and for Markdown.

use farside_measurements::Report;
use farside_measurements::{Row, paper};
use std::fmt::Write as _;

/// A table for each study; beside Table 1 of the paper what the paper prints, under figures whether their order is the
/// paper's.
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
    if let Some(verdict) = order(report, study) {
        let _ = writeln!(text, "\n{verdict}");
    }
}

fn cell(row: &Row) -> String {
    if row.high - row.low < 0.005 * row.median.abs().max(0.01) {
        return format!("{:.2}", row.median);
    }
    format!("{:.2} ({:.2} to {:.2})", row.median, row.low, row.high)
}

/// Whether the designs of the paper stand in the paper's order, at the greatest number of ranks that the paper has and
/// this run too; `None` if it does not say.
#[must_use]
pub fn order(report: &Report, study: &str) -> Option<String> {
    let (source, fences) = paper::order(study).filter(|_| paper::is_of(&report.place))?;
    let x = report.of(study).map(|row| row.x).filter(|&x| x <= 64).max()?;
    let times: Vec<(&str, f64)> = fences
        .iter()
        .filter_map(|fence| Some((*fence, report.row(study, fence, x)?.median)))
        .collect();
    if times.len() < 2 {
        return None;
    }
    let holds = times.windows(2).all(|pair| pair[0].1 < pair[1].1);
    let names: Vec<&str> = times.iter().map(|(name, _)| *name).collect();
    let mut ours = times.clone();
    ours.sort_by(|left, right| left.1.total_cmp(&right.1));
    let ours: Vec<&str> = ours.iter().map(|(name, _)| *name).collect();
    Some(if holds {
        format!(
            "Order as in the paper ({source}) at {x} ranks: {}.",
            names.join(" < ")
        )
    } else {
        format!(
            "NOT the order of the paper ({source}) at {x} ranks: there {}, here {}.",
            names.join(" < "),
            ours.join(" < ")
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
            verdict.starts_with("NOT") && verdict.contains("here fence-imm-opt < fence-def"),
            "{verdict}"
        );
    }
}
