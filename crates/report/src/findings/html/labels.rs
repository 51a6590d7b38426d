//! The words beside the marks of a timeline: on the right where they fit, on the left where they do not, and once for
//! a whole row where many ranks make the same call in narrow lanes.

use super::grid::Grid;
use super::shown;
use crate::findings::phrases;
use crate::kit::visible::shortened;
use farside_findings::{LaneEvent, Timeline};

/// Width of a character.
const CHARACTER: f32 = 7.3;
/// Distance between a mark and its words.
const GAP: f32 = 16.0;
/// From the middle of a mark down to the base of words beside it.
const BESIDE: f32 = 4.0;
/// The same where lines to other lanes may leave the mark.
const ABOVE_LINES: f32 = -3.0;
/// The same for words above the marks of a row.
const ABOVE_MARKS: f32 = -9.0;

/// Words beside a mark.
#[derive(Default)]
pub(super) struct Label {
    pub(super) x: f32,
    /// From the middle of the mark down to the base of the words.
    pub(super) below: f32,
    /// Whether the words end at `x` instead of starting there.
    pub(super) ends: bool,
    pub(super) text: String,
    pub(super) place: String,
}

/// Width of so many characters.
pub(super) fn width_of(characters: usize) -> f32 {
    characters as f32 * CHARACTER + 4.0
}

/// The words of an event whose mark is at `x`; `beside` is where the bars next to it end.
pub(super) fn of_event(
    grid: &Grid,
    timeline: &Timeline,
    lane: usize,
    event: &LaneEvent,
    x: f32,
    beside: f32,
) -> Label {
    let text = shown(&event.label);
    let place = event.place.as_ref().map(phrases::short_place).unwrap_or_default();
    if width_of(text.chars().count() + place.chars().count() + 1) > grid.pitch - GAP {
        match first_of_same_call(timeline, lane, event) {
            Some(first) if first < lane => return Label::default(),
            Some(_) => {
                return Label {
                    x: x - GAP / 2.0,
                    below: ABOVE_MARKS,
                    ends: false,
                    text: shortened(&text, 40),
                    place,
                };
            }
            None => {}
        }
    }
    let below = if timeline.lanes.len() == 1 {
        BESIDE
    } else {
        ABOVE_LINES
    };
    let free = free_space(grid, timeline, lane, event.order, beside);
    Label {
        below,
        ..fitted(x, beside, free, &text, place)
    }
}

/// The words of the suggested change, which has its row for itself.
pub(super) fn of_suggestion(grid: &Grid, x: f32, change: &str) -> Label {
    fitted(x, x, (x - GAP, grid.width - x - GAP), change, String::new())
}

/// Words at the side where they fit; if they fit nowhere, cut, at the wider side.
fn fitted(x: f32, beside: f32, (left, right): (f32, f32), text: &str, place: String) -> Label {
    let length = text.chars().count();
    let needed = width_of(
        length
            + if place.is_empty() {
                0
            } else {
                place.chars().count() + 1
            },
    );
    let ends = needed > right && left > right;
    let space = if ends { left } else { right };
    Label {
        x: if ends { x - GAP } else { beside + GAP },
        below: BESIDE,
        ends,
        text: shortened(text, (space / CHARACTER).max(3.0) as usize),
        place: if needed <= space { place } else { String::new() },
    }
}

/// Left and right space for the words of an event: up to the next event of the same row, or the edge.
fn free_space(grid: &Grid, timeline: &Timeline, lane: usize, order: u32, beside: f32) -> (f32, f32) {
    let taken = |other: &usize| {
        timeline.lanes[*other]
            .events
            .iter()
            .any(|event| event.order == order)
    };
    let right = (lane + 1..timeline.lanes.len())
        .find(taken)
        .map_or(grid.width, |other| grid.lane_x(other) - GAP);
    // The left neighbour's words stand on its right, so half of the space is left for these.
    let left = (0..lane)
        .rev()
        .find(taken)
        .map_or(0.0, |other| (grid.lane_x(lane) + grid.lane_x(other)) / 2.0);
    (grid.lane_x(lane) - left - GAP, right - beside - GAP)
}

/// The first lane that has the same call in the same row, if there are several: a collective call.
fn first_of_same_call(timeline: &Timeline, lane: usize, event: &LaneEvent) -> Option<usize> {
    let same = |other: &LaneEvent| other.order == event.order && other.label == event.label;
    let mut lanes = (0..timeline.lanes.len()).filter(|lane| timeline.lanes[*lane].events.iter().any(same));
    let first = lanes.next()?;
    (first < lane || lanes.next().is_some()).then_some(first)
}
