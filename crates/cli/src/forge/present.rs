//! The table, with the paper's columns beside its own.

use farside_corpus::Row;
use farside_forge::table;
use serde::Serialize;
use std::fmt::Write as _;

/// The table as text.
pub(super) fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, rows);
    text
}

fn write(text: &mut String, rows: &[Row]) -> std::fmt::Result {
    writeln!(
        text,
        "                             farside                       Dan et al. 2016, Table 6\n\
         rule   # proc  size    # tests   ms/test  # outputs       size  # tests  ms/test  # outputs"
    )?;
    for row in rows {
        let outputs = outputs(row).map_or_else(|| "-".to_owned(), |outputs| outputs.to_string());
        write!(
            text,
            "{:6} {:>6} {:>5} {:>10} {:>9.4} {outputs:>10}",
            row.wanted.rule,
            row.wanted.definition.processes,
            row.wanted.size,
            row.counts.tests,
            milliseconds(row),
        )?;
        match paper(row) {
            Some(paper) => writeln!(
                text,
                " {:>10} {:>8} {:>8} {:>10}",
                paper.size, paper.tests, paper.milliseconds, paper.outputs
            )?,
            None => writeln!(text)?,
        }
    }
    let tests: u64 = rows.iter().map(|row| row.counts.tests).sum();
    let all: Option<Vec<u64>> = rows.iter().map(outputs).collect();
    let outputs = all.map_or_else(|| "-".to_owned(), |all| all.iter().sum::<u64>().to_string());
    let seconds: f64 = rows.iter().map(|row| row.counts.elapsed.as_secs_f64()).sum();
    write!(text, "{:20} {tests:>9} {:>9} {outputs:>10}", "all", "")?;
    let printed: Vec<_> = rows.iter().filter_map(paper).collect();
    if printed.is_empty() {
        writeln!(text)?;
    } else {
        let tests: u32 = printed.iter().map(|row| row.tests).sum();
        let outputs: u32 = printed.iter().map(|row| row.outputs).sum();
        writeln!(text, "{tests:>20} {:>8} {outputs:>10}", "")?;
    }
    let unanswered: u64 = rows.iter().map(|row| row.counts.unanswered).sum();
    if unanswered > 0 {
        writeln!(
            text,
            "{unanswered} tests have no outputs here: the engine's budget was spent"
        )?;
    }
    writeln!(
        text,
        "{seconds:.2} s. The paper leaves open what is counted, and its tests are not published: the definition \
         differs\n(`farside forge --help`)."
    )
}

/// The paper's row, whatever size it has.
fn paper(row: &Row) -> Option<&'static table::Row> {
    table::row_of(row.wanted.rule, row.wanted.definition.processes)
}

/// Mean time to find a test, of all threads together.
fn milliseconds(row: &Row) -> f64 {
    row.counts.generating.as_secs_f64() * 1e3 / (row.counts.tests.max(1) as f64)
}

fn outputs(row: &Row) -> Option<u64> {
    row.explored.then_some(row.counts.outputs)
}

#[derive(Serialize)]
struct Shown {
    rule: &'static str,
    processes: u8,
    size: u8,
    tests: u64,
    milliseconds_per_test: f64,
    outputs: Option<u64>,
    unanswered: u64,
    seconds: f64,
    /// None where Table 6 has no such row.
    paper: Option<Paper>,
}

#[derive(Serialize)]
struct Paper {
    size: u8,
    tests: u32,
    milliseconds_per_test: u32,
    outputs: u32,
}

#[derive(Serialize)]
struct Table {
    schema_version: u32,
    tool: &'static str,
    rows: Vec<Shown>,
}

/// The table as JSON.
pub(super) fn json(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| Shown {
        rule: row.wanted.rule.name(),
        processes: row.wanted.definition.processes,
        size: row.wanted.size,
        tests: row.counts.tests,
        milliseconds_per_test: milliseconds(row),
        outputs: outputs(row),
        unanswered: row.counts.unanswered,
        seconds: row.counts.elapsed.as_secs_f64(),
        paper: paper(row).map(|paper| Paper {
            size: paper.size,
            tests: paper.tests,
            milliseconds_per_test: paper.milliseconds,
            outputs: paper.outputs,
        }),
    });
    let table = Table {
        schema_version: 1,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")),
        rows: rows.collect(),
    };
    serde_json::to_string_pretty(&table).unwrap_or_default() + "\n"
}
