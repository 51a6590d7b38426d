//! What is left of the code of a rank: nodes of statements of the calculus, and ways on.

use crate::expression::Expression;
use crate::tables::NoteId;
use crate::value::Cause;
use farside_pgas::ast::Place;
use farside_pgas::ast::StatementKind;

/// What a node does, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// A statement, from there.
    Statement(Box<StatementKind>, Place),
    /// From here on the program may do more than the C program does.
    Inexact(NoteId),
    /// From here on a lock that the program holds is a cell of the calculus, by which accesses are ordered that the
    /// library need not order.
    Lock(NoteId),
    /// Here the program that is left does less than the C program may do, and goes on.
    Less(NoteId),
    /// What comes here is not followed: the program does less than the C program may do.
    Lost(NoteId),
    /// An access beyond the end of what it names comes here.
    Beyond(NoteId),
}

impl Step {
    /// Whether nothing comes after it.
    pub(crate) fn ends(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::Beyond(_))
    }
}

/// How a node goes on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Nowhere.
    End,
    /// To a node.
    Goto(usize),
    /// To the first node if the expression is not 0, else to the second.
    Branch(Expression, usize, usize, Place),
    /// To any of them: what decides is not known.
    Either(Vec<usize>, Cause, Place),
    /// To any of them: the library may choose.
    Any(Vec<usize>, Place),
}

/// The code of a rank. The first node is its beginning.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<(Vec<Step>, Next)>,
}

impl Graph {
    pub(crate) fn add(&mut self) -> usize {
        self.nodes.push((Vec::new(), Next::End));
        self.nodes.len() - 1
    }

    pub(crate) fn push(&mut self, node: usize, step: Step) {
        self.nodes[node].0.push(step);
    }

    pub(crate) fn steps(&self, node: usize) -> &[Step] {
        &self.nodes[node].0
    }

    pub(crate) fn next(&self, node: usize) -> &Next {
        &self.nodes[node].1
    }

    pub(crate) fn go_on(&mut self, node: usize, next: Next) {
        self.nodes[node].1 = next;
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Leaves out nodes that do nothing, and branches whose ways are one.
    pub(crate) fn simplify(&mut self) {
        // A branch that becomes a way on may make another one so.
        while self.simplified() {}
    }

    fn simplified(&mut self) -> bool {
        let target: Vec<usize> = (0..self.nodes.len()).map(|node| self.real(node)).collect();
        let mut changed = false;
        for (_, next) in &mut self.nodes {
            let new = match next {
                Next::End => Next::End,
                Next::Goto(to) => Next::Goto(target[*to]),
                Next::Branch(_, yes, no, _) if target[*yes] == target[*no] => Next::Goto(target[*yes]),
                Next::Branch(condition, yes, no, place) => {
                    Next::Branch(condition.clone(), target[*yes], target[*no], place.clone())
                }
                Next::Either(ways, cause, place) => match different(ways, &target)[..] {
                    [only] => Next::Goto(only),
                    ref real => Next::Either(real.to_vec(), *cause, place.clone()),
                },
                Next::Any(ways, place) => match different(ways, &target)[..] {
                    [only] => Next::Goto(only),
                    ref real => Next::Any(real.to_vec(), place.clone()),
                },
            };
            changed |= *next != new;
            *next = new;
        }
        changed
    }

    /// The first node from there on that does something, or has a choice.
    fn real(&self, mut node: usize) -> usize {
        for _ in 0..self.nodes.len() {
            match &self.nodes[node] {
                (steps, Next::Goto(next)) if steps.is_empty() => node = *next,
                _ => break,
            }
        }
        node
    }

    /// Whether the process can come to its end as the program has it.
    pub(crate) fn comes_to_an_end(&self) -> bool {
        self.reachable_by(|node| !self.steps(node).iter().any(Step::ends))
            .into_iter()
            .any(|node| *self.next(node) == Next::End && !self.steps(node).iter().any(Step::ends))
    }

    /// The nodes that can be reached, each after one that leads to it.
    pub(crate) fn reachable(&self) -> Vec<usize> {
        self.reachable_by(|_| true)
    }

    /// The nodes that can be reached, by nodes that are passed.
    fn reachable_by(&self, passed: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![0];
        let mut order = Vec::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            order.push(node);
            if !passed(node) {
                continue;
            }
            match &self.nodes[node].1 {
                Next::End => {}
                Next::Goto(to) => open.push(*to),
                Next::Branch(_, yes, no, _) => open.extend([*yes, *no]),
                Next::Either(ways, _, _) | Next::Any(ways, _) => open.extend(ways.iter().rev()),
            }
        }
        order
    }
}

/// Where ways lead, each once.
fn different(ways: &[usize], target: &[usize]) -> Vec<usize> {
    let mut real: Vec<usize> = ways.iter().map(|way| target[*way]).collect();
    real.sort_unstable();
    real.dedup();
    real
}
