//! The code that is left, as a program in the language of `.pgas` files.
//!
//! One program is made for each of three questions. The program *with all ways* takes every way that may be taken: each
//! computation of the C program is one of it, and if it is robust, so is the C program. The program *with certain ways*
//! stops a rank where exactness is lost. All states are final, so that each of its computations is one of the C
//! program: if it is not robust, neither is that. The one *with locks* goes on where the only loss is that a lock is a
//! cell: a cycle of it that no access to such a cell is part of is one of the C program.

use crate::expression::{Expression, Register};
use crate::graph::{Graph, Next, Step};
use crate::value::Cause;
use farside_pgas::ast::{
    Api, BinaryOperator, Declaration, Expression as Written, Header, Name, Place, Program, Statement,
    StatementKind, Target, UnaryOperator,
};
use std::collections::HashMap;

/// Which ways a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ways {
    All,
    Certain,
    /// Certain ways, but for locks: what happens at them may be ordered more than in the C program.
    Locked,
}

/// The program of these ranks, as a text would have it.
pub(crate) fn program(
    name: &str,
    about: Vec<String>,
    api: Option<Api>,
    declarations: Vec<Declaration>,
    graphs: &[Graph],
    ways: Ways,
) -> Program {
    let bodies: Vec<Vec<Statement>> = graphs.iter().map(|graph| body(graph, ways)).collect();
    let mut groups: Vec<(Vec<u32>, &Vec<Statement>)> = Vec::new();
    for (rank, body) in (0..).zip(&bodies) {
        match groups.iter_mut().find(|(_, known)| *known == body) {
            Some((ranks, _)) => ranks.push(rank),
            None => groups.push((vec![rank], body)),
        }
    }
    let all = groups.len() == 1;
    let mut statements = Vec::new();
    for (ranks, body) in groups {
        if all {
            statements.clone_from(body);
            break;
        }
        let kind = StatementKind::Rank {
            ranks: ranks.into_iter().map(|rank| (rank, rank)).collect(),
            body: body.clone(),
            otherwise: Vec::new(),
        };
        statements.push(Statement {
            kind,
            place: Place::default(),
        });
    }
    Program {
        name: self::name(name),
        about,
        api,
        ranks: Some(Header {
            value: graphs.len() as u32,
            place: Place::default(),
        }),
        domain: None,
        wraps: false,
        declarations,
        body: statements,
    }
}

/// A name that stands in no text.
pub(crate) fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        place: Place::default(),
    }
}

/// A number that stands in no text.
pub(crate) fn number(value: i64) -> Written {
    Written::Number(value, Place::default())
}

/// A register of the calculus by its name.
pub(crate) fn register(register: Register) -> Target {
    Target::Name(name(&format!("r{}", register.number())))
}

/// An expression as it is written.
pub(crate) fn written(expression: &Expression) -> Written {
    match expression {
        // There are no negative numbers.
        Expression::Number(value) if *value < 0 => {
            Written::Unary(UnaryOperator::Minus, Box::new(number(value.saturating_neg())))
        }
        Expression::Number(value) => number(*value),
        Expression::Register(index) => Written::Value(register(*index)),
        Expression::Not(inner) => Written::Unary(UnaryOperator::Not, Box::new(written(inner))),
        Expression::Binary(operator, left, right) => match (operator, &**right) {
            (BinaryOperator::Add, Expression::Number(value)) if *value < 0 => {
                let right = Box::new(number(value.saturating_neg()));
                Written::Binary(BinaryOperator::Subtract, Box::new(written(left)), right)
            }
            _ => Written::Binary(*operator, Box::new(written(left)), Box::new(written(right))),
        },
    }
}

/// Writes the nodes of a graph, each once.
struct Writer<'g> {
    graph: &'g Graph,
    ways: Ways,
    labels: HashMap<usize, String>,
    done: Vec<bool>,
    statements: Vec<Statement>,
    /// Nodes that are jumped to, and not written yet.
    open: Vec<usize>,
    /// Somebody jumps to the end.
    ends: bool,
}

const END: &str = "end";

fn body(graph: &Graph, ways: Ways) -> Vec<Statement> {
    let mut writer = Writer {
        graph,
        ways,
        labels: HashMap::new(),
        done: vec![false; graph.len()],
        statements: Vec::new(),
        open: vec![0],
        ends: false,
    };
    writer.name_targets();
    while let Some(node) = writer.open.pop() {
        writer.chain(node);
    }
    if writer.ends {
        writer.push(StatementKind::Label(name(END)), Place::default());
    }
    writer.statements
}

impl Writer<'_> {
    /// Labels what is jumped to. A node that one other leads to, by a plain way or the second of two, is written after
    /// it.
    fn name_targets(&mut self) {
        let nodes = self.graph.reachable();
        let mut ways = vec![0; self.graph.len()];
        let mut jumped = vec![false; self.graph.len()];
        ways[0] = 1;
        for &node in &nodes {
            match self.graph.next(node) {
                Next::End => {}
                Next::Goto(to) => ways[*to] += 1,
                Next::Branch(_, yes, no, _) => {
                    jumped[*yes] = true;
                    ways[*no] += 1;
                }
                Next::Either(all, _, _) | Next::Any(all, _) => {
                    all.iter().for_each(|to| jumped[*to] = true);
                }
            }
        }
        let named = nodes.into_iter().filter(|&node| jumped[node] || ways[node] > 1);
        self.labels = named
            .enumerate()
            .map(|(number, node)| (node, format!("l{number}")))
            .collect();
    }

    fn push(&mut self, kind: StatementKind, place: Place) {
        self.statements.push(Statement { kind, place });
    }

    fn jump(&mut self, to: usize) -> StatementKind {
        if !self.done[to] && !self.open.contains(&to) {
            self.open.push(to);
        }
        StatementKind::Goto(name(self.labels.get(&to).map_or("", String::as_str)))
    }

    /// Writes a node and what follows it, up to a jump.
    fn chain(&mut self, mut node: usize) {
        loop {
            if self.done[node] {
                return;
            }
            self.done[node] = true;
            if let Some(label) = self.labels.get(&node) {
                let kind = StatementKind::Label(name(label));
                self.push(kind, Place::default());
            }
            for step in self.graph.steps(node) {
                match (step, self.ways) {
                    (Step::Statement(kind, place), _) => self.push((**kind).clone(), place.clone()),
                    (Step::Inexact(_) | Step::Lost(_) | Step::Beyond(_), Ways::Certain | Ways::Locked)
                    | (Step::Lock(_), Ways::Certain) => return self.end(),
                    (Step::Inexact(_) | Step::Lost(_) | Step::Beyond(_), Ways::All)
                    | (Step::Lock(_) | Step::Less(_), _) => {}
                }
            }
            let next = match self.graph.next(node) {
                Next::End => return self.end(),
                Next::Goto(to) => *to,
                Next::Branch(condition, yes, no, place) => {
                    let jump = self.jump(*yes);
                    let then = vec![Statement {
                        kind: jump,
                        place: place.clone(),
                    }];
                    let kind = StatementKind::If {
                        condition: written(condition),
                        then,
                        otherwise: Vec::new(),
                    };
                    self.push(kind, place.clone());
                    *no
                }
                Next::Either(..) if self.ways != Ways::All => return self.end(),
                Next::Either(all, _, place) | Next::Any(all, place) => {
                    let ways = all.iter().map(|&to| {
                        let kind = self.jump(to);
                        vec![Statement {
                            kind,
                            place: place.clone(),
                        }]
                    });
                    let kind = StatementKind::Choice(ways.collect());
                    self.push(kind, place.clone());
                    return;
                }
            };
            if self.done[next] {
                let kind = self.jump(next);
                self.push(kind, Place::default());
                return;
            }
            self.open.retain(|open| *open != next);
            node = next;
        }
    }

    /// The process ends here.
    fn end(&mut self) {
        self.ends = true;
        self.push(StatementKind::Goto(name(END)), Place::default());
    }
}

/// Why a graph is not exact: the notes of what can be reached.
pub(crate) fn notes(graph: &Graph) -> Vec<(crate::tables::NoteId, bool)> {
    let mut notes = Vec::new();
    // Accesses are within what they name: a way on which one is not is none of the program, if there is another one.
    let has_another_way = graph.comes_to_an_end();
    for node in graph.reachable() {
        for step in graph.steps(node) {
            match step {
                Step::Inexact(note) | Step::Lock(note) => notes.push((*note, false)),
                Step::Less(note) | Step::Lost(note) => notes.push((*note, true)),
                Step::Beyond(note) => notes.push((*note, !has_another_way)),
                Step::Statement(..) => {}
            }
        }
        if let Next::Either(_, Cause::Lost(note), _) = graph.next(node) {
            notes.push((*note, false));
        }
    }
    notes.sort_unstable();
    notes.dedup();
    notes
}
