//! The columns and rows of a picture, and which events make rows.

use farside_findings::{Action, Finding, LaneEvent, Place, Timeline};
use std::collections::{BTreeMap, BTreeSet};

/// Height of a row.
pub(super) const ROW: f32 = 30.0;
/// Height of the ranks' names.
const HEADER: f32 = 52.0;
/// Free space beside the lanes.
const MARGIN: f32 = 76.0;
/// Width that a page has for a picture.
const WIDTH: f32 = 1080.0;

/// The columns and rows of a picture.
pub(in crate::findings::html) struct Grid {
    /// Distance between lanes.
    pub(in crate::findings::html) pitch: f32,
    pub(in crate::findings::html) width: f32,
    pub(super) rows: Vec<Row>,
    order_y: BTreeMap<u32, f32>,
}

impl Grid {
    pub(super) fn new(lanes: usize, rows: Vec<Row>) -> Self {
        let pitch = ((WIDTH - 2.0 * MARGIN) / lanes.max(1) as f32).clamp(58.0, 330.0);
        // A single lane needs room for words on its right.
        let width = (2.0 * MARGIN + lanes as f32 * pitch).max(640.0);
        let order_y = rows.iter().enumerate().filter_map(|(index, row)| match row {
            Row::Order(order) => Some((*order, row_y(index))),
            _ => None,
        });
        Grid {
            pitch,
            width,
            order_y: order_y.collect(),
            rows,
        }
    }

    pub(in crate::findings::html) fn lane_x(&self, lane: usize) -> f32 {
        MARGIN + lane as f32 * self.pitch
    }

    /// Height of an order that has a row; all that the timeline's events name have one.
    pub(super) fn order_y(&self, order: u32) -> f32 {
        self.order_y.get(&order).copied().unwrap_or(HEADER)
    }

    pub(super) fn row(&self, wanted: Row) -> Option<f32> {
        self.rows.iter().position(|row| *row == wanted).map(row_y)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    Order(u32),
    Suggestion,
    MissingOrder,
}

pub(super) fn row_y(index: usize) -> f32 {
    HEADER + ROW * (index as f32 + 0.5)
}

/// An event of the timeline, and the lane that it stands in.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    lane: usize,
    event: &'a LaneEvent,
}

impl Found<'_> {
    pub(super) fn mark(self, timeline: &Timeline) -> (u32, u32) {
        (timeline.lanes[self.lane].rank, self.event.order)
    }
}

fn all_events(timeline: &Timeline) -> impl Iterator<Item = Found<'_>> {
    let lanes = timeline.lanes.iter().enumerate();
    lanes.flat_map(|(lane, content)| content.events.iter().map(move |event| Found { lane, event }))
}

pub(super) fn party_event(timeline: &Timeline, party: usize) -> Option<Found<'_>> {
    all_events(timeline).find(|found| found.event.party.is_some_and(|known| known as usize == party))
}

/// The event at a source line; a party of the finding is preferred to another visit of the same line.
fn event_at<'a>(timeline: &'a Timeline, place: &Option<Place>) -> Option<Found<'a>> {
    let wanted = place.as_ref()?;
    let same_line = |found: &Found<'_>| {
        let known = found.event.place.as_ref();
        known.is_some_and(|known| known.file == wanted.file && known.line == wanted.line)
    };
    let preference = |found: &Found<'_>| (found.event.party.unwrap_or(u32::MAX), found.event.order);
    all_events(timeline).filter(same_line).min_by_key(preference)
}

/// All rows from top to bottom, and the lane of the suggested call.
pub(super) fn rows(
    finding: &Finding,
    timeline: &Timeline,
    unordered: Option<(Found<'_>, Found<'_>)>,
) -> (Vec<Row>, Option<usize>) {
    let mut orders: BTreeSet<u32> = all_events(timeline).map(|found| found.event.order).collect();
    orders.extend(all_events(timeline).filter_map(|found| found.event.open_until));
    let mut rows: Vec<Row> = orders.into_iter().map(Row::Order).collect();
    let position = |rows: &[Row], order| rows.iter().position(|row| *row == Row::Order(order)).unwrap_or(0);
    if let Some((first, second)) = unordered {
        let later = first.event.order.max(second.event.order);
        rows.insert(position(&rows, later), Row::MissingOrder);
    }
    let Some(suggestion) = finding
        .suggestion
        .as_ref()
        .filter(|suggestion| !suggestion.call.is_empty())
    else {
        return (rows, None);
    };
    // What is replaced is told where it stands.
    let beside = |place| event_at(timeline, place).filter(|_| suggestion.action != Action::Replace);
    let (found, below) = match (beside(&suggestion.after), beside(&suggestion.before)) {
        (Some(after), _) => (after, 1),
        (None, Some(before)) => (before, 0),
        (None, None) => match event_at(timeline, &suggestion.at) {
            Some(changed) => (changed, 0),
            None => return (rows, None),
        },
    };
    rows.insert(position(&rows, found.event.order) + below, Row::Suggestion);
    (rows, Some(found.lane))
}
