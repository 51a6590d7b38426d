//! Boxes, frames and columns.

use super::arrows::Drawn;
use super::{ActionBox, Rectangle, text_width};
use farside_verdicts::{Action, Execution};
use std::collections::BTreeMap;

/// Height of a line of text in a box.
const LINE: f32 = 15.0;
/// Between rows: room for an arrow and its label.
const ROW_GAP: f32 = 30.0;
/// Above the first row: heads of columns.
const TOP: f32 = 48.0;
/// Distance of two arcs at the side of a column.
pub(super) const LANE: f32 = 20.0;
/// From a column to the first arc beside it.
pub(super) const FIRST_LANE: f32 = 26.0;

/// Where the boxes are.
pub(super) struct Grid {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) heads: Vec<(f32, String)>,
    pub(super) frames: Vec<Rectangle>,
    /// One an action; none for those that are not drawn.
    pub(super) boxes: Vec<Option<ActionBox>>,
    /// Number of the column of each action, from the left.
    pub(super) columns: Vec<usize>,
    /// For each arrow within a column that does not lead straight down: how far out it goes.
    pub(super) lanes: Vec<Option<usize>>,
}

impl Grid {
    pub(super) fn new(execution: &Execution, drawn: &Drawn, rows: &[usize]) -> Self {
        let names: BTreeMap<Option<u32>, usize> = columns(execution, drawn);
        let column_of: Vec<usize> = execution
            .actions
            .iter()
            .map(|action| names.get(&action.process).copied().unwrap_or(0))
            .collect();
        let statements: Vec<String> = (0..execution.actions.len())
            .map(|index| statement(&execution.actions, index))
            .collect();
        let lanes = lanes(drawn, &column_of, rows);
        let heights = row_tops(drawn, rows, &statements);
        let (lefts, widths, width) =
            column_lefts(execution, drawn, &column_of, &statements, &lanes, names.len());

        let boxes: Vec<Option<ActionBox>> = (0..execution.actions.len())
            .map(|index| {
                drawn.shown[index].then(|| {
                    let action = &execution.actions[index];
                    let column = column_of[index];
                    let area = Rectangle {
                        x: lefts[column],
                        y: heights[rows[index]],
                        width: widths[column],
                        height: box_height(&statements[index]),
                    };
                    ActionBox {
                        action: index,
                        area,
                        statement: statements[index].clone(),
                        kind: action.kind.clone(),
                        text: action.text.clone(),
                        marked: drawn.marked[index],
                    }
                })
            })
            .collect();
        let bottom = boxes
            .iter()
            .flatten()
            .map(|b| b.area.bottom())
            .fold(TOP, f32::max);
        let heads = names
            .iter()
            .map(|(process, &column)| {
                let name = process.map_or_else(|| "first values".to_owned(), |rank| format!("P{rank}"));
                (lefts[column] + widths[column] / 2.0, name)
            })
            .collect();
        Self {
            width,
            height: bottom + 16.0,
            heads,
            frames: frames(&execution.actions, &boxes),
            boxes,
            columns: column_of,
            lanes,
        }
    }
}

/// Columns from the left: first values if any are drawn, then the processes.
fn columns(execution: &Execution, drawn: &Drawn) -> BTreeMap<Option<u32>, usize> {
    let mut names: Vec<Option<u32>> = (execution.actions.iter().zip(&drawn.shown))
        .filter(|(_, shown)| **shown)
        .map(|(action, _)| action.process)
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().zip(0..).collect()
}

/// The statement that a box names: that of the first of neighbouring actions with the same one.
fn statement(actions: &[Action], index: usize) -> String {
    let action = &actions[index];
    let same_as_before = index > 0 && {
        let before = &actions[index - 1];
        before.process == action.process
            && before.statement == action.statement
            && before.source == action.source
    };
    if same_as_before {
        String::new()
    } else {
        action.source.clone()
    }
}

fn box_height(statement: &str) -> f32 {
    if statement.is_empty() {
        LINE + 8.0
    } else {
        2.0 * LINE + 10.0
    }
}

fn row_tops(drawn: &Drawn, rows: &[usize], statements: &[String]) -> Vec<f32> {
    let mut heights = vec![0.0_f32; rows.iter().max().map_or(0, |last| last + 1)];
    for (index, &row) in rows.iter().enumerate().filter(|(i, _)| drawn.shown[*i]) {
        heights[row] = heights[row].max(box_height(&statements[index]));
    }
    let mut y = TOP;
    heights
        .into_iter()
        .map(|height| {
            let top = y;
            y += height + ROW_GAP;
            top
        })
        .collect()
}

/// Left edge and width of each column, and the width of the whole.
fn column_lefts(
    execution: &Execution,
    drawn: &Drawn,
    column_of: &[usize],
    statements: &[String],
    lanes: &[Option<usize>],
    count: usize,
) -> (Vec<f32>, Vec<f32>, f32) {
    let mut widths = vec![96.0_f32; count];
    for (index, action) in execution
        .actions
        .iter()
        .enumerate()
        .filter(|(i, _)| drawn.shown[*i])
    {
        let line = text_width(&action.kind) + 8.0 + text_width(&action.text);
        let needed = line.max(text_width(&statements[index])) + 20.0;
        widths[column_of[index]] = widths[column_of[index]].max(needed);
    }
    // Beside each column: its arcs, and room for labels of arrows to the next one.
    let mut beside = vec![0.0_f32; count];
    for (arrow, lane) in drawn.arrows.iter().zip(lanes) {
        let label = text_width(&arrow.label) + 12.0;
        let (from, to) = (column_of[arrow.from], column_of[arrow.to]);
        if let Some(lane) = lane {
            let needed = FIRST_LANE + *lane as f32 * LANE + label / 2.0;
            beside[from] = beside[from].max(needed);
        } else if from != to {
            let left = from.min(to);
            beside[left] = beside[left].max(label + 40.0);
        }
    }
    let stub = |column: usize| {
        let reads_first = (0..column_of.len()).any(|i| column_of[i] == column && drawn.reads_first[i]);
        if reads_first { 72.0 } else { 16.0 }
    };
    let mut x = 0.0;
    let mut lefts = Vec::new();
    for column in 0..count {
        let between = if column == 0 { 0.0 } else { 40.0 };
        x += stub(column) + between;
        lefts.push(x);
        x += widths[column] + beside[column];
    }
    (lefts, widths, x + 16.0)
}

/// Arcs at the right side of a column, the shorter ones inside.
fn lanes(drawn: &Drawn, column_of: &[usize], rows: &[usize]) -> Vec<Option<usize>> {
    let mut lanes = vec![None; drawn.arrows.len()];
    let straight = |from: usize, to: usize| {
        rows[from] < rows[to]
            && !(0..rows.len()).any(|other| {
                drawn.shown[other]
                    && column_of[other] == column_of[from]
                    && (rows[from] + 1..rows[to]).contains(&rows[other])
            })
    };
    let mut arcs: Vec<usize> = (0..drawn.arrows.len())
        .filter(|&index| {
            let arrow = &drawn.arrows[index];
            column_of[arrow.from] == column_of[arrow.to] && !straight(arrow.from, arrow.to)
        })
        .collect();
    let span = |index: usize| {
        let arrow = &drawn.arrows[index];
        let (a, b) = (rows[arrow.from], rows[arrow.to]);
        (a.min(b), a.max(b))
    };
    arcs.sort_by_key(|&index| (span(index).1 - span(index).0, index));
    for (place, &index) in arcs.iter().enumerate() {
        let column = column_of[drawn.arrows[index].from];
        let (top, bottom) = span(index);
        let taken = |lane: usize| {
            arcs[..place].iter().any(|&other| {
                let (other_top, other_bottom) = span(other);
                lanes[other] == Some(lane)
                    && column_of[drawn.arrows[other].from] == column
                    && other_top < bottom
                    && top < other_bottom
            })
        };
        let free = (0..).find(|&lane| !taken(lane));
        lanes[index] = free;
    }
    lanes
}

/// Around statements of several actions.
fn frames(actions: &[Action], boxes: &[Option<ActionBox>]) -> Vec<Rectangle> {
    let mut frames = Vec::new();
    let mut start = 0;
    while start < actions.len() {
        let mut end = start + 1;
        while end < actions.len() && !actions[end].source.is_empty() && statement(actions, end).is_empty() {
            end += 1;
        }
        if let (true, Some(first), Some(last)) = (end - start > 1, &boxes[start], &boxes[end - 1]) {
            frames.push(Rectangle {
                x: first.area.x - 5.0,
                y: first.area.y - 5.0,
                width: first.area.width + 10.0,
                height: last.area.bottom() - first.area.y + 10.0,
            });
        }
        start = end;
    }
    frames
}
