//! What happened on a target, for people.

use farside_conformance::{Fitted, LeftOut, Report, Row, What};
use std::fmt::Write as _;

/// Names of tests that are printed of one reason.
const EXAMPLES: usize = 3;

/// The table, and every test that is not clean.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, report);
    text
}

fn write(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        text,
        "{}{}, {} runs a test, seed {}, model {}\n\n\
         rule          # tests  # errors  Obs (%)  undefined  not emitted  not run  failed   named",
        report.target,
        if report.accumulate { " (accumulates)" } else { "" },
        report.runs,
        report.seed,
        report.model
    )?;
    let mut all = Row {
        name: "all".to_owned(),
        ..Row::default()
    };
    for row in &report.rows {
        line(text, row)?;
        all.tests += row.tests;
        all.errors += row.errors;
        all.allowed += row.allowed;
        all.seen += row.seen;
        all.open += row.open;
        all.undefined += row.undefined;
        all.not_emitted += row.not_emitted;
        all.not_run += row.not_run;
        all.failed += row.failed;
    }
    if report.rows.len() > 1 {
        line(text, &all)?;
    }
    for left_out in &report.left_out {
        explain(text, report, left_out)?;
    }
    for error in &report.errors {
        writeln!(text, "\n{} shows what {} forbids:", error.test, report.model)?;
        for outcome in &error.outcomes {
            writeln!(text, "  {} times {}", outcome.times, outcome.outcome)?;
            for line in outcome.explanation.lines() {
                writeln!(text, "    {line}")?;
            }
            writeln!(text, "  why: {}", outcome.why)?;
        }
        writeln!(text, "  again: {}", error.again)?;
    }
    for failed in &report.failed {
        writeln!(text, "{} has no result: {}", failed.test, failed.how)?;
    }
    match &report.fit {
        Some(fitted) => fit(text, fitted),
        None => Ok(()),
    }
}

/// Where nothing ran, nothing is said of errors.
fn line(text: &mut String, row: &Row) -> std::fmt::Result {
    let errors = match row.tests {
        0 => "-".to_owned(),
        _ => row.errors.to_string(),
    };
    let share = match row.allowed {
        0 => "-".to_owned(),
        allowed => format!("{:.1}", row.seen as f64 * 100.0 / allowed as f64),
    };
    writeln!(
        text,
        "{:12} {:>8} {errors:>9} {share:>8} {:>10} {:>12} {:>8} {:>7} {:>7}",
        row.name,
        row.tests,
        row.undefined,
        row.not_emitted,
        row.not_run,
        row.failed,
        row.named()
    )
}

/// Why tests are missing from the columns of what was compared.
fn explain(text: &mut String, report: &Report, left_out: &LeftOut) -> std::fmt::Result {
    let number = left_out.tests.len();
    let what = match left_out.what {
        What::NotEmitted => format!("not emitted, for {} cannot express it", report.target),
        What::NotRun => "not run".to_owned(),
        What::Undefined => format!("undefined under {}, and not compared", report.model),
        What::Open => "compared, but not counted in Obs".to_owned(),
    };
    let examples: Vec<&str> = left_out.tests.iter().take(EXAMPLES).map(String::as_str).collect();
    let more = match number > examples.len() {
        true => ", ...",
        false => "",
    };
    write!(
        text,
        "\n{number} {what}: {} ({}{more})",
        left_out.why,
        examples.join(", ")
    )?;
    writeln!(text)
}

fn fit(text: &mut String, fitted: &Fitted) -> std::fmt::Result {
    writeln!(text)?;
    for seen in &fitted.unexplained {
        writeln!(
            text,
            "No model of the family allows {} of {}.",
            seen.outcome, seen.test
        )?;
    }
    for (place, model) in fitted.strongest.iter().enumerate() {
        let words = [
            "The strongest model that allows what was seen",
            "Another one, which gives up as much",
        ];
        writeln!(text, "{} ({} tests)", words[place.min(1)], fitted.tests)?;
        for lacking in &model.lacks {
            writeln!(
                text,
                "  lacks {}: {} shows {}, which {} forbid",
                lacking.guarantee,
                lacking.seen.test,
                lacking.seen.outcome,
                lacking.together.join(", ")
            )?;
        }
        for added in &model.adds {
            writeln!(text, "  has, beyond coreRMA, {added}")?;
        }
        if place == 0 {
            let told = model.guarantees.iter().filter(|kept| kept.telling_tests > 0);
            let told = told.map(|kept| format!("{} ({})", kept.guarantee, kept.telling_tests));
            writeln!(
                text,
                "  keeps, by so many tests that could have shown otherwise: {}",
                told.collect::<Vec<_>>().join(", ")
            )?;
            let untold = model.guarantees.iter().filter(|kept| kept.telling_tests == 0);
            let untold: Vec<&str> = untold.map(|kept| kept.guarantee.as_str()).collect();
            if !untold.is_empty() {
                writeln!(text, "  these tests say nothing of: {}", untold.join(", "))?;
            }
        }
    }
    if fitted.costlier > 0 {
        writeln!(
            text,
            "{} other choices of what to give up fit the same conflicts, and give up more; they were not tried",
            fitted.costlier
        )?;
    }
    if fitted.unanswered > 0 {
        writeln!(
            text,
            "{} questions took too many steps and were left open",
            fitted.unanswered
        )?;
    }
    Ok(())
}
