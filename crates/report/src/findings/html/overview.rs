//! The causes, and the list of findings with the filters that the script brings to life.

use super::{severity, shown};
use crate::findings::fold::Folded;
use crate::findings::phrases;
use crate::findings::phrases::Part;
use crate::findings::suggestions;
use farside_findings::{Cause, Finding, Report};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// What explains the findings, if there are fewer causes than findings.
pub(super) fn causes(report: &Report) -> Markup {
    let Some(causes) = phrases::causes(report) else {
        return html! {};
    };
    let all = phrases::counted(report.findings.len() as u64, "finding", "findings");
    html! {
        section.overview {
            h2 { (phrases::capitalised(&causes)) " of " (all) }
            ol.causes {
                @for (number, (cause, findings)) in (1..).zip(report.by_cause()) {
                    @if let Some(cause) = cause { (told(number, cause, &findings[0])) }
                }
            }
        }
    }
}

fn told(number: usize, cause: &Cause, first: &Finding) -> Markup {
    let sentence = phrases::cause(cause);
    html! {
        li #{ "cause-" (number) } {
            @if sentence.is_empty() { (phrases::in_a_line(first)) } @else { (marked(sentence)) }
            " explains "
            strong { (phrases::counted(cause.findings, "finding", "findings")) }
            " " span.faint { (phrases::counted(cause.count, "time", "times")) " met, id " (shown(&cause.id)) }
            @if let (Some(suggestion), true) = (&cause.suggestion, cause.findings > 1) {
                p.help { strong { "Help" } " " (marked(suggestions::suggestion(suggestion))) }
            }
        }
    }
}

/// A sentence with its code as code.
pub(super) fn marked(parts: Vec<Part>) -> Markup {
    html! {
        @for (number, part) in parts.into_iter().enumerate() {
            @if number > 0 { " " }
            @match part {
                Part::Words(words) => { (words) }
                Part::Code(code) => { code { (code) } }
            }
        }
    }
}

/// The list of findings.
pub(super) fn list(report: &Report) -> Markup {
    let findings = &report.findings;
    let sorted = |values: &mut dyn Iterator<Item = String>| values.collect::<BTreeSet<_>>();
    let rules = sorted(&mut findings.iter().map(|finding| finding.rule.id().to_owned()));
    let windows = sorted(
        &mut findings
            .iter()
            .filter_map(Finding::window_shown)
            .map(|window| shown(&window)),
    );
    let files = sorted(&mut findings.iter().flat_map(files));
    let folded: Vec<Folded<'_>> = findings.iter().map(Folded::of).collect();
    let parties = folded.iter().flat_map(|folded| &folded.finding().parties);
    let ranks: BTreeSet<u32> = parties.map(|party| party.rank).collect();
    let ranks: Vec<String> = ranks.iter().map(u32::to_string).collect();
    let causes: Vec<String> = (1..=report.causes.len())
        .map(|number| number.to_string())
        .collect();
    let causes = phrases::causes(report).map_or_else(Vec::new, |_| causes);
    html! {
        nav.overview aria-label="Findings" {
            form #filter hidden {
                label { "Search " input type="search" name="text" placeholder="function, file, operation"; }
                (choice("Cause", "cause", causes.iter()))
                (choice("Rule", "rule", rules.iter()))
                (choice("Window", "window", windows.iter()))
                (choice("File", "file", files.iter()))
                (choice("Rank", "rank", ranks.iter()))
                output {}
            }
            table {
                thead { tr { th { "#" } th { "Rule" } th { "Where" } th { "Window" } th.number { "Met" } } }
                tbody {
                    @let numbered = (1..).zip(report.by_cause()).flat_map(|(cause, (_, group))| {
                        group.iter().map(move |finding| (cause, finding))
                    });
                    @for (number, (cause, finding)) in (1..).zip(numbered) { (row(number, cause, finding)) }
                }
            }
        }
    }
}

fn row(number: usize, cause: usize, finding: &Finding) -> Markup {
    let files: BTreeSet<String> = files(finding).collect();
    let files: Vec<String> = files.into_iter().collect();
    let folded = Folded::of(finding);
    let finding = folded.finding();
    let window = finding.window_shown();
    let ranks: Vec<String> = finding
        .parties
        .iter()
        .map(|party| party.rank.to_string())
        .collect();
    html! {
        tr data-finding=(number) data-cause=(cause) data-rule=(finding.rule.id()) data-rank=(ranks.join("\n"))
            data-window=(window.as_deref().map_or_else(String::new, shown)) data-file=(files.join("\n"))
        {
            td { a href={ "#finding-" (number) } { (number) } }
            td { (severity(finding.severity)) " " a href={ "#finding-" (number) } { (finding.rule.id()) } }
            td {
                @for (number, party) in finding.parties.iter().enumerate() {
                    @if number > 0 { br; }
                    code { (phrases::operation(party)) }
                    @if let Some(place) = party.place() { " " span.place { (phrases::short_place(place)) } }
                    @if let Some(function) = party.shown().and_then(|shown| party.stack[shown].function.as_deref()) {
                        " " span.faint { (shown(function)) }
                    }
                }
                @if !folded.others().is_empty() { br; span.faint { "and others" } }
            }
            td { @if let Some(window) = &window { code { (shown(window)) } } }
            td.number { (finding.count) }
        }
    }
}

/// A filter; left out if there is nothing to choose.
fn choice<'a>(label: &str, name: &str, values: impl ExactSizeIterator<Item = &'a String>) -> Markup {
    html! {
        @if values.len() > 1 {
            label { (label) " " select name=(name) {
                option value="" { "all" }
                @for value in values { option value=(value) { (value) } }
            } }
        }
    }
}

/// The files of a finding's places.
fn files(finding: &Finding) -> impl Iterator<Item = String> {
    let places = finding.parties.iter().filter_map(|party| party.place());
    places.map(|place| shown(place.file.rsplit('/').next().unwrap_or_default()))
}
