//! Ways on from a block: taken, if what decides is known, and left otherwise.

use super::{Followed, MOST_NODES, Machine, Stop};
use crate::expression::Expression;
use crate::graph::Next;
use crate::tables::RegisterUse;
use crate::value::{Cause, Value};
use farside_lint::ir::PlaceId;
use farside_lint::signed;

impl Machine<'_> {
    /// Goes to a block; ends the node if it did something, so that loops are found.
    pub(super) fn go(&mut self, block: u32) -> Followed<bool> {
        let from = self.state.frame().map(|frame| (frame.function(), frame.block()));
        self.enter(block);
        let quiet = self.graph.steps(self.node).is_empty();
        if from.is_some_and(|(function, from)| self.liveness(function).is_back(from, block)) {
            self.turn()?;
        }
        if quiet && !from.is_some_and(|(function, from)| self.is_loop(function, from, block)) {
            return Ok(true);
        }
        self.fresh = false;
        let (node, new) = self.node_of_state(!quiet);
        self.graph.go_on(self.node, Next::Goto(node));
        if new && self.graph.len() > MOST_NODES {
            self.node = node;
            self.too_many_nodes();
            return Ok(false);
        }
        self.node = node;
        Ok(new)
    }

    /// Enters a block, with the values of its phis.
    pub(super) fn enter(&mut self, block: u32) {
        let module = self.module;
        let Some(frame) = self.state.frame() else {
            return;
        };
        let (function, from, path) = (frame.function(), frame.block(), frame.path());
        let code = &module.functions[function as usize].blocks[block as usize];
        let place = code.end_place;
        let mut values = Vec::new();
        for (register, ways) in &code.phis {
            let way = ways.iter().find(|(block, _)| *block == from);
            let value = match way {
                Some((_, operand)) => self.operand(operand, place),
                None => self.unknown(place, "a value"),
            };
            values.push((*register, value));
        }
        if let Some(frame) = self.state.frame_mut() {
            frame.enter(block);
        }
        // All phis take their values at once.
        let targets: Vec<(u32, Expression)> = values
            .iter()
            .filter_map(|(register, value)| match value {
                Value::Dynamic(expression) => Some((*register, expression.clone())),
                _ => None,
            })
            .collect();
        for (index, (_, expression)) in (0..).zip(&targets) {
            if targets.len() > 1 {
                self.assign(RegisterUse::Exchange(index), expression, place);
            }
        }
        for (index, (register, expression)) in (0..).zip(&targets) {
            let from = if targets.len() > 1 {
                self.held(RegisterUse::Exchange(index))
            } else {
                expression.clone()
            };
            let value = self.assign(RegisterUse::Local(path, *register), &from, place);
            self.set(*register, Value::Dynamic(value));
        }
        for (register, value) in values {
            if !matches!(value, Value::Dynamic(_)) {
                let value = self.lasting(value, place);
                self.set(register, value);
            }
        }
    }

    pub(super) fn branch(&mut self, condition: &Value, yes: u32, no: u32, place: PlaceId) -> Followed<bool> {
        match condition {
            Value::Known(value) => self.go(if *value & 1 == 1 { yes } else { no }),
            Value::Dynamic(expression) => {
                let [yes, no] = [self.way(yes), self.way(no)];
                let at = self.place(place);
                self.graph
                    .go_on(self.node, Next::Branch(expression.clone(), yes, no, at));
                Ok(false)
            }
            other => self.either(other, &[yes, no], place),
        }
    }

    pub(super) fn either(&mut self, value: &Value, ways: &[u32], place: PlaceId) -> Followed<bool> {
        let cause = match value.cause() {
            Some(Cause::Lost(note)) => {
                let (line, text) = self.tables.note_text(note);
                let at = match self.lines.line(&self.state, self.module, place) {
                    here if here == line => String::new(),
                    _ => format!("line {line}: "),
                };
                let text = format!("a condition depends on what is not known: {at}{text}");
                Cause::Lost(self.note(place, &text))
            }
            Some(cause) => cause,
            None => Cause::Lost(self.note(place, "a condition is not followed")),
        };
        let nodes = ways.iter().map(|way| self.way(*way)).collect();
        let at = self.place(place);
        self.graph.go_on(self.node, Next::Either(nodes, cause, at));
        Ok(false)
    }

    pub(super) fn switch(
        &mut self,
        value: &Value,
        cases: &[(u64, u32)],
        default: u32,
        place: PlaceId,
    ) -> Followed<bool> {
        match value {
            Value::Known(value) => {
                let case = cases.iter().find(|(case, _)| case == value);
                self.go(case.map_or(default, |(_, to)| *to))
            }
            Value::Dynamic(expression) => {
                let at = self.place(place);
                let other = self.way(default);
                let mut node = self.node;
                for (index, (case, to)) in cases.iter().enumerate() {
                    let way = self.way(*to);
                    // An `int`, whose sign is in its 32nd bit, or a longer number.
                    let case = Expression::Number(match *case {
                        case @ 0x8000_0000..=0xffff_ffff => signed(case, 32),
                        case => case as i64,
                    });
                    let equal = farside_pgas::ast::BinaryOperator::Equal;
                    let Some(condition) = Expression::binary(equal, expression, &case) else {
                        return Err(self.lost(place, "a choice among many that is not followed"));
                    };
                    let last = index + 1 == cases.len();
                    let rest = if last { other } else { self.graph.add() };
                    self.graph
                        .go_on(node, Next::Branch(condition, way, rest, at.clone()));
                    node = rest;
                }
                if cases.is_empty() {
                    self.graph.go_on(node, Next::Goto(other));
                }
                Ok(false)
            }
            other => {
                let mut ways: Vec<u32> = cases.iter().map(|(_, to)| *to).collect();
                ways.push(default);
                self.either(other, &ways, place)
            }
        }
    }

    /// A way on from here to a block, as a node.
    pub(super) fn way(&mut self, block: u32) -> usize {
        let (state, node) = (self.state.clone(), self.node);
        let head = self.graph.add();
        self.node = head;
        self.enter(block);
        let (target, new) = self.node_of_state(true);
        self.graph.go_on(head, Next::Goto(target));
        let entered = std::mem::replace(&mut self.state, state);
        self.node = node;
        if new {
            self.open.push((target, entered));
        }
        head
    }

    /// Goes on in each of several ways, of which the library may choose any: `take` does what the way of a number does.
    /// What comes after the instruction at hand comes after each of them.
    pub(super) fn any(
        &mut self,
        ways: usize,
        place: PlaceId,
        take: &mut dyn FnMut(&mut Self, usize) -> Followed<()>,
    ) -> Followed<()> {
        if ways == 1 {
            return take(self, 0);
        }
        let (state, node) = (self.state.clone(), self.node);
        let mut heads = Vec::new();
        for way in 0..ways {
            let head = self.graph.add();
            heads.push(head);
            (self.node, self.state) = (head, state.clone());
            match take(self, way) {
                Ok(()) => {
                    let (target, new) = self.node_of_state(false);
                    self.graph.go_on(self.node, Next::Goto(target));
                    if new {
                        self.open.push((target, self.state.clone()));
                    }
                }
                Err(Stop::End) => {}
                Err(Stop::Lost(step)) => self.graph.push(self.node, step),
            }
        }
        let at = self.place(place);
        (self.node, self.state) = (node, state);
        self.graph.go_on(node, Next::Any(heads, at));
        // Each way is looked at on its own.
        Err(Stop::End)
    }
}
