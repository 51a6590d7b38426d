//! One finding: what is wrong, both accesses, the picture, the facts, help last, then where to read more.

use super::overview::marked;
use super::{litmus, severity, shown, timeline};
use crate::findings::fold::Folded;
use crate::findings::{Repairs, Sources, phrases, suggestions};
use crate::kit::visible::{shortened, source_line};
use farside_findings::{
    Change, CheckedProgram, Finding, Frame, OTHER_SPEEDS, Party, Place, processes_on_nodes,
};
use maud::{Markup, html};

/// Lines of source shown before and after a place.
const CONTEXT: u32 = 3;

pub(super) fn article(
    number: usize,
    finding: &Finding,
    program: &CheckedProgram,
    (sources, repairs): (Sources<'_>, Repairs<'_>),
) -> Markup {
    let changes = repairs(finding);
    let folded = Folded::of(finding);
    let finding = folded.finding();
    html! {
        article #{ "finding-" (number) } {
            h2 {
                a.number href={ "#finding-" (number) } { (number) }
                (severity(finding.severity)) " "
                (finding.rule.title())
            }
            @let message = phrases::message(finding);
            @if !message.is_empty() {
                p.message { (shortened(&message, phrases::SENTENCE_LIMIT)) }
            }
            div.parties {
                @for (index, party) in finding.parties.iter().enumerate() { (party_card(index, party, sources)) }
            }
            @if !folded.others().is_empty() {
                p { "The other parties:" }
                ul { @for other in folded.others() { li { (other) } } }
            }
            (timeline::figure(number, finding, folded.lanes()))
            (litmus::section(finding.litmus.as_ref()))
            (facts(finding, program))
            @if !changes.is_empty() { (repair(&changes, sources)) }
        }
    }
}

/// The lines that `farside fix` changes, as they are and as they would be.
fn repair(changes: &[Change], sources: Sources<'_>) -> Markup {
    html! {
        details.repair {
            summary { "The repair that " code { "farside fix" } " makes" }
            pre.source {
                @for change in changes {
                    span.line { (shown(&format!("{}:{}", change.file, change.from.0))) "\n" }
                    @for text in gone(change, sources) { span.line { "- " (text) "\n" } }
                    @for text in change.text.lines().filter(|text| !text.trim().is_empty()) {
                        span.line.here { "+ " (shortened(&source_line(text), phrases::SENTENCE_LIMIT)) "\n" }
                    }
                }
            }
        }
    }
}

/// The lines of which a change takes something away.
fn gone(change: &Change, sources: Sources<'_>) -> Vec<String> {
    if change.from == change.to {
        return Vec::new();
    }
    let line = |line| {
        sources(&Place {
            file: change.file.clone(),
            line,
            column: None,
        })
    };
    let lines = (change.from.0..=change.to.0).filter_map(line);
    lines
        .map(|text| shortened(&source_line(&text), phrases::SENTENCE_LIMIT))
        .collect()
}

fn party_card(index: usize, party: &Party, sources: Sources<'_>) -> Markup {
    html! {
        section class={ "party party-" (index % 4) } {
            h3 {
                span.badge { (index + 1) } " "
                code { (phrases::operation(party)) }
                @if !party.effect.is_empty() { " " span.effect { (shown(&party.effect)) } }
                " " span.faint { (phrases::who(party)) }
            }
            @match party.stack.get(party.shown().unwrap_or(0)) {
                Some(shown) => p.place { (frame(shown)) },
                None => p.place.faint { "place not known" },
            }
            @if let Some(place) = party.place() { (snippet(place, sources)) }
            @if party.stack.len() > 1 {
                details {
                    summary { "Call stack, " (party.stack.len()) " frames" }
                    ol { @for caller in &party.stack { li { (frame(caller)) } } }
                }
            }
        }
    }
}

/// `src/halo.c:54 in exchange`.
fn frame(frame: &Frame) -> Markup {
    html! {
        code { (phrases::frame_place(frame)) }
        @if frame.function.is_some() { " in " code { (phrases::frame_function(frame)) } }
    }
}

/// The line at the place, and those around it.
fn snippet(place: &Place, sources: Sources<'_>) -> Markup {
    let around = place.line.saturating_sub(CONTEXT).max(1)..=place.line.saturating_add(CONTEXT);
    let lines: Vec<(u32, String)> = match sources(place) {
        None => Vec::new(),
        Some(_) => around
            .filter_map(|line| {
                let text = sources(&Place {
                    file: place.file.clone(),
                    line,
                    column: None,
                })?;
                Some((line, shortened(&source_line(&text), phrases::SENTENCE_LIMIT)))
            })
            .collect(),
    };
    html! {
        @if !lines.is_empty() {
            pre.source {
                @for (line, text) in lines {
                    span.line.here[line == place.line] { span.gutter { (line) } (text) "\n" }
                }
            }
        }
    }
}

fn facts(finding: &Finding, program: &CheckedProgram) -> Markup {
    html! {
        dl.facts {
            @if let Some(window) = finding.window_shown() { dt { "Window" } dd { code { (shown(&window)) } } }
            @if let Some(range) = &finding.bytes { dt { "Bytes" } dd { (phrases::bytes(range)) } }
            @if let Some(missing) = &finding.missing { dt { "Why" } dd { (phrases::why(missing)) } }
            @if let Some(replay) = &finding.replay { dt { "Found with" } dd { code { "--replay " (replay) } } }
            @if let Some(arguments) = &finding.arguments { dt { "Found with" } dd { (arguments) } }
            @if finding.other_order { dt { "Found with" } dd { (OTHER_SPEEDS) } }
            @if let Some(per_node) = finding.per_node { dt { "Found with" } dd { (processes_on_nodes(per_node)) } }
            dt { "Met" } dd { (phrases::met(finding, program)) }
            dt { "Id" } dd { code { (shown(&finding.id)) } }
        }
        @if let Some(suggestion) = &finding.suggestion {
            p.help {
                strong { "Help" } " " (marked(suggestions::suggestion(suggestion))) (suggestions::cost(suggestion))
            }
            @for other in suggestions::others(suggestion) {
                p.help { strong { "Or" } " " (marked(suggestions::suggestion(other))) (suggestions::cost(other)) }
            }
        }
        p.read { "Rule " code { (finding.rule.id()) } ", see " (finding.source()) }
    }
}
