//! The actions of a test and the edges that rules demand of them (paper, Table 3 and Figure 4), as bit rows.

use super::line::{Line, Row};
use crate::MOST_ACTIONS;
use crate::definition::PivotRule;
use crate::test::{Kind, Test, VariableName};

/// What an action writes, in terms of what others read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It writes nothing.
    Nothing,
    /// A number.
    Number(i64),
    /// What this action reads.
    Copy(u8),
    /// The sum of what the two read.
    Sum(u8, u8),
    /// What the third reads, if what the first two read is equal; else what the first reads.
    Swap { stored: u8, compare: u8, swap: u8 },
}

/// One action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Action {
    pub(super) variable: Option<VariableName>,
    pub(super) reads: bool,
    pub(super) source: Source,
    pub(super) process: u8,
    pub(super) statement: u8,
    pub(super) kind: Kind,
    /// The process that the statement's remote action, or the flush, goes to.
    pub(super) destination: Option<u8>,
    /// Whether it is the statement's remote action.
    pub(super) remote: bool,
}

impl Action {
    pub(super) fn writes(&self) -> bool {
        self.source != Source::Nothing
    }

    fn is_local(&self) -> bool {
        matches!(self.kind, Kind::Load | Kind::Store)
    }

    fn is_external(&self) -> bool {
        self.kind.target().is_some()
    }
}

/// The actions of a test in program order, process by process; first values are left out, for nothing comes before
/// them.
#[derive(Debug, Default)]
pub(super) struct Actions {
    pub(super) all: Vec<Action>,
    /// By action: those on the same variable, if one of the two writes.
    pub(super) conflicts: [Row; MOST_ACTIONS],
    /// By action: the other writers of its variable.
    pub(super) writers: [Row; MOST_ACTIONS],
    /// By action: what the rules put after it, edge by edge.
    pub(super) after: [Row; MOST_ACTIONS],
    /// By action: what the rules put before it.
    before: [Row; MOST_ACTIONS],
    edges: Vec<(PivotRule, u8, u8)>,
    /// First values by variable.
    pub(super) first: Vec<(VariableName, i64)>,
}

impl Actions {
    /// What the program demands, but for these edges.
    pub(super) fn line(&self, without: &[(usize, usize)]) -> Line {
        // Edges of the program go forward in the order of actions.
        Line::without(self.all.len(), &self.after, without)
    }

    /// Takes the actions of this test.
    pub(super) fn read(&mut self, test: &Test, routing_to_self: bool) {
        self.all.clear();
        self.edges.clear();
        let variables = test.variables();
        let count = variables.len() as i64;
        self.first.clear();
        self.first.extend(variables.iter().copied().zip((0..count).rev()));
        let mut stored = count;
        let mut statement = 0;
        for (process, steps) in (0..).zip(&test.processes) {
            for step in steps {
                let here = self.all.len() as u8;
                let action = |place: usize, reads: bool, source: Source| Action {
                    variable: Some(step.operands[place]),
                    reads,
                    source,
                    process,
                    statement,
                    kind: step.kind,
                    destination: step.destination(),
                    remote: step.kind.target() == Some(place),
                };
                match step.kind {
                    Kind::Load => self.all.push(action(0, true, Source::Nothing)),
                    Kind::Store => {
                        self.all.push(action(0, false, Source::Number(stored)));
                        stored += 1;
                    }
                    // The operand that is read may be the one that is written: what is remote is the place, not the
                    // name.
                    Kind::Get => self.all.extend([
                        action(1, true, Source::Nothing),
                        action(0, false, Source::Copy(here)),
                    ]),
                    Kind::Put => self.all.extend([
                        action(1, true, Source::Nothing),
                        action(0, false, Source::Copy(here)),
                    ]),
                    Kind::Rga => self.all.extend([
                        action(2, true, Source::Nothing),
                        action(1, true, Source::Sum(here + 1, here)),
                        action(0, false, Source::Copy(here + 1)),
                    ]),
                    Kind::Cas => {
                        let swap = Source::Swap {
                            stored: here + 2,
                            compare: here,
                            swap: here + 1,
                        };
                        self.all.extend([
                            action(2, true, Source::Nothing),
                            action(3, true, Source::Nothing),
                            action(1, true, swap),
                            action(0, false, Source::Copy(here + 2)),
                        ]);
                    }
                    Kind::Flush => {
                        let mut flush = action(0, false, Source::Nothing);
                        flush.variable = None;
                        self.all.push(flush);
                    }
                }
                statement += 1;
            }
        }
        self.relate();
        self.demand(routing_to_self);
    }

    fn relate(&mut self) {
        self.conflicts = [0; MOST_ACTIONS];
        self.writers = [0; MOST_ACTIONS];
        for (index, action) in self.all.iter().enumerate() {
            let Some(variable) = action.variable else {
                continue;
            };
            for (other, with) in self.all.iter().enumerate() {
                if other != index && with.variable == Some(variable) {
                    if with.writes() {
                        self.writers[index] |= 1 << other;
                    }
                    if with.writes() || action.writes() {
                        self.conflicts[index] |= 1 << other;
                    }
                }
            }
        }
    }

    /// The rules that order by the program alone.
    fn demand(&mut self, routing_to_self: bool) {
        self.after = [0; MOST_ACTIONS];
        self.before = [0; MOST_ACTIONS];
        for a in 0..self.all.len() {
            for b in a + 1..self.all.len() {
                let [first, second] = [self.all[a], self.all[b]];
                if first.process != second.process {
                    break;
                }
                let rule = if first.is_local() {
                    Some(PivotRule::Lo)
                } else if first.kind == Kind::Flush {
                    if second.is_local() {
                        Some(PivotRule::F1)
                    } else if second.is_external() && second.destination == first.destination {
                        Some(PivotRule::F3)
                    } else {
                        None
                    }
                } else if second.kind == Kind::Flush {
                    (first.destination == second.destination).then_some(PivotRule::F2)
                } else if second.is_local() {
                    None
                } else if first.statement == second.statement {
                    match first.kind {
                        Kind::Get | Kind::Put => Some(PivotRule::Pg),
                        Kind::Rga => (first.remote || second.remote).then_some(PivotRule::Ga),
                        // Which of the two CAS rules it is depends on values.
                        _ => (first.remote || second.remote).then_some(PivotRule::CasF),
                    }
                } else {
                    let routed = first.remote
                        && second.remote
                        && first.destination == second.destination
                        && (first.destination != Some(first.process) || routing_to_self);
                    routed.then_some(PivotRule::Ir)
                };
                if let Some(rule) = rule {
                    self.edges.push((rule, a as u8, b as u8));
                    self.after[a] |= 1 << b;
                    self.before[b] |= 1 << a;
                }
            }
        }
    }

    /// The edges of a rule.
    pub(super) fn edges(&self, rule: PivotRule) -> impl Iterator<Item = (usize, usize)> + '_ {
        let rule = match rule {
            PivotRule::CasT => PivotRule::CasF,
            rule => rule,
        };
        self.edges
            .iter()
            .filter(move |edge| edge.0 == rule)
            .map(|&(_, a, b)| (usize::from(a), usize::from(b)))
    }

    /// The edges of each application of GA or a CAS rule.
    pub(super) fn applications(&self, rule: PivotRule) -> impl Iterator<Item = Vec<(usize, usize)>> + '_ {
        let statement = |edge: &(usize, usize)| self.all[edge.0].statement;
        let mut edges: Vec<(usize, usize)> = self.edges(rule).collect();
        std::iter::from_fn(move || {
            let first = edges.first().map(statement)?;
            let (same, rest) = edges.iter().partition(|edge| statement(edge) == first);
            edges = rest;
            Some(same)
        })
    }

    /// Whether no other edges of the program make up for this one.
    pub(super) fn is_needed(&self, (a, b): (usize, usize)) -> bool {
        self.after[a] & self.before[b] == 0
    }
}
