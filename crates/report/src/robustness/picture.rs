//! Where everything of a computation stands: a column a process, a row an event, in the order of the computation;
//! the events of one barrier share a row.
//!
//! Promise: no box overlaps another; the labels of the cycle overlap neither one another nor a box. Limit: an arrow
//! between columns that are not neighbours passes under the boxes between them.

use crate::kit::svg::{Point, text_width};
use crate::robustness::words;
use farside_robustness::{EventKind, Relation, Violation};
use std::collections::BTreeMap;

/// A picture, in pixels.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// Middle and name of each column.
    pub(crate) heads: Vec<(f32, String)>,
    pub(crate) boxes: Vec<EventBox>,
    pub(crate) arrows: Vec<Arrow>,
    /// From a command to its effects, and between the events of a barrier.
    pub(crate) ties: Vec<[Point; 4]>,
}

/// An event as drawn.
#[derive(Debug)]
pub(crate) struct EventBox {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) number: usize,
    pub(crate) text: String,
    /// The statement, at the first event of a command.
    pub(crate) statement: String,
    pub(crate) marked: bool,
    /// popa and popb: what the network does.
    pub(crate) effect: bool,
}

/// An edge of the cycle as drawn.
#[derive(Debug)]
pub(crate) struct Arrow {
    /// Start, two controls, end.
    pub(crate) curve: [Point; 4],
    pub(crate) label: String,
    /// Middle of the label.
    pub(crate) label_at: Point,
    /// For who points at it.
    pub(crate) title: String,
}

pub(crate) const BOX_HEIGHT: f32 = 36.0;
const ROW: f32 = 54.0;
const TOP: f32 = 44.0;
const MARGIN: f32 = 54.0;
/// Between columns: room for arrows and their labels.
const GAP: f32 = 96.0;
const LABEL_HEIGHT: f32 = 16.0;

/// Lays out a computation.
pub(crate) fn picture(violation: &Violation) -> Picture {
    let events = &violation.events;
    let ranks = events.iter().map(|event| event.rank + 1).max().unwrap_or(0);
    // More columns are narrower, so that a page has them all.
    let most = if ranks > 2 { 26 } else { 40 };
    let mut seen = Vec::new();
    let texts: Vec<(String, String)> = events
        .iter()
        .map(|event| {
            let first = !seen.contains(&event.command);
            seen.push(event.command);
            let statement = if first {
                words::shortened(&event.source.text, most)
            } else {
                String::new()
            };
            (words::without_rank(event), statement)
        })
        .collect();
    let width = texts
        .iter()
        .map(|(text, statement)| text_width(text).max(text_width(statement)))
        .fold(90.0, f32::max)
        + 44.0;
    let rows = rows(violation);
    let column = |rank: u32| MARGIN + rank as f32 * (width + GAP);
    let boxes: Vec<EventBox> = events
        .iter()
        .zip(texts)
        .enumerate()
        .map(|(index, (event, (text, statement)))| EventBox {
            x: column(event.rank),
            y: TOP + rows[index] as f32 * ROW,
            width,
            number: index + 1,
            text,
            statement,
            marked: violation.cycle.iter().any(|edge| edge.from == index),
            effect: matches!(event.kind, EventKind::Popa | EventKind::Popb),
        })
        .collect();
    let arrows = arrows(violation, &boxes);
    let last = rows.iter().max().map_or(0, |row| row + 1);
    Picture {
        width: column(ranks) - GAP + MARGIN + 40.0,
        height: TOP + last as f32 * ROW + 8.0,
        heads: (0..ranks)
            .map(|rank| (column(rank) + width / 2.0, format!("P{rank}")))
            .collect(),
        ties: ties(violation, &boxes),
        boxes,
        arrows,
    }
}

/// The row of each event.
fn rows(violation: &Violation) -> Vec<usize> {
    let mut rows = Vec::with_capacity(violation.events.len());
    let mut next = 0;
    let mut barrier: Option<(usize, Vec<u32>)> = None;
    for event in &violation.events {
        match (&mut barrier, event.kind) {
            (Some((row, ranks)), EventKind::Bar) if !ranks.contains(&event.rank) => {
                ranks.push(event.rank);
                rows.push(*row);
                continue;
            }
            (_, EventKind::Bar) => barrier = Some((next, vec![event.rank])),
            _ => barrier = None,
        }
        rows.push(next);
        next += 1;
    }
    rows
}

/// Left of the boxes, from each event of a command to its next; across, between the events of a barrier.
fn ties(violation: &Violation, boxes: &[EventBox]) -> Vec<[Point; 4]> {
    let mut last: BTreeMap<u32, usize> = BTreeMap::new();
    let mut ties = Vec::new();
    for (index, event) in violation.events.iter().enumerate() {
        let here = &boxes[index];
        if let Some(before) = last.insert(event.command, index) {
            let from = &boxes[before];
            let (start, end) = ((from.x, from.y + BOX_HEIGHT - 9.0), (here.x, here.y + 9.0));
            let out = 14.0 + ((end.1 - start.1) * 0.04).min(22.0);
            ties.push([
                start,
                (start.0 - out, start.1 + 4.0),
                (end.0 - out, end.1 - 4.0),
                end,
            ]);
        }
        if event.kind == EventKind::Bar
            && let Some(before) = index.checked_sub(1)
            && violation.events[before].kind == EventKind::Bar
            && (boxes[before].y - here.y).abs() < 1.0
        {
            let from = &boxes[before];
            let y = here.y + BOX_HEIGHT / 2.0;
            let (left, right) = if from.x < here.x {
                (from, here)
            } else {
                (here, from)
            };
            let (start, end) = ((left.x + left.width, y), (right.x, y));
            ties.push([start, start, end, end]);
        }
    }
    ties
}

fn arrows(violation: &Violation, boxes: &[EventBox]) -> Vec<Arrow> {
    let mut taken: Vec<(Point, f32)> = Vec::new();
    let mut arrows = Vec::new();
    for edge in &violation.cycle {
        let (Some(from), Some(to)) = (boxes.get(edge.from), boxes.get(edge.to)) else {
            continue;
        };
        let label = match edge.relation {
            Relation::Identity => String::new(),
            relation => relation.sign().to_owned(),
        };
        let curve = curve(from, to, edge.relation);
        let at = |part: f32| {
            let [a, b, c, d] = curve;
            let rest = 1.0 - part;
            let mix = |a: f32, b: f32, c: f32, d: f32| {
                rest.powi(3) * a
                    + 3.0 * rest * rest * part * b
                    + 3.0 * rest * part * part * c
                    + part.powi(3) * d
            };
            (mix(a.0, b.0, c.0, d.0), mix(a.1, b.1, c.1, d.1))
        };
        let half = text_width(&label) / 2.0 + 4.0;
        let free = |(x, y): Point| {
            let overlaps = |left: f32, right: f32, top: f32, bottom: f32| {
                x + half > left
                    && x - half < right
                    && y + LABEL_HEIGHT / 2.0 > top
                    && y - LABEL_HEIGHT / 2.0 < bottom
            };
            !boxes
                .iter()
                .any(|b| overlaps(b.x, b.x + b.width, b.y, b.y + BOX_HEIGHT))
                && !taken.iter().any(|&((tx, ty), th)| {
                    overlaps(tx - th, tx + th, ty - LABEL_HEIGHT / 2.0, ty + LABEL_HEIGHT / 2.0)
                })
        };
        let places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
        let label_at = places
            .into_iter()
            .map(at)
            .find(|&place| free(place))
            .unwrap_or_else(|| at(0.5));
        if !label.is_empty() {
            taken.push((label_at, half));
        }
        let title = format!("{} {} {}", from.text, words::edge(violation, edge), to.text);
        arrows.push(Arrow {
            curve,
            label,
            label_at,
            title,
        });
    }
    arrows
}

fn curve(from: &EventBox, to: &EventBox, relation: Relation) -> [Point; 4] {
    let (fy, ty) = (from.y + BOX_HEIGHT / 2.0, to.y + BOX_HEIGHT / 2.0);
    if (from.x - to.x).abs() < 1.0 {
        // Program order on the right of the boxes, effects of a command on the left.
        let length = (ty - fy).abs();
        if relation == Relation::Identity {
            let out = 22.0 + (length * 0.05).min(26.0);
            let x = from.x;
            return [(x, fy), (x - out, fy), (x - out, ty), (x, ty)];
        }
        let out = 26.0 + (length * 0.09).min(50.0);
        let x = from.x + from.width;
        return [(x, fy), (x + out, fy), (x + out, ty), (x, ty)];
    }
    let (start, end) = if from.x < to.x {
        (from.x + from.width, to.x)
    } else {
        (from.x, to.x + to.width)
    };
    let reach = (end - start) * 0.5;
    [(start, fy), (start + reach, fy), (end - reach, ty), (end, ty)]
}
