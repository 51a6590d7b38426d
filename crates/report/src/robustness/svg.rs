//! Computations as SVG: a column a process, a row an event, the happens-before cycle in red.
//!
//! Promise: a file that needs nothing else, legible in light and dark.

use crate::kit::svg::{Point, point, tenths, text_width, view};
use crate::robustness::picture::{Arrow, BOX_HEIGHT, EventBox, Picture, picture};
use crate::robustness::text::heading;
use farside_robustness::{Judgement, Report, Violation};
use maud::{Markup, PreEscaped, html};

/// Colours and lines of a picture; the page of `html` uses it too.
pub const STYLE: &str = include_str!("picture.css");

const LEGEND: f32 = 28.0;
const TITLE: f32 = 52.0;

/// All programs, one below the other; a line for those without a computation to show.
#[must_use]
pub fn render(report: &Report) -> String {
    let (mut y, mut width) = (0.0_f32, 420.0_f32);
    let mut parts = Vec::new();
    for (number, judgement) in report.programs.iter().enumerate() {
        let (markup, size) = titled(judgement, number, y);
        width = width.max(size.0);
        y += size.1;
        parts.push(markup);
    }
    let markup = html! {
        svg.computation xmlns="http://www.w3.org/2000/svg" viewBox=(view(width, y)) width=(tenths(width)) height=(tenths(y)) {
            style { (PreEscaped(STYLE)) }
            rect.page width="100%" height="100%" {}
            @for part in &parts { (part) }
        }
    };
    markup.into_string() + "\n"
}

fn titled(judgement: &Judgement, number: usize, y: f32) -> (Markup, Point) {
    let title = heading(judgement);
    let (drawing, (width, height)) = match &judgement.violation {
        Some(violation) => {
            let picture = picture(violation);
            let size = (picture.width, picture.height + LEGEND);
            (contents(&picture, &format!("p{number}")), size)
        }
        None => (html! {}, (0.0, 0.0)),
    };
    let markup = html! {
        g transform={ "translate(0 " (tenths(y)) ")" } {
            text.title x="16" y="24" { (title) }
            text.verdict x="16" y="42" { (judgement.verdict.words()) }
            g transform={ "translate(0 " (tenths(TITLE)) ")" } { (drawing) }
        }
    };
    (
        markup,
        (width.max(text_width(&title) * 1.2 + 32.0), TITLE + height + 16.0),
    )
}

/// A computation as part of a page. `id` is unique on the page.
pub(crate) fn inline(violation: &Violation, id: &str, described: &str) -> Markup {
    let picture = picture(violation);
    let (width, height) = (picture.width, picture.height + LEGEND);
    html! {
        svg.computation role="img" aria-label=(described) viewBox=(view(width, height)) width=(tenths(width)) height=(tenths(height)) {
            (contents(&picture, id))
        }
    }
}

fn contents(picture: &Picture, id: &str) -> Markup {
    html! {
        defs {
            marker id={ (id) "-end" } viewBox="0 0 10 \
                10" refX="9.5" refY="5" markerUnits="userSpaceOnUse" markerWidth="11" markerHeight="11" orient="auto" {
                path d="M0 0.5L10 5L0 9.5z" {}
            }
        }
        @for (x, name) in &picture.heads {
            line.lane x1=(tenths(*x)) y1="32" x2=(tenths(*x)) y2=(tenths(picture.height - 4.0)) {}
            text.head x=(tenths(*x)) y="24" text-anchor="middle" { (name) }
        }
        @for tie in &picture.ties { path.tie d=(way(tie)) {} }
        @for arrow in &picture.arrows { (line(arrow, id)) }
        @for event in &picture.boxes { (event_box(event)) }
        @for arrow in &picture.arrows { (label(arrow)) }
        (legend(picture))
    }
}

fn line(arrow: &Arrow, id: &str) -> Markup {
    html! { g { title { (arrow.title) } path.edge d=(way(&arrow.curve)) marker-end={ "url(#" (id) "-end)" } {} } }
}

fn label(arrow: &Arrow) -> Markup {
    let (x, y) = arrow.label_at;
    html! {
        @if !arrow.label.is_empty() {
            text.rule x=(tenths(x)) y=(tenths(y + 4.0)) text-anchor="middle" { (arrow.label) }
        }
    }
}

fn event_box(event: &EventBox) -> Markup {
    let x = tenths(event.x + 10.0);
    let only = event.statement.is_empty();
    html! {
        g.event.marked[event.marked].effect[event.effect] {
            rect x=(tenths(event.x)) y=(tenths(event.y)) width=(tenths(event.width)) height=(tenths(BOX_HEIGHT)) rx="5" {}
            text.number x=(tenths(event.x + event.width - 6.0)) y=(tenths(event.y + 13.0)) text-anchor="end" { (event.number) }
            text x=(x) y=(tenths(event.y + if only { 22.0 } else { 15.0 })) { (event.text) }
            @if !only { text.statement x=(x) y=(tenths(event.y + 30.0)) { (event.statement) } }
        }
    }
}

fn legend(picture: &Picture) -> Markup {
    let y = picture.height + 8.0;
    html! {
        path.edge d=(format!("M16 {}h24", tenths(y))) {}
        text.legend x="46" y=(tenths(y + 4.0)) { "cycle: po program order, cf conflict" }
        path.tie d=(format!("M316 {}h24", tenths(y))) {}
        text.legend x="346" y=(tenths(y + 4.0)) { "events of one command" }
    }
}

fn way(curve: &[Point; 4]) -> String {
    let [start, one, two, end] = *curve;
    format!("M{}C{} {} {}", point(start), point(one), point(two), point(end))
}
