//! Where everything stands in the picture of a timeline: ranks from left to right, time downwards, a row an event.
//!
//! Rows are the distinct positions of the timeline's order, so gaps in it cost no space. Two rows are added: one for
//! the suggested call, in the lane and at the position where it belongs, and one for the words on the missing order,
//! just before the later access, so that they cover no label. Operations that are open at the same time in one lane
//! stand side by side.

use super::shown;
use crate::{Finding, Lane, LaneEvent, Place, Rule, Timeline, phrases};
use std::collections::{BTreeMap, BTreeSet};

/// Height of a row.
pub(super) const ROW: f32 = 30.0;
/// Width of a character of a label.
const CHARACTER: f32 = 7.3;
/// Distance between operations that are open side by side.
const SLOT: f32 = 12.0;
/// Distance between a mark and its words.
const GAP: f32 = 16.0;
/// Free space beside the lanes.
const MARGIN: f32 = 76.0;
const HEADER: f32 = 52.0;
const WIDTH: f32 = 1080.0;
/// From here on, operations open at the same time share their place.
const SLOTS: usize = 5;

/// The picture, in the units of its view box.
pub(super) struct Layout {
    pub(super) width: f32,
    pub(super) height: f32,
    /// End of the lanes.
    pub(super) bottom: f32,
    /// Rank and position of each lane.
    pub(super) lanes: Vec<(u32, f32)>,
    pub(super) events: Vec<Event>,
    pub(super) arrows: Vec<Link>,
    /// From a mark down to the base of its words: above the lines that leave the mark, if there are any.
    pub(super) words_below: f32,
    pub(super) missing: Option<Missing>,
    pub(super) suggested: Option<Suggested>,
}

/// An event in a lane.
pub(super) struct Event {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) party: Option<u32>,
    pub(super) shape: Shape,
    pub(super) label: Label,
    /// The label in full, with its place.
    pub(super) title: String,
}

/// What an event looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// A call that synchronises.
    Tick,
    /// A load, a store, or another access that is over at once.
    Point,
    /// An operation, to its completion.
    Bar { until: f32 },
    /// An operation that is not completed, or a call that does not return.
    OpenBar,
}

/// Words beside an event.
pub(super) struct Label {
    pub(super) x: f32,
    /// Whether the words end at `x` instead of starting there.
    pub(super) ends: bool,
    pub(super) text: String,
    pub(super) place: String,
}

/// A line between two lanes.
pub(super) struct Link {
    pub(super) from: (f32, f32),
    pub(super) to: (f32, f32),
    pub(super) label: String,
}

/// The order that should be there.
pub(super) struct Missing {
    pub(super) from: (f32, f32),
    pub(super) to: (f32, f32),
    /// How far the line bends to the left; 0 between different lanes.
    pub(super) bend: f32,
    /// Left end, middle height and width of the words.
    pub(super) words_at: (f32, f32, f32),
    pub(super) words: &'static str,
}

/// The call to insert.
pub(super) struct Suggested {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) label: Label,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Order(u32),
    Suggestion,
    MissingOrder,
}

/// An event of the timeline, and the lane that it stands in.
#[derive(Clone, Copy)]
struct Found<'a> {
    lane: usize,
    event: &'a LaneEvent,
}

pub(super) fn layout(finding: &Finding, timeline: &Timeline) -> Layout {
    let count = timeline.lanes.len().max(1);
    let pitch = ((WIDTH - 2.0 * MARGIN) / count as f32).clamp(64.0, 330.0);
    let lane_x = |lane: usize| MARGIN + lane as f32 * pitch;
    let width = (lane_x(count) + MARGIN).max(if count == 1 { 640.0 } else { 0.0 });
    let parties = [party_event(timeline, 0), party_event(timeline, 1)];
    let unordered = match (&finding.missing, parties) {
        (Some(missing), [Some(first), Some(second)]) => Some((missing, first, second)),
        _ => None,
    };
    let (rows, suggestion_lane) = rows(
        finding,
        timeline,
        unordered.map(|(_, first, second)| (first, second)),
    );
    let y_of: BTreeMap<u32, f32> = rows
        .iter()
        .enumerate()
        .filter_map(|(index, row)| match row {
            Row::Order(order) => Some((*order, row_y(index))),
            _ => None,
        })
        .collect();
    let y_of_row = |wanted: Row| rows.iter().position(|row| *row == wanted).map(row_y);
    let bottom = row_y(rows.len()) - ROW / 4.0;

    let mut events = Vec::new();
    // Position of each event, for arrows.
    let mut event_x = BTreeMap::new();
    for (lane_index, lane) in timeline.lanes.iter().enumerate() {
        let slots = slots(finding, lane);
        for (event, slot) in lane.events.iter().zip(&slots) {
            let y = y_of[&event.order];
            let shape = match event.open_until {
                Some(until) if until > event.order => Shape::Bar { until: y_of[&until] },
                None if stays_open(finding, event) => Shape::OpenBar,
                _ if is_access(event) => Shape::Point,
                _ => Shape::Tick,
            };
            let x = lane_x(lane_index) + slot.own as f32 * SLOT;
            event_x.insert((lane.rank, event.order), x);
            let label_from = lane_x(lane_index) + slot.last as f32 * SLOT;
            let place = event.place.as_ref().map(phrases::short_place).unwrap_or_default();
            let free = free_space(timeline, lane_index, event.order, pitch, width, label_from);
            let title = match &event.place {
                Some(full) => format!("{} at {}", shown(&event.label), phrases::place(full)),
                None => shown(&event.label),
            };
            let label = label(label_from, x, free, &shown(&event.label), &place);
            events.push(Event {
                x,
                y,
                party: event.party,
                shape,
                label,
                title,
            });
        }
    }

    let point = |(rank, order): (u32, u32)| {
        let lane = timeline.lanes.iter().position(|lane| lane.rank == rank)?;
        let x = event_x
            .get(&(rank, order))
            .copied()
            .unwrap_or_else(|| lane_x(lane));
        Some((x, *y_of.get(&order)?))
    };
    let arrows = timeline.arrows.iter().filter_map(|arrow| {
        Some(Link {
            from: point(arrow.from)?,
            to: point(arrow.to)?,
            label: shown(&arrow.label),
        })
    });
    let missing = unordered.and_then(|(missing, first, second)| {
        let at = |found: Found<'_>| point((timeline.lanes[found.lane].rank, found.event.order));
        let words = phrases::missing(missing);
        missing_order(
            at(first)?,
            at(second)?,
            pitch,
            width,
            y_of_row(Row::MissingOrder)?,
            words,
        )
    });
    let suggested = suggestion_lane.and_then(|lane| {
        let call = shown(&finding.suggestion.as_ref()?.call);
        let (x, y) = (lane_x(lane), y_of_row(Row::Suggestion)?);
        let free = (x, width - x - GAP);
        Some(Suggested {
            x,
            y,
            label: label(x, x, free, &format!("insert {call}"), ""),
        })
    });
    Layout {
        width,
        height: bottom + 26.0,
        bottom,
        lanes: timeline
            .lanes
            .iter()
            .enumerate()
            .map(|(index, lane)| (lane.rank, lane_x(index)))
            .collect(),
        arrows: arrows.collect(),
        words_below: if timeline.arrows.is_empty() { 4.0 } else { -3.0 },
        events,
        missing,
        suggested,
    }
}

fn row_y(index: usize) -> f32 {
    HEADER + ROW * (index as f32 + 0.5)
}

fn party_event(timeline: &Timeline, party: u32) -> Option<Found<'_>> {
    let mut all = timeline
        .lanes
        .iter()
        .enumerate()
        .flat_map(|(lane, content)| content.events.iter().map(move |event| Found { lane, event }));
    all.find(|found| found.event.party == Some(party))
}

/// All rows from top to bottom, and the lane of the suggested call.
fn rows(
    finding: &Finding,
    timeline: &Timeline,
    unordered: Option<(Found<'_>, Found<'_>)>,
) -> (Vec<Row>, Option<usize>) {
    let events = || timeline.lanes.iter().flat_map(|lane| &lane.events);
    let mut orders: BTreeSet<u32> = events().map(|event| event.order).collect();
    orders.extend(events().filter_map(|event| event.open_until));
    let mut rows: Vec<Row> = orders.into_iter().map(Row::Order).collect();
    let position =
        |rows: &[Row], order: u32| rows.iter().position(|row| *row == Row::Order(order)).unwrap_or(0);
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
    let at = |place: &Option<Place>| event_at(timeline, place.as_ref()?);
    if let Some(found) = at(&suggestion.after) {
        rows.insert(position(&rows, found.event.order) + 1, Row::Suggestion);
        (rows, Some(found.lane))
    } else if let Some(found) = at(&suggestion.before) {
        rows.insert(position(&rows, found.event.order), Row::Suggestion);
        (rows, Some(found.lane))
    } else {
        (rows, None)
    }
}

/// The event at a source line; a party of the finding is preferred to another visit of the same line.
fn event_at<'a>(timeline: &'a Timeline, place: &Place) -> Option<Found<'a>> {
    let same_line = |event: &LaneEvent| {
        event
            .place
            .as_ref()
            .is_some_and(|known| known.file == place.file && known.line == place.line)
    };
    let all = timeline
        .lanes
        .iter()
        .enumerate()
        .flat_map(|(lane, content)| content.events.iter().map(move |event| Found { lane, event }));
    all.filter(|found| same_line(found.event))
        .min_by_key(|found| (found.event.party.unwrap_or(u32::MAX), found.event.order))
}

/// The place of an event among the operations open beside it, and the outermost place taken in its row.
struct Slot {
    own: usize,
    last: usize,
}

fn slots(finding: &Finding, lane: &Lane) -> Vec<Slot> {
    let end = |event: &LaneEvent| match event.open_until {
        Some(until) => until.max(event.order),
        None if stays_open(finding, event) => u32::MAX,
        None => event.order,
    };
    // Per place, the row up to which it is taken.
    let mut taken: [Option<u32>; SLOTS] = [None; SLOTS];
    let mut slots = Vec::new();
    for event in &lane.events {
        let is_bar = end(event) > event.order;
        let is_taken = |until: &Option<u32>| until.is_some_and(|until| until > event.order);
        let free = taken
            .iter()
            .position(|until| !is_taken(until))
            .unwrap_or(SLOTS - 1);
        let own = if is_bar { free } else { 0 };
        let outermost = taken.iter().rposition(is_taken).unwrap_or(0);
        if is_bar {
            taken[own] = Some(end(event));
        }
        slots.push(Slot {
            own,
            last: outermost.max(own),
        });
    }
    slots
}

/// Left and right space for the label of an event: up to the next event of the same row, or the edge.
fn free_space(timeline: &Timeline, lane: usize, order: u32, pitch: f32, width: f32, from: f32) -> (f32, f32) {
    let taken = |other: &&usize| {
        timeline.lanes[**other]
            .events
            .iter()
            .any(|event| event.order == order)
    };
    let others: Vec<usize> = (0..timeline.lanes.len()).filter(|other| *other != lane).collect();
    let x = MARGIN + lane as f32 * pitch;
    let right = others.iter().filter(|other| **other > lane).find(taken);
    let left = others.iter().rev().filter(|other| **other < lane).find(taken);
    let right_end = right.map_or(width, |other| MARGIN + *other as f32 * pitch - GAP);
    // The neighbour's label stands on its right, so half of the space is left for this one.
    let left_end = left.map_or(0.0, |other| (x + MARGIN + *other as f32 * pitch) / 2.0);
    (x - left_end - GAP, right_end - from - GAP)
}

/// Words at the side where they fit; on the right if they fit nowhere, cut.
fn label(right_from: f32, x: f32, (left, right): (f32, f32), text: &str, place: &str) -> Label {
    let length = text.chars().count() as f32;
    let with_place = length
        + if place.is_empty() {
            0.0
        } else {
            place.chars().count() as f32 + 1.0
        };
    let needed = |characters: f32| characters * CHARACTER + 4.0;
    let ends = needed(with_place) > right && left > right;
    let space = if ends { left } else { right };
    let place = if needed(with_place) <= space {
        place.to_owned()
    } else {
        String::new()
    };
    let room = (space / CHARACTER).max(3.0) as usize;
    let text = crate::visible::shortened(text, room);
    Label {
        x: if ends { x - GAP } else { right_from + GAP },
        ends,
        text,
        place,
    }
}

fn missing_order(
    from: (f32, f32),
    to: (f32, f32),
    pitch: f32,
    width: f32,
    words_y: f32,
    words: &'static str,
) -> Option<Missing> {
    let same_lane = (from.0 - to.0).abs() < pitch / 2.0;
    let bend = if same_lane { (pitch * 0.6).min(56.0) } else { 0.0 };
    let words_width = words.chars().count() as f32 * CHARACTER + 20.0;
    let along = if (to.1 - from.1).abs() < 1.0 {
        0.5
    } else {
        (words_y - from.1) / (to.1 - from.1)
    };
    let middle = from.0 + (to.0 - from.0) * along - bend * 0.75;
    let left = (middle - words_width / 2.0).clamp(4.0, (width - words_width - 4.0).max(4.0));
    Some(Missing {
        from,
        to,
        bend,
        words_at: (left, words_y, words_width),
        words,
    })
}

/// Whether an event without completion is an operation still open, or a call that never returned, and not an event
/// that is over at once. The data does not tell them apart; the names of MPI's communication calls do.
fn stays_open(finding: &Finding, event: &LaneEvent) -> bool {
    let blocked = finding.rule == Rule::Deadlock && event.party.is_some();
    let call = event.label.split_whitespace().next().unwrap_or_default();
    blocked || event.open_until.is_none() && OPERATIONS.contains(&call)
}

/// The calls whose operations stay open after they return (MPI-4.1 §12.3).
const OPERATIONS: [&str; 10] = [
    "MPI_Put",
    "MPI_Get",
    "MPI_Accumulate",
    "MPI_Get_accumulate",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "MPI_Rput",
    "MPI_Rget",
    "MPI_Raccumulate",
    "MPI_Rget_accumulate",
];

fn is_access(event: &LaneEvent) -> bool {
    !event.label.starts_with("MPI_")
}
