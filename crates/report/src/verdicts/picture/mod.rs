//! Where everything of an execution stands: a column a process, time downwards.
//!
//! Promise: every action has a box of its own in the column of its process, in program order; an edge that goes
//! forward in the order points downwards where the edges allow it; the labels of edges overlap neither one another nor
//! a box. Limits: an edge between columns that are not neighbours passes under the boxes between them; what follows
//! from every first value being before everything is left out.
//!
//! | file | what it decides |
//! |---|---|
//! | `arrows` | which edges are drawn, and what their labels say |
//! | `levels` | the row of every action |
//! | `grid` | boxes, frames and columns |
//! | `routes` | the way of every arrow, and the place of its label |

mod arrows;
mod grid;
mod levels;
mod routes;
#[cfg(test)]
mod tests;

use crate::kit::svg::{Point, text_width};
use farside_verdicts::{Edge, Execution};

/// A picture, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// Heads of the columns: middle, name.
    pub(crate) heads: Vec<(f32, String)>,
    /// Statements of several actions.
    pub(crate) frames: Vec<Rectangle>,
    pub(crate) boxes: Vec<ActionBox>,
    pub(crate) arrows: Vec<Arrow>,
    /// What is shown, most important first.
    pub(crate) kinds: Vec<Kind>,
}

/// An area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Rectangle {
    pub(crate) fn right(self) -> f32 {
        self.x + self.width
    }

    pub(crate) fn bottom(self) -> f32 {
        self.y + self.height
    }

    pub(crate) fn middle(self) -> Point {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// The area that both share.
    pub(crate) fn overlap(self, other: Self) -> f32 {
        let across = self.right().min(other.right()) - self.x.max(other.x);
        let down = self.bottom().min(other.bottom()) - self.y.max(other.y);
        across.max(0.0) * down.max(0.0)
    }
}

/// An action as drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ActionBox {
    /// Its index in the execution.
    action: usize,
    pub(crate) area: Rectangle,
    /// The statement, on its first action.
    pub(crate) statement: String,
    pub(crate) kind: String,
    pub(crate) text: String,
    /// Whether it is on the cycle.
    pub(crate) marked: bool,
}

impl ActionBox {
    /// The index of the action in the execution.
    pub(crate) fn action(&self) -> usize {
        self.action
    }
}

/// An edge as drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrow {
    /// Start, two controls, end.
    pub(crate) curve: [Point; 4],
    pub(crate) kind: Kind,
    pub(crate) label: String,
    /// Where the label stands.
    pub(crate) label_area: Rectangle,
    /// Indices of the actions between which it is; none if it comes from a first value without a box.
    ends: Option<[usize; 2]>,
    /// For who points at it: from, to, and what.
    pub(crate) title: String,
}

impl Arrow {
    /// Indices of the actions between which it is; none if it comes from a first value without a box.
    pub(crate) fn ends(&self) -> Option<[usize; 2]> {
        self.ends
    }
}

/// How an arrow looks. In this order one hides another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Cycle,
    ReadsFrom,
    Consistency,
    Synchronisation,
    HappensBefore,
    ProgramOrder,
    Other,
}

impl Kind {
    pub(crate) fn of(relation: &str) -> Self {
        match relation {
            "rf" => Self::ReadsFrom,
            "co" => Self::Consistency,
            "so" => Self::Synchronisation,
            "hb" => Self::HappensBefore,
            "po" => Self::ProgramOrder,
            _ => Self::Other,
        }
    }

    /// Name of its style.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Cycle => "cycle",
            Self::ReadsFrom => "rf",
            Self::Consistency => "co",
            Self::Synchronisation => "so",
            Self::HappensBefore => "hb",
            Self::ProgramOrder => "po",
            Self::Other => "other",
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Cycle => "cycle",
            Self::ReadsFrom => "rf: reads from",
            Self::Consistency => "co: consistency order",
            Self::Synchronisation => "so: synchronisation",
            Self::HappensBefore => "hb: happens before",
            Self::ProgramOrder => "po: program order",
            Self::Other => "other",
        }
    }
}

/// Lays out an execution, with the edges of a cycle marked.
pub(crate) fn picture(execution: &Execution, cycle: &[Edge]) -> Picture {
    let drawn = arrows::choose(execution, cycle);
    let rows = levels::levels(execution, &drawn);
    let grid = grid::Grid::new(execution, &drawn, &rows);
    routes::draw(execution, &drawn, grid)
}
