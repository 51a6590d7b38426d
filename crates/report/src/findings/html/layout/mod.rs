//! Where everything stands in the picture of a timeline: ranks from left to right, time downwards, a row an event.
//!
//! Rows are the distinct positions of the timeline's order, so gaps in it cost no space. Two rows are added: one for
//! the suggested call, in the lane and at the position where it belongs, and one for the words on the missing order,
//! just before the later access, so that they cover no label. Operations that are open at the same time in one lane
//! stand side by side.
//!
//! Limit: the picture grows with the lanes; beyond some sixteen it scrolls sideways.

use super::grid::{Found, Grid, ROW, Row, party_event, row_y, rows};
use super::labels::{self, Label, width_of};
use super::shown;
use crate::findings::phrases;
use crate::findings::suggestions;
use farside_findings::{Finding, Lane, LaneEvent, Rule, Timeline};
use std::collections::BTreeMap;

/// Distance between operations that are open side by side.
const SLOT: f32 = 12.0;
/// From here on, operations open at the same time share their place.
const SLOTS: usize = 5;

/// The picture, in the units of its view box.
pub(super) struct Layout {
    pub(super) grid: Grid,
    pub(super) height: f32,
    /// End of the lanes.
    pub(super) bottom: f32,
    /// Whose each lane is, and its position.
    pub(super) lanes: Vec<(Head, f32)>,
    pub(super) events: Vec<Event>,
    pub(super) arrows: Vec<Link>,
    /// For a deadlock: from each call that waits to the call in which its target waits.
    pub(super) waits: Vec<Link>,
    pub(super) missing: Option<Missing>,
    pub(super) suggested: Option<Suggested>,
}

/// Whose a lane is: the rank, and its host where there are several.
pub(super) type Head = (u32, Option<String>);

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

/// A line between two events.
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

pub(super) fn layout(finding: &Finding, timeline: &Timeline) -> Layout {
    let unordered = match (
        &finding.missing,
        party_event(timeline, 0),
        party_event(timeline, 1),
    ) {
        (Some(missing), Some(first), Some(second)) => Some((missing, first, second)),
        _ => None,
    };
    let (rows, suggestion_lane) = rows(
        finding,
        timeline,
        unordered.map(|(_, first, second)| (first, second)),
    );
    let grid = Grid::new(timeline.lanes.len(), rows);
    let waits = waits(finding, timeline);
    // Room for the bows of a cycle.
    let bottom = row_y(grid.rows.len()) + if waits.is_empty() { -ROW / 4.0 } else { ROW / 2.0 };
    // Where each event is, by rank and order.
    let mut marks = BTreeMap::new();
    let mut events = Vec::new();
    for (index, lane) in timeline.lanes.iter().enumerate() {
        for (event, slot) in lane.events.iter().zip(slots(finding, lane)) {
            let (x, y) = (
                grid.lane_x(index) + slot.own as f32 * SLOT,
                grid.order_y(event.order),
            );
            marks.insert((lane.rank, event.order), (x, y));
            let beside = grid.lane_x(index) + slot.last as f32 * SLOT;
            events.push(Event {
                x,
                y,
                party: event.party,
                shape: shape(finding, event, &grid),
                label: labels::of_event(&grid, timeline, index, event, x, beside),
                title: match &event.place {
                    Some(place) => format!("{} at {}", shown(&event.label), phrases::place(place)),
                    None => shown(&event.label),
                },
            });
        }
    }
    let link = |from, to, label| {
        Some(Link {
            from: *marks.get(&from)?,
            to: *marks.get(&to)?,
            label,
        })
    };
    let missing = unordered.and_then(|(missing, first, second)| {
        let mark = |found: Found<'_>| marks.get(&found.mark(timeline)).copied();
        missing_order(mark(first)?, mark(second)?, &grid, phrases::missing(missing))
    });
    let suggested = suggestion_lane.and_then(|lane| {
        let (x, y) = (grid.lane_x(lane), grid.row(Row::Suggestion)?);
        let change = phrases::plain(suggestions::change(finding.suggestion.as_ref()?));
        Some(Suggested {
            x,
            y,
            label: labels::of_suggestion(&grid, x, &change),
        })
    });
    Layout {
        height: bottom + 14.0,
        bottom,
        lanes: timeline
            .lanes
            .iter()
            .enumerate()
            .map(|(index, lane)| ((lane.rank, lane.host.clone()), grid.lane_x(index)))
            .collect(),
        arrows: timeline
            .arrows
            .iter()
            .filter_map(|a| link(a.from, a.to, shown(&a.label)))
            .collect(),
        waits: waits
            .into_iter()
            .filter_map(|(a, b)| link(a, b, String::new()))
            .collect(),
        events,
        missing,
        suggested,
        grid,
    }
}

/// The place of an event among the operations open beside it, and the outermost place taken in its row.
struct Slot {
    own: usize,
    last: usize,
}

fn slots(finding: &Finding, lane: &Lane) -> Vec<Slot> {
    // Per place, the row up to which it is taken.
    let mut taken: [Option<u32>; SLOTS] = [None; SLOTS];
    let place = |event: &LaneEvent| {
        let end = match event.open_until {
            None if stays_open(finding, event) => u32::MAX,
            until => until.unwrap_or(event.order),
        };
        let is_taken = |until: &Option<u32>| until.is_some_and(|until| until > event.order);
        let outermost = taken.iter().rposition(is_taken).unwrap_or(0);
        let is_bar = end > event.order;
        let free = taken
            .iter()
            .position(|until| !is_taken(until))
            .unwrap_or(SLOTS - 1);
        let own = if is_bar { free } else { 0 };
        if is_bar {
            taken[own] = Some(end);
        }
        Slot {
            own,
            last: outermost.max(own),
        }
    };
    lane.events.iter().map(place).collect()
}

fn shape(finding: &Finding, event: &LaneEvent, grid: &Grid) -> Shape {
    match event.open_until {
        Some(until) if until > event.order => Shape::Bar {
            until: grid.order_y(until),
        },
        None if stays_open(finding, event) => Shape::OpenBar,
        _ if event.label.starts_with("MPI_") => Shape::Tick,
        _ => Shape::Point,
    }
}

/// Whether an event without completion is an operation still open, or a call that never returned, and not an event
/// that is over at once. The data does not tell them apart; the names of MPI's communication calls do.
fn stays_open(finding: &Finding, event: &LaneEvent) -> bool {
    let blocked = finding.rule == Rule::Deadlock && event.party.is_some();
    let call = event.label.split_whitespace().next().unwrap_or_default();
    event.open_until.is_none() && (blocked || OPERATIONS.contains(&call))
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

fn missing_order(from: (f32, f32), to: (f32, f32), grid: &Grid, words: &'static str) -> Option<Missing> {
    let y = grid.row(Row::MissingOrder)?;
    let same_lane = (from.0 - to.0).abs() < grid.pitch / 2.0;
    let bend = if same_lane {
        (grid.pitch * 0.6).min(56.0)
    } else {
        0.0
    };
    let width = width_of(words.chars().count()) + 16.0;
    let along = if (to.1 - from.1).abs() < 1.0 {
        0.5
    } else {
        (y - from.1) / (to.1 - from.1)
    };
    let middle = from.0 + (to.0 - from.0) * along - bend * 0.75;
    let left = (middle - width / 2.0).clamp(4.0, grid.width - width - 4.0);
    Some(Missing {
        from,
        to,
        bend,
        words_at: (left, y, width),
        words,
    })
}

/// Rank and order of each call that waits, and of the call in which its target waits.
fn waits(finding: &Finding, timeline: &Timeline) -> Vec<((u32, u32), (u32, u32))> {
    let blocked = |party: usize| party_event(timeline, party).map(|found| found.mark(timeline));
    let of_rank = |rank: u32| {
        finding
            .parties
            .iter()
            .position(|party| party.rank == rank)
            .and_then(blocked)
    };
    let parties = finding
        .parties
        .iter()
        .enumerate()
        .filter(|_| finding.rule == Rule::Deadlock);
    let pairs = parties.filter_map(|(index, party)| Some((blocked(index)?, of_rank(party.target?)?)));
    pairs.filter(|(waiting, awaited)| waiting != awaited).collect()
}
