//! The report in the chosen form, the summary of a set, and the exit status.

use super::arguments::LitmusFormat;
use super::judge::{Judged, Trouble};
use super::settings::Settings;
use crate::fault::Fault;
use crate::output::{self, Destination};
use crate::status::Status;
use farside_report::Color;
use farside_report::verdicts::{console, dot, html, json, matrix, svg};
use farside_verdicts::{Conclusion, Report, SCHEMA_VERSION, Test};
use std::collections::BTreeMap;
use std::io::Write;

/// Says on stderr why a test could not be judged.
pub(super) fn complain(trouble: &Trouble) {
    match trouble {
        Trouble::Fault(fault) => output::complain(fault),
        Trouble::Mistakes(shown) => say(shown),
    }
}

/// Shows all tests; says what the result means.
pub(super) fn present(judged: Vec<Judged>, settings: &Settings) -> Result<Status, Fault> {
    remark(&judged, settings);
    let report = Report {
        schema_version: SCHEMA_VERSION,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")).to_owned(),
        tests: judged.into_iter().map(|judged| judged.test).collect(),
    };
    if report.tests.is_empty() {
        return Ok(Status::Usage);
    }
    let body = match settings.format {
        LitmusFormat::Herd => console::render(
            &report.tests,
            !settings.models.is_single(),
            color(settings.coloured),
        ),
        LitmusFormat::Json => json::render(&report),
        LitmusFormat::Svg => svg::render(&report),
        LitmusFormat::Dot => dot::render(&report),
        LitmusFormat::Html => html::render(&report),
    };
    settings.output.write(&body)?;
    if report.tests.len() > 1 {
        summarise(&report.tests, settings)?;
    }
    Ok(match report.conclusion() {
        Conclusion::Clean => Status::Clean,
        Conclusion::Violated => Status::Findings,
        Conclusion::Inconclusive => Status::Inconclusive,
    })
}

/// After a set: a table and a line that counts. It never mixes with a log.
fn summarise(tests: &[Test], settings: &Settings) -> Result<(), Fault> {
    let several = !settings.models.is_single();
    let to_stdout = matches!(settings.output, Destination::File(_));
    let coloured = if to_stdout {
        false
    } else {
        settings.coloured_complaints
    };
    let table = if several && settings.format == LitmusFormat::Herd {
        String::new()
    } else {
        matrix::render(tests, color(coloured))
    };
    let told = format!("{table}{} tests: {}\n", tests.len(), matrix::counts(tests));
    if to_stdout {
        output::print(&told)?;
    } else if settings.remarks {
        say(&told);
    }
    Ok(())
}

/// Says what the user may not expect: which model was taken, and names that a log cannot tell apart.
fn remark(judged: &[Judged], settings: &Settings) {
    if !settings.remarks {
        return;
    }
    if let [one] = judged {
        if !one.remark.is_empty() {
            say(&format!("farside: {}\n", one.remark));
        }
        return;
    }
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for one in judged {
        *names.entry(one.test.name.as_str()).or_default() += 1;
    }
    for (name, count) in names.into_iter().filter(|(_, count)| *count > 1) {
        say(&format!(
            "farside: {count} tests are named {name}: a log cannot tell them apart\n"
        ));
    }
    let mut models: BTreeMap<&str, usize> = BTreeMap::new();
    for one in judged.iter().filter(|one| !one.remark.is_empty()) {
        for judgement in &one.test.judgements {
            *models.entry(judgement.model.as_str()).or_default() += 1;
        }
    }
    for (model, count) in models {
        say(&format!(
            "farside: model {model} for {count} tests (no --model given)\n"
        ));
    }
}

fn color(coloured: bool) -> Color {
    if coloured { Color::Always } else { Color::Never }
}

/// To stderr; nothing can be done about one that is gone.
pub(super) fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
