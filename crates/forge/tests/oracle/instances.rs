//! Pivots by definition: every instance of a program, every edge of it.
#![allow(
    clippy::needless_range_loop,
    reason = "the rules are about pairs of actions: loops over both indices read as they do"
)]

use farside_forge::{Definition, PivotRule, Removal, SelfDependence, Sequentiality, Test};
use farside_litmus::ast::BinaryOperator;
use farside_models::core_rma::paths::paths;
use farside_models::core_rma::rules::{ORDERING, r1, r2, ws};
use farside_models::core_rma::value::{Source, Term};
use farside_models::core_rma::{ActionKind, CoreModel, Parts, Path, Rule, Switch};

type Matrix = Vec<Vec<bool>>;

/// An edge with the rule that makes it.
type Edge = (PivotRule, usize, usize);

/// Whether the rule is a pivot of the test.
pub(crate) fn is_pivot(test: &Test, rule: PivotRule, definition: &Definition) -> bool {
    let mut model = CoreModel::stock();
    model.switches.set(Switch::IrSelf, definition.routing_to_self);
    let program = test.program("oracle");
    let path = paths(&program, &model, &[]).unwrap().next().unwrap().unwrap();
    let size = path.actions.len();
    let mut fixed = Vec::new();
    for a in 0..size {
        for b in 0..size {
            for &(other, demands) in &ORDERING {
                if demands(&path, model.switches, a, b) {
                    fixed.push((named(other), a, b));
                }
            }
        }
    }
    let choices: Vec<Vec<Option<usize>>> = (0..size)
        .map(|r| match path.actions[r].reads {
            None => vec![None],
            Some(variable) => (0..size)
                .filter(|&w| w != r && path.actions[w].writes == Some(variable))
                .map(Some)
                .collect(),
        })
        .collect();
    let pairs: Vec<(usize, usize)> = (0..size)
        .flat_map(|a| (a + 1..size).map(move |b| (a, b)))
        .filter(|&(a, b)| ws(&path, a, b) && !first(&path, a))
        .collect();
    let mut rf = vec![None; size];
    each(&choices, 0, &mut rf, &mut |rf| {
        let instance = Instance {
            path: &path,
            fixed: &fixed,
            rf,
        };
        // A cycle that is there whatever way writes are ordered cannot be taken away by this rule.
        if !matches!(rule, PivotRule::R2 | PivotRule::R1)
            && instance.hb(&[], &Lifted::of_rule(rule, &fixed)).is_none()
        {
            return false;
        }
        (0..1_u32 << pairs.len()).any(|directions| {
            let orders: Vec<(usize, usize)> = pairs
                .iter()
                .enumerate()
                .map(|(bit, &(a, b))| {
                    if directions >> bit & 1 == 0 {
                        (a, b)
                    } else {
                        (b, a)
                    }
                })
                .collect();
            instance.has_pivot(rule, &orders, definition)
        })
    })
}

/// What does not count for once.
#[derive(Default)]
struct Lifted {
    fixed: Vec<Edge>,
    r1: Option<(usize, usize)>,
    r2: Option<(usize, usize)>,
}

impl Lifted {
    fn of_rule(rule: PivotRule, fixed: &[Edge]) -> Self {
        Self {
            fixed: fixed
                .iter()
                .filter(|edge| edge.0 == rule || (rule == PivotRule::CasT && edge.0 == PivotRule::CasF))
                .copied()
                .collect(),
            ..Self::default()
        }
    }
}

struct Instance<'i> {
    path: &'i Path,
    fixed: &'i [Edge],
    rf: &'i [Option<usize>],
}

impl Instance<'_> {
    fn has_pivot(&self, rule: PivotRule, orders: &[(usize, usize)], definition: &Definition) -> bool {
        let size = self.path.actions.len();
        let needed = |lifted: &Lifted| {
            self.hb(orders, &Lifted::default()).is_none() && self.hb(orders, lifted).is_some()
        };
        match rule {
            PivotRule::R2 => (0..size).any(|r| {
                self.rf[r].is_some_and(|w| {
                    needed(&Lifted {
                        r2: Some((w, r)),
                        ..Lifted::default()
                    })
                })
            }),
            PivotRule::R1 => (0..size).any(|r| {
                (0..size).any(|w2| {
                    self.path.actions[r].reads.is_some()
                        && self.path.actions[r].reads == self.path.actions[w2].writes
                        && needed(&Lifted {
                            r1: Some((r, w2)),
                            ..Lifted::default()
                        })
                })
            }),
            PivotRule::Ws => (0..orders.len()).any(|index| {
                let mut without = orders.to_vec();
                let (a, b) = without.remove(index);
                let with = |edge| self.hb(&[&without[..], &[edge]].concat(), &Lifted::default());
                let one = with((a, b)).is_none();
                let wanted = match definition.sequentiality {
                    Sequentiality::BothWays => one && with((b, a)).is_none(),
                    Sequentiality::OneWay => one,
                };
                wanted && self.hb(&without, &Lifted::default()).is_some()
            }),
            _ => self
                .applications(rule, definition.removal)
                .into_iter()
                .any(|edges| {
                    let statement = self.path.actions[edges[0].1].statement;
                    needed(&Lifted {
                        fixed: edges,
                        ..Lifted::default()
                    }) && match rule {
                        PivotRule::CasF => match definition.self_dependence {
                            SelfDependence::NeitherRule => self.succeeds(statement) == Some(false),
                            SelfDependence::CasF => self.succeeds(statement) != Some(true),
                        },
                        PivotRule::CasT => self.succeeds(statement) == Some(true),
                        _ => true,
                    }
                }),
        }
    }

    fn applications(&self, rule: PivotRule, removal: Removal) -> Vec<Vec<Edge>> {
        let edges = Lifted::of_rule(rule, self.fixed).fixed;
        let whole = matches!(rule, PivotRule::Ga | PivotRule::CasF | PivotRule::CasT);
        if removal == Removal::Edge || !whole {
            return edges.into_iter().map(|edge| vec![edge]).collect();
        }
        let statement = |edge: &Edge| self.path.actions[edge.1].statement;
        let mut all: Vec<Vec<Edge>> = Vec::new();
        for edge in edges {
            match all
                .iter_mut()
                .find(|group| statement(&group[0]) == statement(&edge))
            {
                Some(group) => group.push(edge),
                None => all.push(vec![edge]),
            }
        }
        all
    }

    /// The least hb; none if it has a cycle.
    fn hb(&self, orders: &[(usize, usize)], lifted: &Lifted) -> Option<Matrix> {
        let path = self.path;
        let size = path.actions.len();
        let rf = |w: usize, r: usize| self.rf[r] == Some(w);
        let mut hb = vec![vec![false; size]; size];
        for a in 0..size {
            for b in 0..size {
                hb[a][b] =
                    (first(path, a) && !first(path, b)) || (r2(path, rf, a, b) && lifted.r2 != Some((a, b)));
            }
        }
        for &edge in self.fixed {
            hb[edge.1][edge.2] |= !lifted.fixed.contains(&edge);
        }
        for &(a, b) in orders {
            hb[a][b] = true;
        }
        loop {
            for middle in 0..size {
                for a in 0..size {
                    if hb[a][middle] {
                        for b in 0..size {
                            hb[a][b] |= hb[middle][b];
                        }
                    }
                }
            }
            if (0..size).any(|a| hb[a][a]) {
                return None;
            }
            let mut more = false;
            for r in 0..size {
                for w2 in 0..size {
                    if !hb[r][w2] && lifted.r1 != Some((r, w2)) && r1(path, rf, |x, y| hb[x][y], r, w2) {
                        hb[r][w2] = true;
                        more = true;
                    }
                }
            }
            if !more {
                return Some(hb);
            }
        }
    }

    /// Whether the compare and swap succeeds; none if that depends on itself.
    fn succeeds(&self, statement: Option<usize>) -> Option<bool> {
        match self.path.statements[statement?].parts {
            Parts::Cas { er1, erw, .. } => Some(self.read(er1, 0)? == self.read(erw.read, 0)?),
            _ => None,
        }
    }

    fn read(&self, r: usize, depth: usize) -> Option<i64> {
        if depth > self.path.actions.len() {
            return None;
        }
        let read = |r: usize| self.read(r, depth + 1);
        match self.path.written[self.rf[r]?].as_ref()? {
            Source::Term(Term::Number(number)) => Some(*number),
            Source::Term(_) => panic!("generated tests store numbers"),
            Source::Copy(other) => read(*other),
            Source::Operation { stored, operand, .. } => Some(farside_models::core_rma::value::binary(
                BinaryOperator::Add,
                read(*stored)?,
                read(*operand)?,
            )),
            Source::CompareAndSwap {
                stored,
                compare,
                swap,
            } => {
                let [stored, compare, swap] = [read(*stored)?, read(*compare)?, read(*swap)?];
                Some(if stored == compare { swap } else { stored })
            }
        }
    }
}

fn first(path: &Path, action: usize) -> bool {
    path.actions[action].kind == ActionKind::FirstValue
}

fn named(rule: Rule) -> PivotRule {
    match rule {
        // Of a cas the edges are the same; which rule makes them depends on values.
        Rule::CasT => PivotRule::CasF,
        rule => rule.name().parse().unwrap(),
    }
}

/// Whether `holds` for some way to take one of each choice.
fn each(
    choices: &[Vec<Option<usize>>],
    place: usize,
    taken: &mut Vec<Option<usize>>,
    holds: &mut dyn FnMut(&[Option<usize>]) -> bool,
) -> bool {
    let Some(options) = choices.get(place) else {
        return holds(taken);
    };
    options.iter().any(|&option| {
        taken[place] = option;
        each(choices, place + 1, taken, holds)
    })
}
