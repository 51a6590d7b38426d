//! Which rules are needed to forbid an execution of a test.
//!
//! Where all accesses are atomic, the executions that hb (without the pivot edge) leaves consistent are the lines of
//! actions that keep the orders which the program demands: reads see the last write before them, and every two actions
//! on a variable, one of them a write, are ordered by hb as they are in the line (R2, WS, R1). So an edge `a` to `b` is
//! a pivot exactly if there is a path from `b` back to `a`, made of the other edges of the program and of such pairs
//! taken in one direction each, that closes no cycle by itself. R1, R2 and WS themselves lift what they say for one
//! pair; [`reading`] and [`writing`] say how.

mod actions;
mod line;
mod path;
mod reading;
mod values;
mod writing;

use crate::definition::{Definition, PivotRule, PivotRules, Removal, SelfDependence, Sequentiality};
use crate::test::Test;
use actions::Actions;
use line::Line;

/// Decides pivots; keeps its memory from test to test.
#[derive(Debug)]
pub struct Pivots {
    routing_to_self: bool,
    removal: Removal,
    sequentiality: Sequentiality,
    self_dependence: SelfDependence,
    actions: Actions,
}

impl Pivots {
    /// For tests of this definition.
    #[must_use]
    pub fn new(definition: &Definition) -> Self {
        Self {
            routing_to_self: definition.routing_to_self,
            removal: definition.removal,
            sequentiality: definition.sequentiality,
            self_dependence: definition.self_dependence,
            actions: Actions::default(),
        }
    }

    /// Those of the `wanted` rules that are pivots of the test.
    pub fn of(&mut self, test: &Test, wanted: PivotRules) -> PivotRules {
        self.actions.read(test, self.routing_to_self);
        let actions = &self.actions;
        let mut pivots = PivotRules::default();
        let mut whole = None;
        for rule in wanted.iter() {
            let found = match rule {
                PivotRule::R1 | PivotRule::R2 | PivotRule::Ws => {
                    let whole: &Line = whole.get_or_insert_with(|| actions.line(&[]));
                    match rule {
                        PivotRule::R1 => reading::r1(actions, whole),
                        PivotRule::R2 => reading::r2(actions, whole),
                        _ => writing::ws(actions, whole, self.sequentiality),
                    }
                }
                rule => self.by_program(rule),
            };
            if found {
                pivots.insert(rule);
            }
        }
        pivots
    }

    /// Rules that order by the program alone.
    fn by_program(&self, rule: PivotRule) -> bool {
        let actions = &self.actions;
        let closes = |without: &[(usize, usize)], back: &[(usize, usize)]| {
            let line = actions.line(without);
            back.iter().any(|&(a, b)| {
                path::each(&line, &actions.conflicts, b, a, &mut |line| match rule {
                    PivotRule::CasF => values::cas_may(actions, line, a, |equal| match equal {
                        Some(equal) => !equal,
                        None => self.self_dependence == SelfDependence::CasF,
                    }),
                    PivotRule::CasT => values::cas_may(actions, line, a, |equal| equal == Some(true)),
                    _ => true,
                })
            })
        };
        match (rule, self.removal) {
            (PivotRule::Ga | PivotRule::CasF | PivotRule::CasT, Removal::Application) => {
                actions.applications(rule).any(|edges| {
                    let mut back = edges.clone();
                    for &(a, b) in &edges {
                        back.extend(edges.iter().filter(|(c, _)| *c == b).map(|&(_, d)| (a, d)));
                    }
                    closes(&edges, &back)
                })
            }
            _ => actions
                .edges(rule)
                .filter(|&edge| actions.is_needed(edge))
                .any(|edge| closes(&[edge], &[edge])),
        }
    }
}
