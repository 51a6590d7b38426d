//! For people.

use crate::kit::color::{BAD, Color, FAINT, GOOD, UNSURE};
use crate::robustness::sentence::sentence;
use crate::robustness::words;
use anstyle::Style;
use farside_robustness::{
    EveryRanks, Judgement, OF_FILE, Repair, Report, Source, Superfluous, Verdict, Violation,
};
use std::fmt::Write as _;

/// Of longer computations only the events on the cycle are listed.
const LONGEST: usize = 12;

/// All programs, and a line that counts them if there are several.
#[must_use]
pub fn render(report: &Report, color: Color) -> String {
    let mut text = String::new();
    for judgement in &report.programs {
        // Writing to a string cannot fail.
        let _ = one(&mut text, judgement, color);
    }
    if report.programs.len() > 1 {
        let _ = writeln!(text, "{}", summary(report));
    }
    text
}

/// A line: the verdict on the program, or how many programs have which.
#[must_use]
pub fn summary(report: &Report) -> String {
    if let [only] = &*report.programs {
        return format!("{}: {}", heading(only), only.verdict.words());
    }
    let count = |verdict| {
        let programs = report.programs.iter();
        programs.filter(|judgement| judgement.verdict == verdict).count()
    };
    format!(
        "{} programs: {} robust, {} not robust, {} inconclusive",
        report.programs.len(),
        count(Verdict::Robust),
        count(Verdict::NotRobust),
        count(Verdict::Inconclusive)
    )
}

fn one(text: &mut String, judgement: &Judgement, color: Color) -> std::fmt::Result {
    writeln!(
        text,
        "{}: {}",
        heading(judgement),
        color.paint(style(judgement.verdict), judgement.verdict.words())
    )?;
    if let Some(reason) = &judgement.reason {
        writeln!(text, "  {reason}")?;
    }
    if let Some(violation) = &judgement.violation {
        writeln!(text, "  {}", sentence(violation))?;
        cycle(text, judgement, violation, color)?;
        computation(text, judgement, violation, color)?;
    }
    if let Some(every) = &judgement.every {
        for_every(text, judgement, every, color)?;
    }
    for failure in &judgement.failures {
        let place = place(judgement, &failure.source);
        writeln!(
            text,
            "  {} {}  {place}",
            color.paint(UNSURE, "note:"),
            failure.what
        )?;
    }
    if let Some(repaired) = &judgement.repair {
        repair(text, judgement, repaired, color)?;
    }
    if let Some(found) = &judgement.superfluous {
        superfluous(text, judgement, found, color)?;
    }
    Ok(())
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Robust => GOOD,
        Verdict::NotRobust => BAD,
        Verdict::Inconclusive => UNSURE,
    }
}

fn for_every(text: &mut String, judgement: &Judgement, every: &EveryRanks, color: Color) -> std::fmt::Result {
    let words = color.paint(style(every.verdict), words::for_every(every));
    let gap = if judgement.violation.is_some() { "\n" } else { "" };
    writeln!(text, "{gap}  for every number of ranks: {words}")?;
    for (line, source) in words::reasons(every) {
        let at = source.map_or_else(String::new, |source| format!("  {}", place(judgement, &source)));
        writeln!(text, "    {line}{}", color.paint(FAINT, &at))?;
    }
    Ok(())
}

/// For how many ranks the program was decided.
fn ranks(judgement: &Judgement) -> String {
    match judgement.ranks {
        1 => "1 rank".to_owned(),
        ranks => format!("{ranks} ranks"),
    }
}

/// `figure-1.pgas: figure-1-no, 2 ranks, values 0 to 1`
pub(crate) fn heading(judgement: &Judgement) -> String {
    let ranks = ranks(judgement);
    let values = match judgement.domain {
        1 => "value 0".to_owned(),
        domain => format!("values 0 to {}", domain - 1),
    };
    let awaited = match judgement.awaited.len() {
        0 => String::new(),
        1 => ", 1 poll awaited".to_owned(),
        polls => format!(", {polls} polls awaited"),
    };
    let further = match judgement.further.as_slice() {
        [] => String::new(),
        further => format!(" with {}", further.join(", ")),
    };
    format!(
        "{}{further}: {}, {ranks}, {values}{awaited}",
        judgement.file, judgement.name
    )
}

fn computation(
    text: &mut String,
    judgement: &Judgement,
    violation: &Violation,
    color: Color,
) -> std::fmt::Result {
    writeln!(
        text,
        "\n  a computation with a happens-before cycle, {}",
        words::length(violation)
    )?;
    writeln!(text, "    {}", words::notation(violation))?;
    let on_cycle = |index| violation.cycle.iter().any(|edge| edge.from == index);
    let shown = |index| violation.events.len() <= LONGEST || on_cycle(index);
    let width = (0..violation.events.len())
        .filter(|&index| shown(index))
        .map(|index| words::event(&violation.events[index]).chars().count())
        .max()
        .unwrap_or(0);
    let mut told = Vec::new();
    let mut folded = 0;
    for (index, event) in violation.events.iter().enumerate() {
        if !shown(index) {
            folded += 1;
            continue;
        }
        fold(text, &mut folded, color)?;
        let words = words::event(event);
        let marked = on_cycle(index);
        let sign = if marked { "*" } else { " " };
        // A command says where it stands once.
        let first = !told.contains(&event.command);
        told.push(event.command);
        let place = if first {
            format!("{}  {}", place(judgement, &event.source), event.source.text)
        } else {
            String::new()
        };
        let padding = " ".repeat(width.saturating_sub(words.chars().count()));
        let words = if marked { color.paint(BAD, &words) } else { words };
        let line = format!(
            "  {sign} {:>3}  {words}{padding}  {}",
            index + 1,
            color.paint(FAINT, &place)
        );
        writeln!(text, "{}", line.trim_end())?;
    }
    fold(text, &mut folded, color)
}

/// A line for the events that are not shown.
fn fold(text: &mut String, folded: &mut usize, color: Color) -> std::fmt::Result {
    match std::mem::take(folded) {
        0 => Ok(()),
        1 => writeln!(
            text,
            "       {}",
            color.paint(FAINT, "1 event that is not on the cycle")
        ),
        events => {
            let words = format!("{events} events that are not on the cycle");
            writeln!(text, "       {}", color.paint(FAINT, &words))
        }
    }
}

fn cycle(text: &mut String, judgement: &Judgement, violation: &Violation, color: Color) -> std::fmt::Result {
    writeln!(text, "\n  the cycle")?;
    for edge in &violation.cycle {
        let Some(event) = violation.events.get(edge.from) else {
            continue;
        };
        let mut line = match event.source.line {
            0 => String::new(),
            line => format!("  {}:{line}", event.source.file_in(judgement)),
        };
        let read = words::reads_from(violation, edge.from);
        if !read.is_empty() {
            line += &format!("  {read}");
        }
        writeln!(
            text,
            "    {:>3}  {}{}",
            edge.from + 1,
            words::event(event),
            color.paint(FAINT, &line)
        )?;
        let sign = color.paint(BAD, &format!("--{}-->", edge.relation.sign()));
        writeln!(text, "           {sign} {}", words::edge(violation, edge))?;
    }
    if let Some(event) = violation
        .cycle
        .first()
        .and_then(|edge| violation.events.get(edge.from))
    {
        let back = violation.cycle[0].from + 1;
        writeln!(text, "    {back:>3}  {}", words::event(event))?;
    }
    Ok(())
}

fn repair(text: &mut String, judgement: &Judgement, repair: &Repair, color: Color) -> std::fmt::Result {
    if let Some(reason) = &repair.reason {
        return writeln!(text, "\n  {} {reason}", color.paint(UNSURE, "no repair:"));
    }
    writeln!(
        text,
        "\n  {} cost {}; with it the program is robust for {}",
        color.paint(GOOD, "repair:"),
        repair.cost,
        ranks(judgement)
    )?;
    let changes = repair.changes.iter().map(|change| ("", change));
    let needless = repair.needless.iter().map(|change| ("with it, ", change));
    for (lead, change) in changes.chain(needless) {
        writeln!(
            text,
            "    {lead}{}  {}",
            change.what,
            color.paint(FAINT, &place(judgement, &change.source))
        )?;
    }
    if let Some(reason) = &repair.unwritten {
        writeln!(text, "    {} {reason}", color.paint(UNSURE, "not in the source:"))?;
    }
    if let Some(program) = &repair.program {
        let mut number = 0;
        for line in program.lines() {
            // The lines of each of several files are counted from 1.
            number = if line.starts_with(OF_FILE) { 0 } else { number + 1 };
            if line.contains("// inserted: ") || line.contains("// changed: ") {
                writeln!(text, "    {} {number:>3}  {line}", color.paint(GOOD, "+"))?;
            }
        }
    }
    Ok(())
}

fn superfluous(
    text: &mut String,
    judgement: &Judgement,
    found: &Superfluous,
    color: Color,
) -> std::fmt::Result {
    if found.alone.is_empty() && judgement.verdict == Verdict::Robust {
        writeln!(text, "  no synchronisation is superfluous")?;
    }
    for change in &found.alone {
        writeln!(
            text,
            "  {} {}  {}",
            color.paint(GOOD, "superfluous:"),
            change.what,
            color.paint(FAINT, &place(judgement, &change.source))
        )?;
    }
    if found.alone.len() > 1 {
        let lines = found
            .together
            .iter()
            .filter_map(|&index| found.alone.get(index))
            .map(|change| match &change.source.file {
                Some(_) => change.source.line_in_words(),
                None => change.source.line.to_string(),
            });
        let lines = lines.collect::<Vec<_>>().join(", ");
        writeln!(
            text,
            "  together, those in lines {lines} can; no other one besides"
        )?;
    }
    if let Some(reason) = &found.reason {
        writeln!(text, "  {reason}")?;
    }
    Ok(())
}

/// `figure-1.pgas:10:1`
fn place(judgement: &Judgement, source: &Source) -> String {
    match source.line {
        0 => String::new(),
        line => format!("{}:{line}:{}", source.file_in(judgement), source.column),
    }
}
