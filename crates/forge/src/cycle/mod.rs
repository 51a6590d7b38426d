//! Tests by cycles: the edges of a cycle of program order and communication are given, and the test is the program
//! whose question asks for that cycle.
//!
//! Source: Alglave, Maranget, Sarkar, Sewell: *Litmus: Running Tests against Hardware* (TACAS 2011), and the tool
//! `diy` of the same authors; words for remote accesses and completion are ours, and relations have the names that the
//! model files give them (`rf`, `fr`, `co`, `po`).
//!
//! Promise: an execution with the outcome that a test asks for has the cycle, so that no sequentially consistent one
//! has it. Statements do not depend on each other: only their order decides.
//!
//! Limits: no dependencies between statements; at most two writes of a variable, for a final state shows the last of
//! several writes only.

mod edge;
mod every;
mod test;

pub use edge::{Between, Completion, Edge, EdgeError, Relation};
pub use every::every_cycle;
pub use test::Targets;

use crate::Kind;
use std::fmt;
use std::str::FromStr;

/// A cycle: edge `i` leads from event `i` to event `i + 1`, the last one back to event 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycle {
    edges: Vec<Edge>,
    events: Vec<Event>,
}

/// An access on a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    kind: Kind,
    process: usize,
    /// Locations are numbered along the cycle.
    location: usize,
}

/// Why edges are no cycle that makes a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CycleError {
    /// A word is no edge.
    #[error(transparent)]
    Edge(#[from] EdgeError),
    /// No edge, or one.
    #[error("a cycle has two edges or more")]
    Short,
    /// Nothing is communicated.
    #[error("program order alone is no cycle: add Rf, Fr or Co edges that lead back")]
    OnlyProgramOrder,
    /// Two neighbours do not fit.
    #[error(
        "`{0}` ends in {1}, but `{2}`, which follows it, begins with {3}: what is between two edges is one access"
    )]
    Neighbours(String, &'static str, String, &'static str),
    /// One edge changes the process, and none back.
    #[error("only `{0}` leads to another process: a second edge with `e` must lead back, or none may")]
    OneExternal(String),
    /// One edge changes the location, and none back.
    #[error("only `{0}` leads to another location: a second edge with `d` must lead back, or none may")]
    OneDifferent(String),
    /// The order of the writes of a location contradicts itself.
    #[error("Co, Rf and Fr edges alone make a cycle at one location: nothing has such an order of writes")]
    Contradiction,
    /// Three writes or more.
    #[error("a location is written {0} times: a final state shows the order of two writes only")]
    Writes(usize),
    /// Two processes would load or store one location.
    #[error(
        "process {0} and process {1} load or store the same location: memory has one owner; write which access is \
         remote, as in `RfePR` or `FreRP` (G get, P put, A rga)"
    )]
    TwoOwners(usize, usize),
    /// Nothing is completed.
    #[error("`{0}` completes an operation, but neither of its accesses is one (G get, P put, A rga)")]
    NothingToComplete(String),
}

impl Cycle {
    /// The cycle of these edges.
    ///
    /// # Errors
    /// When they are no cycle, or the test would not show it.
    pub fn new(mut edges: Vec<Edge>) -> Result<Self, CycleError> {
        if edges.len() < 2 {
            return Err(CycleError::Short);
        }
        if edges.iter().all(|edge| edge.order.is_program_order()) {
            return Err(CycleError::OnlyProgramOrder);
        }
        let external = alone(&edges, |edge| edge.order.is_external()).map_err(CycleError::OneExternal)?;
        let different =
            alone(&edges, |edge| edge.order.changes_location()).map_err(CycleError::OneDifferent)?;
        let kinds = kinds(&edges)?;
        for (index, edge) in edges.iter_mut().enumerate() {
            edge.between = [Some(kinds[index]), Some(kinds[(index + 1) % kinds.len()])];
        }
        // The last edge leads back: to another process or, in a test of one, against program order.
        let back = match external {
            true => edges.iter().rposition(|edge| edge.order.is_external()),
            false => edges.iter().rposition(|edge| !edge.order.is_program_order()),
        };
        let begin = back.map_or(0, |back| (back + 1) % edges.len());
        edges.rotate_left(begin);
        let events = events(&edges, different);
        let cycle = Self { edges, events };
        cycle.check()?;
        Ok(cycle)
    }

    /// The edges, the first one of the first process first.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Number of processes with statements.
    #[must_use]
    pub fn processes(&self) -> usize {
        1 + self.events.iter().map(|event| event.process).max().unwrap_or(0)
    }

    fn next(&self, index: usize) -> usize {
        (index + 1) % self.events.len()
    }

    fn check(&self) -> Result<(), CycleError> {
        for (index, edge) in self.edges.iter().enumerate() {
            let [from, to] = [index, self.next(index)].map(|event| self.events[event].kind);
            let completes = matches!(
                edge.order,
                Between::Program {
                    completion: Some(_),
                    ..
                }
            );
            if completes && !is_operation(from) && !is_operation(to) {
                return Err(CycleError::NothingToComplete(edge.to_string()));
            }
        }
        for location in 0..self.locations() {
            self.owner(location)?;
            let writes = self.writes(location);
            if writes.len() > 2 {
                return Err(CycleError::Writes(writes.len()));
            }
            if let [first, second] = writes[..]
                && self.comes_before(first, second)
                && self.comes_before(second, first)
            {
                return Err(CycleError::Contradiction);
            }
            if writes.iter().any(|&write| self.comes_before(write, write)) {
                return Err(CycleError::Contradiction);
            }
        }
        Ok(())
    }

    fn locations(&self) -> usize {
        1 + self.events.iter().map(|event| event.location).max().unwrap_or(0)
    }

    /// The events that write a location, along the cycle.
    fn writes(&self, location: usize) -> Vec<usize> {
        (0..self.events.len())
            .filter(|&event| self.events[event].location == location && writes(self.events[event].kind))
            .collect()
    }

    /// Whether communication edges alone order a write before another one: `co`, or `rf` and then `fr`. That an rga
    /// reads from a write orders it after that, too.
    fn comes_before(&self, first: usize, second: usize) -> bool {
        let mut at = first;
        for _ in 0..self.events.len() {
            if self.edges[at].order.is_program_order() {
                return false;
            }
            at = self.next(at);
            if at == second {
                return true;
            }
        }
        false
    }

    /// The process that loads or stores a location, if one does.
    fn owner(&self, location: usize) -> Result<Option<usize>, CycleError> {
        let mut owner = None;
        let local = |event: &&Event| event.location == location && !is_operation(event.kind);
        for event in self.events.iter().filter(local) {
            match owner {
                Some(other) if other != event.process => {
                    return Err(CycleError::TwoOwners(other, event.process));
                }
                _ => owner = Some(event.process),
            }
        }
        Ok(owner)
    }
}

/// Words of edges, with blanks or `+` between them.
impl FromStr for Cycle {
    type Err = CycleError;

    fn from_str(text: &str) -> Result<Self, CycleError> {
        let words = text.split(|letter: char| letter.is_whitespace() || letter == '+' || letter == ',');
        let edges = words.filter(|word| !word.is_empty()).map(Edge::from_str);
        Self::new(edges.collect::<Result<_, _>>()?)
    }
}

/// The edges with `+` between them; communication has letters where an access is remote and no other edge says so.
impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |event: usize| {
            let before = (event + self.edges.len() - 1) % self.edges.len();
            [before, event]
                .iter()
                .any(|&edge| self.edges[edge].order.is_program_order())
                || !is_operation(self.events[event].kind)
        };
        for (index, edge) in self.edges.iter().enumerate() {
            let mut edge = *edge;
            if !edge.order.is_program_order() && named(index) && named(self.next(index)) {
                edge.between = [None, None];
            }
            if index > 0 {
                f.write_str("+")?;
            }
            write!(f, "{edge}")?;
        }
        Ok(())
    }
}

/// What each event is: as an edge beside it says, else a load or a store.
fn kinds(edges: &[Edge]) -> Result<Vec<Kind>, CycleError> {
    let mut kinds = Vec::new();
    for (index, edge) in edges.iter().enumerate() {
        let before = &edges[(index + edges.len() - 1) % edges.len()];
        let said = [before.between[1], edge.between[0]];
        let usual = [before.order.usual()[1], edge.order.usual()[0]];
        let kind = match said {
            [Some(end), Some(begin)] if end != begin => None,
            [Some(kind), _] | [None, Some(kind)] => Some(kind),
            [None, None] => usual[0].or(usual[1]),
        };
        // An access fits where it does what both edges ask of it.
        let fits = |kind: Kind| {
            let wanted = usual.iter().flatten();
            wanted.clone().all(|&usual| does(kind, usual))
        };
        match kind.filter(|&kind| fits(kind)) {
            Some(kind) => kinds.push(kind),
            None => {
                let word = |kind: Option<Kind>, usual: Option<Kind>| match kind.or(usual) {
                    Some(Kind::Store) => "a write",
                    Some(Kind::Load) => "a read",
                    Some(Kind::Put) => "a put",
                    Some(Kind::Get) => "a get",
                    Some(Kind::Rga) => "an rga",
                    _ => "an access",
                };
                let [end, begin] = [word(said[0], usual[0]), word(said[1], usual[1])];
                return Err(CycleError::Neighbours(
                    before.to_string(),
                    end,
                    edge.to_string(),
                    begin,
                ));
            }
        }
    }
    Ok(kinds)
}

/// Whether some edge is of a kind of which a cycle has none or several; the word of the edge if it is the only one.
fn alone(edges: &[Edge], wanted: impl Fn(&Edge) -> bool) -> Result<bool, String> {
    let mut found = edges.iter().filter(|edge| wanted(edge));
    match (found.next(), found.next()) {
        (Some(edge), None) => Err(edge.to_string()),
        (first, _) => Ok(first.is_some()),
    }
}

fn events(edges: &[Edge], different: bool) -> Vec<Event> {
    let mut events = Vec::new();
    let (mut process, mut location) = (0, 0);
    for edge in edges {
        if let Some(kind) = edge.between[0] {
            events.push(Event {
                kind,
                process,
                location,
            });
        }
        process += usize::from(edge.order.is_external());
        location += usize::from(edge.order.changes_location());
    }
    // What comes after the last change of location is at the first location again.
    if different {
        for event in &mut events {
            event.location %= location;
        }
    }
    events
}

/// Whether an access goes to memory by an operation.
fn is_operation(kind: Kind) -> bool {
    kind.target().is_some()
}

fn reads(kind: Kind) -> bool {
    matches!(kind, Kind::Load | Kind::Get | Kind::Rga)
}

fn writes(kind: Kind) -> bool {
    matches!(kind, Kind::Store | Kind::Put | Kind::Rga)
}

/// Whether an access reads, where a load stands for reading, or writes, where a store does.
fn does(kind: Kind, usual: Kind) -> bool {
    match usual {
        Kind::Load => reads(kind),
        Kind::Store => writes(kind),
        other => kind == other,
    }
}
