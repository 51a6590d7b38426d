//! Statements: an automaton with a state between any two steps.

mod expressions;

use super::automaton::{self, Draft};
use super::names::Names;
use crate::ast::{self, AtomicOperation, Name, Place, Statement, StatementKind};
use crate::calculus::{Atomic, Automaton, Command, Expression, Origin, Polls, Transfer};
use crate::diagnostic::{Diagnostic, closest};
use crate::printer;
use expressions::Slot;
use std::collections::BTreeMap;

/// The code of `rank`.
pub(super) fn lower(
    body: &[Statement],
    rank: u32,
    polls: Polls,
    names: &mut Names,
    errors: &mut Vec<Diagnostic>,
) -> Automaton {
    let mut code = Code {
        rank,
        names,
        errors,
        draft: Draft::default(),
        at: 0,
        origin: Origin::default(),
        labels: BTreeMap::new(),
        jumps: Vec::new(),
        turns: Vec::new(),
    };
    code.at = code.draft.state();
    code.block(body);
    code.jumps();
    automaton::finish(code.draft, polls)
}

/// An automaton in the making.
pub(super) struct Code<'n> {
    pub(super) rank: u32,
    pub(super) names: &'n mut Names,
    errors: &'n mut Vec<Diagnostic>,
    draft: Draft,
    /// The state where the next step begins.
    at: usize,
    origin: Origin,
    labels: BTreeMap<String, usize>,
    /// From where, to which label.
    jumps: Vec<(usize, Name)>,
    /// Of each loop around: its first state, and the state after it.
    turns: Vec<(usize, usize)>,
}

impl Code<'_> {
    /// A step to a new state.
    pub(super) fn step(&mut self, command: Command) {
        let to = self.draft.state();
        self.draft.step(self.at, to, Some(command), &self.origin);
        self.at = to;
    }

    /// Goes on at a state, without a step.
    fn glide(&mut self, to: usize) {
        self.draft.step(self.at, to, None, &self.origin);
        self.at = to;
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.origin = Origin {
                place: statement.place.clone(),
                text: printer::head(&statement.kind),
            };
            if let Err(error) = self.statement(&statement.kind) {
                self.errors.push(error);
            }
        }
    }

    fn statement(&mut self, kind: &StatementKind) -> Result<(), Diagnostic> {
        let loaded = &mut 0;
        match kind {
            StatementKind::Assign { into, value } => self.assign(into, value)?,
            StatementKind::Assume(condition) => {
                let condition = self.expression(condition, loaded)?;
                self.step(Command::Assume {
                    condition,
                    asserted: false,
                });
            }
            StatementKind::Assert(condition) => {
                let condition = self.expression(condition, loaded)?;
                self.step(Command::Assume {
                    condition,
                    asserted: true,
                });
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => match self.names.constant(condition, self.rank) {
                Some(0) => self.block(otherwise),
                Some(_) => self.block(then),
                None => {
                    let condition = self.expression(condition, loaded)?;
                    let (fork, origin, end) = (self.at, self.origin.clone(), self.draft.state());
                    self.step(Command::Assume {
                        condition: condition.clone(),
                        asserted: false,
                    });
                    self.block(then);
                    self.glide(end);
                    self.at = fork;
                    self.origin = origin;
                    self.step(Command::Assume {
                        condition: condition.negated(),
                        asserted: false,
                    });
                    self.block(otherwise);
                    self.glide(end);
                }
            },
            StatementKind::While { condition, body } => self.repeat(condition, body)?,
            StatementKind::Loop(body) => {
                let head = self.draft.state();
                let end = self.draft.state();
                self.glide(head);
                self.draft.step(head, end, None, &self.origin);
                self.turn(head, end, body);
            }
            StatementKind::Choice(ways) => {
                let (fork, end) = (self.at, self.draft.state());
                for way in ways {
                    let first = self.draft.state();
                    self.at = fork;
                    self.glide(first);
                    self.block(way);
                    self.glide(end);
                }
            }
            StatementKind::Rank {
                ranks,
                body,
                otherwise,
            } => {
                for &(first, last) in ranks {
                    if last >= self.names.ranks || first > last {
                        return Err(Diagnostic::new(
                            format!(
                                "there is no rank {last}: the ranks are 0 to {}",
                                self.names.ranks - 1
                            ),
                            self.origin.place.clone(),
                        )
                        .hint("change the number of ranks, or the block"));
                    }
                }
                let mine = ranks
                    .iter()
                    .any(|&(first, last)| (first..=last).contains(&self.rank));
                self.block(if mine { body } else { otherwise });
            }
            StatementKind::Break | StatementKind::Continue => {
                let Some(&(head, end)) = self.turns.last() else {
                    return Err(Diagnostic::new(
                        "there is no loop around",
                        self.origin.place.clone(),
                    ));
                };
                self.draft.step(
                    self.at,
                    if *kind == StatementKind::Break { end } else { head },
                    None,
                    &self.origin,
                );
                self.at = self.draft.state();
            }
            StatementKind::Goto(label) => {
                self.jumps.push((self.at, label.clone()));
                self.at = self.draft.state();
            }
            StatementKind::Label(label) => {
                let here = self.draft.state();
                self.glide(here);
                if self.labels.insert(label.text.clone(), here).is_some() {
                    return Err(Diagnostic::new(
                        format!("the label `{}` is there twice", label.text),
                        label.place.clone(),
                    ));
                }
            }
            StatementKind::Skip => {}
            StatementKind::Transfer {
                direction,
                local,
                rank,
                remote,
                queue,
                handle,
                after_earlier,
            } => {
                let command = Transfer {
                    direction: *direction,
                    local: self.address(local, loaded)?,
                    rank: self.rank_of(rank, loaded)?,
                    remote: self.address(remote, loaded)?,
                    queue: self.queue(queue, loaded)?,
                    handle: handle
                        .as_ref()
                        .map(|handle| self.handle(handle, loaded))
                        .transpose()?,
                    after_earlier: *after_earlier,
                };
                self.step(Command::Transfer(command));
            }
            StatementKind::Atomic {
                operation,
                local,
                rank,
                remote,
                operands,
                queue,
                handle,
            } => {
                let mut values = operands
                    .iter()
                    .map(|operand| match operation {
                        AtomicOperation::FetchAdd => self.addend(operand, loaded),
                        AtomicOperation::Swap | AtomicOperation::CompareSwap => self.value(operand, loaded),
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                let operand = values.pop().unwrap_or(Expression::Constant(0));
                let command = Atomic {
                    operation: *operation,
                    local: local
                        .as_ref()
                        .map(|local| self.address(local, loaded))
                        .transpose()?,
                    rank: self.rank_of(rank, loaded)?,
                    remote: self.address(remote, loaded)?,
                    operand,
                    expected: values.pop(),
                    queue: self.queue(queue, loaded)?,
                    handle: handle
                        .as_ref()
                        .map(|handle| self.handle(handle, loaded))
                        .transpose()?,
                };
                self.step(Command::Atomic(command));
            }
            StatementKind::Barrier => self.step(Command::Barrier),
            StatementKind::Wait { what, completion } => {
                let (queues, handles) = self.waited(what, loaded)?;
                self.step(Command::Wait {
                    queues,
                    handles,
                    completion: *completion,
                });
            }
            StatementKind::Fence { queue, rank } => {
                let queue = self.queue(queue, loaded)?;
                let rank = rank.as_ref().map(|rank| self.rank_of(rank, loaded)).transpose()?;
                self.step(Command::Fence { queue, rank });
            }
            StatementKind::Call { call, .. } => {
                return Err(Diagnostic::new(
                    format!("unknown call `{}`", call.name.text),
                    call.name.place.clone(),
                ));
            }
        }
        Ok(())
    }

    fn assign(&mut self, into: &ast::Target, value: &ast::Expression) -> Result<(), Diagnostic> {
        let loaded = &mut 0;
        // `r = x` is one load; anything else loads first and computes then.
        if let (ast::Target::Name(_), ast::Expression::Value(from)) = (into, value)
            && let Slot::Register(into) = self.place_of(into, loaded)?
            && let Slot::Memory(address) = self.place_of(from, loaded)?
        {
            self.step(Command::Load {
                into,
                address,
                until: None,
            });
            return Ok(());
        }
        let value = self.value(value, loaded)?;
        match self.place_of(into, loaded)? {
            Slot::Register(into) => self.step(Command::Assign { into, value }),
            Slot::Memory(address) => self.step(Command::Store { address, value }),
        }
        Ok(())
    }

    /// A value that is stored or sent: it must be in the domain. Of one that only a run knows, a search finds out.
    fn value(&mut self, value: &ast::Expression, loaded: &mut usize) -> Result<Expression, Diagnostic> {
        if self.names.wraps() {
            let domain = Expression::Constant(i64::from(self.names.domain));
            let value = self.expression(value, loaded)?;
            let wrapped =
                Expression::Binary(ast::BinaryOperator::Remainder, Box::new(value), Box::new(domain));
            return Ok(wrapped);
        }
        if let Some(number) = self.names.constant(value, self.rank)
            && !(0..i64::from(self.names.domain)).contains(&number)
        {
            return Err(self.names.outside(number, value, self.rank));
        }
        self.expression(value, loaded)
    }

    /// A number that is added to a value: less than nothing, too, where the sum is in the domain.
    fn addend(&mut self, number: &ast::Expression, loaded: &mut usize) -> Result<Expression, Diagnostic> {
        let least = 1 - i64::from(self.names.domain);
        match self.names.constant(number, self.rank) {
            Some(constant) if !self.names.wraps() && (least..0).contains(&constant) => {
                self.expression(number, loaded)
            }
            _ => self.value(number, loaded),
        }
    }

    /// The rank of another process; a constant one must be there.
    fn rank_of(&mut self, rank: &ast::Expression, loaded: &mut usize) -> Result<Expression, Diagnostic> {
        if let Some(value) = self.names.constant(rank, self.rank)
            && !(0..i64::from(self.names.ranks)).contains(&value)
        {
            let others = self.names.ranks - 1;
            return Err(Diagnostic::new(
                format!("there is no rank {value}: the ranks are 0 to {others}"),
                rank.place(),
            )
            .hint("a neighbour in a ring is `(me + 1) % n`"));
        }
        self.expression(rank, loaded)
    }

    fn repeat(&mut self, condition: &ast::Expression, body: &[Statement]) -> Result<(), Diagnostic> {
        let (head, end) = (self.draft.state(), self.draft.state());
        self.glide(head);
        match self.names.constant(condition, self.rank) {
            Some(0) => self.glide(end),
            Some(_) => self.turn(head, end, body),
            None => {
                let condition = self.expression(condition, &mut 0)?;
                let fork = self.at;
                self.step(Command::Assume {
                    condition: condition.clone().negated(),
                    asserted: false,
                });
                self.glide(end);
                self.at = fork;
                self.step(Command::Assume {
                    condition,
                    asserted: false,
                });
                self.turn(head, end, body);
            }
        }
        Ok(())
    }

    /// A turn of a loop, back to its head; goes on after the loop.
    fn turn(&mut self, head: usize, end: usize, body: &[Statement]) {
        self.turns.push((head, end));
        self.block(body);
        self.turns.pop();
        self.glide(head);
        self.at = end;
    }

    fn jumps(&mut self) {
        for (from, label) in std::mem::take(&mut self.jumps) {
            let Some(&to) = self.labels.get(&label.text) else {
                let error = Diagnostic::new(
                    format!("there is no label `{}` for rank {}", label.text, self.rank),
                    label.place,
                );
                let known = closest(&label.text, self.labels.keys().map(String::as_str));
                self.errors.push(match known {
                    Some(known) => error.hint(format!("did you mean `{known}`?")),
                    None => error.hint(format!("write `{}:` where it goes", label.text)),
                });
                continue;
            };
            self.draft.step(
                from,
                to,
                None,
                &Origin {
                    place: Place::default(),
                    text: String::new(),
                },
            );
        }
    }
}
