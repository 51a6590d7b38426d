//! Executions as SVG, a column a process.
//!
//! Promise: a file that needs nothing else, legible in light and dark; relations differ in colour and in dash, and
//! each edge names its rule.

use crate::kit::svg::{point, tenths, text_width, view};
use crate::verdicts::picture::{ActionBox, Arrow, Kind, Picture, Rectangle, picture};
use farside_verdicts::state_line;
use farside_verdicts::{Explanation, Report};
use maud::{Markup, PreEscaped, html};

/// Colours and lines of a picture; the page of `html` uses it too.
pub const STYLE: &str = include_str!("picture/picture.css");

/// Room for the legend below a picture, and for the title above it in a file of its own.
const LEGEND: f32 = 26.0;
const TITLE: f32 = 44.0;

/// All explanations of a report, one below the other.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut y = 0.0;
    let mut width = 320.0_f32;
    let mut parts: Vec<Markup> = Vec::new();
    for test in &report.tests {
        for judgement in &test.judgements {
            for explanation in &judgement.explanations {
                let title = format!("{} under {}", test.name, judgement.model);
                let (markup, size) = titled(&title, explanation, parts.len(), y);
                width = width.max(size.0);
                y += size.1;
                parts.push(markup);
            }
        }
    }
    if parts.is_empty() {
        y = 40.0;
        parts.push(html! { text.title x="16" y="26" { "no execution to show" } });
    }
    let markup = html! {
        svg.execution.alone xmlns="http://www.w3.org/2000/svg" viewBox=(view(width, y)) width=(tenths(width)) height=(tenths(y)) {
            style { (PreEscaped(STYLE)) }
            rect.page width="100%" height="100%" {}
            @for part in &parts { (part) }
        }
    };
    markup.into_string() + "\n"
}

fn titled(title: &str, explanation: &Explanation, number: usize, y: f32) -> (Markup, (f32, f32)) {
    let outcome = outcome_words(explanation);
    let lines = wrapped(&explanation.reason, 90);
    let below = TITLE + lines.len() as f32 * 16.0;
    let (drawing, (width, height)) = match &explanation.execution {
        Some(execution) => {
            let picture = picture(execution, &explanation.cycle);
            let size = (wide_enough(&picture), picture.height + LEGEND);
            (contents(&picture, &format!("p{number}")), size)
        }
        None => (html! {}, (320.0, 0.0)),
    };
    let widest = lines
        .iter()
        .map(|line| text_width(line))
        .fold(text_width(title).max(text_width(&outcome)) + 10.0, f32::max);
    let markup = html! {
        g transform={ "translate(0 " (tenths(y)) ")" } {
            text.title x="16" y="22" { (title) }
            text.outcome x="16" y="39" { (outcome) }
            @for (line, text) in lines.iter().enumerate() {
                text.reason x="16" y=(tenths(TITLE + 12.0 + line as f32 * 16.0)) { (text) }
            }
            g transform={ "translate(0 " (tenths(below)) ")" } { (drawing) }
        }
    };
    (markup, (width.max(widest + 32.0), below + height + 14.0))
}

/// `1:b=0; allowed`
#[must_use]
pub fn outcome_words(explanation: &Explanation) -> String {
    let verdict = match (explanation.allowed, explanation.outcome.is_empty()) {
        (true, true) => "an execution",
        (true, false) => "allowed",
        (false, _) => "not allowed",
    };
    let state = state_line(&explanation.outcome);
    if state.is_empty() {
        verdict.to_owned()
    } else {
        format!("{state} {verdict}")
    }
}

/// An execution as part of a page. `id` is unique on the page.
pub(crate) fn inline(explanation: &Explanation, id: &str, described: &str) -> Markup {
    let Some(execution) = &explanation.execution else {
        return html! {};
    };
    let picture = picture(execution, &explanation.cycle);
    let (width, height) = (wide_enough(&picture), picture.height + LEGEND);
    html! {
        svg.execution role="img" aria-label=(described) viewBox=(view(width, height)) width=(tenths(width)) height=(tenths(height)) {
            (contents(&picture, id))
        }
    }
}

/// An execution as part of a page that styles it by [`STYLE`]; empty if there is none. `id` is unique on the page, and
/// `described` says what is seen. Actions have their index as `data-action`, edges both of theirs as `data-from` and
/// `data-to`.
#[must_use]
pub fn figure(explanation: &Explanation, id: &str, described: &str) -> String {
    inline(explanation, id, described).into_string()
}

fn contents(picture: &Picture, id: &str) -> Markup {
    html! {
        defs { @for kind in &picture.kinds { (head(*kind, id)) } }
        @for (x, name) in &picture.heads {
            line.lane x1=(tenths(*x)) y1="32" x2=(tenths(*x)) y2=(tenths(picture.height - 8.0)) {}
            text.head x=(tenths(*x)) y="24" text-anchor="middle" { (name) }
        }
        @for frame in &picture.frames {
            rect.frame x=(tenths(frame.x)) y=(tenths(frame.y)) width=(tenths(frame.width)) height=(tenths(frame.height)) rx="8" {}
        }
        @for arrow in &picture.arrows { (line(arrow, id)) }
        @for action in &picture.boxes { (action_box(action)) }
        @for arrow in &picture.arrows { (label(arrow)) }
        (legend(picture, id))
    }
}

fn head(kind: Kind, id: &str) -> Markup {
    let class = kind.class();
    html! {
        marker id={ (id) "-" (class) } class=(class) viewBox="0 0 10 \
            10" refX="9.5" refY="5" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto" {
            path d="M0 0.5L10 5L0 9.5z" {}
        }
    }
}

fn line(arrow: &Arrow, id: &str) -> Markup {
    let [start, one, two, end] = arrow.curve;
    let way = format!("M{}C{} {} {}", point(start), point(one), point(two), point(end));
    let class = arrow.kind.class();
    let [from, to] = ends(arrow);
    html! {
        g data-from=[from] data-to=[to] { title { (arrow.title) } path class={ "edge " (class) } d=(way) marker-end={ "url(#" (id) "-" (class) ")" } {} }
    }
}

fn ends(arrow: &Arrow) -> [Option<usize>; 2] {
    [arrow.ends().map(|[from, _]| from), arrow.ends().map(|[_, to]| to)]
}

fn label(arrow: &Arrow) -> Markup {
    let area = arrow.label_area;
    let (x, y) = area.middle();
    // A label beside its arrow needs no ground of its own.
    let on_arrow = (arrow.curve[0].0 - arrow.curve[1].0).abs() > 0.5;
    let [from, to] = ends(arrow);
    html! {
        @if !arrow.label.is_empty() {
            g data-from=[from] data-to=[to] {
                @if on_arrow { (ground(area)) }
                text class={ "rule " (arrow.kind.class()) } x=(tenths(x)) y=(tenths(y + 4.0)) text-anchor="middle" {
                    (arrow.label)
                }
            }
        }
    }
}

fn ground(area: Rectangle) -> Markup {
    let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(tenths);
    html! { rect.ground x=(x) y=(y) width=(width) height=(height) rx="3" {} }
}

fn action_box(action: &ActionBox) -> Markup {
    let area = action.area;
    let x = tenths(area.x + 10.0);
    let last = tenths(area.bottom() - 8.0);
    html! {
        g.action.marked[action.marked] data-action=(action.action()) {
            rect x=(tenths(area.x)) y=(tenths(area.y)) width=(tenths(area.width)) height=(tenths(area.height)) rx="5" {}
            @if !action.statement.is_empty() { text.statement x=(x) y=(tenths(area.y + 16.0)) { (action.statement) } }
            text x=(x) y=(last) { tspan.kind { (action.kind) } " " (action.text) }
        }
    }
}

/// The kinds of a legend with the places where they begin, and the width of all.
fn legend_entries(picture: &Picture) -> (Vec<(f32, Kind)>, f32) {
    let mut x = 16.0;
    let mut entries = Vec::new();
    for kind in &picture.kinds {
        entries.push((x, *kind));
        x += 30.0 + text_width(kind.words()) * 0.92 + 16.0;
    }
    (entries, x)
}

/// Room for the legend, too.
fn wide_enough(picture: &Picture) -> f32 {
    picture.width.max(legend_entries(picture).1)
}

fn legend(picture: &Picture, id: &str) -> Markup {
    let y = picture.height + 4.0;
    let (entries, _) = legend_entries(picture);
    html! {
        @for (x, kind) in entries {
            path class={ "edge " (kind.class()) } d=(format!("M{} \
                {}h24", tenths(x), tenths(y))) marker-end={ "url(#" (id) "-" (kind.class()) ")" } {}
            text.legend x=(tenths(x + 30.0)) y=(tenths(y + 4.0)) { (kind.words()) }
        }
    }
}

/// Lines of at most `limit` characters, broken at blanks.
fn wrapped(text: &str, limit: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
