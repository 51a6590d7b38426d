//! The way of every arrow, and the place of its label.

use super::arrows::{Drawn, Link};
use super::grid::{FIRST_LANE, Grid, LANE};
use super::{ActionBox, Arrow, Kind, Picture, Point, Rectangle, text_width};
use farside_verdicts::Execution;

/// Height of a label.
const LABEL: f32 = 14.0;

/// A side of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

/// Draws all arrows into the grid.
pub(super) fn draw(execution: &Execution, drawn: &Drawn, grid: Grid) -> Picture {
    let areas: Vec<Option<Rectangle>> = grid.boxes.iter().map(|b| b.as_ref().map(|b| b.area)).collect();
    let ends: Vec<[(usize, Side); 2]> = (0..drawn.arrows.len())
        .map(|index| sides(&drawn.arrows[index], &grid, index))
        .collect();
    let mut arrows = Vec::new();
    for (index, link) in drawn.arrows.iter().enumerate() {
        let (Some(_), Some(_)) = (areas[link.from], areas[link.to]) else {
            continue;
        };
        let start = port(index, 0, &ends, drawn, &areas);
        let end = port(index, 1, &ends, drawn, &areas);
        arrows.push(Arrow {
            curve: curve(start, end, ends[index], grid.lanes[index]),
            kind: link.kind,
            label: link.label.clone(),
            label_area: Rectangle {
                x: 0.0,
                y: 0.0,
                width: 0.0,
                height: 0.0,
            },
            ends: Some([link.from, link.to]),
            title: title(execution, link),
        });
    }
    for (index, reads) in drawn.reads_first.iter().enumerate() {
        if let (true, Some(area)) = (*reads, areas[index]) {
            arrows.push(stub(area));
        }
    }
    let boxes: Vec<ActionBox> = grid.boxes.into_iter().flatten().collect();
    let words = arrows
        .iter()
        .map(|arrow| arrow.label_area)
        .filter(|area| area.width > 0.0);
    let obstacles: Vec<Rectangle> = boxes.iter().map(|b| b.area).chain(words).collect();
    let (width, height) = place_labels(&mut arrows, obstacles, (grid.width, grid.height));
    let mut kinds: Vec<Kind> = arrows.iter().map(|arrow| arrow.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // The important ones on top.
    arrows.sort_by_key(|arrow| std::cmp::Reverse(arrow.kind));
    Picture {
        width,
        height,
        heads: grid.heads,
        frames: grid.frames,
        boxes,
        arrows,
        kinds,
    }
}

fn title(execution: &Execution, link: &Link) -> String {
    let name = |index: usize| {
        let action = &execution.actions[index];
        let column = action
            .process
            .map_or_else(|| "first value".to_owned(), |rank| format!("P{rank}"));
        format!("{column}: {} {}", action.kind, action.text)
    };
    let what = if link.label.is_empty() { "po" } else { &link.label };
    format!("{} → {} ({what})", name(link.from), name(link.to))
}

/// A short arrow from the word `first`: the action reads a first value.
fn stub(area: Rectangle) -> Arrow {
    const WORD: &str = "first";
    let y = area.bottom() - 11.0;
    let (start, end) = ((area.x - 24.0, y), (area.x, y));
    let width = text_width(WORD) * 0.92 + 4.0;
    Arrow {
        curve: [start, (start.0 + 8.0, y), (end.0 - 8.0, y), end],
        kind: Kind::ReadsFrom,
        label: WORD.to_owned(),
        label_area: Rectangle {
            x: start.0 - width,
            y: y - LABEL / 2.0,
            width,
            height: LABEL,
        },
        ends: None,
        title: "reads the first value".to_owned(),
    }
}

/// The sides at which an arrow starts and ends, each with its action.
fn sides(link: &Link, grid: &Grid, index: usize) -> [(usize, Side); 2] {
    let (from, to) = match grid.columns[link.from].cmp(&grid.columns[link.to]) {
        std::cmp::Ordering::Less => (Side::Right, Side::Left),
        std::cmp::Ordering::Greater => (Side::Left, Side::Right),
        std::cmp::Ordering::Equal if grid.lanes[index].is_some() => (Side::Right, Side::Right),
        std::cmp::Ordering::Equal => (Side::Bottom, Side::Top),
    };
    [(link.from, from), (link.to, to)]
}

/// Where an arrow meets a box. Arrows at the same side are spread over it, in the order of their other ends.
fn port(
    index: usize,
    end: usize,
    ends: &[[(usize, Side); 2]],
    drawn: &Drawn,
    areas: &[Option<Rectangle>],
) -> Point {
    let (action, side) = ends[index][end];
    let Some(area) = areas[action] else {
        return (0.0, 0.0);
    };
    match side {
        Side::Top => return (area.middle().0, area.y),
        Side::Bottom => return (area.middle().0, area.bottom()),
        Side::Left | Side::Right => {}
    }
    let other_end = |arrow: usize, end: usize| {
        let (other, _) = ends[arrow][1 - end];
        areas[other].map_or(0.0, |area| area.middle().1)
    };
    let mut here: Vec<(f32, usize, usize)> = Vec::new();
    for (arrow, both) in ends.iter().enumerate() {
        for (which, &place) in both.iter().enumerate() {
            if place == (action, side) {
                here.push((other_end(arrow, which), arrow, which));
            }
        }
    }
    if side == Side::Left && drawn.reads_first[action] {
        // The stub of a first value keeps the lower end.
        here.push((f32::MAX, usize::MAX, 0));
    }
    here.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let place = here
        .iter()
        .position(|&(_, arrow, which)| (arrow, which) == (index, end))
        .unwrap_or(0);
    let y = area.y + area.height * (place as f32 + 1.0) / (here.len() as f32 + 1.0);
    let x = if side == Side::Left { area.x } else { area.right() };
    (x, y)
}

fn curve(start: Point, end: Point, ends: [(usize, Side); 2], lane: Option<usize>) -> [Point; 4] {
    if let Some(lane) = lane {
        // A cubic curve goes three quarters of the way to its controls.
        let out = (FIRST_LANE + lane as f32 * LANE) / 0.75;
        return [start, (start.0 + out, start.1), (end.0 + out, end.1), end];
    }
    let third = |t: f32| (start.0 + (end.0 - start.0) * t, start.1 + (end.1 - start.1) * t);
    match ends[0].1 {
        Side::Top | Side::Bottom => [start, third(1.0 / 3.0), third(2.0 / 3.0), end],
        Side::Left | Side::Right => {
            let reach = ((end.0 - start.0).abs() * 0.35).min(70.0) * (end.0 - start.0).signum();
            [start, (start.0 + reach, start.1), (end.0 - reach, end.1), end]
        }
    }
}

/// Places each label at the first point of its arrow where it covers nothing, or beside it. Where all are taken, the
/// picture grows: the label goes to the right of everything at its height.
fn place_labels(
    arrows: &mut [Arrow],
    mut obstacles: Vec<Rectangle>,
    (mut width, height): (f32, f32),
) -> (f32, f32) {
    // Short arrows have the least choice.
    let mut order: Vec<usize> = (0..arrows.len())
        .filter(|&index| !arrows[index].label.is_empty() && arrows[index].label_area.width == 0.0)
        .collect();
    order.sort_by(|&a, &b| length(&arrows[a]).total_cmp(&length(&arrows[b])));
    for index in order {
        let arrow = &arrows[index];
        let size = (text_width(&arrow.label) * 0.92 + 4.0, LABEL);
        let straight_down =
            (arrow.curve[0].0 - arrow.curve[3].0).abs() < 0.5 && arrow.curve[1].0 == arrow.curve[0].0;
        let free = candidates(arrow, size, straight_down).find(|area| {
            area.x >= 0.0 && area.y >= 0.0 && obstacles.iter().all(|taken| taken.overlap(*area) == 0.0)
        });
        let area = free.unwrap_or_else(|| {
            let y = at(&arrow.curve, 0.5).1 - LABEL / 2.0;
            let right = obstacles
                .iter()
                .filter(|taken| taken.y < y + LABEL && y < taken.bottom())
                .map(|taken| taken.right())
                .fold(0.0, f32::max);
            Rectangle {
                x: right + 4.0,
                y,
                width: size.0,
                height: size.1,
            }
        });
        width = width.max(area.right() + 8.0);
        obstacles.push(area);
        arrows[index].label_area = area;
    }
    (width, height)
}

fn candidates(arrow: &Arrow, size: (f32, f32), straight_down: bool) -> impl Iterator<Item = Rectangle> {
    const ALONG: [f32; 13] = [
        0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8, 0.14, 0.86, 0.08, 0.92,
    ];
    let shifts: &[(f32, f32)] = if straight_down {
        &[(0.5, 0.0), (-0.5, 0.0)]
    } else {
        &[
            (0.0, 0.0),
            (0.0, -0.8),
            (0.0, 0.8),
            (0.55, 0.0),
            (-0.55, 0.0),
            (0.0, -1.7),
            (0.0, 1.7),
        ]
    };
    let gap = if straight_down { 4.0 } else { 0.0 };
    let curve = arrow.curve;
    shifts.iter().flat_map(move |&(across, down)| {
        ALONG.iter().map(move |&t| {
            let (x, y) = at(&curve, t);
            Rectangle {
                x: x - size.0 / 2.0 + across * size.0 + gap * across.signum(),
                y: y - size.1 / 2.0 + down * size.1,
                width: size.0,
                height: size.1,
            }
        })
    })
}

/// The point at `t` from 0 to 1 of a cubic curve.
fn at(curve: &[Point; 4], t: f32) -> Point {
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    let sum = |part: fn(&Point) -> f32| curve.iter().map(part).zip(weights).map(|(p, w)| p * w).sum();
    (sum(|p| p.0), sum(|p| p.1))
}

fn length(arrow: &Arrow) -> f32 {
    let [start, .., end] = arrow.curve;
    (start.0 - end.0).hypot(start.1 - end.1)
}
