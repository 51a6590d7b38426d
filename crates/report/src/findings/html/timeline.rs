//! The picture of a timeline, as inline SVG.

use super::labels::Label;
use super::layout::{Event, Layout, Link, Missing, Shape, Suggested, layout};
use crate::findings::phrases;
use crate::kit::visible::shortened;
use farside_findings::Finding;
use maud::{Markup, html};

/// With more arrows than this, their names are shown on pointing only.
const NAMED_ARROWS: usize = 12;

/// The timeline of a finding, if it has one; `number` tells the findings of a page apart.
pub(super) fn figure(number: usize, finding: &Finding, others: Option<&str>) -> Markup {
    let Some(timeline) = finding
        .timeline
        .as_ref()
        .filter(|timeline| !timeline.lanes.is_empty())
    else {
        return html! {};
    };
    let picture = layout(finding, timeline);
    let size = format!("0 0 {} {}", tenths(picture.grid.width), tenths(picture.height));
    let ranks: Vec<u32> = timeline.lanes.iter().map(|lane| lane.rank).collect();
    let described = format!("Timeline of {}", phrases::ranks(&ranks));
    html! {
        figure.timeline tabindex="0" {
            svg role="img" aria-label=(described) viewBox=(size) width=(tenths(picture.grid.width)) height=(tenths(picture.height)) {
                defs { (arrow_head("order", number)) (arrow_head("missing", number)) }
                (lanes(&picture))
                @for arrow in &picture.arrows { (existing_order(number, arrow, picture.arrows.len() <= NAMED_ARROWS)) }
                @for event in &picture.events { (bar(event, picture.bottom)) }
                @if let Some(missing) = &picture.missing { (missing_line(number, missing)) }
                @for wait in &picture.waits { (wait_line(number, wait)) }
                @for event in &picture.events { (mark(event)) }
                @if let Some(suggested) = &picture.suggested { (suggested_call(suggested)) }
                @if let Some(missing) = &picture.missing { (missing_words(missing)) }
            }
            figcaption {
                "Ranks side by side, time downwards. A bar is an operation from its call to its completion"
                @if picture.events.iter().any(|event| event.shape == Shape::OpenBar) { "; dashed: still open at the \
                    end" }
                @if !picture.waits.is_empty() { "; red: waits for" }
                "."
                @if let Some(others) = others { " Ranks " (others) "." }
            }
        }
    }
}

fn lanes(picture: &Layout) -> Markup {
    html! {
        @for ((rank, host), x) in &picture.lanes {
            line.lane x1=(tenths(*x)) y1="34" x2=(tenths(*x)) y2=(tenths(picture.bottom)) {}
            @let full = phrases::rank(*rank, host.as_deref());
            @let name = [full.clone(), format!("rank {rank}")].into_iter().find(|name| width_of_head(name) <= picture.grid.pitch);
            @let name = name.unwrap_or_else(|| rank.to_string());
            @let width = width_of_head(&name);
            @if name != full { title { (full) } }
            rect.head x=(tenths(x - width / 2.0)) y="10" width=(tenths(width)) height="24" rx="6" {}
            text.head x=(tenths(*x)) y="26" text-anchor="middle" { (name) }
        }
    }
}

fn width_of_head(name: &str) -> f32 {
    name.chars().count() as f32 * 7.6 + 14.0
}

fn bar(event: &Event, bottom: f32) -> Markup {
    let (x, y) = (tenths(event.x - 4.0), tenths(event.y));
    let class = format!("bar {}", party_class(event.party));
    match event.shape {
        Shape::Bar { until } => html! {
            rect class=(class) x=(x) y=(y) width="8" height=(tenths((until - event.y).max(0.0))) rx="3" {}
            line class={ "end " (party_class(event.party)) } x1=(tenths(event.x - 8.0)) x2=(tenths(event.x + 8.0)) y1=(tenths(until)) y2=(tenths(until)) {}
        },
        Shape::OpenBar => html! {
            rect class={ (class) " open" } x=(x) y=(y) width="8" height=(tenths((bottom - event.y).max(0.0))) {}
        },
        Shape::Tick | Shape::Point => html! {},
    }
}

fn mark(event: &Event) -> Markup {
    let (x, y) = (tenths(event.x), tenths(event.y));
    html! {
        g {
            title { (event.title) }
            @match (event.party, event.shape) {
                (Some(party), _) => {
                    circle class={ "party " (party_class(event.party)) } cx=(x) cy=(y) r="10" {}
                    text.badge x=(x) y=(tenths(event.y + 4.0)) text-anchor="middle" { (u64::from(party) + 1) }
                }
                (None, Shape::Tick) => line.tick x1=(tenths(event.x - 8.0)) x2=(tenths(event.x + 8.0)) y1=(y) y2=(y) {},
                (None, _) => circle.point cx=(x) cy=(y) r="5" {},
            }
            (words(&event.label, event.y, if event.party.is_some() { "label strong" } else { "label" }))
        }
    }
}

fn words(label: &Label, y: f32, class: &str) -> Markup {
    html! {
        text class=(class) x=(tenths(label.x)) y=(tenths(y + label.below)) text-anchor=[label.ends.then_some("end")] {
            (label.text)
            @if !label.place.is_empty() { tspan.place { " " (label.place) } }
        }
    }
}

fn existing_order(finding: usize, arrow: &Link, named: bool) -> Markup {
    let (from, to) = shorten(arrow.from, arrow.to, 10.0);
    // Where it arrives from the left there is room; from the right stand the words of the event.
    let rightwards = from.0 < to.0;
    let along = if rightwards { 0.92 } else { 0.5 };
    let (x, y) = (
        from.0 + (to.0 - from.0) * along,
        from.1 + (to.1 - from.1) * along - 6.0,
    );
    let anchor = if rightwards { "end" } else { "middle" };
    html! {
        g {
            title { (arrow.label) }
            line.order x1=(tenths(from.0)) y1=(tenths(from.1)) x2=(tenths(to.0)) y2=(tenths(to.1))
                marker-end={ "url(#order-" (finding) ")" } {}
            @if named { text.order x=(tenths(x)) y=(tenths(y)) text-anchor=(anchor) { (shortened(&arrow.label, 24)) } }
        }
    }
}

fn missing_line(finding: usize, missing: &Missing) -> Markup {
    let Missing { from, to, bend, .. } = *missing;
    if bend > 0.0 {
        // From the left of one mark around to the left of the other.
        let (from, to) = ((from.0 - 11.0, from.1), (to.0 - 14.0, to.1));
        let control = from.0 - bend * 1.2;
        let controls = format!("{} {}", point((control, from.1)), point((control, to.1)));
        return red_line(finding, &format!("M{}C{controls} {}", point(from), point(to)));
    }
    let (from, to) = shorten(from, to, 13.0);
    red_line(finding, &format!("M{}L{}", point(from), point(to)))
}

/// Straight to the right, and in a bow below the marks to the left, so that a cycle is seen as one.
fn wait_line(finding: usize, wait: &Link) -> Markup {
    if wait.from.0 < wait.to.0 {
        let (from, to) = shorten(wait.from, wait.to, 13.0);
        return red_line(finding, &format!("M{}L{}", point(from), point(to)));
    }
    let (from, to) = (
        (wait.from.0 - 9.0, wait.from.1 + 9.0),
        (wait.to.0 + 10.0, wait.to.1 + 10.0),
    );
    let control = ((from.0 + to.0) / 2.0, from.1.max(to.1) + 30.0);
    red_line(
        finding,
        &format!("M{}Q{} {}", point(from), point(control), point(to)),
    )
}

fn red_line(finding: usize, path: &str) -> Markup {
    html! { path.missing d=(path) marker-end={ "url(#missing-" (finding) ")" } {} }
}

fn missing_words(missing: &Missing) -> Markup {
    let (x, y, width) = missing.words_at;
    html! {
        rect.missing x=(tenths(x)) y=(tenths(y - 11.0)) width=(tenths(width)) height="22" rx="11" {}
        text.missing x=(tenths(x + width / 2.0)) y=(tenths(y + 4.0)) text-anchor="middle" { (missing.words) }
    }
}

fn suggested_call(suggested: &Suggested) -> Markup {
    let y = tenths(suggested.y);
    html! {
        line.suggested x1=(tenths(suggested.x - 10.0)) x2=(tenths(suggested.x + 10.0)) y1=(y) y2=(y) {}
        (words(&suggested.label, suggested.y, "label suggested"))
    }
}

fn arrow_head(class: &str, finding: usize) -> Markup {
    html! {
        marker id={ (class) "-" (finding) } class=(class) viewBox="0 0 10 \
            10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse" {
            path d="M0 0L10 5L0 10z" {}
        }
    }
}

fn party_class(party: Option<u32>) -> String {
    party.map_or_else(String::new, |party| format!("party-{}", party % 4))
}

/// A line cut at both ends, to leave room for the marks.
fn shorten(from: (f32, f32), to: (f32, f32), by: f32) -> ((f32, f32), (f32, f32)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length <= 2.0 * by {
        return (from, to);
    }
    let (x, y) = (dx / length * by, dy / length * by);
    ((from.0 + x, from.1 + y), (to.0 - x, to.1 - y))
}

fn point((x, y): (f32, f32)) -> String {
    format!("{} {}", tenths(x), tenths(y))
}

/// At most one digit after the point.
fn tenths(value: f32) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded}")
}
