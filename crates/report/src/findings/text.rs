//! Reports for people in a terminal.
//!
//! Where findings have causes in common, the causes lead; of each cause, one finding is shown whole and others in a
//! line. The order in a finding is that of rustc and Miri: what is wrong, both places with their source lines and
//! stacks, the facts, help last, then where to read more. What was not seen follows the findings, and one summary line
//! ends the report. Calls that were not reached are counted in the first line.
//!
//! Promise: without colour the output contains no escape sequence, and with colour only our own: control and direction
//! characters from the checked program are shown as `\x1b`. Names beyond a length limit lose their middle.

use crate::findings::fold::Folded;
use crate::findings::marks::{around, underlined};
use crate::findings::phrases::Part;
use crate::findings::{Sources, any_ranks, litmus, phrases, suggestions, superfluous};
use crate::kit::color::Color;
use crate::kit::visible::{shortened, source_line, visible};
use anstyle::{AnsiColor, Style};
use farside_findings::{
    Cause, CheckedProgram, Coverage, Finding, Frame, OTHER_SPEEDS, Party, Place, Predictions, Report,
    Severity, Shortfall, ShortfallKind, Superfluous, processes_on_nodes,
};
use std::fmt::{self, Write};

/// The report as text, ending with a line end.
pub fn render(report: &Report, color: Color, sources: Sources<'_>) -> String {
    let mut out = String::new();
    let mut page = Page::new(&mut out, report, color, sources);
    // Writing to a string does not fail.
    let _ = page.report(report);
    out
}

/// The last line of a report: what was found in what, and how the program ended.
#[must_use]
pub fn summary(report: &Report) -> String {
    phrases::summary(report)
}

/// One finding of a report whole, with the rule that it breaks and what came of trying to repair it.
pub fn explain(report: &Report, finding: &Finding, color: Color, sources: Sources<'_>) -> String {
    let mut out = String::new();
    let mut page = Page {
        explains: true,
        ..Page::new(&mut out, report, color, sources)
    };
    // Writing to a string does not fail.
    let _ = page.finding(finding);
    let _ = page.rule(finding);
    out
}

/// The findings of one cause that are shown in a line each.
const FOLDED: usize = 20;

struct Palette {
    error: Style,
    warning: Style,
    gutter: Style,
    first: Style,
    second: Style,
    help: Style,
    strong: Style,
    faint: Style,
}

impl Palette {
    fn new(color: Color) -> Self {
        let shade = |color_of: AnsiColor| match color {
            Color::Always => color_of.on_default(),
            Color::Never => Style::new(),
        };
        let bold = |style: Style| {
            if color == Color::Always {
                style.bold()
            } else {
                style
            }
        };
        Palette {
            error: bold(shade(AnsiColor::BrightRed)),
            warning: bold(shade(AnsiColor::BrightYellow)),
            gutter: bold(shade(AnsiColor::BrightBlue)),
            first: bold(shade(AnsiColor::BrightRed)),
            second: bold(shade(AnsiColor::BrightMagenta)),
            help: bold(shade(AnsiColor::BrightGreen)),
            strong: bold(Style::new()),
            faint: if color == Color::Always {
                Style::new().dimmed()
            } else {
                Style::new()
            },
        }
    }

    fn severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
        }
    }
}

struct Page<'a> {
    out: &'a mut String,
    program: &'a CheckedProgram,
    palette: Palette,
    sources: Sources<'a>,
    /// What to do is told at the end, with its costs.
    explains: bool,
}

impl<'a> Page<'a> {
    fn new(out: &'a mut String, report: &'a Report, color: Color, sources: Sources<'a>) -> Self {
        Self {
            out,
            program: &report.program,
            palette: Palette::new(color),
            sources,
            explains: false,
        }
    }

    fn report(&mut self, report: &Report) -> fmt::Result {
        let Palette { warning, strong, .. } = self.palette;
        let gaps = phrases::gaps(report);
        if let Some(coverage) = gaps {
            writeln!(
                self.out,
                "{warning}not seen{warning:#}: {} [{}]\n",
                coverage.summary(),
                ShortfallKind::SitesNotReached
            )?;
        }
        self.causes(report)?;
        for (cause, findings) in report.by_cause() {
            match (cause, findings) {
                (Some(cause), [first, others @ ..]) if !others.is_empty() => {
                    self.finding(first)?;
                    self.others(cause, others)?;
                }
                _ => findings.iter().try_for_each(|finding| self.finding(finding))?,
            }
            writeln!(self.out)?;
        }
        if let Some(coverage) = gaps {
            self.coverage(coverage)?;
        }
        let other = |shortfall: &&Shortfall| gaps.is_none() || shortfall.id != ShortfallKind::SitesNotReached;
        for shortfall in report.shortfalls.iter().filter(other) {
            let message = shortened(&shortfall.message, phrases::SENTENCE_LIMIT);
            let id = shortfall.id;
            let ranks = phrases::ranks(&shortfall.ranks);
            writeln!(
                self.out,
                "{warning}not seen{warning:#}: {message} [{id}, {ranks}]"
            )?;
        }
        if report.shortfalls.iter().any(|shortfall| other(&shortfall)) {
            writeln!(self.out)?;
        }
        if let Some(predictions) = &report.predictions {
            self.predictions(predictions)?;
        }
        if let Some(found) = &report.superfluous {
            self.superfluous(found)?;
        }
        if let Some(runs) = &report.runs {
            writeln!(self.out, "other orders: {runs}")?;
        }
        if let Some(found) = &report.any_ranks {
            let (title, sentence) = (any_ranks::TITLE, any_ranks::sentence(found));
            writeln!(self.out, "{strong}{title}{strong:#}: {}", visible(&sentence))?;
        }
        if let Some(hosts) = phrases::hosts(&report.program) {
            writeln!(self.out, "hosts: {hosts}")?;
        }
        if !report.findings.is_empty() && !report.counts.is_empty() {
            writeln!(self.out, "checked: {}", phrases::counts(report))?;
        }
        writeln!(
            self.out,
            "{strong}farside{strong:#}: {}",
            phrases::summary(report)
        )
    }

    /// What explains the findings, if there are fewer causes than findings.
    fn causes(&mut self, report: &Report) -> fmt::Result {
        let Some(causes) = phrases::causes(report) else {
            return Ok(());
        };
        let Palette {
            error, help, faint, ..
        } = self.palette;
        let all = phrases::counted(report.findings.len() as u64, "finding", "findings");
        writeln!(self.out, "{error}{causes} of {all}{error:#}")?;
        for (number, (cause, findings)) in (1..).zip(report.by_cause()) {
            let Some(cause) = cause else { continue };
            let what = match phrases::cause(cause) {
                parts if parts.is_empty() => phrases::in_a_line(&findings[0]),
                parts => marked(parts),
            };
            let explained = phrases::counted(cause.findings, "finding", "findings");
            let id = shortened(&cause.id, phrases::NAME_LIMIT);
            writeln!(
                self.out,
                "  {number}. {what} explains {explained} {faint}[{id}]{faint:#}"
            )?;
            if let (Some(suggestion), true) = (&cause.suggestion, cause.findings > 1) {
                let change = marked(suggestions::suggestion(suggestion));
                writeln!(self.out, "     {help}help{help:#}: {change}")?;
            }
        }
        writeln!(self.out)
    }

    /// The findings with the same cause as the one that was shown, a line each.
    fn others(&mut self, cause: &Cause, others: &[Finding]) -> fmt::Result {
        let Palette { strong, faint, .. } = self.palette;
        let number = phrases::counted(others.len() as u64, "other finding", "other findings");
        let id = shortened(&cause.id, phrases::NAME_LIMIT);
        writeln!(self.out, "\n{strong}of the same cause{strong:#} [{id}]: {number}")?;
        for finding in others.iter().take(FOLDED) {
            let times = phrases::counted(finding.count, "time", "times");
            let id = shortened(&finding.id, phrases::NAME_LIMIT);
            let line = phrases::in_a_line(finding);
            writeln!(self.out, "  {line} {faint}[{id}, {times}]{faint:#}")?;
        }
        match others.len().saturating_sub(FOLDED) {
            0 => Ok(()),
            more => writeln!(self.out, "  and {more} more, which --html and --format json show"),
        }
    }

    /// The calls that were not reached, and what ended the simulations.
    fn coverage(&mut self, coverage: &Coverage) -> fmt::Result {
        let Palette { warning, strong, .. } = self.palette;
        for (reason, sites) in phrases::by_reason(coverage) {
            let reason = shortened(reason, phrases::SENTENCE_LIMIT);
            writeln!(self.out, "{warning}not reached{warning:#}: {reason}")?;
            for site in sites {
                writeln!(self.out, "    {}", phrases::unreached_site(site))?;
            }
        }
        if !coverage.ends.is_empty() {
            writeln!(self.out, "{strong}simulations ended{strong:#} with")?;
        }
        for end in &coverage.ends {
            writeln!(self.out, "    {}", phrases::simulation_end(end))?;
        }
        writeln!(self.out)
    }

    fn predictions(&mut self, predictions: &Predictions) -> fmt::Result {
        let Palette { strong, faint, .. } = self.palette;
        writeln!(
            self.out,
            "{strong}lint{strong:#}: {}",
            phrases::predictions(predictions)
        )?;
        for prediction in &predictions.findings {
            let (verdict, more) = phrases::prediction(prediction);
            let accesses: Vec<String> = prediction.accesses.iter().map(phrases::predicted).collect();
            let (rule, id) = (
                prediction.rule.id(),
                shortened(&prediction.id, phrases::NAME_LIMIT),
            );
            writeln!(
                self.out,
                "  {strong}{verdict:<12}{strong:#} {rule}: {} {faint}[{id}; {more}]{faint:#}",
                accesses.join(", ")
            )?;
        }
        writeln!(self.out)
    }

    /// Synchronisation that was not needed.
    fn superfluous(&mut self, found: &Superfluous) -> fmt::Result {
        let Palette {
            strong, help, faint, ..
        } = self.palette;
        let title = superfluous::title(found);
        writeln!(
            self.out,
            "{strong}{title}{strong:#}: {}",
            superfluous::summary(found)
        )?;
        for call in &found.calls {
            let [time, share, calls, what, change, holds] = superfluous::row(call, found);
            if found.nanoseconds > 0 {
                write!(self.out, "  {time:>8}  {share:>6}")?;
            }
            writeln!(
                self.out,
                "  {strong}{what}{strong:#}, {calls}: {help}{change}{help:#}"
            )?;
            writeln!(self.out, "      {faint}{holds}{faint:#}")?;
        }
        if !found.instead.is_empty() {
            writeln!(self.out, "  each of these can go only if one of those stays:")?;
            for call in &found.instead {
                let [_, _, calls, what, change, _] = superfluous::row(call, found);
                writeln!(
                    self.out,
                    "    {strong}{what}{strong:#}, {calls}: {help}{change}{help:#}"
                )?;
            }
        }
        for call in &found.narrower {
            writeln!(self.out, "  {}", superfluous::narrower(call, found))?;
        }
        for sentence in superfluous::unseen(found).filter(|_| !found.calls.is_empty()) {
            writeln!(self.out, "  {faint}{sentence}{faint:#}")?;
        }
        writeln!(self.out)
    }

    fn finding(&mut self, finding: &Finding) -> fmt::Result {
        let folded = Folded::of(finding);
        let finding = folded.finding();
        let (paint, strong) = (self.palette.severity(finding.severity), self.palette.strong);
        let (word, rule) = (finding.severity.word(), finding.rule);
        writeln!(
            self.out,
            "{paint}{word}[{}]{paint:#}{strong}: {}{strong:#}",
            rule.id(),
            rule.title()
        )?;
        let message = phrases::message(finding);
        if !message.is_empty() {
            writeln!(self.out, "  {}", shortened(&message, phrases::SENTENCE_LIMIT))?;
        }
        // All line numbers of a finding share one gutter.
        let lines = finding
            .parties
            .iter()
            .filter_map(Party::place)
            .map(|place| place.line);
        let gutter = lines.max().unwrap_or(0).to_string().len().max(2);
        for (index, party) in finding.parties.iter().enumerate() {
            self.party(index, party, gutter)?;
        }
        for (index, other) in folded.others().iter().enumerate() {
            let words = if index == 0 {
                "\nthe other parties: "
            } else {
                "                   "
            };
            writeln!(self.out, "{words}{other}")?;
        }
        self.facts(finding, gutter)
    }

    fn party(&mut self, index: usize, party: &Party, gutter: usize) -> fmt::Result {
        let paint = if index == 0 {
            self.palette.first
        } else {
            self.palette.second
        };
        let blue = self.palette.gutter;
        writeln!(self.out)?;
        writeln!(
            self.out,
            "{paint}({}) {}{paint:#}",
            index + 1,
            phrases::access(party)
        )?;
        let arrow = format!("{:gutter$}{blue}-->{blue:#}", "");
        let shown = party.shown().unwrap_or(0);
        let Some(place) = party.stack.get(shown) else {
            return writeln!(self.out, "{arrow} place not known");
        };
        writeln!(self.out, "{arrow} {}", frame(place))?;
        if let Some(place) = party.place() {
            self.snippet(place, party, paint, gutter)?;
        }
        let faint = self.palette.faint;
        let inside = party.stack[..shown].iter().rev().map(|inner| ("in", inner));
        let callers = party.stack[shown + 1..]
            .iter()
            .map(|caller| ("called from", caller));
        for (words, other) in inside.chain(callers) {
            writeln!(
                self.out,
                "{:gutter$}   {faint}{words} {}{faint:#}",
                "",
                frame(other)
            )?;
        }
        Ok(())
    }

    /// The source line, with the operation (or the column, or the whole line) underlined.
    fn snippet(&mut self, place: &Place, party: &Party, paint: Style, gutter: usize) -> fmt::Result {
        let Some(raw) = (self.sources)(place) else {
            return Ok(());
        };
        let whole = source_line(&raw);
        let blue = self.palette.gutter;
        let called = party.layer().unwrap_or(&party.operation);
        let marked = underlined(&whole, &visible(called), place.column);
        let (line, (start, length)) = around(&whole, marked, phrases::NAME_LIMIT);
        writeln!(self.out, "{:gutter$} {blue}|{blue:#}", "")?;
        writeln!(self.out, "{blue}{:>gutter$} |{blue:#} {line}", place.line)?;
        let (blank, marks) = (" ".repeat(start), "^".repeat(length));
        writeln!(
            self.out,
            "{:gutter$} {blue}|{blue:#} {blank}{paint}{marks}{paint:#}",
            ""
        )
    }

    /// The rule that a finding breaks, and what trying to repair it has told.
    fn rule(&mut self, finding: &Finding) -> fmt::Result {
        let Palette { strong, .. } = self.palette;
        let rule = finding.rule;
        writeln!(
            self.out,
            "\n{strong}rule{strong:#} {}: {}",
            rule.id(),
            rule.title()
        )?;
        let Some(suggestion) = &finding.suggestion else {
            return writeln!(
                self.out,
                "{strong}help{strong:#} none: no change of the code is known that repairs it"
            );
        };
        for (number, way) in (1..).zip([suggestion].into_iter().chain(suggestions::others(suggestion))) {
            let change = marked(suggestions::suggestion(way));
            writeln!(
                self.out,
                "{strong}help {number}{strong:#} {change}{}",
                suggestions::cost(way)
            )?;
        }
        Ok(())
    }

    fn facts(&mut self, finding: &Finding, gutter: usize) -> fmt::Result {
        let Palette {
            gutter: blue,
            strong,
            help,
            ..
        } = self.palette;
        writeln!(self.out)?;
        let mut fact = |paint: Style, name: &str, value: &str| {
            writeln!(
                self.out,
                "{:gutter$} {blue}={blue:#} {paint}{name}{paint:#}: {value}",
                ""
            )
        };
        if let Some(window) = finding.window_shown() {
            fact(strong, "window", &shortened(&window, phrases::NAME_LIMIT))?;
        }
        if let Some(range) = &finding.bytes {
            fact(strong, "bytes", &phrases::bytes(range))?;
        }
        if let Some(missing) = &finding.missing {
            fact(strong, "why", &phrases::why(missing))?;
        }
        if let Some(replay) = &finding.replay {
            let replay = format!("--replay {replay}");
            fact(strong, "found with", &shortened(&replay, phrases::NAME_LIMIT))?;
        }
        if let Some(arguments) = &finding.arguments {
            fact(strong, "found with", &shortened(arguments, phrases::NAME_LIMIT))?;
        }
        if finding.other_order {
            fact(strong, "found with", OTHER_SPEEDS)?;
        }
        if let Some(per_node) = finding.per_node {
            fact(strong, "found with", &processes_on_nodes(per_node))?;
        }
        let count = phrases::met(finding, self.program);
        let id = shortened(&finding.id, phrases::NAME_LIMIT);
        fact(strong, "met", &format!("{count}; id {id}"))?;
        if let Some(suggestion) = finding.suggestion.as_ref().filter(|_| !self.explains) {
            fact(help, "help", &marked(suggestions::suggestion(suggestion)))?;
            for other in suggestions::others(suggestion) {
                fact(help, "or", &marked(suggestions::suggestion(other)))?;
            }
        }
        if let Some(test) = &finding.litmus {
            let words = match (&test.missing, &test.file) {
                (Some(missing), _) => format!("none: {missing}"),
                (None, Some(file)) => format!(
                    "{}: {}",
                    shortened(file, phrases::NAME_LIMIT),
                    litmus::in_short(test)
                ),
                (None, None) => litmus::in_short(test),
            };
            fact(strong, "test", &words)?;
            if let Some(run) = &test.run {
                fact(strong, "run", &litmus::run(run))?;
            }
        }
        fact(strong, "read", &finding.source())
    }
}

/// A sentence with marks around its code.
fn marked(parts: Vec<Part>) -> String {
    let parts = parts.into_iter().map(|part| match part {
        Part::Words(words) => words,
        Part::Code(code) => format!("`{code}`"),
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// `exchange at src/halo.c:54`, or only the place if the function is not known.
fn frame(frame: &Frame) -> String {
    match frame.function {
        Some(_) => format!(
            "{} in {}",
            phrases::frame_place(frame),
            phrases::frame_function(frame)
        ),
        None => phrases::frame_place(frame),
    }
}
